// SPDX-License-Identifier: MIT
#include <isserlis/ring/depth_sum.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formula_terms.hpp"

namespace isserlis {
namespace {

RationalFunction as_formula(RationalFunction::Base const& base) {
    switch (base.kind) {
        case RationalFunction::Base::Kind::integer: return base.number;
        case RationalFunction::Base::Kind::symbol: return RationalFunction::symbol(base.symbol);
        case RationalFunction::Base::Kind::polynomial: break;
    }
    return RationalFunction(base.polynomial);
}

/// A summand: coefficient * prod base^symbol.
struct Piece {
    RationalFunction coefficient;  ///< one product
    std::map<std::string, RationalFunction> bases;

    /// By a polynomial in symbols and roots.
    void multiply(Polynomial const& p) {
        RationalFunction::Term term = coefficient.terms().front();
        detail::multiply_by_polynomial(term, p);
        coefficient = RationalFunction::product(std::move(term));
    }
    void multiply(RationalFunction const& base, Exponent const& exponent) {
        coefficient = coefficient * power(base, Exponent(exponent.constant()));
        for (auto const& [symbol, count] : exponent.symbols()) {
            auto& of_symbol = bases.emplace(symbol, RationalFunction(1)).first->second;
            of_symbol = of_symbol * power(base, Exponent(count));
        }
    }
};

/// Of a variable: (n + 5)^L, not sqrt(n^2 + 5).
bool is_power(std::string const& variable) { return !detail::meaning(variable).exponent.is_constant(); }

/// The monomials of a polynomial that are in the same powers with symbolic exponents, together.
struct Group {
    std::vector<std::uint64_t> powers;  ///< exponents of the variables that are powers, 0 at the others
    std::vector<Polynomial::Monomial> rest;
};

std::vector<Group> groups_by_powers(Polynomial const& p) {
    auto const& names = p.variables();
    std::vector<Group> out;
    std::map<std::vector<std::uint64_t>, std::size_t> places;
    for (auto monomial : p.monomials()) {
        std::vector<std::uint64_t> powers(names.size(), 0);
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (is_power(names[i])) std::swap(powers[i], monomial.exponents[i]);
        }
        auto const [at, fresh] = places.emplace(powers, out.size());
        if (fresh) out.push_back({.powers = powers, .rest = {}});
        out[at->second].rest.push_back(std::move(monomial));
    }
    return out;
}

/// Polynomials may be in powers with symbolic exponents, such as (n + 5)^L: one piece for each combination of those.
/// What stands in front of a combination is multiplied at once: to add it up monomial by monomial takes the square of
/// the time.
std::vector<Piece> multiplied(std::vector<Piece> const& pieces, RationalFunction::Factor const& factor) {
    auto const& [base, exponent] = factor;
    bool const mixed = base.kind == RationalFunction::Base::Kind::polynomial && exponent == Exponent(1) &&
                       std::any_of(base.polynomial.variables().begin(), base.polynomial.variables().end(), is_power);
    std::vector<Piece> out = pieces;
    if (!mixed) {
        for (auto& piece : out) piece.multiply(as_formula(base), exponent);
        return out;
    }
    out.clear();
    auto const& names = base.polynomial.variables();
    for (auto const& group : groups_by_powers(base.polynomial)) {
        auto const rest = Polynomial::from_monomials(names, group.rest);
        for (Piece piece : pieces) {
            piece.multiply(rest);
            for (std::size_t i = 0; i < names.size(); ++i) {
                Exponent const times(static_cast<int>(group.powers[i]));
                if (times.is_zero()) continue;
                auto const power_of = detail::meaning(names[i]);
                piece.multiply(as_formula(power_of.base), power_of.exponent * times);
            }
            out.push_back(std::move(piece));
        }
    }
    return out;
}

}  // namespace

ExpPolynomial by_depth(RationalFunction const& x) {
    ExpPolynomial out;
    for (auto const& term : x.terms()) {
        std::vector<Piece> pieces{{.coefficient = term.coefficient, .bases = {}}};
        for (auto const& factor : term.factors) pieces = multiplied(pieces, factor);
        for (auto const& piece : pieces) {
            ExpPolynomial::Term t{.powers = {}, .coefficient = piece.coefficient};
            for (auto const& [symbol, base] : piece.bases) t.powers.emplace_back(base, Exponent::symbol(symbol));
            out.add(std::move(t));
        }
    }
    return out;
}

}  // namespace isserlis
