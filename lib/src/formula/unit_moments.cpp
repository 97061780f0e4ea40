// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/formula/unit_moments.hpp>
#include <numbers>
#include <optional>

namespace isserlis {
namespace {

/// Phi, the distribution function of a standard normal.
Interval normal_cdf(Interval const& x) {
    unsigned const bits = x.bits();
    return erfc((Interval(0L, bits) - x) / sqrt(Interval(2L, bits))) / Interval(2L, bits);
}

Interval normal_density(Interval const& x) {
    unsigned const bits = x.bits();
    Interval const two(2L, bits);
    return exp(Interval(0L, bits) - x * x / two) / sqrt(two * pi(bits));
}

Interval logistic(Interval const& z) {
    Interval const one(1L, z.bits());
    return one / (one + exp(Interval(0L, z.bits()) - z));
}

/// A unit and its derivative at one place.
struct Jet {
    Interval value;
    Interval first;
};

Jet jet_of(SmoothUnit unit, Interval const& z) {
    unsigned const bits = z.bits();
    Interval const one(1L, bits);
    switch (unit) {
        case SmoothUnit::tanh: {
            Interval const value = one - Interval(2L, bits) / (exp(z + z) + one);
            return {.value = value, .first = one - value * value};
        }
        case SmoothUnit::sigmoid: {
            Interval const value = logistic(z);
            return {.value = value, .first = value * logistic(Interval(0L, bits) - z)};
        }
        case SmoothUnit::softplus: return {.value = log(one + exp(z)), .first = logistic(z)};
        case SmoothUnit::silu: {
            Interval const open = logistic(z);
            return {.value = z * open, .first = open + z * open * logistic(Interval(0L, bits) - z)};
        }
        case SmoothUnit::gelu: {
            Interval const open = normal_cdf(z);
            return {.value = z * open, .first = open + z * normal_density(z)};
        }
        case SmoothUnit::elu:
        case SmoothUnit::selu:
        case SmoothUnit::erf:
        case SmoothUnit::sin: break;
    }
    throw DomainError("unit_moments: a unit in closed form");
}

/// |sigma|, |sigma|^2 and |sigma'|^2 are at most `factor` (1 + |x|)^degree at x + iy, |y| <= 1, where all of these units
/// are analytic: there |tanh|^2 <= tan(1)^2, |1 + e^-z| >= 1 and |Phi| <= 2. See docs/formulas/unit_moments.md.
struct Growth {
    long factor;
    unsigned degree;
};

std::optional<Growth> growth_of(SmoothUnit unit) {
    switch (unit) {
        case SmoothUnit::tanh: return Growth{.factor = 12, .degree = 0};
        case SmoothUnit::sigmoid: return Growth{.factor = 1, .degree = 0};
        case SmoothUnit::softplus:
        case SmoothUnit::silu: return Growth{.factor = 4, .degree = 2};
        case SmoothUnit::gelu: return Growth{.factor = 9, .degree = 2};
        case SmoothUnit::elu:
        case SmoothUnit::selu:
        case SmoothUnit::erf:
        case SmoothUnit::sin: break;
    }
    return std::nullopt;
}

/// The trapezoidal rule over u = k/per_unit, |u| <= last, and how far it may be off.
class Rule {
public:
    Rule(Growth const& growth, Rational const& variance, unsigned bits)
        : growth_(growth), bits_(bits), deviation_(sqrt(Interval(variance, bits))) {
        double const deviation = std::sqrt(variance.convert_to<double>());
        double const wanted = bits * std::log(2.0);
        double const size = std::log(2.0 * static_cast<double>(growth.factor)) + 2 * std::log1p(deviation);
        // Half a strip in u, where z = sqrt(q) u stays within 1 of the real line; its ends are not needed.
        half_ = Rational(Integer(static_cast<long>(std::floor(0.999 * 1024 * std::min(1 / deviation, 4.0))))) /
                Rational(1024);
        double const half = half_.convert_to<double>();
        per_unit_ = static_cast<long>(std::ceil((wanted + size + half * half / 2) / (2 * std::numbers::pi * half))) + 1;
        last_ = static_cast<long>(std::ceil(std::sqrt(2 * (wanted + size)))) + 2;
    }

    [[nodiscard]] UnitMoments operator()(SmoothUnit unit) const {
        UnitMoments sum{.mean = Interval(bits_), .second = Interval(bits_), .derivative_second = Interval(bits_)};
        for (long k = -last_ * per_unit_; k <= last_ * per_unit_; ++k) {
            Interval const u(ratio(Integer(k), Integer(per_unit_)), bits_);
            Interval const weight = normal_density(u);
            Jet const jet = jet_of(unit, deviation_ * u);
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

    Growth growth_;
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
UnitMoments elu_moments(Interval const& scale, Interval const& alpha, Rational const& q, unsigned bits) {
    Interval const variance(q, bits);
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

/// Mean 0 gives alpha, second moment 1 then the scale.
UnitMoments selu_moments(Rational const& q, unsigned bits) {
    Interval const one(1L, bits);
    Interval const half(ratio(Integer(1), Integer(2)), bits);
    Interval const alpha = one / sqrt(Interval(2L, bits) * pi(bits)) / (half - exponential_below(1, one, one));
    Interval const scale = one / sqrt(elu_moments(one, alpha, Rational(1), bits).second);
    return elu_moments(scale, alpha, q, bits);
}

UnitMoments erf_moments(Rational const& q, unsigned bits) {
    Interval const variance(q, bits);
    Interval const root = sqrt(Interval(1L, bits) + Interval(4L, bits) * variance);
    return {.mean = Interval(bits),
            .second = Interval(2L, bits) / pi(bits) * atan(Interval(2L, bits) * variance / root),
            .derivative_second = Interval(4L, bits) / (pi(bits) * root)};
}

UnitMoments sin_moments(Rational const& q, unsigned bits) {
    Interval const one(1L, bits);
    Interval const two(2L, bits);
    Interval const less = exp(Interval(Rational(-2 * q), bits));
    return {.mean = Interval(bits), .second = (one - less) / two, .derivative_second = (one + less) / two};
}

}  // namespace

UnitMoments unit_moments(SmoothUnit unit, Rational const& variance, unsigned bits) {
    double const size = variance.convert_to<double>();
    if (size < least_unit_variance || size > most_unit_variance)
        throw DomainError(
            "unit_moments: a variance from 1/1000000 to 10000 is required, here is " + to_string(variance), "variance");
    // Terms and their sums round, and moments of small variances are small.
    unsigned const work = bits + guard_bits;
    if (auto const growth = growth_of(unit)) return Rule(*growth, variance, work)(unit);
    switch (unit) {
        case SmoothUnit::elu: return elu_moments(Interval(1L, work), Interval(1L, work), variance, work);
        case SmoothUnit::selu: return selu_moments(variance, work);
        case SmoothUnit::erf: return erf_moments(variance, work);
        default: return sin_moments(variance, work);
    }
}

}  // namespace isserlis
