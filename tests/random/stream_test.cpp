// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/random/stream.hpp>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "random/normal_kernels.hpp"

using isserlis::Stream;
using isserlis::StreamUse;

TEST_SUITE("random/stream") {
    // Known answer of philox4x32-10 at counter 0 and key 0 in Random123's kat_vectors:
    // 6627e8d5 e169c58d bc57ac4c 9b00dbd8.
    TEST_CASE("stream (0, 0) begins with the published Philox block") {
        Stream stream(0, 0);
        CHECK(stream.bits() == 0xe169c58d6627e8d5U);
        CHECK(stream.bits() == 0x9b00dbd8bc57ac4cU);
    }

    TEST_CASE("seeds, samples and uses have streams of their own") {
        std::set<std::uint64_t> first_words;
        for (std::uint64_t const seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40U})
            for (std::uint64_t const sample : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40U})
                for (StreamUse const use : {StreamUse::weights, StreamUse::ties})
                    first_words.insert(Stream(seed, sample, use).bits());
        CHECK(first_words.size() == 18);
    }

    TEST_CASE("normals do not depend on how many are asked for at once, nor on their neighbours") {
        using isserlis::stream_lanes;
        for (std::size_t const size : {1U, 2U, 3U, 31U, 32U, 33U, 104U, 105U}) {
            std::vector<std::array<double, stream_lanes>> across(size);
            isserlis::fill_normal(5, 32, across);
            for (std::size_t k = 0; k < stream_lanes; ++k) {
                Stream one_by_one(5, 32 + k);
                Stream at_once(5, 32 + k);
                std::vector<double> normals(size);
                at_once.fill_normal(normals);
                for (std::size_t i = 0; i < size; ++i) {
                    REQUIRE(normals[i] == one_by_one.normal());
                    REQUIRE(across[i][k] == normals[i]);
                }
                CHECK(at_once.normal() == one_by_one.normal());
            }
        }
    }

    TEST_CASE("every instruction set draws the same bits, whatever the counters hold") {
        using isserlis::stream_lanes;
        auto const names = isserlis::normal_kernel_names();
        REQUIRE(!names.empty());
        CHECK(std::string(names.back()) == "portable");
        for (std::uint64_t const seed :
             {std::uint64_t{0}, std::uint64_t{0xFFFFFFFFFFFFFFFF}, std::uint64_t{1} << 33U}) {
            for (std::uint64_t const sample : {std::uint64_t{0}, std::uint64_t{0xFFFFFFF8}, std::uint64_t{1} << 40U}) {
                std::vector<double> expected(1 << 16U);
                Stream(seed, sample).fill_normal(expected);
                std::vector<std::array<double, stream_lanes>> across(64);
                isserlis::fill_normal(seed, sample, across);
                for (std::size_t k = 0; k < names.size(); ++k) {
                    CAPTURE(names[k]);
                    std::vector<double> own(expected.size());
                    isserlis::fill_normal(k, seed, sample, own);
                    CHECK(own == expected);
                    std::vector<std::array<double, stream_lanes>> own_across(across.size());
                    isserlis::fill_normal(k, seed, sample, own_across);
                    CHECK(own_across == across);
                }
            }
        }
        std::vector<double> odd(33);
        CHECK_THROWS_AS(isserlis::fill_normal(0, 1, 1, odd), isserlis::DomainError);
    }

    // Salmon et al.'s round, written out: the key is raised after each of ten.
    TEST_CASE("the words of a block are those of Philox's rounds") {
        auto const by_rounds = [](std::uint64_t seed, std::uint64_t sample, std::uint64_t block) {
            auto const half = [](std::uint64_t w, bool upper) {
                return static_cast<std::uint32_t>(upper ? w >> 32U : w);
            };
            std::array<std::uint32_t, 4> c{half(block, false), half(block, true), half(sample, false),
                                           half(sample, true)};
            std::uint32_t first = half(seed, false);
            std::uint32_t second = half(seed, true);
            for (int round = 0; round < 10; ++round) {
                std::uint64_t const p = std::uint64_t{0xD2511F53} * c[0];
                std::uint64_t const q = std::uint64_t{0xCD9E8D57} * c[2];
                c = {half(q, true) ^ c[1] ^ first, half(q, false), half(p, true) ^ c[3] ^ second, half(p, false)};
                first += 0x9E3779B9U;
                second += 0xBB67AE85U;
            }
            return std::array<std::uint64_t, 2>{c[0] | std::uint64_t{c[1]} << 32U, c[2] | std::uint64_t{c[3]} << 32U};
        };
        for (std::uint64_t const seed : {std::uint64_t{0}, std::uint64_t{0x123456789abcdef0}})
            for (std::uint64_t const sample : {std::uint64_t{3}, std::uint64_t{0xFFFFFFFF}, std::uint64_t{1} << 50U})
                for (std::uint64_t const block : {std::uint64_t{0}, std::uint64_t{0xFFFFFFFF}, std::uint64_t{5} << 56U})
                    CHECK(isserlis::detail::philox_words(seed, sample, block) == by_rounds(seed, sample, block));
    }

    TEST_CASE("a carry into the upper half of a counter is no seam, in any instruction set") {
        using isserlis::stream_lanes;
        constexpr std::size_t groups = 3;
        for (auto const& kernel : isserlis::detail::normal_kernels()) {
            CAPTURE(kernel.name);
            for (std::uint64_t const from :
                 {std::uint64_t{0}, std::uint64_t{0xFFFFFFFF} - 20, std::uint64_t{7} << 32U}) {
                std::array<double, 2 * groups * stream_lanes> blocks;
                kernel.fill_blocks(11, 12, from, groups, blocks.data());
                for (std::size_t k = 0; k < groups * stream_lanes; ++k) {
                    auto const words = isserlis::detail::philox_words(11, 12, from + k);
                    auto const pair = isserlis::detail::normal_pair(words[0], words[1]);
                    REQUIRE(blocks[2 * k] == pair[0]);
                    REQUIRE(blocks[2 * k + 1] == pair[1]);
                }
                std::array<double, stream_lanes> first;
                std::array<double, stream_lanes> second;
                kernel.fill_across(11, from + 9, 13, first.data(), second.data());
                for (std::size_t k = 0; k < stream_lanes; ++k) {
                    auto const words = isserlis::detail::philox_words(11, from + 9 + k, 13);
                    auto const pair = isserlis::detail::normal_pair(words[0], words[1]);
                    REQUIRE(first[k] == pair[0]);
                    REQUIRE(second[k] == pair[1]);
                }
            }
        }
    }

    // Exact: mean 1/2, variance 1/12, so the standard error of the mean is 1 / sqrt(12 N).
    TEST_CASE("uniforms stay inside (0, 1) and have mean 1/2") {
        constexpr int n = 20000;
        Stream stream(1, 2);
        double sum = 0;
        for (int i = 0; i < n; ++i) {
            double const u = stream.uniform();
            REQUIRE(u > 0);
            REQUIRE(u < 1);
            sum += u;
        }
        CHECK(std::abs(sum / n - 0.5) < 5 / std::sqrt(12.0 * n));
    }

    // Second method: the same two words through libm. The upper 52 bits of the second word are the angle in
    // (-pi/4, pi/4), bit 0 half a turn, bit 1 the swap of the axes.
    TEST_CASE("normals are Box and Muller's transform of the words") {
        Stream words(3, 4);
        Stream normals(3, 4);
        for (int i = 0; i < 2000; ++i) {
            double const u = words.uniform();
            std::uint64_t const word = words.bits();
            double const fraction = (static_cast<double>(word >> 12U) + 0.5) * 0x1p-52 - 0.5;
            double const radius = std::sqrt(-2 * std::log(u));
            double along = radius * std::cos(std::numbers::pi / 2 * fraction) * ((word & 1U) != 0 ? -1 : 1);
            double across = radius * std::sin(std::numbers::pi / 2 * fraction);
            if ((word & 2U) != 0) std::swap(along, across);
            REQUIRE(normals.normal() == doctest::Approx(along).epsilon(4e-15));
            REQUIRE(normals.normal() == doctest::Approx(across).epsilon(4e-15));
        }
    }

    // Exact standard errors from E x^2 = 1, E x^4 = 3, E x^8 = 105; E x y x y = 1 for the product of a pair.
    TEST_CASE("normals have mean 0, variance 1, kurtosis 3 and pairs are uncorrelated") {
        constexpr int n = 100000;
        Stream stream(5, 6);
        double first = 0;
        double second = 0;
        double fourth = 0;
        double product = 0;
        for (int i = 0; i < n; ++i) {
            double const x = stream.normal();
            double const y = stream.normal();
            first += x + y;
            second += x * x + y * y;
            fourth += x * x * x * x + y * y * y * y;
            product += x * y;
        }
        CHECK(std::abs(first / (2 * n)) < 5 * std::sqrt(1.0 / (2 * n)));
        CHECK(std::abs(second / (2 * n) - 1) < 5 * std::sqrt(2.0 / (2 * n)));
        CHECK(std::abs(fourth / (2 * n) - 3) < 5 * std::sqrt(96.0 / (2 * n)));
        CHECK(std::abs(product / n) < 5 * std::sqrt(1.0 / n));
    }

    TEST_CASE("a span of normals is the same as one after another, wherever it begins") {
        for (std::size_t const size : {0U, 1U, 2U, 15U, 16U, 17U, 40U, 101U})
            for (int const before : {0, 1, 2}) {
                Stream one(7, 8);
                Stream many(7, 8);
                for (int i = 0; i < before; ++i) CHECK(one.normal() == many.normal());
                std::vector<double> expected(size);
                for (double& value : expected) value = one.normal();
                std::vector<double> filled(size);
                many.fill_normal(filled);
                CHECK(filled == expected);
                CHECK(one.normal() == many.normal());
                CHECK(one.bits() == many.bits());
            }
    }

    TEST_CASE("every instruction set draws the same floats, whatever the counters hold") {
        using isserlis::stream_lanes;
        for (std::uint64_t const seed :
             {std::uint64_t{0}, std::uint64_t{0xFFFFFFFFFFFFFFFF}, std::uint64_t{1} << 33U}) {
            std::vector<float> expected(1 << 16U);
            Stream(seed, 12).fill_normal(expected);
            for (std::size_t k = 0; k < isserlis::normal_kernel_names().size(); ++k) {
                std::vector<float> own(expected.size());
                isserlis::fill_normal(k, seed, 12, own);
                CHECK(own == expected);
            }
        }
        for (auto const& kernel : isserlis::detail::normal_kernels()) {
            CAPTURE(kernel.name);
            constexpr std::uint64_t from = 0xFFFFFFFF - 20;
            std::array<float, 12 * stream_lanes> blocks;
            kernel.fill_float_blocks(11, 12, from, 3, blocks.data());
            for (std::size_t k = 0; k < blocks.size() / 2; ++k) {
                auto const words = isserlis::detail::philox_words(11, 12, from + k / 2);
                auto const pair = isserlis::detail::float_normal_pair(words[k % 2]);
                REQUIRE(blocks[2 * k] == pair[0]);
                REQUIRE(blocks[2 * k + 1] == pair[1]);
            }
        }
        std::vector<float> odd(32);
        CHECK_THROWS_AS(isserlis::fill_normal(0, 1, 1, odd), isserlis::DomainError);
    }

    // Second method: libm in double. The lower half of a word is the signed s of u = (s + 1/2) / 2^32, 1 more below 0;
    // the upper 30 bits of the other are the angle, its bits 0 and 1 half a turn and the swap of the axes.
    TEST_CASE("floats are Box and Muller's transform of halves of words") {
        auto const expected = [](std::uint64_t word) {
            double const v = (static_cast<double>(static_cast<std::int32_t>(word & 0xFFFFFFFFU)) + 0.5) * 0x1p-32;
            double const radius = std::sqrt(-2 * (v < 0 ? std::log1p(v) : std::log(v)));
            auto const bits = static_cast<std::uint32_t>(word >> 32U);
            double const angle =
                static_cast<double>(static_cast<std::int32_t>((bits & 0xFFFFFFFCU) | 2U)) * 0x1p-33 * std::numbers::pi;
            std::array<double, 2> out{radius * std::cos(angle) * ((bits & 1U) != 0 ? -1 : 1), radius * std::sin(angle)};
            if ((bits & 2U) != 0) std::swap(out[0], out[1]);
            return out;
        };
        Stream words(3, 4);
        Stream normals(3, 4);
        for (int i = 0; i < 20000; ++i) {
            auto const pair = expected(words.bits());
            REQUIRE(normals.float_normal() == doctest::Approx(pair[0]).epsilon(5e-7));
            REQUIRE(normals.float_normal() == doctest::Approx(pair[1]).epsilon(5e-7));
        }
        // The ends of the radius: 33 bits of tail, sqrt(66 log 2) = 6.76, and the least, 2^-16; neither is 0.
        for (std::uint64_t const half : {0x00000000U, 0xFFFFFFFFU, 0x80000000U, 0x7FFFFFFFU}) {
            auto const word = half | std::uint64_t{0x20000004} << 32U;
            auto const pair = isserlis::detail::float_normal_pair(word);
            CHECK(pair[0] == doctest::Approx(expected(word)[0]).epsilon(5e-7));
            CHECK(pair[1] == doctest::Approx(expected(word)[1]).epsilon(5e-7));
            CHECK(pair[0] != 0);
        }
        auto const far = isserlis::detail::float_normal_pair(0);
        CHECK(std::hypot(far[0], far[1]) == doctest::Approx(std::sqrt(66 * std::numbers::ln2)).epsilon(1e-6));
    }

    // Exact standard errors from E x^(2k) = (2k - 1)!!; products of neighbours have variance 1, of squares 9 - 1 = 8.
    TEST_CASE("floats have the moments of a normal up to the eighth, and no correlation with neighbours") {
        constexpr std::size_t n = 1 << 20U;
        std::vector<float> x(n);
        Stream(5, 6).fill_normal(x);
        std::array<double, 17> exact{1};
        for (std::size_t k = 2; k < exact.size(); k += 2) exact[k] = static_cast<double>(k - 1) * exact[k - 2];
        for (std::size_t k = 1; k <= 8; ++k) {
            CAPTURE(k);
            double sum = 0;
            for (float const y : x) sum += std::pow(static_cast<double>(y), static_cast<double>(k));
            CHECK(std::abs(sum / n - exact[k]) < 5 * std::sqrt((exact[2 * k] - exact[k] * exact[k]) / n));
        }
        for (std::size_t lag = 1; lag <= 8; ++lag) {
            CAPTURE(lag);
            double sum = 0;
            double squares = 0;
            for (std::size_t i = 0; i + lag < n; ++i) {
                double const product = static_cast<double>(x[i]) * static_cast<double>(x[i + lag]);
                sum += product;
                squares += product * product - 1;
            }
            CHECK(std::abs(sum / n) < 5 * std::sqrt(1.0 / n));
            // Neighbours share one square: Var sum = 8 + 2 Cov(x^2 y^2, y^2 z^2) = 8 + 2 * 2.
            CHECK(std::abs(squares / n) < 5 * std::sqrt(12.0 / n));
        }
    }

    TEST_CASE("a span of floats is the same as one after another, wherever it begins") {
        for (std::size_t const size : {0U, 1U, 2U, 3U, 4U, 5U, 63U, 64U, 65U, 131U, 202U})
            for (int const before : {0, 1, 2, 3, 4}) {
                Stream one(7, 8);
                Stream many(7, 8);
                for (int i = 0; i < before; ++i) CHECK(one.float_normal() == many.float_normal());
                std::vector<float> expected(size);
                for (float& value : expected) value = one.float_normal();
                std::vector<float> filled(size);
                many.fill_normal(filled);
                CHECK(filled == expected);
                CHECK(one.float_normal() == many.float_normal());
                CHECK(one.normal() == many.normal());
                CHECK(one.bits() == many.bits());
            }
    }

    TEST_CASE("signs are fair and use every bit of a word once") {
        Stream words(9, 10);
        Stream signs(9, 10);
        std::uint64_t const word = words.bits();
        for (unsigned bit = 64; bit-- > 0;) CHECK(signs.sign() == (((word >> bit) & 1U) != 0 ? 1.0 : -1.0));
        CHECK(signs.bits() == words.bits());
    }
}
