// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "quantity/wired/step_at_samples.hpp"

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
    NodeWords const words(name, model);
    LeftAtSamples const left(samples);
    auto const mean = [&](StepTerms<R> const& terms, bool targets) {
        return averaged(at_samples(terms, width, left, targets));
    };
    return {.square = mean(words.square(), false),
            .change_square = mean(words.of_outputs(), false) + mean(words.of_targets(), true)};
}

}  // namespace isserlis::quantity
