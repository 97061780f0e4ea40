// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/ring/rational.hpp>

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

Rational parse_rational(std::string_view text, std::string_view argument) {
    std::string_view rest = text;
    bool const negative = !rest.empty() && rest[0] == '-';
    if (negative) rest.remove_prefix(1);
    constexpr auto expected = "a rational number such as 3, -9/5 or 0.25";
    Integer p;
    Integer q = 1;
    if (auto const slash = rest.find('/'); slash != std::string_view::npos) {
        auto const top = rest.substr(0, slash);
        auto const bottom = rest.substr(slash + 1);
        if (!plain_natural(top) || !plain_natural(bottom)) refuse(text, argument, expected);
        p = natural(top);
        q = natural(bottom);
        if (q.is_zero()) {
            throw DomainError(std::string(argument) + ": '" + std::string(text) + "' divides by 0",
                              std::string(argument));
        }
    } else if (auto const point = rest.find('.'); point != std::string_view::npos) {
        auto const whole = rest.substr(0, point);
        auto const decimals = rest.substr(point + 1);
        if (!plain_natural(whole) || !all_digits(decimals)) refuse(text, argument, expected);
        q = power(Integer(10), decimals.size());
        p = natural(whole) * q + natural(decimals);
    } else {
        if (!plain_natural(rest)) refuse(text, argument, expected);
        p = natural(rest);
    }
    return ratio(negative ? Integer(-p) : p, q);
}

Integer parse_integer(std::string_view text, std::string_view argument) {
    std::string_view rest = text;
    bool const negative = !rest.empty() && rest[0] == '-';
    if (negative) rest.remove_prefix(1);
    if (!plain_natural(rest)) refuse(text, argument, "a whole number (digits only, no leading zero)");
    Integer const value = natural(rest);
    return negative ? Integer(-value) : value;
}

}  // namespace isserlis
