// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <isserlis/monte_carlo/estimator.hpp>

#include <cmath>

namespace isserlis::test {

/// Within five standard errors of what is exact, by the exact variance of one sample, or 1e-12 where that is 0.
inline void check_within_five(monte_carlo::Estimate const& sampled, double exact, double exact_variance) {
    CAPTURE(sampled.mean);
    CAPTURE(exact);
    double const error = std::sqrt(exact_variance / static_cast<double>(sampled.samples));
    CHECK(std::abs(sampled.mean - exact) <= 5 * error + 1e-12);
}

}  // namespace isserlis::test
