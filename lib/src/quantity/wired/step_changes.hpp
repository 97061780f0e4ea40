// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "quantity/wired/step_at_samples.hpp"

namespace isserlis::quantity {

/// E (Delta z_i)^2 of a hidden layer at each sample, by its parts.
template <class R>
struct LayerChanges {
    std::string name;
    std::vector<SampleNumber<R>> a, b;

    [[nodiscard]] SampleNumber<R> of(std::size_t s) const { return a[s] + b[s]; }
    [[nodiscard]] SampleNumber<R> mean() const { return averaged(a) + averaged(b); }
};

template <class R, class Count>
[[nodiscard]] LayerChanges<R> changes_of(std::string const& name, R const& width, Model<R, Count> const& model,
                                         LeftAtSamples<R> const& left) {
    NodeWords const words(name);
    return {.name = name,
            .a = at_samples(words.of_outputs(), width, model, left),
            .b = at_samples(words.of_targets(), width, model, left)};
}

}  // namespace isserlis::quantity
