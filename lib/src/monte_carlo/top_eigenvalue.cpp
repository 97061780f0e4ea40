// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/extreme_eigenvalue.hpp>
#include <isserlis/mlp/hessian_product.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/monte_carlo/top_eigenvalue.hpp>
#include <isserlis/random/stream.hpp>

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

/// Calls f with the size of the Hessian as an operator, and with it: at one sample on what it does not send to 0, without
/// a number for each weight.
template <class F>
auto with_hessian(mlp::Architecture const& net, mlp::Examples<double> const& examples, std::span<double const> weights,
                  std::vector<double> const& factors, F const& f) {
    if (examples.inputs.cols() == 1) {
        mlp::RangeHessian const hessian(net, examples, weights, factors);
        return f(hessian.size(), [&](double const* in, double* out) { hessian.apply(in, out); });
    }
    mlp::LossHessian hessian(net, mlp::Objective::half_squared, examples, weights, factors);
    return f(hessian.parameters(), [&](double const* in, double* out) { hessian.apply(in, out); });
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

}  // namespace

double top_eigenvalue(mlp::Architecture const& net, mlp::Examples<double> const& examples,
                      std::span<double const> weights, std::vector<double> const& factors) {
    return with_hessian(net, examples, weights, factors,
                        [](std::size_t size, auto const& apply) { return top_of(size, apply); });
}

TopEigenvalues top_eigenvalues(NetworkModel const& model, std::vector<std::vector<double>> const& inputs,
                               std::vector<double> const& factors, double target_second_moment, std::uint64_t samples,
                               std::uint64_t seed, RunControl const& control) {
    model.validate();
    if (inputs.empty()) throw DomainError("top_eigenvalues: no input is given", "input");
    if (model.activation.is_concatenated() || model.gated_head)
        throw DomainError("top_eigenvalues: relu, leaky or linear units and a linear head are required", "model");
    double const target = std::sqrt(target_second_moment);
    auto const net = mlp::perceptron(model.widths, mlp::unit_of(model.activation), {}, false, model.scales);
    auto const drawing = detail::ChainWeights(model);
    auto const sums = run(samples, control, EigenvalueSums{}, [&] {
        mlp::Examples<double> examples{mlp::columns(inputs), {}};
        examples.targets.resize(static_cast<Eigen::Index>(model.widths.back()), examples.inputs.cols());
        return [&, examples, weights = std::vector<double>(drawing.size())](std::uint64_t sample,
                                                                            EigenvalueSums& into) mutable {
            drawing.draw(seed, sample, weights);
            Stream signs(seed, sample, StreamUse::targets);
            for (Eigen::Index k = 0; k < examples.targets.cols(); ++k)
                for (Eigen::Index i = 0; i < examples.targets.rows(); ++i)
                    examples.targets(i, k) = signs.sign() * target;
            Stream directions(seed, sample, StreamUse::directions);
            double const top = with_hessian(net, examples, weights, factors, [&](std::size_t size, auto const& apply) {
                into.squared_norm.push(squared_image(size, apply, directions));
                return top_of(size, apply);
            });
            into.modulus.push(std::abs(top));
            into.negative += top < 0 ? 1 : 0;
            if (top == 0) {
                ++into.without;
            } else {
                into.reciprocal.push(2 / std::abs(top));
            }
        };
    });
    return {.modulus = sums.modulus.estimate(),
            .reciprocal = sums.reciprocal.estimate(),
            .squared_norm = sums.squared_norm.estimate(),
            .without = sums.without,
            .negative = sums.negative};
}

}  // namespace isserlis::monte_carlo
