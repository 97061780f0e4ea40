// SPDX-License-Identifier: MIT
#include <isserlis/mlp/batch_product.hpp>

#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "mlp/batch_rows.hpp"

// Clang has no pragma for a target; it takes fma() of the build's target.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define ISSERLIS_X86_KERNELS
#include <immintrin.h>
// Of immintrin.h, where a mask of all lanes has nothing to keep.
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

namespace isserlis::mlp {
namespace {

/// What becomes of a sum: it is written, added to what is there, or written as its positive and its negative part.
enum class Store { write, add, parts };

/// All matrices row by row; `columns` is the length of a row of b and out.
template <class T>
struct Operands {
    T const* a;
    T const* b;
    T* out;
    std::size_t inner;
    std::size_t columns;
    T* negative;  ///< where the negative parts go, `out` taking the positive ones
};

template <class T>
using Kernel = void (*)(Operands<T> const&, std::size_t rows);

/// What one instruction set computes.
template <class T>
struct Kernels {
    Kernel<T> write, add, parts;
};
struct KernelSet {
    char const* name;
    Kernels<double> doubles;
    Kernels<float> floats;

    template <class T>
    [[nodiscard]] Kernels<T> const& of() const {
        if constexpr (sizeof(T) == sizeof(double)) {
            return doubles;
        } else {
            return floats;
        }
    }
};

// The vectors' max(0, x) and min(0, x) are x where that is no number or 0 of either sign.

/// One number at a time, by the fma() of the C library where the build's target has none.
namespace portable {
template <class T>
struct Numbers {
    using Scalar = T;
    using Lanes = T;
    static constexpr std::size_t lanes = 1;
    static constexpr std::size_t rows = 4;
    static constexpr std::size_t vectors = 4;
    static T zero() { return 0; }
    static T load(T const* from) { return *from; }
    static T load_part(T const* from, std::size_t) { return *from; }
    static void store(T* to, T x) { *to = x; }
    static void store_part(T* to, T x, std::size_t) { *to = x; }
    static T fused(T w, T b, T s) { return std::fma(w, b, s); }
    static T sum(T x, T y) { return x + y; }
    static T without_negative(T x) { return x < 0 ? 0 : x; }
    static T without_positive(T x) { return x > 0 ? 0 : x; }
};
using Doubles = Numbers<double>;
using Floats = Numbers<float>;
#include "product_kernel.inc"
}  // namespace portable

#if defined(ISSERLIS_X86_KERNELS)
#pragma GCC push_options
#pragma GCC target("avx2,fma")
namespace avx2 {
struct Doubles {
    using Scalar = double;
    using Lanes = __m256d;
    static constexpr std::size_t lanes = 4;
    static constexpr std::size_t rows = 5;
    static constexpr std::size_t vectors = 2;
    static __m256i first(std::size_t count) {
        __m256i const places = _mm256_set_epi64x(3, 2, 1, 0);
        return _mm256_cmpgt_epi64(_mm256_set1_epi64x(static_cast<std::int64_t>(count)), places);
    }
    static Lanes zero() { return _mm256_setzero_pd(); }
    static Lanes load(double const* from) { return _mm256_loadu_pd(from); }
    static Lanes load_part(double const* from, std::size_t count) { return _mm256_maskload_pd(from, first(count)); }
    static void store(double* to, Lanes x) { _mm256_storeu_pd(to, x); }
    static void store_part(double* to, Lanes x, std::size_t count) { _mm256_maskstore_pd(to, first(count), x); }
    static Lanes fused(double w, Lanes b, Lanes s) { return _mm256_fmadd_pd(_mm256_set1_pd(w), b, s); }
    static Lanes sum(Lanes x, Lanes y) { return _mm256_add_pd(x, y); }
    static Lanes without_negative(Lanes x) { return _mm256_max_pd(zero(), x); }
    static Lanes without_positive(Lanes x) { return _mm256_min_pd(zero(), x); }
};
struct Floats {
    using Scalar = float;
    using Lanes = __m256;
    static constexpr std::size_t lanes = 8;
    static constexpr std::size_t rows = 5;
    static constexpr std::size_t vectors = 2;
    static __m256i first(std::size_t count) {
        __m256i const places = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
        return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<std::int32_t>(count)), places);
    }
    static Lanes zero() { return _mm256_setzero_ps(); }
    static Lanes load(float const* from) { return _mm256_loadu_ps(from); }
    static Lanes load_part(float const* from, std::size_t count) { return _mm256_maskload_ps(from, first(count)); }
    static void store(float* to, Lanes x) { _mm256_storeu_ps(to, x); }
    static void store_part(float* to, Lanes x, std::size_t count) { _mm256_maskstore_ps(to, first(count), x); }
    static Lanes fused(float w, Lanes b, Lanes s) { return _mm256_fmadd_ps(_mm256_set1_ps(w), b, s); }
    static Lanes sum(Lanes x, Lanes y) { return _mm256_add_ps(x, y); }
    static Lanes without_negative(Lanes x) { return _mm256_max_ps(zero(), x); }
    static Lanes without_positive(Lanes x) { return _mm256_min_ps(zero(), x); }
};
#include "product_kernel.inc"
}  // namespace avx2
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f")
namespace avx512 {
struct Doubles {
    using Scalar = double;
    using Lanes = __m512d;
    static constexpr std::size_t lanes = 8;
    static constexpr std::size_t rows = 5;
    static constexpr std::size_t vectors = 4;
    static __mmask8 first(std::size_t count) { return static_cast<__mmask8>((1U << count) - 1U); }
    static Lanes zero() { return _mm512_setzero_pd(); }
    static Lanes load(double const* from) { return _mm512_loadu_pd(from); }
    static Lanes load_part(double const* from, std::size_t count) { return _mm512_maskz_loadu_pd(first(count), from); }
    static void store(double* to, Lanes x) { _mm512_storeu_pd(to, x); }
    static void store_part(double* to, Lanes x, std::size_t count) { _mm512_mask_storeu_pd(to, first(count), x); }
    static Lanes fused(double w, Lanes b, Lanes s) { return _mm512_fmadd_pd(_mm512_set1_pd(w), b, s); }
    static Lanes sum(Lanes x, Lanes y) { return _mm512_add_pd(x, y); }
    static Lanes without_negative(Lanes x) { return _mm512_max_pd(zero(), x); }
    static Lanes without_positive(Lanes x) { return _mm512_min_pd(zero(), x); }
};
struct Floats {
    using Scalar = float;
    using Lanes = __m512;
    static constexpr std::size_t lanes = 16;
    static constexpr std::size_t rows = 5;
    static constexpr std::size_t vectors = 4;
    static __mmask16 first(std::size_t count) { return static_cast<__mmask16>((1U << count) - 1U); }
    static Lanes zero() { return _mm512_setzero_ps(); }
    static Lanes load(float const* from) { return _mm512_loadu_ps(from); }
    static Lanes load_part(float const* from, std::size_t count) { return _mm512_maskz_loadu_ps(first(count), from); }
    static void store(float* to, Lanes x) { _mm512_storeu_ps(to, x); }
    static void store_part(float* to, Lanes x, std::size_t count) { _mm512_mask_storeu_ps(to, first(count), x); }
    static Lanes fused(float w, Lanes b, Lanes s) { return _mm512_fmadd_ps(_mm512_set1_ps(w), b, s); }
    static Lanes sum(Lanes x, Lanes y) { return _mm512_add_ps(x, y); }
    static Lanes without_negative(Lanes x) { return _mm512_max_ps(zero(), x); }
    static Lanes without_positive(Lanes x) { return _mm512_min_ps(zero(), x); }
};
#include "product_kernel.inc"
}  // namespace avx512
#pragma GCC pop_options
#endif

/// The widest first.
std::vector<KernelSet> const& kernel_sets() {
    static std::vector<KernelSet> const sets = [] {
        std::vector<KernelSet> out;
#if defined(ISSERLIS_X86_KERNELS)
        if (static_cast<bool>(__builtin_cpu_supports("avx512f"))) out.push_back(avx512::kernels("avx512"));
        if (static_cast<bool>(__builtin_cpu_supports("avx2")) && static_cast<bool>(__builtin_cpu_supports("fma")))
            out.push_back(avx2::kernels("avx2"));
#endif
        out.push_back(portable::kernels("portable"));
        return out;
    }();
    return sets;
}

KernelSet const& widest() {
    static KernelSet const& set = kernel_sets().front();
    return set;
}

template <class T>
Operands<T> operands(ProductShape const& shape, T const* a, T const* b, T* out, T* negative = nullptr) {
    return {a, b, out, shape.inner, shape.columns, negative};
}

template <class T>
ProductShape shape_of(Matrix<T> const& a, Matrix<T> const& b) {
    return {.rows = batch::size(a.rows()), .inner = batch::size(a.cols()), .columns = batch::size(b.cols())};
}

}  // namespace

std::vector<char const*> product_kernels() {
    std::vector<char const*> out;
    for (auto const& set : kernel_sets()) out.push_back(set.name);
    return out;
}

void add_batch_product(std::size_t kernel, ProductShape const& shape, double const* a, double const* b, double* out) {
    kernel_sets()[kernel].doubles.add(operands(shape, a, b, out), shape.rows);
}

void add_batch_product(std::size_t kernel, ProductShape const& shape, float const* a, float const* b, float* out) {
    kernel_sets()[kernel].floats.add(operands(shape, a, b, out), shape.rows);
}

template <class T>
void batch_product(Matrix<T> const& a, Matrix<T> const& b, Matrix<T>& out) {
    assert(a.cols() == b.rows() && out.rows() == a.rows() && out.cols() == b.cols());
    batch_product(shape_of(a, b), a.data(), b.data(), out.data());
}

template <class T>
void batch_product(ProductShape const& shape, T const* a, T const* b, T* out) {
    widest().of<T>().write(operands(shape, a, b, out), shape.rows);
}

template <class T>
void batch_product_parts(ProductShape const& shape, T const* a, T const* b, T* parts) {
    widest().of<T>().parts(operands(shape, a, b, parts, parts + shape.rows * shape.columns), shape.rows);
}

void add_batch_product(ProductShape const& shape, double const* a, double const* b, double* out) {
    widest().doubles.add(operands(shape, a, b, out), shape.rows);
}

void add_batch_product(ProductShape const& shape, float const* a, float const* b, float* out) {
    widest().floats.add(operands(shape, a, b, out), shape.rows);
}

template void batch_product(Matrix<float> const&, Matrix<float> const&, Matrix<float>&);
template void batch_product(Matrix<double> const&, Matrix<double> const&, Matrix<double>&);
template void batch_product(ProductShape const&, float const*, float const*, float*);
template void batch_product(ProductShape const&, double const*, double const*, double*);
template void batch_product_parts(ProductShape const&, float const*, float const*, float*);
template void batch_product_parts(ProductShape const&, double const*, double const*, double*);

}  // namespace isserlis::mlp
