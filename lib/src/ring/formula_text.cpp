// SPDX-License-Identifier: MIT
#include <algorithm>

#include "formula_terms.hpp"

namespace isserlis {
namespace detail {
namespace {

std::string term_text(Term const& t);

/// 3*m*n^2, of symbols in the order of their names. What `term_text` says of it, without a product for each monomial.
std::string monomial_text(Integer const& size, std::vector<std::string> const& names,
                          std::vector<std::uint64_t> const& exponents) {
    std::string out = size == 1 ? "" : to_string(size);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (exponents[i] == 0) continue;
        if (!out.empty()) out += '*';
        out += names[i];
        if (exponents[i] != 1) out += '^' + std::to_string(exponents[i]);
    }
    return out.empty() ? "1" : out;
}

std::string polynomial_text(Polynomial const& p) {
    auto const& names = p.variables();
    std::vector<Factor> means;
    for (auto const& name : names) means.push_back(meaning(name));
    bool const of_symbols = std::all_of(means.begin(), means.end(), [](Factor const& f) {
        return f.base.kind == Kind::symbol && f.exponent == Exponent(1);
    });
    // Positive monomials first when the leading one is negative: "2 - n" and not "-n + 2".
    auto monomials = p.monomials();
    if (!monomials.empty() && monomials.front().coefficient < 0) {
        std::stable_partition(monomials.begin(), monomials.end(), [](auto const& m) { return m.coefficient > 0; });
    }
    std::string out;
    for (auto const& m : monomials) {
        bool const negative = m.coefficient < 0;
        Integer const size = abs(m.coefficient);
        if (out.empty()) {
            out += negative ? "-" : "";
        } else {
            out += negative ? " - " : " + ";
        }
        if (of_symbols) {
            out += monomial_text(size, names, m.exponents);
            continue;
        }
        Term product{.coefficient = Rational(size), .factors = {}};
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (m.exponents[i] == 0) continue;
            multiply_into(product, means[i].base, means[i].exponent * Exponent(Rational(Integer(m.exponents[i]))));
        }
        out += term_text(product);
    }
    return out;
}

std::string base_text(Base const& base) {
    switch (base.kind) {
        case Kind::integer: return to_string(base.number);
        case Kind::symbol: return base.symbol;
        case Kind::polynomial: break;
    }
    return polynomial_text(base.polynomial);
}

bool is_half(Exponent const& e) { return e.is_constant() && e.constant() == ratio(1, 2); }

void append_side(std::vector<std::string>& side, std::vector<Factor> const& factors) {
    Integer under_root = 1;  // sqrt(2) sqrt(5) reads better as sqrt(10)
    for (auto const& f : factors) {
        if (f.base.kind == Kind::integer && is_half(f.exponent)) under_root *= f.base.number;
    }
    if (under_root != 1) side.push_back("sqrt(" + to_string(under_root) + ")");
    for (auto const& f : factors) {
        if (f.base.kind == Kind::integer && is_half(f.exponent)) continue;
        side.push_back(factor_text(f.base, f.exponent));
    }
}

std::string join(std::vector<std::string> const& parts) {
    std::string out;
    for (auto const& p : parts) out += (out.empty() ? "" : "*") + p;
    return out;
}

/// The same term with a positive coefficient, when the sign can go into a sum that stands alone in the numerator.
Term with_sign_inside(Term const& t) {
    if (t.coefficient > 0) return t;
    Term out = t;
    for (auto& f : out.factors) {
        if (f.base.kind != Kind::polynomial || !(f.exponent == Exponent(1))) continue;
        f.base.polynomial = Polynomial(0) - f.base.polynomial;
        out.coefficient = -out.coefficient;
        return out;
    }
    return t;
}

/// A term without its sign.
std::string term_text(Term const& t) {
    std::vector<Factor> above;
    std::vector<Factor> below;
    for (auto const& f : t.factors) {
        if (f.exponent.leading_sign() < 0) {
            below.push_back({.base = f.base, .exponent = Exponent(-1) * f.exponent});
        } else {
            above.push_back(f);
        }
    }
    Integer const p = abs(numerator_of(t.coefficient));
    Integer const q = denominator_of(t.coefficient);
    std::vector<std::string> top;
    std::vector<std::string> bottom;
    if (p != 1) top.push_back(to_string(p));
    append_side(top, above);
    if (q != 1) bottom.push_back(to_string(q));
    append_side(bottom, below);
    if (bottom.empty()) {
        // A lone sum needs no brackets.
        if (top.size() == 1 && above.size() == 1 && above[0].base.kind == Kind::polynomial &&
            above[0].exponent == Exponent(1)) {
            return polynomial_text(above[0].base.polynomial);
        }
        return top.empty() ? "1" : join(top);
    }
    std::string const numerator = top.empty() ? "1" : join(top);
    std::string const denominator = bottom.size() == 1 ? bottom[0] : "(" + join(bottom) + ")";
    return numerator + "/" + denominator;
}

bool is_bare_sum(Term const& t) {
    return t.factors.size() == 1 && t.factors[0].base.kind == Kind::polynomial &&
           t.factors[0].exponent == Exponent(1) && abs(t.coefficient) == 1;
}

}  // namespace

/// base^exponent; the exponent is not 0.
std::string factor_text(Base const& base, Exponent const& exponent) {
    std::string const text = base_text(base);
    if (is_half(exponent)) return "sqrt(" + text + ")";
    std::string const grouped = base.kind == Kind::polynomial ? "(" + text + ")" : text;
    if (exponent == Exponent(1)) return grouped;
    std::string const e = to_string(exponent);
    bool const simple = e.find_first_of(" */-") == std::string::npos;
    return grouped + "^" + (simple ? e : "(" + e + ")");
}

}  // namespace detail

std::string to_string(RationalFunction const& x) {
    using namespace detail;
    if (x.terms().empty()) return "0";
    std::vector<std::pair<std::string, bool>> parts;  // text, negative
    for (auto const& term : x.terms()) {
        Term const t = x.terms().size() == 1 ? with_sign_inside(term) : term;
        std::string text = term_text(t);
        bool const negative = t.coefficient < 0;
        if (is_bare_sum(t) && (negative || x.terms().size() > 1)) text = "(" + text + ")";
        parts.emplace_back(std::move(text), negative);
    }
    // Stable whatever the order of evaluation: positive terms first, then by length and text.
    std::sort(parts.begin(), parts.end(), [](auto const& a, auto const& b) {
        if (a.second != b.second) return !a.second;
        if (a.first.size() != b.first.size()) return a.first.size() > b.first.size();
        return a.first < b.first;
    });
    std::string out;
    for (auto const& [text, negative] : parts) {
        if (out.empty()) {
            out += negative ? "-" : "";
        } else {
            out += negative ? " - " : " + ";
        }
        out += text;
    }
    return out;
}

}  // namespace isserlis
