// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/train/maximal_rate.hpp>
#include <isserlis/train/rate_sweep.hpp>
#include <isserlis/train/sharpness.hpp>
#include <isserlis/train/state.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace isserlis::train {

/// The trials of searches that are not finished, one list for each network, as text and back; `fingerprint` is of all
/// that the searches depend on.
///
/// Errors  those of parse_record; ParseError for rows that are no trials.
[[nodiscard]] std::string trials_text(std::vector<std::vector<RateTrial>> const& networks, std::uint64_t fingerprint);
[[nodiscard]] std::vector<std::vector<RateTrial>> parse_trials(std::string_view text, std::uint64_t fingerprint,
                                                               std::string const& place);

/// The finished cells of a sweep, likewise.
[[nodiscard]] std::string cells_text(std::vector<SweepCell> const& cells, std::uint64_t fingerprint);
[[nodiscard]] std::vector<SweepCell> parse_cells(std::string_view text, std::uint64_t fingerprint,
                                                 std::string const& place);

/// A run whose sharpness is measured at every row of its history.
struct MeasuredRun {
    TrainingState<double> state;
    std::vector<Sharpness> sharpness;  ///< one for each row
};

/// The run so far, likewise; `architecture` is what the state has to fit.
[[nodiscard]] std::string measured_text(MeasuredRun const& run, std::uint64_t fingerprint);
[[nodiscard]] MeasuredRun parse_measured(std::string_view text, std::uint64_t fingerprint,
                                         mlp::Architecture const& architecture, std::string const& place);

}  // namespace isserlis::train
