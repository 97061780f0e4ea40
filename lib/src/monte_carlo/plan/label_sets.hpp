// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <isserlis/mlp/graph_network.hpp>
#include <isserlis/observable/observable.hpp>
#include <list>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace isserlis::monte_carlo::detail {

/// Throws DomainError that blames the query.
[[noreturn]] void refuse_query(std::string const& why);

/// Weights that a label runs over: all of some edges.
struct LabelSet {
    std::vector<char> edges;           ///< 1 for a weight edge of the set
    std::size_t size = 0;              ///< weights
    std::vector<std::size_t> weights;  ///< once they are asked for
};

/// The edges whose weights are summed over, and what each is multiplied by; none with a factor of 0. The same of nodes
/// whose biases are.
struct EdgeFactors {
    std::vector<std::pair<std::size_t, double>> edges;
    std::vector<std::pair<std::size_t, double>> biased_nodes;
    bool positive_side_alone = false;  ///< of P and N, over P

    friend bool operator==(EdgeFactors const&, EdgeFactors const&) = default;
};

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
    using Set = LabelSet const*;

    explicit LabelSets(mlp::GraphLayout const& layout, bool p_alone = false);
    LabelSets(LabelSets const&) = delete;  // sets are known by their addresses
    LabelSets& operator=(LabelSets const&) = delete;

    /// Those of the next query, in place of the last one's.
    void restrict(std::vector<LabelRestriction> const& restrictions);
    [[nodiscard]] Set of(std::string const& label) const;
    [[nodiscard]] std::vector<std::size_t> const& weights(Set set);
    /// Does the label run over biases too? Those without a restriction do, where the graph gives biases label factors.
    [[nodiscard]] bool runs_over_biases(Set set, Graph<double, std::uint64_t> const& flat) const;
    /// With the label factors of the graph.
    [[nodiscard]] EdgeFactors factors(Set set, Graph<double, std::uint64_t> const& flat) const;

private:
    Set add(std::vector<char> edges);

    mlp::GraphLayout const* layout_;
    bool p_alone_;
    std::list<LabelSet> sets_;
    std::map<std::string, Set> restricted_;
    Set all_;
};

}  // namespace isserlis::monte_carlo::detail
