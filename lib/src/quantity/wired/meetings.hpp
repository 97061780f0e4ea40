// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "quantity/mean_over_inputs.hpp"

namespace isserlis::quantity {

/// Which strands end at one coordinate of the input, by the numbers of their inputs, sorted; and all such blocks, sorted.
using Meetings = std::vector<std::vector<unsigned>>;

/// All that the strands of these inputs can leave: blocks of an even number of strands, in pairs alone where weights are
/// Gaussian; with `open` strands that end in biases meet nothing.
/// Shape   `strands` by input.
[[nodiscard]] std::vector<Meetings> meetings_of(std::vector<unsigned> const& strands, bool open, bool pairs);

/// A term of an expectation that is linear in what strands leave: its coefficient, a function of the network.
template <class R>
struct MeetingTerm {
    Meetings meetings;
    R coefficient;
};

/// The terms of an observable at inputs with these names, none of which is 0.
template <class R, class Count>
[[nodiscard]] std::vector<MeetingTerm<R>> meeting_terms(std::string const& query, Model<R, Count> const& model,
                                                        std::vector<std::string> const& names,
                                                        std::vector<unsigned> const& strands, bool pairs = true) {
    auto const all = meetings_of(strands, has_biases(model.graph()), pairs);
    InputMeans<R> one;
    for (auto const& meetings : all) one[meetings] = R(0);
    std::vector<MeetingTerm<R>> out;
    for (auto const& meetings : all) {
        one[meetings] = R(1);
        R const coefficient = mean_over_inputs(query, model, names, one);
        one[meetings] = R(0);
        if (!(coefficient == R(0))) out.push_back({meetings, coefficient});
    }
    return out;
}

}  // namespace isserlis::quantity
