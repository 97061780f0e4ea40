// SPDX-License-Identifier: MIT
#include <isserlis/ring/interval.hpp>

#include <algorithm>
#include <isserlis/error.hpp>

namespace isserlis {

Interval::Interval(unsigned bits) : Interval(0L, bits) {}

Interval::Interval(long value, unsigned bits) {
    mpfr_init2(lower_, bits);
    mpfr_init2(upper_, bits);
    mpfr_set_si(lower_, value, MPFR_RNDD);
    mpfr_set_si(upper_, value, MPFR_RNDU);
}

Interval::Interval(Integer const& value, unsigned bits) : Interval(0L, bits) {
    mpfr_set_z(lower_, value.backend().data(), MPFR_RNDD);
    mpfr_set_z(upper_, value.backend().data(), MPFR_RNDU);
}

Interval::Interval(Rational const& value, unsigned bits) : Interval(0L, bits) {
    mpfr_set_q(lower_, value.backend().data(), MPFR_RNDD);
    mpfr_set_q(upper_, value.backend().data(), MPFR_RNDU);
}

Interval::Interval(Interval const& other) : Interval(0L, other.bits()) {
    mpfr_set(lower_, other.lower_, MPFR_RNDD);
    mpfr_set(upper_, other.upper_, MPFR_RNDU);
}

Interval::Interval(Interval&& other) noexcept : Interval(0L, 2) {
    mpfr_swap(lower_, other.lower_);
    mpfr_swap(upper_, other.upper_);
}

Interval& Interval::operator=(Interval other) noexcept {
    mpfr_swap(lower_, other.lower_);
    mpfr_swap(upper_, other.upper_);
    return *this;
}

Interval::~Interval() {
    mpfr_clear(lower_);
    mpfr_clear(upper_);
}

bool Interval::contains_zero() const { return mpfr_sgn(lower_) <= 0 && mpfr_sgn(upper_) >= 0; }

Interval operator+(Interval const& a, Interval const& b) {
    Interval out(std::max(a.bits(), b.bits()));
    mpfr_add(out.lower_, a.lower_, b.lower_, MPFR_RNDD);
    mpfr_add(out.upper_, a.upper_, b.upper_, MPFR_RNDU);
    return out;
}

Interval operator-(Interval const& a, Interval const& b) {
    Interval out(std::max(a.bits(), b.bits()));
    mpfr_sub(out.lower_, a.lower_, b.upper_, MPFR_RNDD);
    mpfr_sub(out.upper_, a.upper_, b.lower_, MPFR_RNDU);
    return out;
}

namespace {

using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

/// Extremes of op over the four corner pairs; enough for * and for / by an interval without 0.
void corners(Binary op, mpfr_ptr lower, mpfr_ptr upper, Interval const& a, Interval const& b) {
    mpfr_t down;
    mpfr_t up;
    mpfr_init2(down, mpfr_get_prec(lower));
    mpfr_init2(up, mpfr_get_prec(upper));
    bool first = true;
    for (mpfr_srcptr x : {a.lower(), a.upper()}) {
        for (mpfr_srcptr y : {b.lower(), b.upper()}) {
            op(down, x, y, MPFR_RNDD);
            op(up, x, y, MPFR_RNDU);
            if (first || mpfr_less_p(down, lower) != 0) mpfr_set(lower, down, MPFR_RNDD);
            if (first || mpfr_greater_p(up, upper) != 0) mpfr_set(upper, up, MPFR_RNDU);
            first = false;
        }
    }
    mpfr_clear(down);
    mpfr_clear(up);
}

/// Bounds of a b. Signs tell which ends to multiply, unless both factors are of either sign.
void multiply(mpfr_ptr lower, mpfr_ptr upper, Interval const& a, Interval const& b) {
    auto const sign = [](Interval const& x) {
        return mpfr_sgn(x.lower()) >= 0 ? 1 : mpfr_sgn(x.upper()) <= 0 ? -1 : 0;
    };
    int const of_a = sign(a);
    int const of_b = sign(b);
    if (of_a == 0 && of_b == 0) return corners(mpfr_mul, lower, upper, a, b);
    // The end of x in the least or the largest product. Against a factor of either sign it is the one far from 0.
    auto const pick = [](Interval const& x, int own, int other, bool least) {
        if (other == 0) return own > 0 ? x.upper() : x.lower();
        return (other > 0) == least ? x.lower() : x.upper();
    };
    mpfr_mul(lower, pick(a, of_a, of_b, true), pick(b, of_b, of_a, true), MPFR_RNDD);
    mpfr_mul(upper, pick(a, of_a, of_b, false), pick(b, of_b, of_a, false), MPFR_RNDU);
}

}  // namespace

Interval operator*(Interval const& a, Interval const& b) {
    Interval out(std::max(a.bits(), b.bits()));
    multiply(out.lower_, out.upper_, a, b);
    return out;
}

void add_product(Interval& sum, Interval const& a, Interval const& b) {
    Interval const product = a * b;
    mpfr_add(sum.lower_, sum.lower_, product.lower_, MPFR_RNDD);
    mpfr_add(sum.upper_, sum.upper_, product.upper_, MPFR_RNDU);
}

Interval operator/(Interval const& a, Interval const& b) {
    if (b.contains_zero()) throw DomainError("interval division: the divisor may be 0");
    Interval out(std::max(a.bits(), b.bits()));
    corners(mpfr_div, out.lower_, out.upper_, a, b);
    return out;
}

Interval sqrt(Interval const& x) {
    if (mpfr_sgn(x.lower()) < 0) throw DomainError("interval sqrt: the argument may be negative");
    Interval out(x.bits());
    mpfr_sqrt(out.lower_, x.lower_, MPFR_RNDD);
    mpfr_sqrt(out.upper_, x.upper_, MPFR_RNDU);
    return out;
}

Interval positive_part(Interval const& x) {
    Interval out(x);
    if (mpfr_sgn(out.lower_) < 0) mpfr_set_zero(out.lower_, 1);
    if (mpfr_sgn(out.upper_) < 0) mpfr_set_zero(out.upper_, 1);
    return out;
}

Interval log(Interval const& x) {
    if (mpfr_sgn(x.lower()) <= 0) throw DomainError("interval log: the argument may not be positive");
    Interval out(x.bits());
    mpfr_log(out.lower_, x.lower_, MPFR_RNDD);
    mpfr_log(out.upper_, x.upper_, MPFR_RNDU);
    return out;
}

Interval exp(Interval const& x) {
    Interval out(x.bits());
    mpfr_exp(out.lower_, x.lower_, MPFR_RNDD);
    mpfr_exp(out.upper_, x.upper_, MPFR_RNDU);
    return out;
}

Interval atan(Interval const& x) {
    Interval out(x.bits());
    mpfr_atan(out.lower_, x.lower_, MPFR_RNDD);
    mpfr_atan(out.upper_, x.upper_, MPFR_RNDU);
    return out;
}

Interval digamma(Interval const& x) {
    if (mpfr_sgn(x.lower()) <= 0) throw DomainError("interval digamma: the argument may not be positive");
    Interval out(x.bits());
    mpfr_digamma(out.lower_, x.lower_, MPFR_RNDD);
    mpfr_digamma(out.upper_, x.upper_, MPFR_RNDU);
    return out;
}

Interval log_gamma(Interval const& x) {
    // Gamma has its only positive minimum at 1.46..; from 2 on it increases.
    if (mpfr_cmp_ui(x.lower(), 2) < 0) throw DomainError("interval log_gamma: the argument must be at least 2");
    Interval out(x.bits());
    mpfr_lngamma(out.lower_, x.lower_, MPFR_RNDD);
    mpfr_lngamma(out.upper_, x.upper_, MPFR_RNDU);
    return out;
}

Interval erfc(Interval const& x) {
    Interval out(x.bits());
    mpfr_erfc(out.lower_, x.upper_, MPFR_RNDD);
    mpfr_erfc(out.upper_, x.lower_, MPFR_RNDU);
    return out;
}

Interval widened(Interval const& x, Interval const& radius) {
    Interval out(x);
    mpfr_sub(out.lower_, x.lower_, radius.upper_, MPFR_RNDD);
    mpfr_add(out.upper_, x.upper_, radius.upper_, MPFR_RNDU);
    return out;
}

Interval pi(unsigned bits) {
    Interval out(bits);
    mpfr_const_pi(out.lower_, MPFR_RNDD);
    mpfr_const_pi(out.upper_, MPFR_RNDU);
    return out;
}

Interval enclose(Surd const& x, unsigned bits) {
    Interval sum(bits);
    for (auto const& t : x.terms()) {
        sum = sum + Interval(t.coefficient, bits) * sqrt(Interval(t.radicand, bits));
    }
    return sum;
}

}  // namespace isserlis
