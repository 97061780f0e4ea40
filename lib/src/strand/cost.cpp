// SPDX-License-Identifier: MIT
#include "strand/cost.hpp"

#include <isserlis/error.hpp>
#include <isserlis/strand/symmetry.hpp>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <set>
#include <sstream>
#include <utility>

namespace isserlis {
namespace {

constexpr std::size_t cheap = 8;    ///< strands, of 105 pairings
constexpr double cheap_ways = 1e5;  ///< of them through a node

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

double ways_through_node(std::size_t strands, Sources const& sources) {
    auto const weights = static_cast<double>(sources.weights);
    auto const skips = static_cast<double>(sources.skips);
    double before = 1;
    double out = skips;
    for (std::size_t k = 2; k <= strands; ++k)
        before = std::exchange(out, skips * out + static_cast<double>(k - 1) * weights * before);
    return strands == 0 ? 1 : out;
}

double steps_through_layer(Bundle const& bundle, Sources const& sources) {
    if (bundle.strands.size() <= cheap && ways_through_node(cheap, sources) <= cheap_ways) return 0;
    std::size_t widest = 0;
    for (auto const& s : bundle.strands) {
        // Entries of one matrix meet those of the same matrix, and all that comes down from above.
        auto const met = std::count_if(bundle.strands.begin(), bundle.strands.end(), [&](Strand const& t) {
            return t.matrix ? t.matrix == s.matrix || t.start == s.start : true;
        });
        widest = std::max(widest, static_cast<std::size_t>(met));
    }
    double const states = std::max(1.0, states_of_layer(bundle) / symmetry_count(without_ends_at_input(bundle)));
    return states * ways_through_node(widest - widest % 2, sources) *
           std::pow(3.0, static_cast<double>(bundle.labels.size()));
}

void PathBudget::refuse() const {
    std::ostringstream text;
    text << "`query`: more than " << std::setprecision(2) << most_ << " ways through layers would have to be tried";
    throw UnsupportedError(text.str(), "query");
}

}  // namespace isserlis
