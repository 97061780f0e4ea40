// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace isserlis::quantity {

/// A row of a command that `expect` gives too, by strands.
struct StrandTwin {
    std::string name;
    std::vector<std::string> index;
    std::string expected;  ///< the question to expect, without the command's name
};

/// A question about a small network, by which quantities of its command are verified.
struct VerifiedLine {
    std::string asked;
    std::vector<StrandTwin> twins = {};
};

/// Lines that together have every quantity of `list` but those of `unverified`; of two lines with a quantity the first.
[[nodiscard]] std::vector<VerifiedLine> const& verified_lines();

/// Why a quantity has no line; null where it has one.
[[nodiscard]] char const* why_unverified(std::string const& command, std::string const& name);

}  // namespace isserlis::quantity
