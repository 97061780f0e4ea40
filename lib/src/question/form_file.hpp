// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/parse.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace isserlis::quantity {

/// The vectors, matrices and indices of one quadratic or quartic form; formulas not yet evaluated.
/// docs/formulas/quadratic_forms.md has the format.
struct FormFile {
    std::map<std::string, std::vector<Expression>> vectors;                ///< x, y, z, w, v
    std::map<std::string, std::vector<std::vector<Expression>>> matrices;  ///< P, C, D
    std::map<std::string, std::string> indices;                            ///< i, j, as written

    [[nodiscard]] std::set<std::string> symbols() const;
};

/// Errors  ParseError naming the file and the entry.
[[nodiscard]] FormFile read_form_file(std::string const& path);

}  // namespace isserlis::quantity
