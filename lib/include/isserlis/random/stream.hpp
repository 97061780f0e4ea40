// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace isserlis {

/// Independent streams of one sample, every use in the house. Coins are kept apart so that drawing one never shifts the
/// weights after it. The numbers are part of what a seed means: none is ever changed.
enum class StreamUse : std::uint64_t {
    weights = 0,
    ties = 1,
    targets = 2,
    directions = 3,
    batches = 4,     ///< an order of the samples of data; the sample is the epoch, or the network
    masks = 5,       ///< dropout; the sample is the step
    class_laws = 6,  ///< means and covariances of classes; the sample is the class
    examples = 7,    ///< data; the sample is that of the data
};

/// The random numbers of one sample: a pure function of (seed, sample, use), whoever draws them and in which thread.
///
/// Law     Philox4x32-10 in counter mode: key = seed, counter = (block, use, sample). 2^57 words a stream.
/// Shape   one number at a time, or a span at once; both ways give the same numbers in the same order.
/// Units   pure numbers.
/// Errors  none.
/// Source  [Salmon 2011]; normals by [Box & Muller 1958]. In whole vectors, with the same bits on every machine.
class Stream {
public:
    Stream(std::uint64_t seed, std::uint64_t sample, StreamUse use = StreamUse::weights) noexcept;

    /// 64 fair bits.
    [[nodiscard]] std::uint64_t bits() noexcept {
        if (position_ == words_.size()) refill();
        return words_[position_++];
    }
    /// Uniform on (0, 1): an odd multiple of 2^-53, so neither end is ever reached.
    [[nodiscard]] double uniform() noexcept { return (static_cast<double>(bits() >> 12U) + 0.5) * 0x1p-52; }
    /// Plus or minus 1, from one bit.
    [[nodiscard]] double sign() noexcept { return coin() ? 1.0 : -1.0; }
    /// A fair coin, from one bit.
    [[nodiscard]] bool coin() noexcept {
        if (coins_left_ == 0) {
            coins_ = bits();
            coins_left_ = 64;
        }
        --coins_left_;
        return ((coins_ >> coins_left_) & 1U) != 0;
    }
    /// Standard normal.
    [[nodiscard]] double normal() noexcept;
    /// As many standard normals as `out` holds.
    void fill_normal(std::span<double> out) noexcept;
    /// Standard normal, worked out in float from one word, half of what a double takes: another number than `normal`
    /// has. None is beyond 6.77, since 32 bits make the radius: less than 10^-10 of the standard normal law is left out.
    [[nodiscard]] float float_normal() noexcept;
    /// As many of those as `out` holds.
    void fill_normal(std::span<float> out) noexcept;

private:
    void refill() noexcept;

    std::uint64_t seed_;
    std::uint64_t sample_;
    std::uint64_t block_;
    std::array<std::uint64_t, 2> words_{};
    std::size_t position_ = 2;
    std::uint64_t coins_ = 0;
    unsigned coins_left_ = 0;
    double spare_normal_ = 0;
    bool has_spare_normal_ = false;
    float spare_float_ = 0;
    bool has_spare_float_ = false;
};

inline constexpr std::size_t stream_lanes = 16;

/// Standard normals of consecutive samples side by side: out[i][k] is the i-th normal of Stream(seed, first_sample +
/// k).
///
/// Law, Units, Errors, Source  those of Stream.
/// Shape   as many normals of each sample as `out` holds.
void fill_normal(std::uint64_t seed, std::uint64_t first_sample,
                 std::span<std::array<double, stream_lanes>> out) noexcept;

/// The instruction sets by which this processor can draw normals, the one that is taken first.
[[nodiscard]] std::vector<char const*> normal_kernel_names();
/// The first normals of a stream, or of consecutive samples, by one of them, counted from 0: for tests, which compare
/// them, and for measuring.
/// Errors  DomainError for a number of normals that is no multiple of 2 stream_lanes, in float 4 of them, or of 2.
void fill_normal(std::size_t kernel, std::uint64_t seed, std::uint64_t sample, std::span<double> out);
void fill_normal(std::size_t kernel, std::uint64_t seed, std::uint64_t sample, std::span<float> out);
void fill_normal(std::size_t kernel, std::uint64_t seed, std::uint64_t first_sample,
                 std::span<std::array<double, stream_lanes>> out);

}  // namespace isserlis
