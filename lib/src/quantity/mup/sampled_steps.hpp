// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/batch_step_sampler.hpp>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/report/answer.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "quantity/wired/wired.hpp"
#include "question/model.hpp"

namespace isserlis::quantity {

/// How many weights a network has.
[[nodiscard]] double network_weights(NumericModel const& model);

/// Errors  UnsupportedError for more than this machine draws in a while.
void require_sampled_steps(NumericModel const& model, double passes, Session const& session);

/// In drawn weights, the work of one Hessian of the mean loss over samples, or over a batch, as a matrix.
[[nodiscard]] double work_of_a_hessian(NumericModel const& model, StepSamples<Surd> const& samples);

/// One step on samples, by the name of the node; empty without `check`.
/// Errors  as `require_sampled_steps`.
[[nodiscard]] std::map<std::string, monte_carlo::BatchStepEstimates> sampled_batch_steps(
    NumericModel const& model, StepSamples<Surd> const& samples, Session const& session);

/// E y_i^2 of each output.
[[nodiscard]] double target_of(NumericModel const& model);

/// The root of a sampled square.
[[nodiscard]] monte_carlo::Estimate root_of(monte_carlo::Estimate const& square);

/// factor over a sampled number; none where that is not above 0.
[[nodiscard]] std::optional<monte_carlo::Estimate> inverse_of(monte_carlo::Estimate const& x, double factor = 1);

/// What is sampled, with its error, and how far it is to be relied on.
[[nodiscard]] Value sampled_value(monte_carlo::TailedEstimate const& x);

/// A row that is exact, or sampled, or neither, and its check. `largest_share` is what one network has in the sample
/// variance, `of_change` the check of the change that this is with (quantity/derived_check), `size` that of numbers which
/// cancel in it (verify/cancellation).
std::optional<Check> add_known(std::string const& name, std::vector<std::string> const& index,
                               std::optional<Value> const& exact, std::optional<monte_carlo::Estimate> const& sampled,
                               Answer& answer, double largest_share = 0, std::optional<Check> const& of_change = {},
                               double size = 0);

}  // namespace isserlis::quantity
