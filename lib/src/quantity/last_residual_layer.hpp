// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "quantity/wired/step_changes.hpp"

namespace isserlis::quantity {

/// E (y_i^L)^2 and E (Delta y_i^L)^2.
template <class R>
struct LastLayer {
    R square;
    R change_square;
};

/// Of linear networks by strands: means over the neurons of the node `name` and over the samples.
template <class R, class Count>
[[nodiscard]] LastLayer<R> last_layer_at_samples(Model<R, Count> const& model, std::string const& name,
                                                 StepSamples<R> const& samples) {
    R const width = model.graph().stages[0].nodes.back().width;
    LeftAtSamples const left(samples);
    return {.square = averaged(at_samples(NodeWords(name, model).square(), width, left)),
            .change_square = changes_of(name, width, model, left).mean()};
}

}  // namespace isserlis::quantity
