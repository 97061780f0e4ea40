// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/mlp/matrix_vector.hpp>
#include <random>
#include <vector>

TEST_SUITE("mlp/matrix_vector") {
    TEST_CASE("products of whole numbers are exact in every shape") {
        std::mt19937_64 random(3);
        std::uniform_int_distribution<int> number(-9, 9);
        for (std::size_t const rows : {1U, 2U, 3U, 4U, 5U, 8U, 17U, 33U}) {
            for (std::size_t const cols : {1U, 2U, 7U, 15U, 16U, 17U, 31U, 32U, 50U}) {
                std::vector<double> a(rows * cols);
                std::vector<double> x(cols);
                std::vector<double> y(rows);
                for (auto* const numbers : {&a, &x, &y})
                    for (double& n : *numbers) n = number(random);
                std::vector<double> forth(rows, 77);
                std::vector<double> back(cols, 77);
                isserlis::mlp::multiply_vector(rows, cols, a.data(), x.data(), forth.data());
                isserlis::mlp::multiply_vector_transposed(rows, cols, a.data(), y.data(), back.data());
                for (std::size_t i = 0; i < rows; ++i) {
                    double sum = 0;
                    for (std::size_t j = 0; j < cols; ++j) sum += a[i * cols + j] * x[j];
                    CHECK(forth[i] == sum);
                }
                for (std::size_t j = 0; j < cols; ++j) {
                    double sum = 0;
                    for (std::size_t i = 0; i < rows; ++i) sum += a[i * cols + j] * y[i];
                    CHECK(back[j] == sum);
                }
            }
        }
    }
}
