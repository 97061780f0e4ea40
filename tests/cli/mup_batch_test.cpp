// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "json_answer.hpp"
#include "program.hpp"

using namespace isserlis::test;

TEST_SUITE("cli/mup_batch") {
    // By hand: docs/formulas/batch_step.md
    TEST_CASE("two inputs at a right angle") {
        TemporaryDirectory const folder;
        write_file(folder / "right.csv", "1,0\n0,1\n");
        auto const answer = ask("mup 2,1,1 --input " + (folder / "right.csv"));
        CHECK(answer.names() == std::set<std::string>{"mup_batch_change_squared", "mup_batch_a", "mup_batch_b",
                                                      "mup_batch_learning_rate"});
        CHECK(answer.exact("mup_batch_learning_rate") == "sqrt(2)");
        for (int const k : {1, 2}) {
            CHECK(answer.exact("mup_batch_change_squared", Json{k}) == "1/2");
            CHECK(answer.exact("mup_batch_a", Json{k}) == "3/8");
            CHECK(answer.exact("mup_batch_b", Json{k}) == "1/8");
        }
        CHECK(answer.text_of("assumptions").find("E y_k.y_l = 0") != std::string::npos);
    }

    TEST_CASE("one input twice is that input, but for its targets") {
        TemporaryDirectory const folder;
        write_file(folder / "twice.csv", "1,2\n1,2\n");
        auto const one = ask("mup 2,n,2 --input 1,2 --eta 3");
        auto const twice = ask("mup 2,n,2 --eta 3 --target-second-moment 2 --input " + (folder / "twice.csv"));
        CHECK(twice.exact("mup_batch_a", Json{2}) == one.exact("mup_a", Json{1}));
        CHECK(twice.exact("mup_batch_b", Json{2}) == one.exact("mup_b", Json{1}));
    }

    TEST_CASE("a file of several inputs, where one is meant, says who takes several") {
        TemporaryDirectory const folder;
        write_file(folder / "two.csv", "1,0\n0,1\n");
        for (std::string const command : {"ntk", "coord-check", "norm"}) {
            auto const run = run_program(words(command + " 2,3,1 --input " + (folder / "two.csv")));
            CHECK(run.code == 2);
            CHECK(run.err.find("4 coordinates for an input width of 2; the file is one input here") !=
                  std::string::npos);
        }
    }

    TEST_CASE("at the rate of the batch its mean square change is 1") {
        TemporaryDirectory const folder;
        write_file(folder / "three.csv", "1,0\n1/2,-2\n-1,1\n");
        std::string const batch = " --input " + (folder / "three.csv");
        std::string const rate =
            std::to_string(ask("mup 2,3,2" + batch + " --eta 2").number("mup_batch_learning_rate") * 2);
        auto const answer = ask("mup 2,3,2" + batch + " --eta " + rate);
        double mean = 0;
        for (int const k : {1, 2, 3}) mean += answer.number("mup_batch_change_squared", Json{k}) / 3;
        CHECK(mean == doctest::Approx(1).epsilon(1e-5));  // of the digits of the rate
        CHECK(ask("mup 2,3,2 --eta 0" + batch).result("mup_batch_learning_rate")["form"] == "no rate changes anything");
    }

    TEST_CASE("gradients of whole batches agree, in other parametrisations too") {
        TemporaryDirectory const folder;
        write_file(folder / "three.csv", "1,0\n1/2,-2\n-1,1\n");
        for (std::string const options : {"", " --parametrisation ntk --eta 2,3 --target-second-moment 5"}) {
            auto const answer = ask("mup 2,3,2 --check 20000 --input " + (folder / "three.csv") + options);
            for (int const k : {1, 2, 3})
                CHECK(answer.result("mup_batch_change_squared", Json{k})["check"]["verdict"] == "agrees");
        }
    }

    TEST_CASE("what is not served is told with the way out") {
        TemporaryDirectory const folder;
        write_file(folder / "two.csv", "1,2\n1,3\n");
        auto const refused = [&](std::string const& question, int code, std::string const& said) {
            auto const run = run_program(words("mup " + question + " --input " + (folder / "two.csv")));
            CHECK(run.code == code);
            CHECK_MESSAGE(run.err.find(said) != std::string::npos, run.err);
        };
        refused("2,3,3,1", 3, "through one hidden layer, such as WIDTHS 2,8,1");
        refused("2,n,1", 3, "give the symbols numbers by --set");
        refused("2,3,1 --bias-variance 1", 3, "without biases; leave it out");
        refused("2,3,1 --layer 1", 2, "--layer is for one input");
        write_file(folder / "two.csv", "1,2\n0,0\n");
        refused("2,3,1", 2, "a vector is 0");
    }
}
