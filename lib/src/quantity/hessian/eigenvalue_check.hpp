// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/verify/check.hpp>

#include <optional>
#include <string>
#include <vector>

#include "question/model.hpp"

namespace isserlis::quantity {

/// Sampled top eigenvalues beside the bounds that a squared norm of the Hessian gives.
struct EigenvalueChecks {
    std::optional<Check> upper;                         ///< E|lambda_1|
    std::optional<Check> lower;                         ///< E 2/|lambda_1| over networks with a Hessian that is not 0
    std::optional<monte_carlo::Estimate> squared_norm;  ///< E|H|_F^2, sampled
    std::string why;                                    ///< there is none
};

/// `square` bounds E|H|_F^2 of the mean loss over `inputs`, or over the model's own input if there are none; `dead` is
/// the probability that the network is dead at one input, `target_mean` E y_i of each output. No checks without `check`, and a reason for too many weights.
[[nodiscard]] EigenvalueChecks eigenvalue_checks(NumericModel const& model,
                                                 std::vector<std::vector<double>> const& inputs, double square,
                                                 double dead, double target_mean, Session const& session,
                                                 Answer& answer);

}  // namespace isserlis::quantity
