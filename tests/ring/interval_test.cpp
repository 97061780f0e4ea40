// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/ring/interval.hpp>

#include <algorithm>
#include <vector>

#include "ends.hpp"
#include "property.hpp"
#include "random_elements.hpp"

using isserlis::Integer;
using isserlis::Interval;
using isserlis::parse_rational;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::Surd;
using isserlis::testing::any_int;
using isserlis::testing::contains;
using isserlis::testing::exact;
using isserlis::testing::holds;

namespace {

bool overlap(Interval const& a, Interval const& b) {
    return exact(a.lower()) <= exact(b.upper()) && exact(b.lower()) <= exact(a.upper());
}
Rational width(Interval const& at) { return exact(at.upper()) - exact(at.lower()); }

/// True when `digits`, cut off after its last digit, is within one unit of that digit of the enclosure.
bool agrees(Interval const& at, std::string const& digits) {
    Rational const value = parse_rational(digits, "digits");
    Rational const unit = ratio(1, isserlis::power(Integer(10), digits.size() - digits.find('.') - 1));
    return exact(at.lower()) < value + unit && value - unit < exact(at.upper());
}

}  // namespace

TEST_SUITE("ring/interval") {
    // Exact rational arithmetic is the oracle; 20 bits make every step round.
    TEST_CASE("arithmetic encloses the exact value at a precision that always rounds") {
        holds([] {
            Rational const a = ratio(any_int(-1'000'000'000, 1'000'000'000), any_int(1, 999'999'937));
            Rational const b = ratio(any_int(-1'000'000'000, 1'000'000'000), any_int(1, 999'999'937));
            Interval const x(a, 20);
            Interval const y(b, 20);
            RC_ASSERT(contains(x, a));
            RC_ASSERT(contains(x + y, a + b));
            RC_ASSERT(contains(x - y, a - b));
            RC_ASSERT(contains(x * y, a * b));
            RC_ASSERT(contains(x * x - y * y, a * a - b * b));
            if (!y.contains_zero()) RC_ASSERT(contains(x / y, a / b));
            // Intervals with a sign change: (x - x) holds 0 and is not a point.
            Interval const zero = x - x;
            RC_ASSERT(contains(zero * y, Rational(0)));
            RC_ASSERT(zero.contains_zero());
        });
    }

    // By definition: the extremes over the four pairs of ends, for all signs.
    TEST_CASE("products are as narrow as their ends allow") {
        holds([] {
            auto const any_interval = [] {
                return widened(Interval(static_cast<long>(any_int(-9, 9)), 30),
                               Interval(static_cast<long>(any_int(0, 9)), 30));
            };
            Interval const x = any_interval();
            Interval const y = any_interval();
            Interval sum(static_cast<long>(any_int(-9, 9)), 30);
            std::vector<Rational> products;
            for (auto const* a : {x.lower(), x.upper()})
                for (auto const* b : {y.lower(), y.upper()}) products.push_back(exact(a) * exact(b));
            auto const [least, largest] = std::minmax_element(products.begin(), products.end());
            RC_ASSERT(exact((x * y).lower()) == *least);
            RC_ASSERT(exact((x * y).upper()) == *largest);
            Rational const before = exact(sum.lower());
            add_product(sum, x, y);
            RC_ASSERT(exact(sum.lower()) == before + *least);
            RC_ASSERT(exact(sum.upper()) == before + *largest);
        });
    }

    TEST_CASE("a wide interval that straddles 0 multiplies to both extremes") {
        // [-1/3, 2/3] has no exact end points; times itself it reaches from -2/9 to 4/9.
        Interval const third(ratio(1, 3), 30);
        Interval const x = (third - third) + Interval(ratio(-1, 3), 30);
        Interval const wide = Interval(ratio(1, 3), 2) - Interval(ratio(1, 5), 2);  // two bits only: ends far apart
        CHECK(contains(wide, ratio(2, 15)));
        CHECK(contains(wide * x, ratio(-2, 45)));
        CHECK(width(wide) > ratio(1, 100));
    }

    // [-1, 3], [-5, -3] and [1, 3]
    TEST_CASE("what of an interval is not negative") {
        auto const is_part = [](long middle, long radius, long lower, long upper) {
            Interval const part = positive_part(widened(Interval(middle, 40), Interval(radius, 40)));
            return exact(part.lower()) == lower && exact(part.upper()) == upper;
        };
        CHECK(is_part(1, 2, 0, 3));
        CHECK(is_part(-4, 1, 0, 0));
        CHECK(is_part(2, 1, 1, 3));
    }

    TEST_CASE("roots enclose: lower^2 <= x <= upper^2") {
        holds([] {
            Rational const a = ratio(any_int(0, 1'000'000'000), any_int(1, 1'000'000));
            Interval const root = sqrt(Interval(a, 40));
            Rational const low = exact(root.lower());
            Rational const high = exact(root.upper());
            RC_ASSERT(low * low <= a);
            RC_ASSERT(a <= high * high);
        });
    }

    TEST_CASE("exp and log undo one another inside the enclosure") {
        holds([] {
            Rational const a = ratio(any_int(1, 1'000'000), any_int(1, 1'000));
            Interval const x(a, 60);
            RC_ASSERT(contains(exp(log(x)), a));
            Interval const small(ratio(any_int(-1000, 1000), 37), 60);
            RC_ASSERT(overlap(log(exp(small)), small));
        });
    }

    // OEIS A000796, A001620, A002162, to 50 decimals.
    TEST_CASE("pi, Euler's constant and log 2 have their published digits") {
        std::string const pi_digits = "3.14159265358979323846264338327950288419716939937510";
        std::string const euler_digits = "0.57721566490153286060651209008240243104215933593992";
        std::string const log_two_digits = "0.69314718055994530941723212145817656807550013436025";
        CHECK(agrees(isserlis::pi(300), pi_digits));
        CHECK(agrees(Interval(0L, 300) - digamma(Interval(1L, 300)), euler_digits));
        CHECK(agrees(log(Interval(2L, 300)), log_two_digits));
        CHECK(width(isserlis::pi(300)) < ratio(1, isserlis::power(Integer(2), 295)));
        CHECK(width(isserlis::pi(300)) > Rational(0));
    }

    // psi(x + 1) = psi(x) + 1/x and psi(1/2) = -euler - 2 log 2 (Abramowitz and Stegun, 6.3.3, 6.3.5).
    TEST_CASE("digamma obeys its recurrence and Gauss's value at 1/2") {
        holds([] {
            Rational const a = ratio(any_int(1, 5000), any_int(1, 60));
            Interval const step = digamma(Interval(a + 1, 100)) - digamma(Interval(a, 100));
            RC_ASSERT(contains(step, 1 / a));
        });
        Interval const gauss = digamma(Interval(ratio(1, 2), 200)) - digamma(Interval(1L, 200)) +
                               Interval(2L, 200) * log(Interval(2L, 200));
        CHECK(gauss.contains_zero());
        CHECK(width(gauss) < ratio(1, isserlis::power(Integer(2), 190)));
    }

    TEST_CASE("log_gamma at n encloses log (n-1)!") {
        Rational factorial = 1;
        for (int n = 2; n <= 60; ++n) {
            INFO("n = ", n);
            CHECK(overlap(log_gamma(Interval(static_cast<long>(n), 90)), log(Interval(factorial, 90))));
            factorial *= n;
        }
        // Gamma(5/2) = 3 sqrt(pi)/4.
        CHECK(overlap(exp(log_gamma(Interval(ratio(5, 2), 90))), Interval(ratio(3, 4), 90) * sqrt(isserlis::pi(90))));
    }

    TEST_CASE("arguments outside a function's domain are DomainErrors") {
        Interval const straddling = Interval(ratio(1, 3), 8) - Interval(ratio(1, 3), 8);
        CHECK_THROWS_AS(Interval(1L, 8) / Interval(0L, 8), isserlis::DomainError);
        CHECK_THROWS_AS(Interval(1L, 8) / straddling, isserlis::DomainError);
        CHECK_THROWS_AS(sqrt(Interval(-1L, 8)), isserlis::DomainError);
        CHECK_THROWS_AS(sqrt(straddling), isserlis::DomainError);
        CHECK_THROWS_AS(log(Interval(0L, 8)), isserlis::DomainError);
        CHECK_THROWS_AS(log(Interval(-2L, 8)), isserlis::DomainError);
        CHECK_THROWS_AS(digamma(Interval(0L, 8)), isserlis::DomainError);
        CHECK_THROWS_AS(log_gamma(Interval(ratio(199, 100), 50)), isserlis::DomainError);
        CHECK(sqrt(Interval(0L, 8)).contains_zero());
    }

    // Oracle: two integers around the root, by squaring.
    TEST_CASE("surds are enclosed, sums with cancellation included") {
        holds([] {
            Surd const x = isserlis::testing::any_surd(4);
            Interval const coarse = enclose(x, 24);
            Interval const fine = enclose(x, 400);
            RC_ASSERT(exact(coarse.lower()) <= exact(fine.lower()));
            RC_ASSERT(exact(fine.upper()) <= exact(coarse.upper()));
            if (x.is_rational()) RC_ASSERT(contains(coarse, x.to_rational()));
        });
        // 99 - 70 sqrt 2 = 1/(99 + 70 sqrt 2), about 0.005050633883.
        CHECK(agrees(enclose(Surd(99) - Surd(70) * isserlis::sqrt(Rational(2)), 100), "0.005050633883"));
    }

    TEST_CASE("copies and moves keep value and precision") {
        Interval const a(ratio(1, 3), 77);
        Interval b = a;
        CHECK(b.bits() == 77);
        CHECK(exact(b.lower()) == exact(a.lower()));
        Interval const c = std::move(b);
        CHECK(exact(c.upper()) == exact(a.upper()));
        Interval d(1L, 10);
        d = c;
        CHECK(d.bits() == 77);
        CHECK(exact(d.lower()) == exact(a.lower()));
    }
}
