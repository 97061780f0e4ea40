// SPDX-License-Identifier: MIT
// How large the value of a short text may grow. GMP ends the process where memory does, so sizes are asked for first.
#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/ring/parse.hpp>

namespace isserlis::detail {
namespace {

constexpr double power_bits = 1U << 26U;   // of one power: 20 million digits
constexpr double number_bits = 1U << 30U;  // of a number that many powers make
constexpr double most_exponent = 1e9;      // of a symbol or a polynomial, which stays a power
constexpr double most_products = 5000;     // of a power or product of sums whose terms do not merge
constexpr double most_roots = 20'000;      // the same of sums of roots

/// log2 |x|; 0 for 0.
double bits_of(Integer const& x) {
    long exponent = 0;
    double const mantissa = std::abs(mpz_get_d_2exp(&exponent, x.backend().data()));
    return mantissa == 0 ? 0 : static_cast<double>(exponent) + std::log2(mantissa);
}

/// Of the longer side of a fraction.
double bits_of(Rational const& x) { return std::max(bits_of(numerator_of(x)), bits_of(denominator_of(x))); }

std::string about_digits(double bits) {
    double const millions = bits * std::log10(2.0) / 1e6;
    if (millions > 1e9) return "more than 10^15 digits";
    return "about " + std::to_string(static_cast<std::uint64_t>(millions)) + " million digits";
}

void require_number(double bits, double limit) {
    if (bits <= limit) return;
    throw UnsupportedError("a number here would have " + about_digits(bits) + "; the limit is " + about_digits(limit));
}

double as_double(Integer const& x) { return mpz_get_d(x.backend().data()); }

/// The terms of a sum's power: binomial(terms - 1 + exponent, terms - 1), or 1e15 when there are more.
double terms_of_power(std::size_t terms, double exponent) {
    double out = 1;
    for (std::size_t i = 1; i < terms && out < 1e15; ++i)
        out *= (exponent + static_cast<double>(i)) / static_cast<double>(i);
    return std::min(out, 1e15);
}

void require_terms(double terms, double limit, std::string const& what) {
    if (terms <= limit) return;
    throw UnsupportedError(what + " would have about " + std::to_string(static_cast<std::uint64_t>(terms)) +
                           " terms; the limit is " + std::to_string(static_cast<std::uint64_t>(limit)));
}

/// Of the product of two sums, term by term.
template <class R>
void require_product(R const& a, R const& b, double limit) {
    if (a.terms().size() < 2 || b.terms().size() < 2) return;
    require_terms(static_cast<double>(a.terms().size()) * static_cast<double>(b.terms().size()), limit,
                  "a product of sums");
}

}  // namespace

void require_moderate_power(Surd const& base, Integer const& exponent) {
    double bits = 0;
    for (auto const& t : base.terms()) bits += bits_of(t.coefficient) + bits_of(t.radicand);
    if (base.terms().size() > 1) bits += 1;
    if (bits > 0) require_number(bits * as_double(exponent), power_bits);
    // No more roots than products of distinct ones.
    double const classes = std::pow(2.0, static_cast<double>(std::min<std::size_t>(base.terms().size(), 60)));
    require_terms(
        std::min(classes, terms_of_power(base.terms().size(), as_double(exponent))), most_roots,
        "the power " + to_string(exponent) + " of a sum of " + std::to_string(base.terms().size()) + " roots");
}

void require_moderate_power(RationalFunction const& base, Exponent const& exponent) {
    double largest = std::abs(exponent.constant().convert_to<double>());
    for (auto const& [name, coefficient] : exponent.symbols())
        largest = std::max(largest, std::abs(coefficient.convert_to<double>()));
    double bits = 0;
    for (auto const& t : base.terms()) bits = std::max(bits, bits_of(t.coefficient));
    if (bits > 0) require_number(bits * largest, power_bits);
    bool const grows =
        std::any_of(base.terms().begin(), base.terms().end(), [](auto const& t) { return !t.factors.empty(); });
    if (grows && largest > most_exponent)
        throw UnsupportedError("the exponent " + printable(to_string(exponent)) + " is too large");
    if (base.terms().size() < 2 || !exponent.is_constant()) return;
    require_terms(
        terms_of_power(base.terms().size(), largest), most_products,
        "the power " + to_string(exponent) + " of a sum of " + std::to_string(base.terms().size()) + " products");
}

void require_moderate_product(Surd const& a, Surd const& b) { require_product(a, b, most_roots); }
void require_moderate_product(RationalFunction const& a, RationalFunction const& b) {
    require_product(a, b, most_products);
}

void require_moderate(Surd const& x) {
    double bits = 0;
    for (auto const& t : x.terms()) bits += bits_of(t.coefficient) + bits_of(t.radicand);
    require_number(bits, number_bits);
}

void require_moderate(RationalFunction const& x) {
    double bits = 0;
    for (auto const& t : x.terms()) bits += bits_of(t.coefficient);
    require_number(bits, number_bits);
}

}  // namespace isserlis::detail
