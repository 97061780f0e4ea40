// SPDX-License-Identifier: MIT
#include "strand/cost.hpp"

#include <isserlis/strand/symmetry.hpp>

#include <algorithm>
#include <cmath>

namespace isserlis {
namespace {

constexpr std::size_t cheap = 8;  ///< strands, of 105 pairings

/// (strands - 1)!!, the pairings of an even number of strands.
double pairings(std::size_t strands) {
    double out = 1;
    for (std::size_t k = 3; k < strands; k += 2) out *= static_cast<double>(k);
    return out;
}

}  // namespace

double steps_through_layer(Bundle const& bundle, std::size_t sources) {
    if (bundle.strands.size() <= cheap) return 0;
    std::size_t through = 0;
    std::size_t widest = 0;
    for (auto const& s : bundle.strands) through += s.matrix ? 0U : 1U;
    for (auto const& s : bundle.strands) {
        // Entries of one matrix meet those of the same matrix, and all that comes down from above.
        auto const met = std::count_if(bundle.strands.begin(), bundle.strands.end(), [&](Strand const& t) {
            return t.matrix ? t.matrix == s.matrix || t.start == s.start : true;
        });
        widest = std::max(widest, static_cast<std::size_t>(met));
    }
    double const states = std::max(1.0, pairings(through) / symmetry_count(without_ends_at_input(bundle)));
    return states * pairings(widest) * std::pow(3.0, static_cast<double>(bundle.labels.size())) *
           std::pow(static_cast<double>(sources), static_cast<double>(widest));
}

}  // namespace isserlis
