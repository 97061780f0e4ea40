// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/formula/pair_correction.hpp>
#include <isserlis/formula/width_correction.hpp>
#include <numbers>

#include "formula/unit_jets.hpp"

namespace isserlis {
namespace {

/// At z normal of variance K: the variance of sigma^2, and two derivatives of E sigma^2 by K.
struct SquareMeans {
    Enclosed spread;
    Enclosed slope;
    Enclosed bend;
};

/// Of u = z/sqrt(K): E sigma^2, E sigma^2 u^2, E sigma^2 u^4 and E sigma^4.
struct UnitSums {
    Interval square;
    Interval second;
    Interval fourth;
    Interval quartic;
};

SquareMeans square_means(UnitSums const& s, Interval const& variance) {
    unsigned const bits = variance.bits();
    auto const of = [bits](long x) { return Interval(x, bits); };
    return {.spread = s.quartic - s.square * s.square,
            .slope = (s.second - s.square) / (of(2) * variance),
            .bend = (s.fourth - of(6) * s.second + of(3) * s.square) / (of(4) * variance * variance)};
}

SquareMeans of_gate(Gate<Rational> const& gate, Enclosed const& variance) {
    Rational const spread = 3 * gate.moment(4) - gate.moment(2) * gate.moment(2);
    return {.spread = Enclosed(spread) * variance * variance, .slope = gate.moment(2), .bend = 0};
}

/// 8 sin^4 = 3 - 4 cos 2z + cos 4z, 2 sin^2 = 1 - cos 2z; of cos, the square has the other sign before cos 2z.
SquareMeans of_wave(Interval const& variance, long sign) {
    unsigned const bits = variance.bits();
    auto const of = [bits](long x) { return Interval(x, bits); };
    Interval const double_angle = of(sign) * exp(of(-2) * variance);  // of sin with its sign
    Interval const square = (of(1) - double_angle) / of(2);
    Interval const quartic = (of(3) - of(4) * double_angle + exp(of(-8) * variance)) / of(8);
    return {.spread = quartic - square * square, .slope = double_angle, .bend = of(-2) * double_angle};
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
    Interval const quartic =
        below[4][0] - of(4) * below[3][0] + of(6) * below[2][0] - of(4) * below[1][0] + below[0][0];
    return {.square = square(0, 1),
            .second = square(2, 3),
            .fourth = square(4, 15),
            .quartic = outer * outer * (of(3) * variance * variance / of(2) + inner * inner * quartic)};
}

/// The trapezoidal rule over u, as in unit_moments, for numbers that grow up to the sixth power.
class SquareRule {
public:
    SquareRule(SmoothUnit unit, Interval const& variance)
        : unit_(unit), bits_(variance.bits()), deviation_(sqrt(variance)) {
        // |erf| <= 1 + 2 e/sqrt(pi) within 1 of the real line.
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
        std::array<Interval, 4> sums{Interval(bits_), Interval(bits_), Interval(bits_), Interval(bits_)};
        for (long k = -last_ * per_unit_; k <= last_ * per_unit_; ++k) {
            Interval const u(ratio(Integer(k), Integer(per_unit_)), bits_);
            Interval const value = at(deviation_ * u);
            Interval const square = value * value;
            Interval const weight = normal_density(u) * square;
            Interval const power = u * u;
            sums[0] = sums[0] + weight;
            add_product(sums[1], weight, power);
            add_product(sums[2], weight, power * power);
            add_product(sums[3], weight, square);
        }
        Interval const radius = error();
        Interval const steps(per_unit_, bits_);
        for (auto& x : sums) x = widened(x / steps, radius);
        return {.square = sums[0], .second = sums[1], .fourth = sums[2], .quartic = sums[3]};
    }

private:
    [[nodiscard]] Interval at(Interval const& z) const {
        Interval const one(1L, bits_);
        if (unit_ == SmoothUnit::erf) return one - erfc(z);
        if (unit_ == SmoothUnit::gelu) return z * normal_cdf(z);
        return enclosed_unit(unit_, z, exp(z)).value;
    }

    /// All four are at most C (1 + |x|)^6 at x + iy, |y| <= half <= 1, C = factor^2 (1 + sqrt(K))^4:
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

SquareMeans means_at(KernelUnit const& unit, Enclosed const& variance, unsigned bits) {
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
        case SmoothUnit::selu: return square_means(elu_sums(smooth, within), within);
        default: return square_means(SquareRule(smooth, within)(), within);
    }
}

}  // namespace

std::vector<WidthCorrection> width_corrections(WideNetwork const& network, Rational const& square, unsigned bits,
                                               std::vector<Rational> const& relative_widths) {
    require_relative_widths(network, relative_widths);
    auto const layers = wide_kernels(network, {.xx = square, .xy = square, .yy = square}, bits);
    Enclosed const w = network.weight_variance;
    std::vector<WidthCorrection> out{{.vertex = 0, .kernel = 0}};
    for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
        SquareMeans const means = means_at(network.unit, layers[l].kernel.uu, bits);
        WidthCorrection const& below = out.back();
        Enclosed const slope = w * means.slope;
        Enclosed const relative = relative_widths.empty() ? Rational(1) : relative_widths[l];
        out.push_back({.vertex = w * w * means.spread / relative + slope * slope * below.vertex,
                       .kernel = slope * below.kernel + w * means.bend * below.vertex / Enclosed(2)});
    }
    return out;
}

}  // namespace isserlis
