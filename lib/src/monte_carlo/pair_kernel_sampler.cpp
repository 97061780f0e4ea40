// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/pair_kernel_sampler.hpp>

#include <isserlis/error.hpp>
#include <isserlis/mlp/data_loss.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <memory>
#include <span>

#include "first_step_sums.hpp"
#include "parameter_factors.hpp"

namespace isserlis::monte_carlo {
namespace {

struct PairSums {
    RunningVariance mean, second_moment, trace, trace_square, squared_trace;

    static void members(auto& self, auto const& f) {
        f(self.mean, self.second_moment, self.trace, self.trace_square, self.squared_trace);
    }
};
using AllPairs = ListedSums<PairSums>;

/// One network after another, with the derivatives of its outputs at all inputs.
class PairKernelWorker {
public:
    PairKernelWorker(GraphModel const& model, std::vector<std::vector<double>> const& inputs, std::uint64_t seed)
        : seed_(seed),
          flat_(model.flat_graph()),
          architecture_(std::make_shared<mlp::Architecture const>(mlp::GraphLayout(flat_, model.unit_parameters))),
          factors_(parameter_factors(*architecture_, flat_)),
          inputs_(mlp::columns(inputs)) {}

    void operator()(std::uint64_t sample, AllPairs& into) {
        draw_weights(flat_, architecture_->wiring(), seed_, sample, weights_);
        auto const derivatives =
            mlp::output_jacobian<double>(*architecture_, std::span<double const>(weights_), inputs_);
        Eigen::Map<Eigen::VectorXd const> const factors(factors_.data(), static_cast<Eigen::Index>(factors_.size()));
        Eigen::MatrixXd const kernel = derivatives * factors.asDiagonal() * derivatives.transpose();
        Eigen::Index const outputs = kernel.rows() / inputs_.cols();
        auto pair = into.all.begin();
        for (Eigen::Index k = 0; k < inputs_.cols(); ++k) {
            for (Eigen::Index l = k; l < inputs_.cols(); ++l, ++pair) {
                auto const block = kernel.block(k * outputs, l * outputs, outputs, outputs);
                double const trace = block.trace();
                pair->mean.push(trace / static_cast<double>(outputs));
                pair->second_moment.push(block.diagonal().squaredNorm() / static_cast<double>(outputs));
                pair->trace.push(trace);
                pair->trace_square.push(trace * trace);
                pair->squared_trace.push(block.squaredNorm());
            }
        }
    }

private:
    std::uint64_t seed_;
    Graph<double, std::uint64_t> flat_;
    std::shared_ptr<mlp::Architecture const> architecture_;
    std::vector<double> factors_;
    mlp::Matrix<double> inputs_;
    std::vector<double> weights_;
};

}  // namespace

std::vector<PairKernelEstimates> sample_pair_kernels(GraphModel const& model,
                                                     std::vector<std::vector<double>> const& inputs,
                                                     std::uint64_t samples, std::uint64_t seed,
                                                     RunControl const& control) {
    require_doubles(model.precision, "the kernel of several inputs");
    if (inputs.empty()) throw DomainError("sample_pair_kernels: no input is given", "input");
    require_decided_ties(model.flat_graph(), model.ties);
    AllPairs const none{std::vector<PairSums>(inputs.size() * (inputs.size() + 1) / 2)};
    auto const sums = run(samples, control, none, [&] { return PairKernelWorker(model, inputs, seed); });
    std::vector<PairKernelEstimates> out;
    for (auto const& s : sums.all)
        out.push_back({.mean = s.mean.estimate(),
                       .second_moment = s.second_moment.estimate(),
                       .trace = s.trace.estimate(),
                       .trace_square = s.trace_square.estimate(),
                       .squared_trace = s.squared_trace.estimate()});
    return out;
}

}  // namespace isserlis::monte_carlo
