// SPDX-License-Identifier: MIT
#include "range/residue_reader.hpp"

#include <isserlis/error.hpp>

#include <cstdint>
#include <limits>

namespace isserlis::quantity {
namespace {

using Word = WordModulus::Number;
constexpr Residue unit_residue{.re = 1, .im = 0};

Residue operator*(Residue const& x, Residue const& y) {
    Residue out;
    WordModulus::add_product(out.re, x.re, y.re);
    WordModulus::add_product(out.re, x.im, WordModulus::negative(y.im));
    WordModulus::add_product(out.im, x.re, y.im);
    WordModulus::add_product(out.im, x.im, y.re);
    return out;
}

void add_to(Residue& sum, Residue const& x) {
    WordModulus::add_product(sum.re, x.re, 1);
    WordModulus::add_product(sum.im, x.im, 1);
}

/// Of what is not 0: its conjugate over its norm, which is not 0 either.
Residue inverse_of(Residue const& x) {
    Word norm = 0;
    WordModulus::add_product(norm, x.re, x.re);
    WordModulus::add_product(norm, x.im, x.im);
    Word const over = WordModulus::inverse(norm);
    return {.re = WordModulus::product(x.re, over), .im = WordModulus::product(WordModulus::negative(x.im), over)};
}

Residue raised(Residue x, std::uint64_t exponent) {
    Residue out = unit_residue;
    for (; exponent != 0; exponent /= 2) {
        if (exponent % 2 == 1) out = out * x;
        x = x * x;
    }
    return out;
}

/// A root of x, of 61 bits: p is 3 modulo 4, so that x or -x has the power (p + 1)/4 for one.
Residue some_root(Word x) {
    constexpr std::uint64_t quarter = std::uint64_t(1) << 59U;
    Word const candidate = WordModulus::power(x, quarter);
    if (WordModulus::product(candidate, candidate) == x) return {.re = candidate, .im = 0};
    return {.re = 0, .im = WordModulus::power(WordModulus::negative(x), quarter)};
}

Integer whole_root(Integer const& x) {
    Integer out;
    mpz_sqrt(out.backend().data(), x.backend().data());
    return out;
}

}  // namespace

std::optional<Residue> ResidueReader::of(Rational const& x) {
    if (x.is_zero()) return Residue{};
    Word const above = WordModulus::of(numerator_of(x));
    Word const below = WordModulus::of(denominator_of(x));
    if (above == 0 || below == 0) return std::nullopt;
    return Residue{.re = below == 1 ? above : WordModulus::product(above, WordModulus::inverse(below)), .im = 0};
}

std::optional<Residue> ResidueReader::value(Expression const& e) {
    using Kind = Expression::Kind;
    switch (e.kind()) {
        case Kind::number: return of(e.number());
        case Kind::symbol: return kept(e, 1);
        case Kind::power: {
            auto const& base = e.operands()[0];
            auto const& exponent = e.operands()[1];
            bool const is_plain = base.kind() == Kind::symbol && exponent.kind() == Kind::number;
            return is_plain ? kept(base, exponent.number()) : power_of(base, fractions_.value(exponent));
        }
        case Kind::sqrt: return root(e.operands()[0]);
        case Kind::exp: return std::nullopt;
        case Kind::add: return sum(e);
        case Kind::multiply: return product(e);
        case Kind::negate:
        case Kind::divide: break;
    }
    auto const first = value(e.operands()[0]);
    if (!first) return std::nullopt;
    if (e.kind() == Kind::negate)
        return Residue{.re = WordModulus::negative(first->re), .im = WordModulus::negative(first->im)};
    auto const second = value(e.operands()[1]);
    if (!second) return std::nullopt;
    if (second->is_zero()) throw DomainError("a divisor is 0");
    return *first * inverse_of(*second);
}

std::optional<Residue> ResidueReader::sum(Expression const& e) {
    Residue out;
    for (auto const& operand : e.operands()) {
        auto const x = value(operand);
        if (!x) return std::nullopt;
        add_to(out, *x);
    }
    return out;
}

std::optional<Residue> ResidueReader::product(Expression const& e) {
    Residue out = unit_residue;
    for (auto const& operand : e.operands()) {
        auto const x = value(operand);
        if (!x) return std::nullopt;
        out = out * *x;
    }
    return out;
}

/// A long sum has the same few powers of its symbols in each term.
std::optional<Residue> ResidueReader::kept(Expression const& symbol, Rational const& exponent) {
    auto const [at, fresh] = powers_.try_emplace({symbol.symbol(), exponent});
    if (!fresh) return at->second;
    auto const value = values_.find(symbol.symbol());
    if (value == values_.end()) return std::nullopt;
    return at->second = exponent == 1 ? of(value->second) : power_of(symbol, exponent);
}

/// To whole and half powers.
std::optional<Residue> ResidueReader::power_of(Expression const& radix, std::optional<Rational> const& exponent) {
    if (!exponent) return std::nullopt;
    bool const is_half = denominator_of(*exponent) == 2;
    Integer const times = abs(numerator_of(*exponent));
    if ((!is_half && !is_integer(*exponent)) || times > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    auto const base = is_half ? root(radix) : value(radix);
    if (!base) return std::nullopt;
    if (*exponent < 0 && base->is_zero()) throw DomainError("a divisor is 0");
    Residue const to_power = raised(*base, times.convert_to<std::uint64_t>());
    return *exponent < 0 ? inverse_of(to_power) : to_power;
}

/// sqrt(a/b) = sqrt(a b)/b. The exact radicand is read once for its residue.
std::optional<Residue> ResidueReader::root(Expression const& radicand) {
    auto const residue = value(radicand);
    if (!residue || residue->im != 0) return std::nullopt;
    auto const [at, fresh] = roots_.try_emplace(residue->re);
    if (!fresh) return at->second;
    auto const x = fractions_.value(radicand);
    if (!x) return std::nullopt;
    if (*x < 0) throw DomainError("a root of a negative number");
    if (x->is_zero()) return at->second = Residue{};
    Integer const below = denominator_of(*x);
    auto const above = root_of(Integer(numerator_of(*x) * below));
    auto const over = of(ratio(1, below));
    if (above && over) at->second = *above * *over;
    return at->second;
}

/// Of a whole number above 0. If it times a product of those chosen is a square, then its root is that of the square over
/// their roots; else it is chosen itself.
std::optional<Residue> ResidueReader::root_of(Integer const& x) {
    constexpr std::size_t most = 6;
    for (std::size_t subset = 0; subset < std::size_t(1) << chosen_.size(); ++subset) {
        Integer radicand = x;
        Residue roots = unit_residue;
        for (std::size_t i = 0; i < chosen_.size(); ++i) {
            if ((subset >> i) % 2 == 0) continue;
            radicand *= chosen_[i].first;
            roots = roots * chosen_[i].second;
        }
        if (mpz_perfect_square_p(radicand.backend().data()) == 0) continue;
        auto const whole = of(Rational(whole_root(radicand)));
        return whole ? std::optional(*whole * inverse_of(roots)) : std::nullopt;
    }
    Word const residue = WordModulus::of(x);
    if (chosen_.size() == most || residue == 0) return std::nullopt;
    chosen_.emplace_back(x, some_root(residue));
    return chosen_.back().second;
}

}  // namespace isserlis::quantity
