// SPDX-License-Identifier: MIT
#include <isserlis/ring/rational.hpp>

#include <cstdlib>
#include <isserlis/error.hpp>
#include <optional>

namespace isserlis {
namespace {

bool all_digits(std::string_view text) {
    if (text.empty()) return false;
    for (char const c : text) {
        if (c < '0' || c > '9') return false;
    }
    return true;
}

/// True for digits as people write them: no leading zero but in "0" itself.
bool plain_natural(std::string_view text) { return all_digits(text) && (text.size() == 1 || text[0] != '0'); }

/// The text without the underscores that separate digits, as in 1_000. None when one stands elsewhere.
std::optional<std::string> without_separators(std::string_view text) {
    auto const digit_at = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '_') {
            out += text[i];
        } else if (i == 0 || !digit_at(i - 1) || !digit_at(i + 1)) {
            return std::nullopt;
        }
    }
    return out;
}

Integer natural(std::string_view digits) {
    Integer value;
    // Base 10 is stated, since GMP would read a leading 0 as octal.
    mpz_set_str(value.backend().data(), std::string(digits).c_str(), 10);
    return value;
}

[[noreturn]] void refuse(std::string_view text, std::string_view argument, char const* expected) {
    throw ParseError(std::string(argument) + ": '" + printable(text) + "' is not " + expected, std::string(argument));
}

}  // namespace

Rational ratio(Integer const& numerator, Integer const& denominator) {
    if (denominator.is_zero()) throw DomainError("ratio: denominator = 0; a fraction needs a non-zero denominator");
    Rational out;
    mpz_set(mpq_numref(out.backend().data()), numerator.backend().data());
    mpz_set(mpq_denref(out.backend().data()), denominator.backend().data());
    mpq_canonicalize(out.backend().data());
    return out;
}

Rational quotient(Rational const& a, Rational const& b) {
    if (b.is_zero()) throw DomainError("quotient: division of " + to_string(a) + " by 0");
    return a / b;
}

Integer numerator_of(Rational const& x) {
    Integer out;
    mpz_set(out.backend().data(), mpq_numref(x.backend().data()));
    return out;
}

Integer denominator_of(Rational const& x) {
    Integer out;
    mpz_set(out.backend().data(), mpq_denref(x.backend().data()));
    return out;
}

bool is_integer(Rational const& x) { return mpz_cmp_ui(mpq_denref(x.backend().data()), 1) == 0; }

Integer power(Integer const& base, std::uint64_t exponent) {
    // GMP aborts the process when a result does not fit its limbs; refuse long before that.
    double const bits = static_cast<double>(mpz_sizeinbase(base.backend().data(), 2)) * static_cast<double>(exponent);
    if (mpz_cmpabs_ui(base.backend().data(), 1) > 0 && bits > 3.2e10) {
        throw UnsupportedError("a power of " + std::to_string(exponent) + " would need about " +
                               std::to_string(static_cast<std::uint64_t>(bits / 8e9)) +
                               " GB; fewer layers, or symbols, would do");
    }
    Integer out;
    mpz_pow_ui(out.backend().data(), base.backend().data(), exponent);
    return out;
}

Rational power(Rational const& base, std::uint64_t exponent) {
    Integer const p = power(numerator_of(base), exponent);
    Integer const q = power(denominator_of(base), exponent);
    Rational out;
    mpz_set(mpq_numref(out.backend().data()), p.backend().data());
    mpz_set(mpq_denref(out.backend().data()), q.backend().data());
    return out;
}

std::uint64_t checked_count(Integer const& x) {
    if (x < 0 || mpz_sizeinbase(x.backend().data(), 2) > 63) {
        throw UnsupportedError("the exponent " + to_string(x) + " is too large");
    }
    return static_cast<std::uint64_t>(x);
}

std::string to_string(Integer const& x) { return x.str(); }

std::string to_string(Rational const& x) {
    return is_integer(x) ? numerator_of(x).str() : numerator_of(x).str() + "/" + denominator_of(x).str();
}

namespace {

/// Text such as 1e-n has as many digits when it is written out.
constexpr long largest_decimal_exponent = 10'000;

/// The number after e. Errors  UnsupportedError beyond `largest_decimal_exponent`, before anything is computed.
long decimal_exponent(std::string_view digits, std::string_view text, std::string_view argument) {
    bool const negative = digits[0] == '-';
    if (negative || digits[0] == '+') digits.remove_prefix(1);
    if (digits.size() > 6 || std::atol(std::string(digits).c_str()) > largest_decimal_exponent) {
        throw UnsupportedError(std::string(argument) + ": '" + printable(text) + "' has an exponent beyond " +
                                   std::to_string(largest_decimal_exponent),
                               std::string(argument));
    }
    long const size = std::atol(std::string(digits).c_str());
    return negative ? -size : size;
}

bool is_exponent(std::string_view text) {
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
    return all_digits(text);
}

/// digits[.digits][e[+-]digits]; none when the text has another form.
std::optional<Rational> decimal_number(std::string_view text, std::string_view argument) {
    auto const e = text.find_first_of("eE");
    auto const mantissa = text.substr(0, e);
    auto const point = mantissa.find('.');
    auto const whole = mantissa.substr(0, point);
    auto const decimals = point == std::string_view::npos ? std::string_view() : mantissa.substr(point + 1);
    if (!plain_natural(whole) || (point != std::string_view::npos && !all_digits(decimals))) return std::nullopt;
    if (e != std::string_view::npos && !is_exponent(text.substr(e + 1))) return std::nullopt;
    long const shift = e == std::string_view::npos ? 0 : decimal_exponent(text.substr(e + 1), text, argument);
    long const scale = shift - static_cast<long>(decimals.size());
    Integer const digits = natural(std::string(whole) + std::string(decimals));
    Integer const tens = power(Integer(10), static_cast<std::uint64_t>(std::labs(scale)));
    return scale < 0 ? ratio(digits, tens) : Rational(digits * tens);
}

std::optional<Rational> fraction(std::string_view top, std::string_view bottom, std::string_view text,
                                 std::string_view argument) {
    if (!plain_natural(top) || !plain_natural(bottom)) return std::nullopt;
    Integer const q = natural(bottom);
    if (q.is_zero())
        throw DomainError(std::string(argument) + ": '" + std::string(text) + "' divides by 0", std::string(argument));
    return ratio(natural(top), q);
}

}  // namespace

Rational parse_rational(std::string_view text, std::string_view argument) {
    constexpr std::size_t short_digits = 19;  // that fit a machine word
    if (text.size() < short_digits && plain_natural(text)) {
        std::uint64_t value = 0;
        for (char const c : text) value = 10 * value + static_cast<std::uint64_t>(c - '0');
        return {Integer(value)};
    }
    bool const negative = text.starts_with('-');
    auto const plain = without_separators(text.substr(negative ? 1 : 0));
    std::optional<Rational> value;
    if (plain) {
        auto const slash = plain->find('/');
        std::string_view const rest = *plain;
        value = slash == std::string::npos ? decimal_number(rest, argument)
                                           : fraction(rest.substr(0, slash), rest.substr(slash + 1), text, argument);
    }
    if (!value) refuse(text, argument, "a rational number such as 3, -9/5, 0.25 or 1e-3");
    return negative ? Rational(-*value) : *value;
}

Integer parse_integer(std::string_view text, std::string_view argument) {
    constexpr auto expected = "a whole number such as 12, 1_000 or 1e6 (no leading zeros)";
    bool const has_exponent = text.find_first_of("eE") != std::string_view::npos;
    bool const others = text.find('/') != std::string_view::npos || text.find('.') != std::string_view::npos;
    if (others && !has_exponent) refuse(text, argument, expected);
    Rational value;
    try {
        value = parse_rational(text, argument);
    } catch (ParseError const&) {
        refuse(text, argument, expected);
    }
    if (!is_integer(value)) refuse(text, argument, expected);
    return numerator_of(value);
}

}  // namespace isserlis
