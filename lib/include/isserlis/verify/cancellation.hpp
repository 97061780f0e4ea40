// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/monte_carlo/observable_sampler.hpp>
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/monte_carlo/trace_sampler.hpp>
#include <isserlis/observable/statistic.hpp>
#include <isserlis/verify/check.hpp>

#include <cstdint>
#include <vector>

namespace isserlis {

/// The check of a number in which numbers of this size cancel: what is up to 1e-12 of them away from the exact value is equal to it
/// but for rounding, and agrees, with z = 0. Where that is more than a tenth of a value other than 0, nothing is told. What
/// agrees already is left alone.
[[nodiscard]] Check up_to_rounding(Check check, double exact, double size);

/// Is it off, so that it is worth while to ask for the size: does it disagree, or by a sample that proves nothing?
[[nodiscard]] bool is_off(Check const& check);

/// The root mean square of what was sampled.
[[nodiscard]] double size_of(monte_carlo::Estimate const& sampled);

/// The same question where nothing cancels: a plus for every minus, absolute values of all numbers that are given, Gaussian
/// matrices for orthogonal ones. Its values have the size of what cancels in the other.
[[nodiscard]] Query uncancelled(Query query);
[[nodiscard]] StatisticQuery uncancelled(StatisticQuery query);
[[nodiscard]] TraceExpression uncancelled(TraceExpression expression);
[[nodiscard]] monte_carlo::GraphModel uncancelled(monte_carlo::GraphModel model);
[[nodiscard]] monte_carlo::ObservableSettings uncancelled(monte_carlo::ObservableSettings settings);
[[nodiscard]] monte_carlo::TraceModel uncancelled(monte_carlo::TraceModel model);
[[nodiscard]] std::vector<std::vector<double>> uncancelled(std::vector<std::vector<double>> vectors);

/// Samples that show a size, and how they are run: every process that shares the work does all of them.
inline constexpr std::uint64_t samples_of_size = 30;
[[nodiscard]] monte_carlo::RunControl control_of_size(monte_carlo::RunControl control);

}  // namespace isserlis
