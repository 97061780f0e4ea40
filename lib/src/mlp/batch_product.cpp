// SPDX-License-Identifier: MIT
// Compiled with -ffp-contract=off: a fused multiply-add would round otherwise than the plain one.
#include <cassert>
#include <cstddef>
#include <isserlis/mlp/batch_product.hpp>

namespace isserlis::mlp {
namespace {

constexpr std::size_t lanes = 8;
/// Eight samples at a time; compilers split it where registers are narrower.
using Lanes = double __attribute__((vector_size(lanes * sizeof(double))));
using UnalignedLanes = double __attribute__((vector_size(lanes * sizeof(double)), aligned(alignof(double)), may_alias));

/// All matrices row by row; `columns` is the length of a row of b and out.
struct Operands {
    double const* a;
    double const* b;
    double* out;
    std::size_t inner;
    std::size_t columns;
    double* negative;  ///< null, or where the negative parts go, `out` taking the positive ones
};

/// A tile of Rows x (8 Vectors) entries, kept in registers.
template <std::size_t Rows, std::size_t Vectors, bool Split>
[[gnu::always_inline]] inline void tile(Operands const& o, std::size_t row, std::size_t column) {
    Lanes sums[Rows][Vectors] = {};  // NOLINT(*-avoid-c-arrays): registers
    double const* const a = o.a + row * o.inner;
    double const* b = o.b + column;
    for (std::size_t j = 0; j < o.inner; ++j, b += o.columns) {
        Lanes batch[Vectors];  // NOLINT(*-avoid-c-arrays)
#pragma GCC unroll 8
        for (std::size_t v = 0; v < Vectors; ++v) batch[v] = *reinterpret_cast<UnalignedLanes const*>(b + v * lanes);
#pragma GCC unroll 8
        for (std::size_t r = 0; r < Rows; ++r) {
            double const weight = a[r * o.inner + j];
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
            if constexpr (Split) {
                // A NaN fails both tests and stays in both parts.
                Lanes const zero{};
                *reinterpret_cast<UnalignedLanes*>(o.out + at) = sum < zero ? zero : sum;
                *reinterpret_cast<UnalignedLanes*>(o.negative + at) = sum > zero ? zero : sum;
            } else {
                *reinterpret_cast<UnalignedLanes*>(o.out + at) = sum;
            }
        }
}

/// Rows of the product that start at `row`, all columns; wide tiles first.
template <std::size_t Rows, std::size_t Vectors, bool Split>
[[gnu::always_inline]] inline void strip(Operands const& o, std::size_t row) {
    std::size_t column = 0;
    for (; column + Vectors * lanes <= o.columns; column += Vectors * lanes) tile<Rows, Vectors, Split>(o, row, column);
    if constexpr (Vectors > 1)
        for (; column + lanes <= o.columns; column += lanes) tile<Rows, 1, Split>(o, row, column);
    for (; column < o.columns; ++column)
        for (std::size_t r = 0; r < Rows; ++r) {
            double sum = 0;
            for (std::size_t j = 0; j < o.inner; ++j) sum += o.a[(row + r) * o.inner + j] * o.b[j * o.columns + column];
            std::size_t const at = (row + r) * o.columns + column;
            if constexpr (Split) {
                o.out[at] = sum < 0 ? 0 : sum;
                o.negative[at] = sum > 0 ? 0 : sum;
            } else {
                o.out[at] = sum;
            }
        }
}

template <std::size_t Rows, std::size_t Vectors, bool Split>
[[gnu::always_inline]] inline void product(Operands const& o, std::size_t rows) {
    std::size_t row = 0;
    for (; row + Rows <= rows; row += Rows) strip<Rows, Vectors, Split>(o, row);
    for (; row < rows; ++row) strip<1, Vectors, Split>(o, row);
}

template <std::size_t Rows, std::size_t Vectors>
[[gnu::always_inline]] inline void either(Operands const& o, std::size_t rows) {
    if (o.negative == nullptr) {
        product<Rows, Vectors, false>(o, rows);
    } else {
        product<Rows, Vectors, true>(o, rows);
    }
}

using Kernel = void (*)(Operands const&, std::size_t rows);

void with_build_registers(Operands const& o, std::size_t rows) { either<2, 1>(o, rows); }

#if defined(__x86_64__)
[[gnu::target("avx2")]] void with_avx2(Operands const& o, std::size_t rows) { either<5, 1>(o, rows); }
[[gnu::target("avx512f")]] void with_avx512(Operands const& o, std::size_t rows) { either<5, 4>(o, rows); }

Kernel widest() {
    if (static_cast<bool>(__builtin_cpu_supports("avx512f"))) return with_avx512;
    if (static_cast<bool>(__builtin_cpu_supports("avx2"))) return with_avx2;
    return with_build_registers;
}
#else
Kernel widest() { return with_build_registers; }
#endif

void run(Matrix<double> const& a, Matrix<double> const& b, double* out, double* negative) {
    static Kernel const kernel = widest();
    auto const size = [](Eigen::Index n) { return static_cast<std::size_t>(n); };
    kernel({.a = a.data(),
            .b = b.data(),
            .out = out,
            .inner = size(a.cols()),
            .columns = size(b.cols()),
            .negative = negative},
           size(a.rows()));
}

}  // namespace

void batch_product(Matrix<double> const& a, Matrix<double> const& b, Matrix<double>& out) {
    assert(a.cols() == b.rows() && out.rows() == a.rows() && out.cols() == b.cols());
    run(a, b, out.data(), nullptr);
}

void batch_product_parts(Matrix<double> const& a, Matrix<double> const& b, Matrix<double>& parts) {
    assert(a.cols() == b.rows() && parts.rows() == 2 * a.rows() && parts.cols() == b.cols());
    run(a, b, parts.data(), parts.data() + a.rows() * b.cols());
}

}  // namespace isserlis::mlp
