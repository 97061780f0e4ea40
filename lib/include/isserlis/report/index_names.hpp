// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <string>
#include <vector>

namespace isserlis {

/// What the parts of the index of a result are called, where the question may have given it others than its quantity
/// mostly has: swept symbols and "network" before them, "sample" twice for pairs, "power" behind them for a series.
[[nodiscard]] std::vector<std::string> index_names(Answer const& answer, Result const& result);

/// Parts with what they are called: "layer 1, matrix 2", and together what follows one another under one name:
/// "samples 1,2".
[[nodiscard]] std::string index_text(std::vector<std::string> const& names, std::vector<std::string> const& values);

/// The whole index: "n = 16, layer 2".
[[nodiscard]] std::string index_text(Answer const& answer, Result const& result);

}  // namespace isserlis
