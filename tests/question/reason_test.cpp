// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/question/reason.hpp>

using isserlis::DomainError;
using isserlis::quantity::reason;
using isserlis::quantity::reason_of_own_query;

TEST_SUITE("question/reason") {
    TEST_CASE("the function or class that was called is not said") {
        CHECK(reason(DomainError("chi_mean: d = 0; at least one normal is needed")) ==
              "d = 0; at least one normal is needed");
        CHECK(reason(DomainError("GraphModel: edge a: b is too wide", "graph")) == "edge a: b is too wide");
        CHECK(reason(DomainError("y2_sum_3: x", "y")) == "x");
    }

    TEST_CASE("a query that a command makes for itself is not said") {
        DomainError const error("`query`: a term has 3 targets", "query");
        CHECK(reason(error) == "`query`: a term has 3 targets");
        CHECK(reason_of_own_query(error) == "a term has 3 targets");
        CHECK(reason_of_own_query(DomainError("chi_mean: d = 0", "d")) == "d = 0");
    }

    TEST_CASE("all else is said as it is") {
        for (auto const* message : {"no colon here", "claim: an equation is missing", "WIDTHS: a width is missing",
                                    "`set` n: 0 is no width", "a_b and c: both are needed", "data 'x': line 1",
                                    "log(x): x = 0", "4_x: a number first", ": nothing", "chi_mean:d = 0", ""})
            CHECK(reason(DomainError(message)) == message);
        CHECK(reason(DomainError("label_factor: 'x' is no number", "label_factor")) ==
              "label_factor: 'x' is no number");
    }
}
