// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/data/csv.hpp>
#include <isserlis/data/signed_parts.hpp>

using namespace isserlis;

TEST_SUITE("data/signed_parts") {
    TEST_CASE("by hand: positive parts first, negative ones with their sign after them") {
        std::vector<std::vector<Rational>> const rows{{2, -3, 0}, {-1, 5, 4}};
        CHECK(signed_parts(rows) == std::vector<std::vector<Rational>>{{2, 0, 0, 0, -3, 0}, {0, 5, 4, -1, 0, 0}});
    }

    // Two features of one sign meet, features of unlike signs do not.
    TEST_CASE("inner products are the rectified ones of the data, scales of features included") {
        DataSet data = parse_data_csv("x1,x2,y1\n2,-3,1\n-1,-5,0\n0.5,7,2\n", "points");
        data.squared_scales = {Rational(3), Rational(1) / Rational(2), Rational(1)};
        CHECK(gram(signed_parts(data)) == rectified_gram(data));
        CHECK(signed_parts(data).input_width() == 6);
        CHECK(signed_parts(data).output_width() == 1);
    }
}
