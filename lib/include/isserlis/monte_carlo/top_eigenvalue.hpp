// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/monte_carlo/network_model.hpp>
#include <isserlis/monte_carlo/run.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace isserlis::mlp {
class Architecture;
template <class T>
struct Examples;
}  // namespace isserlis::mlp

namespace isserlis::monte_carlo {

/// The eigenvalue of largest modulus of the Hessian of half the squared error, the mean over examples, with its sign: by
/// mlp::RangeHessian at one example, else by mlp::LossHessian; 0 for the zero operator.
///
/// Errors  theirs, and those of mlp::largest_by_modulus.
[[nodiscard]] double top_eigenvalue(mlp::Architecture const& net, mlp::Examples<double> const& examples,
                                    std::span<double const> weights, std::vector<double> const& factors);

/// Top eigenvalues of the Hessians of sampled networks.
struct TopEigenvalues {
    Estimate modulus;            ///< E |lambda_1|, 0 for a dead network
    Estimate reciprocal;         ///< E [2/|lambda_1|] over the networks where it is finite
    Estimate squared_norm;       ///< E|H|_F^2, by |H g|^2 of one random vector g
    std::uint64_t without = 0;   ///< networks with H = 0, left out of `reciprocal`
    std::uint64_t negative = 0;  ///< networks whose top eigenvalue is negative
};

/// Targets of two values, equally often: the mean, more or less the deviation.
struct TwoValues {
    double second_moment = 0;  ///< E y_i^2
    double mean = 0;           ///< E y_i
    TwoValues(double second, double first = 0)
        : second_moment(second), mean(first) {}  // NOLINT(google-explicit-constructor)
};

/// Samples networks, their Hessians of the mean loss over some inputs, and the targets of each input and output apart.
///
/// Law     the model's, with a linear head; its own input is not used.
/// Shape   `factors` has one entry for each layer; `targets` are those of each output.
/// Errors  those of `run`, of top_eigenvalue and of NetworkModel::validate; DomainError for no input, a concatenated ReLU or
///         a gated head; UnsupportedError for floats.
/// Source  this library; Lanczos by Spectra.
[[nodiscard]] TopEigenvalues top_eigenvalues(NetworkModel const& model, std::vector<std::vector<double>> const& inputs,
                                             std::vector<double> const& factors, TwoValues const& targets,
                                             std::uint64_t samples, std::uint64_t seed, RunControl const& control = {});
/// The same of networks of any wiring without biases, label factors those of the edges.
/// Errors  also UnsupportedError for two matrices of different factors that lead into one node.
[[nodiscard]] TopEigenvalues top_eigenvalues(GraphModel const& model, std::vector<std::vector<double>> const& inputs,
                                             TwoValues const& targets, std::uint64_t samples, std::uint64_t seed,
                                             RunControl const& control = {});

}  // namespace isserlis::monte_carlo
