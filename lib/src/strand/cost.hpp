// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/strand/bundle.hpp>

#include <cstddef>

namespace isserlis {

/// About how many ways through a layer the recursion will try: states before a layer, up to the bundle's symmetries,
/// times pairings in it, times the places of labels, times the sources that each strand may come from where a node has
/// several (`sources`, the most). Bundles of few strands cost nothing.
/// Errors  none.
[[nodiscard]] double steps_through_layer(Bundle const& bundle, std::size_t sources);

/// About how many states the recursion will meet, before symmetries: what the strands share in a layer, times what the
/// outputs shared that are also the ends of Jacobians, which is remembered down to the input.
/// Errors  none.
[[nodiscard]] double states_of_layer(Bundle const& bundle);

}  // namespace isserlis
