// SPDX-License-Identifier: MIT
#include "sampled_moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isserlis::monte_carlo::detail {

std::size_t SampledMoments::place(std::string const& part) const {
    return static_cast<std::size_t>(std::find(parts_.begin(), parts_.end(), part) - parts_.begin());
}

std::size_t SampledMoments::place(std::string const& a, std::string const& b) const {
    std::pair const product{place(a), place(b)};
    return static_cast<std::size_t>(std::find(products_.begin(), products_.end(), product) - products_.begin());
}

bool SampledMoments::add(std::string const& part) {
    if (place(part) < parts_.size()) return false;
    parts_.push_back(part);
    return true;
}

void SampledMoments::add_product(std::string const& a, std::string const& b) {
    if (place(a, b) == products_.size()) products_.emplace_back(place(a), place(b));
}

Dual SampledMoments::entry(std::size_t i, RunningCovariance const& sums) const {
    Dual out = constant(sums.mean(i));
    out.slopes[i] = 1;
    return out;
}

Dual SampledMoments::mean(std::string const& part, RunningCovariance const& sums) const {
    std::size_t const k = place(part);
    return entry(k, sums) + constant(origin_[k]);
}

Dual SampledMoments::covariance(std::string const& a, std::string const& b, RunningCovariance const& sums) const {
    auto const n = static_cast<double>(sums.count());
    Dual const centred = entry(parts_.size() + place(a, b), sums) - entry(place(a), sums) * entry(place(b), sums);
    return constant(n / (n - 1)) * centred;
}

Estimate SampledMoments::estimate(Dual const& at, RunningCovariance const& sums) const {
    double variance = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        for (std::size_t j = 0; j < size(); ++j) variance += at.slopes[i] * at.slopes[j] * sums.covariance(i, j);
    }
    double const error = std::sqrt(std::max(variance, 0.0) / static_cast<double>(sums.count()));
    return {.mean = at.value, .std_error = std::max(error, rounding(at, sums)), .samples = sums.count()};
}

/// What the rounding of each part may leave in the expression.
double SampledMoments::rounding(Dual const& at, RunningCovariance const& sums) const {
    constexpr double units = 64 * std::numeric_limits<double>::epsilon();
    auto const error = [&](std::size_t k) { return units * (sums.largest(k) + std::fabs(origin_[k])); };
    double out = std::numeric_limits<double>::epsilon() * std::fabs(at.value);
    for (std::size_t k = 0; k < parts_.size(); ++k) out += std::fabs(at.slopes[k]) * error(k);
    for (std::size_t p = 0; p < products_.size(); ++p) {
        auto const [j, k] = products_[p];
        double const both = sums.largest(j) * error(k) + sums.largest(k) * error(j) + error(j) * error(k);
        out += std::fabs(at.slopes[parts_.size() + p]) * both;
    }
    return out;
}

}  // namespace isserlis::monte_carlo::detail
