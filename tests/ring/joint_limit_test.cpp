// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/joint_limit.hpp>
#include <isserlis/ring/parse.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

using namespace isserlis;

namespace {

using R = RationalFunction;

R parsed(std::string const& text) { return parse_rational_function(text, "test"); }

struct Term {
    std::string base;
    std::string exponent;
    std::string coefficient;
};

ExpPolynomial sum(std::vector<Term> const& terms) {
    ExpPolynomial out;
    for (auto const& t : terms)
        out.add({.powers = {{parsed(t.base), as_exponent(parsed(t.exponent))}}, .coefficient = parsed(t.coefficient)});
    return out;
}

LimitPath wide_path() {
    auto out = wide_and_deep("n", "L", R::symbol("b"));
    out.multiples.emplace("l", R::symbol("b") * R::symbol("t"));
    return out;
}
LimitPath const deep_path{.scale = "L", .multiples = {{"L", R(1)}, {"l", R::symbol("t")}}};

std::string text(std::vector<Term> const& terms, LimitPath const& path, std::size_t order = 0) {
    auto const limit = joint_limit(sum(terms), path, order);
    return to_string(limit, path.scale);
}

/// Digits of a formula text with exp( ), at numbers for its symbols: by an evaluator that knows nothing of limits.
double value(std::string text, std::map<std::string, std::string> const& at) {
    for (auto const& [name, number] : at) {
        for (std::size_t i = 0; (i = text.find(name, i)) != std::string::npos;) {
            bool const alone = (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1]))) &&
                               (i + 1 >= text.size() || !std::isalnum(static_cast<unsigned char>(text[i + 1])));
            if (alone) text.replace(i, 1, "(" + number + ")");
            i += alone ? number.size() + 2 : 1;
        }
    }
    return mpfr_get_d(enclose(Expression::parse(text, "test"), 400).lower(), MPFR_RNDN);
}

}  // namespace

TEST_SUITE("ring/joint_limit") {
    TEST_CASE("eigenvalues that depend on the depth or the width") {
        CHECK(text({{"1 + 2/L", "L", "1"}}, wide_path()) == "exp(2)");
        CHECK(text({{"1 + 2/L", "L", "n^2"}}, wide_path()) == "n^2*exp(2)");
        CHECK(text({{"1 + 5/n", "L", "1/3"}, {"1 - 1/n", "L", "2/3"}, {"1", "L", "-1"}}, wide_path()) ==
              "1/3*exp(5*b) + 2/3*exp(-b) - 1");
        CHECK(text({{"1 + 2/sqrt(L)", "L", "1"}}, wide_path()) == "exp(2*(sqrt(b)*sqrt(n) - 1))");
        CHECK(text({{"1 + 2/L", "l", "1"}}, deep_path) == "exp(2*t)");
        // The larger eigenvalue wins.
        CHECK(text({{"2 + 2/n", "L", "n"}, {"1 + 1/n", "L", "n^5"}}, wide_path()) == "2^L*n*exp(b)");
        CHECK(text({{"2", "L", "1/4"}}, wide_path()) == "2^L/4");
    }

    TEST_CASE("a limit of 0 has a leading order, an infinite one too") {
        auto const zero =
            joint_limit(sum({{"((L + 1)^2 + 4/n)/(L + 1)^2", "L", "1"}, {"1", "L", "-1"}}), wide_path(), 0);
        CHECK(zero.course() == JointLimit::Course::vanishing);
        CHECK(to_string(zero, "n") == "4/(b*n^2)");
        auto const large = joint_limit(sum({{"1 + 5/n", "L", "1"}, {"1", "L", "-1"}}), deep_path, 0);
        CHECK(large.course() == JointLimit::Course::infinite);
        CHECK(to_string(large, "L") == "(n + 5)^L/n^L");
        CHECK(joint_limit(ExpPolynomial(), wide_path(), 0).is_zero());
        CHECK(joint_limit(sum({{"1 + 1/n", "L", "1"}, {"1 + 1/n", "L", "-1"}}), wide_path(), 0).is_zero());
    }

    TEST_CASE("what no expansion covers is refused") {
        CHECK_THROWS_AS((void)text({{"n", "L", "1"}}, wide_path()), UnsupportedError);
        CHECK_THROWS_AS((void)text({{"a", "L", "1"}, {"c", "L", "1"}}, wide_path()), UnsupportedError);
        CHECK_THROWS_AS((void)text({{"1 + 1/n", "K", "1"}}, wide_path()), UnsupportedError);
        CHECK_THROWS_AS((void)text({{"-2", "L", "1"}, {"2", "L", "1"}}, wide_path()), UnsupportedError);
        // At n = 1 the first one is larger in modulus, at n = 2 the second one.
        CHECK_THROWS_AS((void)text({{"(n - 3)/n", "L", "1"}, {"(n - 2)/n", "L", "1"}}, deep_path), UnsupportedError);
    }

    TEST_CASE("of several eigenvalues the largest has to be known, not the order of the others") {
        for (std::size_t shift = 0; shift < 3; ++shift) {
            std::vector<Term> terms{
                {"(8*n^2 - 9*n + 3)/n^2", "L", "1"}, {"8", "L", "1"}, {"9*(n + 1)^2/n^2", "L", "2"}};
            std::rotate(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(shift), terms.end());
            CAPTURE(shift);
            CHECK(to_string(joint_limit(sum(terms), deep_path, 0), "L") == "3^(2*L)*(n + 1)^(2*L)/n^(2*L)*2");
        }
        CHECK(to_string(joint_limit(sum({{"-3", "L", "1"}, {"n/(n + 1)", "L", "1"}, {"4", "L", "1"}}), deep_path, 0),
                        "L") == "2^(2*L)");
    }

    // The error of the leading order falls like 1/n, that of two orders like 1/n^2: halved and quartered at twice n.
    TEST_CASE("exact values approach the expansion at the order that it states") {
        std::vector<std::vector<Term>> const cases{
            {{"1 + 2/L", "L", "1"}},
            {{"1 + 3/n + 2/L", "L", "n^2 + L"}},
            {{"1 + 5/n", "L - 1", "L"}, {"1 - 1/n", "L", "n/3"}},
            {{"(1 + 1/L)^2 + 4/(n*L)", "L", "1"}, {"1 + 2/L", "L", "-1/2"}},
            {{"1 + 1/(n + L)", "L", "1/n"}, {"1 + 1/n", "l", "1/L"}},
        };
        for (auto const& terms : cases) {
            CAPTURE(terms.front().base);
            for (std::size_t const order : {0U, 1U}) {
                std::string const limit = text(terms, wide_path(), order);
                INFO(limit);
                auto const error = [&](int n) {
                    std::map<std::string, std::string> const at{{"n", std::to_string(n)},
                                                                {"L", std::to_string(2 * n)},
                                                                {"l", std::to_string(n)},
                                                                {"b", "2"},
                                                                {"t", "1/2"}};
                    double exact = 0;
                    for (auto const& t : terms)
                        exact += value("(" + t.coefficient + ")*(" + t.base + ")^(" + t.exponent + ")", at);
                    return std::fabs(value(limit, at) / exact - 1);
                };
                double const here = error(400);
                double const twice = error(800);
                CHECK(here < 0.1);
                CHECK(here / twice == doctest::Approx(order == 0 ? 2 : 4).epsilon(0.05));
            }
        }
    }
}
