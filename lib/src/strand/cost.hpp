// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/strand/bundle.hpp>

#include <cstddef>

namespace isserlis {

/// Edges into one node.
struct Sources {
    std::size_t weights = 1;  ///< matrices and biases, by which strands leave in pairs
    std::size_t skips = 0;    ///< by which each leaves on its own
};

/// In how many ways strands leave a node by its edges: the pairings where one matrix leads into it.
/// Errors  none.
[[nodiscard]] double ways_through_node(std::size_t strands, Sources const& sources);

/// About how many ways through a layer the recursion will try: states before a layer, up to the bundle's symmetries,
/// times the ways through the node that has the most, times the places of labels. Few strands cost nothing unless a node
/// has many sources.
/// Errors  none.
[[nodiscard]] double steps_through_layer(Bundle const& bundle, Sources const& sources);

/// About how many states the recursion will meet, before symmetries: what the strands share in a layer, times what the
/// outputs shared that are also the ends of Jacobians, which is remembered down to the input.
/// Errors  none.
[[nodiscard]] double states_of_layer(Bundle const& bundle);

/// Ways through nodes that may still be tried, counted as they are.
class PathBudget {
public:
    explicit PathBudget(double most) : most_(most), left_(most) {}
    /// Errors  UnsupportedError for one more than the budget.
    void spend() {
        if (--left_ < 0) refuse();
    }

private:
    [[noreturn]] void refuse() const;
    double most_;
    double left_;
};

}  // namespace isserlis
