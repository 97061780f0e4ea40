// SPDX-License-Identifier: MIT
#pragma once

namespace isserlis::quantity {

// Words of the curve over samples: k and q are those of the two gradients, l is the one whose loss bends.

/// Which two samples bring a target in place of an output.
enum class Targets { none, of_k_and_q, of_k_and_l };

}  // namespace isserlis::quantity
