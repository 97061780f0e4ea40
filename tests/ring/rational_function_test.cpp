// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <string>
#include <vector>

#include "property.hpp"
#include "random_elements.hpp"

using isserlis::Exponent;
using isserlis::Integer;
using isserlis::known_sign;
using isserlis::parse_rational_function;
using isserlis::Polynomial;
using isserlis::power;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::sqrt;
using isserlis::Surd;
using isserlis::to_string;
using isserlis::testing::any_int;
using isserlis::testing::any_tree;
using isserlis::testing::holds;
using isserlis::testing::Leaves;
using isserlis::testing::Tree;

namespace {

using Values = std::map<std::string, Rational>;

RationalFunction symbol(char const* name) { return RationalFunction::symbol(name); }
std::map<std::string, RationalFunction> symbols() { return {{"m", symbol("m")}, {"n", symbol("n")}}; }

/// Squares make the roots of symbols whole now and then.
Rational any_positive_value() {
    Rational const x = isserlis::testing::positive_rational();
    return any_int(0, 1) == 0 ? x : Rational(x * x);
}

/// The tree over the formulas, or nothing when it divides by 0.
std::optional<RationalFunction> symbolic(Tree const& tree) {
    try {
        return isserlis::testing::evaluated<RationalFunction>(tree, symbols());
    } catch (isserlis::DomainError const&) {
        return std::nullopt;
    }
}

std::optional<Surd> direct(Tree const& tree, Values const& values) {
    std::map<std::string, Surd> numbers;
    for (auto const& [name, value] : values) numbers.emplace(name, Surd(value));
    try {
        return isserlis::testing::evaluated<Surd>(tree, numbers);
    } catch (isserlis::DomainError const&) {
        return std::nullopt;
    } catch (isserlis::UnsupportedError const&) {
        return std::nullopt;  // more than five independent roots in a denominator
    }
}

std::optional<Surd> value_of(RationalFunction const& f, Values const& values) {
    try {
        return f.evaluate(values);
    } catch (isserlis::DomainError const&) {
        return std::nullopt;
    } catch (isserlis::UnsupportedError const&) {
        return std::nullopt;
    }
}

void evaluation_is_a_homomorphism(Leaves leaves, int runs) {
    holds(
        [leaves] {
            Tree const tree = any_tree(any_int(1, 4), leaves);
            Values const values = {{"m", any_positive_value()}, {"n", any_positive_value()}};
            auto const f = symbolic(tree);
            auto const expected = direct(tree, values);
            // A formula that is 0/0 here may have a value once it is cancelled; the converse is an error.
            RC_PRE(f.has_value() && expected.has_value());
            RC_LOG() << to_string(tree) << " became " << to_string(*f);
            auto const actual = value_of(*f, values);
            RC_PRE(actual.has_value());
            RC_ASSERT(*actual == *expected);
        },
        runs);
}

void obeys_the_field_axioms(Leaves leaves, int runs) {
    holds(
        [leaves] {
            auto const a = symbolic(any_tree(2, leaves));
            auto const b = symbolic(any_tree(2, leaves));
            auto const c = symbolic(any_tree(1, leaves));
            RC_PRE(a && b && c);
            RC_LOG() << "a = " << to_string(*a) << ", b = " << to_string(*b) << ", c = " << to_string(*c);
            RC_ASSERT(*a + *b == *b + *a);
            RC_ASSERT(*a * *b == *b * *a);
            RC_ASSERT((*a + *b) + *c == *a + (*b + *c));
            RC_ASSERT((*a * *b) * *c == *a * (*b * *c));
            RC_ASSERT(*a * (*b + *c) == *a * *b + *a * *c);
            RC_ASSERT(*a + RationalFunction(0) == *a);
            RC_ASSERT(*a * RationalFunction(1) == *a);
            RC_ASSERT((*a - *a).is_zero());
            RC_ASSERT((*a + *b) - *b == *a);
            RC_ASSERT(*a - *b == -(*b - *a));
            if (!b->is_zero()) {
                RC_ASSERT((*a / *b) * *b == *a);
                RC_ASSERT((*a * *b) / *b == *a);
                RC_ASSERT((*a + *c) / *b == *a / *b + *c / *b);
            }
        },
        runs);
}

}  // namespace

TEST_SUITE("ring/rational_function") {
    TEST_CASE("rational functions of two symbols are a field") { obeys_the_field_axioms(Leaves::rational, 200); }
    TEST_CASE("with roots of symbols they still are") { obeys_the_field_axioms(Leaves::roots_of_symbols, 200); }
    TEST_CASE("with roots of numbers and of sums they still are") { obeys_the_field_axioms(Leaves::all_roots, 200); }

    TEST_CASE("evaluation is a homomorphism for rational functions") {
        evaluation_is_a_homomorphism(Leaves::rational, 200);
    }
    TEST_CASE("evaluation is a homomorphism with roots of symbols") {
        evaluation_is_a_homomorphism(Leaves::roots_of_symbols, 150);
    }
    TEST_CASE("evaluation is a homomorphism with roots of numbers and of sums") {
        evaluation_is_a_homomorphism(Leaves::all_roots, 150);
    }

    TEST_CASE("merged is one term of the same value") {
        holds(
            [] {
                auto const f = symbolic(any_tree(any_int(1, 4), Leaves::rational));
                RC_PRE(f.has_value());
                RationalFunction const one = f->merged();
                RC_ASSERT(one.terms().size() <= 1U);
                RC_ASSERT(one == *f);
                auto const [top, bottom] = one.as_fraction();
                RC_ASSERT(RationalFunction(top) / RationalFunction(bottom) == *f);
                RC_ASSERT(gcd(top, bottom) == Polynomial(1) || one.is_zero());
            },
            150);
    }

    // School algebra, by hand.
    TEST_CASE("equal functions are equal however they are written") {
        auto const n = symbol("n");
        auto const m = symbol("m");
        CHECK((n * n - 1) / (n - 1) == n + 1);
        CHECK(RationalFunction(1) / n - RationalFunction(1) / (n + 1) == RationalFunction(1) / (n * (n + 1)));
        CHECK(power(n + m, 3) == n * n * n + 3 * n * n * m + 3 * n * m * m + m * m * m);
        CHECK_FALSE(n == m);
        CHECK_FALSE(n + 5 == n + 4);
        CHECK((n - n).is_zero());
        CHECK(to_string(n - n) == "0");
        CHECK(sqrt(n) * sqrt(n) == n);
        CHECK(sqrt(n * n) == n);
        CHECK((n - 1) / (sqrt(n) + 1) == sqrt(n) - 1);
        CHECK(sqrt(RationalFunction(8)) == 2 * sqrt(RationalFunction(2)));
        CHECK(sqrt(RationalFunction(2)) * sqrt(RationalFunction(3)) == sqrt(RationalFunction(6)));
        CHECK(RationalFunction(1) / (sqrt(RationalFunction(2)) + 1) == sqrt(RationalFunction(2)) - 1);
        CHECK(sqrt(n / m) * sqrt(m / n) == RationalFunction(1));
    }

    TEST_CASE("roots of sums obey sqrt(x)^2 = x inside longer expressions too") {
        auto const n = symbol("n");
        auto const x = sqrt(n + 5);
        CHECK(x * x == n + 5);
        CHECK((1 + x) * (1 + x) == n + 6 + 2 * x);
        CHECK((1 + x) * (1 - x) == -n - 4);
        CHECK(1 / (1 + x) == (x - 1) / (n + 4));
    }

    // 1000003 and 1000033 are primes above the bound of trial division.
    TEST_CASE("a root is not negative where factors under it are") {
        auto const n = RationalFunction::symbol("n");
        auto const at = [](RationalFunction const& x, int value) { return x.evaluate({{"n", Rational(value)}}); };
        auto const lower = RationalFunction(2) * n - RationalFunction(3);
        auto const higher = n - RationalFunction(4);
        // sqrt((2n - 3)^2) is 1 at 1 and 5 at 4; over it 1/5.
        CHECK(at(sqrt(lower * lower), 1) == Surd(1));
        CHECK(at(sqrt(lower * lower), 4) == Surd(5));
        CHECK(at(RationalFunction(1) / sqrt(lower * lower * n), 1) == Surd(1));
        // sqrt((2n - 3)(n - 4)) is sqrt(3) at 1, where both are below 0; with the cubes sqrt(27).
        CHECK(at(sqrt(lower * higher), 1) == sqrt(Surd(3)));
        CHECK(at(sqrt(power(lower, 3) * power(higher, 3)), 1) == sqrt(Surd(27)));
        CHECK(at(sqrt(higher / power(lower, 3)), 1) == sqrt(Surd(3)));
        CHECK(at(sqrt(higher / power(lower, 3)), 8) == Surd(2) / sqrt(Surd(13 * 13 * 13)));
        // A fourth power needs no more than a square.
        CHECK(to_string(sqrt(power(lower, 4))) == to_string(lower * lower));
    }

    TEST_CASE("roots of numbers with large prime factors are compared exactly") {
        RationalFunction const p(Rational(1'000'003));
        RationalFunction const q(Rational(1'000'033));
        CHECK(sqrt(p * p) == p);
        CHECK(sqrt(p * q) == sqrt(p) * sqrt(q));
        CHECK(sqrt(p * p * q) == p * sqrt(q));
        CHECK(sqrt(p * p * q).evaluate({}) == (p * sqrt(q)).evaluate({}));
    }

    TEST_CASE("surds embed as a subfield") {
        holds([] {
            Surd const a = isserlis::testing::any_surd(2);
            Surd const b = isserlis::testing::any_surd(2);
            RC_ASSERT(RationalFunction(a) + RationalFunction(b) == RationalFunction(a + b));
            RC_ASSERT(RationalFunction(a) * RationalFunction(b) == RationalFunction(a * b));
            RC_ASSERT(RationalFunction(a).evaluate({}) == a);
            if (!b.is_zero()) RC_ASSERT(RationalFunction(a) / RationalFunction(b) == RationalFunction(a / b));
        });
    }

    // Laws of exponents, then numbers for the depths.
    TEST_CASE("symbolic exponents add, multiply and evaluate as powers do") {
        auto const n = symbol("n");
        Exponent const L = Exponent::symbol("L");
        CHECK(power(n, L) * power(n, L) == power(n, L + L));
        CHECK(power(n + 5, L) / power(n + 5, L - Exponent(1)) == n + 5);
        CHECK(power(RationalFunction(4), L) == power(RationalFunction(2), L + L));
        CHECK(power(n * (n + 2), L) == power(n, L) * power(n + 2, L));
        CHECK((power(n + 5, L) - power(n + 5, L)).is_zero());
        CHECK(power(n, L) * (power(n, L) + 1) == power(n, L + L) + power(n, L));
        CHECK(sqrt(power(n, L + L)) == power(n, L));
        auto const half = power(n, Exponent(ratio(1, 2)) * L);
        CHECK((half - 1) * (half + 1) == power(n, L) - 1);
        CHECK((half + 1) * (power(n, L) + 1) == power(n, L) * half + half + power(n, L) + 1);
        holds([&] {
            int const depth = any_int(1, 8);
            Rational const width = isserlis::testing::positive_rational();
            int const a = any_int(-3, 3);
            int const b = any_int(-3, 3);
            RationalFunction const base = symbol("n") + RationalFunction(any_int(1, 5));
            RationalFunction const f =
                power(base, Exponent(a) * Exponent::symbol("L") + Exponent(b)) + power(symbol("n"), L);
            Surd const value = f.evaluate({{"n", width}, {"L", Rational(depth)}});
            Rational const there = base.evaluate({{"n", width}}).to_rational();
            int const exponent = a * depth + b;
            Rational const size = power(there, static_cast<std::uint64_t>(std::abs(exponent)));
            Rational const expected = exponent < 0 ? Rational(1 / size) : size;
            RC_ASSERT(value == Surd(expected + power(width, static_cast<std::uint64_t>(depth))));
        });
    }

    TEST_CASE("half a symbolic exponent evaluates to a root") {
        auto const n = symbol("n");
        auto const f = power(n, Exponent(ratio(1, 2)) * Exponent::symbol("L"));
        CHECK(f.evaluate({{"n", Rational(3)}, {"L", Rational(5)}}) == Surd(9) * isserlis::sqrt(Rational(3)));
        CHECK(f.evaluate({{"n", Rational(3)}, {"L", Rational(-1)}}) == isserlis::sqrt(ratio(1, 3)));
        CHECK(f * f == power(n, Exponent::symbol("L")));
        CHECK_THROWS_AS((void)f.evaluate({{"n", Rational(3)}, {"L", ratio(1, 2)}}), isserlis::DomainError);
    }

    TEST_CASE("0^0 is 1, as the closed forms at width 1 and depth 0 need") {
        auto const n = symbol("n");
        auto const f = power((n - 1) / n, Exponent::symbol("L"));
        CHECK(f.evaluate({{"n", Rational(1)}, {"L", Rational(0)}}) == Surd(1));
        CHECK(f.evaluate({{"n", Rational(1)}, {"L", Rational(3)}}) == Surd(0));
        CHECK_THROWS_AS((void)f.evaluate({{"n", Rational(1)}, {"L", Rational(-1)}}), isserlis::DomainError);
        CHECK(power(RationalFunction(0), 0) == RationalFunction(1));
        CHECK(power(RationalFunction(0), 5).is_zero());
    }

    TEST_CASE("what has no value is refused") {
        auto const n = symbol("n");
        CHECK_THROWS_AS(n / (n - n), isserlis::DomainError);
        CHECK_THROWS_AS(RationalFunction(1) / RationalFunction(0), isserlis::DomainError);
        CHECK_THROWS_AS(sqrt(RationalFunction(-2)), isserlis::DomainError);
        CHECK_THROWS_AS(power(RationalFunction(0), Exponent::symbol("L")), isserlis::DomainError);
        CHECK_THROWS_AS(power(RationalFunction(0), Exponent(-1)), isserlis::DomainError);
        CHECK_THROWS_AS((void)(n + 1).evaluate({}), isserlis::DomainError);
        CHECK_THROWS_AS((void)(RationalFunction(1) / (n - 2)).evaluate({{"n", Rational(2)}}), isserlis::DomainError);
        try {
            (void)(n + symbol("width")).evaluate({{"n", Rational(2)}});
        } catch (isserlis::Error const& e) {
            CHECK(std::string(e.what()).find("width") != std::string::npos);
        }
    }

    TEST_CASE("a sum of products of fifty symbols stays factored and is not merged by force") {
        RationalFunction plus = 1;
        RationalFunction minus = 1;
        std::map<std::string, Rational> values;
        Rational expected_plus = 1;
        Rational expected_minus = 1;
        for (int i = 0; i < 50; ++i) {
            std::string const name = "n" + std::to_string(i);
            auto const n = RationalFunction::symbol(name);
            plus = plus * ((n + 2) / n);
            minus = minus * ((n - 1) / n);
            values[name] = i + 1;
            expected_plus *= ratio(i + 3, i + 1);
            expected_minus *= ratio(i, i + 1);
        }
        auto const phi = (RationalFunction(2) * plus + minus) / RationalFunction(3);
        CHECK(phi.terms().size() == 2);
        CHECK(phi.evaluate(values) == Surd((2 * expected_plus + expected_minus) / 3));
        CHECK(phi.symbols().size() == 50);
        CHECK_THROWS_AS((void)phi.merged(), isserlis::UnsupportedError);
    }

    // sum_(i<=60) (i + 1) n^i, times (n + 5)^2 (n - 3), expanded.
    TEST_CASE("of a long numerator in one symbol small roots are factors") {
        std::vector<int> coefficients;
        for (int i = 0; i <= 60; ++i) coefficients.push_back(i + 1);
        for (int const k : {5, 5, -3}) {
            coefficients.insert(coefficients.begin(), 0);
            for (std::size_t i = 0; i + 1 < coefficients.size(); ++i) coefficients[i] += k * coefficients[i + 1];
        }
        auto const n = symbol("n");
        RationalFunction expanded(0);
        for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) expanded = expanded * n + *c;
        CHECK(to_string(expanded.merged()).rfind("(n - 3)*(n + 5)^2*(61*n^60 + 60*n^59 + ", 0) == 0);
        CHECK(to_string((expanded / ((n + 5) * (n - 3))).merged()).rfind("(n + 5)*(61*n^60", 0) == 0);
        CHECK(expanded.evaluate({{"n", Rational(2)}}) == Surd(-49 * (60 * (power(Rational(2), 61)) + 1)));
    }

    // (n + 5)^11 (m + 7)^9 has 120 terms, more than are factored.
    TEST_CASE("a long numerator is taken apart where its symbols are separate") {
        auto const n = symbol("n");
        auto const m = symbol("m");
        auto const product = power(n + 5, std::uint64_t{11}) * power(m + 7, std::uint64_t{9});
        auto const expanded = product.merged().as_fraction().first;
        REQUIRE(expanded.length() == 120);
        CHECK(to_string(RationalFunction(Polynomial(3) * expanded)) == "3*(m + 7)^9*(n + 5)^11");
        // With one more it is no product any longer.
        CHECK(RationalFunction(Polynomial(3) * (expanded + Polynomial(1))).terms().at(0).factors.size() == 1);
    }

    // n^50 + 2^31 - 2 is n^50 - 1 modulo the prime 2^31 - 1, and never 0 over the integers.
    TEST_CASE("what is a root modulo a prime alone is none") {
        auto const n = symbol("n");
        RationalFunction sum(0);
        for (int i = 0; i < 45; ++i) sum = sum * n + (i * i % 7 + 1);
        auto const base = power(n, std::uint64_t{50}) + 2147483646;
        auto const factored = [](RationalFunction const& x) {
            return to_string(RationalFunction(x.merged().as_fraction().first));
        };
        CHECK(factored(2 * base * sum).rfind("2*(n^94 + 2*n^93 + 5*n^92 + ", 0) == 0);
        CHECK(factored(2 * base * sum * power(n - 1, std::uint64_t{3}))
                  .rfind("2*(n - 1)^3*(n^94 + 2*n^93 + 5*n^92 + ", 0) == 0);
    }

    TEST_CASE("shape questions are answered for the value") {
        auto const n = symbol("n");
        CHECK((n + 1 / sqrt(n)).is_laurent());
        CHECK(((n + 5) / n).is_laurent());
        CHECK_FALSE((n / (n + 5)).is_laurent());
        CHECK_FALSE(power(n, Exponent::symbol("L")).is_laurent());
        CHECK(RationalFunction(Surd(2)).is_numeric());
        CHECK_FALSE(n.is_numeric());
        CHECK((n - n).is_numeric());
        CHECK(power(n, Exponent::symbol("L")).symbols() == std::vector<std::string>{"L", "n"});
    }

    TEST_CASE("numerator and denominator are polynomials in lowest terms") {
        auto const n = symbol("n");
        auto const [top, bottom] = ((n * n - 1) / (2 * n * (n + 1))).as_fraction();
        CHECK(top == Polynomial::variable("n") - 1);
        CHECK(bottom == Polynomial(2) * Polynomial::variable("n"));
        CHECK_THROWS_AS((void)sqrt(n).as_fraction(), isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)sqrt(RationalFunction(2)).as_fraction(), isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)power(n, Exponent::symbol("L")).as_fraction(), isserlis::UnsupportedError);
        auto const [zero, one] = RationalFunction(0).as_fraction();
        CHECK(zero.is_zero());
        CHECK(one == Polynomial(1));
    }

    TEST_CASE("exponents and formulas convert into one another") {
        auto const L = symbol("L");
        CHECK(as_exponent((3 * L - 2) / 4) == Exponent(ratio(3, 4)) * Exponent::symbol("L") - Exponent(ratio(1, 2)));
        CHECK(as_exponent(RationalFunction(0)) == Exponent(0));
        CHECK(RationalFunction(Exponent(ratio(3, 4)) * Exponent::symbol("L") - Exponent(2)) == 3 * L / 4 - 2);
        CHECK_THROWS_AS((void)as_exponent(L * L), isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)as_exponent(L * symbol("K")), isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)as_exponent(1 / L), isserlis::UnsupportedError);
    }

    // The example in the header, and expressions where brackets and signs go wrong easily.
    TEST_CASE("signs are known where all terms have them, or powers of numbers grow in every symbol") {
        auto const sign_of = [](char const* text) { return known_sign(parse_rational_function(text, "sign")); };
        CHECK(sign_of("n + 2^L") == 1);
        CHECK(sign_of("-3*n") == -1);
        for (char const* above : {"6^L - 1", "2*3^L*2^M - 2", "3^L - 2^(-L)"}) CHECK(sign_of(above) == 1);
        for (char const* below : {"1 - 6^L", "2^(-L) - 1", "2^(-L) - 3^L"}) CHECK(sign_of(below) == -1);
        for (char const* open : {"6^L - 2", "3^L - 2^L", "2^L - n", "2^L*3^(-L) - 1/2", "2^L - 2^M", "n - 1"})
            CHECK(!sign_of(open));
    }

    TEST_CASE("printing is stable and bracketed") {
        auto const n = symbol("n");
        auto const m = symbol("m");
        auto const L = Exponent::symbol("L");
        CHECK(to_string(power(n + 5, L - Exponent(1)) * symbol("n0") / (4 * power(n, L))) ==
              "n0*(n + 5)^(L - 1)/(4*n^L)");
        CHECK(to_string(n / (m * (n + 1))) == "n/(m*(n + 1))");
        CHECK(to_string(1 / sqrt(n)) == "1/sqrt(n)");
        CHECK(to_string(RationalFunction(ratio(-3, 4))) == "-3/4");
        CHECK(to_string((n + m) * (n + m)) == to_string(power(m + n, 2)));
    }
}
