// SPDX-License-Identifier: MIT
#include "formula/unit_factors.hpp"

#include <isserlis/error.hpp>

#include "formula/unit_jets.hpp"

namespace isserlis {
namespace {

/// Bounds of sigma and of its five derivatives, and of how many of them the degree is 1.
struct DerivativeGrowth {
    std::array<long, 6> size;
    std::size_t linear;
};

DerivativeGrowth derivative_growth(SmoothUnit unit) {
    switch (unit) {
        case SmoothUnit::tanh: return {.size = {2, 4, 11, 57, 400, 3500}, .linear = 0};
        case SmoothUnit::sigmoid: return {.size = {1, 1, 1, 7, 13, 103}, .linear = 0};
        case SmoothUnit::softplus: return {.size = {2, 1, 1, 1, 7, 13}, .linear = 1};
        case SmoothUnit::silu: return {.size = {1, 2, 3, 10, 41, 168}, .linear = 6};
        case SmoothUnit::gelu: return {.size = {2, 3, 3, 7, 23, 77}, .linear = 2};
        case SmoothUnit::erf: return {.size = {5, 4, 8, 29, 120, 600}, .linear = 0};
        case SmoothUnit::elu:
        case SmoothUnit::selu:
        case SmoothUnit::sin:
        case SmoothUnit::cos: break;
    }
    throw DomainError("growth_of: a unit in closed form");
}

}  // namespace

FactorGrowth growth_of(SmoothUnit unit, UnitFactor factor) {
    DerivativeGrowth const of_unit = derivative_growth(unit);
    auto const at = [&](std::size_t order) {
        return FactorGrowth{.size = of_unit.size[order], .degree = order < of_unit.linear ? 1U : 0U};
    };
    auto const product = [](FactorGrowth const& a, FactorGrowth const& b) {
        return FactorGrowth{.size = a.size * b.size, .degree = a.degree + b.degree};
    };
    switch (factor) {
        case UnitFactor::square: return product(at(0), at(0));
        case UnitFactor::cube: return product(product(at(0), at(0)), at(0));
        case UnitFactor::value_first: return product(at(0), at(1));
        case UnitFactor::square_first: return product(product(at(0), at(0)), at(1));
        default: return at(place_of(factor));
    }
}

UnitPlace::UnitPlace(SmoothUnit unit, Interval const& z) : unit_(unit), z_(z), main_(z.bits()), other_(z.bits()) {
    switch (unit) {
        case SmoothUnit::gelu:
            main_ = normal_cdf(z);
            other_ = normal_density(z);
            return;
        case SmoothUnit::erf:
            main_ = of(1) - erfc(z);
            other_ = of(2) * exp(of(0) - z * z) / sqrt(pi(z.bits()));
            return;
        case SmoothUnit::tanh: main_ = of(1) - of(2) / (exp(of(2) * z) + of(1)); return;
        default: break;
    }
    Interval const above = of(1) + exp(z);
    main_ = of(1) - of(1) / above;
    if (unit == SmoothUnit::softplus) other_ = log(above);
}

UnitPlace UnitPlace::reflected() const {
    UnitPlace out = *this;
    out.z_ = of(0) - z_;
    bool const is_odd_main = unit_ == SmoothUnit::tanh || unit_ == SmoothUnit::erf;
    out.main_ = is_odd_main ? of(0) - main_ : of(1) - main_;
    if (unit_ == SmoothUnit::softplus) out.other_ = other_ - z_;
    return out;
}

/// s and its derivatives: s' = s (1 - s), s'' = s' (1 - 2 s), s''' = s' (1 - 6 s'), and on by Leibniz.
std::vector<Interval> UnitPlace::of_logistic(std::size_t order) const {
    std::vector<Interval> s{main_, main_ * (of(1) - main_)};
    if (order >= 2) s.push_back(s[1] * (of(1) - of(2) * main_));
    if (order >= 3) s.push_back(s[1] * (of(1) - of(6) * s[1]));
    if (order >= 4) s.push_back(s[2] * (of(1) - of(12) * s[1]));
    if (order >= 5) s.push_back(s[3] * (of(1) - of(12) * s[1]) - of(12) * s[2] * s[2]);
    return s;
}

std::vector<Interval> UnitPlace::derivatives(std::size_t order) const {
    std::vector<Interval> out;
    switch (unit_) {
        case SmoothUnit::sigmoid: return of_logistic(order);
        case SmoothUnit::softplus: {
            out = of_logistic(order - 1);
            out.insert(out.begin(), other_);
            return out;
        }
        case SmoothUnit::silu: {
            // (z s)^(k) = z s^(k) + k s^(k-1)
            auto const s = of_logistic(order);
            out.push_back(z_ * s[0]);
            for (std::size_t k = 1; k <= order; ++k) out.push_back(z_ * s[k] + of(static_cast<long>(k)) * s[k - 1]);
            return out;
        }
        case SmoothUnit::tanh: {
            Interval const square = main_ * main_;
            Interval const first = of(1) - square;
            out = {main_, first};
            if (order < 5) return out;
            out.push_back(of(-2) * main_ * first);
            out.push_back(first * (of(6) * square - of(2)));
            out.push_back(first * main_ * (of(16) - of(24) * square));
            out.push_back(first * (of(16) + square * (of(120) * square - of(120))));
            return out;
        }
        case SmoothUnit::gelu: {
            Interval const square = z_ * z_;
            out = {z_ * main_, main_ + z_ * other_};
            if (order < 5) return out;
            out.push_back(other_ * (of(2) - square));
            out.push_back(other_ * z_ * (square - of(4)));
            out.push_back(other_ * (square * (of(7) - square) - of(4)));
            out.push_back(other_ * z_ * (square * (square - of(11)) + of(18)));
            return out;
        }
        default: break;
    }
    // erf
    Interval const square = z_ * z_;
    out = {main_, other_};
    if (order < 5) return out;
    out.push_back(of(-2) * z_ * other_);
    out.push_back(other_ * (of(4) * square - of(2)));
    out.push_back(other_ * z_ * (of(12) - of(8) * square));
    out.push_back(other_ * (square * (of(16) * square - of(48)) + of(12)));
    return out;
}

std::vector<Interval> UnitPlace::factors(bool plain) const {
    if (plain) return derivatives(1);
    std::vector<Interval> out = derivatives(5);
    Interval const square = out[0] * out[0];
    Interval const first = out[1];
    Interval const value = out[0];
    out.push_back(square);
    out.push_back(square * value);
    out.push_back(value * first);
    out.push_back(square * first);
    return out;
}

}  // namespace isserlis
