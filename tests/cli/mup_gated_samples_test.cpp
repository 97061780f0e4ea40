// SPDX-License-Identifier: MIT
// mup on several samples with targets through ReLU, and on batches of them.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

TEST_SUITE("cli/mup_gated_samples") {
    namespace {

    char const* const three_samples = "x1,y1,y2\n1/2,1,0\n-1,1/4,2\n3/2,-2,1\n";

    std::string two_inputs(std::string const& product) {
        return R"({"inputs": ["a", "b"], "gram": [[1, )" + product + "], [" + product +
               R"(, 1]], "targets": [[1, "s"], ["s", 1]]})";
    }

    }  // namespace

    // By hand: mup 2,1,1 has v_1 = v_2 = 1, so that a_kk = 3/2 and b_kk = 1/2 for |x_k| = |y_k| = 1 (docs/formulas/batch_step.md).
    // x twice has a_kl = 3/2 and b_kl = s/2 throughout, x and -x have no open gate in common.
    TEST_CASE("two inputs on a line, with their targets' product in a symbol") {
        Files const file;
        auto const twice = ask("mup 2,1,1 --with " + file("twice.json", two_inputs("1")));
        CHECK(twice.exact("mup_a", Json{1}) == "3/2");
        CHECK(twice.exact("mup_b", Json{1}) == "(s + 1)/4");
        auto const opposite = ask("mup 2,1,1 --with " + file("opposite.json", two_inputs("-1")));
        CHECK(opposite.exact("mup_change_squared", Json{1}) == "1");
        CHECK(opposite.exact("mup_a", Json{1}) == "3/4");
        CHECK(opposite.exact("mup_learning_rate") == "1");
        for (std::string const name : {"a", "b"})
            CHECK(opposite.exact("mup_sample_change_squared", Json{name, 1}) == "1");
    }

    TEST_CASE("batches of one are the mean over samples of steps on each") {
        Files const file;
        std::string const with = " --with " + file("opposite.json", two_inputs("-1"));
        CHECK(ask("mup 2,1,1 --batch 1" + with).exact("mup_change_squared", Json{1}) == "2");
        CHECK(ask("mup 2,1,1 --batch 2" + with).exact("mup_change_squared", Json{1}) == "1");
        CHECK(ask("mup 2,1,1 --batch 2 --replacement" + with).exact("mup_change_squared", Json{1}) == "3/2");
    }

    TEST_CASE("one sample is the step of one input") {
        Files const file;
        auto const one = ask("mup 2,3,2 --input 1,2 --target-second-moment 5 --eta 2");
        auto const data = ask("mup 2,3,2 --eta 2 --data " + file("one.csv", "x1,y1,y2\n2,1,-2\n"));
        for (char const* name : {"mup_change_squared", "mup_a", "mup_b"})
            CHECK(data.exact(name, Json{1}) == one.exact(name, Json{1}));
        CHECK(data.exact("mup_learning_rate") == one.exact("mup_learning_rate"));
        // With biases the one goes by strands.
        std::string const biased = "mup 2,3,2 --bias-variance 1/2,1/3 --eta 2";
        auto const by_strands = ask(biased + " --input 1,2 --target-second-moment 5");
        auto const by_moments = ask(biased + " --data " + file("one.csv", "x1,y1,y2\n2,1,-2\n"));
        for (char const* name : {"mup_change_squared", "mup_a", "mup_b"})
            CHECK(by_moments.exact(name, Json{1}) == by_strands.exact(name, Json{1}));
    }

    TEST_CASE("gradients of whole batches and of drawn ones agree, for leaky units and other variances too") {
        Files const file;
        std::string const data = " --check 20000 --data " + file("three.csv", three_samples);
        for (std::string const options : {"", " --batch 2", " --activation leaky:1/4 --parametrisation ntk --eta 2",
                                          " --bias-variance 1/2,1/3 --batch 1"}) {
            INFO(options);
            auto const answer = ask("mup 2,3,2" + data + options);
            for (char const* name : {"mup_change_squared", "mup_a", "mup_b"})
                CHECK(answer.result(name, Json{1})["check"]["verdict"] == "agrees");
            for (int const k : {1, 2, 3})
                CHECK(answer.result("mup_sample_change_squared", Json{k, 1})["check"]["verdict"] == "agrees");
        }
    }

    TEST_CASE("targets that are no sums of square roots have certified digits") {
        auto const answer = ask("mup 2,3,1 --data cos --size 3 --check 20000");
        CHECK(answer.result("mup_change_squared", Json{1})["check"]["verdict"] == "agrees");
        CHECK(answer.result("mup_change_squared", Json{1})["form"] == "sums over the angles of pairs of inputs");
    }

    TEST_CASE("deeper networks are sampled, and say so") {
        Files const file;
        std::string const line = "mup 2,3,3,2 --data " + file("three.csv", three_samples);
        auto const silent = ask(line);
        CHECK(silent.result("mup_change_squared", Json{2})["form"].get<std::string>().find(
                  "closed for one hidden layer") != std::string::npos);
        auto const answer = ask(line + " --check 4000");
        CHECK(answer.result("mup_change_squared", Json{2})["form"].get<std::string>().find("sampled: 4000 networks") !=
              std::string::npos);
        double const change = answer.number("mup_change_squared", Json{2});
        CHECK(answer.number("mup_learning_rate") == doctest::Approx(1 / std::sqrt(change)).epsilon(1e-3));
        CHECK(ask("mup 2,2:8,1 --check 1000 --data " + file("one_output.csv", "x1,y1\n1,1\n-2,2\n1/2,-1\n"))
                  .result("mup_learning_rate")["form"]
                  .get<std::string>()
                  .find("not to be relied on") != std::string::npos);
        CHECK(
            ask(line + " --time 1s").result("mup_change_squared", Json{2})["form"].get<std::string>().find("sampled") !=
            std::string::npos);
        refuses(line + " --until 5%", "--until: what is sampled here has no value beside it", 3);
        CHECK(answer.number("mup_a", Json{2}) + answer.number("mup_b", Json{2}) ==
              doctest::Approx(change).epsilon(0.2));
    }

    TEST_CASE("what is not served is told with the way out") {
        Files const file;
        std::string const data = " --data " + file("three.csv", three_samples);
        refuses("mup 2,3,3,2 --bias-variance 1" + data, "Gaussian ones through one hidden layer", 3);
        refuses("mup 2,3,2 --bias-variance 1 --bias-law uniform" + data, "Gaussian ones through one hidden layer", 3);
        refuses("mup 2,3,2 --activation crelu" + data, "through relu or leaky units", 3);
        refuses("mup 2,2" + data, "no hidden layer", 3);
        refuses("mup 2,3:L,2" + data, "symbolic depth", 3);
        refuses("mup 2,3,2 --batch 4" + data, "4", 2);
        auto const symbolic = ask("mup 2,n,2" + data);
        CHECK(symbolic.result("mup_change_squared", Json{1})["form"].get<std::string>().find("irrational") !=
              std::string::npos);
    }
}
