// SPDX-License-Identifier: MIT
// Compiled with -ffp-contract=off: a fused multiply-add would round otherwise than the plain one.
#include <cassert>
#include <cstddef>
#include <isserlis/mlp/batch_product.hpp>

namespace isserlis::mlp {
namespace {

/// 8 or 16 samples at a time; compilers split it where registers are narrower.
struct Doubles {
    using Scalar = double;
    static constexpr std::size_t lanes = 8;
    using Lanes = double __attribute__((vector_size(64)));
    using UnalignedLanes = double __attribute__((vector_size(64), aligned(alignof(double)), may_alias));
};
struct Floats {
    using Scalar = float;
    static constexpr std::size_t lanes = 16;
    using Lanes = float __attribute__((vector_size(64)));
    using UnalignedLanes = float __attribute__((vector_size(64), aligned(alignof(float)), may_alias));
};

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

/// A tile of Rows x (8 Vectors) entries, kept in registers.
template <class V, std::size_t Rows, std::size_t Vectors, Store How>
[[gnu::always_inline]] inline void tile(Operands<typename V::Scalar> const& o, std::size_t row, std::size_t column) {
    using Lanes = typename V::Lanes;
    using UnalignedLanes = typename V::UnalignedLanes;
    constexpr std::size_t lanes = V::lanes;
    Lanes sums[Rows][Vectors] = {};  // NOLINT(*-avoid-c-arrays): registers
    auto const* const a = o.a + row * o.inner;
    auto const* b = o.b + column;
    for (std::size_t j = 0; j < o.inner; ++j, b += o.columns) {
        Lanes batch[Vectors];  // NOLINT(*-avoid-c-arrays)
#pragma GCC unroll 8
        for (std::size_t v = 0; v < Vectors; ++v) batch[v] = *reinterpret_cast<UnalignedLanes const*>(b + v * lanes);
#pragma GCC unroll 8
        for (std::size_t r = 0; r < Rows; ++r) {
            auto const weight = a[r * o.inner + j];
#pragma GCC unroll 8
            for (std::size_t v = 0; v < Vectors; ++v) sums[r][v] += weight * batch[v];
        }
    }
#pragma GCC unroll 8
    for (std::size_t r = 0; r < Rows; ++r)
#pragma GCC unroll 8
        for (std::size_t v = 0; v < Vectors; ++v) {
            std::size_t const at = (row + r) * o.columns + column + v * lanes;
            Lanes const sum = sums[r][v];
            if constexpr (How == Store::parts) {
                // A NaN fails both tests and stays in both parts.
                Lanes const zero{};
                *reinterpret_cast<UnalignedLanes*>(o.out + at) = sum < zero ? zero : sum;
                *reinterpret_cast<UnalignedLanes*>(o.negative + at) = sum > zero ? zero : sum;
            } else if constexpr (How == Store::add) {
                *reinterpret_cast<UnalignedLanes*>(o.out + at) += sum;
            } else {
                *reinterpret_cast<UnalignedLanes*>(o.out + at) = sum;
            }
        }
}

/// Rows of the product that start at `row`, all columns; wide tiles first.
template <class V, std::size_t Rows, std::size_t Vectors, Store How>
[[gnu::always_inline]] inline void strip(Operands<typename V::Scalar> const& o, std::size_t row) {
    constexpr std::size_t lanes = V::lanes;
    std::size_t column = 0;
    for (; column + Vectors * lanes <= o.columns; column += Vectors * lanes)
        tile<V, Rows, Vectors, How>(o, row, column);
    if constexpr (Vectors > 1)
        for (; column + lanes <= o.columns; column += lanes) tile<V, Rows, 1, How>(o, row, column);
    for (; column < o.columns; ++column)
        for (std::size_t r = 0; r < Rows; ++r) {
            typename V::Scalar sum = 0;
            for (std::size_t j = 0; j < o.inner; ++j) sum += o.a[(row + r) * o.inner + j] * o.b[j * o.columns + column];
            std::size_t const at = (row + r) * o.columns + column;
            if constexpr (How == Store::parts) {
                o.out[at] = sum < 0 ? 0 : sum;
                o.negative[at] = sum > 0 ? 0 : sum;
            } else if constexpr (How == Store::add) {
                o.out[at] += sum;
            } else {
                o.out[at] = sum;
            }
        }
}

template <class V, std::size_t Rows, std::size_t Vectors, Store How>
[[gnu::always_inline]] inline void product(Operands<typename V::Scalar> const& o, std::size_t rows) {
    std::size_t row = 0;
    for (; row + Rows <= rows; row += Rows) strip<V, Rows, Vectors, How>(o, row);
    for (; row < rows; ++row) strip<V, 1, Vectors, How>(o, row);
}

template <class V>
using Kernel = void (*)(Operands<typename V::Scalar> const&, std::size_t rows);

template <class V, Store How>
void with_build_registers(Operands<typename V::Scalar> const& o, std::size_t rows) {
    product<V, 2, 1, How>(o, rows);
}

#if defined(__x86_64__)
template <class V, Store How>
[[gnu::target("avx2")]] void with_avx2(Operands<typename V::Scalar> const& o, std::size_t rows) {
    product<V, 5, 1, How>(o, rows);
}
template <class V, Store How>
[[gnu::target("avx512f")]] void with_avx512(Operands<typename V::Scalar> const& o, std::size_t rows) {
    product<V, 5, 4, How>(o, rows);
}
#endif

template <class V, Store How>
Kernel<V> widest() {
#if defined(__x86_64__)
    if (static_cast<bool>(__builtin_cpu_supports("avx512f"))) return with_avx512<V, How>;
    if (static_cast<bool>(__builtin_cpu_supports("avx2"))) return with_avx2<V, How>;
#endif
    return with_build_registers<V, How>;
}

template <class V, Store How>
void run(Operands<typename V::Scalar> const& operands, std::size_t rows) {
    static Kernel<V> const kernel = widest<V, How>();
    kernel(operands, rows);
}

std::size_t size(Eigen::Index n) { return static_cast<std::size_t>(n); }

Operands<double> operands(Matrix<double> const& a, Matrix<double> const& b, double* out, double* negative) {
    return {a.data(), b.data(), out, size(a.cols()), size(b.cols()), negative};
}

}  // namespace

void batch_product(Matrix<double> const& a, Matrix<double> const& b, Matrix<double>& out) {
    assert(a.cols() == b.rows() && out.rows() == a.rows() && out.cols() == b.cols());
    run<Doubles, Store::write>(operands(a, b, out.data(), nullptr), size(a.rows()));
}

void batch_product_parts(Matrix<double> const& a, Matrix<double> const& b, Matrix<double>& parts) {
    assert(a.cols() == b.rows() && parts.rows() == 2 * a.rows() && parts.cols() == b.cols());
    run<Doubles, Store::parts>(operands(a, b, parts.data(), parts.data() + a.rows() * b.cols()), size(a.rows()));
}

void add_batch_product(ProductShape const& shape, double const* a, double const* b, double* out) {
    run<Doubles, Store::add>({a, b, out, shape.inner, shape.columns, nullptr}, shape.rows);
}

void add_batch_product(ProductShape const& shape, float const* a, float const* b, float* out) {
    run<Floats, Store::add>({a, b, out, shape.inner, shape.columns, nullptr}, shape.rows);
}

}  // namespace isserlis::mlp
