// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/surd.hpp>

#include <algorithm>

namespace isserlis::quantity {

[[nodiscard]] inline bool may_be_zero(Surd const& x) { return x.is_zero(); }
[[nodiscard]] inline bool may_be_zero(RationalFunction const& x) { return !x.is_numeric() || x.is_zero(); }

/// Whether a derivative meets a gate at exactly 0: that by a bias which is 0, behind a gate that shuts. Above a layer without
/// an active unit z is that bias. Exact formulas open such a gate with probability 1/2.
template <class Model>
[[nodiscard]] bool meets_dead_layers(Model const& model) {
    auto const meets = [](auto const& node) {
        return node.gate && may_be_zero(node.gate->negative) && node.bias &&
               !(node.bias->label_factor == decltype(node.width)(0)) && may_be_zero(node.bias->variance);
    };
    auto const& stages = model.graph().stages;
    return std::any_of(stages.begin(), stages.end(),
                       [&](auto const& stage) { return std::any_of(stage.nodes.begin(), stage.nodes.end(), meets); });
}

}  // namespace isserlis::quantity
