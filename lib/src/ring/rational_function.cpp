// SPDX-License-Identifier: MIT
#include <isserlis/ring/rational_function.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <set>

#include "formula_terms.hpp"

namespace isserlis {
namespace {

using namespace detail;

constexpr std::size_t merge_at_most = 1'000'000;  // monomials of a sum that is merged when it is asked for

/// A root, or a power whose exponent has symbols.
bool is_no_ratio(Factor const& f) {
    return !f.exponent.is_constant() || !is_integer(f.exponent.constant()) || f.base.kind == Kind::integer;
}

}  // namespace

// ---- construction -------------------------------------------------------------------------------------------------

RationalFunction::RationalFunction() = default;
RationalFunction::RationalFunction(RationalFunction const&) = default;
RationalFunction::RationalFunction(RationalFunction&&) noexcept = default;
RationalFunction& RationalFunction::operator=(RationalFunction const&) = default;
RationalFunction& RationalFunction::operator=(RationalFunction&&) noexcept = default;
RationalFunction::~RationalFunction() = default;

RationalFunction::RationalFunction(Rational const& value) {
    if (!value.is_zero()) terms_.push_back({.coefficient = value, .factors = {}});
}

RationalFunction::RationalFunction(Surd const& value) {
    for (auto const& t : value.terms()) {
        Term term{.coefficient = t.coefficient, .factors = {}};
        multiply_by_integer_power(term, t.radicand, Exponent(ratio(1, 2)));
        terms_.push_back(std::move(term));
    }
}

RationalFunction::RationalFunction(Polynomial const& value) {
    if (value.is_zero()) return;
    Term term{.coefficient = 1, .factors = {}};
    // A primitive polynomial is its own base: printing and comparing bases pass through here.
    auto const monomials = value.monomials();
    if (monomials.size() > 1 && value.content() == 1) {
        bool primitive = true;
        for (std::size_t i = 0; primitive && i < value.variables().size(); ++i) {
            primitive = primitive && std::any_of(monomials.begin(), monomials.end(),
                                                 [&](auto const& m) { return m.exponents[i] == 0; });
        }
        if (primitive) {
            term.factors.push_back({.base = polynomial_base(value), .exponent = Exponent(1)});
            terms_.push_back(std::move(term));
            return;
        }
    }
    multiply_by_polynomial(term, value);
    terms_.push_back(std::move(term));
}

RationalFunction::RationalFunction(Exponent const& value) {
    RationalFunction sum(value.constant());
    for (auto const& [name, coefficient] : value.symbols()) sum = sum + symbol(name) * RationalFunction(coefficient);
    *this = std::move(sum);
}

RationalFunction RationalFunction::symbol(std::string const& name) {
    require_symbol_name(name);
    RationalFunction out;
    out.terms_.push_back({.coefficient = 1, .factors = {{.base = symbol_base(name), .exponent = Exponent(1)}}});
    return out;
}

RationalFunction RationalFunction::product(Term term) {
    RationalFunction out;
    if (!term.coefficient.is_zero()) out.terms_.push_back(std::move(term));
    return out;
}

// ---- merging ----------------------------------------------------------------------------------------------------

RationalFunction RationalFunction::merged() const {
    RationalFunction const out = collect(terms_, merge_at_most);
    if (out.terms_.size() > 1) {
        throw UnsupportedError("this sum of " + std::to_string(out.terms_.size()) +
                               " products would expand to more than a million monomials, or 100 MB");
    }
    return out;
}

std::optional<RationalFunction> RationalFunction::try_merged() const {
    try {
        return merged();
    } catch (UnsupportedError const&) {
        return std::nullopt;
    }
}

bool RationalFunction::is_zero() const { return terms_.empty() || (terms_.size() > 1 && merged().terms_.empty()); }

bool RationalFunction::is_numeric() const { return symbols().empty(); }

bool RationalFunction::is_laurent() const {
    return std::all_of(terms_.begin(), terms_.end(), [](Term const& t) {
        return std::all_of(t.factors.begin(), t.factors.end(), [](Factor const& f) {
            bool const whole = f.exponent.is_constant() && is_integer(f.exponent.constant());
            return f.base.kind == Kind::polynomial ? whole && f.exponent.constant() > 0 : f.exponent.is_constant();
        });
    });
}

namespace {

void gather_symbols(Factor const& f, std::set<std::string>& into) {
    for (auto const& [name, c] : f.exponent.symbols()) into.insert(name);
    if (f.base.kind == Kind::symbol) into.insert(f.base.symbol);
    if (f.base.kind != Kind::polynomial) return;
    for (auto const& name : f.base.polynomial.variables()) {
        Factor const inner = meaning(name);
        gather_symbols(inner, into);
    }
}

}  // namespace

namespace {

/// Certainly positive: a power of a number or a symbol, or of a polynomial without a negative coefficient.
bool is_positive(Factor const& factor) {
    if (factor.base.kind != Kind::polynomial) return true;
    auto const monomials = factor.base.polynomial.monomials();
    return std::all_of(monomials.begin(), monomials.end(), [](auto const& m) { return m.coefficient > 0; });
}

}  // namespace

std::vector<std::string> RationalFunction::symbols() const {
    std::set<std::string> found;
    for (auto const& t : terms_) {
        for (auto const& f : t.factors) gather_symbols(f, found);
    }
    return {found.begin(), found.end()};
}

// ---- arithmetic ---------------------------------------------------------------------------------------------------

RationalFunction operator+(RationalFunction const& a, RationalFunction const& b) {
    std::vector<Term> all = a.terms_;
    all.insert(all.end(), b.terms_.begin(), b.terms_.end());
    return RationalFunction::collect(std::move(all), merge_below);
}

RationalFunction RationalFunction::sum(std::vector<RationalFunction> const& parts) {
    std::vector<Term> all;
    for (auto const& part : parts) all.insert(all.end(), part.terms_.begin(), part.terms_.end());
    return collect(std::move(all), merge_below);
}

RationalFunction operator-(RationalFunction const& a) {
    RationalFunction out = a;
    for (auto& t : out.terms_) t.coefficient = -t.coefficient;
    return out;
}

RationalFunction operator-(RationalFunction const& a, RationalFunction const& b) { return a + (-b); }

RationalFunction operator*(RationalFunction const& a, RationalFunction const& b) {
    constexpr std::size_t most_terms = 200'000;  // before equal ones are added: a second, and 100 MB
    if (a.terms_.size() * b.terms_.size() > most_terms)
        throw UnsupportedError("the product of two sums of " + std::to_string(a.terms_.size()) + " and " +
                               std::to_string(b.terms_.size()) + " products would have up to " +
                               std::to_string(a.terms_.size() * b.terms_.size()) + " terms; the limit is " +
                               std::to_string(most_terms) + "; give symbols `values`");
    std::vector<Term> all;
    for (auto const& s : a.terms_) {
        for (auto const& t : b.terms_) all.push_back(multiply(s, t));
    }
    return RationalFunction::collect(std::move(all), merge_below);
}

RationalFunction operator/(RationalFunction const& a, RationalFunction const& b) {
    RationalFunction const divisor = b.terms_.size() == 1 ? b : b.merged();
    if (divisor.terms_.empty()) throw DomainError("division of " + to_string(a) + " by 0");
    Term const& d = divisor.terms_.front();
    Term inverse{.coefficient = quotient(Rational(1), d.coefficient), .factors = {}};
    for (auto const& f : d.factors) multiply_into(inverse, f.base, Exponent(-1) * f.exponent);
    return a * RationalFunction::product(std::move(inverse));
}

bool operator==(RationalFunction const& a, RationalFunction const& b) {
    if (a.terms_.size() == 1 && b.terms_.size() == 1 && a.terms_[0].coefficient == b.terms_[0].coefficient &&
        same_factors(a.terms_[0], b.terms_[0])) {
        return true;
    }
    return (a - b).is_zero();
}

namespace {

/// A polynomial to an odd power: its sign is that of the factor.
bool has_sign(Factor const& f) {
    return f.base.kind == Kind::polynomial && f.exponent.is_constant() && is_integer(f.exponent.constant()) &&
           bit_test(abs(numerator_of(f.exponent.constant())), 0);
}

/// The value of a symbol in the sample below: widths are large, and so are depths, as far as doubles carry them.
double sample_value(std::string const& name, std::set<std::string> const& depths) {
    double spread = 0;  // so that no two symbols agree
    for (char const c : name) spread = std::fmod(spread * 31 + c, 97);
    return depths.count(name) != 0 ? 6 + 2 * std::fmod(spread, 3) : 1000 + 10 * spread;
}

/// The sign of a polynomial where its symbols are large; 0 where doubles cannot tell.
int sign_at_large_symbols(Polynomial const& p) {
    std::vector<Factor> means;
    std::set<std::string> depths;
    for (auto const& name : p.variables()) {
        means.push_back(meaning(name));
        for (auto const& [symbol, slope] : means.back().exponent.symbols()) depths.insert(symbol);
    }
    auto const value = [&](auto const& self, Polynomial const& q) -> std::pair<double, double> {
        double sum = 0;
        double size = 0;
        for (auto const& m : q.monomials()) {
            double product = m.coefficient.template convert_to<double>();
            for (std::size_t i = 0; i < q.variables().size(); ++i) {
                if (m.exponents[i] == 0) continue;
                Factor const f = meaning(q.variables()[i]);
                double exponent = f.exponent.constant().template convert_to<double>();
                for (auto const& [symbol, slope] : f.exponent.symbols())
                    exponent += slope.template convert_to<double>() * sample_value(symbol, depths);
                double const base = f.base.kind == Kind::integer  ? f.base.number.template convert_to<double>()
                                    : f.base.kind == Kind::symbol ? sample_value(f.base.symbol, depths)
                                                                  : self(self, f.base.polynomial).first;
                product *= std::pow(base, exponent * static_cast<double>(m.exponents[i]));
            }
            sum += product;
            size += std::abs(product);
        }
        return {sum, size};
    };
    auto const [sum, size] = value(value, p);
    if (!(std::abs(sum) > 1e-9 * size)) return 0;
    return sum > 0 ? 1 : -1;
}

void negate(Term& t, Factor& f) {
    f.base.polynomial = Polynomial(0) - f.base.polynomial;
    t.coefficient = -t.coefficient;
}

/// A positive quantity such as 3 s^2 - 2 s may be written as -(2 s - 3 s^2), or as a product of two negative ones.
/// Under a root every sum has to be positive: signs belong into the sums.
void settle_signs(Term& t) {
    for (auto& f : t.factors) {
        if (has_sign(f) && !is_positive(f) && sign_at_large_symbols(f.base.polynomial) < 0) negate(t, f);
    }
    if (t.coefficient > 0) return;
    auto const mixed = std::find_if(t.factors.begin(), t.factors.end(),
                                    [](Factor const& f) { return has_sign(f) && !is_positive(f); });
    if (mixed != t.factors.end()) negate(t, *mixed);
}

/// Is a factor with this exponent its base's size to an odd power, though even powers of the base are all that is there?
bool is_size(Factor const& f, Exponent const& exponent) {
    if (f.base.kind != Kind::polynomial || is_positive(f) || has_sign(f) || !f.exponent.is_constant()) return false;
    Rational const of_base = f.exponent.constant() * exponent.constant();
    return is_integer(f.exponent.constant()) && is_integer(of_base) && bit_test(abs(numerator_of(of_base)), 0);
}

bool is_long(Factor const& f) {
    constexpr std::size_t most_monomials = 8;
    return f.base.polynomial.length() > most_monomials;
}

/// x and y may both be below 0 where x y is not: under a root they are one sum, and sqrt(x^2) is that of a square.
Term under_root(Term t, Exponent const& exponent) {
    auto const is_mixed = [](Factor const& f) { return has_sign(f) && !is_positive(f); };
    auto const is_long_and_mixed = [&](Factor const& f) { return is_mixed(f) && is_long(f); };
    // The product of two long sums is longer than what is printed is worth: each of them stands for a positive number.
    bool const is_short = std::count_if(t.factors.begin(), t.factors.end(), is_long_and_mixed) < 2;
    if (is_short && std::count_if(t.factors.begin(), t.factors.end(), is_mixed) > 1) {
        Polynomial together(1);
        for (auto& f : t.factors) {
            if (!is_mixed(f)) continue;
            together = together * f.base.polynomial;
            f.exponent = f.exponent - Exponent(1);
        }
        std::erase_if(t.factors, [](Factor const& f) { return f.exponent.is_zero(); });
        t.factors.push_back({.base = {.kind = Kind::polynomial, .number = {}, .symbol = {}, .polynomial = together},
                             .exponent = Exponent(1)});
    }
    for (auto& f : t.factors) {
        if (!is_size(f, exponent) || is_long(f)) continue;
        f.base.polynomial = f.base.polynomial * f.base.polynomial;
        f.exponent = f.exponent * Exponent(ratio(1, 2));
    }
    return t;
}

}  // namespace

RationalFunction power(RationalFunction const& base, Exponent const& exponent) {
    if (exponent.is_constant() && is_integer(exponent.constant()) && exponent.constant() >= 0 &&
        base.terms().size() != 1) {
        RationalFunction out = 1;
        RationalFunction square = base;
        for (auto e = checked_count(numerator_of(exponent.constant())); e != 0; e /= 2) {
            if (e % 2 == 1) out = out * square;
            if (e > 1) square = square * square;
        }
        return out;
    }
    RationalFunction const single = base.terms().size() == 1 ? base : base.merged();
    if (single.terms().empty()) {
        if (exponent.leading_sign() <= 0 || !exponent.is_constant()) {
            throw DomainError("power: 0^(" + to_string(exponent) + ") is not defined");
        }
        return 0;
    }
    Term t = single.terms().front();
    if (!(exponent.is_constant() && is_integer(exponent.constant()))) settle_signs(t);
    if (exponent.is_constant() && denominator_of(exponent.constant()) == 2) t = under_root(std::move(t), exponent);
    Term out{.coefficient = 1, .factors = {}};
    if (t.coefficient == 1) {
        out.coefficient = 1;
    } else if (exponent.is_constant() && is_integer(exponent.constant())) {
        auto const size = checked_count(abs(numerator_of(exponent.constant())));
        Rational const c = power(t.coefficient, size);
        out.coefficient = exponent.constant() < 0 ? quotient(Rational(1), c) : c;
    } else {
        if (t.coefficient < 0) {
            throw DomainError("power: (" + to_string(base) + ")^(" + to_string(exponent) + ") has a negative base");
        }
        multiply_by_integer_power(out, numerator_of(t.coefficient), exponent);
        multiply_by_integer_power(out, denominator_of(t.coefficient), Exponent(-1) * exponent);
    }
    for (auto const& f : t.factors) multiply_into(out, f.base, f.exponent * exponent);
    return RationalFunction::product(std::move(out));
}

RationalFunction power(RationalFunction const& base, std::uint64_t exponent) {
    return power(base, Exponent(Rational(Integer(exponent))));
}

RationalFunction sqrt(RationalFunction const& x) { return x.terms().empty() ? x : power(x, Exponent(ratio(1, 2))); }

// ---- values and shapes --------------------------------------------------------------------------------------------

namespace {

using Values = std::map<std::string, Rational>;

Rational value_of(std::string const& symbol, Values const& values) {
    auto const at = values.find(symbol);
    if (at == values.end()) throw DomainError("evaluate: no value for the symbol " + symbol, symbol);
    return at->second;
}

Surd value_of(Factor const& f, Values const& values) {
    Rational e = f.exponent.constant();
    for (auto const& [name, c] : f.exponent.symbols()) e += c * value_of(name, values);
    Surd base;
    switch (f.base.kind) {
        case Kind::integer: base = Surd(f.base.number); break;
        case Kind::symbol: base = Surd(value_of(f.base.symbol, values)); break;
        case Kind::polynomial: {
            auto const& names = f.base.polynomial.variables();
            for (auto const& m : f.base.polynomial.monomials()) {
                Surd product{m.coefficient};
                for (std::size_t i = 0; i < names.size(); ++i) {
                    if (m.exponents[i] == 0) continue;
                    Factor part = meaning(names[i]);
                    part.exponent = part.exponent * Exponent(Rational(Integer(m.exponents[i])));
                    product = product * value_of(part, values);
                }
                base = base + product;
            }
            break;
        }
    }
    if (denominator_of(e) > 2) {
        throw DomainError("evaluate: the exponent " + to_string(e) + " is neither whole nor half");
    }
    Integer const twice = numerator_of(Rational(e * 2));
    auto const size = checked_count(abs(twice));
    Surd out = power(base, size / 2);
    if (size % 2 == 1) out = out * sqrt(base);
    return twice < 0 ? Surd(1) / out : out;
}

}  // namespace

Surd RationalFunction::evaluate(std::map<std::string, Rational> const& values) const {
    Surd sum;
    for (auto const& t : terms_) {
        Surd product(t.coefficient);
        for (auto const& f : t.factors) product = product * value_of(f, values);
        sum = sum + product;
    }
    return sum;
}

namespace {

/// The terms of a polynomial factor's base.
std::vector<Term> terms_of(Polynomial const& x) {
    std::vector<Term> out;
    for (auto const& m : x.monomials()) {
        out.push_back({.coefficient = Rational(m.coefficient), .factors = {}});
        for (std::size_t i = 0; i < m.exponents.size(); ++i) {
            if (m.exponents[i] == 0) continue;
            Factor part = meaning(x.variables()[i]);
            part.exponent = part.exponent * Exponent(Rational(Integer(m.exponents[i])));
            out.back().factors.push_back(std::move(part));
        }
    }
    return out;
}

/// The sign of a sum of powers of numbers that grows, or falls, in every symbol, as 6^L - 1 does: that where all symbols
/// are 0, if from there it goes away from 0.
std::optional<int> sign_by_growth(std::vector<Term> const& terms) {
    int way = 0;
    std::map<std::string, Rational> zeros;
    for (auto const& term : terms) {
        for (auto const& factor : term.factors) {
            if (factor.base.kind != Kind::integer) return std::nullopt;
            for (auto const& [symbol, times] : factor.exponent.symbols()) {
                int const here = (times > 0) == (term.coefficient > 0) ? 1 : -1;
                if (way == -here) return std::nullopt;
                way = here;
                zeros.emplace(symbol, 0);
            }
        }
    }
    if (way == 0) return std::nullopt;
    Surd start;
    for (auto const& term : terms) {
        Surd product(term.coefficient);
        for (auto const& factor : term.factors) product = product * value_of(factor, zeros);
        start = start + product;
    }
    return way * sign(start) >= 0 ? std::optional(way) : std::nullopt;
}

std::optional<int> sign_of(Factor const& factor) {
    if (is_positive(factor)) return 1;
    auto const of_base = sign_by_growth(terms_of(factor.base.polynomial));
    return of_base && has_sign(factor) ? of_base : of_base == 1 ? of_base : std::nullopt;
}

}  // namespace

std::optional<int> known_sign(RationalFunction const& x) {
    if (x.is_numeric()) return sign(x.evaluate({}));
    std::optional<int> out;
    for (auto const& term : x.terms()) {
        int here = term.coefficient < 0 ? -1 : 1;
        for (auto const& factor : term.factors) {
            auto const of_factor = sign_of(factor);
            if (!of_factor) return std::nullopt;
            here *= *of_factor;
        }
        if (out.value_or(here) != here) return sign_by_growth(x.terms());
        out = here;
    }
    return out;
}

bool RationalFunction::is_fraction() const {
    auto const single = try_merged();
    return single && std::all_of(single->terms_.begin(), single->terms_.end(), [](Term const& t) {
               return std::none_of(t.factors.begin(), t.factors.end(), is_no_ratio);
           });
}

std::pair<Polynomial, Polynomial> RationalFunction::as_fraction() const {
    RationalFunction const single = terms_.size() > 1 ? merged() : *this;
    if (single.terms_.empty()) return {Polynomial(0), Polynomial(1)};
    Term const& t = single.terms_.front();
    Polynomial top(numerator_of(t.coefficient));
    Polynomial bottom(denominator_of(t.coefficient));
    for (auto const& f : t.factors) {
        if (is_no_ratio(f)) {
            throw UnsupportedError("a ratio of polynomials is needed here, not " + to_string(*this));
        }
        Polynomial const base = f.base.kind == Kind::symbol ? Polynomial::variable(f.base.symbol) : f.base.polynomial;
        Integer const e = numerator_of(f.exponent.constant());
        auto& side = e > 0 ? top : bottom;
        side = side * power(base, checked_count(abs(e)));
    }
    return {top, bottom};
}

Exponent as_exponent(RationalFunction const& x) {
    RationalFunction const single = x.terms().size() > 1 ? x.merged() : x;
    if (single.terms().empty()) return {};
    // Told by the factors: to expand (L + n + 1)^3000 would take all memory there is.
    Term const& t = single.terms().front();
    auto const is_divisor = [](Factor const& f) { return f.exponent.constant() < 0; };
    if (std::any_of(t.factors.begin(), t.factors.end(), is_no_ratio))
        throw UnsupportedError("a ratio of polynomials is needed here, not " + to_string(x));
    if (std::any_of(t.factors.begin(), t.factors.end(), is_divisor))
        throw UnsupportedError("a number of layers is needed here, not " + to_string(x));
    auto const require_linear = [&](bool linear) {
        if (!linear) throw UnsupportedError("a number of layers has to be linear in its symbols, not " + to_string(x));
    };
    if (t.factors.empty()) return {t.coefficient};
    Factor const& f = t.factors.front();
    require_linear(t.factors.size() == 1 && f.exponent == Exponent(1));
    if (f.base.kind == Kind::symbol) return Exponent(t.coefficient) * Exponent::symbol(f.base.symbol);
    Exponent out;
    auto const& names = f.base.polynomial.variables();
    for (auto const& name : names) {
        Factor const stands_for = meaning(name);
        if (stands_for.base.kind != Kind::symbol || !(stands_for.exponent == Exponent(1)))
            throw UnsupportedError("a ratio of polynomials is needed here, not " + to_string(x));
    }
    for (auto const& m : f.base.polynomial.monomials()) {
        Exponent part(1);
        std::uint64_t degree = 0;
        for (std::size_t i = 0; i < m.exponents.size(); ++i) {
            degree += m.exponents[i];
            if (m.exponents[i] == 1) part = Exponent::symbol(names[i]);
        }
        require_linear(degree <= 1);
        out = out + part * Exponent(t.coefficient * Rational(m.coefficient));
    }
    return out;
}

}  // namespace isserlis
