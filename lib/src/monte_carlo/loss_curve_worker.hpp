// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <isserlis/mlp/loss.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/monte_carlo/loss_curve_sampler.hpp>
#include <isserlis/monte_carlo/weight_rows.hpp>
#include <isserlis/random/stream.hpp>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "batch_order.hpp"

namespace isserlis::monte_carlo {

/// All that a thread keeps to draw networks of one model and take steps with them; losses are taken in double.
template <class T>
class LossCurveWorker {
public:
    LossCurveWorker(LossCurveModel const& model, std::uint64_t seed, bool with_linear)
        : model_(model),
          seed_(seed),
          inputs_(mlp::columns(model.inputs)),
          step_(model.network.widths,
                {.kind = model.network.activation.kind, .slope = static_cast<T>(model.network.activation.slope)},
                model.network.gated_head, inputs_.cast<T>()) {
        std::vector<T> const scales(model.network.scales.begin(), model.network.scales.end());
        std::vector<T> const rates(model.rates.begin(), model.rates.end());
        step_.set_scales(scales);
        step_.set_rates(rates);
        if (with_linear) {
            linear_.emplace(model.network.widths, Activation<T>{.kind = ActivationKind::linear, .slope = {}}, false,
                            inputs_.cast<T>());
            linear_->set_scales(scales);
            linear_->set_rates(rates);
        }
        if (!model.targets.empty()) targets_ = mlp::columns(model.targets);
        for (std::size_t q = 0; q < model.network.depth(); ++q)
            rows_.emplace_back(model.network.laws[q], model.network.variances[q]);
        if (!model.given) return;
        given_.gradients = mlp::columns(model.given->gradients);
        for (auto const& h : model.given->hessians) given_.hessians.emplace_back(mlp::columns(h));
    }

    /// Network `sample`, with its outputs and its step.
    void draw(std::uint64_t sample) {
        Stream stream(seed_, sample);
        auto const& widths = model_.network.widths;
        auto const sides = model_.network.activation.sides();
        for (std::size_t q = 1; q < widths.size(); ++q) {
            auto const fan_in = static_cast<Eigen::Index>(widths[q - 1]);
            mlp::Matrix<T>& w = step_.weights(q);
            auto const into = [&](Eigen::Index first) {
                rows_[q - 1].for_each_row(stream, widths[q], widths[q - 1], [&](std::size_t i, std::span<T const> row) {
                    std::copy(row.begin(), row.end(), &w(static_cast<Eigen::Index>(i), first));
                });
            };
            into(0);
            if (sides == WeightSides::independent) into(fan_in);
            if (sides == WeightSides::tied) w.rightCols(fan_in) = w.leftCols(fan_in);
        }
        if (model_.batch) draw_batch(seed_, sample, *model_.batch, static_cast<std::size_t>(inputs_.cols()), drawn_);
        take_step(step_);
    }

    mlp::LossDerivatives derivatives() { return differentiated(step_); }
    /// Those of the linear network of the weights P; only for workers made with it.
    mlp::LossDerivatives linear_derivatives() {
        auto& linear = linear_.value();
        for (std::size_t q = 1; q <= step_.depth(); ++q)
            linear.weights(q) = std::as_const(step_).weights(q).leftCols(linear.weights(q).cols());
        take_step(linear);
        return differentiated(linear);
    }
    double loss_after(double rate) {
        return mlp::mean_loss(model_.loss, mlp::in_doubles(step_.outputs_after(static_cast<T>(rate))), targets_);
    }

private:
    void take_step(mlp::GradientStep<T>& step) {
        step.forward();
        if (!model_.given) mlp::loss_gradients(model_.loss, mlp::in_doubles(step.outputs()), targets_, gradients_);
        if (!model_.batch) return go_back(step, model_.given ? given_.gradients : gradients_);
        // The step takes means over all samples.
        batch_gradients_.setZero(gradients_.rows(), gradients_.cols());
        double const weight = static_cast<double>(inputs_.cols()) / static_cast<double>(model_.batch->size);
        for (std::size_t i = 0; i < model_.batch->size; ++i) {
            auto const k = static_cast<Eigen::Index>(drawn_[i]);
            batch_gradients_.col(k) += weight * gradients_.col(k);
        }
        go_back(step, batch_gradients_);
    }
    static void go_back(mlp::GradientStep<T>& step, mlp::Matrix<double> const& gradients) {
        if constexpr (std::is_same_v<T, double>)
            step.backward(gradients);
        else
            step.backward(gradients.cast<T>());
    }
    mlp::LossDerivatives differentiated(mlp::GradientStep<T>& step) {
        step.differentiate();
        if (!model_.given) return mlp::derivatives_of(step, gradients_, targets_, model_.loss);
        auto out = mlp::derivatives_of(step, given_);
        if (targets_.size() != 0) out.loss = mlp::mean_loss(model_.loss, mlp::in_doubles(step.outputs()), targets_);
        return out;
    }

    LossCurveModel const& model_;
    std::uint64_t seed_;
    mlp::Matrix<double> inputs_, targets_, gradients_, batch_gradients_;
    std::vector<std::size_t> drawn_;
    mlp::GivenDerivatives given_;
    mlp::GradientStep<T> step_;
    std::optional<mlp::GradientStep<T>> linear_;  ///< of the same weights, where it is asked for
    std::vector<WeightRows<T>> rows_;
};

}  // namespace isserlis::monte_carlo
