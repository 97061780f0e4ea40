// SPDX-License-Identifier: MIT
#include "question/parameter_name.hpp"

#include <algorithm>
#include <cctype>
#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>
#include <optional>

namespace isserlis::quantity {
namespace {

std::string in_lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

bool is_one_of(std::string const& name, std::initializer_list<char const*> words) {
    return std::any_of(words.begin(), words.end(), [&](char const* word) { return name == word; });
}

/// "z1", "z_i", "zz": a z, h or y and what nobody would call a parameter.
bool looks_like_variable(std::string const& lower) {
    if (lower.size() < 2 || std::string("zhy").find(lower[0]) == std::string::npos) return false;
    bool const digits = std::all_of(lower.begin() + 1, lower.end(), [](unsigned char c) { return std::isdigit(c); });
    return digits || lower[1] == '_' || lower == std::string(lower.size(), lower[0]);
}

/// What to write in place of a name; none when it is a parameter like any other.
std::optional<std::string> meant_by(std::string const& name) {
    std::string const lower = in_lower_case(name);
    if (lower == "x") return "the input is node 0: write z{0}[i] for its coordinates, and z for the output";
    if (is_one_of(lower, {"z", "h", "y", "loss", "where", "in", "var", "cov"})) {
        std::string const word = lower == "var" ? "Var[..]" : lower == "cov" ? "Cov[.., ..]" : lower;
        return "case matters: write " + word;
    }
    if (lower == "d") return "case matters: derivatives are written D[m] z";
    if (looks_like_variable(lower)) {
        std::string const variable(1, lower[0]);
        return "write " + variable + "[1] or " + variable + "[i] for neurons" +
               (lower[0] == 'y' ? "" : ", " + variable + "{1}[i] for those of layer 1") + ", and " + variable +
               "^2 for products";
    }
    if (lower == "sum" || lower.starts_with("sum_"))
        return "letters that occur twice are summed by themselves: leave '" + name + "' out, as in z[i]^2";
    return std::nullopt;
}

}  // namespace

void check_parameter(std::string const& name) {
    if (auto const meant = meant_by(name)) {
        throw ParseError("`query`: '" + printable(name) + "' is no part of the language; " + *meant +
                             " (a parameter of that name takes a value by `set`)",
                         "query");
    }
    try {
        check_symbol(name, "query");
    } catch (ParseError const&) {
        throw ParseError(
            "`query`: '" + printable(name) +
                "' is no parameter: it means something else to computer algebra systems, and `query` has no "
                "functions but E[..], Var[..] and Cov[..]; rename it if a parameter is meant",
            "query");
    }
}

}  // namespace isserlis::quantity
