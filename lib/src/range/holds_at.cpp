// SPDX-License-Identifier: MIT
#include "range/holds_at.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/surd.hpp>
#include <vector>

#include "range/exact_value.hpp"

namespace isserlis::quantity {
namespace {

bool is_within(SymbolRange const& range, std::map<std::string, Rational> const& values) {
    auto const end = [&](std::string const& text) {
        return evaluate<Surd>(Expression::parse(text, "range"),
                              [&](std::string const& name) { return Surd(values.at(name)); });
    };
    Surd const x(values.at(range.symbol));
    if (!range.least.empty()) {
        int const above = sign(x - end(range.least));
        if (above < 0 || (above == 0 && range.open)) return false;
    }
    if (!range.most.empty() && sign(x - end(range.most)) > 0) return false;
    return std::none_of(range.without.begin(), range.without.end(),
                        [&](auto const& out) { return sign(x - end(out)) == 0; });
}

}  // namespace

bool holds_at(Range const& range, std::map<std::string, Rational> const& values) {
    auto const known = [&](std::string const& text) {
        auto const symbols = Expression::parse(text, "range").symbols();
        return std::all_of(symbols.begin(), symbols.end(), [&](auto const& s) { return values.count(s) != 0; });
    };
    auto const sign_of = [&](std::string const& text) {
        return ExactValue(Expression::parse(text, "range"), values).sign_against(Surd(0));
    };
    try {
        for (auto const& s : range.symbols) {
            if (values.count(s.symbol) == 0 || !known(s.least.empty() ? "0" : s.least) ||
                !known(s.most.empty() ? "0" : s.most) || !is_within(s, values))
                return false;
        }
        auto const all = [&](std::vector<std::string> const& conditions, auto const& fits) {
            return std::all_of(conditions.begin(), conditions.end(),
                               [&](auto const& text) { return known(text) && fits(sign_of(text)); });
        };
        return all(range.nonzero, [](int s) { return s != 0; }) && all(range.positive, [](int s) { return s > 0; }) &&
               all(range.not_negative, [](int s) { return s >= 0; });
    } catch (Error const&) {
        return false;
    }
}

}  // namespace isserlis::quantity
