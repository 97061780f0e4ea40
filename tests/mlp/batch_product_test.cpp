// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/mlp/batch_product.hpp>
#include <limits>

#include "random_network.hpp"

namespace {

using isserlis::mlp::batch_product;
using isserlis::mlp::batch_product_parts;
using isserlis::mlp::Matrix;

/// Row times column in the order of the terms, product and sum rounded apart.
Matrix<double> by_definition(Matrix<double> const& a, Matrix<double> const& b) {
    Matrix<double> out = Matrix<double>::Zero(a.rows(), b.cols());
    for (Eigen::Index i = 0; i < a.rows(); ++i)
        for (Eigen::Index k = 0; k < b.cols(); ++k)
            for (Eigen::Index j = 0; j < a.cols(); ++j) {
                double volatile const term = a(i, j) * b(j, k);  // volatile: no fused multiply-add
                out(i, k) += term;
            }
    return out;
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
                    batch_product_parts(a, b, parts);
                    REQUIRE(parts.topRows(rows) == expected.cwiseMax(0.0));
                    REQUIRE(parts.bottomRows(rows) == expected.cwiseMin(0.0));
                }
    }

    TEST_CASE("what is not a number stays visible in both parts") {
        for (Eigen::Index const columns : {1, 8, 33}) {
            Matrix<double> const a = Matrix<double>::Constant(1, 2, std::numeric_limits<double>::infinity());
            Matrix<double> b = Matrix<double>::Ones(2, columns);
            b.row(1) *= -1;
            Matrix<double> parts(2, columns);
            batch_product_parts(a, b, parts);
            CHECK(parts.array().isNaN().all());
        }
    }
}
