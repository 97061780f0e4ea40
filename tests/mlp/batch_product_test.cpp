// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <isserlis/mlp/batch_product.hpp>
#include <limits>
#include <string>
#include <vector>

#include "random_network.hpp"

namespace {

using isserlis::mlp::batch_product;
using isserlis::mlp::batch_product_parts;
using isserlis::mlp::Matrix;
using isserlis::mlp::product_kernels;
using isserlis::mlp::ProductShape;

/// Row times column in the order of the terms, each fused with the sum.
template <class T>
Matrix<T> by_definition(Matrix<T> const& a, Matrix<T> const& b) {
    Matrix<T> out = Matrix<T>::Zero(a.rows(), b.cols());
    for (Eigen::Index i = 0; i < a.rows(); ++i)
        for (Eigen::Index k = 0; k < b.cols(); ++k)
            for (Eigen::Index j = 0; j < a.cols(); ++j) out(i, k) = std::fma(a(i, j), b(j, k), out(i, k));
    return out;
}

template <class T>
ProductShape shape_of(Matrix<T> const& a, Matrix<T> const& b) {
    return {.rows = static_cast<std::size_t>(a.rows()),
            .inner = static_cast<std::size_t>(a.cols()),
            .columns = static_cast<std::size_t>(b.cols())};
}

template <class T>
void check_kernels(Matrix<T> const& a, Matrix<T> const& b) {
    ProductShape const shape = shape_of(a, b);
    Matrix<T> const start = Matrix<T>::Constant(a.rows(), b.cols(), T(0.1));
    Matrix<T> const expected = start + by_definition<T>(a, b);
    for (std::size_t kernel = 0; kernel < product_kernels().size(); ++kernel) {
        // A guard behind the last entry: tiles that are cut must not write past it.
        std::vector<T> out(start.data(), start.data() + start.size());
        out.push_back(T(-7));
        add_batch_product(kernel, shape, a.data(), b.data(), out.data());
        CAPTURE(product_kernels()[kernel]);
        REQUIRE(std::equal(out.begin(), out.end() - 1, expected.data()));
        REQUIRE(out.back() == T(-7));
    }
}

}  // namespace

TEST_SUITE("mlp/batch_product") {
    // Every split of rows and columns into tiles and what is left over.
    TEST_CASE("the bits are those of the definition, whatever the instruction set") {
        std::mt19937_64 random(9);
        for (Eigen::Index rows = 1; rows <= 11; ++rows)
            for (Eigen::Index const inner : {1, 2, 7})
                for (Eigen::Index columns = 1; columns <= 75; ++columns) {
                    auto const a = random_network::matrix(random, rows, inner);
                    auto const b = random_network::matrix(random, inner, columns);
                    auto const expected = by_definition(a, b);
                    Matrix<double> out(rows, columns);
                    batch_product(a, b, out);
                    REQUIRE(out == expected);
                    Matrix<double> parts(2 * rows, columns);
                    batch_product_parts(shape_of(a, b), a.data(), b.data(), parts.data());
                    REQUIRE(parts.topRows(rows) == expected.cwiseMax(0.0));
                    REQUIRE(parts.bottomRows(rows) == expected.cwiseMin(0.0));
                }
    }

    TEST_CASE("every kernel that the processor can run gives the same bits, in double and in float") {
        REQUIRE_FALSE(product_kernels().empty());
        CHECK(std::string(product_kernels().back()) == "portable");
        std::mt19937_64 random(10);
        for (Eigen::Index const rows : {1, 4, 5, 9, 11})
            for (Eigen::Index const inner : {1, 3, 20})
                for (Eigen::Index columns = 1; columns <= 70; ++columns) {
                    auto const a = random_network::matrix(random, rows, inner);
                    auto const b = random_network::matrix(random, inner, columns);
                    check_kernels<double>(a, b);
                    check_kernels<float>(a.cast<float>(), b.cast<float>());
                }
    }

    // 1 + e and 1 - e with e = 2^-30: their product is 1 - e^2, which a rounded product loses.
    TEST_CASE("product and sum are rounded once") {
        double const e = 0x1p-30;
        Matrix<double> const a = (Matrix<double>(1, 2) << -1, 1 + e).finished();
        Matrix<double> const b = (Matrix<double>(2, 1) << 1, 1 - e).finished();
        Matrix<double> out(1, 1);
        batch_product(a, b, out);
        CHECK(out(0, 0) == -e * e);
    }

    TEST_CASE("what is not a number stays visible in both parts") {
        for (Eigen::Index const columns : {1, 8, 33}) {
            Matrix<double> const a = Matrix<double>::Constant(1, 2, std::numeric_limits<double>::infinity());
            Matrix<double> b = Matrix<double>::Ones(2, columns);
            b.row(1) *= -1;
            Matrix<double> parts(2, columns);
            batch_product_parts(shape_of(a, b), a.data(), b.data(), parts.data());
            CHECK(parts.array().isNaN().all());
        }
    }
}
