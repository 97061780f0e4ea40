// SPDX-License-Identifier: MIT
#include "quantity/hessian/eigenvalue_check.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/monte_carlo/top_eigenvalue.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/norms.hpp>

#include <isserlis/model/sampling_model.hpp>

namespace isserlis::quantity {
namespace {

/// Weights drawn in the time of one eigenvalue, over the weights: at one input, where layers act in few directions, and
/// for each of several.
constexpr double work_at_one_input = 40;
constexpr double work_of_each_input = 100;

}  // namespace

EigenvalueChecks eigenvalue_checks(NumericModel const& model, std::vector<std::vector<double>> const& inputs,
                                   double square, double dead, double target_mean, Session const& session,
                                   Answer& answer) {
    EigenvalueChecks out;
    if (!session.samples) return out;
    if (model.precision == monte_carlo::Precision::float32) {
        out.why = "; eigenvalues are sampled in double alone";
        return out;
    }
    double weights = 0;
    for (auto const& run : model.net().layers)
        weights += to_double(Surd(run.fan_in * run.fan_out)) * static_cast<double>(run.count);
    double const products =
        inputs.size() <= 1 ? work_at_one_input : work_of_each_input * static_cast<double>(inputs.size());
    if (weights * products * static_cast<double>(*session.samples) > max_check_work) {
        out.why = "; too many weights for the eigenvalues of so many networks";
        return out;
    }
    NumericModel plain = model;
    if (!inputs.empty()) {
        plain.input.clear();  // whose place the inputs take
        plain.squared_norm = Surd(1);
    }
    auto const network = sampling_model(plain);
    auto const factors = sampling_factors(model);
    auto const used = inputs.empty() ? std::vector<std::vector<double>>{network.input} : inputs;
    double const outputs = static_cast<double>(network.widths.back());
    auto const tops =
        monte_carlo::top_eigenvalues(network, used, factors, {to_double(model.target_second) / outputs, target_mean},
                                     *session.samples, session.seed, session.run_control());
    double const upper = std::sqrt(square);
    out.squared_norm = tops.squared_norm;
    out.upper = compare_with_upper_bound(upper, tops.modulus.mean, tops.modulus.std_error, *session.samples);
    if (tops.reciprocal.samples < 2) {
        out.why = "; every sampled Hessian is 0";
        return out;
    }
    // Given that H is not 0, E 1/|lambda| >= 1/E(|lambda| | H != 0) = P(H != 0)/E|lambda|.
    out.lower = compare_with_lower_bound(2 * (1 - dead) / upper, tops.reciprocal.mean, tops.reciprocal.std_error,
                                         tops.reciprocal.samples);
    answer.warn(
        std::string(
            "checks of bounds: sampled is the mean of |lambda_1| and of 2/|lambda_1| by Lanczos, with targets ") +
        (target_mean == 0 ? "of random signs and equal sizes" : "as far above their mean as below it") +
        ", and a check fails when it is on the wrong side");
    if (dead > 0) {
        answer.warn("2/|lambda_1| is infinite for dead networks: its sampled mean is over the " +
                    std::to_string(tops.reciprocal.samples) + " of " + std::to_string(*session.samples) +
                    " networks with a Hessian that is not 0, beside (1 - dead_probability) times the bound");
    }
    return out;
}

}  // namespace isserlis::quantity
