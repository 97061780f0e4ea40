// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/optimiser_sampler.hpp>

#include <vector>

namespace isserlis::monte_carlo {

/// What is added up of one layer, or one node, in first steps.
struct FirstStepSums {
    RunningVariance square, own_square, change_square, change_absolute;
    static void members(auto& self, auto const& f) {
        f(self.square, self.own_square, self.change_square, self.change_absolute);
    }
    [[nodiscard]] FirstStepEstimates estimates() const {
        return {.square = square.estimate(),
                .own_square = own_square.estimate(),
                .change_square = change_square.estimate(),
                .change_absolute = change_absolute.estimate()};
    }
};

template <class S>
struct ListedSums {
    std::vector<S> all;
    static void members(auto& self, auto const& f) { f(self.all); }
};

[[nodiscard]] inline std::vector<FirstStepEstimates> estimates_of(ListedSums<FirstStepSums> const& sums) {
    std::vector<FirstStepEstimates> out;
    for (auto const& s : sums.all) out.push_back(s.estimates());
    return out;
}

}  // namespace isserlis::monte_carlo
