// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <isserlis/formula/unit_moments.hpp>
#include <numbers>

// Units in double precision, by the standard library.
namespace isserlis::testing {

[[nodiscard]] inline double double_phi(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }
[[nodiscard]] inline double double_density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }

/// SELU's two numbers [Klambauer 2017, eq. (14)].
inline constexpr double selu_scale = 1.0507009873554805;
inline constexpr double selu_alpha = 1.6732632423543772;

[[nodiscard]] inline double unit_value(SmoothUnit unit, double z) {
    switch (unit) {
        case SmoothUnit::tanh: return std::tanh(z);
        case SmoothUnit::sigmoid: return 1 / (1 + std::exp(-z));
        case SmoothUnit::softplus: return z > 0 ? z + std::log1p(std::exp(-z)) : std::log1p(std::exp(z));
        case SmoothUnit::silu: return z / (1 + std::exp(-z));
        case SmoothUnit::gelu: return z * double_phi(z);
        case SmoothUnit::elu: return z > 0 ? z : std::expm1(z);
        case SmoothUnit::selu: return selu_scale * (z > 0 ? z : selu_alpha * std::expm1(z));
        case SmoothUnit::erf: return std::erf(z);
        case SmoothUnit::sin: return std::sin(z);
        case SmoothUnit::cos: return std::cos(z);
    }
    return 0;
}

[[nodiscard]] inline double unit_slope(SmoothUnit unit, double z) {
    double const logistic = 1 / (1 + std::exp(-z));
    double const hill = std::pow(2 * std::cosh(z / 2), -2);  // the slope of the logistic function
    switch (unit) {
        case SmoothUnit::tanh: return std::pow(std::cosh(z), -2);
        case SmoothUnit::sigmoid: return hill;
        case SmoothUnit::softplus: return logistic;
        case SmoothUnit::silu: return logistic + z * hill;
        case SmoothUnit::gelu: return double_phi(z) + z * double_density(z);
        case SmoothUnit::elu: return z > 0 ? 1 : std::exp(z);
        case SmoothUnit::selu: return selu_scale * (z > 0 ? 1 : selu_alpha * std::exp(z));
        case SmoothUnit::erf: return 2 / std::sqrt(std::numbers::pi) * std::exp(-z * z);
        case SmoothUnit::sin: return std::cos(z);
        case SmoothUnit::cos: return -std::sin(z);
    }
    return 0;
}

}  // namespace isserlis::testing
