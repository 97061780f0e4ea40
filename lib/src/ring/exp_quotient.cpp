// SPDX-License-Identifier: MIT
#include <isserlis/ring/exp_quotient.hpp>

#include <isserlis/error.hpp>

#include <algorithm>
#include <map>

namespace isserlis {
namespace {

/// base^(2 L - m + 3) as (base^2)^L (1/base)^m base^3: one base for each symbol, sorted.
ExpPolynomial::Term by_symbols(ExpPolynomial::Term const& term) {
    std::map<std::string, RationalFunction> bases;
    ExpPolynomial::Term out{.powers = {}, .coefficient = term.coefficient};
    for (auto const& [base, exponent] : term.powers) {
        for (auto const& [symbol, times] : exponent.symbols()) {
            auto& all = bases.try_emplace(symbol, RationalFunction(1)).first->second;
            all = (all * power(base, Exponent(times))).merged();
        }
        out.coefficient = out.coefficient * power(base, Exponent(exponent.constant()));
    }
    out.coefficient = out.coefficient.merged();
    for (auto const& [symbol, base] : bases) out.powers.emplace_back(base, Exponent::symbol(symbol));
    return out;
}

ExpPolynomial by_symbols(ExpPolynomial const& x) {
    ExpPolynomial out;
    for (auto const& term : x.terms()) out.add(by_symbols(term));
    return out;
}

ExpPolynomial product(ExpPolynomial const& a, ExpPolynomial const& b) {
    constexpr std::size_t most_products = 10'000;
    if (a.terms().size() * b.terms().size() > most_products) {
        throw UnsupportedError("`query`: more than " + std::to_string(most_products) +
                                   " powers of the depth when multiplied out; give the depth a `value`",
                               "query");
    }
    ExpPolynomial out;
    for (auto const& x : a.terms()) {
        for (auto const& y : b.terms()) {
            ExpPolynomial::Term term{.powers = x.powers, .coefficient = x.coefficient * y.coefficient};
            term.powers.insert(term.powers.end(), y.powers.begin(), y.powers.end());
            out.add(by_symbols(term));
        }
    }
    return out;
}

ExpPolynomial minus(ExpPolynomial const& x) { return x * RationalFunction(-1); }

bool same(ExpPolynomial const& a, ExpPolynomial const& b) { return (a + minus(b)).terms().empty(); }

/// 1 over a single summand.
ExpPolynomial inverse(ExpPolynomial::Term const& term) {
    ExpPolynomial::Term out{.powers = term.powers, .coefficient = RationalFunction(1) / term.coefficient};
    for (auto& p : out.powers) p.first = (RationalFunction(1) / p.first).merged();
    ExpPolynomial all;
    all.add(std::move(out));
    return all;
}

bool has_positive_bases(ExpPolynomial::Term const& term) {
    return std::all_of(term.powers.begin(), term.powers.end(),
                       [](auto const& power) { return known_sign(power.first).value_or(-1) > 0; });
}

/// A series in 1/n as far as it goes in 1/sqrt(n).
PowerSeries in_square_roots(PowerSeries const& x) {
    PowerSeries out{.leading = 2 * x.leading, .coefficients = {}, .root = 2};
    for (auto const& c : x.coefficients) {
        if (!out.coefficients.empty()) out.coefficients.emplace_back(0);
        out.coefficients.push_back(c);
    }
    out.coefficients.resize(x.coefficients.size());
    return out;
}

}  // namespace

ExpQuotient::ExpQuotient(ExpPolynomial const& numerator)
    : numerator_(by_symbols(numerator)), denominator_(RationalFunction(1)) {}

ExpQuotient::ExpQuotient(ExpPolynomial const& numerator, ExpPolynomial const& denominator)
    : numerator_(numerator), denominator_(RationalFunction(1)) {
    if (denominator.terms().empty()) throw DomainError("ExpQuotient: division by 0");
    if (denominator.terms().size() == 1) {
        numerator_ = product(numerator, inverse(denominator.terms().front()));
    } else if (!numerator.terms().empty()) {
        denominator_ = denominator;
    }
}

bool ExpQuotient::is_polynomial() const { return same(denominator_, ExpPolynomial(RationalFunction(1))); }

ExpQuotient ExpQuotient::reduced() const {
    if (is_polynomial()) return *this;
    // By one whose sign shows if there is any: what is large is found by comparing powers with one another.
    auto const& all = denominator_.terms();
    auto const shown = std::find_if(all.begin(), all.end(), has_positive_bases);
    ExpPolynomial::Term first = shown == all.end() ? all.front() : *shown;
    first.coefficient = RationalFunction(1);
    ExpPolynomial const factor = inverse(first);
    return {product(numerator_, factor), product(denominator_, factor)};
}

ExpQuotient ExpQuotient::sum(std::vector<ExpQuotient> const& parts) {
    if (parts.empty()) return {};
    auto const& first = parts.front().denominator_;
    if (std::all_of(parts.begin(), parts.end(), [&](auto const& part) { return same(part.denominator_, first); })) {
        std::vector<ExpPolynomial> numerators;
        for (auto const& part : parts) numerators.push_back(part.numerator_);
        return {ExpPolynomial::sum(numerators), first};
    }
    ExpQuotient out = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) out = out + parts[i];
    return out;
}

ExpQuotient operator+(ExpQuotient const& a, ExpQuotient const& b) {
    if (same(a.denominator_, b.denominator_)) return {a.numerator_ + b.numerator_, a.denominator_};
    return {product(a.numerator_, b.denominator_) + product(b.numerator_, a.denominator_),
            product(a.denominator_, b.denominator_)};
}

ExpQuotient operator-(ExpQuotient const& a, ExpQuotient const& b) {
    return a + ExpQuotient(minus(b.numerator_), b.denominator_);
}

ExpQuotient operator*(ExpQuotient const& a, ExpQuotient const& b) {
    return {product(a.numerator_, b.numerator_), product(a.denominator_, b.denominator_)};
}

ExpQuotient operator/(ExpQuotient const& a, ExpQuotient const& b) {
    return {product(a.numerator_, b.denominator_), product(a.denominator_, b.numerator_)};
}

bool operator==(ExpQuotient const& a, ExpQuotient const& b) {
    return same(product(a.numerator_, b.denominator_), product(b.numerator_, a.denominator_));
}

std::string to_string(ExpQuotient const& x) {
    if (x.is_polynomial()) return to_string(x.numerator());
    return "(" + to_string(x.numerator()) + ")/(" + to_string(x.denominator()) + ")";
}

PowerSeries series_at_infinity(ExpQuotient const& given, std::string const& n, std::size_t order) {
    ExpQuotient const x = given.reduced();
    PowerSeries a = series_at_infinity(x.numerator(), n, order);
    if (x.is_polynomial() || a.coefficients.empty()) return a;
    PowerSeries b = series_at_infinity(x.denominator(), n, order);
    if (a.root < b.root) a = in_square_roots(a);
    if (b.root < a.root) b = in_square_roots(b);
    // q_k b_0 = a_k - sum_(i >= 1) b_i q_(k-i)
    PowerSeries out{.leading = a.leading - b.leading, .coefficients = {}, .root = a.root};
    for (std::size_t k = 0; k < a.coefficients.size(); ++k) {
        RationalFunction rest = a.coefficients[k];
        for (std::size_t i = 1; i <= k; ++i) rest = rest - b.coefficients[i] * out.coefficients[k - i];
        out.coefficients.push_back((rest / b.coefficients[0]).merged());
    }
    return out;
}

LeadingTerm leading_term(ExpQuotient const& x, std::string const& n, std::string const& depth) {
    return leading_term(series_at_infinity(x, n, 0), n, depth);
}

}  // namespace isserlis
