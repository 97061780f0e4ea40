// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/verify/sample_choice.hpp>
#include <limits>
#include <vector>

using isserlis::SampleChoice;
using isserlis::SampleGoal;

namespace {

/// A machine and a mean: a run takes `once` + samples `each`, and has the relative error deviation / sqrt(samples).
struct World {
    double once = 0;
    double each = 1e-3;
    double deviation = 1;
};

struct Search {
    std::vector<std::uint64_t> runs;
    double seconds = 0;
};

Search search(SampleGoal const& goal, World const& world) {
    SampleChoice choice(goal);
    Search out;
    for (;;) {
        auto const n = static_cast<double>(choice.samples());
        out.runs.push_back(choice.samples());
        double const seconds = world.once + n * world.each;
        out.seconds += seconds;
        if (choice.is_last(seconds, world.deviation / std::sqrt(n))) return out;
        REQUIRE(choice.samples() > out.runs.back());
        REQUIRE(out.runs.size() < 40);
    }
}

}  // namespace

TEST_SUITE("verify/sample_choice") {
    TEST_CASE("a time is used up to a fifth, and kept, at every pace") {
        for (double const each : {1e-7, 1e-4, 1e-2, 0.3, 2.0}) {
            for (double const once : {0.0, 0.05, 1.0}) {
                CAPTURE(each);
                CAPTURE(once);
                auto const out = search({.seconds = 60, .relative_error = {}}, {.once = once, .each = each});
                CHECK(out.seconds <= 60);
                CHECK(out.seconds > 0.75 * 60);
                CHECK(static_cast<double>(out.runs.back()) * each > 0.5 * 60);
            }
        }
    }

    TEST_CASE("what a run takes before its first sample is part of the time") {
        CHECK(search({.seconds = 60, .relative_error = {}}, {.once = 5}).seconds <= 60);
    }

    TEST_CASE("a network that takes longer than the time is still sampled a few times") {
        auto const out = search({.seconds = 1, .relative_error = {}}, {.once = 0, .each = 10});
        CHECK(out.runs == std::vector<std::uint64_t>{4});
    }

    TEST_CASE("an error is reached, with at most three times the samples that it takes") {
        for (double const deviation : {0.01, 1.0, 30.0, 1000.0}) {
            CAPTURE(deviation);
            auto const out = search({.seconds = {}, .relative_error = 0.01}, {.deviation = deviation});
            double const needed = std::max(30.0, deviation * deviation * 1e4);
            auto const last = static_cast<double>(out.runs.back());
            CHECK(last >= needed);
            CHECK(last <= std::max(8 * 32.0, 3 * needed));
        }
    }

    TEST_CASE("with both goals the first one that is met decides") {
        auto const by_error = search({.seconds = 3600, .relative_error = 0.1}, {.each = 1e-3});
        CHECK(by_error.seconds < 5);
        CHECK(by_error.runs.back() >= 100);
        auto const by_time = search({.seconds = 5, .relative_error = 1e-6}, {.each = 1e-3});
        CHECK(by_time.seconds <= 5);
        CHECK(by_time.seconds > 3);
    }

    TEST_CASE("errors that are no number, and those of few samples, are not believed") {
        SampleChoice choice({.seconds = {}, .relative_error = 0.5});
        CHECK(!choice.is_last(0.1, 0.0));  // of 4 samples
        CHECK(!choice.is_last(0.1, std::numeric_limits<double>::quiet_NaN()));
        CHECK(!choice.is_last(0.1, std::numeric_limits<double>::infinity()));
        CHECK(choice.samples() > 1000);
        CHECK(choice.is_last(0.1, 0.5));
    }

    TEST_CASE("goals that are none are refused") {
        CHECK_THROWS_AS(SampleChoice({}), isserlis::DomainError);
        CHECK_THROWS_AS(SampleChoice({.seconds = 0.0, .relative_error = {}}), isserlis::DomainError);
        CHECK_THROWS_AS(SampleChoice({.seconds = {}, .relative_error = -1.0}), isserlis::DomainError);
        CHECK_THROWS_AS(SampleChoice({.seconds = std::numeric_limits<double>::infinity(), .relative_error = {}}),
                        isserlis::DomainError);
    }
}
