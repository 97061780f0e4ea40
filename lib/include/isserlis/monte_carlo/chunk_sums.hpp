// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

// Accumulators. One lists its members once, A::members(a, f) calling f(x, y, ..) with them, and is merged, written down
// and read back here: numbers, of which an empty one has as many as any and which add up unless the class has a merge of
// its own; KeptNumbers; or what has such members.

namespace isserlis::monte_carlo {

/// What a chunk of samples leaves in its accumulator: counts, and numbers by their bits, in the order of its members.
using ChunkSums = std::vector<std::uint64_t>;

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

/// Takes in what another part of the samples has left.
template <class T>
void merge_sums(T& into, T const& from) {
    if constexpr (std::is_arithmetic_v<T>) {
        into += from;
    } else if constexpr (std::is_same_v<T, KeptNumbers>) {
        into.numbers.insert(into.numbers.end(), from.numbers.begin(), from.numbers.end());
    } else if constexpr (requires { into.merge(from); }) {
        into.merge(from);
    } else if constexpr (requires { into.begin(); }) {
        for (std::size_t i = 0; i < into.size(); ++i) merge_sums(into[i], from[i]);
    } else {
        T::members(into, [&](auto&... mine) {
            T::members(from, [&](auto const&... theirs) { (merge_sums(mine, theirs), ...); });
        });
    }
}

}  // namespace isserlis::monte_carlo
