// SPDX-License-Identifier: MIT
#include "question/requirements.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/rational.hpp>
#include <optional>
#include <string>

namespace isserlis::quantity {
namespace {

/// p of a positive multiple of sqrt(p), or of 1/sqrt(p) that is to be positive: it is where p is.
std::optional<RationalFunction> under_root(RationalFunction const& value, bool strict) {
    if (value.terms().size() != 1 || value.terms().front().coefficient <= 0) return std::nullopt;
    std::optional<RationalFunction> out;
    for (auto const& [base, exponent] : value.terms().front().factors) {
        if (base.kind != RationalFunction::Base::Kind::polynomial) continue;
        bool const is_root = exponent.is_constant() && denominator_of(exponent.constant()) == 2;
        if (!is_root || out || (!strict && exponent.constant() < 0)) return std::nullopt;
        out = RationalFunction(base.polynomial);
    }
    return out;
}

/// What has the sign of the value: the numerator, where the denominator is positive.
RationalFunction signed_part(RationalFunction const& value, bool strict) {
    if (auto const root = under_root(value, strict)) return *root;
    auto const merged = value.try_merged();
    if (!merged || !merged->is_fraction()) return value;
    auto const [above, below] = merged->as_fraction();
    return known_sign(RationalFunction(below)) == 1 ? RationalFunction(above) : *merged;
}

/// "v > 1" of v - 1 > 0.
struct End {
    std::string symbol;
    Rational value;
    bool is_lower;
};

/// Of a value that is linear in one symbol.
std::optional<End> end_of(RationalFunction const& value) {
    auto const symbols = value.symbols();
    if (symbols.size() != 1) return std::nullopt;
    try {
        Exponent const form = as_exponent(value);
        Rational const slope = form.symbols().front().second;
        return End{.symbol = symbols.front(), .value = -form.constant() / slope, .is_lower = slope > 0};
    } catch (Error const&) {
        return std::nullopt;
    }
}

/// An end of a range, where it is a number.
std::optional<Rational> number(std::string const& text) {
    if (text.empty()) return std::nullopt;
    auto const value = parse_rational_function(text, "range");
    return value.is_numeric() ? std::optional(value.evaluate({}).to_rational()) : std::nullopt;
}

Integer floor_of(Rational const& x) {
    Integer const quotient = numerator_of(x) / denominator_of(x);
    return quotient * denominator_of(x) > numerator_of(x) ? Integer(quotient - 1) : quotient;
}

/// The range with the end; none where it has no way to say it.
std::optional<SymbolRange> narrowed(SymbolRange range, End const& end, bool strict) {
    auto const least = number(range.least);
    auto const most = number(range.most);
    if (end.is_lower) {
        if (!least) return std::nullopt;
        if (range.whole) {
            Integer const first = strict ? Integer(floor_of(end.value) + 1) : Integer(-floor_of(-end.value));
            if (first > *least) range.least = to_string(first);
        } else if (end.value > *least || (end.value == *least && strict)) {
            range.least = to_string(end.value);
            range.open = strict;
        }
        return range;
    }
    if (strict && !range.whole) return std::nullopt;
    Rational const last =
        range.whole ? Rational(strict ? Integer(-floor_of(-end.value) - 1) : floor_of(end.value)) : end.value;
    if (range.most.empty() || (most && last < *most)) range.most = to_string(last);
    return range;
}

}  // namespace

void declare_requirements(std::vector<Requirement<RationalFunction>> const& requirements, Answer& answer) {
    std::vector<std::string> said;
    for (auto const& r : requirements) {
        auto const value = signed_part(r.value, r.strict);
        std::string const text = to_string(value);
        if (std::find(said.begin(), said.end(), text) != said.end()) continue;
        said.push_back(text);
        if (auto const end = end_of(value)) {
            auto const& known = answer.declared();
            auto const at =
                std::find_if(known.begin(), known.end(), [&](auto const& d) { return d.range.symbol == end->symbol; });
            auto const role = at == known.end() ? SymbolRole::parameter : at->role;
            auto const range = at == known.end() ? SymbolRange::positive(end->symbol) : at->range;
            if (auto const next = narrowed(range, *end, r.strict)) {
                answer.declare(*next, role);
                continue;
            }
        }
        if (r.strict) {
            answer.require_positive(text);
        } else {
            answer.require_not_negative(text);
        }
    }
}

}  // namespace isserlis::quantity
