// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <isserlis/error.hpp>
#include <isserlis/ring/polynomial.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "property.hpp"
#include "random_elements.hpp"

using isserlis::divide_exactly;
using isserlis::Integer;
using isserlis::Polynomial;
using isserlis::power;
using isserlis::testing::any_int;
using isserlis::testing::holds;

TEST_SUITE("ring/polynomial") {
    namespace {

    Polynomial const n = Polynomial::variable("n");
    Polynomial const m = Polynomial::variable("m");

    Integer at(Polynomial const& p, std::map<std::string, Integer> const& values) {
        Integer sum = 0;
        for (auto const& monomial : p.monomials()) {
            Integer product = monomial.coefficient;
            for (std::size_t i = 0; i < monomial.exponents.size(); ++i) {
                product *= power(values.at(p.variables()[i]), monomial.exponents[i]);
            }
            sum += product;
        }
        return sum;
    }

    Polynomial any_polynomial() {
        Polynomial out(any_int(-3, 3));
        int const terms = any_int(0, 4);
        for (int i = 0; i < terms; ++i) {
            out = out + Polynomial(any_int(-4, 4)) * power(n, static_cast<std::uint64_t>(any_int(0, 3))) *
                            power(m, static_cast<std::uint64_t>(any_int(0, 3)));
        }
        return out;
    }

    }  // namespace

    TEST_CASE("addition, subtraction and multiplication commute with putting numbers in") {
        holds([] {
            Polynomial const a = any_polynomial();
            Polynomial const b = any_polynomial();
            std::map<std::string, Integer> const values = {{"n", any_int(-9, 9)}, {"m", any_int(-9, 9)}};
            RC_ASSERT(at(a + b, values) == at(a, values) + at(b, values));
            RC_ASSERT(at(a - b, values) == at(a, values) - at(b, values));
            RC_ASSERT(at(a * b, values) == at(a, values) * at(b, values));
            RC_ASSERT(at(power(a, 3), values) == power(at(a, values), 3));
            RC_ASSERT((a == b) == (a - b).is_zero());
            RC_ASSERT(power(a, 0) == Polynomial(1));
        });
    }

    // Binomial theorem, by hand; order by decreasing degree as documented.
    TEST_CASE("(n + 5)^2 expands to n^2 + 10 n + 25") {
        auto const monomials = power(n + 5, 2).monomials();
        REQUIRE(monomials.size() == 3);
        CHECK(monomials[0].coefficient == 1);
        CHECK(monomials[0].exponents[0] == 2);
        CHECK(monomials[1].coefficient == 10);
        CHECK(monomials[2].coefficient == 25);
        CHECK(power(n + 5, 2).length() == 3);
    }

    TEST_CASE("polynomials in different variables meet over the union of both sets") {
        Polynomial const sum = n + m;
        CHECK(sum.variables() == std::vector<std::string>{"m", "n"});
        CHECK(sum - m == n);
        CHECK((sum - sum).is_zero());
        CHECK((sum - sum).is_constant());
        CHECK(n * m == m * n);
        CHECK_FALSE(n == m);
        CHECK(n - n + 7 == Polynomial(7));
    }

    TEST_CASE("divisions that go out give the quotient, and others nothing") {
        CHECK(*divide_exactly(n * n - 1, n - 1) == n + 1);
        CHECK_FALSE(divide_exactly(n * n + 1, n - 1).has_value());
        CHECK_FALSE(divide_exactly(n, Polynomial(2)).has_value());
        CHECK(*divide_exactly(Polynomial(6), Polynomial(-3)) == Polynomial(-2));
        CHECK_FALSE(divide_exactly(Polynomial(7), Polynomial(3)).has_value());
        CHECK_THROWS_AS(divide_exactly(n, Polynomial(0)), isserlis::DomainError);
        CHECK_THROWS_AS(divide_exactly(Polynomial(1), n - n), isserlis::DomainError);
        holds([] {
            Polynomial const a = any_polynomial();
            Polynomial const b = any_polynomial();
            RC_PRE(!b.is_zero());
            auto const quotient = divide_exactly(a * b, b);
            RC_ASSERT(quotient.has_value());
            RC_ASSERT(*quotient == a);
        });
    }

    TEST_CASE("a common factor divides the gcd, and the gcd divides both") {
        holds([] {
            Polynomial const a = any_polynomial();
            Polynomial const b = any_polynomial();
            Polynomial const c = any_polynomial();
            RC_PRE(!(a * c).is_zero() || !(b * c).is_zero());
            Polynomial const g = gcd(a * c, b * c);
            RC_ASSERT(divide_exactly(a * c, g).has_value());
            RC_ASSERT(divide_exactly(b * c, g).has_value());
            RC_ASSERT(c.is_zero() || divide_exactly(g, c).has_value());
        });
        CHECK(gcd(Polynomial(12), Polynomial(-18)) == Polynomial(6));
        CHECK(gcd(n * n - m * m, n * n + Polynomial(2) * n * m + m * m) == n + m);
    }

    TEST_CASE("factors multiply back, each primitive with a positive leading coefficient") {
        holds([] {
            Polynomial const a = any_polynomial() * any_polynomial();
            auto const found = factor(a);
            Polynomial product(found.constant);
            for (auto const& f : found.factors) {
                RC_ASSERT(f.base.content() == 1);
                RC_ASSERT(f.base.monomials().front().coefficient > 0);
                RC_ASSERT(f.multiplicity >= 1U);
                product = product * power(f.base, f.multiplicity);
            }
            RC_ASSERT(product == a);
        });
        // 2 (n + 4)(n + 11)^2, from the third moment of a ReLU layer.
        auto const found = factor(Polynomial(2) * (n + 4) * power(n + 11, 2));
        CHECK(found.constant == 2);
        CHECK(found.factors.size() == 2);
    }

    TEST_CASE("the content carries the sign of the leading coefficient") {
        CHECK((Polynomial(-6) * n + 4).content() == -2);
        CHECK((Polynomial(6) * n - 4).content() == 2);
        CHECK(Polynomial(-7).content() == -7);
        CHECK(Polynomial(0).content() == 0);
    }

    TEST_CASE("monomials may come in any order, repeated, over repeated variables") {
        Polynomial const p = Polynomial::from_monomials({"n", "m", "n"}, {{.coefficient = 2, .exponents = {1, 0, 1}},
                                                                          {.coefficient = 1, .exponents = {0, 3, 0}},
                                                                          {.coefficient = 3, .exponents = {0, 0, 2}}});
        CHECK(p == Polynomial(5) * n * n + power(m, 3));
        CHECK(Polynomial::from_monomials({"n"},
                                         {{.coefficient = 4, .exponents = {0}}, {.coefficient = -4, .exponents = {0}}})
                  .is_zero());
        CHECK(Polynomial::from_monomials({"n"},
                                         {{.coefficient = 4, .exponents = {2}}, {.coefficient = -4, .exponents = {2}}})
                  .is_zero());
        holds([] {
            Polynomial const a = any_polynomial();
            RC_ASSERT(Polynomial::from_monomials(a.variables(), a.monomials()) == a);
        });
    }

    TEST_CASE("coefficients grow past every machine word") {
        CHECK(at(power(n + 1, 300), {{"n", Integer(1)}}) == power(Integer(2), 300));
    }

    // engineering.md: a huge exponent returns 0 from FLINT's functions; it may neither abort nor wrap around.
    TEST_CASE("exponents past 64 bits are an UnsupportedError") {
        std::uint64_t const huge = std::uint64_t{1} << 63U;
        Polynomial const p = power(n, huge);
        CHECK(p.monomials().front().exponents.front() == huge);
        CHECK_THROWS_AS((p * p).monomials(), isserlis::UnsupportedError);
        CHECK_THROWS_AS(power(p, 4).monomials(), isserlis::UnsupportedError);
        CHECK_THROWS_AS(Polynomial::from_monomials({"n", "n"}, {{.coefficient = 1, .exponents = {huge, huge}}}),
                        isserlis::UnsupportedError);
    }

    TEST_CASE("powers that would take a machine's memory are refused, and high degrees are not factored") {
        auto const x = Polynomial::variable("x");
        auto const y = Polynomial::variable("y");
        CHECK_THROWS_AS(power(x + y + Polynomial(1), 30'000), isserlis::UnsupportedError);
        CHECK_THROWS_AS(power(x + Polynomial(1), 1'000'000), isserlis::UnsupportedError);
        CHECK(power(x + Polynomial(1), 1000).length() == 1001);
        CHECK(power(x, 1'000'000'000) == power(power(x, 1'000'000), 1000));
        // x^2 - 1 = (x - 1) (x + 1); x^6002 - 1 has those factors too, and is left alone.
        CHECK(factor(power(x, 2) - Polynomial(1)).factors.size() == 2);
        auto const high = Polynomial(-6) * (power(x, 6002) - Polynomial(1));
        auto const found = factor(high);
        REQUIRE(found.factors.size() == 1);
        CHECK(found.constant == -6);
        CHECK(found.factors[0].base == power(x, 6002) - Polynomial(1));
        CHECK(found.factors[0].multiplicity == 1);
    }

    TEST_CASE("numbers are factored in memory: the current folder may be gone") {
        // 2^50 - 27 and 2^50 - 35 are prime (Caldwell, "Primes just less than a power of two"): no factor below 50 bits.
        Integer const p = power(Integer(2), 50) - 27;
        Integer const q = power(Integer(2), 50) - 35;
        using Factors = std::vector<std::pair<Integer, std::uint64_t>>;
        std::filesystem::path const here = std::filesystem::current_path();
        std::filesystem::path const gone = std::filesystem::temp_directory_path() / ("gone" + std::to_string(getpid()));
        std::filesystem::create_directory(gone);
        std::filesystem::current_path(gone);
        std::filesystem::remove(gone);
        auto const both = isserlis::factor(Integer(p * q));
        std::filesystem::current_path(here);
        CHECK(both == Factors{{q, 1}, {p, 1}});
        CHECK(isserlis::factor(Integer(p * q * q * 1009 * 12)) == Factors{{2, 2}, {3, 1}, {1009, 1}, {q, 2}, {p, 1}});
        CHECK(isserlis::factor(Integer(p * p * p)) == Factors{{p, 3}});
        CHECK(isserlis::factor(p) == Factors{{p, 1}});
        CHECK(isserlis::factor(Integer(1'009 * 1'013)) == Factors{{1'009, 1}, {1'013, 1}});
    }
}
