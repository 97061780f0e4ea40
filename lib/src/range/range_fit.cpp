// SPDX-License-Identifier: MIT
#include "range/range_fit.hpp"

#include <algorithm>
#include <isserlis/ring/parse.hpp>

namespace isserlis::quantity {
namespace {

constexpr int most_ends = 4;  ///< how many layers at an end of a stretch may be left out

/// Calls f with every choice of least depths, the small ones first.
void for_each_least(std::vector<std::string> const& depths, std::vector<int> const& probed, Fit& fit, std::size_t next,
                    auto const& f) {
    if (next == depths.size()) {
        f();
        return;
    }
    for (std::size_t i = 0; i < probed.size(); ++i) {
        fit.least[depths[next]] = i == 0 ? probed[0] : probed[i - 1] + 1;
        for_each_least(depths, probed, fit, next + 1, f);
    }
}

}  // namespace

Exponent linear_form(std::string const& text) { return as_exponent(parse_rational_function(text, "range")); }

Exponent at_values(Exponent const& form, std::map<std::string, Rational> const& values) {
    Exponent out(form.constant());
    for (auto const& [symbol, times] : form.symbols()) {
        auto const at = values.find(symbol);
        out = out + Exponent(times) * (at == values.end() ? Exponent::symbol(symbol) : Exponent(at->second));
    }
    return out;
}

bool is_inside(Probe const& probe, Fit const& fit, std::optional<LayerStretch> const& layer) {
    for (auto const& [symbol, least] : fit.least) {
        if (probe.at.at(symbol) < least) return false;
    }
    if (!layer) return true;
    Rational const& l = probe.at.at(layer->symbol);
    return l >= at_values(layer->least, probe.at).constant() + fit.from &&
           l <= at_values(layer->most, probe.at).constant() - fit.to;
}

std::optional<Fit> fitted(std::vector<Probe> const& probes, std::vector<std::string> const& depths,
                          std::vector<int> const& probed, std::optional<LayerStretch> const& layer) {
    std::optional<Fit> best;
    std::size_t most_held = 0;
    Integer least_cut = 0;
    Fit fit;
    int const ends = layer ? most_ends : 0;
    for (fit.from = 0; fit.from <= ends; ++fit.from) {
        for (fit.to = 0; fit.to <= ends; ++fit.to) {
            for_each_least(depths, probed, fit, 0, [&] {
                std::size_t held = 0;
                for (auto const& p : probes) {
                    if (!is_inside(p, fit, layer)) continue;
                    if (!p.exists || !p.holds) return;
                    ++held;
                }
                Integer cut = fit.from + fit.to;
                for (auto const& [symbol, least] : fit.least) cut += least;
                if (held == 0 || held < most_held || (best && held == most_held && cut >= least_cut)) return;
                best = fit;
                most_held = held;
                least_cut = cut;
            });
        }
    }
    return best;
}

}  // namespace isserlis::quantity
