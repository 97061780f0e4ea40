// SPDX-License-Identifier: MIT
#include "normal_kernels.hpp"

#include <bit>
#include <cmath>
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

/// Plain numbers, `lanes` of them in loops that compilers turn into what vectors there are.
namespace portable {
template <std::size_t lanes>
struct Lanes {
    static constexpr std::size_t count = lanes;
    using Words = std::array<std::uint64_t, lanes>;
    using Reals = std::array<double, lanes>;

    template <class Out, class F>
    static Out each(F const& f) {
        Out out;
        for (std::size_t i = 0; i < lanes; ++i) out[i] = f(i);
        return out;
    }
    static Words word(std::uint64_t w) {
        return each<Words>([&](std::size_t) { return w; });
    }
    static Reals real(double x) {
        return each<Reals>([&](std::size_t) { return x; });
    }
    static Words numbered() {
        return each<Words>([](std::size_t i) { return i; });
    }
    static Words words(Reals const& x) { return std::bit_cast<Words>(x); }
    static Reals reals(Words const& w) { return std::bit_cast<Reals>(w); }
    static Words times_low(Words const& v, Words const& w) {
        return each<Words>([&](std::size_t i) { return (v[i] & 0xFFFFFFFFU) * (w[i] & 0xFFFFFFFFU); });
    }
    template <unsigned k>
    static Words shifted_down(Words const& w) {
        return each<Words>([&](std::size_t i) { return w[i] >> k; });
    }
    template <unsigned k>
    static Words shifted_up(Words const& w) {
        return each<Words>([&](std::size_t i) { return w[i] << k; });
    }
    static Words plus(Words const& v, Words const& w) {
        return each<Words>([&](std::size_t i) { return v[i] + w[i]; });
    }
    static Words minus(Words const& v, Words const& w) {
        return each<Words>([&](std::size_t i) { return v[i] - w[i]; });
    }
    static Words both(Words const& v, Words const& w) {
        return each<Words>([&](std::size_t i) { return v[i] & w[i]; });
    }
    static Words either(Words const& v, Words const& w) {
        return each<Words>([&](std::size_t i) { return v[i] | w[i]; });
    }
    static Words differing(Words const& v, Words const& w) {
        return each<Words>([&](std::size_t i) { return v[i] ^ w[i]; });
    }
    static Reals sum(Reals const& x, Reals const& y) {
        return each<Reals>([&](std::size_t i) { return x[i] + y[i]; });
    }
    static Reals difference(Reals const& x, Reals const& y) {
        return each<Reals>([&](std::size_t i) { return x[i] - y[i]; });
    }
    static Reals product(Reals const& x, Reals const& y) {
        return each<Reals>([&](std::size_t i) { return x[i] * y[i]; });
    }
    static Reals quotient(Reals const& x, Reals const& y) {
        return each<Reals>([&](std::size_t i) { return x[i] / y[i]; });
    }
    static Reals root(Reals const& x) {
        return each<Reals>([&](std::size_t i) { return std::sqrt(x[i]); });
    }
    static void store(double* out, Reals const& x) {
        for (std::size_t i = 0; i < lanes; ++i) out[i] = x[i];
    }
    static void store_pairs(double* out, Reals const& x, Reals const& y) {
        for (std::size_t i = 0; i < lanes; ++i) {
            out[2 * i] = x[i];
            out[2 * i + 1] = y[i];
        }
    }
};
#include "normal_kernel.inc"
using One = Kernel<Lanes<1>>;
using Several = Kernel<Lanes<4>>;
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
    static Words minus(Words v, Words w) { return _mm256_sub_epi64(v, w); }
    static Words both(Words v, Words w) { return _mm256_and_si256(v, w); }
    static Words either(Words v, Words w) { return _mm256_or_si256(v, w); }
    static Words differing(Words v, Words w) { return _mm256_xor_si256(v, w); }
    static Reals sum(Reals x, Reals y) { return _mm256_add_pd(x, y); }
    static Reals difference(Reals x, Reals y) { return _mm256_sub_pd(x, y); }
    static Reals product(Reals x, Reals y) { return _mm256_mul_pd(x, y); }
    static Reals quotient(Reals x, Reals y) { return _mm256_div_pd(x, y); }
    static Reals root(Reals x) { return _mm256_sqrt_pd(x); }
    static void store(double* out, Reals x) { _mm256_storeu_pd(out, x); }
    static void store_pairs(double* out, Reals x, Reals y) {
        Reals const even = _mm256_unpacklo_pd(x, y);
        Reals const odd = _mm256_unpackhi_pd(x, y);
        _mm256_storeu_pd(out, _mm256_permute2f128_pd(even, odd, 0x20));
        _mm256_storeu_pd(out + 4, _mm256_permute2f128_pd(even, odd, 0x31));
    }
};
#include "normal_kernel.inc"
void fill_blocks(std::uint64_t seed, std::uint64_t sample, std::uint64_t block, std::size_t groups, double* out) {
    Kernel<Lanes>::fill_blocks(seed, sample, block, groups * (stream_lanes / Lanes::count), out);
}
void fill_across(std::uint64_t seed, std::uint64_t sample, std::uint64_t block, double* first, double* second) {
    Kernel<Lanes>::fill_across(seed, sample, block, first, second);
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
    static Words minus(Words v, Words w) { return _mm512_sub_epi64(v, w); }
    static Words both(Words v, Words w) { return _mm512_and_si512(v, w); }
    static Words either(Words v, Words w) { return _mm512_or_si512(v, w); }
    static Words differing(Words v, Words w) { return _mm512_xor_si512(v, w); }
    static Reals sum(Reals x, Reals y) { return _mm512_add_pd(x, y); }
    static Reals difference(Reals x, Reals y) { return _mm512_sub_pd(x, y); }
    static Reals product(Reals x, Reals y) { return _mm512_mul_pd(x, y); }
    static Reals quotient(Reals x, Reals y) { return _mm512_div_pd(x, y); }
    static Reals root(Reals x) { return _mm512_sqrt_pd(x); }
    static void store(double* out, Reals x) { _mm512_storeu_pd(out, x); }
    static void store_pairs(double* out, Reals x, Reals y) {
        _mm512_storeu_pd(out, _mm512_permutex2var_pd(x, _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), y));
        _mm512_storeu_pd(out + 8, _mm512_permutex2var_pd(x, _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4), y));
    }
};
#include "normal_kernel.inc"
void fill_blocks(std::uint64_t seed, std::uint64_t sample, std::uint64_t block, std::size_t groups, double* out) {
    Kernel<Lanes>::fill_blocks(seed, sample, block, groups * (stream_lanes / Lanes::count), out);
}
void fill_across(std::uint64_t seed, std::uint64_t sample, std::uint64_t block, double* first, double* second) {
    Kernel<Lanes>::fill_across(seed, sample, block, first, second);
}
}  // namespace avx512
#pragma GCC pop_options
#endif

void fill_blocks(std::uint64_t seed, std::uint64_t sample, std::uint64_t block, std::size_t groups, double* out) {
    portable::Several::fill_blocks(seed, sample, block, groups * (stream_lanes / 4), out);
}

}  // namespace

std::vector<NormalKernels> const& normal_kernels() {
    static std::vector<NormalKernels> const kernels = [] {
        std::vector<NormalKernels> out;
#if defined(ISSERLIS_X86_NORMALS)
        if (static_cast<bool>(__builtin_cpu_supports("avx512f")))
            out.push_back({.name = "avx512", .fill_blocks = avx512::fill_blocks, .fill_across = avx512::fill_across});
        if (static_cast<bool>(__builtin_cpu_supports("avx2")))
            out.push_back({.name = "avx2", .fill_blocks = avx2::fill_blocks, .fill_across = avx2::fill_across});
#endif
        out.push_back({.name = "portable", .fill_blocks = fill_blocks, .fill_across = portable::Several::fill_across});
        return out;
    }();
    return kernels;
}

std::array<std::uint64_t, 2> philox_words(std::uint64_t seed, std::uint64_t sample, std::uint64_t block) {
    std::array<std::uint64_t, 1> first;
    std::array<std::uint64_t, 1> second;
    portable::One::philox(seed, {block}, {block >> 32U}, {sample}, {sample >> 32U}, first, second);
    return {first[0], second[0]};
}

std::array<double, 2> normal_pair(std::uint64_t radius_word, std::uint64_t angle_word) {
    std::array<double, 1> first;
    std::array<double, 1> second;
    portable::One::pairs({radius_word}, {angle_word}, first, second);
    return {first[0], second[0]};
}

}  // namespace isserlis::detail
