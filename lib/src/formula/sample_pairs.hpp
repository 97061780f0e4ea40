// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

namespace isserlis {

/// Calls visit(k, l, how often) for pairs k <= l; pairs of unlike samples count twice.
template <class Visit>
void for_each_pair(std::size_t samples, Visit const& visit) {
    for (std::size_t k = 0; k < samples; ++k) {
        for (std::size_t l = k; l < samples; ++l) visit(k, l, k == l ? 1 : 2);
    }
}

}  // namespace isserlis
