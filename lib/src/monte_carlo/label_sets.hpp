// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <isserlis/mlp/graph_network.hpp>
#include <isserlis/observable/observable.hpp>
#include <list>
#include <map>
#include <string>
#include <vector>

namespace isserlis::monte_carlo::detail {

/// Throws DomainError that blames the query.
[[noreturn]] void refuse_query(std::string const& why);

/// The weights that each label of a query runs over.
///
/// Law     none.
/// Shape   ascending places in the layout; equal sets are one set. A place is all weight edges that names_edge finds, a
///         range all from the first at its first place to the last at its last, in the order of the graph; with P and N
///         the entries of both, or of P alone. A label without restriction runs over all weights.
/// Units   none.
/// Errors  DomainError for a place without weights, an empty range, or a label that is restricted twice.
/// Source  this library
class LabelSets {
public:
    using Set = std::vector<std::size_t> const*;

    LabelSets(mlp::GraphLayout const& layout, std::vector<LabelRestriction> const& restrictions, bool p_alone = false);
    LabelSets(LabelSets const&) = delete;  // sets are known by their addresses
    LabelSets& operator=(LabelSets const&) = delete;

    [[nodiscard]] Set of(std::string const& label) const;

private:
    Set add(mlp::GraphLayout const& layout, std::vector<char> const& edges);

    bool p_alone_;
    std::list<std::vector<std::size_t>> sets_;
    std::map<std::string, Set> restricted_;
    Set all_;
};

}  // namespace isserlis::monte_carlo::detail
