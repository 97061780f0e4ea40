// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/quantities.hpp>

#include <map>
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

/// What a command tells of its results: all that `list`, `explain`, the documentation and `verify` know of them.
struct QuantityRows {
    char const* command;
    std::vector<Quantity> quantities = {};
    std::vector<VerifiedLine> verified = {};             ///< every quantity is in one, but those of `unverified`
    std::map<std::string, char const*> unverified = {};  ///< why a quantity is in none; all of them under ""
};

[[nodiscard]] std::vector<QuantityRows> const& all_quantity_rows();

/// Why a quantity is in no line; null where it is in one.
[[nodiscard]] char const* why_unverified(Quantity const& quantity);

}  // namespace isserlis::quantity
