// SPDX-License-Identifier: MIT
#include <isserlis/strand/statistic_value.hpp>

#include <doctest/doctest.h>

#include <isserlis/error.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "graphs.hpp"

namespace {

using namespace graphs;

/// z of one layer x -> w x at x = 2 with a standard normal w: E z^2 = 4, E z^4 = 48, E z^6 = 960.
Rational of_one_weight(std::string const& text, std::vector<std::string>* asked = nullptr) {
    auto const net = vanilla<Rational>({1, 1}, {.gain = 1});
    auto const query = parse_statistic(text);
    StatisticValue<Rational> value(
        query, [](std::string const& name) { return name == "a" ? Rational(3) : Rational(5); },
        [&](Query const& q) {
            if (asked != nullptr) asked->push_back(to_string(q));
            return expectation(q, net, at_input({2}));
        });
    return value();
}

std::string refusal(std::string const& text) {
    try {
        return "no refusal, but " + to_string(of_one_weight(text));
    } catch (Error const& e) {
        return e.what();
    }
}

}  // namespace

TEST_SUITE("strand/statistic_value") {
    TEST_CASE("one expectation, with brackets or without") {
        CHECK(of_one_weight("z^4") == 48);
        CHECK(of_one_weight("E[z^4]") == 48);
    }

    TEST_CASE("variances and covariances") {
        CHECK(of_one_weight("Var[z]") == 4);
        CHECK(of_one_weight("Var[z^2]") == 48 - 16);
        CHECK(of_one_weight("Cov[z^2, z^4]") == 960 - 4 * 48);
        CHECK(of_one_weight("Cov[z^4, z^2]") == 960 - 4 * 48);
        CHECK(of_one_weight("Var[z^2 + 1]") == 32);
    }

    TEST_CASE("sums, differences, products, quotients and powers") {
        CHECK(of_one_weight("E[z^2] + E[z^4] - 5") == 47);
        CHECK(of_one_weight("7 - E[z^2] - E[z^4]") == -45);
        CHECK(of_one_weight("-E[z^2]") == -4);
        CHECK(of_one_weight("E[z^2]*E[z^4]*2") == 384);
        CHECK(of_one_weight("E[z^4]/E[z^2]/3") == 4);
        CHECK(of_one_weight("E[z^4]/E[z^2]^2") == 3);
        CHECK(of_one_weight("(E[z^2] + 1)^3") == 125);
        CHECK(of_one_weight("E[z^2]^1 + E[z^4]^0") == 5);
        CHECK(of_one_weight("a*E[z^2] + b") == 17);
        CHECK(of_one_weight("0*E[z^4] + 0/E[z^2]") == 0);
    }

    TEST_CASE("a division by 0 names what is 0") {
        CHECK(refusal("E[z^4]/(E[z^2] - 4)").find("division by 0: (E[z^2] - 4) is 0") != std::string::npos);
        CHECK(refusal("1/E[z]").find("division by 0: E[z] is 0") != std::string::npos);
        CHECK(of_one_weight("1/(E[z^2] - 3)") == 1);
    }

    TEST_CASE("each expectation is asked for once") {
        std::vector<std::string> asked;
        CHECK(of_one_weight("Var[z^2]/E[z^2]^2 + E[z^2]", &asked) == 6);
        CHECK(asked.size() == 2);
        CHECK(std::count(asked.begin(), asked.end(), "z^2") == 1);
        CHECK(std::count(asked.begin(), asked.end(), "(z^2)*(z^2)") == 1);
    }

    TEST_CASE("a refusal says which of several expectations it is about") {
        std::string const alone = refusal("z^14");
        CHECK(alone.starts_with("`query`: a term has 14 strands"));
        CHECK(refusal("E[z^14]") == alone);
        CHECK(refusal("E[z^14]/E[z^2]").starts_with("`query`: in E[z^14]: a term has 14 strands"));
    }
}
