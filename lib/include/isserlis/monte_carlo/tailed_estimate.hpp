// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/estimator.hpp>

namespace isserlis::monte_carlo {

/// An estimate with what tells whether to trust it: of a heavy tail few samples see anything, and then the mean and its
/// standard error are too small together.
struct TailedEstimate : Estimate {
    double largest_share = 0;  ///< of one sample, in the sample variance; from 0 to 1
};

}  // namespace isserlis::monte_carlo
