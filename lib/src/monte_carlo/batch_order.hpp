// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/random/below.hpp>
#include <isserlis/random/stream.hpp>
#include <numeric>
#include <utility>
#include <vector>

namespace isserlis::monte_carlo {

/// Puts a mini-batch of network `sample` first in `order`, which becomes an order of all samples.
inline void draw_batch(std::uint64_t seed, std::uint64_t sample, std::size_t batch, std::size_t all,
                       std::vector<std::size_t>& order) {
    Stream stream(seed, sample, StreamUse::batches);
    order.resize(all);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = 0; i < batch; ++i) std::swap(order[i], order[i + below(stream, all - i)]);
}

}  // namespace isserlis::monte_carlo
