// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "graphs.hpp"
#include "oracle.hpp"

// Eight strands: variances of squared Hessian norms and high moments of the neural tangent kernel, by brute force.

namespace {

using namespace graphs;
using oracle::Model;
using oracle::WeightPolynomial;

/// Sum over pairs of weights of the square of the second derivative.
WeightPolynomial squared_second_derivatives(Model const& m, WeightPolynomial const& p) {
    WeightPolynomial out;
    for (auto const& a : m.weights()) {
        auto const first = d(p, a);
        for (auto const& b : m.weights()) {
            auto const second = d(first, b);
            out += second * second;
        }
    }
    return m.with_idempotent_gates(out);
}

}  // namespace

TEST_SUITE("strand/moments_of_degree_eight") {
    TEST_CASE("the second moment of the squared Hessian norm is as brute force finds it") {
        for (auto const& [widths, x] : {std::pair(std::vector<Rational>{2, 3, 1}, std::vector<int>{1, 2}),
                                        std::pair(std::vector<Rational>{2, 2, 2, 1}, std::vector<int>{1, 1})}) {
            auto const net = vanilla<Rational>(widths);
            Model const m(net, {x}, ratio(3, 2), 5);
            auto setting = at_input({Rational(x[0]), Rational(x[1])});
            setting.target_second = ratio(3, 2);
            setting.target_fourth = 5;
            auto const squared_norm = squared_second_derivatives(m, m.twice_loss());  // four times the loss's
            CHECK(engine("(D[m,n] loss)^2", net, setting) == m.mean(squared_norm) / 4);
            CHECK(engine("((D[m,n] loss)^2)^2", net, setting) == m.mean(squared_norm, squared_norm) / 16);
        }
    }

    TEST_CASE("moments of the neural tangent kernel up to the fourth are as brute force finds them") {
        for (auto const& [widths, x] : {std::pair(std::vector<Rational>{2, 2, 1}, std::vector<int>{1, 2}),
                                        std::pair(std::vector<Rational>{2, 3, 1}, std::vector<int>{1, 1}),
                                        std::pair(std::vector<Rational>{1, 2, 2, 1}, std::vector<int>{1}),
                                        std::pair(std::vector<Rational>{1, 2, 2}, std::vector<int>{2})}) {
            for (Rational const& slope : {Rational(0), Rational(1)}) {
                auto const net = vanilla<Rational>(widths, {.slope = slope});
                Model const m(net, {x});
                auto const k = m.with_idempotent_gates(oracle::trace_of_kernel(m));
                auto const k2 = m.with_idempotent_gates(k * k);
                auto const setting = at_input({x.begin(), x.end()});
                CHECK(engine("(z[i;m]^2)^2", net, setting) == m.mean(k2));
                CHECK(engine("(z[i;m]^2)^3", net, setting) == m.mean(k2, k));
                CHECK(engine("(z[i;m]^2)^4", net, setting) == m.mean(k2, k2));
            }
        }
    }
}
