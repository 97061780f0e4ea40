// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/rational.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace isserlis::quantity {

/// A depth in numbers, and a layer where the result is of any layer: does the formula hold there?
struct Probe {
    std::map<std::string, Rational> at;
    bool exists = true;  ///< there is such a network and such a layer
    bool holds = true;
};

/// "L - 1" as a linear form.
[[nodiscard]] Exponent linear_form(std::string const& text);
/// With values for some of its symbols.
[[nodiscard]] Exponent at_values(Exponent const& form, std::map<std::string, Rational> const& values);

/// Where a formula holds: depths from `least` on, layers `from` above the first and `to` below the last of theirs.
struct Fit {
    std::map<std::string, Integer> least;
    int from = 0;
    int to = 0;
};

/// The layer symbol of a result and the ends of its stretch.
struct LayerStretch {
    std::string symbol;
    Exponent least;
    Exponent most;
};

/// The largest such range without a probe that does not hold; none without a probe that does. `probed` are the values
/// of each depth that were asked.
[[nodiscard]] std::optional<Fit> fitted(std::vector<Probe> const& probes, std::vector<std::string> const& depths,
                                        std::vector<int> const& probed, std::optional<LayerStretch> const& layer);
[[nodiscard]] bool is_inside(Probe const& probe, Fit const& fit, std::optional<LayerStretch> const& layer);

}  // namespace isserlis::quantity
