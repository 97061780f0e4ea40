// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/optimiser_sampler.hpp>

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "tailed_variance.hpp"

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

/// The same of whole steps.
struct WholeStepSums {
    TailedVariance change_square, change_absolute, updated_square, updated_absolute;
    static void members(auto& self, auto const& f) {
        f(self.change_square, self.change_absolute, self.updated_square, self.updated_absolute);
    }
    /// One network: its pre-activations before the first step and now.
    void push(std::span<double const> first, std::span<double const> z) {
        double square = 0, size = 0, now_square = 0, now_size = 0;
        for (std::size_t i = 0; i < z.size(); ++i) {
            double const change = z[i] - first[i];
            square += change * change;
            size += std::fabs(change);
            now_square += z[i] * z[i];
            now_size += std::fabs(z[i]);
        }
        double const n = static_cast<double>(z.size());
        change_square.push(square / n);
        change_absolute.push(size / n);
        updated_square.push(now_square / n);
        updated_absolute.push(now_size / n);
    }
    [[nodiscard]] WholeStepEstimates estimates() const {
        return {.change_square = change_square.tailed(),
                .change_absolute = change_absolute.tailed(),
                .updated_square = updated_square.tailed(),
                .updated_absolute = updated_absolute.tailed()};
    }
};

/// By step, of which each has `places` layers or nodes.
[[nodiscard]] inline std::vector<std::vector<WholeStepEstimates>> estimates_of(ListedSums<WholeStepSums> const& sums,
                                                                               std::size_t places) {
    std::vector<std::vector<WholeStepEstimates>> out(sums.all.size() / places);
    for (std::size_t k = 0; k < sums.all.size(); ++k) out[k / places].push_back(sums.all[k].estimates());
    return out;
}

}  // namespace isserlis::monte_carlo
