// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/graph.hpp>
#include <isserlis/report/answer.hpp>

namespace isserlis::quantity {

/// Whether a step along the gradient may bend the loss to second order: where a pre-activation changes its sign, the gate or
/// the two matrices of concatenated ReLU have another slope. Those with N = P differ after a step by its own size alone, and
/// the output is taken before its gate.
template <class R, class Count>
[[nodiscard]] bool has_kinks(Graph<R, Count> const& graph) {
    for (auto const& stage : graph.stages) {
        for (auto const& node : stage.nodes) {
            if (&node == &graph.stages.back().nodes.back()) break;
            if (graph.sides == WeightSides::independent) return true;
            if (node.gate && !(node.gate->negative == node.gate->positive)) return true;
        }
    }
    return false;
}

/// Says which second derivative a curvature is, where gates make that another one than the mean loss has.
template <class Model>
void state_kinks(Model const& model, Answer& answer) {
    if (has_kinks(model.graph()))
        answer.assume(
            "curvature: the mean of the networks' own L''(0), behind no kink of a gate; the smallest step may take "
            "some networks past one, and then the mean loss has another second derivative");
}

}  // namespace isserlis::quantity
