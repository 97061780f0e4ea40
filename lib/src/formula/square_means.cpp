// SPDX-License-Identifier: MIT
#include "formula/square_means.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <isserlis/error.hpp>
#include <numbers>
#include <vector>

#include "formula/unit_jets.hpp"

namespace isserlis {
namespace {

/// Of u = z/sqrt(K): E f, E f u^2 and E f u^4.
struct EvenSums {
    Interval none;
    Interval second;
    Interval fourth;
};

/// Those of sigma^2 and of sigma'^2, E sigma^4 and E sigma^2 sigma'^2.
struct UnitSums {
    EvenSums square;
    EvenSums derivative;
    Interval quartic;
    Interval joint;
};

VarianceMean by_parts(EvenSums const& s, Interval const& variance) {
    unsigned const bits = variance.bits();
    auto const of = [bits](long x) { return Interval(x, bits); };
    return {.value = s.none,
            .slope = (s.second - s.none) / (of(2) * variance),
            .bend = (s.fourth - of(6) * s.second + of(3) * s.none) / (of(4) * variance * variance)};
}

SquareMeans means_of_sums(UnitSums const& s, Interval const& variance) {
    return {.square = by_parts(s.square, variance),
            .derivative = by_parts(s.derivative, variance),
            .quartic = s.quartic,
            .joint = s.joint};
}

SquareMeans of_gate(Gate<Rational> const& gate, Enclosed const& variance) {
    Enclosed const second = gate.moment(2);
    Enclosed const fourth = gate.moment(4);
    return {.square = {.value = second * variance, .slope = second, .bend = 0},
            .derivative = {.value = second, .slope = 0, .bend = 0},
            .quartic = Enclosed(3) * fourth * variance * variance,
            .joint = fourth * variance};
}

/// 8 sin^4 = 3 - 4 cos 2z + cos 4z, 2 sin^2 = 1 - cos 2z, 8 sin^2 cos^2 = 1 - cos 4z; of cos, the square has the other
/// sign before cos 2z.
SquareMeans of_wave(Interval const& variance, long sign) {
    unsigned const bits = variance.bits();
    auto const of = [bits](long x) { return Interval(x, bits); };
    Interval const double_angle = of(sign) * exp(of(-2) * variance);  // of sin with its sign
    Interval const fourfold = exp(of(-8) * variance);
    return {.square = {.value = (of(1) - double_angle) / of(2), .slope = double_angle, .bend = of(-2) * double_angle},
            .derivative = {.value = (of(1) + double_angle) / of(2),
                           .slope = of(0) - double_angle,
                           .bend = of(2) * double_angle},
            .quartic = (of(3) - of(4) * double_angle + fourfold) / of(8),
            .joint = (of(1) - fourfold) / of(8)};
}

/// E[u^k e^(j sqrt(K) u); u < 0], k = 0 .. 4: by parts, each from the two before.
std::array<Interval, 5> exponential_moments(long j, Interval const& variance, Interval const& deviation) {
    unsigned const bits = variance.bits();
    auto const of = [bits](long x) { return Interval(x, bits); };
    Interval const rate = of(j) * deviation;
    Interval const none = exp(rate * rate / of(2)) * normal_cdf(of(0) - rate);
    Interval const one = rate * none - normal_density(of(0));
    Interval const two = none + rate * one;
    Interval const three = of(2) * one + rate * two;
    return {none, one, two, three, of(3) * two + rate * three};
}

UnitSums elu_sums(SmoothUnit unit, Interval const& variance) {
    unsigned const bits = variance.bits();
    auto const of = [bits](long x) { return Interval(x, bits); };
    auto const [scale, alpha] = elu_constants(unit, bits);
    Interval const deviation = sqrt(variance);
    std::vector<std::array<Interval, 5>> below;
    for (long j = 0; j <= 4; ++j) below.push_back(exponential_moments(j, variance, deviation));
    Interval const outer = scale * scale;
    Interval const inner = alpha * alpha;
    auto const square = [&](std::size_t k, long above) {
        return outer * (of(above) * variance / of(2) + inner * (below[2][k] - of(2) * below[1][k] + below[0][k]));
    };
    auto const derivative = [&](std::size_t k, long above) {
        return outer * (of(above) / of(2) + inner * below[2][k]);
    };
    Interval const quartic =
        below[4][0] - of(4) * below[3][0] + of(6) * below[2][0] - of(4) * below[1][0] + below[0][0];
    Interval const joint = below[4][0] - of(2) * below[3][0] + below[2][0];
    return {.square = {.none = square(0, 1), .second = square(2, 3), .fourth = square(4, 15)},
            .derivative = {.none = derivative(0, 1), .second = derivative(2, 1), .fourth = derivative(4, 3)},
            .quartic = outer * outer * (of(3) * variance * variance / of(2) + inner * inner * quartic),
            .joint = outer * outer * (variance / of(2) + inner * inner * joint)};
}

/// The trapezoidal rule over u, as in unit_moments, for numbers that grow up to the sixth power.
class SquareRule {
public:
    SquareRule(SmoothUnit unit, Interval const& variance)
        : unit_(unit), bits_(variance.bits()), deviation_(sqrt(variance)) {
        // |erf| <= 1 + 2 e/sqrt(pi) and |erf'| <= 2 e/sqrt(pi) within 1 of the real line.
        growth_ = unit == SmoothUnit::erf ? UnitGrowth{.factor = 17, .degree = 0} : *growth_of(unit);
        double const deviation = mpfr_get_d(deviation_.upper(), MPFR_RNDU);
        half_ = std::min(half_strip(deviation), Rational(1));
        double const half = half_.convert_to<double>();
        double const nats =
            bits_ * std::numbers::ln2 + std::log(1e5 * static_cast<double>(growth_.factor)) + 4 * std::log1p(deviation);
        per_unit_ = static_cast<long>(std::ceil((nats + 1) / (2 * std::numbers::pi * half))) + 1;
        last_ = static_cast<long>(std::ceil(std::sqrt(2 * nats))) + 8;
    }

    [[nodiscard]] UnitSums operator()() const {
        EvenSums const none{.none = Interval(bits_), .second = Interval(bits_), .fourth = Interval(bits_)};
        UnitSums sums{.square = none, .derivative = none, .quartic = Interval(bits_), .joint = Interval(bits_)};
        for (long k = -last_ * per_unit_; k <= last_ * per_unit_; ++k) {
            Interval const u(ratio(Integer(k), Integer(per_unit_)), bits_);
            UnitEnclosure const unit = at(deviation_ * u);
            Interval const power = u * u;
            Interval const density = normal_density(u);
            Interval const square = unit.value * unit.value;
            Interval const derivative = unit.first * unit.first;
            Interval const weight = density * square;
            add(sums.square, weight, power);
            add(sums.derivative, density * derivative, power);
            add_product(sums.quartic, weight, square);
            add_product(sums.joint, weight, derivative);
        }
        Interval const radius = error();
        Interval const steps(per_unit_, bits_);
        for (auto* x : {&sums.square.none, &sums.square.second, &sums.square.fourth, &sums.derivative.none,
                        &sums.derivative.second, &sums.derivative.fourth, &sums.quartic, &sums.joint})
            *x = widened(*x / steps, radius);
        return sums;
    }

private:
    static void add(EvenSums& sums, Interval const& weight, Interval const& power) {
        sums.none = sums.none + weight;
        add_product(sums.second, weight, power);
        add_product(sums.fourth, weight, power * power);
    }

    [[nodiscard]] UnitEnclosure at(Interval const& z) const {
        if (unit_ == SmoothUnit::erf) {
            Interval const one(1L, bits_);
            Interval const two(2L, bits_);
            return {.value = one - erfc(z), .first = two * exp(Interval(0L, bits_) - z * z) / sqrt(pi(bits_))};
        }
        if (unit_ == SmoothUnit::gelu) {
            Interval const open = normal_cdf(z);
            return {.value = z * open, .first = open + z * normal_density(z)};
        }
        return enclosed_unit(unit_, z, exp(z));
    }

    /// All of them are at most C (1 + |x|)^6 at x + iy, |y| <= half <= 1, C = factor^2 (1 + sqrt(K))^4:
    /// E (1 + |u|)^6 < 152, and (1 + x)^6 <= 64 x^6 in the tails.
    [[nodiscard]] Interval error() const {
        auto const of = [this](long x) { return Interval(x, bits_); };
        Interval size = of(growth_.factor * growth_.factor);
        for (int i = 0; i < 4; ++i) size = size * (of(1) + deviation_);
        Interval const half(half_, bits_);
        Interval const strip =
            of(304) * exp(half * half / of(2)) / (exp(of(2) * pi(bits_) * half * of(per_unit_)) - of(1));
        Interval const end = of(last_);
        Interval const square = end * end;
        Interval const tail = of(128) * end * square * square * normal_density(end) / (of(1) - of(6) / square);
        return size * (strip + tail);
    }

    SmoothUnit unit_;
    unsigned bits_;
    UnitGrowth growth_{};
    Interval deviation_;
    Rational half_ = 0;
    long per_unit_ = 0;
    long last_ = 0;
};

}  // namespace

SquareMeans square_means(KernelUnit const& unit, Enclosed const& variance, unsigned bits) {
    if (auto const* gate = std::get_if<Gate<Rational>>(&unit)) return of_gate(*gate, variance);
    SmoothUnit const smooth = std::get<SmoothUnit>(unit);
    Interval const within = variance.enclose(bits);
    if (mpfr_sgn(within.lower()) <= 0) throw DomainError("width_corrections: a variance is not positive");
    if (mpfr_cmp_d(within.upper(), most_unit_variance) > 0)
        throw UnsupportedError("width_corrections: a layer's variance is above 10000", "weight_variance");
    switch (smooth) {
        case SmoothUnit::sin: return of_wave(within, 1);
        case SmoothUnit::cos: return of_wave(within, -1);
        case SmoothUnit::elu:
        case SmoothUnit::selu: return means_of_sums(elu_sums(smooth, within), within);
        default: return means_of_sums(SquareRule(smooth, within)(), within);
    }
}

}  // namespace isserlis
