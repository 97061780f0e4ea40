// SPDX-License-Identifier: MIT
#include <isserlis/mlp/architecture.hpp>
#include <isserlis/mlp/data_loss.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/monte_carlo/graph_curve_sampler.hpp>
#include <memory>

#include "batch_order.hpp"
#include "finite_loss.hpp"

namespace isserlis::monte_carlo {
namespace {

struct Sums {
    RunningVariance loss, slope, curvature;
    static void members(auto& self, auto const& f) { f(self.loss, self.slope, self.curvature); }
};

/// What multiplies the rate of each weight, and of each bias behind them.
std::vector<double> rates_of(Graph<double, std::uint64_t> const& flat, mlp::GraphLayout const& layout) {
    std::vector<double> out;
    for (auto const& w : layout.weights()) out.push_back(flat.blocks.front().edges[w.edge].label_factor);
    for (std::size_t v = 1; v < layout.nodes().size(); ++v) {
        auto const& node = layout.nodes()[v];
        if (node.first_bias) out.insert(out.end(), node.width, flat.blocks.front().nodes[v - 1].bias->label_factor);
    }
    return out;
}

double dot(std::vector<double> const& a, std::vector<double> const& b) {
    double out = 0;
    for (std::size_t i = 0; i < a.size(); ++i) out += a[i] * b[i];
    return out;
}

/// Networks of one model, one after another.
class Worker {
public:
    Worker(GraphCurveModel const& model, std::uint64_t seed)
        : model_(model),
          seed_(seed),
          flat_(model.network.flat_graph()),
          architecture_(
              std::make_shared<mlp::Architecture const>(mlp::GraphLayout(flat_, model.network.unit_parameters))),
          loss_(*architecture_, model.half ? mlp::Objective::half_squared : mlp::Objective::squared),
          all_{.inputs = mlp::columns(model.inputs), .targets = mlp::columns(model.targets)},
          rates_(rates_of(flat_, architecture_->wiring())),
          gradient_(architecture_->parameters()),
          of_batch_(gradient_.size()),
          product_(gradient_.size()) {}

    void operator()(std::uint64_t sample, Sums& into) {
        draw_weights(flat_, architecture_->wiring(), seed_, sample, weights_);
        into.loss.push(loss_.gradient(weights_, all_, gradient_).loss);
        of_batch_ = gradient_;
        if (model_.batch) (void)loss_.gradient(weights_, batch(sample), of_batch_);
        for (std::size_t i = 0; i < of_batch_.size(); ++i) of_batch_[i] *= rates_[i];
        into.slope.push(-dot(gradient_, of_batch_));
        loss_.hessian_product(weights_, all_, of_batch_, product_);
        into.curvature.push(dot(of_batch_, product_));
    }

private:
    [[nodiscard]] mlp::Examples<double> batch(std::uint64_t sample) {
        auto const size = static_cast<Eigen::Index>(*model_.batch);
        draw_batch(seed_, sample, *model_.batch, model_.inputs.size(), order_);
        mlp::Examples<double> out{.inputs = mlp::Matrix<double>(all_.inputs.rows(), size),
                                  .targets = mlp::Matrix<double>(all_.targets.rows(), size)};
        for (Eigen::Index k = 0; k < size; ++k) {
            auto const from = static_cast<Eigen::Index>(order_[static_cast<std::size_t>(k)]);
            out.inputs.col(k) = all_.inputs.col(from);
            out.targets.col(k) = all_.targets.col(from);
        }
        return out;
    }

    GraphCurveModel const& model_;
    std::uint64_t seed_;
    Graph<double, std::uint64_t> flat_;
    std::shared_ptr<mlp::Architecture const> architecture_;  // the loss refers to it
    mlp::DataLoss<double> loss_;
    mlp::Examples<double> all_;
    std::vector<double> rates_, weights_, gradient_, of_batch_, product_;
    std::vector<std::size_t> order_;
};

}  // namespace

GraphCurveEstimates sample_graph_curve(GraphCurveModel const& model, std::uint64_t samples, std::uint64_t seed,
                                       RunControl const& control) {
    auto const sums = run(samples, control, Sums{}, [&] { return Worker(model, seed); });
    GraphCurveEstimates const out{
        .loss = sums.loss.estimate(), .slope = sums.slope.estimate(), .curvature = sums.curvature.estimate()};
    require_finite_loss({out.loss, out.slope, out.curvature});
    return out;
}

}  // namespace isserlis::monte_carlo
