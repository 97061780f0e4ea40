// SPDX-License-Identifier: MIT
#pragma once

namespace isserlis {

/// N(z) of a vector of n entries, with gain 1 and no shift; N(0) = 0, the limit of a small number beside the variance.
enum class Normalisation {
    rms,   ///< sqrt(n) z/|z|: RMSNorm
    layer  ///< the same of z less the mean of its entries: LayerNorm; 0 for n = 1
};

/// Where a residual block y + f normalises.
enum class Placement {
    before,  ///< y + f(N(y)): pre-norm
    after    ///< N(y + f(y)): post-norm
};

}  // namespace isserlis
