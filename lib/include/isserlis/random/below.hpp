// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/random/stream.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace isserlis {

/// Uniform among 0 .. bound - 1, without the bias of a remainder.
/// Errors  none; `bound` is at least 1.
[[nodiscard]] inline std::size_t below(Stream& stream, std::size_t bound) {
    std::uint64_t const most = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t const fair = most - most % bound;
    std::uint64_t bits = stream.bits();
    while (bits >= fair) bits = stream.bits();
    return static_cast<std::size_t>(bits % bound);
}

}  // namespace isserlis
