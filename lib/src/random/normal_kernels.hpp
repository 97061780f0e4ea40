// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <isserlis/random/stream.hpp>
#include <vector>

namespace isserlis::detail {

/// What draws normals by one instruction set; all sets draw the same bits.
struct NormalKernels {
    char const* name;
    /// The pairs of `groups` times stream_lanes blocks of a stream.
    void (*fill_blocks)(std::uint64_t seed, std::uint64_t sample, std::uint64_t block, std::size_t groups, double* out);
    /// The two pairs of floats of each of them.
    void (*fill_float_blocks)(std::uint64_t seed, std::uint64_t sample, std::uint64_t block, std::size_t groups,
                              float* out);
    /// The pair of one block in each of stream_lanes samples.
    void (*fill_across)(std::uint64_t seed, std::uint64_t sample, std::uint64_t block, double* first, double* second);
};

/// Those that this processor can run, the widest first.
[[nodiscard]] std::vector<NormalKernels> const& normal_kernels();

/// The words of one block.
[[nodiscard]] std::array<std::uint64_t, 2> philox_words(std::uint64_t seed, std::uint64_t sample, std::uint64_t block);

/// A pair of normals from a word for the radius and one for the angle.
[[nodiscard]] std::array<double, 2> normal_pair(std::uint64_t radius_word, std::uint64_t angle_word);

/// A pair of floats from one word: its lower half for the radius, its upper half for the angle.
[[nodiscard]] std::array<float, 2> float_normal_pair(std::uint64_t word);

}  // namespace isserlis::detail
