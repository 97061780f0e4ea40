// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/interval.hpp>

#include <functional>
#include <string>

namespace isserlis {

/// Largest number of significant digits that is served.
inline constexpr int max_digits = 100'000;

/// The value correctly rounded to `digits` significant digits, ties to even.
/// A terminating decimal that fits is printed without trailing zeros ("0.5"); others keep all digits. Exponents outside
/// [-6, 21) are written as "1.25e+30", and so are rounded values with more digits before the point than were asked for
/// ("1.23e+6" for 1234567 at 3 digits): digits that rounding took away are not shown as zeros.
/// Errors  DomainError when digits < 1 or digits > max_digits.
[[nodiscard]] std::string decimal(Rational const& x, int digits);
[[nodiscard]] std::string decimal(Surd const& x, int digits);

/// Rounds a real number known through ever tighter enclosures; raises the precision until both ends agree.
/// Errors  UnsupportedError when they never do (the value is, or is too close to, a rounding tie or 0).
[[nodiscard]] std::string decimal(std::function<Interval(unsigned bits)> const& enclosure, int digits);

}  // namespace isserlis
