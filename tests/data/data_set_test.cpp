// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/data/built_in.hpp>
#include <isserlis/data/csv.hpp>
#include <isserlis/data/standardise.hpp>
#include <isserlis/data/targets.hpp>
#include <isserlis/error.hpp>
#include <numbers>

#include "../ring/property.hpp"

namespace {

using isserlis::checkerboard_data;
using isserlis::cosine_data;
using isserlis::DataSet;
using isserlis::LossKind;
using isserlis::parse_data_csv;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::require_targets;
using isserlis::standardised;
using isserlis::Surd;
using Row = std::vector<Rational>;

void check_refused(DataSet const& data, LossKind loss, char const* message) {
    CHECK_THROWS_WITH_AS(require_targets(data, loss), message, isserlis::DomainError);
}

}  // namespace

TEST_SUITE("data/data_set") {
    // By hand: x = (1, -2, 1) and (-3, 1/2, 1).
    TEST_CASE("inner products, of all and of rectified features") {
        auto const data = parse_data_csv("x1,x2,y1\n1,-2,0\n-3,0.5,0\n", "d.csv");
        CHECK(gram(data) == std::vector<Row>{{6, -3}, {-3, ratio(41, 4)}});
        CHECK(rectified_gram(data) == std::vector<Row>{{6, 1}, {1, ratio(41, 4)}});
    }

    // By hand: 1, 2, 6 has mean 3, deviations -2, -1, 3, mean square 14/3.
    TEST_CASE("standardised features have mean 0 and mean square c^2, exactly") {
        auto const data = standardised(parse_data_csv("x1,y1\n1,4\n2,5\n6,6\n", "d.csv"), ratio(-1, 2));
        auto const x = exact_inputs(data);
        CHECK(x[0][0] == Surd(-2) * isserlis::sqrt(ratio(3, 56)));
        CHECK(x[2][0] == Surd(3) * isserlis::sqrt(ratio(3, 56)));
        CHECK(x[1][1] == Surd(ratio(-1, 2)));
        CHECK(input_doubles(data)[0][0] == doctest::Approx(-2 / std::sqrt(56.0 / 3)).epsilon(1e-15));
        CHECK(exact_targets(data)[2][0] == Surd(6));
        // |x|^2 sums to s d_0 c^2.
        auto const k = gram(data);
        CHECK(k[0][0] + k[1][1] + k[2][2] == ratio(3 * 2, 4));
    }

    TEST_CASE("standardising is idempotent, and blind to shifts and scales of features") {
        isserlis::testing::holds([](std::vector<int> const& raw) {
            auto const numbers =
                std::vector<int>(raw.begin(), raw.begin() + std::min<long>(8, static_cast<long>(raw.size())));
            std::string plain = "x1,x2,y1\n";
            std::string moved = plain;
            for (std::size_t k = 0; k < numbers.size(); ++k) {
                std::string const a = std::to_string(numbers[k] % 1000);
                std::string const second = "," + std::to_string(k * k) + ",0\n";
                plain += a + second;
                moved += isserlis::to_string(Rational(ratio(7, 3) * (numbers[k] % 1000) + ratio(1, 5))) + second;
            }
            bool const varies =
                std::any_of(numbers.begin(), numbers.end(), [&](int a) { return a % 1000 != numbers.front() % 1000; });
            if (!varies) return true;
            auto const once = standardised(parse_data_csv(plain, "p"), 3);
            auto const k = gram(once);
            Rational trace = 0;
            for (std::size_t i = 0; i < k.size(); ++i) trace += k[i][i];
            return trace == Rational(27) * static_cast<int>(numbers.size()) && gram(standardised(once, 3)) == k &&
                   gram(standardised(parse_data_csv(moved, "m"), 3)) == k;
        });
    }

    TEST_CASE("what cannot be standardised is named") {
        auto const refuse = [](char const* text, Rational const& c, char const* message) {
            CHECK_THROWS_WITH_AS(static_cast<void>(standardised(parse_data_csv(text, "d.csv"), c)), message,
                                 isserlis::DomainError);
        };
        refuse(
            "y1,x1,x2\n1,1,5\n2,2,5\n", 1,
            "data 'd.csv', column 3: x2 is the same in all samples, so it has no scale to standardise; leave it out (a "
            "constant feature is appended anyway)");
        refuse("x1,y1\n1,1\n", 1, "data 'd.csv', line 2: the only sample; standardising needs at least 2");
        refuse("x1,y1\n1,1\n2,1\n", 0, "standardised: c = 0; a standardised data set needs another constant");
    }

    // [Hettinger 2019, section 4.5]: x = sqrt(3)/pi (angle - pi), the constant 1; y = cos(angle).
    TEST_CASE("the cosine") {
        auto const data = cosine_data();
        REQUIRE(data.samples() == 16);
        CHECK(data.input_width() == 2);
        auto const x = input_doubles(data);
        auto const y = target_doubles(data);
        double squares = 0;
        for (std::size_t k = 0; k < 16; ++k) {
            double const angle = 2 * std::numbers::pi * (static_cast<double>(k) + 0.5) / 16;
            CHECK(x[k][0] ==
                  doctest::Approx(std::sqrt(3.0) / std::numbers::pi * (angle - std::numbers::pi)).epsilon(1e-14));
            CHECK(x[k][1] == 1);
            CHECK(y[k][0] == doctest::Approx(std::cos(angle)).epsilon(1e-14));
            squares += y[k][0] * y[k][0];
        }
        CHECK(squares == doctest::Approx(8).epsilon(1e-14));
        CHECK(gram(data)[0][0] == ratio(3 * 225, 256) + 1);
        CHECK_FALSE(data.has_exact_targets());
        CHECK_THROWS_WITH_AS(exact_targets(data),
                             "data 'cos' has the target cos(pi/16), which is no sum of square roots known here",
                             isserlis::UnsupportedError);
        // Six points: 30, 90, .. degrees.
        auto const six = cosine_data(6, 2);
        REQUIRE(six.has_exact_targets());
        CHECK(exact_targets(six)[0][0] == isserlis::sqrt(ratio(3, 4)));
        CHECK(exact_targets(six)[1][0] == Surd(0));
        CHECK(six.inputs[0] == Row{ratio(-5, 3), 2});
    }

    // [Hettinger 2019, section 4.5]: unit squares of [-2, 2]^2, inputs divided by the root of 4/3.
    TEST_CASE("the checkerboard") {
        auto const data = checkerboard_data();
        REQUIRE(data.samples() == 64);
        CHECK(data.input_width() == 3);
        auto const x = input_doubles(data);
        auto const y = target_doubles(data);
        double ones = 0;
        for (std::size_t k = 0; k < 64; ++k) {
            double const a = x[k][0] * std::sqrt(4.0 / 3);
            double const b = x[k][1] * std::sqrt(4.0 / 3);
            CHECK(std::abs(a) <= 1.75 + 1e-12);
            long const cell = std::lround(std::floor(a) + std::floor(b));
            CHECK(y[k][0] == (cell % 2 == 0 ? 0 : 1));
            ones += y[k][0];
        }
        CHECK(ones == 32);
        CHECK_NOTHROW(require_targets(data, LossKind::binary_cross_entropy));
        CHECK(checkerboard_data(3).samples() == 9);
        CHECK_THROWS_AS(static_cast<void>(checkerboard_data(0)), isserlis::DomainError);
        CHECK_THROWS_AS(static_cast<void>(checkerboard_data(5000)), isserlis::UnsupportedError);
        CHECK_THROWS_AS(static_cast<void>(cosine_data(4, 0)), isserlis::DomainError);
    }

    TEST_CASE("targets are what the loss takes") {
        auto const data = parse_data_csv("x1,y1,y2\n1,0,1\n2,1,0\n3,1,1\n", "d.csv");
        CHECK_NOTHROW(require_targets(data, LossKind::squared));
        CHECK_NOTHROW(require_targets(data, LossKind::binary_cross_entropy));
        check_refused(data, LossKind::cross_entropy,
                      "data 'd.csv', line 4, column 3 (y2): a second target of the sample is 1; cross-entropy needs "
                      "one-hot: one entry 1, the others 0");
        check_refused(parse_data_csv("x1,y1,y2\n1,0,0\n", "d.csv"), LossKind::cross_entropy,
                      "data 'd.csv', line 2, column 3 (y2): no target of the sample is 1; cross-entropy needs one-hot: "
                      "one entry 1, the others 0");
        check_refused(
            parse_data_csv("x1,y1\n1,0.5\n", "d.csv"), LossKind::binary_cross_entropy,
            "data 'd.csv', line 2, column 2 (y1): the target is 1/2; binary-cross-entropy needs entries 0 or 1");
        check_refused(parse_data_csv("x1,g1\n1,0.5\n", "d.csv"), LossKind::squared,
                      "data 'd.csv' has no targets (columns y1, y2, ..); squared needs a number in each entry");
        check_refused(cosine_data(), LossKind::binary_cross_entropy,
                      "data 'cos', sample 1, y1: the target is cos(pi/16); binary-cross-entropy needs entries 0 or 1");
    }
}
