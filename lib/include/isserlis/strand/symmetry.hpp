// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/strand/bundle.hpp>

#include <optional>
#include <vector>

namespace isserlis {

/// A relabelling of a bundle: where each strand and each label goes.
struct Relabelling {
    std::vector<unsigned> strands;
    std::vector<unsigned> labels;
};

/// Relabellings that generate all symmetries of the bundle: those that keep starts, inputs, letters, constants and the
/// strands and names of labels. The expectation's intermediate states that they exchange have equal values.
[[nodiscard]] std::vector<Relabelling> symmetry_generators(Bundle const& bundle);

/// Which Jacobians end on a letter that nothing but ends of Jacobians is tied to: it says nothing before the input.
[[nodiscard]] std::vector<bool> ends_at_input(Bundle const& bundle);

/// The bundle without those ends, whose symmetries are more: those of all states above the input.
[[nodiscard]] Bundle without_ends_at_input(Bundle bundle);

/// How many symmetries move strands.
[[nodiscard]] double symmetry_count(Bundle const& bundle);

/// Is there a relabelling that turns one into the other?
[[nodiscard]] bool isomorphic(Bundle const& a, Bundle const& b);

}  // namespace isserlis
