// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/parse.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace isserlis::quantity {

/// Vectors, matrices and inputs given to a query by a file (`with`); formulas not yet evaluated. docs/observables.md
/// has the format.
struct WithFile {
    std::vector<std::string> input_names;          ///< what @ calls the inputs
    std::vector<std::vector<Expression>> vectors;  ///< one for each input, or none
    std::vector<std::vector<Expression>> gram;     ///< in place of vectors
    std::vector<std::vector<Expression>> targets;  ///< Gram matrix of one target for each input
    std::map<std::string, std::vector<std::vector<Expression>>> constants;  ///< one row for a vector
    std::set<std::string> matrices;                                         ///< which of the constants are matrices

    [[nodiscard]] bool is_matrix(std::string const& constant) const { return matrices.count(constant) != 0; }

    [[nodiscard]] std::set<std::string> symbols() const;
};

/// What a file of `with` is for: constants of an observable, samples with targets, or samples of
/// which the targets may be there and are not asked for.
enum class WithUse { observable, samples, inputs };

/// Errors  ParseError naming the file and the entry.
[[nodiscard]] WithFile read_with_file(std::string const& path, WithUse use = WithUse::observable);

}  // namespace isserlis::quantity
