// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
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

/// Numbers of which a chunk leaves as many as it has samples, or fewer.
struct KeptNumbers {
    std::vector<double> numbers;
};

/// Writes down each count and number of which x consists.
template <class T>
void append_sums(T const& x, ChunkSums& out) {
    if constexpr (std::is_arithmetic_v<T>) {
        out.push_back(std::bit_cast<std::uint64_t>(x));
    } else if constexpr (std::is_same_v<T, KeptNumbers>) {
        out.push_back(x.numbers.size());
        for (double const number : x.numbers) append_sums(number, out);
    } else if constexpr (requires { x.begin(); }) {
        for (auto const& entry : x) append_sums(entry, out);
    } else {
        T::members(x, [&](auto const&... parts) { (append_sums(parts, out), ...); });
    }
}

/// Reads them back from place `at` on, into an empty x; whether they are there.
template <class T>
[[nodiscard]] bool read_sums(ChunkSums const& sums, std::size_t& at, T& x) {
    if constexpr (std::is_arithmetic_v<T>) {
        if (at == sums.size()) return false;
        x = std::bit_cast<T>(sums[at++]);
        return true;
    } else if constexpr (std::is_same_v<T, KeptNumbers>) {
        std::uint64_t size = 0;
        if (!read_sums(sums, at, size) || size > sums.size() - at) return false;
        x.numbers.resize(size);
        return std::all_of(x.numbers.begin(), x.numbers.end(), [&](double& y) { return read_sums(sums, at, y); });
    } else if constexpr (requires { x.begin(); }) {
        return std::all_of(x.begin(), x.end(), [&](auto& entry) { return read_sums(sums, at, entry); });
    } else {
        bool good = true;
        T::members(x, [&](auto&... parts) { good = (read_sums(sums, at, parts) && ...); });
        return good;
    }
}

template <class Accumulator>
[[nodiscard]] ChunkSums sums_of(Accumulator const& from) {
    ChunkSums out;
    append_sums(from, out);
    return out;
}

/// Whether these are the sums of such an accumulator; then it, an empty one, has them.
template <class Accumulator>
[[nodiscard]] bool fill_from(ChunkSums const& sums, Accumulator& into) {
    std::size_t at = 0;
    return read_sums(sums, at, into) && at == sums.size();
}

}  // namespace isserlis::monte_carlo
