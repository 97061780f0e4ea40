// SPDX-License-Identifier: MIT
#include "laurent_series.hpp"

#include <isserlis/ring/parse.hpp>

#include <algorithm>

namespace isserlis::detail {
namespace {

RationalFunction integer(std::size_t n) { return RationalFunction(Rational(Integer(n))); }

LaurentSeries constant(RationalFunction const& x, std::size_t terms) {
    LaurentSeries out{.leading = 0, .c = Coefficients(terms)};
    out.c[0] = x;
    return out;
}

/// p = x^e, e whole, by x p' = e x' p: k x_0 p_k = sum_(i = 1)^k (i e - (k - i)) x_i p_(k-i).
Coefficients whole_power(Coefficients const& x, Rational const& e) {
    Coefficients out(x.size());
    out[0] = power(x[0], Exponent(e));
    for (std::size_t k = 1; k < x.size(); ++k) {
        std::vector<RationalFunction> parts;
        for (std::size_t i = 1; i <= k; ++i) {
            Rational const times = Rational(Integer(i)) * e - Rational(Integer(k - i));
            if (!times.is_zero() && !x[i].is_zero()) parts.push_back(RationalFunction(times) * x[i] * out[k - i]);
        }
        out[k] = (RationalFunction::sum(parts) / (integer(k) * x[0])).merged();
    }
    return out;
}

/// x^(whole or half power), the latter by the logarithm of 1 + O(1/s).
LaurentSeries power_of(LaurentSeries x, Rational const& exponent) {
    x = trimmed(std::move(x));
    if (x.c.empty()) throw Cancels("the expansion cancels to the last order");
    if (exponent == 1) {
        for (auto& c : x.c) c = c.merged();
        return x;
    }
    Rational const degree = exponent * x.leading;
    if (denominator_of(degree) != 1) throw NeedsRoot{};
    if (denominator_of(exponent) == 1)
        return {.leading = static_cast<long>(numerator_of(degree)), .c = whole_power(x.c, exponent)};
    RationalFunction const first = x.c[0];
    RationalFunction const inverse = RationalFunction(1) / first;
    for (auto& c : x.c) c = (c * inverse).merged();
    Coefficients logs = logarithm(x.c);
    for (auto& l : logs) l = l * RationalFunction(exponent);
    LaurentSeries out{.leading = static_cast<long>(numerator_of(degree)), .c = exponential(logs)};
    RationalFunction const scale = power(first, Exponent(exponent));
    for (auto& c : out.c) c = (c * scale).merged();
    return out;
}

LaurentSeries symbol_power(std::string const& name, Rational const& exponent, Growing const& growing,
                           std::size_t terms) {
    auto const at = growing.multiples.find(name);
    if (at == growing.multiples.end())
        return constant(power(RationalFunction::symbol(name), Exponent(exponent)), terms);
    Rational const degree = exponent * growing.root;
    if (denominator_of(degree) != 1) throw NeedsRoot{};
    LaurentSeries out = constant(power(at->second, Exponent(exponent)), terms);
    out.leading = static_cast<long>(numerator_of(degree));
    return out;
}

LaurentSeries expanded(Polynomial const& p, Growing const& growing, std::size_t terms) {
    auto const& names = p.variables();
    std::vector<LaurentSeries> parts;
    std::map<std::size_t, LaurentSeries> bases;
    for (auto const& monomial : p.monomials()) {
        LaurentSeries s = constant(RationalFunction(monomial.coefficient), terms);
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (monomial.exponents[i] == 0) continue;
            Rational const exponent(Integer(monomial.exponents[i]));
            if (names[i].find_first_of("^(") == std::string::npos) {
                s = s * symbol_power(names[i], exponent, growing, terms);
                continue;
            }
            // A root, or a power with a symbol in its exponent, as one variable.
            auto base = bases.find(i);
            if (base == bases.end())
                base = bases.emplace(i, detail::expanded(parse_rational_function(names[i], "value"), growing, terms))
                           .first;
            s = s * power_of(base->second, exponent);
        }
        parts.push_back(std::move(s));
    }
    return sum(parts);
}

LaurentSeries expanded(RationalFunction::Factor const& factor, Growing const& growing, std::size_t terms) {
    using Kind = RationalFunction::Base::Kind;
    auto const& [base, exponent] = factor;
    if (!exponent.is_constant()) {
        RationalFunction const value = base.kind == Kind::integer  ? RationalFunction(base.number)
                                       : base.kind == Kind::symbol ? RationalFunction::symbol(base.symbol)
                                                                   : RationalFunction(base.polynomial);
        RationalFunction const whole = power(value, exponent);
        for (auto const& name : whole.symbols()) {
            if (growing.multiples.count(name) != 0)
                throw UnsupportedError("the value has powers such as " + to_string(whole) +
                                       " in a coefficient, which no expansion covers");
        }
        return constant(whole, terms);
    }
    switch (base.kind) {
        case Kind::integer: return constant(power(RationalFunction(base.number), exponent), terms);
        case Kind::symbol: return symbol_power(base.symbol, exponent.constant(), growing, terms);
        case Kind::polynomial: break;
    }
    return power_of(expanded(base.polynomial, growing, terms), exponent.constant());
}

}  // namespace

LaurentSeries operator*(LaurentSeries const& a, LaurentSeries const& b) {
    LaurentSeries out{.leading = a.leading + b.leading, .c = Coefficients(std::min(a.c.size(), b.c.size()))};
    for (std::size_t k = 0; k < out.c.size(); ++k) {
        std::vector<RationalFunction> products;
        for (std::size_t i = 0; i <= k; ++i) {
            if (!a.c[i].is_zero() && !b.c[k - i].is_zero()) products.push_back(a.c[i] * b.c[k - i]);
        }
        out.c[k] = RationalFunction::sum(products).merged();
    }
    return out;
}

LaurentSeries operator+(LaurentSeries const& a, LaurentSeries const& b) { return sum({a, b}); }

LaurentSeries sum(std::vector<LaurentSeries> const& parts) {
    if (parts.size() == 1) return parts.front();
    LaurentSeries out;
    long end = 0;
    for (auto const& s : parts) {
        bool const first = &s == &parts.front();
        long const here = s.leading - static_cast<long>(s.c.size());
        out.leading = first ? s.leading : std::max(out.leading, s.leading);
        end = first ? here : std::max(end, here);
    }
    for (long power = out.leading; power > end; --power) {
        std::vector<RationalFunction> found;
        for (auto const& s : parts) {
            auto const k = s.leading - power;
            if (k >= 0 && k < static_cast<long>(s.c.size())) found.push_back(s.c[static_cast<std::size_t>(k)]);
        }
        out.c.push_back(RationalFunction::sum(found).merged());
    }
    return out;
}

LaurentSeries trimmed(LaurentSeries x) {
    auto const first = std::find_if(x.c.begin(), x.c.end(), [](auto const& c) { return !c.is_zero(); });
    x.leading -= first - x.c.begin();
    x.c.erase(x.c.begin(), first);
    return x;
}

Coefficients logarithm(Coefficients const& a) {
    // k l_k = k a_k - sum_(i<k) i l_i a_(k-i)
    Coefficients out(a.size());
    for (std::size_t k = 1; k < a.size(); ++k) {
        std::vector<RationalFunction> parts{integer(k) * a[k]};
        for (std::size_t i = 1; i < k; ++i) parts.push_back(-(integer(i) * out[i] * a[k - i]));
        out[k] = (RationalFunction::sum(parts) / integer(k)).merged();
    }
    return out;
}

Coefficients exponential(Coefficients const& a) {
    Coefficients out(a.size());
    out[0] = RationalFunction(1);
    for (std::size_t k = 1; k < a.size(); ++k) {
        std::vector<RationalFunction> parts;
        for (std::size_t i = 1; i <= k; ++i) parts.push_back(integer(i) * a[i] * out[k - i]);
        out[k] = (RationalFunction::sum(parts) / integer(k)).merged();
    }
    return out;
}

LaurentSeries expanded(RationalFunction const& x, Growing const& growing, std::size_t terms) {
    if (x.terms().empty()) return {.leading = 0, .c = Coefficients(terms)};
    std::vector<LaurentSeries> parts;
    for (auto const& term : x.terms()) {
        LaurentSeries s = constant(RationalFunction(term.coefficient), terms);
        for (auto const& factor : term.factors) s = s * expanded(factor, growing, terms);
        parts.push_back(std::move(s));
    }
    return sum(parts);
}

BaseGrowth growth_of(RationalFunction const& base, Growing const& growing, std::size_t terms) {
    LaurentSeries s = trimmed(expanded(base, growing, terms));
    if (s.c.empty()) throw Cancels("the expansion of " + to_string(base) + " cancels to the last order");
    RationalFunction const limit = s.c[0];
    RationalFunction const inverse = RationalFunction(1) / limit;
    for (auto& x : s.c) x = (x * inverse).merged();
    return {.limit = limit, .degree = s.leading, .logarithm = logarithm(s.c)};
}

}  // namespace isserlis::detail
