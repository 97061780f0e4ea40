// SPDX-License-Identifier: MIT
#include <Random123/philox.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <isserlis/random/stream.hpp>
#include <numbers>
#include <utility>

#include "simd.hpp"

namespace isserlis {
namespace {

std::uint32_t low_word(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high_word(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32U); }

// Neither tables nor branches below, so that the loops over pairs run in SIMD lanes under the default flags:
// libm's functions mispredict on random arguments and would cost more than all the rest of a network.

constexpr std::uint64_t bits_of_one = std::bit_cast<std::uint64_t>(1.0);
constexpr std::uint64_t mantissa_mask = (std::uint64_t{1} << 52U) - 1;

/// 1 + k 2^-52 from the upper 52 bits.
ISSERLIS_IN_CLONES double one_to_two(std::uint64_t word) { return std::bit_cast<double>(bits_of_one | (word >> 12U)); }

/// c0 + c1 x + c2 x^2 + ..
ISSERLIS_IN_CLONES constexpr double polynomial(double, double c) { return c; }
template <class... C>
ISSERLIS_IN_CLONES constexpr double polynomial(double x, double c0, C... rest) {
    return polynomial(x, rest...) * x + c0;
}

/// log u for a normal number u = m 2^e with sqrt(1/2) <= m < sqrt(2), by log m = 2 artanh((m - 1) / (m + 1)).
ISSERLIS_IN_CLONES double log_of_normal(double u) {
    constexpr std::uint64_t below_one = bits_of_one - std::bit_cast<std::uint64_t>(std::numbers::sqrt2 / 2);
    std::uint64_t const shifted = std::bit_cast<std::uint64_t>(u) + below_one;
    auto const m = std::bit_cast<double>((shifted & mantissa_mask) + (bits_of_one - below_one));
    double const e = std::bit_cast<double>(std::bit_cast<std::uint64_t>(0x1p52) | (shifted >> 52U)) - (0x1p52 + 1023);
    double const f = (m - 1) / (m + 1);
    return e * std::numbers::ln2 + 2 * f *
                                       polynomial(f * f, 1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13,
                                                  1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21);
}

/// Two independent normals from a squared radius and a word. The upper 52 bits are an angle in the quarter turn about
/// 0; the lowest bit turns it by half a turn, the next one swaps the axes.
template <std::size_t N>
ISSERLIS_IN_CLONES void turn(std::array<double, N> const& radii, std::array<std::uint64_t, N> const& words,
                             std::array<double, N>& first, std::array<double, N>& second) {
    for (std::size_t i = 0; i < N; ++i) {
        double const angle = std::numbers::pi / 2 * (one_to_two(words[i]) - (1.5 - 0x1p-53));
        double const square = angle * angle;
        double const sine = angle * polynomial(square, 1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880,
                                               -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000);
        double const cosine = polynomial(square, 1.0, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800,
                                         1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000);
        auto const across = std::bit_cast<std::uint64_t>(radii[i] * sine);
        auto const along = std::bit_cast<std::uint64_t>(radii[i] * cosine) ^ (words[i] << 63U);
        std::uint64_t const swapped = (across ^ along) & (std::uint64_t{0} - ((words[i] >> 1U) & 1U));
        first[i] = std::bit_cast<double>(along ^ swapped);
        second[i] = std::bit_cast<double>(across ^ swapped);
    }
}

using Words = std::array<std::uint64_t, 2>;

/// Block number `block` of a sample's stream.
ISSERLIS_IN_CLONES Words words_of(std::uint64_t seed, std::uint64_t sample, std::uint64_t block) {
    r123::Philox4x32::ctr_type const counter{{low_word(block), high_word(block), low_word(sample), high_word(sample)}};
    auto const out = r123::Philox4x32{}(counter, {{low_word(seed), high_word(seed)}});
    return {(std::uint64_t{out[1]} << 32U) | out[0], (std::uint64_t{out[3]} << 32U) | out[2]};
}

/// N pairs of independent normals from N radius and N angle words, by Box and Muller.
template <std::size_t N>
ISSERLIS_IN_CLONES void normal_pairs(std::array<std::uint64_t, N> const& radius_words,
                                     std::array<std::uint64_t, N> const& angle_words, std::array<double, N>& first,
                                     std::array<double, N>& second) {
    std::array<double, N> radii;
    for (std::size_t i = 0; i < N; ++i)
        radii[i] = std::sqrt(-2 * log_of_normal(one_to_two(radius_words[i]) - (1 - 0x1p-53)));
    turn(radii, angle_words, first, second);
}

using LaneWords = std::array<std::uint64_t, stream_lanes>;
using Lanes = std::array<double, stream_lanes>;

/// The normals of `stream_lanes` blocks; one Philox block makes one pair.
ISSERLIS_SIMD_CLONES
void fill_from_blocks(std::uint64_t seed, std::uint64_t sample, std::uint64_t block, double* out) {
    LaneWords radius_words;
    LaneWords angle_words;
    for (std::size_t i = 0; i < stream_lanes; ++i) {
        Words const words = words_of(seed, sample, block + i);
        radius_words[i] = words[0];
        angle_words[i] = words[1];
    }
    Lanes first;
    Lanes second;
    normal_pairs(radius_words, angle_words, first, second);
    for (std::size_t i = 0; i < stream_lanes; ++i) {
        out[2 * i] = first[i];
        out[2 * i + 1] = second[i];
    }
}

/// The pair of one block in each of `stream_lanes` samples.
ISSERLIS_SIMD_CLONES
void fill_across_samples(std::uint64_t seed, std::uint64_t sample, std::uint64_t block, Lanes& first, Lanes& second) {
    LaneWords radius_words;
    LaneWords angle_words;
    for (std::size_t i = 0; i < stream_lanes; ++i) {
        Words const words = words_of(seed, sample + i, block);
        radius_words[i] = words[0];
        angle_words[i] = words[1];
    }
    normal_pairs(radius_words, angle_words, first, second);
}

constexpr std::uint64_t first_block(StreamUse use) { return static_cast<std::uint64_t>(use) << 56U; }

}  // namespace

Stream::Stream(std::uint64_t seed, std::uint64_t sample, StreamUse use) noexcept
    : seed_(seed), sample_(sample), block_(first_block(use)) {}

void Stream::refill() noexcept {
    words_ = words_of(seed_, sample_, block_);
    ++block_;
    position_ = 0;
}

double Stream::normal() noexcept {
    if (std::exchange(has_spare_normal_, false)) return spare_normal_;
    std::array<std::uint64_t, 1> const radius{bits()};
    std::array<std::uint64_t, 1> const angle{bits()};
    std::array<double, 1> first;
    std::array<double, 1> second;
    normal_pairs(radius, angle, first, second);
    spare_normal_ = second[0];
    has_spare_normal_ = true;
    return first[0];
}

void Stream::fill_normal(std::span<double> out) noexcept {
    std::size_t filled = 0;
    if (has_spare_normal_ && !out.empty()) out[filled++] = normal();
    if (position_ == words_.size()) {  // no word of a block is left over: whole blocks at once
        for (; out.size() - filled >= 2 * stream_lanes; filled += 2 * stream_lanes, block_ += stream_lanes)
            fill_from_blocks(seed_, sample_, block_, &out[filled]);
        if (std::size_t const left = out.size() - filled; left > 2) {
            std::array<double, 2 * stream_lanes> last;
            fill_from_blocks(seed_, sample_, block_, last.data());
            std::copy_n(last.begin(), left, out.begin() + static_cast<std::ptrdiff_t>(filled));
            block_ += (left + 1) / 2;
            has_spare_normal_ = left % 2 == 1;
            if (has_spare_normal_) spare_normal_ = last[left];
            return;
        }
    }
    while (filled < out.size()) out[filled++] = normal();
}

void fill_normal(std::uint64_t seed, std::uint64_t first_sample,
                 std::span<std::array<double, stream_lanes>> out) noexcept {
    std::uint64_t block = first_block(StreamUse::weights);
    std::size_t i = 0;
    for (; i + 2 <= out.size(); i += 2) fill_across_samples(seed, first_sample, block++, out[i], out[i + 1]);
    if (i < out.size()) {
        Lanes unused;
        fill_across_samples(seed, first_sample, block, out[i], unused);
    }
}

}  // namespace isserlis
