// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace isserlis::monte_carlo {

/// What a chunk of samples leaves in its accumulator: counts, and numbers by their bits, in the order of its members.
using ChunkSums = std::vector<std::uint64_t>;

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

/// Calls f with each count and number of which x consists.
template <class T, class F>
void each_number(T& x, F const& f) {
    if constexpr (std::is_arithmetic_v<T>) {
        f(x);
    } else if constexpr (requires { x.begin(); }) {
        for (auto& entry : x) each_number(entry, f);
    } else {
        std::remove_const_t<T>::members(x, [&](auto&... parts) { (each_number(parts, f), ...); });
    }
}

template <class Accumulator>
[[nodiscard]] ChunkSums sums_of(Accumulator const& from) {
    ChunkSums out;
    each_number(from, [&](auto const& x) { out.push_back(std::bit_cast<std::uint64_t>(x)); });
    return out;
}

/// Whether there are as many sums as the accumulator, an empty one, has numbers; then it has them.
template <class Accumulator>
[[nodiscard]] bool fill_from(ChunkSums const& sums, Accumulator& into) {
    std::size_t size = 0;
    each_number(into, [&](auto const&) { ++size; });
    if (size != sums.size()) return false;
    std::size_t at = 0;
    each_number(into, [&](auto& x) { x = std::bit_cast<std::remove_reference_t<decltype(x)>>(sums[at++]); });
    return true;
}

}  // namespace isserlis::monte_carlo
