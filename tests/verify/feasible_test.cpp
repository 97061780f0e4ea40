// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/verify/feasible.hpp>
#include <string>

#include <unistd.h>

using isserlis::require_feasible;
using isserlis::UnsupportedError;
using isserlis::monte_carlo::RunControl;

namespace {

std::string refusal(double work_per_sample, std::uint64_t samples, RunControl const& control = {}) {
    try {
        require_feasible(work_per_sample, samples, control);
    } catch (UnsupportedError const& e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST_SUITE("verify/feasible") {
    // 1e11 weights are allowed; 60 seconds of 2.5e8 weights are 1.5e10, of two threads 3e10.
    TEST_CASE("what takes above some minutes is refused with what fits one") {
        CHECK(refusal(1e6, 100'000) == "");
        CHECK(refusal(1e6, 100'001).find("of about 100 thousand million drawn weights; about 15000 fit a minute") !=
              std::string::npos);
        CHECK(refusal(7.5e9, 40).find("of about 300 thousand million drawn weights; about 2 fit") != std::string::npos);
        CHECK(refusal(8e9, 40).find("; not even 2 fit a minute") != std::string::npos);
        RunControl control;
        control.threads = 2;
        CHECK(refusal(8e9, 40, control).find("; about 3 fit a minute") != std::string::npos);
        control.whatever_it_takes = true;
        CHECK(refusal(8e9, 40, control) == "");
    }

    // 10^8 numbers are 0.8 GB: a machine with more holds one network of them, and none holds a million. Four
    // fifths of the memory are given away.
    TEST_CASE("threads whose networks do not fit the memory are refused, and how many do is said") {
        auto const refusal = [](double numbers, unsigned threads) -> std::string {
            isserlis::monte_carlo::RunControl control;
            control.threads = threads;
            control.whatever_it_takes = true;
            try {
                isserlis::require_memory(numbers, control);
                return "";
            } catch (isserlis::UnsupportedError const& e) {
                return e.what();
            }
        };
        CHECK(refusal(1000, 8).empty());
        CHECK(refusal(1e8, 1'000'000).find("`threads`: 1000000 sampled networks take about 800000 GB") == 0);
        CHECK(refusal(1e8, 1'000'000).find(" fits") != std::string::npos);
        double const machine =
            static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
        CHECK(refusal(0.79 * machine / sizeof(double), 1).empty());
        CHECK(refusal(0.81 * machine / sizeof(double), 1).find("`widths`: ") == 0);
        CHECK(refusal(1e15, 1).find("`widths`: a sampled network takes about 8000000 GB") == 0);
    }
}
