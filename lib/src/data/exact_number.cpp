// SPDX-License-Identifier: MIT
#include "exact_number.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <isserlis/error.hpp>
#include <string>

namespace isserlis {
namespace {

constexpr long largest_exponent = 10'000;

/// Takes the digits off the front.
std::string_view take_digits(std::string_view& text) {
    std::size_t n = 0;
    while (n < text.size() && text[n] >= '0' && text[n] <= '9') ++n;
    auto const out = text.substr(0, n);
    text.remove_prefix(n);
    return out;
}

Integer integer_of(std::string digits) {
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    return parse_integer(digits, "data");
}

}  // namespace

bool take(std::string_view& text, char c) {
    if (text.empty() || text.front() != c) return false;
    text.remove_prefix(1);
    return true;
}

std::optional<Rational> exact_number(std::string_view text) {
    bool const negative = take(text, '-');
    if (!negative) take(text, '+');
    std::string digits(take_digits(text));
    if (!digits.empty() && take(text, '/')) {
        std::string const below(take_digits(text));
        if (below.empty() || !text.empty()) return std::nullopt;
        Integer const denominator = integer_of(below);
        if (denominator == 0) return std::nullopt;
        return ratio(negative ? Integer(-integer_of(digits)) : integer_of(digits), denominator);
    }
    long exponent = 0;
    if (take(text, '.')) {
        auto const fraction = take_digits(text);
        exponent = -static_cast<long>(fraction.size());
        digits += fraction;
    }
    if (digits.empty()) return std::nullopt;
    if (take(text, 'e') || take(text, 'E')) {
        bool const below = take(text, '-');
        if (!below) take(text, '+');
        auto const power_digits = take_digits(text);
        if (power_digits.empty() || !text.empty()) return std::nullopt;
        auto const size = integer_of(std::string(power_digits));
        if (size > largest_exponent)
            throw UnsupportedError("the exponent " + printable(power_digits) + " is beyond " +
                                   std::to_string(largest_exponent));
        exponent += (below ? -1 : 1) * size.convert_to<long>();
    }
    if (!text.empty()) return std::nullopt;
    Integer const mantissa = negative ? Integer(-integer_of(digits)) : integer_of(digits);
    Integer const scale = power(Integer(10), static_cast<std::uint64_t>(std::abs(exponent)));
    return exponent < 0 ? ratio(mantissa, scale) : Rational(mantissa * scale);
}

}  // namespace isserlis
