// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/ring/common_scale.hpp>

using isserlis::Integer;
using isserlis::QuadraticInteger;
using isserlis::ratio;
using isserlis::scaled_element;
using isserlis::Surd;

namespace {

isserlis::CommonScale reciprocals(std::vector<Surd> const& values) {
    return isserlis::reciprocals_over_common_scale({values.begin(), values.end()});
}

}  // namespace

TEST_SUITE("ring/common_scale") {
    TEST_CASE("rational values leave integers over one scale") {
        auto const set = reciprocals({Surd(ratio(2, 3)), Surd(ratio(1, 5)), Surd(ratio(6, 7))});
        // 3/2, 5, 7/6 = (9, 30, 7)/6
        CHECK(set.whole == std::vector<Integer>{9, 30, 7});
        CHECK(set.scale == Surd(ratio(1, 6)));
        CHECK(set.radicands.empty());
    }

    TEST_CASE("multiples of one root are integers too") {
        auto const set = reciprocals({sqrt(Surd(2)), Surd(3) * sqrt(Surd(2))});
        REQUIRE(set.whole.size() == 2);
        CHECK(set.whole[0] == 3 * set.whole[1]);
        CHECK(set.scale * Surd(set.whole[1]) == sqrt(Surd(2)) / Surd(6));
    }

    TEST_CASE("numbers of one quadratic field have whole coefficients") {
        std::vector<Surd> const values{Surd(1) + sqrt(Surd(5)), Surd(2), sqrt(Surd(5)) / Surd(3)};
        auto const set = reciprocals(values);
        REQUIRE(set.whole.empty());
        CHECK(set.radicands == std::set<Integer>{1, 5});
        for (std::size_t l = 0; l < values.size(); ++l) {
            CHECK(set.scale * scaled_element<Surd>(set, l) * values[l] == Surd(1));
            auto const whole = scaled_element<QuadraticInteger>(set, l);
            CHECK(as_surd(whole) == set.integral[l]);
            CHECK(as_surd(whole * whole) == set.integral[l] * set.integral[l]);
        }
    }

    TEST_CASE("0 is refused") { CHECK_THROWS_AS((void)reciprocals({Surd(0)}), isserlis::DomainError); }
}
