// SPDX-License-Identifier: MIT
#include "formula/wave_means.hpp"

namespace isserlis {
namespace {

/// weight sin(frequency z + quarters pi/2)
struct Wave {
    Rational weight;
    long frequency;
    long quarters;
};

/// Factors of sin; those of cos are the same at z + pi/2.
std::vector<Wave> waves_of(UnitFactor factor) {
    Rational const half = ratio(1, 2);
    Rational const quarter = ratio(1, 4);
    switch (factor) {
        case UnitFactor::square: return {{half, 0, 1}, {-half, 2, 1}};
        case UnitFactor::cube: return {{ratio(3, 4), 1, 0}, {-quarter, 3, 0}};
        case UnitFactor::value_first: return {{half, 2, 0}};
        case UnitFactor::square_first: return {{quarter, 1, 1}, {-quarter, 3, 1}};
        default: return {{1, 1, static_cast<long>(place_of(factor))}};
    }
}

std::vector<Wave> waves_of(SmoothUnit unit, UnitFactor factor) {
    auto out = waves_of(factor);
    if (unit == SmoothUnit::cos)
        for (auto& wave : out) wave.quarters += wave.frequency;
    return out;
}

/// cos(quarters pi/2)
long cosine(long quarters) {
    constexpr std::array<long, 4> values{1, 0, -1, 0};
    return values[static_cast<std::size_t>((quarters % 4 + 4) % 4)];
}

/// 2 sin x sin y = cos(x - y) - cos(x + y), and E cos(k u + l v + t) = cos t e^(-Var(k u + l v)/2).
Interval mean(Wave const& f, Wave const& g, PairCovariance const& pair, unsigned bits) {
    Interval sum(bits);
    for (long const sign : {1L, -1L}) {
        long const factor = sign * cosine(f.quarters - sign * g.quarters);
        if (factor == 0) continue;
        auto const of = [](long x) { return Enclosed(Rational(x)); };
        Enclosed const variance = of(f.frequency * f.frequency) * pair.uu -
                                  of(2 * sign * f.frequency * g.frequency) * pair.uv +
                                  of(g.frequency * g.frequency) * pair.vv;
        Interval const size = exp(Enclosed(variance / Enclosed(-2)).enclose(bits));
        add_product(sum, Interval(Rational(f.weight * g.weight * factor / 2), bits), size);
    }
    return sum;
}

}  // namespace

std::vector<Interval> wave_factor_means(SmoothUnit unit, PairCovariance const& pair,
                                        std::vector<FactorPair> const& pairs, unsigned bits) {
    std::vector<Interval> out;
    for (auto const& [f, g] : pairs) {
        Interval sum(bits);
        for (auto const& of_u : waves_of(unit, f))
            for (auto const& of_v : waves_of(unit, g)) sum = sum + mean(of_u, of_v, pair, bits);
        out.push_back(sum);
    }
    return out;
}

}  // namespace isserlis
