// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/monte_carlo/run.hpp>

namespace isserlis {

/// Most work of a check that is not asked for expressly, in drawn weights: some minutes of one core.
inline constexpr double max_check_work = 1e11;

/// Weights that a core draws in a second, about.
inline constexpr double weights_per_second = 2.5e8;

/// Refuses a run that would take above some minutes, unless the control says to run whatever it takes.
///
/// Law     none. `work_per_sample` is the number of weights that are drawn in the time of one sample.
/// Errors  UnsupportedError with the number of samples that fits a minute of the control's threads.
/// Source  this library
void require_feasible(double work_per_sample, std::uint64_t samples, monte_carlo::RunControl const& control = {});

}  // namespace isserlis
