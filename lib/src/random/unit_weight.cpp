// SPDX-License-Identifier: MIT
#include <isserlis/random/unit_weight.hpp>

#include <cmath>
#include <isserlis/error.hpp>
#include <numbers>
#include <string>

namespace isserlis {
namespace {

constexpr double uniform_kurtosis = 9.0 / 5.0;

}  // namespace

bool has_atoms(WeightLaw<double> const& law) { return law.kurtosis() == 1.0; }

UnitWeight::UnitWeight(WeightLaw<double> const& law) : low_(-std::numbers::sqrt3), high_(std::numbers::sqrt3) {
    switch (law.kind) {
        case LawKind::gaussian: shape_ = Shape::gaussian; return;
        case LawKind::uniform: shape_ = Shape::uniform; return;
        case LawKind::rademacher: shape_ = Shape::rademacher; return;
        case LawKind::laplace: shape_ = Shape::laplace; return;
        case LawKind::kurtosis: break;
    }
    double const k = law.kurtosis_value;
    if (!(k >= 1) || !std::isfinite(k))
        throw DomainError(
            "UnitWeight: kurtosis = " + std::to_string(k) + "; every law has a finite kurtosis of 1 or more",
            "kurtosis");
    if (k == 1) {
        shape_ = Shape::rademacher;
    } else if (k < uniform_kurtosis) {
        shape_ = Shape::signed_band;
        // With middle m and half-width r: m^2 + r^2/3 = 1 and (16/45) r^4 - (4/3) r^2 + (k - 1) = 0, smaller root.
        double const half_width_squared = 2 * (k - 1) / (4.0 / 3 + std::sqrt(16.0 / 9 - 64.0 / 45 * (k - 1)));
        double const middle = std::sqrt(1 - half_width_squared / 3);
        low_ = middle - std::sqrt(half_width_squared);
        high_ = middle + std::sqrt(half_width_squared);
    } else {
        shape_ = Shape::scaled_uniform;
        double const t_squared = k / uniform_kurtosis - 1;
        double const t = std::sqrt(t_squared);
        rare_chance_ = 1 / (2 * (1 + t_squared));
        rare_scale_ = std::sqrt(1 + t * std::sqrt((1 - rare_chance_) / rare_chance_));
        usual_scale_ = std::sqrt(1 - t * std::sqrt(rare_chance_ / (1 - rare_chance_)));
    }
}

double UnitWeight::operator()(Stream& stream) const {
    switch (shape_) {
        case Shape::gaussian: return stream.normal();
        case Shape::rademacher: return stream.sign();
        case Shape::laplace: return stream.sign() * -std::log(stream.uniform()) / std::numbers::sqrt2;
        case Shape::uniform: return low_ + (high_ - low_) * stream.uniform();
        case Shape::signed_band: return stream.sign() * (low_ + (high_ - low_) * stream.uniform());
        case Shape::scaled_uniform: break;
    }
    double const scale = stream.uniform() < rare_chance_ ? rare_scale_ : usual_scale_;
    return scale * (low_ + (high_ - low_) * stream.uniform());
}

void UnitWeight::fill(Stream& stream, std::span<double> out) const {
    if (shape_ == Shape::gaussian) return stream.fill_normal(out);
    for (double& weight : out) weight = (*this)(stream);
}

void UnitWeight::fill(Stream& stream, std::span<float> out) const {
    if (shape_ == Shape::gaussian) return stream.fill_normal(out);
    for (float& weight : out) weight = static_cast<float>((*this)(stream));
}

}  // namespace isserlis
