// SPDX-License-Identifier: MIT
#include "target_mean.hpp"

#include <algorithm>
#include <optional>

namespace isserlis {
namespace {

/// Makes two neurons one; false when they are fixed and different.
bool identify(Monomial& m, Neuron const& a, Neuron const& b) {
    if (a.fixed != 0 && b.fixed != 0) return a.fixed == b.fixed;
    Neuron const from = a.fixed == 0 ? a : b;
    Neuron const to = a.fixed == 0 ? b : a;
    if (to.fixed != 0 || !(from.letter == to.letter)) replace(m, from.letter, to);
    return true;
}

bool carries(Monomial& m, Name const& letter) {
    bool found = false;
    for_each_letter(m, [&](Name const& n) { found = found || n == letter; });
    return found;
}

/// A term whose targets are all at one output.
struct MetTargets {
    Monomial monomial;  ///< without them
    int summed;         ///< 1 where that output's letter, which nothing else carries, is summed over, else 0
};

/// None where the outputs are fixed and different.
std::optional<MetTargets> all_targets_met(Monomial const& m) {
    Monomial all = m;
    for (std::size_t k = 1; k < all.targets.size(); ++k)
        if (!identify(all, all.targets[0], all.targets[k])) return std::nullopt;
    Neuron const met = all.targets[0];
    all.targets.clear();
    int const summed = met.fixed == 0 && !carries(all, met.letter) ? 1 : 0;
    return MetTargets{.monomial = all, .summed = summed};
}

/// Of targets of mean 0.
void average_deviations(Monomial const& m, Coefficient const& c, ExpansionContext const& context,
                        std::vector<Weighted>& out) {
    if (m.targets.empty()) {
        out.push_back({.monomial = m, .coefficient = c});
        return;
    }
    if (context.targets_vanish) return;
    auto without = [](Monomial const& x, std::vector<std::size_t> const& gone) {
        Monomial y = x;
        for (auto at = gone.rbegin(); at != gone.rend(); ++at)
            y.targets.erase(y.targets.begin() + static_cast<std::ptrdiff_t>(*at));
        return y;
    };
    std::size_t const degree = m.targets.size();
    if (degree == 1) return;
    if (degree % 2 == 1) {
        auto const from_output = std::count_if(m.outputs.begin(), m.outputs.end(),
                                               [&](OutputFactor const& o) { return o.node == context.output; });
        if (from_output % 2 == 1 && context.odd_outputs_vanish) return;
    }
    if (degree > 4) {
        throw UnsupportedError("`query`: a term has " + std::to_string(degree) +
                                   " targets; moments of the targets up to the fourth are served",
                               "query");
    }
    if (degree == 3) {
        if (!context.third_is_known) refuse_missing_third(context.targets_have_mean);
        if (auto const all = all_targets_met(m)) {
            Coefficient third = c;
            ++third.third;
            third.outputs += all->summed - 1;
            out.push_back({.monomial = all->monomial, .coefficient = third});
        }
        return;
    }
    // The first target meets each of the others; the rest goes on alone.
    for (std::size_t k = 1; k < degree; ++k) {
        Monomial paired = m;
        if (!identify(paired, m.targets[0], m.targets[k])) continue;
        Coefficient d = c;
        ++d.second;
        --d.outputs;
        // A letter that nothing else carries is summed over all outputs.
        Neuron const met = paired.targets[0];
        paired = without(paired, {0, k});
        if (met.fixed == 0 && !carries(paired, met.letter)) ++d.outputs;
        average_deviations(paired, d, context, out);
    }
    if (degree == 4) {
        auto const all = all_targets_met(m);
        if (!all) return;
        Coefficient fourth = c;
        ++fourth.fourth;
        fourth.outputs += all->summed - 1;
        out.push_back({.monomial = all->monomial, .coefficient = fourth});
        Coefficient square = c;
        square.second += 2;
        square.outputs += all->summed - 2;
        square.number *= -3;
        out.push_back({.monomial = all->monomial, .coefficient = square});
    }
}

/// Those from `next` on may be their means.
void average_from(std::size_t next, Monomial const& m, Coefficient const& c, ExpansionContext const& context,
                  std::vector<Weighted>& out) {
    if (next == m.targets.size()) return average_deviations(m, c, context, out);
    average_from(next + 1, m, c, context, out);
    Monomial rest = m;
    Neuron const gone = rest.targets[next];
    rest.targets.erase(rest.targets.begin() + static_cast<std::ptrdiff_t>(next));
    Coefficient mean = c;
    ++mean.first;
    // A letter that nothing else carries is summed over all outputs.
    if (gone.fixed == 0 && !carries(rest, gone.letter)) ++mean.outputs;
    average_from(next, rest, mean, context, out);
}

}  // namespace

void refuse_missing_third(bool targets_have_mean) {
    throw OddTargetsError(targets_have_mean
                              ? "`target_third_moment`: powers of targets of a mean other than 0 are worked out "
                                "with their third moment, sum_i E y_i^3, which is missing"
                              : "`target_third_moment`: the query needs the third moment of the targets, sum_i E y_i^3",
                          "target_third_moment");
}

void average_targets(Monomial const& m, Coefficient const& c, ExpansionContext const& context,
                     std::vector<Weighted>& out) {
    average_from(context.targets_have_mean ? 0 : m.targets.size(), m, c, context, out);
}

}  // namespace isserlis
