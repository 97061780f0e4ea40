// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/network/mini_batch.hpp>
#include <isserlis/random/below.hpp>
#include <isserlis/random/stream.hpp>
#include <numeric>
#include <utility>
#include <vector>

namespace isserlis::monte_carlo {

/// Makes the first `batch.size` of `drawn` the samples of a mini-batch of network `sample`; there may be more behind them.
inline void draw_batch(std::uint64_t seed, std::uint64_t sample, MiniBatch const& batch, std::size_t all,
                       std::vector<std::size_t>& drawn) {
    Stream stream(seed, sample, StreamUse::batches);
    if (batch.replacement) {
        drawn.resize(batch.size);
        for (auto& k : drawn) k = below(stream, all);
        return;
    }
    drawn.resize(all);
    std::iota(drawn.begin(), drawn.end(), std::size_t{0});
    for (std::size_t i = 0; i < batch.size; ++i) std::swap(drawn[i], drawn[i + below(stream, all - i)]);
}

}  // namespace isserlis::monte_carlo
