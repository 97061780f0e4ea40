// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/question/question.hpp>
#include <isserlis/ring/parse.hpp>

#include <optional>
#include <string>
#include <vector>

namespace isserlis::quantity {

/// "z^4 = 12*(n + 5)/n" of a network: a mean that is asked for, and the formula that it is said to be.
struct ClaimText {
    std::string typed;
    std::string left;  ///< an observable, or a quantity with its index
    Expression formula;
    std::string quantity = {};  ///< of `list`; empty for an observable
    std::vector<Expression> index = {};
    Question asked = {};     ///< what gives the left side
    std::string place = {};  ///< "'FILE', line 3: " of a claim in a file
};

/// The claim about the network and with the parameters of `given`, whose words are the claim and the widths.
/// Errors  ParseError for what is no claim.
[[nodiscard]] ClaimText read_claim(Question const& given);

/// The claims of a file, one a line as on a command line; # begins a comment. The parameters of `given` hold for all.
/// Errors  ParseError naming the line.
[[nodiscard]] std::vector<ClaimText> read_claims(std::string const& path, Question const& given);

/// The symbols of the network, which are counts, and of its parameters, which are positive numbers.
struct ClaimSymbols {
    std::vector<std::string> counts;
    std::vector<std::string> numbers;
};

/// Errors  ParseError for a formula with a symbol that the network has not; those of `read_with_file`.
[[nodiscard]] ClaimSymbols symbols_of(ClaimText const& claim, std::vector<std::string> const& bound);

}  // namespace isserlis::quantity
