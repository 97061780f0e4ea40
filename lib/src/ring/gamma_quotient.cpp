// SPDX-License-Identifier: MIT
#include <isserlis/ring/gamma_quotient.hpp>

#include <isserlis/error.hpp>

#include <algorithm>
#include <vector>

namespace isserlis {
namespace {

/// B_0, B_1, .., each by those below it: sum_(j <= m) C(m + 1, j) B_j = 0.
class Bernoulli {
public:
    Rational const& operator[](std::size_t m) {
        while (known_.size() <= m) {
            std::size_t const next = known_.size();
            Rational sum(0);
            Integer choose(1);  // C(next + 1, j)
            for (std::size_t j = 0; j < next; ++j) {
                sum += Rational(choose) * known_[j];
                choose = choose * Integer(next + 1 - j) / Integer(j + 1);
            }
            known_.push_back(-sum / Rational(Integer(next + 1)));
        }
        return known_[m];
    }

private:
    std::vector<Rational> known_{Rational(1)};
};

/// Is x, at least 0, below 2^exponent?
bool is_below(Interval const& x, long exponent) {
    return mpfr_zero_p(x.upper()) != 0 || mpfr_get_exp(x.upper()) < exponent;
}

/// Re log Gamma(x + i s) for x beyond a third of the bits.
Interval real_log_gamma(Interval const& x, Interval const& s) {
    unsigned const bits = x.bits();
    Interval const one(1L, bits);
    Interval const two(2L, bits);
    Interval const square = x * x + s * s;
    Interval const half = one / two;
    Interval out = (x - half) * half * log(square) - s * atan(s / x) - x + half * log(two * pi(bits));
    // 1/z and its odd powers.
    Interval const real = x / square;
    Interval const imaginary = Interval(0L, bits) - s / square;
    Interval const square_real = real * real - imaginary * imaginary;
    Interval const square_imaginary = two * real * imaginary;
    Interval power_real = real;
    Interval power_imaginary = imaginary;
    Interval size = one / sqrt(square);  // of the power
    Interval secant = one;               // sec(arg z/2)^(2 m)
    Interval const growth = two / (one + x / sqrt(square));
    Bernoulli bernoulli;
    for (std::size_t m = 1;; ++m) {
        Rational const factor = bernoulli[2 * m] / Rational(Integer(2 * m) * Integer(2 * m - 1));
        secant = secant * growth;
        Interval const rest = Interval(Rational(factor < 0 ? -factor : factor), bits) * size * secant;
        if (is_below(rest, -static_cast<long>(bits)) || m > bits) return widened(out, rest);
        out = out + Interval(factor, bits) * power_real;
        Interval const next = power_real * square_real - power_imaginary * square_imaginary;
        power_imaginary = power_real * square_imaginary + power_imaginary * square_real;
        power_real = next;
        size = size / square;
    }
}

}  // namespace

Interval gamma_quotient(Interval const& x, Interval const& s) {
    if (mpfr_sgn(x.lower()) <= 0) throw DomainError("gamma_quotient: x may be 0 or less");
    // The first factors one by one, until Stirling's series serves; a series as large as x log x loses its bits.
    Interval const one(1L, x.bits());
    double const far = static_cast<double>(x.bits()) / 3 + 2;
    Interval near = one;
    Interval top = x;
    while (mpfr_cmp_d(top.lower(), far) < 0) {
        near = near * (one + s * s / (top * top));
        top = top + one;
    }
    Interval const tail = log_gamma(top) - real_log_gamma(top, s);
    return near * exp(tail + tail);
}

}  // namespace isserlis
