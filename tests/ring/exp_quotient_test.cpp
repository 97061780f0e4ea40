// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/ring/exp_quotient.hpp>

#include <string>
#include <vector>

namespace {

using namespace isserlis;
using F = RationalFunction;

F sym(char const* name) { return F::symbol(name); }

/// coefficient * base^(times L + shift)
ExpPolynomial power_of(F const& base, int times, int shift, F const& coefficient) {
    ExpPolynomial out;
    out.add(
        {.powers = {{base, Exponent::symbol("L") * Exponent(times) + Exponent(shift)}}, .coefficient = coefficient});
    return out;
}

}  // namespace

TEST_SUITE("ring/exp_quotient") {
    F const n = sym("n");
    F const grown = (n + F(5)) / n;

    TEST_CASE("powers written differently cancel") {
        // a^(2L) = (a^2)^L, and a^(L+1) b^L = a (a b)^L.
        CHECK(ExpQuotient(power_of(grown, 2, 0, F(1))) == ExpQuotient(power_of(grown * grown, 1, 0, F(1))));
        ExpQuotient const a(power_of(grown, 1, 1, F(3)));
        ExpQuotient const b(power_of(n, 1, 0, F(2)));
        CHECK(a * b == ExpQuotient(power_of((n + F(5)).merged(), 1, 0, F(6) * grown)));
        CHECK((a - a) == ExpQuotient(Integer(0)));
        CHECK(a / a == ExpQuotient(Integer(1)));
        CHECK_FALSE(a == b);
    }

    TEST_CASE("a denominator of one summand is divided out") {
        ExpQuotient const x = ExpQuotient(ExpPolynomial(n)) / ExpQuotient(power_of(grown, 1, 0, F(2)));
        CHECK(x.is_polynomial());
        CHECK(x.numerator().formula() == n / F(2) * power(n / (n + F(5)), Exponent::symbol("L")));
    }

    TEST_CASE("one of several summands stays, and is common in sums") {
        ExpQuotient const two(power_of(grown, 1, 0, F(1)) + ExpPolynomial(F(-1)));
        ExpQuotient const x = ExpQuotient(Integer(1)) / two;
        CHECK_FALSE(x.is_polynomial());
        CHECK(to_string(x).find(")/(") != std::string::npos);
        CHECK((x + x) * two == ExpQuotient(Integer(2)));
        CHECK(x - x == ExpQuotient(Integer(0)));
        CHECK((ExpQuotient(Integer(0)) / two).is_polynomial());
    }

    TEST_CASE("many are summed at once, to the same as one after another") {
        ExpQuotient const two(power_of(grown, 1, 0, F(1)) + ExpPolynomial(F(-1)));
        std::vector<ExpQuotient> const plain{
            ExpQuotient(ExpPolynomial(F(1) / n)), ExpQuotient(power_of(grown, 1, 0, n)),
            ExpQuotient(ExpPolynomial(F(3) / (n + F(2)))), ExpQuotient(power_of(grown, 1, 0, F(2) - n))};
        // 1/n + 3/(n + 2) = (4 n + 2)/(n (n + 2)), and n + (2 - n) = 2 in front of the power.
        auto const sum = ExpQuotient::sum(plain);
        CHECK(to_string(sum) == to_string(plain[0] + plain[1] + plain[2] + plain[3]));
        CHECK(sum.numerator().terms().size() == 2);
        CHECK(sum.numerator().terms()[0].coefficient == (F(4) * n + F(2)) / (n * (n + F(2))));
        CHECK(sum.numerator().terms()[1].coefficient == F(2));
        auto mixed = plain;
        mixed.push_back(ExpQuotient(Integer(1)) / two);
        CHECK(ExpQuotient::sum(mixed) - sum == mixed.back());
        CHECK(ExpQuotient::sum({plain[0], ExpQuotient(ExpPolynomial(F(-1) / n))}) == ExpQuotient(Integer(0)));
        CHECK(ExpQuotient::sum({}) == ExpQuotient(Integer(0)));
    }

    TEST_CASE("division by 0 is refused") {
        CHECK_THROWS_AS((void)(ExpQuotient(Integer(1)) / ExpQuotient(Integer(0))), DomainError);
    }

    // (1 + 5/n)^L - 1 = 5L/n + 25 L(L-1)/(2 n^2) + .., and n over it is n^2/(5L) - n(L-1)/(2L) + ..
    TEST_CASE("the series of a quotient is the quotient of the series") {
        ExpQuotient const x =
            ExpQuotient(ExpPolynomial(n)) / ExpQuotient(power_of(grown, 1, 0, F(1)) + ExpPolynomial(F(-1)));
        auto const series = series_at_infinity(x, "n", 1);
        F const depth = sym("L");
        CHECK(series.leading == 2);
        REQUIRE(series.coefficients.size() == 2);
        CHECK(series.coefficients[0] == F(1) / (F(5) * depth));
        CHECK(series.coefficients[1] == (F(1) - depth) / (F(2) * depth));
        auto const leading = leading_term(x, "n", "L");
        CHECK(leading.value == n * n / (F(5) * depth));
        CHECK(leading.in_depth);
    }

    // (2 sqrt(n) + 1)/(4 sqrt(n) + n) = 2 n^(-1/2) - 7/n + 28 n^(-3/2) - ..
    TEST_CASE("of square roots the series is one in them") {
        F const root = power(n, isserlis::Exponent(isserlis::ratio(1, 2)));
        ExpQuotient const x =
            ExpQuotient(ExpPolynomial(F(2) * root + F(1))) / ExpQuotient(ExpPolynomial(F(4) * root + n));
        auto const series = series_at_infinity(x, "n", 2);
        CHECK(series.power(0) == isserlis::ratio(-1, 2));
        CHECK(series.power(1) == -1);
        REQUIRE(series.coefficients.size() == 3);
        CHECK(series.coefficients[0] == F(2));
        CHECK(series.coefficients[1] == F(-7));
        CHECK(series.coefficients[2] == F(28));
        CHECK(leading_term(x, "n", "").value == F(2) / root);
        // Roots above alone, (sqrt(n) + 1)/(n + 1).
        ExpQuotient const above = ExpQuotient(ExpPolynomial(root + F(1))) / ExpQuotient(ExpPolynomial(n + F(1)));
        auto const mixed = series_at_infinity(above, "n", 2);
        CHECK(mixed.power(2) == ratio(-3, 2));
        CHECK(mixed.coefficients[2] == F(-1));
    }
}
