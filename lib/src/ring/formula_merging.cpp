// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "formula_terms.hpp"

namespace isserlis {
namespace {

using namespace detail;

/// The power base^(part of an exponent) that merging treats as one quantity: the constant part, or one symbol's part.
struct Atom {
    Base base;
    std::string symbol;  // "" for the constant part

    [[nodiscard]] Exponent scaled(Rational const& by) const {
        return symbol.empty() ? Exponent(by) : Exponent(by) * Exponent::symbol(symbol);
    }
};

struct AtomLess {
    bool operator()(Atom const& a, Atom const& b) const {
        int const order = compare(a.base, b.base);
        return order != 0 ? order < 0 : a.symbol < b.symbol;
    }
};

using Atoms = std::map<Atom, Rational, AtomLess>;

Atoms atoms_of(Term const& term) {
    Atoms out;
    for (auto const& f : term.factors) {
        if (!f.exponent.constant().is_zero()) out[{f.base, ""}] = f.exponent.constant();
        for (auto const& [name, coefficient] : f.exponent.symbols()) out[{f.base, name}] = coefficient;
    }
    return out;
}

constexpr double most_expanded_bits = 1e9;  // of all coefficients of a sum that is merged

struct ExpandedSize {
    double monomials = 0;
    double bits = 0;  ///< of the coefficients together
};

/// Of an expanded product, or more; saturates.
ExpandedSize expanded_size(Atoms const& atoms) {
    constexpr double plenty = 1e12;
    double size = 1;
    double bits = 0;                       // of one coefficient
    std::map<std::string, double> degree;  // of the product in each variable: no more monomials than the box holds
    for (auto const& [atom, exponent] : atoms) {
        if (atom.base.kind != Kind::polynomial || !atom.symbol.empty()) continue;
        auto const& p = atom.base.polynomial;
        auto const length = static_cast<double>(p.length());
        auto const e = exponent.convert_to<double>();
        // binomial(length + e - 1, e), the size of a full power
        double power_size = 1;
        for (double i = 1; i < length && power_size < plenty; ++i) power_size *= (e + i) / i;
        size = std::min(size * power_size, plenty);
        auto const degrees = p.degrees();
        for (std::size_t i = 0; i < degrees.size(); ++i)
            degree[p.variables()[i]] += e * static_cast<double>(degrees[i]);
        bits += e * (static_cast<double>(p.coefficient_bits()) - 1 + std::log2(length));
    }
    double box = 1;
    for (auto const& [name, d] : degree) box = std::min(box * (d + 1), plenty);
    size = std::min(size, box);
    return {.monomials = size, .bits = size * bits};
}

/// A product with non-negative exponents as a polynomial; `halves` lists the atoms that some term has to a half power.
Polynomial expand(Rational const& coefficient_over_one, Atoms const& atoms, std::set<std::string> const& root_symbols,
                  std::set<Atom, AtomLess> const& half_powers) {
    Polynomial out(numerator_of(coefficient_over_one));
    for (auto const& [atom, exponent] : atoms) {
        Rational e = exponent;
        bool const in_halves = half_powers.count(atom) != 0;
        if (atom.base.kind == Kind::polynomial && atom.symbol.empty()) {
            auto const whole = checked_count(numerator_of(e) / denominator_of(e));
            out = out * power(in_roots(atom.base.polynomial, root_symbols), whole);
            if (!is_integer(e)) out = out * generator(atom.base, Exponent(ratio(1, 2)));
            continue;
        }
        if (in_halves) {
            out = out *
                  power(generator(atom.base, atom.scaled(ratio(1, 2))), checked_count(numerator_of(Rational(e * 2))));
        } else {
            out = out * power(generator(atom.base, atom.scaled(Rational(1))), checked_count(numerator_of(e)));
        }
    }
    return reduced(out);
}

}  // namespace

RationalFunction RationalFunction::collect(std::vector<Term> terms, std::size_t most_monomials) {
    merge_equal_products(terms);
    RationalFunction out;
    if (terms.size() < 2 || terms.size() > most_monomials) {
        out.terms_ = std::move(terms);
        return out;
    }
    // Common part: for each atom the least exponent over the terms, 0 where it is absent.
    std::vector<Atoms> atoms;
    for (auto const& t : terms) atoms.push_back(atoms_of(t));
    Atoms least;
    for (auto const& a : atoms) {
        for (auto const& [atom, e] : a) least.emplace(atom, e);
    }
    for (auto& [atom, e] : least) {
        for (auto const& a : atoms) {
            auto const at = a.find(atom);
            e = std::min(e, at == a.end() ? Rational(0) : at->second);
        }
    }
    double size = 0;
    double bits = 0;
    std::set<Atom, AtomLess> half_powers;
    std::set<std::string> root_symbols;
    bool mergeable = true;
    for (auto& a : atoms) {
        for (auto const& [atom, e] : least) {
            auto const [at, fresh] = a.emplace(atom, Rational(0));
            at->second -= e;
        }
        std::erase_if(a, [](auto const& item) { return item.second.is_zero(); });
        for (auto const& [atom, e] : a) {
            if (is_integer(e)) continue;
            mergeable = mergeable && denominator_of(e) == 2;
            half_powers.insert(atom);
            if (atom.base.kind == Kind::symbol && atom.symbol.empty()) root_symbols.insert(atom.base.symbol);
        }
        auto const expanded = expanded_size(a);
        size += expanded.monomials;
        bits += expanded.bits;
    }
    // Over a common denominator (n + 2)(n - 1) the formula (n + 2)^(l - 1) + (n - 1)^(l - 1) would be undefined at n
    // = 1. Merging that was not asked for keeps such sums as they are.
    auto const bears_symbol = [&](Base const& base) {
        return std::any_of(atoms.begin(), atoms.end(), [&](Atoms const& a) {
            return std::any_of(a.begin(), a.end(), [&](auto const& item) {
                return !item.first.symbol.empty() && compare(item.first.base, base) == 0;
            });
        });
    };
    for (auto const& [atom, e] : least) {
        if (most_monomials > merge_below || e >= 0 || !atom.symbol.empty() || atom.base.kind != Kind::polynomial)
            continue;
        mergeable = mergeable && !bears_symbol(atom.base);
    }
    if (!mergeable || size > static_cast<double>(most_monomials) || bits > most_expanded_bits) {
        out.terms_ = std::move(terms);
        return out;
    }
    // Roots of a symbol in the polynomials of any term make it a root everywhere.
    for (auto const& a : atoms) {
        for (auto const& [atom, e] : a) {
            if (atom.base.kind != Kind::polynomial) continue;
            for (auto const& name : atom.base.polynomial.variables()) {
                Factor const f = meaning(name);
                if (f.base.kind == Kind::symbol && f.exponent == Exponent(ratio(1, 2)))
                    root_symbols.insert(f.base.symbol);
            }
        }
    }
    for (auto const& name : root_symbols) half_powers.insert({symbol_base(name), ""});
    Integer denominator = 1;
    for (auto const& t : terms) denominator = lcm(denominator, denominator_of(t.coefficient));
    Polynomial sum(0);
    for (std::size_t i = 0; i < terms.size(); ++i) {
        sum = sum + expand(terms[i].coefficient * Rational(denominator), atoms[i], root_symbols, half_powers);
    }
    sum = reduced(sum);
    if (sum.is_zero()) return out;
    Term merged{.coefficient = ratio(Integer(1), denominator), .factors = {}};
    for (auto const& [atom, e] : least) {
        if (!e.is_zero()) multiply_into(merged, atom.base, atom.scaled(e));
    }
    multiply_by_polynomial(merged, sum);
    out.terms_.push_back(std::move(merged));
    return out;
}

}  // namespace isserlis
