// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace isserlis::quantity {

/// One line of a measured coordinate check.
struct MeasuredRow {
    std::size_t line = 0;     ///< in the file, from 1
    std::uint64_t layer = 0;  ///< from 1
    std::uint64_t width = 0;
    std::string quantity = "preactivation";  ///< or change, updated
    std::string statistic = "mean";          ///< or rms
    double value = 0;
    std::uint64_t samples = 1;        ///< independent coordinates behind the value
    std::optional<double> std_error;  ///< of the value, when the file says so
};

/// A CSV file with a header: layer, width and value; quantity, statistic, samples and std_error if there.
/// Errors  ParseError and DomainError naming file, line and column.
[[nodiscard]] std::vector<MeasuredRow> read_measured_file(std::string const& path);

}  // namespace isserlis::quantity
