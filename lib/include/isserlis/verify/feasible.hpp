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

/// Refuses threads whose numbers together would not fit the memory of this machine, whatever the control says.
///
/// Law     none.
/// Errors  UnsupportedError with the number of threads that fits, if any.
/// Source  this library
void require_memory(double numbers_per_thread, monte_carlo::RunControl const& control);

/// Both, of a sampler that knows its own.
template <class Sampler>
void require_feasible_sampler(Sampler const& sampler, std::uint64_t samples, monte_carlo::RunControl const& control) {
    require_feasible(sampler.work_per_sample(), samples, control);
    require_memory(sampler.numbers_per_thread(), control);
}

}  // namespace isserlis
