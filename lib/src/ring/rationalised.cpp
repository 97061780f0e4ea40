// SPDX-License-Identifier: MIT
#include <isserlis/ring/rationalised.hpp>

#include <isserlis/ring/parse.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formula_terms.hpp"

namespace isserlis {
namespace {

/// The variable that is a root, of a polynomial to a whole power.
std::optional<std::size_t> root_in(RationalFunction::Factor const& factor) {
    if (factor.base.kind != RationalFunction::Base::Kind::polynomial) return std::nullopt;
    if (!factor.exponent.is_constant() || denominator_of(factor.exponent.constant()) != 1) return std::nullopt;
    auto const& names = factor.base.polynomial.variables();
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i].rfind("sqrt(", 0) == 0) return i;
    return std::nullopt;
}

/// a - b sqrt(d) for a + b sqrt(d).
Polynomial conjugate(Polynomial const& p, std::size_t root) {
    auto monomials = p.monomials();
    for (auto& m : monomials)
        if (m.exponents[root] % 2 != 0) m.coefficient = -m.coefficient;
    return Polynomial::from_monomials(p.variables(), monomials);
}

/// Whether x divides by a symbol or a polynomial that y does not divide by.
bool has_new_divisor(RationalFunction const& x, RationalFunction const& y) {
    auto const divisors = [](RationalFunction const& formula) {
        std::vector<RationalFunction::Base> out;
        for (auto const& term : formula.terms()) {
            for (auto const& factor : term.factors) {
                bool const number = factor.base.kind == RationalFunction::Base::Kind::integer;
                if (!number && factor.exponent.is_constant() && factor.exponent.constant() < 0)
                    out.push_back(factor.base);
            }
        }
        return out;
    };
    auto const old = divisors(y);
    auto const found = divisors(x);
    return std::any_of(found.begin(), found.end(), [&](auto const& base) {
        return std::none_of(old.begin(), old.end(), [&](auto const& o) { return detail::compare(o, base) == 0; });
    });
}

}  // namespace

RationalFunction rationalised(RationalFunction const& x) {
    RationalFunction out;
    bool changed = false;
    for (auto const& term : x.terms()) {
        auto rest = term;
        rest.factors.clear();
        Polynomial numerator(1);
        RationalFunction norms(1);
        for (auto const& factor : term.factors) {
            auto const root = root_in(factor);
            if (!root) {
                rest.factors.push_back(factor);
                continue;
            }
            Polynomial const& p = factor.base.polynomial;
            Rational const& exponent = factor.exponent.constant();
            bool const divides = exponent < 0;
            Polynomial const above = divides ? conjugate(p, *root) : p;
            auto const times = checked_count(numerator_of(abs(exponent)));
            for (std::uint64_t i = 0; i < times; ++i) numerator = detail::reduced(numerator * above);
            if (divides) norms = norms * power(RationalFunction(detail::reduced(p * above)), times);
            changed = changed || divides;
        }
        out = out + RationalFunction::product(std::move(rest)) * RationalFunction(numerator) / norms;
    }
    if (!changed) return x;
    out = out.merged();
    return has_new_divisor(out, x) ? x : rationalised(out);  // a norm may have another root
}

}  // namespace isserlis
