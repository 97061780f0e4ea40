// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <isserlis/error.hpp>
#include <isserlis/formula/chi_mean.hpp>
#include <isserlis/ring/decimal.hpp>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"

using isserlis::chi_mean;
using isserlis::Integer;
using isserlis::Interval;
using isserlis::power;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::testing::any_int;

namespace {

bool overlap(Interval const& a, Interval const& b) {
    return mpfr_lessequal_p(a.lower(), b.upper()) != 0 && mpfr_lessequal_p(b.lower(), a.upper()) != 0;
}
std::string digits(Integer const& d, int count) {
    return isserlis::decimal([&](unsigned bits) { return chi_mean(d, bits); }, count);
}

}  // namespace

TEST_SUITE("formula/chi_mean") {
    // sqrt 2 Gamma((d+1)/2)/Gamma(d/2) by hand with Gamma(1/2) = sqrt pi: multiples of sqrt(2/pi) for odd d, of
    // sqrt(pi/2) for even d.
    TEST_CASE("d = 1 .. 8 are rational multiples of sqrt(2/pi) and sqrt(pi/2)") {
        unsigned const bits = 200;
        Interval const odd = sqrt(Interval(2L, bits) / isserlis::pi(bits));
        Interval const even = sqrt(isserlis::pi(bits) / Interval(2L, bits));
        std::array<Rational, 8> const factors = {Rational(1), Rational(1),  Rational(2),  ratio(3, 2),
                                                 ratio(8, 3), ratio(15, 8), ratio(16, 5), ratio(35, 16)};
        for (int d = 1; d <= 8; ++d) {
            INFO("d = ", d);
            auto const& factor = factors[static_cast<std::size_t>(d - 1)];
            CHECK(overlap(chi_mean(d, bits), Interval(factor, bits) * (d % 2 == 1 ? odd : even)));
        }
    }

    // sqrt(2/pi) and sqrt(pi/2), OEIS A076668 and A069998.
    TEST_CASE("the mean of |xi| and of the Rayleigh law have their published digits") {
        CHECK(digits(1, 30) == "0.797884560802865355879892119869");
        CHECK(digits(2, 30) == "1.25331413731550025120788264241");
    }

    // Gamma((d+2)/2) = (d/2) Gamma(d/2), hence E chi_d E chi_(d+1) = d.
    TEST_CASE("neighbours multiply to d, at every size") {
        isserlis::testing::holds([] {
            Integer const d =
                any_int(0, 1) == 0 ? Integer(any_int(1, 2000)) : isserlis::testing::integer_of_digits(any_int(1, 30));
            RC_ASSERT(overlap(chi_mean(d, 100) * chi_mean(d + 1, 100), Interval(d, 100)));
        });
    }

    // Jensen: d - 1 < (E chi_d)^2 < d; and sqrt(d - 1/2) (1 + O(1/d^2)).
    TEST_CASE("its square lies between d - 1 and d, close to d - 1/2") {
        for (int const d : {1, 2, 3, 4, 5, 50, 1000, 1'000'000}) {
            double const mean = mpfr_get_d(chi_mean(d, 64).lower(), MPFR_RNDN);
            CHECK(mean * mean > d - 1);
            CHECK(mean * mean < d);
            if (d >= 50) CHECK(mean == doctest::Approx(std::sqrt(d - 0.5)).epsilon(0.2 / (static_cast<double>(d) * d)));
        }
    }

    TEST_CASE("enclosures are as tight as asked, for huge d too") {
        for (Integer const& d : {Integer(1), Integer(3), Integer(4), Integer(1000), power(Integer(10), 60)}) {
            Interval const at = chi_mean(d, 128);
            Interval const relative = (at - at) / at;  // twice the relative width
            CHECK(mpfr_get_d(relative.upper(), MPFR_RNDU) < std::ldexp(1.0, -120));
        }
        CHECK(digits(power(Integer(10), 40), 25) == "100000000000000000000.0000");
    }

    TEST_CASE("no normals have no length: d < 1 is a DomainError that names d") {
        CHECK_THROWS_AS(chi_mean(0, 64), isserlis::DomainError);
        CHECK_THROWS_AS(chi_mean(-3, 64), isserlis::DomainError);
        CHECK_THROWS_WITH_AS(chi_mean(-3, 64), doctest::Contains("-3"), isserlis::DomainError);
    }
}
