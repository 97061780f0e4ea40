// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "json_answer.hpp"

using namespace isserlis::test;

namespace {

/// Other work on the machine only adds to the time: the least of several runs is the program's own.
double least_seconds(std::string const& line, int runs = 3) {
    double best = 1e9;
    for (int i = 0; i < runs; ++i) {
        Run const run = run_program(words(line), {.seconds = 30});
        INFO(line, " ", run.err.substr(0, 300));
        REQUIRE(run.code == 0);
        best = std::min(best, run.cpu_seconds);
    }
    return best;
}

/// What every command is asked at depth L + 1; --layer where the full answer is refused.
std::vector<std::string> deep_queries(std::uint64_t depth) {
    std::string const widths = " 2,10:" + std::to_string(depth) + ",1 ";
    std::string const last = "--layer " + std::to_string(depth + 1);
    return {
        "moments" + widths + last,
        "moments" + widths + last + " --fourth-moment 9/5",
        "norm" + widths + last + " --order 4",
        "norm" + widths + last + " --law uniform --input 1,1/2",
        "norm" + widths + last + " --activation linear",
        "products" + widths + "--layer 1," + std::to_string(depth + 1),
        "init" + widths + last + " --scheme proportional",
        "scaling-factor" + widths,
        "hessian" + widths,
        "ntk" + widths,
        "report" + widths,
        "report" + widths + last,
    };
}

}  // namespace

TEST_SUITE("cli/scale") {
    // 10.3 and 15.6 million weights of 8 bytes; a share more for what is not a network.
    TEST_CASE("sampled networks take the memory of three for each thread, however many they are" * bounds_memory()) {
        constexpr double program = 60e6;
        struct Question {
            char const* line;
            double network;
        };
        double const chain = 8 * (784 * 1024.0 + 9 * 1024.0 * 1024 + 1024 * 10);
        double const residual = 8 * (784 * 512.0 + 58 * 512.0 * 512 + 512 * 10);
        for (auto const& [line, network] : {
                 Question{"norm 784,1024:10,10", chain}, Question{"ntk 784,1024:10,10", chain},
                 Question{"jacobian 784,1024:10,10", chain}, Question{"mup 784,1024:10,10", chain},
                 Question{"coord-check 784,1024:10,10", chain}, Question{"hessian 784,1024:10,10", chain},
                 Question{"ntk 784,512:30,10 --network resnet:2 --projections", residual},
                 Question{"jacobian 784,512:30,10 --network resnet:2 --projections", residual},
                 Question{"coord-check 784,512:30,10 --network resnet:2 --projections", residual},
                 Question{"norm 784,512:30,10 --network resnet:2 --projections", residual},
                 Question{"loss-curve 784,512:30,10 --network resnet:2 --projections", residual},
                 Question{"hessian 784,512:30,10 --network resnet:2 --projections", residual},
                 Question{"hessian 512:10 --network resnet:2", 8 * 18 * 512.0 * 512},  // 512 outputs
             }) {
            CAPTURE(line);
            auto const peak = [&](char const* samples, char const* threads) {
                Run const run = run_program(
                    words(std::string(line) + " --yes --threads " + threads + " --check " + samples), {.seconds = 120});
                INFO(run.err.substr(0, 300));
                REQUIRE(run.code == 0);
                return run.peak_memory;
            };
            double const of_few = peak("2", "1");
            CHECK(of_few < program + 3 * network);
            CHECK(peak("6", "1") < of_few + 0.1 * network);
            if (std::string(line).starts_with("ntk")) CHECK(peak("6", "2") < program + 6 * network);
        }
    }

    TEST_CASE("depth 100001 is interactive") {
        for (std::string const line :
             {"moments 2,10:100000,1 --layer 100001", "norm 2,10:100000,1 --order 4 --layer 100001",
              "norm 2,10:100000,1 --order 4 --layer 100001 --format json", "report 2,10:100000,1",
              "scaling-factor 2,10:100000,1 2,20:100000,1", "hessian 2,10:100000,1", "ntk 2,10:100000,1"}) {
            Run const run = run_program(words(line), {.seconds = 30});
            CAPTURE(line);
            CHECK(run.code == 0);
            CHECK(run.cpu_seconds < patiently(3));
        }
    }

    TEST_CASE("four times the depth takes at most ten times as long") {  // linear: 4; quadratic: 16
        auto const shapes = deep_queries(1).size();
        std::size_t judged = 0;
        for (std::size_t i = 0; i < shapes; ++i) {
            std::uint64_t depth = 10'000;
            auto const shallow = [&] { return deep_queries(depth)[i]; };
            auto const deep = [&] { return deep_queries(4 * depth)[i]; };
            double once = least_seconds(shallow());
            while (once < 0.02 && depth < 40'000) {
                depth *= 2;
                once = least_seconds(shallow());
            }
            if (once < 0.02) continue;  // too short to be judged
            ++judged;
            double four_times = least_seconds(deep());
            for (int again = 0; again < 5 && four_times > 10 * once; ++again) {  // a busy machine: ask again
                once = std::min(once, least_seconds(shallow()));
                four_times = std::min(four_times, least_seconds(deep()));
            }
            INFO(shallow(), ": ", once, " s, then ", four_times, " s");
            CHECK(four_times <= 10 * once);
        }
        MESSAGE("judged ", judged, " of ", shapes);
        CHECK(judged >= 3);
    }

    TEST_CASE("widths written one by one cost what the same widths repeated do") {
        std::string list = "2";
        for (int i = 0; i < 5000; ++i) list += ",7";
        for (std::string const command : {"moments", "norm", "init", "scaling-factor"}) {
            std::string const last = command == "scaling-factor" ? "" : " --layer 5001";
            Run const one = run_program(words(command + " " + list + ",1" + last));
            Run const repeated = run_program(words(command + " 2,7:5000,1" + last));
            CAPTURE(command);
            REQUIRE(one.code == 0);
            CHECK(Json(one.out.substr(one.out.find("quantity"))) ==
                  Json(repeated.out.substr(repeated.out.find("quantity"))));
            CHECK(one.cpu_seconds < patiently(3));
        }
    }

    TEST_CASE("widths of any size") {
        std::string const wide(60, '9');
        auto const answer = ask("moments 1," + wide + ",1");
        CHECK(answer.exact("second_moment", {2}) == wide);
        auto const norm = ask("norm 1," + wide + ",1");
        CHECK(norm.exact("squared_norm_mean", {2}) == "2");
        CHECK(norm.exact("relative_variance", {1}).rfind("5/9", 0) == 0);
        for (auto const& r : norm.json["results"]) {
            if (r["name"] != "log_squared_norm_mean") continue;
            CHECK(r["exact"].is_null());
            CHECK(r["decimal"].is_null());
            CHECK_FALSE(r["form"].get<std::string>().empty());
        }
        CHECK(ask("init " + wide + "," + wide + ",1").exact("update_ratio", {1}) == "1");
    }

    TEST_CASE("start-up is short") { CHECK(least_seconds("moments 2,3,1", 5) < patiently(0.1)); }
}
