// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/model/model.hpp>

#include <cstdint>

namespace isserlis {

// What exact answers about a network would take, before the work. Errors  UnsupportedError that says it, with the way
// out.

/// Numbers: each layer multiplies by its width, so that values have as many digits as all widths together.
void require_moderate_digits(Graph<Surd, std::uint64_t> const& graph);

/// The layers that an answer works out, and whether the user may ask for one of them alone.
struct LayersAsked {
    std::size_t count = 1;
    bool one_is_cheaper = false;
};
/// Formulas: the depth times the layers that are asked times the monomials that a symbol makes, up to `most`, which the
/// caller has measured.
void require_moderate_formulas(Graph<RationalFunction, Exponent> const& graph, LayersAsked asked, double most);

}  // namespace isserlis
