// SPDX-License-Identifier: MIT
#include "formula/gated_pair.hpp"

#include <doctest/doctest.h>

#include <isserlis/error.hpp>

#include "normal_sums.hpp"
#include "pair_layer_sums.hpp"
#include "tenths_pair.hpp"

using isserlis::testing::check_layer;
using isserlis::testing::check_matrix;
using isserlis::testing::check_triple;
using isserlis::testing::is_near;
using isserlis::testing::layer_sums;
using isserlis::testing::tenths_pair;
using namespace isserlis;

TEST_SUITE("formula/gated_pair") {
    namespace {

    constexpr unsigned gated_bits = 100;

    GatedPair gated(int slope, int uu, int uv, int vv) {
        return {Interval(ratio(Integer(slope), Integer(10)), gated_bits), tenths_pair(uu, uv, vv), gated_bits};
    }

    }  // namespace

    TEST_CASE("a leaky unit at a pair, by sums over the plane") {
        for (int const slope : {3, 0, -6})
            for (int const uv : {4, -7}) {
                CAPTURE(slope);
                CAPTURE(uv);
                auto const value = [slope](double z) { return z > 0 ? z : slope / 10.0 * z; };
                auto const first = [slope](double z) { return z > 0 ? 1 : slope / 10.0; };
                auto const pair = gated(slope, 9, uv, 14);
                auto const sums = layer_sums(value, first, 0.9, uv / 10.0, 1.4);
                check_layer(pair.layer(), sums);
                check_matrix(pair.spreads(), sums.spreads);
                check_triple(pair.slopes(), sums.slopes[1]);
                CHECK(is_near(pair.square_factor(), (1 + slope * slope / 100.0) / 2, 1e-15));
            }
    }

    TEST_CASE("inputs that cannot be told apart are refused") {
        CHECK_THROWS_AS((void)gated(3, 4, 6, 9), DomainError);
        CHECK_THROWS_AS((void)gated(3, 10, 20, 40), DomainError);
        CHECK_THROWS_AS((void)gated(3, 4, 7, 9), DomainError);
        CHECK_NOTHROW((void)gated(3, 5, 6, 9));
    }
}
