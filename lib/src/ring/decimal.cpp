// SPDX-License-Identifier: MIT
#include <isserlis/ring/decimal.hpp>

#include <isserlis/error.hpp>
#include <optional>

namespace isserlis {
namespace {

constexpr unsigned max_precision_bits = 1U << 22U;

/// 0.d1 d2 d3 ... times 10^exponent.
struct Digits {
    bool negative = false;
    std::string digits;
    long exponent = 0;
    friend bool operator==(Digits const&, Digits const&) = default;
};

Digits round_to(mpfr_srcptr x, int digits) {
    mpfr_exp_t exponent = 0;
    // MPFR wants at least two digits; one digit is taken from an exact integer route instead, see `rounded_exactly`.
    char* text = mpfr_get_str(nullptr, &exponent, 10, static_cast<std::size_t>(digits), x, MPFR_RNDN);
    std::string s(text);
    mpfr_free_str(text);
    Digits out;
    out.negative = s[0] == '-';
    out.digits = out.negative ? s.substr(1) : s;
    out.exponent = exponent;
    return out;
}

std::optional<Digits> settled(Interval const& at, int digits) {
    if (at.contains_zero()) return std::nullopt;
    Digits const low = round_to(at.lower(), digits);
    if (low != round_to(at.upper(), digits)) return std::nullopt;
    return low;
}

/// Integer division, ties to even: always right, for any rational, at any size.
Digits rounded_exactly(Rational const& x, int digits) {
    Integer p = abs(numerator_of(x));
    Integer q = denominator_of(x);
    // The first guess of the exponent is off by at most one; the loop mends it.
    long exponent = static_cast<long>(mpz_sizeinbase(p.backend().data(), 10)) -
                    static_cast<long>(mpz_sizeinbase(q.backend().data(), 10));
    for (;;) {
        long const shift = digits - exponent;
        Integer const top = shift >= 0 ? p * power(Integer(10), static_cast<std::uint64_t>(shift)) : p;
        Integer const bottom = shift < 0 ? q * power(Integer(10), static_cast<std::uint64_t>(-shift)) : q;
        Integer whole;
        Integer rest;
        divide_qr(top, bottom, whole, rest);
        // The digits before rounding tell whether the guess was right: 0.914 tens must not round to 1 ten.
        auto const before = whole.is_zero() ? 0 : static_cast<int>(whole.str().size());
        if (before != digits) {
            exponent += before > digits ? 1 : -1;
            continue;
        }
        int const half = Integer(2 * rest).compare(bottom);
        if (half > 0 || (half == 0 && bit_test(whole, 0))) whole += 1;
        std::string const text = whole.str();
        if (static_cast<int>(text.size()) == digits) return {.negative = x < 0, .digits = text, .exponent = exponent};
        // 9.99 has rounded up to 10.0: the same value with one digit more and a zero at the end.
        return {.negative = x < 0, .digits = text.substr(0, text.size() - 1), .exponent = exponent + 1};
    }
}

std::string layout(Digits const& d, bool strip_zeros) {
    std::string digits = d.digits;
    if (strip_zeros) digits.erase(digits.find_last_not_of('0') + 1);
    long const point = d.exponent;  // digits before the decimal point
    auto const length = static_cast<long>(digits.size());
    std::string out = d.negative ? "-" : "";
    if (point > 21 || point < -5) {
        out += digits.substr(0, 1);
        if (length > 1) out += "." + digits.substr(1);
        long const e = point - 1;
        return out + "e" + (e < 0 ? "-" : "+") + std::to_string(e < 0 ? -e : e);
    }
    if (point <= 0) return out + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
    auto const cut = static_cast<std::size_t>(point);
    if (length <= point) {
        // Digits that rounding took away may not be shown as zeros.
        if (!strip_zeros && length < point) {
            out += digits.substr(0, 1);
            if (length > 1) out += "." + digits.substr(1);
            return out + "e+" + std::to_string(point - 1);
        }
        return out + digits + std::string(cut - digits.size(), '0');
    }
    return out + digits.substr(0, cut) + "." + digits.substr(cut);
}

void check_digits(int digits) {
    if (digits < 1 || digits > max_digits) {
        throw DomainError("decimal: digits = " + std::to_string(digits) + "; from 1 to " + std::to_string(max_digits) +
                          " significant digits can be asked for");
    }
}

/// True when the digits are the whole value, not a rounding of it.
bool is_exact(Digits const& d, Rational const& x) {
    long const scale = d.exponent - static_cast<long>(d.digits.size());
    // A multiple of 10^scale ends in at least as many binary zeros; that saves the huge power in most cases.
    if (scale > 0 &&
        (!is_integer(x) || mpz_scan1(numerator_of(x).backend().data(), 0) < static_cast<mp_bitcnt_t>(scale))) {
        return false;
    }
    // 0.00..0ddd, exactly, needs a denominator of about as many digits as there are zeros.
    if (d.exponent < 0 &&
        mpz_sizeinbase(denominator_of(x).backend().data(), 2) < 3 * static_cast<std::size_t>(-d.exponent)) {
        return false;
    }
    Integer const whole(d.digits.c_str());
    Integer const ten = power(Integer(10), static_cast<std::uint64_t>(scale < 0 ? -scale : scale));
    Rational const value = scale >= 0 ? Rational(whole * ten) : ratio(whole, ten);
    return (d.negative ? Rational(-value) : value) == x;
}

unsigned first_precision(int digits) { return static_cast<unsigned>(digits * 3.33) + 64; }

}  // namespace

std::string decimal(Rational const& x, int digits) {
    check_digits(digits);
    if (x.is_zero()) return "0";
    std::optional<Digits> found;
    if (digits > 1) {
        for (int tries = 0; !found && tries < 2; ++tries) {
            found = settled(Interval(x, first_precision(digits) << static_cast<unsigned>(tries)), digits);
        }
    }
    if (!found) found = rounded_exactly(x, digits);
    return layout(*found, is_exact(*found, x));
}

std::string decimal(Surd const& x, int digits) {
    check_digits(digits);
    if (x.is_rational()) return decimal(x.to_rational(), digits);
    // Irrational: never a tie, never a terminating decimal, never 0.
    return decimal([&](unsigned bits) { return enclose(x, bits); }, digits);
}

std::string decimal(std::function<Interval(unsigned bits)> const& enclosure, int digits) {
    check_digits(digits);
    // MPFR prints no fewer than two digits: round an interval to one digit by asking the integer route for both ends.
    int const asked = digits;
    for (unsigned bits = first_precision(digits); bits <= max_precision_bits; bits *= 2) {
        Interval const at = enclosure(bits);
        if (asked >= 2) {
            if (auto const found = settled(at, asked)) return layout(*found, false);
            continue;
        }
        if (at.contains_zero()) continue;
        auto const end = [&](mpfr_srcptr x) {
            Rational exact;
            mpfr_get_q(exact.backend().data(), x);
            return rounded_exactly(exact, 1);
        };
        Digits const low = end(at.lower());
        if (low == end(at.upper())) return layout(low, false);
    }
    throw UnsupportedError("decimal: the value is 0 or a rounding tie, or too close to one to be told apart from it");
}

}  // namespace isserlis
