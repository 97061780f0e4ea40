// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <isserlis/mlp/loss.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/monte_carlo/loss_curve_sampler.hpp>
#include <isserlis/monte_carlo/weight_rows.hpp>
#include <isserlis/random/stream.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "batch_order.hpp"

namespace isserlis::monte_carlo {

/// All that a thread keeps to draw networks of one model and take steps with them.
class LossCurveWorker {
public:
    LossCurveWorker(LossCurveModel const& model, std::uint64_t seed, bool with_linear)
        : model_(model),
          seed_(seed),
          inputs_(mlp::columns(model.inputs)),
          step_(model.network.widths, model.network.activation, model.network.gated_head, inputs_) {
        step_.set_scales(model.network.scales);
        step_.set_rates(model.rates);
        if (with_linear) {
            linear_.emplace(model.network.widths, Activation<double>{.kind = ActivationKind::linear, .slope = {}},
                            false, inputs_);
            linear_->set_scales(model.network.scales);
            linear_->set_rates(model.rates);
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
            mlp::Matrix<double>& w = step_.weights(q);
            auto const into = [&](Eigen::Index first) {
                rows_[q - 1].for_each_row(
                    stream, widths[q], widths[q - 1], [&](std::size_t i, std::span<double const> row) {
                        std::copy(row.begin(), row.end(), &w(static_cast<Eigen::Index>(i), first));
                    });
            };
            into(0);
            if (sides == WeightSides::independent) into(fan_in);
            if (sides == WeightSides::tied) w.rightCols(fan_in) = w.leftCols(fan_in);
        }
        if (model_.batch) draw_batch(seed_, sample, *model_.batch, static_cast<std::size_t>(inputs_.cols()), order_);
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
    double loss_after(double rate) { return mlp::mean_loss(model_.loss, step_.outputs_after(rate), targets_); }

private:
    void take_step(mlp::GradientStep<double>& step) {
        step.forward();
        if (!model_.given) mlp::loss_gradients(model_.loss, step.outputs(), targets_, gradients_);
        if (!model_.batch) return step.backward(model_.given ? given_.gradients : gradients_);
        // The step takes means over all samples.
        batch_gradients_.setZero(gradients_.rows(), gradients_.cols());
        double const weight = static_cast<double>(inputs_.cols()) / static_cast<double>(*model_.batch);
        for (std::size_t i = 0; i < *model_.batch; ++i) {
            auto const k = static_cast<Eigen::Index>(order_[i]);
            batch_gradients_.col(k) = weight * gradients_.col(k);
        }
        step.backward(batch_gradients_);
    }
    mlp::LossDerivatives differentiated(mlp::GradientStep<double>& step) {
        step.differentiate();
        if (!model_.given) return mlp::derivatives_of(step, gradients_, targets_, model_.loss);
        auto out = mlp::derivatives_of(step, given_);
        if (targets_.size() != 0) out.loss = mlp::mean_loss(model_.loss, step.outputs(), targets_);
        return out;
    }

    LossCurveModel const& model_;
    std::uint64_t seed_;
    mlp::Matrix<double> inputs_, targets_, gradients_, batch_gradients_;
    std::vector<std::size_t> order_;
    mlp::GivenDerivatives given_;
    mlp::GradientStep<double> step_;
    std::optional<mlp::GradientStep<double>> linear_;  ///< of the same weights, where it is asked for
    std::vector<WeightRows<double>> rows_;
};

}  // namespace isserlis::monte_carlo
