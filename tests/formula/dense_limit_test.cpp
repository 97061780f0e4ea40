// SPDX-License-Identifier: MIT
// Against the exact recursion at a finite depth: what is left is of order 1/L.
#include <doctest/doctest.h>

#include <isserlis/formula/dense_jacobian.hpp>
#include <isserlis/formula/dense_limit.hpp>
#include <isserlis/ring/decimal.hpp>

#include <cmath>
#include <tuple>
#include <vector>

#include "middle.hpp"

using isserlis::test::middle;
using namespace isserlis;

namespace {

struct Ratios {
    double output;
    double jacobian;
    double last;
};

Ratios at_depth(int width, Rational const& alpha, std::size_t depth, std::size_t k) {
    std::vector<TransferLayer<Rational>> layers;
    for (std::size_t l = 1; l <= depth; ++l)
        layers.push_back({.fan_in = width,
                          .fan_out = width,
                          .variance = alpha * ratio(2, width * static_cast<int>(l)),
                          .kurtosis = 3,
                          .gate = {}});
    DenseJacobian<Fractions<Rational>> const net(layers, 0, 1, 1);
    auto const of = [](NormMoments<Rational> const& m) {
        return std::strtod(decimal(Rational(m.second / (m.mean * m.mean)), 17).c_str(), nullptr);
    };
    return {.output = of(net.output()), .jacobian = of(net.at(k, 0).jacobian), .last = of(net.at(depth, 0).jacobian)};
}

}  // namespace

TEST_SUITE("formula/dense_limit") {
    TEST_CASE("the recursion comes as near as 1/L") {
        constexpr std::size_t depth = 400;
        std::vector<std::tuple<int, std::size_t, Rational>> cases;
        for (int const n : {1, 2, 3, 4, 10, 100})
            for (std::size_t const k : {1U, 2U, 5U}) cases.emplace_back(n, k, 1);
        for (Rational const& alpha : {ratio(1, 10), ratio(1, 2), ratio(3, 2), Rational(2), Rational(3)})
            for (int const n : {4, 10}) cases.emplace_back(n, 2U, alpha);  // wide, for what is left is alpha^4/(n L)^2
        for (auto const& [n, k, alpha] : cases) {
            CAPTURE(n);
            CAPTURE(k);
            CAPTURE(to_string(alpha));
            auto const near = at_depth(n, alpha, depth, k);
            auto const half = at_depth(n, alpha, depth / 2, k);
            Surd const a = alpha;
            // Extrapolated in 1/L: what is left is of order 1/L^2.
            auto const far = [](double whole, double halfway) { return 2 * whole - halfway; };
            CHECK(middle(dense_output_limit(n, a, 80)) == doctest::Approx(far(near.output, half.output)).epsilon(2e-3));
            CHECK(middle(dense_jacobian_limit(n, a, k, 80)) ==
                  doctest::Approx(far(near.jacobian, half.jacobian)).epsilon(2e-3));
            CHECK(middle(dense_last_jacobian_limit(n, a, 80)) ==
                  doctest::Approx(far(near.last, half.last)).epsilon(2e-3));
        }
    }

    // residual.md, section 6: n = 4 has 4.763 at L = 1000; sinh(pi sqrt(5)/2)/(pi sqrt(5)/2) by hand.
    TEST_CASE("width 4") {
        double const turn = std::acos(-1.0) * std::sqrt(5.0) / 2;
        CHECK(middle(dense_output_limit(4, 1, 80)) == doctest::Approx(std::sinh(turn) / turn).epsilon(1e-11));
        CHECK(middle(dense_output_limit(4, 1, 80)) == doctest::Approx(4.763).epsilon(2e-3));
    }

    // As n grows E X^2/(E X)^2 goes to 1: n (limit - 1) to 5 zeta(2) for the output.
    TEST_CASE("a wide network does not fluctuate") {
        double const wide = 1e9;
        CHECK((middle(dense_output_limit(1'000'000'000, 1, 120)) - 1) * wide ==
              doctest::Approx(5 * std::pow(std::acos(-1.0), 2) / 6).epsilon(1e-2));
    }
}
