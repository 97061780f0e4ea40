// SPDX-License-Identifier: MIT
#include "normal_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

// Clang has no pragma for a target; it takes the lanes of the build's target.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define ISSERLIS_X86_NORMALS
#include <immintrin.h>
// Of immintrin.h, where a mask of all lanes has nothing to keep.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace isserlis::detail {
namespace {

constexpr std::uint64_t bits_of_one = std::bit_cast<std::uint64_t>(1.0);
constexpr std::uint64_t mantissa_mask = (std::uint64_t{1} << 52U) - 1;
constexpr std::uint32_t float_bits_of_one = std::bit_cast<std::uint32_t>(1.0F);
constexpr std::uint32_t float_mantissa_mask = (std::uint32_t{1} << 23U) - 1;

/// Plain numbers, or the vectors of 16 bytes that compilers have for every machine.
namespace portable {
struct HalvesOfOne {
    using Unsigned [[gnu::vector_size(8)]] = std::uint32_t;
    using Signed [[gnu::vector_size(8)]] = std::int32_t;
    using Singles [[gnu::vector_size(8)]] = float;
};
struct HalvesOfTwo {
    using Unsigned [[gnu::vector_size(16)]] = std::uint32_t;
    using Signed [[gnu::vector_size(16)]] = std::int32_t;
    using Singles [[gnu::vector_size(16)]] = float;
};
template <class W, class R, class H>
struct Lanes {
    static constexpr std::size_t count = sizeof(R) / sizeof(double);
    using Words = W;
    using Reals = R;
    using Singles = typename H::Singles;

    static Words word(std::uint64_t w) { return Words{} + w; }
    static Reals real(double x) { return Reals{} + x; }
    static Words numbered() {
        if constexpr (count == 1) {
            return 0;
        } else {
            return Words{0, 1};
        }
    }
    static Words words(Reals x) { return std::bit_cast<Words>(x); }
    static Reals reals(Words w) { return std::bit_cast<Reals>(w); }
    static Words times_low(Words v, Words w) {
#if defined(ISSERLIS_X86_NORMALS)
        if constexpr (count == 2)
            return std::bit_cast<Words>(_mm_mul_epu32(std::bit_cast<__m128i>(v), std::bit_cast<__m128i>(w)));
#endif
        return (v & 0xFFFFFFFFU) * (w & 0xFFFFFFFFU);
    }
    template <unsigned k>
    static Words shifted_down(Words w) {
        return w >> k;
    }
    template <unsigned k>
    static Words shifted_up(Words w) {
        return w << k;
    }
    static Words plus(Words v, Words w) { return v + w; }
    static Words both(Words v, Words w) { return v & w; }
    static Words either(Words v, Words w) { return v | w; }
    static Words differing(Words v, Words w) { return v ^ w; }
    static Words differing(Words u, Words v, Words w) { return u ^ v ^ w; }
    static Words turned(Words w) { return w >> 32U | w << 32U; }
    static void exchange(Words w, Reals& x, Reals& y) {
        Words const swapped = (words(x) ^ words(y)) & (Words{} - (w >> 1U & 1U));
        x = reals(words(x) ^ swapped);
        y = reals(words(y) ^ swapped);
    }
    static Reals sum(Reals x, Reals y) { return x + y; }
    static Reals difference(Reals x, Reals y) { return x - y; }
    static Reals product(Reals x, Reals y) { return x * y; }
    static Reals quotient(Reals x, Reals y) { return x / y; }
    static Reals root(Reals x) {
        if constexpr (count == 1) {
            return std::sqrt(x);
        } else {
            return Reals{std::sqrt(x[0]), std::sqrt(x[1])};
        }
    }
    static Singles single(float x) { return Singles{} + x; }
    static Words words(Singles x) { return std::bit_cast<Words>(x); }
    static Singles singles(Words w) { return std::bit_cast<Singles>(w); }
    static Singles converted(Words w) { return __builtin_convertvector(std::bit_cast<typename H::Signed>(w), Singles); }
    static Words plus_halves(Words v, Words w) {
        return std::bit_cast<Words>(std::bit_cast<typename H::Unsigned>(v) + std::bit_cast<typename H::Unsigned>(w));
    }
    template <unsigned k>
    static Words halves_down(Words w) {
        return std::bit_cast<Words>(std::bit_cast<typename H::Unsigned>(w) >> k);
    }
    template <unsigned k>
    static Words halves_up(Words w) {
        return std::bit_cast<Words>(std::bit_cast<typename H::Unsigned>(w) << k);
    }
    static Words signs(Words w) { return std::bit_cast<Words>(std::bit_cast<typename H::Signed>(w) < 0); }
    static Singles sum(Singles x, Singles y) { return x + y; }
    static Singles difference(Singles x, Singles y) { return x - y; }
    static Singles product(Singles x, Singles y) { return x * y; }
    static Singles quotient(Singles x, Singles y) { return x / y; }
    static Singles root(Singles x) {
        for (std::size_t k = 0; k < 2 * count; ++k) x[k] = std::sqrt(x[k]);
        return x;
    }
    static void store_pairs(float* out, Singles x, Singles y) {
        for (std::size_t k = 0; k < 2 * count; ++k) {
            out[2 * k] = x[k];
            out[2 * k + 1] = y[k];
        }
    }
    static void store(double* out, Reals x) { std::memcpy(out, &x, sizeof x); }
    static void store_pairs(double* out, Reals x, Reals y) {
        if constexpr (count == 1) {
            out[0] = x;
            out[1] = y;
        } else {
            store(out, Reals{x[0], y[0]});
            store(out + 2, Reals{x[1], y[1]});
        }
    }
};
using WordPair [[gnu::vector_size(16)]] = std::uint64_t;
using RealPair [[gnu::vector_size(16)]] = double;
#include "normal_kernel.inc"
#include "twice.inc"
using One = Kernel<Lanes<std::uint64_t, double, HalvesOfOne>>;
using Several = Kernel<Twice<Twice<Lanes<WordPair, RealPair, HalvesOfTwo>>>>;
template <class T>
void fill_blocks(std::uint64_t seed, std::uint64_t sample, std::uint64_t block, std::size_t groups, T* out) {
    Several::fill_blocks(seed, sample, block, 2 * groups, out);
}
}  // namespace portable

#if defined(ISSERLIS_X86_NORMALS)
#pragma GCC push_options
#pragma GCC target("avx2")
namespace avx2 {
struct Lanes {
    static constexpr std::size_t count = 4;
    using Words = __m256i;
    using Reals = __m256d;
    static Words word(std::uint64_t w) { return _mm256_set1_epi64x(static_cast<std::int64_t>(w)); }
    static Reals real(double x) { return _mm256_set1_pd(x); }
    static Words numbered() { return _mm256_set_epi64x(3, 2, 1, 0); }
    static Words words(Reals x) { return _mm256_castpd_si256(x); }
    static Reals reals(Words w) { return _mm256_castsi256_pd(w); }
    static Words times_low(Words v, Words w) { return _mm256_mul_epu32(v, w); }
    template <int k>
    static Words shifted_down(Words w) {
        return _mm256_srli_epi64(w, k);
    }
    template <int k>
    static Words shifted_up(Words w) {
        return _mm256_slli_epi64(w, k);
    }
    static Words plus(Words v, Words w) { return _mm256_add_epi64(v, w); }
    static Words both(Words v, Words w) { return _mm256_and_si256(v, w); }
    static Words either(Words v, Words w) { return _mm256_or_si256(v, w); }
    static Words differing(Words v, Words w) { return _mm256_xor_si256(v, w); }
    static Words differing(Words u, Words v, Words w) { return _mm256_xor_si256(u, _mm256_xor_si256(v, w)); }
    static Words turned(Words w) { return _mm256_shuffle_epi32(w, 0xB1); }
    static void exchange(Words w, Reals& x, Reals& y) {
        Words const two = word(2);
        Reals const mask = reals(_mm256_cmpeq_epi64(_mm256_and_si256(w, two), two));
        Reals const swapped = _mm256_and_pd(_mm256_xor_pd(x, y), mask);
        x = _mm256_xor_pd(x, swapped);
        y = _mm256_xor_pd(y, swapped);
    }
    static Reals sum(Reals x, Reals y) { return _mm256_add_pd(x, y); }
    static Reals difference(Reals x, Reals y) { return _mm256_sub_pd(x, y); }
    static Reals product(Reals x, Reals y) { return _mm256_mul_pd(x, y); }
    static Reals quotient(Reals x, Reals y) { return _mm256_div_pd(x, y); }
    static Reals root(Reals x) { return _mm256_sqrt_pd(x); }
    using Singles = __m256;
    static Singles single(float x) { return _mm256_set1_ps(x); }
    static Words words(Singles x) { return _mm256_castps_si256(x); }
    static Singles singles(Words w) { return _mm256_castsi256_ps(w); }
    static Singles converted(Words w) { return _mm256_cvtepi32_ps(w); }
    static Words plus_halves(Words v, Words w) { return _mm256_add_epi32(v, w); }
    template <int k>
    static Words halves_down(Words w) {
        return _mm256_srli_epi32(w, k);
    }
    template <int k>
    static Words halves_up(Words w) {
        return _mm256_slli_epi32(w, k);
    }
    static Words signs(Words w) { return _mm256_srai_epi32(w, 31); }
    static Singles sum(Singles x, Singles y) { return _mm256_add_ps(x, y); }
    static Singles difference(Singles x, Singles y) { return _mm256_sub_ps(x, y); }
    static Singles product(Singles x, Singles y) { return _mm256_mul_ps(x, y); }
    static Singles quotient(Singles x, Singles y) { return _mm256_div_ps(x, y); }
    static Singles root(Singles x) { return _mm256_sqrt_ps(x); }
    static void store_pairs(float* out, Singles x, Singles y) {
        Singles const even = _mm256_unpacklo_ps(x, y);
        Singles const odd = _mm256_unpackhi_ps(x, y);
        _mm256_storeu_ps(out, _mm256_permute2f128_ps(even, odd, 0x20));
        _mm256_storeu_ps(out + 8, _mm256_permute2f128_ps(even, odd, 0x31));
    }
    static void store(double* out, Reals x) { _mm256_storeu_pd(out, x); }
    static void store_pairs(double* out, Reals x, Reals y) {
        Reals const even = _mm256_unpacklo_pd(x, y);
        Reals const odd = _mm256_unpackhi_pd(x, y);
        _mm256_storeu_pd(out, _mm256_permute2f128_pd(even, odd, 0x20));
        _mm256_storeu_pd(out + 4, _mm256_permute2f128_pd(even, odd, 0x31));
    }
};
#include "normal_kernel.inc"
#include "twice.inc"
using FourTimesFour = Kernel<Twice<Twice<Lanes>>>;
template <class T>
void fill_blocks(std::uint64_t seed, std::uint64_t sample, std::uint64_t block, std::size_t groups, T* out) {
    FourTimesFour::fill_blocks(seed, sample, block, groups, out);
}
void fill_across(std::uint64_t seed, std::uint64_t sample, std::uint64_t block, double* first, double* second) {
    FourTimesFour::fill_across(seed, sample, block, first, second);
}
}  // namespace avx2
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f")
namespace avx512 {
struct Lanes {
    static constexpr std::size_t count = 8;
    using Words = __m512i;
    using Reals = __m512d;
    static Words word(std::uint64_t w) { return _mm512_set1_epi64(static_cast<std::int64_t>(w)); }
    static Reals real(double x) { return _mm512_set1_pd(x); }
    static Words numbered() { return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0); }
    static Words words(Reals x) { return _mm512_castpd_si512(x); }
    static Reals reals(Words w) { return _mm512_castsi512_pd(w); }
    static Words times_low(Words v, Words w) { return _mm512_mul_epu32(v, w); }
    template <unsigned k>
    static Words shifted_down(Words w) {
        return _mm512_srli_epi64(w, k);
    }
    template <unsigned k>
    static Words shifted_up(Words w) {
        return _mm512_slli_epi64(w, k);
    }
    static Words plus(Words v, Words w) { return _mm512_add_epi64(v, w); }
    static Words both(Words v, Words w) { return _mm512_and_si512(v, w); }
    static Words either(Words v, Words w) { return _mm512_or_si512(v, w); }
    static Words differing(Words v, Words w) { return _mm512_xor_si512(v, w); }
    static Words differing(Words u, Words v, Words w) { return _mm512_ternarylogic_epi64(u, v, w, 0x96); }
    static Words turned(Words w) { return _mm512_ror_epi64(w, 32); }
    static void exchange(Words w, Reals& x, Reals& y) {
        __mmask8 const swap = _mm512_test_epi64_mask(w, word(2));
        Reals const first = _mm512_mask_blend_pd(swap, x, y);
        y = _mm512_mask_blend_pd(swap, y, x);
        x = first;
    }
    static Reals sum(Reals x, Reals y) { return _mm512_add_pd(x, y); }
    static Reals difference(Reals x, Reals y) { return _mm512_sub_pd(x, y); }
    static Reals product(Reals x, Reals y) { return _mm512_mul_pd(x, y); }
    static Reals quotient(Reals x, Reals y) { return _mm512_div_pd(x, y); }
    static Reals root(Reals x) { return _mm512_sqrt_pd(x); }
    using Singles = __m512;
    static Singles single(float x) { return _mm512_set1_ps(x); }
    static Words words(Singles x) { return _mm512_castps_si512(x); }
    static Singles singles(Words w) { return _mm512_castsi512_ps(w); }
    static Singles converted(Words w) { return _mm512_cvtepi32_ps(w); }
    static Words plus_halves(Words v, Words w) { return _mm512_add_epi32(v, w); }
    template <unsigned k>
    static Words halves_down(Words w) {
        return _mm512_srli_epi32(w, k);
    }
    template <unsigned k>
    static Words halves_up(Words w) {
        return _mm512_slli_epi32(w, k);
    }
    static Words signs(Words w) { return _mm512_srai_epi32(w, 31); }
    static Singles sum(Singles x, Singles y) { return _mm512_add_ps(x, y); }
    static Singles difference(Singles x, Singles y) { return _mm512_sub_ps(x, y); }
    static Singles product(Singles x, Singles y) { return _mm512_mul_ps(x, y); }
    static Singles quotient(Singles x, Singles y) { return _mm512_div_ps(x, y); }
    static Singles root(Singles x) { return _mm512_sqrt_ps(x); }
    static void store_pairs(float* out, Singles x, Singles y) {
        Words const lower = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
        Words const upper = _mm512_set_epi32(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8);
        _mm512_storeu_ps(out, _mm512_permutex2var_ps(x, lower, y));
        _mm512_storeu_ps(out + 16, _mm512_permutex2var_ps(x, upper, y));
    }
    static void store(double* out, Reals x) { _mm512_storeu_pd(out, x); }
    static void store_pairs(double* out, Reals x, Reals y) {
        _mm512_storeu_pd(out, _mm512_permutex2var_pd(x, _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), y));
        _mm512_storeu_pd(out + 8, _mm512_permutex2var_pd(x, _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4), y));
    }
};
#include "normal_kernel.inc"
#include "twice.inc"
using TwoTimesEight = Kernel<Twice<Lanes>>;
using FourTimesEight = Kernel<Twice<Twice<Lanes>>>;
template <class T>
void fill_blocks(std::uint64_t seed, std::uint64_t sample, std::uint64_t block, std::size_t groups, T* out) {
    constexpr std::size_t a_block = 2 * sizeof(std::uint64_t) / sizeof(T);
    FourTimesEight::fill_blocks(seed, sample, block, groups / 2, out);
    std::size_t const done = groups / 2 * 2 * stream_lanes;
    TwoTimesEight::fill_blocks(seed, sample, block + done, groups % 2, out + a_block * done);
}
void fill_across(std::uint64_t seed, std::uint64_t sample, std::uint64_t block, double* first, double* second) {
    TwoTimesEight::fill_across(seed, sample, block, first, second);
}
}  // namespace avx512
#pragma GCC pop_options
#endif

}  // namespace

std::vector<NormalKernels> const& normal_kernels() {
    static std::vector<NormalKernels> const kernels = [] {
        std::vector<NormalKernels> out;
#if defined(ISSERLIS_X86_NORMALS)
        if (static_cast<bool>(__builtin_cpu_supports("avx512f")))
            out.push_back({.name = "avx512",
                           .fill_blocks = avx512::fill_blocks<double>,
                           .fill_float_blocks = avx512::fill_blocks<float>,
                           .fill_across = avx512::fill_across});
        if (static_cast<bool>(__builtin_cpu_supports("avx2")))
            out.push_back({.name = "avx2",
                           .fill_blocks = avx2::fill_blocks<double>,
                           .fill_float_blocks = avx2::fill_blocks<float>,
                           .fill_across = avx2::fill_across});
#endif
        out.push_back({.name = "portable",
                       .fill_blocks = portable::fill_blocks<double>,
                       .fill_float_blocks = portable::fill_blocks<float>,
                       .fill_across = portable::Several::fill_across});
        return out;
    }();
    return kernels;
}

std::array<std::uint64_t, 2> philox_words(std::uint64_t seed, std::uint64_t sample, std::uint64_t block) {
    using portable::One;
    std::array<std::uint64_t, 2> out;
    One::philox(block, One::block_half(seed, block), One::sample_half(seed, sample), out[0], out[1]);
    return out;
}

std::array<double, 2> normal_pair(std::uint64_t radius_word, std::uint64_t angle_word) {
    std::array<double, 2> out;
    portable::One::pairs(radius_word, angle_word, out[0], out[1]);
    return out;
}

std::array<float, 2> float_normal_pair(std::uint64_t word) {
    std::array<float, 4> out;  // the second pair is that of no word
    portable::One::put(word, 0, out.data());
    return {out[0], out[1]};
}

}  // namespace isserlis::detail
