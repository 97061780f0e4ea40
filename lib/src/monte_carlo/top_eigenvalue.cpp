// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/top_eigenvalue.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/architecture.hpp>
#include <isserlis/mlp/extreme_eigenvalue.hpp>
#include <isserlis/mlp/hessian_product.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/random/stream.hpp>
#include <optional>

#include "chain_weights.hpp"

namespace isserlis::monte_carlo {
namespace {

/// Of an operator on so many numbers.
template <class Apply>
double top_of(std::size_t size, Apply const& apply) {
    return mlp::largest_by_modulus({.size = static_cast<Eigen::Index>(size), .apply = apply}).value;
}

/// |H g|^2 for a vector of independent standard normals.
template <class Apply>
double squared_image(std::size_t size, Apply const& apply, Stream& stream) {
    std::vector<double> direction(size);
    stream.fill_normal(direction);
    Eigen::VectorXd image(static_cast<Eigen::Index>(size));
    apply(direction.data(), image.data());
    return image.squaredNorm();
}

/// Calls f with the size of the Hessian as an operator, and with it.
template <class F>
auto with_whole_hessian(mlp::Architecture const& net, mlp::Examples<double> const& examples,
                        std::span<double const> weights, std::vector<double> const& factors, F const& f) {
    mlp::LossHessian hessian(net, mlp::Objective::half_squared, examples, weights, factors);
    return f(hessian.parameters(), [&](double const* in, double* out) { hessian.apply(in, out); });
}

/// The same of a chain: at one sample on what the Hessian does not send to 0, without a number for each weight.
template <class F>
auto with_hessian(mlp::Architecture const& net, mlp::Examples<double> const& examples, std::span<double const> weights,
                  std::vector<double> const& factors, F const& f) {
    if (examples.inputs.cols() == 1) {
        mlp::RangeHessian const hessian(net, examples, weights, factors);
        return f(hessian.size(), [&](double const* in, double* out) { hessian.apply(in, out); });
    }
    return with_whole_hessian(net, examples, weights, factors, f);
}

struct EigenvalueSums {
    RunningVariance modulus;
    RunningVariance reciprocal;
    RunningVariance squared_norm;
    std::uint64_t without = 0;
    std::uint64_t negative = 0;

    static void members(auto& self, auto const& f) {
        f(self.modulus, self.reciprocal, self.squared_norm, self.without, self.negative);
    }
};

/// The Hessians of networks that `draw` makes, each with targets of its own; `with` shows them as operators.
TopEigenvalues sampled_tops(mlp::Architecture const& net, std::size_t drawn, auto const& draw, auto const& with,
                            std::vector<std::vector<double>> const& inputs, TwoValues const& targets,
                            std::uint64_t samples, std::uint64_t seed, RunControl const& control) {
    if (inputs.empty()) throw DomainError("top_eigenvalues: no input is given", "input");
    double const size = std::sqrt(std::max(0.0, targets.second_moment - targets.mean * targets.mean));
    auto const sums = run(samples, control, EigenvalueSums{}, [&] {
        mlp::Examples<double> examples{mlp::columns(inputs), {}};
        examples.targets.resize(static_cast<Eigen::Index>(net.outputs()), examples.inputs.cols());
        return [&, examples, weights = std::vector<double>(drawn)](std::uint64_t sample, EigenvalueSums& into) mutable {
            draw(sample, weights);
            Stream signs(seed, sample, StreamUse::targets);
            for (Eigen::Index k = 0; k < examples.targets.cols(); ++k)
                for (Eigen::Index i = 0; i < examples.targets.rows(); ++i)
                    examples.targets(i, k) = targets.mean + signs.sign() * size;
            Stream directions(seed, sample, StreamUse::directions);
            double const value = with(examples, weights, [&](std::size_t parameters, auto const& apply) {
                into.squared_norm.push(squared_image(parameters, apply, directions));
                return top_of(parameters, apply);
            });
            into.modulus.push(std::abs(value));
            into.negative += value < 0 ? 1 : 0;
            if (value == 0) {
                ++into.without;
            } else {
                into.reciprocal.push(2 / std::abs(value));
            }
        };
    });
    return {.modulus = sums.modulus.estimate(),
            .reciprocal = sums.reciprocal.estimate(),
            .squared_norm = sums.squared_norm.estimate(),
            .without = sums.without,
            .negative = sums.negative};
}

/// Node by node from 1: those of the matrices that lead into it.
std::vector<double> factors_by_node(Graph<double, std::uint64_t> const& flat) {
    auto const& stage = flat.stages.front();
    std::vector<std::optional<double>> known(stage.nodes.size());
    for (auto const& edge : stage.edges) {
        if (edge.kind != GraphEdge<double>::Kind::weight) continue;
        auto& factor = known[edge.to - 1];
        if (factor && *factor != edge.label_factor)
            throw UnsupportedError("top_eigenvalues: two matrices of different rates lead into node " +
                                       printable(stage.nodes[edge.to - 1].name),
                                   "model");
        factor = edge.label_factor;
    }
    std::vector<double> out;
    for (auto const& factor : known) out.push_back(factor.value_or(1));
    return out;
}

}  // namespace

double top_eigenvalue(mlp::Architecture const& net, mlp::Examples<double> const& examples,
                      std::span<double const> weights, std::vector<double> const& factors) {
    return with_hessian(net, examples, weights, factors,
                        [](std::size_t size, auto const& apply) { return top_of(size, apply); });
}

TopEigenvalues top_eigenvalues(NetworkModel const& model, std::vector<std::vector<double>> const& inputs,
                               std::vector<double> const& factors, TwoValues const& targets, std::uint64_t samples,
                               std::uint64_t seed, RunControl const& control) {
    model.validate();
    require_doubles(model.precision, "a top eigenvalue");
    if (model.activation.is_concatenated() || model.gated_head)
        throw DomainError("top_eigenvalues: relu, leaky or linear units and a linear head are required", "model");
    auto const net = mlp::perceptron(model.widths, mlp::unit_of(model.activation), {}, false, model.scales);
    auto const drawing = detail::ChainWeights(model);
    return sampled_tops(
        net, drawing.size(),
        [&](std::uint64_t sample, std::vector<double>& weights) { drawing.draw(seed, sample, std::span(weights)); },
        [&](auto const& examples, auto const& weights, auto const& f) {
            return with_hessian(net, examples, weights, factors, f);
        },
        inputs, targets, samples, seed, control);
}

TopEigenvalues top_eigenvalues(GraphModel const& model, std::vector<std::vector<double>> const& inputs,
                               TwoValues const& targets, std::uint64_t samples, std::uint64_t seed,
                               RunControl const& control) {
    require_doubles(model.precision, "a top eigenvalue");
    auto const flat = model.flat_graph();
    auto const factors = factors_by_node(flat);
    mlp::Architecture const net{mlp::GraphLayout(flat, model.unit_parameters)};
    return sampled_tops(
        net, net.wiring().drawn(),
        [&](std::uint64_t sample, std::vector<double>& weights) {
            draw_weights(flat, net.wiring(), seed, sample, weights);
        },
        [&](auto const& examples, auto const& weights, auto const& f) {
            return with_whole_hessian(net, examples, weights, factors, f);
        },
        inputs, targets, samples, seed, control);
}

}  // namespace isserlis::monte_carlo
