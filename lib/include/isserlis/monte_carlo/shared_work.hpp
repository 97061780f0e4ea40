// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/chunk_sums.hpp>

#include <cstdint>
#include <vector>

namespace isserlis::monte_carlo {

/// Runs of samples whose chunks are not all worked on here. Every process goes through the same runs in the same order.
class SharedWork {
public:
    SharedWork() = default;
    SharedWork(SharedWork const&) = delete;
    SharedWork& operator=(SharedWork const&) = delete;
    virtual ~SharedWork() = default;

    /// A run begins. `first` is what sample 0 alone leaves, by which runs of different networks, or on machines that
    /// compute differently, are told apart.
    virtual void begin(std::uint64_t samples, std::uint64_t chunks, ChunkSums const& first) = 0;
    /// The chunks to work on next, in order; none when there is no more to do.
    [[nodiscard]] virtual std::vector<std::uint64_t> next_round() = 0;
    /// One of them is done; called by one thread at a time.
    virtual void take_in(std::uint64_t chunk, ChunkSums sums) = 0;
    /// The sums of a chunk of this run; null for one that is worked on elsewhere.
    [[nodiscard]] virtual ChunkSums const* sums(std::uint64_t chunk) const = 0;
    /// The runs of work that depends on what earlier runs have left: null for those that are not shared.
    /// Errors  UnsupportedError where only some of the samples are known.
    [[nodiscard]] virtual SharedWork* for_dependent_runs() = 0;
};

}  // namespace isserlis::monte_carlo
