// SPDX-License-Identifier: MIT
#include <isserlis/formula/unit_moments.hpp>

#include <cmath>
#include <isserlis/error.hpp>
#include <numbers>

#include "formula/unit_jets.hpp"

namespace isserlis {
namespace {

/// The trapezoidal rule over u = k/per_unit, |u| <= last, and how far it may be off.
class Rule {
public:
    Rule(UnitGrowth const& growth, Interval const& variance, unsigned bits)
        : growth_(growth), bits_(bits), deviation_(sqrt(variance)) {
        double const deviation = mpfr_get_d(deviation_.upper(), MPFR_RNDU);
        double const wanted = bits * std::log(2.0);
        double const size = std::log(2.0 * static_cast<double>(growth.factor)) + 2 * std::log1p(deviation);
        half_ = half_strip(deviation);  // the ends of the strip are not needed
        double const half = half_.convert_to<double>();
        per_unit_ = static_cast<long>(std::ceil((wanted + size + half * half / 2) / (2 * std::numbers::pi * half))) + 1;
        last_ = static_cast<long>(std::ceil(std::sqrt(2 * (wanted + size)))) + 2;
    }

    [[nodiscard]] UnitMoments operator()(SmoothUnit unit) const {
        UnitMoments sum{.mean = Interval(bits_), .second = Interval(bits_), .derivative_second = Interval(bits_)};
        for (long k = -last_ * per_unit_; k <= last_ * per_unit_; ++k) {
            Interval const u(ratio(Integer(k), Integer(per_unit_)), bits_);
            Interval const weight = normal_density(u);
            UnitEnclosure const jet = at(unit, deviation_ * u);
            add_product(sum.mean, weight, jet.value);
            add_product(sum.second, weight, jet.value * jet.value);
            add_product(sum.derivative_second, weight, jet.first * jet.first);
        }
        Interval const radius = error();
        Interval const steps(per_unit_, bits_);
        for (auto* x : {&sum.mean, &sum.second, &sum.derivative_second}) *x = widened(*x / steps, radius);
        return sum;
    }

private:
    static UnitEnclosure at(SmoothUnit unit, Interval const& z) {
        if (unit != SmoothUnit::gelu) return enclosed_unit(unit, z, exp(z));
        Interval const open = normal_cdf(z);
        return {.value = z * open, .first = open + z * normal_density(z)};
    }

    /// 2 M/(e^(2 pi a/h) - 1) for the rule without an end, M the integral of what bounds the integrand on the lines of
    /// the strip, and the two tails.
    [[nodiscard]] Interval error() const {
        Interval const one(1L, bits_);
        Interval const two(2L, bits_);
        Interval const half(half_, bits_);
        Interval size(growth_.factor, bits_);
        for (unsigned i = 0; i < growth_.degree; ++i) size = size * (one + deviation_);
        Interval const strip =
            two * size * exp(half * half / two) / (exp(two * pi(bits_) * half * Interval(per_unit_, bits_)) - one);
        // The integral of u^m phi(u) from T on is at most T^(m-1) phi(T)/(1 - m/T^2).
        Interval const end(last_, bits_);
        Interval tail = normal_density(end) / end;
        for (unsigned i = 0; i < growth_.degree; ++i) tail = tail * end;
        tail = tail / (one - Interval(static_cast<long>(growth_.degree), bits_) / (end * end));
        return strip + two * size * tail;
    }

    UnitGrowth growth_;
    unsigned bits_;
    Interval deviation_;
    Rational half_ = 0;
    long per_unit_ = 0;
    long last_ = 0;
};

/// E e^(k z) over z < 0.
Interval exponential_below(long k, Interval const& variance, Interval const& deviation) {
    unsigned const bits = variance.bits();
    Interval const factor(k, bits);
    return exp(factor * factor * variance / Interval(2L, bits)) * normal_cdf(Interval(0L, bits) - factor * deviation);
}

/// scale (z above 0, alpha (e^z - 1) below).
UnitMoments elu_moments(EluConstants const& constants, Interval const& variance) {
    auto const& [scale, alpha] = constants;
    unsigned const bits = variance.bits();
    Interval const deviation = sqrt(variance);
    Interval const half(ratio(Integer(1), Integer(2)), bits);
    Interval const two(2L, bits);
    Interval const once = exponential_below(1, variance, deviation);
    Interval const twice = exponential_below(2, variance, deviation);
    Interval const square = alpha * alpha;
    return {.mean = scale * (deviation / sqrt(two * pi(bits)) + alpha * (once - half)),
            .second = scale * scale * (half * variance + square * (twice - two * once + half)),
            .derivative_second = scale * scale * (half + square * twice)};
}

UnitMoments erf_moments(Interval const& variance) {
    unsigned const bits = variance.bits();
    Interval const root = sqrt(Interval(1L, bits) + Interval(4L, bits) * variance);
    return {.mean = Interval(bits),
            .second = Interval(2L, bits) / pi(bits) * atan(Interval(2L, bits) * variance / root),
            .derivative_second = Interval(4L, bits) / (pi(bits) * root)};
}

/// E e^(iz) = e^(-q/2).
UnitMoments sin_moments(Interval const& variance) {
    unsigned const bits = variance.bits();
    Interval const one(1L, bits);
    Interval const two(2L, bits);
    Interval const less = exp(Interval(-2L, bits) * variance);
    return {.mean = Interval(bits), .second = (one - less) / two, .derivative_second = (one + less) / two};
}

UnitMoments cos_moments(Interval const& variance) {
    UnitMoments const sine = sin_moments(variance);
    return {.mean = exp(variance / Interval(-2L, variance.bits())),
            .second = sine.derivative_second,
            .derivative_second = sine.second};
}

}  // namespace

EluConstants elu_constants(SmoothUnit unit, unsigned bits) {
    Interval const one(1L, bits);
    if (unit == SmoothUnit::elu) return {.scale = one, .alpha = one};
    // Mean 0 gives SELU's alpha, second moment 1 then the scale.
    Interval const half(ratio(Integer(1), Integer(2)), bits);
    Interval const alpha = one / sqrt(Interval(2L, bits) * pi(bits)) / (half - exponential_below(1, one, one));
    return {.scale = one / sqrt(elu_moments({.scale = one, .alpha = alpha}, one).second), .alpha = alpha};
}

bool is_odd(SmoothUnit unit) { return unit == SmoothUnit::tanh || unit == SmoothUnit::erf || unit == SmoothUnit::sin; }

UnitMoments unit_moments_within(SmoothUnit unit, Interval const& variance, unsigned bits) {
    if (auto const growth = growth_of(unit)) return Rule(*growth, variance, bits)(unit);
    switch (unit) {
        case SmoothUnit::elu:
        case SmoothUnit::selu: return elu_moments(elu_constants(unit, bits), variance);
        case SmoothUnit::erf: return erf_moments(variance);
        case SmoothUnit::cos: return cos_moments(variance);
        default: return sin_moments(variance);
    }
}

UnitMoments unit_moments(SmoothUnit unit, Rational const& variance, unsigned bits) {
    double const size = variance.convert_to<double>();
    if (size < least_unit_variance || size > most_unit_variance)
        throw DomainError(
            "unit_moments: a variance from 1/1000000 to 10000 is required, here is " + to_string(variance), "variance");
    // Terms and their sums round, and moments of small variances are small.
    unsigned const work = bits + guard_bits;
    return unit_moments_within(unit, Interval(variance, work), work);
}

}  // namespace isserlis
