// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <chrono>
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/random/stream.hpp>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using isserlis::Stream;
using isserlis::monte_carlo::RunControl;

/// A floating sum, so that another order of samples or merges would show in the last bits.
struct Sum {
    double value = 0;
    std::vector<std::uint64_t> visited{};
    void merge(Sum const& other) {
        value += other.value;
        visited.insert(visited.end(), other.visited.begin(), other.visited.end());
    }
    /// Where it has been is not passed on.
    static void members(auto& self, auto const& f) { f(self.value); }
};

Sum sum_of_normals(std::uint64_t samples, RunControl const& control) {
    return run(samples, control, Sum{}, [] {
        return [](std::uint64_t i, Sum& into) {
            into.value += Stream(17, i).normal();
            into.visited.push_back(i);
        };
    });
}

}  // namespace

TEST_SUITE("monte_carlo/run") {
    TEST_CASE("every sample is visited once and in order, and the sum has the same bits in 1, 2 and 5 threads") {
        for (std::uint64_t const samples : {2U, 3U, 255U, 256U, 257U, 1000U, 10007U}) {
            std::vector<std::uint64_t> expected(samples);
            std::iota(expected.begin(), expected.end(), std::uint64_t{0});
            auto const one = sum_of_normals(samples, {.threads = 1, .progress = {}});
            CHECK(one.visited == expected);
            for (unsigned const threads : {2U, 5U}) {
                auto const many = sum_of_normals(samples, {.threads = threads, .progress = {}});
                CHECK(many.visited == expected);
                CHECK(many.value == one.value);
            }
        }
    }

    TEST_CASE("the number of partial results in memory does not grow with the samples") {
        for (unsigned const threads : {1U, 2U, 5U}) {
            RunControl const control{.threads = threads, .progress = {}};
            CHECK(isserlis::monte_carlo::reorder_slots(10'000, control) <= 2 * threads);
            CHECK(isserlis::monte_carlo::reorder_slots(std::uint64_t{1} << 60U, control) <= 2 * threads);
        }
    }

    TEST_CASE("progress never goes back, never overlaps and ends at the total") {
        std::atomic<int> inside = 0;
        std::uint64_t last = 0;
        auto const progress = [&](std::uint64_t done, std::uint64_t total) {
            CHECK(++inside == 1);
            CHECK(done >= last);
            CHECK(total == 5000);
            last = done;
            --inside;
        };
        (void)sum_of_normals(5000, {.threads = 5, .progress = progress});
        CHECK(last == 5000);
    }

    TEST_CASE("a run stops when it is told to, before it begins or in the middle") {
        for (unsigned const threads : {1U, 5U}) {
            std::atomic<bool> stop = true;
            RunControl const control{.threads = threads, .progress = {}, .stop = &stop};
            CHECK_THROWS_AS((void)sum_of_normals(1000, control), isserlis::Interrupted);
            stop = false;
            auto const stopping = [&] {
                return [&](std::uint64_t i, Sum&) {
                    if (i == 5000) stop = true;
                };
            };
            // 10^15 samples: only a stop can end this.
            CHECK_THROWS_AS((void)run(1'000'000'000'000'000, control, Sum{}, stopping), isserlis::Interrupted);
        }
    }

    TEST_CASE("what a sampler, its maker or the progress report throws reaches the caller") {
        for (unsigned const threads : {1U, 2U, 5U}) {
            auto const failing = [] {
                return [](std::uint64_t i, Sum&) {
                    if (i == 777) throw std::out_of_range("777");
                };
            };
            RunControl control{.threads = threads, .progress = {}};
            CHECK_THROWS_WITH_AS((void)run(100'000, control, Sum{}, failing), "777", std::out_of_range);
            auto const unmakeable = []() -> std::function<void(std::uint64_t, Sum&)> {
                throw std::logic_error("none");
            };
            CHECK_THROWS_WITH_AS((void)run(100, control, Sum{}, unmakeable), "none", std::logic_error);
            control.progress = [](std::uint64_t, std::uint64_t) { throw std::runtime_error("closed pipe"); };
            CHECK_THROWS_WITH_AS((void)sum_of_normals(100, control), "closed pipe", std::runtime_error);
        }
    }

    TEST_CASE("a pace that is too slow is refused, with what fits a minute") {
        using isserlis::monte_carlo::require_pace;
        RunControl control;
        CHECK_NOTHROW(require_pace(10, 1'000'000, 3600, control));
        control.most_seconds = 600;
        CHECK_NOTHROW(require_pace(100, 60'000, 1, control));
        try {
            require_pace(100, 60'001, 1, control);
            FAIL("not refused");
        } catch (isserlis::UnsupportedError const& e) {
            std::string const why = e.what();
            CHECK(why.find("60001 samples take about 11 minutes") != std::string::npos);
            CHECK(why.find("6000 fit a minute") != std::string::npos);
        }
        // One sample a thousandth of a second: a day and more, known after a second.
        control.most_seconds = 30;
        CHECK_THROWS_AS(static_cast<void>(run(100'000'000, control, Sum{},
                                              [] {
                                                  return [](std::uint64_t, Sum& into) {
                                                      std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                                      into.value += 1;
                                                  };
                                              })),
                        isserlis::UnsupportedError);
    }

    TEST_CASE("fewer than 2 samples or no thread is refused") {
        CHECK_THROWS_AS((void)sum_of_normals(0, {}), isserlis::DomainError);
        CHECK_THROWS_AS((void)sum_of_normals(1, {}), isserlis::DomainError);
        CHECK_THROWS_AS((void)sum_of_normals(10, {.threads = 0, .progress = {}}), isserlis::DomainError);
    }
}
