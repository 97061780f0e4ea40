// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/value.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace isserlis::errata {

/// A row of an answer.
struct Row {
    std::string name;
    std::vector<std::string> index = {};
};

/// The rows of an answer as exact numbers or formulas.
using Rows = std::function<RationalFunction(std::string const& name, std::vector<std::string> const& index)>;

/// A side of a comparison: an expression in the rows of the two questions.
using Side = std::function<Value(Rows const& here, Rows const& there)>;

/// What a source says of the true value, beside the one that it prints.
enum class Claim {
    equal,
    at_least,  ///< the printed value is a lower bound
    at_most,   ///< an upper one
    about,     ///< to leading order: within a tenth
};

/// A printed formula at work, beside what holds.
struct Case {
    std::string asked = {};  ///< the question that has the true value, such as "norm 2,4,2 layer=2"; empty for none
    Row row = {};            ///< its row that is the true value
    Claim claim = Claim::equal;
    Side printed = {};         ///< the formula as printed
    Row printed_row = {};      ///< in its place a row of the command, of `printed`
    std::string against = {};  ///< another question, whose rows the printed formula takes
    Side correct = {};         ///< the true value, where it is not one row
};

/// An entry of docs/errata.md.
struct Item {
    std::string ids;        ///< "R24", "H6, H7", "I3 to I7"
    std::string statement;  ///< the heading of the entry: where it is printed, what it is about
    std::string verdict;    ///< wrong, misprint, slip, unproved, weak, right; "wrong, unused"
    std::string printed;
    std::string correct;
    std::vector<Case> cases = {};
    std::string words = {};  ///< why there are no cases, where words are all there is to set side by side
};

/// All entries, in the order of the page.
[[nodiscard]] std::vector<Item> const& items();

/// The entry of an identifier such as "R24", or null.
[[nodiscard]] Item const* find_item(std::string_view id);

}  // namespace isserlis::errata
