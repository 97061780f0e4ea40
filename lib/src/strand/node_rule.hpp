// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/strand/bundle.hpp>
#include <isserlis/words/weingarten.hpp>

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "strand/cost.hpp"
#include "strand/state.hpp"

namespace isserlis {

/// What the combinatorics of one node depend on, whatever its width and variances.
struct NodeShape {
    struct Edge {
        unsigned from = 0;
        bool skip = false;
        bool bias = false;          ///< of no node: what takes it is over
        bool orthogonal = false;    ///< rows and columns are paired each on their own
        unsigned cumulants = 0;     ///< how many even cumulants beyond the variance are not 0: 0, 1 (fourth) or 2
        std::uint16_t labels = 0;   ///< bit l: label l may sit here
        std::uint16_t entries = 0;  ///< bit s: strand s is an entry of this matrix
        friend auto operator<=>(Edge const&, Edge const&) = default;
    };
    unsigned node = 1;
    bool concatenation = false;
    bool gated = false;
    bool constants = false;          ///< the bundle's constants are contracted here
    std::uint16_t preactivated = 0;  ///< bit s: strand s starts here before the activation
    std::uint16_t labels_below = 0;  ///< bit l: label l may still sit further down
    std::uint16_t starts_here = 0;   ///< bit s: strand s starts here
    std::vector<Edge> edges;         ///< into the node; its bias is the last one
    std::string name;                ///< for messages; not compared

    [[nodiscard]] auto key() const {
        return std::tie(node, concatenation, gated, constants, preactivated, labels_below, starts_here, edges);
    }
    friend bool operator<(NodeShape const& a, NodeShape const& b) { return a.key() < b.key(); }
};

/// One product of what a node's width, gate and weights contribute.
struct NodeFactor {
    struct EdgePowers {
        std::uint8_t variance = 0;
        std::uint8_t fourth = 0;  ///< stages of four, a fourth cumulant each
        std::uint8_t sixth = 0;
        std::uint8_t labels = 0;
        /// Of an orthogonal matrix in which `variance` pairs meet: 1 + the place of the coset type of rows and columns in
        /// `all_partitions`.
        std::uint8_t coset_type = 0;
        std::uint8_t ends = 0;  ///< neurons of the source that entries of this matrix end on, and nothing else knows of
        friend auto operator<=>(EdgePowers const&, EdgePowers const&) = default;
    };
    /// One for each strand at most, kept without an allocation: the paths through a node are many.
    using Groups = boost::container::small_vector<std::uint8_t, max_strands>;

    boost::container::small_vector<EdgePowers, 2> edges;
    /// How many strands pass the gate in each group of equal neurons: groups that are summed, and fixed ones. Without a
    /// gate all zeros.
    Groups summed;
    Groups fixed;
    /// The group of each letter, where constants are contracted; then `summed` counts nothing.
    Groups letters;
    static constexpr std::uint8_t elsewhere = 255;  ///< in `letters`: the neuron of strands at another node

    friend bool operator<(NodeFactor const& a, NodeFactor const& b) {
        auto const order = [](auto const& x, auto const& y) {  // bytes, compared at once
            return std::lexicographical_compare_three_way(x.data(), x.data() + x.size(), y.data(), y.data() + y.size());
        };
        if (auto const of_edges = order(a.edges, b.edges); of_edges != 0) return of_edges < 0;
        if (auto const of_summed = order(a.summed, b.summed); of_summed != 0) return of_summed < 0;
        if (auto const of_fixed = order(a.fixed, b.fixed); of_fixed != 0) return of_fixed < 0;
        return order(a.letters, b.letters) < 0;
    }
};

/// All ways of the strands through a node: from each state above to states below, with their factors.
///
/// Law     weights independent and symmetric; gates fair coins of the rows; the recursion of docs/strands.md.
/// Errors  UnsupportedError when a gated row is visited an odd number of times, naming node and strand, and beyond the
///         budget.
class NodeRule {
public:
    struct Transition {
        unsigned to;
        unsigned entry;  ///< index into `entries`
    };
    /// A sum of factors with multiplicities.
    using Entry = std::vector<std::pair<unsigned, std::uint64_t>>;

    NodeRule(NodeShape shape, Bundle const& bundle, StateTable& states, PathBudget& budget);

    /// Which of the equal nodes is being passed, for messages.
    void set_name(std::string name) { shape_.name = std::move(name); }
    /// Ways out of a state, worked out when first asked for.
    [[nodiscard]] std::vector<Transition> const& from(unsigned state);
    [[nodiscard]] std::vector<Entry> const& entries() const { return entries_; }
    [[nodiscard]] std::vector<NodeFactor> const& factors() const { return factors_; }
    [[nodiscard]] NodeShape const& shape() const { return shape_; }
    [[nodiscard]] std::size_t transition_count() const;
    /// The most pairs of strands that met in one orthogonal matrix.
    [[nodiscard]] std::size_t orthogonal_pairs() const;

private:
    friend class NodePaths;
    /// All pairings of so many pairs, and 1 + the place of each coset type.
    struct Pairings {
        std::vector<words::Pairing> all;
        std::map<words::Partition, std::uint8_t> place;
    };
    [[nodiscard]] Pairings const& pairings_of(unsigned pairs);

    NodeShape shape_;
    Bundle const& bundle_;
    StateTable& states_;
    PathBudget& budget_;
    std::map<NodeFactor, unsigned> factor_numbers_;
    std::vector<NodeFactor> factors_;
    std::map<Entry, unsigned> entry_numbers_;
    std::vector<Entry> entries_;
    std::vector<std::optional<std::vector<Transition>>> rows_;
    std::map<unsigned, Pairings> pairings_;
};

}  // namespace isserlis
