// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/ring/matrix_chain.hpp>

#include "property.hpp"
#include "random_elements.hpp"

using isserlis::after;
using isserlis::chain_state;
using isserlis::chain_step;
using isserlis::ChainStep;
using isserlis::Matrix;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::Surd;
using isserlis::testing::any_int;
using isserlis::testing::holds;

namespace {

using Matrix3 = Matrix<Rational, 3>;
using Vector3 = std::array<Rational, 3>;

Matrix3 any_matrix() {
    Matrix3 out;
    for (auto& row : out.rows) {
        for (auto& x : row) x = any_int(0, 2) == 0 ? Rational(0) : ratio(any_int(-3, 3), any_int(1, 2));
    }
    return out;
}

/// Row by row, every product written out.
Vector3 walked(Matrix3 const& m, Vector3 const& v) {
    Vector3 out;
    for (std::size_t i = 0; i < 3; ++i) out[i] = m.rows[i][0] * v[0] + m.rows[i][1] * v[1] + m.rows[i][2] * v[2];
    return out;
}

template <class R>
Matrix<R, 3> over(Matrix3 const& m) {
    Matrix<R, 3> out;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) out[i][j] = R(m.rows[i][j]);
    }
    return out;
}

}  // namespace

TEST_SUITE("ring/matrix_chain") {
    TEST_CASE("the tree, the powers and the walk give the same numbers over every ring") {
        holds([] {
            std::vector<ChainStep<Rational, 3>> steps;
            std::vector<ChainStep<Surd, 3>> surd_steps;
            Vector3 v{any_int(-9, 9), ratio(any_int(-9, 9), 7), any_int(-9, 9)};
            auto const start = chain_state(v);
            auto const surd_start = chain_state(std::array<Surd, 3>{v[0], v[1], v[2]});
            int const size = any_int(0, 20);
            for (int i = 0; i < size; ++i) {
                auto const count = static_cast<std::uint64_t>(any_int(0, 7) == 0 ? any_int(1, 9) : 1);
                Matrix3 const m = any_matrix();
                steps.push_back(chain_step(m, count));
                surd_steps.push_back(chain_step(over<Surd>(m), count));
                for (std::uint64_t k = 0; k < count; ++k) v = walked(m, v);
            }
            auto const end = after(steps, start);
            auto const surd_end = after(surd_steps, surd_start);
            auto one_by_one = start;
            for (auto const& step : steps) one_by_one = after(step, one_by_one);
            for (std::size_t i = 0; i < 3; ++i) {
                CHECK(end.value(i) == v[i]);
                CHECK(one_by_one.value(i) == v[i]);
                CHECK(surd_end.value(i) == Surd(v[i]));
            }
        });
    }

    // (2 4; 0 6)/3 times (3 0; 0 3)/2 is (1 2; 0 3): nothing is left to divide by.
    TEST_CASE("two steps in one are in lowest terms") {
        Matrix<Rational, 2> x;
        x[0] = {ratio(2, 3), ratio(4, 3)};
        x[1] = {0, 2};
        Matrix<Rational, 2> y;
        y[0] = {ratio(3, 2), 0};
        y[1] = {0, ratio(3, 2)};
        auto const both = chain_step(x) * chain_step(y);
        CHECK(both.denominator == 1);
        CHECK(both.matrix[0] == std::array<isserlis::Integer, 2>{1, 2});
        CHECK(both.matrix[1] == std::array<isserlis::Integer, 2>{0, 3});
    }

    // By hand: (1 1; 0 1)/2 is 2^-k (1 k; 0 1) to the power k.
    TEST_CASE("a million equal steps are a power") {
        Matrix<Rational, 2> m;
        m[0] = {ratio(1, 2), ratio(1, 2)};
        m[1] = {0, ratio(1, 2)};
        auto const end = after(chain_step(m, 1'000'000), chain_state(std::array<Rational, 2>{0, 1}));
        CHECK(end.value(0) / end.value(1) == 1'000'000);
    }
}
