// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "json_answer.hpp"
#include "program.hpp"

using namespace isserlis::test;

namespace {

double number_of(JsonAnswer const& answer, std::string const& name, int epoch) {
    for (auto const& r : answer.json["results"])
        if (r["name"] == name && r["index"] == Json{epoch}) return std::stod(r["decimal"].get<std::string>());
    FAIL("no " << name << " of epoch " << epoch);
    return 0;
}

}  // namespace

TEST_SUITE("cli/sharpness") {
    // |w.x - y|^2 has the Hessian 2 x x'; features of the built-in cosine are orthogonal over its midpoints, with mean
    // squares 1 - 1/16^2 and 1.
    TEST_CASE("one linear unit on the cosine by hand, at every epoch the same") {
        auto const answer = ask("sharpness 2,1 --data cos --epochs 4 --every 2 --rate 1/10");
        for (int const epoch : {0, 2, 4}) {
            CHECK(number_of(answer, "top_eigenvalue", epoch) == doctest::Approx(2));
            CHECK(number_of(answer, "top_eigenvalue_modulus", epoch) == doctest::Approx(2));
            CHECK(number_of(answer, "stable_rate", epoch) == doctest::Approx(1));
        }
        auto const scaled = ask("sharpness 2,1 --data cos --label-factors 1/4");
        CHECK(number_of(scaled, "top_eigenvalue", 0) == doctest::Approx(0.5));
        CHECK(number_of(scaled, "stable_rate", 0) == doctest::Approx(4));
        CHECK(scaled.text_of("assumptions").find("h = 0.25 by layer") != std::string::npos);
    }

    // Below the stable rate of a quadratic descent falls, above it rises.
    TEST_CASE("the stable rate is where training on a quadratic turns") {
        auto const last = [](std::string const& rate) {
            auto const answer = ask("train 2,1 --data cos --epochs 400 --every 400 --rate " + rate);
            return number_of(answer, "loss", 400);
        };
        CHECK(last("0.99") < 0.51);
        CHECK(last("1.01") > 10);
    }

    TEST_CASE("a network whose Hessian has eigenvalues of both signs") {
        auto const answer = ask("sharpness 3,12,12,1 --data checkerboard --activation tanh --loss squared");
        CHECK(number_of(answer, "top_eigenvalue", 0) <= number_of(answer, "top_eigenvalue_modulus", 0));
        CHECK(number_of(answer, "top_eigenvalue", 0) * number_of(answer, "stable_rate", 0) == doctest::Approx(2));
    }

    TEST_CASE("a run that is killed at any time goes on to the same bytes") {
        TemporaryDirectory directory;
        std::string const run =
            "sharpness 2,12,12,1 --data cos --size 100 --batch-size 10 --activation tanh --optimiser momentum "
            "--rate 1/100 --epochs 40 --every 2 --format csv --label-factors ";
        std::string const line = run + "1/2,1,1";
        auto const body = [](std::string const& out) { return out.substr(out.find("name,index")); };
        std::string const whole = body(run_program(words(line)).out);
        for (double const seconds : {0.05, 0.2, 0.5}) {
            CAPTURE(seconds);
            std::string const file = directory / ("state" + std::to_string(seconds));
            static_cast<void>(run_program(words(line + " --checkpoint " + file), {.seconds = seconds}));
            CHECK(body(run_program(words(line + " --checkpoint " + file)).out) == whole);
            std::string const kept = read_file(file);
            CHECK(kept.rfind("isserlis sharpness-state 1\n", 0) == 0);
            Run const again = run_program(words(line + " --checkpoint " + file));
            CHECK(body(again.out) == whole);
            CHECK(again.out.find("went on after epoch 40 of the run") != std::string::npos);
            CHECK(read_file(file) == kept);
            for (std::string const other : {"1/2,1,1 --seed 3", "1,1,1"}) {
                Run const refused = run_program(words(run + other + " --checkpoint " + file));
                CHECK(refused.code == 2);
                CHECK(refused.err.find("it was left by another run") != std::string::npos);
            }
        }
        std::string const start = directory / "start";
        std::string const at_start = "sharpness 2,3,1 --data cos --checkpoint " + start;
        CHECK(run_program(words(at_start)).out.find("went on") == std::string::npos);
        CHECK(run_program(words(at_start)).out.find("went on after epoch 0") != std::string::npos);
        Run const of_training = run_program(words("train 2,3,1 --data cos --checkpoint " + start));
        CHECK(of_training.code == 2);
        CHECK(of_training.err.find("no training-state file") != std::string::npos);
    }

    TEST_CASE("what means nothing is refused by name") {
        for (auto const& [options, what] :
             std::vector<std::pair<std::string, std::string>>{{"--rate 1/2", "--rate means nothing"},
                                                              {"--every 3", "--every means nothing"},
                                                              {"--label-factors 1,2,3", "3 for 2 layers"},
                                                              {"--label-factors=-1,2", "a negative one"},
                                                              {"--save w.json", "--save"},
                                                              {"--check 100", "--check means nothing here"}}) {
            Run const run = run_program(words("sharpness 2,4,1 --data cos " + options));
            CAPTURE(options);
            CHECK(run.code == 2);
            CHECK_MESSAGE(run.err.find(what) != std::string::npos, run.err);
        }
    }
}
