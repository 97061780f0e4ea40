// SPDX-License-Identifier: MIT
#pragma once
#include <boost/multiprecision/gmp.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace isserlis {

/// Integer of any size.
using Integer = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;

/// Exact rational, always in lowest terms with a positive denominator.
/// Build one from two integers by `ratio`, from text by `parse_rational`: Boost's own two-argument and string
/// constructors accept a zero denominator and uncanonical text.
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

/// numerator / denominator in lowest terms.
/// Errors  DomainError when the denominator is 0.
[[nodiscard]] Rational ratio(Integer const& numerator, Integer const& denominator);

/// a / b.
/// Errors  DomainError when b is 0.
[[nodiscard]] Rational quotient(Rational const& a, Rational const& b);

[[nodiscard]] Integer numerator_of(Rational const& x);
[[nodiscard]] Integer denominator_of(Rational const& x);
[[nodiscard]] bool is_integer(Rational const& x);

[[nodiscard]] Integer power(Integer const& base, std::uint64_t exponent);
/// Up to which integers beyond 64 bits are searched for prime factors.
inline constexpr unsigned long largest_trial_prime = 1000;

/// base^exponent, coprime parts apart, so that no gcd is taken.
[[nodiscard]] Rational power(Rational const& base, std::uint64_t exponent);

/// The value as a machine integer.
/// Errors  UnsupportedError below 0 and from 2^63 on.
[[nodiscard]] std::uint64_t checked_count(Integer const& x);

/// Decimal digits of an integer, e.g. "-17".
[[nodiscard]] std::string to_string(Integer const& x);
/// "p" or "p/q".
[[nodiscard]] std::string to_string(Rational const& x);

/// Reads `[-]digits[.digits][e[+-]digits]` or `[-]digits/digits`, exactly: 0.1 is 1/10; 1_000 is 1000.
/// Errors  ParseError naming `argument`; DomainError for a zero denominator; UnsupportedError for e beyond 10000.
[[nodiscard]] Rational parse_rational(std::string_view text, std::string_view argument);

/// Reads a whole number, such as 17, 1_000 or 2.5e6, without leading zeros.
/// Errors  as `parse_rational`.
[[nodiscard]] Integer parse_integer(std::string_view text, std::string_view argument);

}  // namespace isserlis
