// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/estimator.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "dual.hpp"
#include "running_covariance.hpp"

namespace isserlis::monte_carlo::detail {

/// What an expression in means, variances and covariances needs of its samples: each part X_k once, as its distance d_k
/// from a value that it takes, since variances do not depend on it and rounding does; and the products d_j d_k.
class SampledMoments {
public:
    /// Takes in a part. False if there is one of this text.
    bool add(std::string const& part);
    /// Takes in the product of two parts.
    void add_product(std::string const& a, std::string const& b);

    [[nodiscard]] std::size_t parts() const { return parts_.size(); }
    [[nodiscard]] std::size_t size() const { return parts_.size() + products_.size(); }
    [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> const& products() const { return products_; }
    void set_origin(std::vector<double> origin) { origin_ = std::move(origin); }
    [[nodiscard]] std::vector<double> const& origin() const { return origin_; }

    [[nodiscard]] Dual constant(double x) const { return {.value = x, .slopes = std::vector<double>(size())}; }
    [[nodiscard]] Dual mean(std::string const& part, RunningCovariance const& sums) const;
    /// Unbiased; of a part with itself its variance.
    [[nodiscard]] Dual covariance(std::string const& a, std::string const& b, RunningCovariance const& sums) const;

    /// The expression with its standard error by the delta method, at least what rounding may leave in it.
    [[nodiscard]] Estimate estimate(Dual const& at, RunningCovariance const& sums) const;

private:
    [[nodiscard]] std::size_t place(std::string const& part) const;
    [[nodiscard]] std::size_t place(std::string const& a, std::string const& b) const;
    [[nodiscard]] Dual entry(std::size_t i, RunningCovariance const& sums) const;
    [[nodiscard]] double rounding(Dual const& at, RunningCovariance const& sums) const;

    std::vector<std::string> parts_;
    std::vector<std::pair<std::size_t, std::size_t>> products_;
    std::vector<double> origin_;
};

/// operand(0)^exponent
Dual power(Dual const& one, unsigned exponent, auto const& operand) {
    Dual out = one;
    for (unsigned k = 0; k < exponent; ++k) out = out * operand(0);
    return out;
}

/// Of operands, with sign -1 those that divide.
Dual product(std::vector<int> const& signs, auto const& operand) {
    Dual out = operand(0);
    for (std::size_t k = 1; k < signs.size(); ++k) out = signs[k] < 0 ? out / operand(k) : out * operand(k);
    return out;
}

/// Of operands, with sign -1 those that are taken away.
Dual sum(Dual const& zero, std::vector<int> const& signs, auto const& operand) {
    Dual out = zero;
    for (std::size_t k = 0; k < signs.size(); ++k) out = signs[k] < 0 ? out - operand(k) : out + operand(k);
    return out;
}

}  // namespace isserlis::monte_carlo::detail
