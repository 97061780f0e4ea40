// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/weight_law.hpp>
#include <isserlis/random/stream.hpp>
#include <span>

namespace isserlis {

/// Does the law give single values a positive probability, so that a sum of weights can be exactly 0?
[[nodiscard]] bool has_atoms(WeightLaw<double> const& law);

/// Draws weights of mean 0 and variance 1 from a law.
///
/// Law     symmetric with exactly the law's kurtosis k. A law known by its kurtosis alone gets a density if k > 1: for
///         k < 9/5 a random sign times a uniform on [a, b]; else a uniform times a scale s, where s^2 is
///         1 + t sqrt((1 - p) / p) with probability p and 1 - t sqrt(p / (1 - p)) otherwise, t^2 = 5k/9 - 1,
///         p = 1 / (2 (1 + t^2)), so that E s^2 = 1 and E s^4 = 1 + t^2.
/// Shape   one weight, or a span; both ways give the same weights in the same order. Floats are those numbers rounded,
///         normal ones excepted, which are Stream's own floats.
/// Units   standard deviations.
/// Errors  the constructor throws DomainError for a kurtosis that is below 1 or not finite.
/// Source  this library
class UnitWeight {
public:
    explicit UnitWeight(WeightLaw<double> const& law);

    [[nodiscard]] double operator()(Stream& stream) const;
    void fill(Stream& stream, std::span<double> out) const;
    void fill(Stream& stream, std::span<float> out) const;

private:
    enum class Shape { gaussian, rademacher, laplace, uniform, signed_band, scaled_uniform };

    Shape shape_ = Shape::gaussian;
    double low_ = 0;          ///< uniform and signed_band: left end
    double high_ = 0;         ///< uniform and signed_band: right end
    double rare_chance_ = 0;  ///< scaled_uniform: p
    double rare_scale_ = 0;
    double usual_scale_ = 0;
};

}  // namespace isserlis
