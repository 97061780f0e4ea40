// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/formula/unit_moments.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/parse.hpp>
#include <string>
#include <vector>

#include "all_units.hpp"
#include "double_units.hpp"
#include "normal_sums.hpp"

using isserlis::test::all_units;
using isserlis::testing::is_near;
using isserlis::testing::normal_sum;
using isserlis::testing::unit_slope;
using isserlis::testing::unit_value;
using namespace isserlis;

TEST_SUITE("formula/unit_moments") {
    namespace {

    std::string digits(SmoothUnit unit, Rational const& q, Interval UnitMoments::*member, int count) {
        return decimal([&](unsigned bits) { return unit_moments(unit, q, bits).*member; }, count);
    }

    bool contains(Interval const& x, Interval const& y) {
        return mpfr_lessequal_p(x.lower(), y.lower()) != 0 && mpfr_lessequal_p(y.upper(), x.upper()) != 0;
    }

    }  // namespace

    // By mpmath 1.2 at 40 digits: quad over [-30, -10, -5, -2, 0, 2, 5, 10, 30].
    TEST_CASE("twenty digits of another program") {
        struct Known {
            SmoothUnit unit;
            Rational q;
            char const* mean;
            char const* second;
            char const* derivative;
        };
        Rational const quarter = ratio(Integer(1), Integer(4));
        std::vector<Known> const known = {
            {SmoothUnit::tanh, 1, "", "0.39429449039784117442", "0.46440290244826824197"},
            {SmoothUnit::sigmoid, 1, "0.50000000000000000000", "0.29337903585809296274", "0.044836241350194371793"},
            {SmoothUnit::softplus, 1, "0.80605918334743978453", "0.92124590885930027868", "0.29337903585809296274"},
            {SmoothUnit::silu, 1, "0.20662096414190703726", "0.35577551981735215623", "0.37948235163282930900"},
            {SmoothUnit::gelu, 1, "0.28209479177387814347", "0.42522148257029867492", "0.45585086564928712211"},
            {SmoothUnit::erf, 1, "", "0.46455905439753997851", "0.56941003473374164678"},
            {SmoothUnit::sin, 1, "", "0.43233235838169365405", "0.56766764161830634595"},
            {SmoothUnit::cos, 1, "0.60653065971263342360", "0.56766764161830634595", "0.43233235838169365405"},
            {SmoothUnit::elu, 1, "0.16052057226655604962", "0.64494541749292386306", "0.66810200122317060643"},
            {SmoothUnit::tanh, 2, "", "0.51997574566394862353", "0.34950829774660281379"},
            {SmoothUnit::gelu, 2, "0.46065886596178063902", "0.92208287211001720485", "0.48951193779169568476"},
            {SmoothUnit::elu, 2, "0.27798137162565978915", "1.2001142619994458675", "0.62769783815525287193"},
            {SmoothUnit::silu, quarter, "0.059011105609969915609", "0.072249124209865927531", "0.30030798508506591363"},
            {SmoothUnit::softplus, quarter, "0.72349280106597597139", "0.58768463006715813956",
             "0.26395557756012033756"},
            {SmoothUnit::erf, quarter, "", "0.21634689593878545966", "0.90031631615710606956"},
        };
        for (auto const& k : known) {
            CAPTURE(static_cast<int>(k.unit));
            CAPTURE(to_string(k.q));
            if (k.mean[0] != 0) CHECK(digits(k.unit, k.q, &UnitMoments::mean, 20) == k.mean);
            CHECK(digits(k.unit, k.q, &UnitMoments::second, 20) == k.second);
            CHECK(digits(k.unit, k.q, &UnitMoments::derivative_second, 20) == k.derivative);
        }
    }

    TEST_CASE("all units, by sums over the line") {
        for (auto const unit : all_units) {
            CAPTURE(static_cast<int>(unit));
            CHECK(is_odd(unit) == (unit_value(unit, -0.5) == -unit_value(unit, 0.5)));
            for (int const tenth : {1, 12, 60}) {
                CAPTURE(tenth);
                auto const means = unit_moments(unit, ratio(Integer(tenth), Integer(10)), 30);
                double const q = tenth / 10.0;
                auto const mean = [&](auto const& f) { return normal_sum(f, q); };
                CHECK(is_near(means.mean, mean([&](double z) { return unit_value(unit, z); }), 1e-11));
                CHECK(is_near(means.second, mean([&](double z) { return std::pow(unit_value(unit, z), 2); }), 1e-11));
                CHECK(is_near(means.derivative_second, mean([&](double z) { return std::pow(unit_slope(unit, z), 2); }),
                              1e-11));
            }
        }
    }

    // E z Phi(z) = q/sqrt(2 pi (1 + q)) by parts; sigma of softplus' derivative is the sigmoid.
    TEST_CASE("what is known in closed form") {
        for (int const n : {1, 3, 20}) {
            Rational const q = ratio(Integer(n), Integer(7));
            unsigned const bits = 200;
            Interval const mean = unit_moments(SmoothUnit::gelu, q, bits).mean;
            Interval const expected =
                Interval(q, bits) / sqrt(Interval(2L, bits) * pi(bits) * Interval(Rational(1 + q), bits));
            CHECK((mean - expected).contains_zero());
            CHECK((unit_moments(SmoothUnit::softplus, q, bits).derivative_second -
                   unit_moments(SmoothUnit::sigmoid, q, bits).second)
                      .contains_zero());
            CHECK((unit_moments(SmoothUnit::sigmoid, q, bits).mean - Interval(ratio(Integer(1), Integer(2)), bits))
                      .contains_zero());
        }
    }

    // [Klambauer 2017, eq. (14)]
    TEST_CASE("(0, 1) is SELU's fixed point") {
        auto const at_one = unit_moments(SmoothUnit::selu, 1, 300);
        CHECK(at_one.mean.contains_zero());
        CHECK((at_one.second - Interval(1L, 300)).contains_zero());
        // Its constants 1.0507009873554805 and 1.6732632423543772: E sigma'(z)^2 = lambda^2 (1/2 + alpha^2 e^2 Phi(-2)),
        // by mpmath.
        CHECK(digits(SmoothUnit::selu, 1, &UnitMoments::derivative_second, 12) == "1.07157499246");
    }

    TEST_CASE("enclosures of twice the precision lie within, from tiny variances to large ones") {
        for (auto const unit : all_units) {
            for (auto const& q : {parse_surd("1/1000000", "q"), parse_surd("1/3", "q"), parse_surd("50", "q")}) {
                auto const wide = unit_moments(unit, q.to_rational(), 60);
                auto const narrow = unit_moments(unit, q.to_rational(), 120);
                CHECK(contains(wide.mean, narrow.mean));
                CHECK(contains(wide.second, narrow.second));
                CHECK(contains(wide.derivative_second, narrow.derivative_second));
            }
        }
    }

    TEST_CASE("variances out of reach are refused") {
        for (Rational const& q : {Rational(0), Rational(-1), Rational(10001), ratio(Integer(1), Integer(1000001))})
            CHECK_THROWS_AS((void)unit_moments(SmoothUnit::tanh, q, 60), DomainError);
    }
}
