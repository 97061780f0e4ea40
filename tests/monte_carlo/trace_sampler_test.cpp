// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/monte_carlo/trace_sampler.hpp>

#include <cmath>
#include <string>

namespace {

using namespace isserlis;
using namespace isserlis::monte_carlo;

TraceModel model_of(SampledMatrix::Law law, std::size_t rows, std::size_t columns) {
    TraceModel out;
    out.matrices.push_back({.name = "W", .rows = rows, .columns = columns, .law = law, .entries = {}, .variance = 1});
    return out;
}

Estimate sampled(TraceModel const& model, std::string const& text, std::uint64_t samples, unsigned threads = 1) {
    RunControl control;
    control.threads = threads;
    return sample_traces(model, parse_trace_expression(text), samples, 7, control);
}

}  // namespace

TEST_SUITE("monte_carlo/traces") {
    TEST_CASE("the same bits with any number of threads") {
        auto const model = model_of(SampledMatrix::Law::independent, 3, 4);
        auto const one = sampled(model, "Var[tr((W W^T)^2)]/E[norm2(W)]", 500, 1);
        auto const three = sampled(model, "Var[tr((W W^T)^2)]/E[norm2(W)]", 500, 3);
        CHECK(one.mean == three.mean);
        CHECK(one.std_error == three.std_error);
    }

    TEST_CASE("orthogonal matrices have orthonormal rows or columns") {
        for (auto const& [rows, columns] : {std::pair{4, 4}, std::pair{5, 3}, std::pair{2, 6}}) {
            auto const model = model_of(SampledMatrix::Law::orthogonal, static_cast<std::size_t>(rows),
                                        static_cast<std::size_t>(columns));
            auto const gap = sampled(model, rows > columns ? "norm2(W^T W - I)" : "norm2(W W^T - I)", 50);
            CHECK(gap.mean < 1e-25);
        }
    }

    // Without the signs of R's diagonal LAPACK's and Eigen's Q have a mean trace other than 0.
    TEST_CASE("and Haar measure: the mean of the trace is 0, of its square 1") {
        auto const model = model_of(SampledMatrix::Law::orthogonal, 3, 3);
        auto const trace = sampled(model, "tr(W)", 4000);
        CHECK(std::fabs(trace.mean) < 5 * trace.std_error);
        auto const square = sampled(model, "tr(W)^2", 4000);
        CHECK(std::fabs(square.mean - 1) < 5 * square.std_error);
    }

    TEST_CASE("numbers, identities, powers and sums of matrices") {
        TraceModel model = model_of(SampledMatrix::Law::orthogonal, 4, 2);
        model.parameters["t"] = 0.5;
        // W^T W = I of size 2
        auto const exactly = [&](std::string const& text, double value) {
            CHECK(sampled(model, text, 10).mean == doctest::Approx(value).epsilon(1e-12));
        };
        exactly("tr(W^T W)", 2);
        exactly("tr((W^T W + 3*I)^2)", 32);
        exactly("tr((W W^T)^0)", 4);
        exactly("tr((I - W W^T)/t)", 4);
        exactly("tr(2 W I W^T) - 1/2 + t", 4);
        exactly("norm2(W^T W - 2*I)^2", 4);
        exactly("E[tr(W^T W)]/E[norm2(W)^2] + Var[norm2(W)]", 0.5);
    }

    TEST_CASE("complex entries have E|w|^2 = 1 and E w^2 = 0") {
        auto const model = model_of(SampledMatrix::Law::complex_gaussian, 3, 3);
        auto const norm = sampled(model, "norm2(W)", 4000);
        CHECK(std::fabs(norm.mean - 9) < 5 * norm.std_error);
        auto const square = sampled(model, "tr(W W^T)", 4000);
        CHECK(std::fabs(square.mean) < 5 * square.std_error);
    }
}
