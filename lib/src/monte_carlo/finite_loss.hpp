// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <initializer_list>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/estimator.hpp>

namespace isserlis::monte_carlo {

/// Errors  UnsupportedError where a sampled derivative of the loss, or its standard error, overflowed.
inline void require_finite_loss(std::initializer_list<Estimate> estimates) {
    for (Estimate const& e : estimates) {
        if (!std::isfinite(e.mean) || !std::isfinite(e.std_error))
            throw UnsupportedError(
                "the derivatives of the loss, sampled, are beyond the range of double; scale the variances or the "
                "inputs down",
                "variances");
    }
}

}  // namespace isserlis::monte_carlo
