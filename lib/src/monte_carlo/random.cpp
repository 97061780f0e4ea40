// SPDX-License-Identifier: MIT
#include <Random123/philox.h>

#include <array>
#include <bit>
#include <cmath>
#include <isserlis/monte_carlo/random.hpp>
#include <numbers>
#include <utility>

namespace isserlis::monte_carlo {
namespace {

std::uint32_t low_word(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high_word(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32U); }

// Neither tables nor branches below, so that the loops over pairs run in SIMD lanes under the default flags: libm's
// functions mispredict on random arguments and would cost more than all the rest of a network.

constexpr std::uint64_t bits_of_one = std::bit_cast<std::uint64_t>(1.0);
constexpr std::uint64_t mantissa_mask = (std::uint64_t{1} << 52U) - 1;

/// 1 + k 2^-52 from the upper 52 bits.
double one_to_two(std::uint64_t word) { return std::bit_cast<double>(bits_of_one | (word >> 12U)); }

/// c0 + c1 x + c2 x^2 + ..
constexpr double polynomial(double, double c) { return c; }
template <class... C>
constexpr double polynomial(double x, double c0, C... rest) {
    return polynomial(x, rest...) * x + c0;
}

/// log u for a normal number u = m 2^e with sqrt(1/2) <= m < sqrt(2), by log m = 2 artanh((m - 1) / (m + 1)).
double log_of_normal(double u) {
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
void turn(std::array<double, N> const& radii, std::array<std::uint64_t, N> const& words, std::array<double, N>& first,
          std::array<double, N>& second) {
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

/// 2 N independent normals from 2 N words, by Box and Muller; one Philox block makes one pair.
template <std::size_t N>
void normal_pairs(Stream& stream, std::array<double, N>& first, std::array<double, N>& second) {
    std::array<std::uint64_t, N> angle_words;
    std::array<double, N> radii;
    std::array<std::uint64_t, N> radius_words;
    for (std::size_t i = 0; i < N; ++i) {
        radius_words[i] = stream.bits();
        angle_words[i] = stream.bits();
    }
    for (std::size_t i = 0; i < N; ++i) radii[i] = -2 * log_of_normal(one_to_two(radius_words[i]) - (1 - 0x1p-53));
    for (double& radius : radii) radius = std::sqrt(radius);
    turn(radii, angle_words, first, second);
}

}  // namespace

void Stream::refill() noexcept {
    r123::Philox4x32::ctr_type const counter{
        {low_word(block_), high_word(block_), low_word(sample_), high_word(sample_)}};
    auto const out = r123::Philox4x32{}(counter, {{low_word(seed_), high_word(seed_)}});
    words_ = {(std::uint64_t{out[1]} << 32U) | out[0], (std::uint64_t{out[3]} << 32U) | out[2]};
    ++block_;
    position_ = 0;
}

double Stream::normal() noexcept {
    if (std::exchange(has_spare_normal_, false)) return spare_normal_;
    std::array<double, 1> first;
    std::array<double, 1> second;
    normal_pairs(*this, first, second);
    spare_normal_ = second[0];
    has_spare_normal_ = true;
    return first[0];
}

void Stream::fill_normal(std::span<double> out) noexcept {
    constexpr std::size_t lanes = 8;
    std::size_t filled = 0;
    if (has_spare_normal_ && !out.empty()) out[filled++] = normal();
    std::array<double, lanes> first;
    std::array<double, lanes> second;
    for (; out.size() - filled >= 2 * lanes; filled += 2 * lanes) {
        normal_pairs(*this, first, second);
        for (std::size_t i = 0; i < lanes; ++i) {
            out[filled + 2 * i] = first[i];
            out[filled + 2 * i + 1] = second[i];
        }
    }
    while (filled < out.size()) out[filled++] = normal();
}

}  // namespace isserlis::monte_carlo
