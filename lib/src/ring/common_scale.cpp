// SPDX-License-Identifier: MIT
#include <isserlis/ring/common_scale.hpp>

#include <isserlis/error.hpp>

namespace isserlis {
namespace {

CommonScale of_rationals(std::vector<std::reference_wrapper<Surd const>> const& values) {
    CommonScale out;
    Integer common = 1;
    for (Surd const& value : values) {
        Rational const& v = value.terms().front().coefficient;
        Integer const numerator = numerator_of(v);
        if (numerator != 1) common = lcm(common, numerator);
    }
    out.whole.reserve(values.size());
    for (Surd const& value : values) {
        Rational const& v = value.terms().front().coefficient;
        out.whole.push_back(denominator_of(v));
        if (common != 1) out.whole.back() *= common / numerator_of(v);
    }
    out.scale = Surd(ratio(1, common));
    return out;
}

}  // namespace

CommonScale reciprocals_over_common_scale(std::vector<std::reference_wrapper<Surd const>> const& values) {
    bool rational = true;
    for (Surd const& value : values) {
        if (value.is_zero()) throw DomainError("0 has no reciprocal");
        rational = rational && value.is_rational();
    }
    if (rational) return of_rationals(values);
    CommonScale out;
    out.integral.reserve(values.size());
    for (Surd const& value : values) {
        out.integral.push_back(Surd(1) / value);
        for (auto const& term : out.integral.back().terms()) {
            if (out.radicands.empty() || *out.radicands.begin() != term.radicand) out.radicands.insert(term.radicand);
        }
    }
    if (!out.radicands.empty() && *out.radicands.begin() != 1 && out.radicands.size() <= 2) {
        // sqrt(r) times everything leaves at most one other root.
        Surd const root = Surd::monomial(Rational(1), *out.radicands.begin());
        out.scale = Surd(1) / root;
        out.radicands.clear();
        for (auto& x : out.integral) {
            x = x * root;
            for (auto const& term : x.terms()) out.radicands.insert(term.radicand);
        }
    }
    Integer common = 1;
    for (auto const& x : out.integral) {
        for (auto const& term : x.terms()) {
            if (!is_integer(term.coefficient)) common = lcm(common, denominator_of(term.coefficient));
        }
    }
    if (common != 1) {
        out.scale = out.scale * Surd(ratio(1, common));
        for (auto& x : out.integral) x = x * Surd(common);
    }
    if (out.radicands.size() == 1 && *out.radicands.begin() == 1) {
        for (auto const& x : out.integral) out.whole.push_back(numerator_of(x.to_rational()));
        out.radicands.clear();
    }
    return out;
}

}  // namespace isserlis
