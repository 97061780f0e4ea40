// SPDX-License-Identifier: MIT
#include "strand/cost.hpp"

#include <isserlis/strand/symmetry.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace isserlis {
namespace {

constexpr std::size_t cheap = 8;  ///< strands, of 105 pairings

/// (strands - 1)!!, the pairings of an even number of strands.
double pairings(std::size_t strands) {
    double out = 1;
    for (std::size_t k = 3; k < strands; k += 2) out *= static_cast<double>(k);
    return out;
}

/// The ways to pair some of these letters: 1, 2, 4, 10, 26, ..
double involutions(std::size_t letters) {
    double before = 1;
    double out = 1;
    for (std::size_t k = 2; k <= letters; ++k) before = std::exchange(out, out + static_cast<double>(k - 1) * before);
    return out;
}

}  // namespace

double states_of_layer(Bundle const& bundle) {
    std::size_t through = 0;
    std::set<unsigned> starts;
    std::set<unsigned> both;
    for (auto const& s : bundle.strands) {
        through += s.matrix ? 0U : 1U;
        starts.insert(s.letter);
    }
    for (auto const& s : bundle.strands) {
        if (s.end_letter && !s.matrix && starts.count(*s.end_letter) != 0) both.insert(*s.end_letter);
    }
    return pairings(through) * std::min(pairings(through), involutions(both.size()));
}

double steps_through_layer(Bundle const& bundle, std::size_t sources) {
    if (bundle.strands.size() <= cheap) return 0;
    std::size_t widest = 0;
    for (auto const& s : bundle.strands) {
        // Entries of one matrix meet those of the same matrix, and all that comes down from above.
        auto const met = std::count_if(bundle.strands.begin(), bundle.strands.end(), [&](Strand const& t) {
            return t.matrix ? t.matrix == s.matrix || t.start == s.start : true;
        });
        widest = std::max(widest, static_cast<std::size_t>(met));
    }
    double const states = std::max(1.0, states_of_layer(bundle) / symmetry_count(without_ends_at_input(bundle)));
    return states * pairings(widest) * std::pow(3.0, static_cast<double>(bundle.labels.size())) *
           std::pow(static_cast<double>(sources), static_cast<double>(widest));
}

}  // namespace isserlis
