// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/architecture.hpp>
#include <isserlis/mlp/data_loss.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/monte_carlo/graph_curve_sampler.hpp>

#include <cstdint>
#include <memory>
#include <vector>

#include "batch_examples.hpp"
#include "parameter_factors.hpp"

namespace isserlis::monte_carlo {

/// All that a thread keeps to draw networks of one model and wiring and take steps with them; losses and sums over weights
/// are doubles.
template <class T>
class GraphCurveWorker {
public:
    GraphCurveWorker(GraphCurveModel const& model, std::uint64_t seed)
        : model_(model),
          seed_(seed),
          flat_(model.network.flat_graph()),
          architecture_(
              std::make_shared<mlp::Architecture const>(mlp::GraphLayout(flat_, model.network.unit_parameters))),
          loss_(*architecture_, model.half ? mlp::Objective::half_squared : mlp::Objective::squared),
          all_{.inputs = mlp::columns(model.inputs).template cast<T>(), .targets = mlp::columns(model.targets)},
          gradient_(architecture_->parameters()),
          step_(gradient_.size()),
          moved_(gradient_.size()) {
        for (double const rate : parameter_factors(*architecture_, flat_)) rates_.push_back(static_cast<T>(rate));
    }

    /// Network `sample`, with its step; its loss.
    double draw(std::uint64_t sample) {
        draw_weights(flat_, architecture_->wiring(), seed_, sample, weights_);
        double const out = loss_.gradient(weights_, all_, gradient_).loss;
        step_ = gradient_;
        if (model_.batch)
            (void)loss_.gradient(weights_, drawn_batch(all_, *model_.batch, seed_, sample, drawn_), step_);
        for (std::size_t i = 0; i < step_.size(); ++i) step_[i] *= rates_[i];
        return out;
    }
    [[nodiscard]] double slope() const { return -dot(gradient_, step_); }
    double curvature() {
        loss_.hessian_product(weights_, all_, step_, moved_);
        return dot(step_, moved_);
    }
    double loss_after(double rate) {
        auto const factor = static_cast<T>(rate);
        for (std::size_t i = 0; i < step_.size(); ++i) moved_[i] = weights_[i] - factor * step_[i];
        return loss_.value(moved_, all_).loss;
    }

private:
    static double dot(std::vector<T> const& a, std::vector<T> const& b) {
        double out = 0;
        for (std::size_t i = 0; i < a.size(); ++i) out += static_cast<double>(a[i]) * static_cast<double>(b[i]);
        return out;
    }
    GraphCurveModel const& model_;
    std::uint64_t seed_;
    Graph<double, std::uint64_t> flat_;
    std::shared_ptr<mlp::Architecture const> architecture_;  // the loss refers to it
    mlp::DataLoss<T> loss_;
    mlp::Examples<T> all_;
    std::vector<T> rates_;  ///< of each weight, and of each bias behind them, what multiplies its rate
    std::vector<T> weights_, gradient_, step_, moved_;
    std::vector<std::size_t> drawn_;
};

}  // namespace isserlis::monte_carlo
