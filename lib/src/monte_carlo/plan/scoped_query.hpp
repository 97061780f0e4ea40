// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/observable/observable.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace isserlis::monte_carlo::detail {

struct ScopedSum;

/// Where an output, a target or a constant is taken: along an axis, at a fixed neuron, or at the only one (neither).
struct Place {
    std::string axis;
    std::uint64_t fixed = 0;
};

/// One factor of a term, to a power.
struct ScopedFactor {
    enum class Kind { output, target, constant, entry, bracket };
    Kind kind = Kind::bracket;
    unsigned power = 1;
    bool activated = false;
    std::string name;     ///< node of an output or a Jacobian, place of a matrix, or constant
    bool matrix = false;  ///< an entry is one of a matrix of weights, not of a Jacobian
    std::string input;
    std::vector<Place> places;
    std::vector<std::string> labels;
    std::shared_ptr<ScopedSum const> bracket;
};

/// coefficient * the sum over the axes `summed` of the product of the factors.
struct ScopedTerm {
    double coefficient = 1;
    std::vector<ScopedFactor> factors;
    std::vector<std::string> summed;
};

/// A sum of terms that are all tensors over the same free axes.
struct ScopedSum {
    std::vector<std::string> free;  ///< sorted
    std::vector<ScopedTerm> terms;
};

/// The letter or label as written, of an axis that may have been renamed.
[[nodiscard]] std::string written(std::string const& axis);

/// Calls an axis by another name, wherever the factor has it.
void rename(ScopedFactor& factor, std::string const& from, std::string const& to);

/// The observable with every letter and label tied to the term that sums it, derivatives and losses written out.
///
/// Law     none: the scope rule of Observable, term by term. A bracket whose terms have different free letters is
///         multiplied out; an axis summed by a term has a name of its own, letter#number.
/// Shape   no free axes.
/// Errors  DomainError for a letter that is left alone or a parameter without a value; UnsupportedError for brackets
///         that multiply out to more than 4096 terms.
[[nodiscard]] ScopedSum scoped(Observable const& observable, std::map<std::string, double> const& parameters);

}  // namespace isserlis::monte_carlo::detail
