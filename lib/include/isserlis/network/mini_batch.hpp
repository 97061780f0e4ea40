// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

namespace isserlis {

/// The samples that a step's gradient is a mean over, drawn anew for each step and network.
struct MiniBatch {
    std::uint64_t size = 1;    ///< at least 1; without replacement at most all samples
    bool replacement = false;  ///< each is drawn from all samples, independently, else none is drawn twice

    /// It has every sample once, whatever is drawn.
    [[nodiscard]] bool is_all(std::size_t samples) const { return !replacement && size == samples; }
    /// There is such a batch of so many samples.
    [[nodiscard]] bool fits(std::size_t samples) const {
        return size >= 1 && samples >= 1 && (replacement || size <= samples);
    }
};

}  // namespace isserlis
