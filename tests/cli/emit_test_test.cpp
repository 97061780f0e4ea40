// SPDX-License-Identifier: MIT
// --emit-test from outside: values of the files, refusals. tests/emit runs what it writes.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "json_answer.hpp"

using namespace isserlis::test;

TEST_SUITE("cli/emit_test") {
    // One hidden layer of one neuron, weights w, v of variance 2, x = 1: K = 1(w > 0) (w^2 + v^2), so that
    // E K = 1/2 (2 + 2) = 2 and E K^2 = 1/2 (12 + 8 + 12) = 16: the deviation of K is sqrt(16 - 4).
    TEST_CASE("an emitted test has the exact mean and the exact standard deviation") {
        for (std::string const language : {"pytorch", "jax", "cpp"}) {
            auto const run = run_program(words("ntk 1,1,1 --emit-test " + language));
            CHECK(run.code == 0);
            std::string const before = "\"ntk_mean\", 2.0, ";
            auto const at = run.out.find(before);
            REQUIRE(at != std::string::npos);
            CHECK(std::stod(run.out.substr(at + before.size())) == doctest::Approx(std::sqrt(12.0)));
            CHECK(run.out.find("the deviation is sampled") == std::string::npos);
        }
    }

    TEST_CASE("what was asked is in the head of the file, and the number of networks too") {
        auto const run = run_program(words("mup 2,3,1 --eta 1/2 --emit-test pytorch --emit-samples 7777"));
        CHECK(run.code == 0);
        CHECK(run.out.find("isserlis mup 2,3,1") != std::string::npos);
        CHECK(run.out.find("SAMPLES = 7777\n") != std::string::npos);
        CHECK(run.out.find("FACTORS = [0.5, 0.5]") != std::string::npos);
        CHECK(run.out.find("\"mup_change_squared[1]\"") != std::string::npos);
    }

    TEST_CASE("what so few networks cannot confirm is left out and named, or refused") {
        auto const some = run_program(words("ntk 2,10:60,1 --emit-test pytorch --emit-samples 100000"));
        CHECK(some.code == 3);
        auto const run = run_program(words("ntk 2,10:8,1 --emit-test pytorch --emit-samples 1000"));
        CHECK(run.code == 0);
        CHECK(run.out.find("\"ntk_mean\"") != std::string::npos);
        CHECK(run.out.find("# left out: ntk_second_moment, which needs more than") != std::string::npos);
        auto const deep = run_program(words("ntk 2,10:600,1 --emit-test cpp"));
        CHECK(deep.code == 3);
        CHECK(deep.err.find("confirm nothing") != std::string::npos);
    }

    TEST_CASE("what --emit-test cannot write it refuses") {
        std::vector<std::pair<std::string, int>> const cases{{"hessian 2,3,1 --emit-test rust", 2},
                                                             {"hessian 2,3,1 --emit-samples 5", 2},
                                                             {"hessian 2,3,1 --emit-test cpp --format json", 2},
                                                             {"hessian 2,3,1 --emit-test cpp --check 100", 2},
                                                             {"hessian 2,3,1 --emit-test cpp --emit-samples 1", 2},
                                                             {"hessian 2,n,1 --emit-test cpp", 3},
                                                             {"ntk 2,n,1 --emit-test cpp", 3},
                                                             {"mup 2,n,1 --emit-test cpp", 3},
                                                             {"hessian 100,100,1 --emit-test cpp", 3},
                                                             {"ntk 2,3,1 2,4,1 --emit-test cpp", 3},
                                                             {"ntk 2,3,1 --bias-label-factor 1 --emit-test cpp", 3},
                                                             {"mup --depths 2 --widths 4 --emit-test cpp", 2}};
        for (auto const& [line, code] : cases) {
            auto const run = run_program(words(line));
            INFO(line, " ", run.err);
            CHECK(run.code == code);
            CHECK(run.out.empty());
            CHECK(run.err.find("--") != std::string::npos);
        }
    }
}
