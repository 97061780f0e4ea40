// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/ring/surd.hpp>

#include "property.hpp"
#include "random_elements.hpp"
#include "survives.hpp"

using isserlis::Integer;
using isserlis::power;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::sign;
using isserlis::sqrt;
using isserlis::Surd;
using isserlis::to_string;
using isserlis::testing::any_int;
using isserlis::testing::any_rational;
using isserlis::testing::any_surd;
using isserlis::testing::holds;

namespace {

Integer big(char const* digits) { return isserlis::parse_integer(digits, "digits"); }

Surd root(Integer const& n) { return Surd::monomial(Rational(1), n); }

double approximate(Surd const& x) {
    double sum = 0;
    for (auto const& t : x.terms())
        sum += t.coefficient.convert_to<double>() * std::sqrt(t.radicand.convert_to<double>());
    return sum;
}

}  // namespace

TEST_SUITE("ring/surd") {
    // School algebra, by hand.
    TEST_CASE("square factors come out of the root") {
        CHECK(to_string(sqrt(Rational(12))) == "2*sqrt(3)");
        CHECK(to_string(sqrt(ratio(1, 2))) == "sqrt(2)/2");
        CHECK(to_string(sqrt(ratio(8, 27))) == "2*sqrt(6)/9");
        CHECK(sqrt(Rational(49)) == Surd(7));
        CHECK(Surd::monomial(Rational(1), 0).is_zero());
        CHECK(sqrt(ratio(9, 4)).to_rational() == ratio(3, 2));
        CHECK(to_string(sqrt(Rational(Integer(999983) * 999983 * 2))) == "999983*sqrt(2)");
        CHECK(to_string(root(big("18446744073709551557"))) == "sqrt(18446744073709551557)");  // largest 64-bit prime
    }

    // [Hettinger 2019, Table 4.1] in the form of vector S-3x10.
    TEST_CASE("printing puts the larger radicands first and the rational part last") {
        Surd const s = Surd::monomial(ratio(216, 125), 10) + Surd::monomial(ratio(432, 125), 5) + Surd(ratio(864, 25));
        CHECK(to_string(s) == "216*sqrt(10)/125 + 432*sqrt(5)/125 + 864/25");
        CHECK(to_string(-s) == "-216*sqrt(10)/125 - 432*sqrt(5)/125 - 864/25");
        CHECK(to_string(Surd(0)) == "0");
        CHECK(to_string(-root(2)) == "-sqrt(2)");
    }

    TEST_CASE("addition, multiplication and division are those of a field") {
        holds([] {
            Surd const a = any_surd();
            Surd const b = any_surd();
            Surd const c = any_surd();
            RC_ASSERT(a + b == b + a);
            RC_ASSERT(a * b == b * a);
            RC_ASSERT((a + b) + c == a + (b + c));
            RC_ASSERT((a * b) * c == a * (b * c));
            RC_ASSERT(a * (b + c) == a * b + a * c);
            RC_ASSERT((a - a).is_zero());
            RC_ASSERT(a - b == a + (-b));
            RC_ASSERT(a * Surd(1) == a);
            RC_ASSERT((a * Surd(0)).is_zero());
        });
    }

    // The product is the definition of a quotient.
    TEST_CASE("a quotient times its divisor is the dividend again, for up to four roots") {
        holds([] {
            Surd const a = any_surd(4);
            Surd const b = any_surd(4);
            RC_PRE(!b.is_zero());
            RC_ASSERT((a / b) * b == a);
        });
    }

    // (1 + sqrt 2 + sqrt 3)(..): by hand 1/(1 + sqrt 2) = sqrt 2 - 1 and 1/(sqrt 3 - sqrt 2) = sqrt 3 + sqrt 2.
    TEST_CASE("denominators are rationalised") {
        CHECK(Surd(1) / (Surd(1) + root(2)) == root(2) - Surd(1));
        CHECK(Surd(1) / (root(3) - root(2)) == root(3) + root(2));
        CHECK(Surd(1) / root(2) == Surd::monomial(ratio(1, 2), 2));
        Surd const mixed = root(6) + root(10) + root(15) + Surd(1);  // three independent roots, none of them alone
        CHECK((Surd(1) / mixed) * mixed == Surd(1));
        Surd five = 1;
        for (int const p : {2, 3, 5, 7}) five = five + root(p);
        CHECK((five / five) == Surd(1));
    }

    TEST_CASE("division by zero and past five independent roots are refused by name") {
        CHECK_THROWS_AS(root(2) / Surd(0), isserlis::DomainError);
        CHECK_THROWS_AS(root(2) / (root(8) - Surd(2) * root(2)), isserlis::DomainError);
        Surd many = 1;
        for (int const p : {2, 3, 5, 7, 11, 13, 17, 19}) many = many + root(p);
        CHECK_THROWS_AS(Surd(1) / many, isserlis::UnsupportedError);
        CHECK_THROWS_AS(sqrt(Rational(-1)), isserlis::DomainError);
        CHECK_THROWS_AS(Surd::monomial(Rational(1), Integer(-4)), isserlis::DomainError);
        CHECK_THROWS_AS(sqrt(Surd(1) + root(2)), isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)(Surd(1) + root(2)).to_rational(), isserlis::UnsupportedError);
        CHECK(to_string(sqrt(Surd(ratio(1, 3)))) == "sqrt(3)/3");
    }

    // Besicovitch: roots of different square-free numbers are linearly independent over the rationals.
    TEST_CASE("roots of different square-free numbers never cancel") {
        Surd sum;
        int square_free = 0;
        for (int n = 1; n <= 200; ++n) {
            bool const has_square = [&] {
                for (int k = 2; k * k <= n; ++k) {
                    if (n % (k * k) == 0) return true;
                }
                return false;
            }();
            if (has_square) continue;
            ++square_free;
            sum = sum + Surd::monomial(n % 2 == 0 ? Rational(1) : Rational(-1), n);
        }
        CHECK(sum.terms().size() == static_cast<std::size_t>(square_free));
        CHECK_FALSE(sum.is_zero());
        CHECK((sum - sum).is_zero());
    }

    // Products and square parts of large primes, known by construction.
    TEST_CASE("radicands too large to be factored are still compared exactly") {
        Integer const p = big("1000000000000000003");  // primes of 19 digits and more
        Integer const q = big("1000000000000000009");
        CHECK(root(p * q) == root(p) * root(q));
        CHECK(root(p * p * q) == Surd(p) * root(q));
        CHECK((root(p * p * q) - Surd(p) * root(q)).is_zero());
        CHECK(root(p * p) == Surd(p));
        CHECK(root(p * p * q * q * 6) == Surd(Integer(p * q)) * root(6));
        CHECK_FALSE(root(p * q) == root(p) * root(p));
    }

    // A square of a prime above 1000 that stays hidden until small factors or a common factor are taken out.
    TEST_CASE("a hidden square comes to light whichever way the number was made") {
        Integer const hidden = Integer(1009) * 1009 * 1013 * 1019;  // below 2^64, with a square
        CHECK(root(power(Integer(2), 40) * hidden) == Surd(Integer(1048576) * 1009) * root(Integer(1013) * 1019));
        Integer const prime = big("1000000000039");
        // sqrt(p^3 a) sqrt(p) = p^2 sqrt(a) with p^3 a above 2^64 and p^2 a below.
        CHECK(root(Integer(1009) * 1009 * 1009 * prime) * root(1009) == Surd(1009 * 1009) * root(prime));
    }

    TEST_CASE("the sign of a hidden zero is found in finite time") {
        Integer const hidden = Integer(1009) * 1009 * 1013 * 1019;
        Surd const zero =
            root(power(Integer(2), 40) * hidden) - Surd(Integer(1048576) * 1009) * root(Integer(1013) * 1019);
        CHECK(isserlis::testing::survives([&] { return sign(zero) == 0; }, 2));
    }

    TEST_CASE("radicands are free of squares below 2^64, by every route") {
        holds(
            [] {
                // Primes on both sides of every trial bound, to small powers.
                static constexpr std::array<unsigned long, 6> primes = {2, 997, 1009, 1013, 65537, 1000003};
                Integer radicand = 1;
                Surd by_parts = 1;
                int const factors = any_int(1, 8);
                for (int i = 0; i < factors; ++i) {
                    Integer const p = primes[static_cast<std::size_t>(any_int(0, 5))];
                    radicand *= p;
                    by_parts = by_parts * root(p);
                }
                RC_ASSERT(root(radicand) == by_parts);
                RC_ASSERT(root(radicand) * root(radicand) == Surd(radicand));
                RC_ASSERT(by_parts * by_parts == Surd(radicand));
            },
            300);
    }

    // Pell: convergents p/q of sqrt 2 have p^2 - 2 q^2 = +1 and -1 in turn, so p - q sqrt 2 has that sign at size
    // 1/(2p).
    TEST_CASE("signs of differences near zero are certified") {
        Integer p = 1;
        Integer q = 1;
        int expected = -1;
        for (int i = 0; i < 400; ++i) {
            if (i % 25 == 0) {
                CHECK(sign(Surd(p) - Surd(q) * root(2)) == expected);
                CHECK(sign(Surd(q) * root(2) - Surd(p)) == -expected);
            }
            Integer const next = p + 2 * q;
            q = p + q;
            p = next;
            expected = -expected;
        }
        CHECK(sign(Surd(0)) == 0);
        // Concavity of the root: sqrt(n+1) + sqrt(n-1) < 2 sqrt(n), by about n^(-3/2)/4.
        Integer const n = power(Integer(10), 60);
        CHECK(sign(root(n + 1) + root(n - 1) - Surd(2) * root(n)) == -1);
    }

    TEST_CASE("the sign agrees with floating point where that is safe") {
        holds([] {
            Surd const x = any_surd();
            double const value = approximate(x);
            if (std::abs(value) > 1e-9) RC_ASSERT(sign(x) == (value > 0 ? 1 : -1));
            if (x.is_zero()) RC_ASSERT(sign(x) == 0);
        });
    }

    TEST_CASE("powers equal repeated products") {
        holds([] {
            Surd const base = any_surd(2);
            int const exponent = any_int(0, 6);
            Surd product = 1;
            for (int i = 0; i < exponent; ++i) product = product * base;
            RC_ASSERT(power(base, static_cast<std::uint64_t>(exponent)) == product);
        });
        CHECK(power(root(2), 201) == Surd(power(Integer(2), 100)) * root(2));
    }

    TEST_CASE("the square root of a rational squares back to it") {
        holds([] {
            Rational const x = ratio(any_int(0, 2'000'000'000), any_int(1, 2'000'000'000));
            RC_ASSERT(sqrt(x) * sqrt(x) == Surd(x));
        });
    }

    // Of 202 bits, of 65 and of 64.
    TEST_CASE("squares leave large radicands") {
        auto const is_split = [](Integer const& outside, Integer const& inside) {
            Surd const found = sqrt(Rational(outside * outside * inside));
            return found.terms().front().radicand == inside && found.terms().front().coefficient == Rational(outside);
        };
        CHECK(is_split(power(Integer(2), 100), 3));
        CHECK(is_split(power(Integer(3), 20), 3));
        CHECK(is_split(1'000'003, 10'000'019));
    }

    // 2^61 - 1 is prime, and so is 1009.
    TEST_CASE("a square that a large radicand hides comes to light beside a small one") {
        Rational const prime = Rational(power(Integer(2), 61) - 1);
        Surd const small = sqrt(Rational(1009));
        Surd const large = sqrt(Rational(1009 * prime * prime));
        CHECK((small * Surd(prime) - large).is_zero());
        CHECK((large - small * Surd(prime)).is_zero());
        CHECK((small * large).to_rational() == 1009 * prime);
        CHECK((large * small).to_rational() == 1009 * prime);
    }

    TEST_CASE("0, whole numbers and others") {
        Surd const mixed = Surd(1) + root(2);
        CHECK(Surd::monomial(Rational(1), 0).is_zero());
        CHECK(Surd().is_integer());
        CHECK(Surd(3).is_integer());
        CHECK_FALSE(Surd(ratio(1, 2)).is_integer());
        CHECK_FALSE(root(2).is_integer());
        CHECK_FALSE(mixed.is_integer());
        CHECK(Surd() == 0);
        CHECK(Surd(1) == 1);
        CHECK_FALSE(Surd() == 1);
        CHECK_FALSE(Surd(1) == 0);
        CHECK_FALSE(Surd(3) == 4);
        CHECK_FALSE(mixed == 1);
    }
}
