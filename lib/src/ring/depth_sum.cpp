// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/ring/depth_sum.hpp>
#include <isserlis/ring/parse.hpp>
#include <map>
#include <string>
#include <vector>

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
    RationalFunction coefficient;
    std::map<std::string, RationalFunction> bases;

    void multiply(RationalFunction const& base, Exponent const& exponent) {
        coefficient = coefficient * power(base, Exponent(exponent.constant()));
        for (auto const& [symbol, count] : exponent.symbols()) {
            auto& of_symbol = bases.emplace(symbol, RationalFunction(1)).first->second;
            of_symbol = of_symbol * power(base, Exponent(count));
        }
    }
};

/// Polynomials may be in powers with symbolic exponents, such as (n + 5)^L: one piece for each combination of those.
std::vector<Piece> multiplied(std::vector<Piece> const& pieces, RationalFunction::Factor const& factor) {
    auto const& [base, exponent] = factor;
    auto is_power = [](std::string const& variable) { return variable.find('^') != std::string::npos; };
    bool const mixed = base.kind == RationalFunction::Base::Kind::polynomial && exponent == Exponent(1) &&
                       std::any_of(base.polynomial.variables().begin(), base.polynomial.variables().end(), is_power);
    std::vector<Piece> out = pieces;
    if (!mixed) {
        for (auto& piece : out) piece.multiply(as_formula(base), exponent);
        return out;
    }
    out.clear();
    auto const& names = base.polynomial.variables();
    for (auto const& monomial : base.polynomial.monomials()) {
        for (Piece piece : pieces) {
            piece.coefficient = piece.coefficient * RationalFunction(monomial.coefficient);
            for (std::size_t i = 0; i < names.size(); ++i) {
                Exponent const times(static_cast<int>(monomial.exponents[i]));
                if (times.is_zero()) continue;
                if (!is_power(names[i])) {
                    piece.multiply(parse_rational_function(names[i], "value"), times);  // a symbol, or a root of one
                    continue;
                }
                RationalFunction const power_of = parse_rational_function(names[i], "value");
                for (auto const& term : power_of.terms()) {
                    for (auto const& [b, e] : term.factors) piece.multiply(as_formula(b), e * times);
                }
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
