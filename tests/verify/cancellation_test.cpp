// SPDX-License-Identifier: MIT
#include <isserlis/verify/cancellation.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include <isserlis/verify/traces.hpp>

using isserlis::Check;
using isserlis::uncancelled;
using isserlis::up_to_rounding;
using Verdict = isserlis::Check::Verdict;

TEST_SUITE("verify/cancellation") {
    TEST_CASE("what rounding leaves of numbers that cancel is equal to the exact value") {
        Check const off{.mean = 3e-12, .std_error = 1e-20, .z = 3e8, .verdict = Verdict::disagrees, .power = 1};
        CHECK(up_to_rounding(off, 0, 3.01).verdict == Verdict::agrees);
        CHECK(up_to_rounding(off, 0, -3.01).z == 0);
        CHECK(up_to_rounding(off, 0, 3.01).power == 1.0);
        CHECK(up_to_rounding(off, 0, 2.99).verdict == Verdict::disagrees);
        CHECK(up_to_rounding(off, 0, 2.99).z == 3e8);
        CHECK(up_to_rounding(off, 0, 0).verdict == Verdict::disagrees);
        CHECK(up_to_rounding(off, 0, INFINITY).verdict == Verdict::disagrees);
        CHECK(up_to_rounding({.mean = 0, .z = 7, .verdict = Verdict::disagrees}, 0, 0).z == 7);
        CHECK(up_to_rounding({.mean = 0, .z = 7, .verdict = Verdict::agrees}, 0, 1).z == 7);
        // 12 e-12 of which rounding may be 1 or 2.
        Check const near{.mean = 12e-12, .z = -9, .verdict = Verdict::disagrees, .power = 1};
        CHECK(up_to_rounding(near, 13e-12, 1.25).verdict == Verdict::agrees);
        CHECK(up_to_rounding(near, 13e-12, 1.25).power == 1.0);
        CHECK(up_to_rounding(near, 13e-12, 1.35).verdict == Verdict::inconclusive);
        CHECK(up_to_rounding(near, 13e-12, 1.35).power == 0.0);
        CHECK(up_to_rounding(near, 11e-12, 1.05).verdict == Verdict::agrees);
    }

    TEST_CASE("off is what disagrees, and what proves nothing beyond 5 errors") {
        using isserlis::is_off;
        CHECK(is_off({.z = 0.5, .verdict = Verdict::disagrees}));
        CHECK(is_off({.z = -5.1, .verdict = Verdict::inconclusive}));
        CHECK_FALSE(is_off({.z = 4.9, .verdict = Verdict::inconclusive}));
        CHECK_FALSE(is_off({.z = 5.1, .verdict = Verdict::agrees}));
        CHECK_FALSE(is_off({.z = 5.1, .verdict = Verdict::holds}));
        CHECK(isserlis::size_of({.mean = 3, .std_error = 0.5, .samples = 64}) == 5);
    }

    TEST_CASE("all that is given is absolute, and orthogonal matrices are Gaussian of the same size") {
        isserlis::monte_carlo::ObservableSettings given;
        given.inputs[""] = {-1, 2};
        given.parameters["c"] = -7;
        given.vectors["w"] = {-3};
        given.matrices["P"] = {{-4}};
        auto const settings = uncancelled(given);
        CHECK(settings.inputs.at("") == std::vector<double>{1, 2});
        CHECK(settings.parameters.at("c") == 7);
        CHECK(settings.vectors.at("w") == std::vector<double>{3});
        CHECK(settings.matrices.at("P").front() == std::vector<double>{4});
        using isserlis::monte_carlo::SampledMatrix;
        auto const model = uncancelled(isserlis::monte_carlo::TraceModel{
            .matrices = {{.name = "A", .rows = 2, .columns = 4, .law = SampledMatrix::Law::orthogonal},
                         {.name = "F", .law = SampledMatrix::Law::fixed, .values = {-5}},
                         {.name = "B", .rows = 2, .variance = 9}},
            .parameters = {{"p", -6}}});
        CHECK(model.matrices[0].law == SampledMatrix::Law::independent);
        CHECK(model.matrices[0].variance == 0.25);
        CHECK(model.matrices[1].values == std::vector<double>{5});
        CHECK(model.matrices[2].variance == 9);
        CHECK(model.parameters.at("p") == 6);
    }

    TEST_CASE("every minus is a plus") {
        CHECK(to_string(uncancelled(isserlis::parse_query("-z^2 - (3 - z)^2"))) == "z^2 + (3 + z)^2");
        CHECK(to_string(uncancelled(isserlis::parse_statistic("E[z - 2]/2 - Var[-z^2]"))) == "E[z + 2]/2 + Var[z^2]");
        CHECK(to_string(uncancelled(isserlis::parse_trace_expression("E[tr(A - B)] - E[-tr(B)]"))) ==
              to_string(isserlis::parse_trace_expression("E[tr(A + B)] + E[tr(B)]")));
        CHECK(uncancelled(isserlis::parse_query("3 - z")).observable.signs == std::vector<int>{1, 1});
        CHECK(uncancelled(std::vector<std::vector<double>>{{1, -2}, {-0.5}}) ==
              std::vector<std::vector<double>>{{1, 2}, {0.5}});
    }

    TEST_CASE("a constant that is 0 by cancellation agrees with 0 and with nothing near it") {
        isserlis::monte_carlo::TraceModel model;
        model.matrices.push_back(
            {.name = "A", .rows = 3, .columns = 3, .law = isserlis::monte_carlo::SampledMatrix::Law::orthogonal});
        model.matrices.push_back({.name = "D",
                                  .rows = 3,
                                  .columns = 3,
                                  .law = isserlis::monte_carlo::SampledMatrix::Law::diagonal,
                                  .diagonal = {0.1, 0.2, -0.3}});
        for (char const* text : {"tr(A A^T) - 3", "tr(D A A^T)", "(A A^T)[1,2]", "(A A^T)[1,2]^2"}) {
            auto const expression = isserlis::parse_trace_expression(text);
            CHECK(check_traces(model, expression, 0, 0, 100, 1, {}).verdict == Verdict::agrees);
            CHECK(check_traces(model, expression, 1e-9, 1e-18, 100, 1, {}).verdict == Verdict::disagrees);
        }
    }
}
