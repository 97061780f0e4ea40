// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/monte_carlo/observable_sampler.hpp>
#include <isserlis/monte_carlo/typical_size.hpp>
#include <isserlis/strand/setting.hpp>
#include <isserlis/verify/check.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "question/model.hpp"

namespace isserlis::quantity {

/// The checks of one matrix or of the output, and why those are missing that are.
struct JacobianChecks {
    std::optional<Check> mean;
    std::optional<Check> second;
    std::optional<Check> gradient;
    std::string no_mean;
    std::string no_second;
    std::string no_gradient;
};

/// Exact values to be checked.
struct JacobianValues {
    double mean = 0;      ///< E||J||^2
    double second = 0;    ///< E||J||^4
    double gradient = 0;  ///< E|d loss/dW|^2
};

/// The network behind one more matrix of unit variance, called `input_weights`, on a one-dimensional input of 1: the
/// Jacobian by that matrix is dy/dx at a Gaussian x, whose law is that at any x.
inline constexpr char const* input_weights = "input";
[[nodiscard]] NumericModel behind_one_matrix(NumericModel const& model);

/// A dense network whose W^k is one matrix k.s for each layer s that it reads.
[[nodiscard]] NumericModel by_blocks(NumericModel const& model, unsigned first_source);

/// Sampled networks beside the exact values, always with the exact standard error: the tails of Jacobians are so heavy
/// that a sampled one says nothing. That of a mean is known; those of the others come from the strand engine, or there
/// is no check.
class JacobianSampling {
public:
    /// Errors  UnsupportedError for networks too large to be sampled.
    JacobianSampling(NumericModel const& model, Wiring wiring, Session const& session, Answer& answer);

    /// Errors  UnsupportedError when the checks of so many matrices like the one at `index` take too long together.
    void require_feasible(std::vector<std::string> const& index, std::size_t matrices) const;
    /// Mean logarithms and quantiles of ||J||^2 of each of these matrices and, where the head is linear, of |d loss/dW|^2
    /// after it, of targets drawn for each network: plus or minus one size in each output.
    [[nodiscard]] std::vector<monte_carlo::TypicalSize> typical_sizes(
        std::vector<std::vector<std::string>> const& indices, std::vector<double> const& shares) const;
    /// Samples what `network` and `matrix` take for these matrices, all on the same networks.
    void sample(std::vector<std::vector<std::string>> const& indices);

    /// The matrix at `index`, k or k and k'.
    [[nodiscard]] JacobianChecks matrix(std::vector<std::string> const& index, JacobianValues const& exact) const;
    /// Mean and second moment of ||J||^2 by the weights called `weights`.
    [[nodiscard]] JacobianChecks norm(std::string const& weights, double mean, double second) const;
    /// The mean of ||J||^2 by the part P of the matrix at `index`, whose second moment gives the standard error.
    [[nodiscard]] JacobianChecks positive_part(std::vector<std::string> const& index, double mean, double second) const;
    /// Mean and second moment of |y^L|^2.
    [[nodiscard]] JacobianChecks network(double mean, double second) const;
    /// A check, or the reason why there is none.
    struct Sampled {
        std::optional<Check> check;
        std::string why;
    };
    /// E tr((J J^T)^power) of J = dy/dx.
    [[nodiscard]] Sampled spectral(unsigned power, double exact) const;

private:
    /// Refuses to sample what even its exact standard error is larger than. `second` = E X^2.
    [[nodiscard]] Sampled check(std::string const& query, double exact, double second) const;
    /// With the standard error from the strand engine, where it reaches E X^2.
    [[nodiscard]] Sampled check(std::string const& query, double exact) const;

    [[nodiscard]] monte_carlo::Estimate estimate(std::string const& query) const;
    [[nodiscard]] std::string gradient_query(std::vector<std::string> const& index) const;
    /// What queries call the matrix at `index`.
    [[nodiscard]] std::string weights(std::vector<std::string> const& index) const;
    [[nodiscard]] JacobianChecks of_norm(std::string const& norm, std::string const& where, double mean,
                                         double second) const;

    NumericModel model_;
    Session const& session_;
    monte_carlo::GraphModel graph_;
    monte_carlo::ObservableSettings settings_;
    ObservableSetting<Surd> setting_;
    std::map<std::string, monte_carlo::Estimate> estimates_;  ///< by query
    bool residual_;
    std::string output_;  ///< h behind a gated head, z otherwise
};

}  // namespace isserlis::quantity
