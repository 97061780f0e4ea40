// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "quantity/wired/step_changes.hpp"

namespace isserlis::quantity {

/// E (y_i^L)^2 and E (Delta y_i^L)^2 of linear networks by strands: means over the neurons of the node `name` and over the
/// samples.
template <class R, class Count>
[[nodiscard]] auto square_at_samples(Model<R, Count> const& model, std::string const& name,
                                     StepSamples<R> const& samples) {
    R const width = model.graph().stages[0].nodes.back().width;
    return mean_over_samples(NodeWords(name).square(), width, model, LeftAtSamples(samples));
}
template <class R, class Count>
[[nodiscard]] auto change_at_samples(Model<R, Count> const& model, std::string const& name,
                                     StepSamples<R> const& samples) {
    R const width = model.graph().stages[0].nodes.back().width;
    NodeWords const words(name);
    LeftAtSamples const left(samples);
    return mean_over_samples(words.of_outputs(), width, model, left) +
           mean_over_samples(words.of_targets(), width, model, left);
}

}  // namespace isserlis::quantity
