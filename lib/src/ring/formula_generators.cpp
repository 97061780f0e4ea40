// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>

#include "formula_terms.hpp"

namespace isserlis::detail {
namespace {

// Sums are merged by FLINT over generators: a symbol, the root of a symbol or of an integer, or a power with a symbolic
// exponent such as (n + 5)^L. The name of a generator is its printed text; this table knows what it stands for.

struct Generators {
    std::mutex guard;
    std::unordered_map<std::string, Factor> meaning;
};

Generators& generators() {
    static Generators table;
    return table;
}

/// True for a generator that is a square root: sqrt(n), sqrt(2), sqrt(n + 5), n^(L/2).
bool is_root(Factor const& f) {
    return !is_integer(f.exponent.constant()) || std::any_of(f.exponent.symbols().begin(), f.exponent.symbols().end(),
                                                             [](auto const& part) { return !is_integer(part.second); });
}

/// p with every `square` written as root^2.
Polynomial with_squares_of(Polynomial const& p, std::string const& square, std::string const& root) {
    auto const& names = p.variables();
    auto const at = std::find(names.begin(), names.end(), square);
    if (at == names.end()) return p;
    auto renamed = names;
    auto monomials = p.monomials();
    auto const i = static_cast<std::size_t>(at - names.begin());
    renamed[i] = root;
    for (auto& m : monomials) m.exponents[i] *= 2;
    return Polynomial::from_monomials(renamed, monomials);
}

}  // namespace

Polynomial generator(Base const& base, Exponent const& unit) {
    std::string const name = factor_text(base, unit);
    if (!(base.kind == Kind::symbol && unit == Exponent(1))) {
        auto& table = generators();
        std::lock_guard const lock(table.guard);
        table.meaning.emplace(name, Factor{.base = base, .exponent = unit});
    }
    return Polynomial::variable(name);
}

Factor meaning(std::string const& name) {
    auto& table = generators();
    std::lock_guard const lock(table.guard);
    auto const at = table.meaning.find(name);
    if (at != table.meaning.end()) return at->second;
    return {.base = symbol_base(name), .exponent = Exponent(1)};
}

/// Symbols under a root in one term have to be roots in all of them.
Polynomial in_roots(Polynomial const& p, std::set<std::string> const& roots) {
    auto const& names = p.variables();
    if (std::none_of(names.begin(), names.end(), [&](auto const& name) { return roots.count(name) != 0; })) return p;
    auto monomials = p.monomials();
    std::vector<std::string> renamed;
    for (std::size_t i = 0; i < names.size(); ++i) {
        bool const root = roots.count(names[i]) != 0;
        if (root) {
            Base const base = symbol_base(names[i]);
            renamed.push_back(generator(base, Exponent(ratio(1, 2))).variables().front());
            for (auto& m : monomials) m.exponents[i] *= 2;
        } else {
            renamed.push_back(names[i]);
        }
    }
    return Polynomial::from_monomials(renamed, monomials);
}

/// Rewrites what a polynomial says in roots: sqrt(2)^2 is 2, sqrt(n + 5)^2 is n + 5, and sqrt(n) with even powers only
/// is n.
Polynomial reduced(Polynomial const& p) {
    auto const& names = p.variables();
    std::vector<Factor> means;
    std::set<std::string> root_symbols;
    for (auto const& name : names) {
        means.push_back(meaning(name));
        if (is_root(means.back()) && means.back().base.kind == Kind::symbol && means.back().exponent.is_constant()) {
            root_symbols.insert(means.back().base.symbol);
        }
    }
    if (std::none_of(means.begin(), means.end(), is_root)) return p;
    if (std::any_of(names.begin(), names.end(), [&](auto const& name) { return root_symbols.count(name) != 0; })) {
        return reduced(in_roots(p, root_symbols));
    }
    // n^(L/2) beside n^L: the latter is a square.
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!is_root(means[i]) || means[i].exponent.is_constant()) continue;
        std::string const square = factor_text(means[i].base, Exponent(2) * means[i].exponent);
        if (std::find(names.begin(), names.end(), square) != names.end()) {
            return reduced(with_squares_of(p, square, names[i]));
        }
    }
    // Squares of roots of sums bring in new monomials: one such root at a time.
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!is_root(means[i]) || means[i].base.kind != Kind::polynomial || !means[i].exponent.is_constant()) continue;
        auto const monomials = p.monomials();
        if (std::none_of(monomials.begin(), monomials.end(), [i](auto const& m) { return m.exponents[i] > 1; }))
            continue;
        std::map<std::uint64_t, std::vector<Polynomial::Monomial>> by_square;
        for (auto m : monomials) {
            std::uint64_t const squares = m.exponents[i] / 2;
            m.exponents[i] %= 2;
            by_square[squares].push_back(std::move(m));
        }
        Polynomial const inside = in_roots(means[i].base.polynomial, root_symbols);
        Polynomial sum(0);
        for (auto const& [squares, part] : by_square) {
            sum = sum + Polynomial::from_monomials(names, part) * power(inside, squares);
        }
        return reduced(sum);
    }
    auto monomials = p.monomials();
    std::vector<std::string> renamed = names;
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto const& f = means[i];
        if (!is_root(f)) continue;
        if (f.base.kind == Kind::integer && f.exponent.is_constant()) {
            for (auto& m : monomials) {
                m.coefficient *= power(f.base.number, m.exponents[i] / 2);
                m.exponents[i] %= 2;
            }
            continue;
        }
        if (f.base.kind == Kind::polynomial && f.exponent.is_constant()) continue;
        bool const even =
            std::all_of(monomials.begin(), monomials.end(), [&](auto const& m) { return m.exponents[i] % 2 == 0; });
        if (!even) continue;
        renamed[i] = generator(f.base, Exponent(2) * f.exponent).variables().front();
        for (auto& m : monomials) m.exponents[i] /= 2;
    }
    return Polynomial::from_monomials(renamed, monomials);
}

}  // namespace isserlis::detail
