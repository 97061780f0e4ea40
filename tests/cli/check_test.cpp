// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "json_answer.hpp"

using namespace isserlis::test;

TEST_SUITE("cli/check") {
    TEST_CASE("the answer depends on the seed and on nothing else: 1, 2 and 3 threads, bit for bit") {
        for (std::string const line :
             {"norm 2,5,3,1 --check 20000", "moments 2,10,3,1 --check 30000", "products 2,10,3,1 --check 30000",
              "init 2,5,2 --activation crelu --check 3000", "report 2,5,3,1 --check 20000"}) {
            auto const one = ask(line + " --seed 7 --threads 1");
            for (std::string const threads : {"2", "3", "8"})
                CHECK(one.json["results"].dump() ==
                      ask(line + " --seed 7 --threads " + threads).json["results"].dump());
            CHECK(one.json["results"].dump() == ask(line + " --seed 7").json["results"].dump());
            CHECK(one.json["results"].dump() != ask(line + " --seed 8").json["results"].dump());
            CHECK(ask(line).json["results"].dump() == ask(line + " --seed 1").json["results"].dump());
        }
    }

    TEST_CASE("exact values agree with sampled networks: activations, laws, readings, inputs") {
        std::size_t agreed = 0;
        for (std::string const activation : {"relu", "linear", "leaky:1/3", "crelu", "crelu-tied"}) {
            for (std::string const more :
                 {"", "--law uniform --input 1,1/2", "--law laplace --input 1,-1/2",
                  "--kurtosis 2 --input 1,0 --ties fair-coin", "--law rademacher --input 1,1/3 --ties fair-coin",
                  "--head activation", "--pre", "--scheme mean-field", "--variance 1/2,1/3",
                  "--input-squared-norm 3 --input-fourth 5 --kurtosis 4,9/5 --ties fair-coin"}) {
                auto const arguments =
                    words("norm 2,5,3 --activation " + activation + " " + more + " --check 20000 --format json");
                Run const run = run_program(arguments);
                INFO(shown(arguments), run.err);
                CHECK(run.code == 0);
                if (run.code != 0) continue;
                auto const answer = Json::parse(run.out);
                for (auto const& r : answer["results"]) {
                    if (r["check"].is_null()) continue;
                    INFO(r.dump());
                    CHECK(r["check"]["verdict"] != "disagrees");
                    // The mean logarithm is that of the networks that are alive.
                    if (r["name"] != "log_squared_norm_mean") CHECK(r["check"]["samples"] == 20000);
                    if (r["check"]["verdict"] == "agrees") ++agreed;
                }
            }
        }
        CHECK(agreed > 300);
    }

    // The update ratios are what sampled networks do, or are not given: a gated head of several outputs too.
    TEST_CASE("update ratios agree with sampled networks for every head") {
        for (std::string const activation : {"relu", "linear", "leaky:1/3", "crelu"}) {
            for (std::string const head : {"linear", "activation"}) {
                for (std::string const widths : {"2,5,3,1", "2,5,3,2"}) {
                    if (activation == "crelu" && head == "activation") continue;  // refused
                    auto const arguments = words("init " + widths + " --activation " + activation + " --head " + head +
                                                 " --check 60000 --format json");
                    Run const run = run_program(arguments);
                    INFO(shown(arguments), run.out);
                    CHECK(run.code == 0);
                }
            }
        }
    }

    TEST_CASE("check: z is the distance in standard errors and the verdict follows from it") {
        std::size_t seen = 0;
        for (std::string const line : {"norm 2,10:3,1 --check 20000", "moments 2,10,1 --check 50000",
                                       "products 2,10,4,1 --check 50000", "init 2,5,3,1 --check 20000"}) {
            auto const answer = ask(line);
            for (auto const& r : answer.json["results"]) {
                if (r["check"].is_null()) continue;
                auto const& c = r["check"];
                double const exact = std::strtod(r["decimal"].get<std::string>().c_str(), nullptr);
                double const mean = c["mean"];
                double const error = c["std_error"];
                INFO(r.dump());
                if (error <= 1e-9 * std::fabs(exact)) continue;
                CHECK(c["z"].get<double>() == doctest::Approx((mean - exact) / error).epsilon(1e-6).scale(1e-6));
                bool const far = std::fabs(c["z"].get<double>()) > 5;
                CHECK((c["verdict"] == "disagrees") == far);
                if (c["verdict"] == "agrees" && exact != 0) CHECK(error < 0.5 * std::fabs(exact));
                ++seen;
            }
        }
        CHECK(seen > 30);
    }

    // The estimators of higher moments are far from normal when their standard error is a large part of the value: five
    // of those are no refutation, and an exact formula has to survive any seed.
    TEST_CASE("too few samples for a heavy tail do not refute what is right") {
        for (int seed = 1; seed <= 24; ++seed) {
            auto const line = "norm 2,5,3,1 --check 3000 --format json --seed " + std::to_string(seed);
            Run const run = run_program(words(line));
            CAPTURE(seed);
            CHECK(run.code == 0);
        }
    }

    TEST_CASE("what cannot be sampled has a null check and a reason") {
        for (std::string const line :
             {"scaling-factor 2,3,1 --check 100", "norm a,b,1 --check 100", "moments a,b,1 --check 100",
              "init a,b,1 --check 100", "products 2,n:L,1 --check 10"}) {
            auto const answer = ask(line);
            for (auto const& r : answer.json["results"]) {
                CHECK(r["check"].is_null());
                CHECK(r.contains("unchecked"));
            }
        }
        CHECK(ask("norm n,3,1 --set n=2 --check 2000").result("squared_norm_mean", {1})["check"].is_object());
    }

    TEST_CASE("a law with atoms is not sampled through gates unless ties are decided; a kurtosis list counts too") {
        for (std::string const law : {"--law rademacher --input 1,1", "--kurtosis 4,1 --input 1,0 --head activation",
                                      "--kurtosis 1 --input 1,1"}) {
            Run const run = run_program(words("norm 2,3,1 --check 100 " + law));
            CAPTURE(law);
            CHECK(run.code == 3);
            CHECK(run.out.empty());
            CHECK(run.err.find("--ties fair-coin") != std::string::npos);
            CHECK(run_program(words("norm 2,3,1 --check 1000 --ties fair-coin " + law)).code == 0);
        }
        CHECK(run_program(words("norm 2,3,1 --check 1000 --activation linear --law rademacher --input 1,1")).code == 0);
    }

    TEST_CASE("what rounding leaves of 0 is 0") {
        for (
            std::string const line :
            {"loss-curve 2,256,1 --activation linear --gradient fixed --data text:x1,y1;0,1/10;0,2/10;0,-3/10",
             "loss-curve 2,64,1 --activation linear --gradient fixed --data cos --size 3",
             "mup 2,128,1 --activation linear --data cos --size 3",
             "coord-check 2,3,1 --activation linear --data cos --size 3",
             "expect z[i]^2-1 7,7,7 --activation linear --law orthogonal",
             "expect norm2(W1)-7 7,7,7 --activation linear --law orthogonal",
             "trace tr(A*A^T)-7+1/1000000000000 --shape A=7 --law orthogonal",
             "expect W1[1,i]*W1[2,i] 3,3 --law orthogonal --activation linear",
             "expect norm2(W1)+c 7,7,7 --law orthogonal --activation linear --set c=-7",
             R"(expect (z@a+z@b+z@c)^2 2,3,1 --activation linear --with text:{"inputs":{"a":["1/3","1/7"],"b":["2/3","-3/7"],"c":["-1","2/7"]}})",
             "ntk 3,100,1 --activation linear --label-factor 1,0 --data text:x1,x2,y1;30/11,5/7,1;-8/7,163/55,-1",
             "mup 3,100,1 --data text:x1,x2,y1;0.7,0.3,0.1;0.7,0.3,0.2;0.7,0.3,-0.3",
             R"(form A.9 3,3,3 --with text:{"x":["30/11","5/7","1"],"y":["-8/7","163/55","1"],"w":["1/7","1/3","1"],"v":["1/3","1/7","1/9"],"i":1})",
             "trace E[norm2(A*A^T-I)]/2 --shape A=3 --law orthogonal",
             "trace tr(D*A*A^T) --shape A=3 --law A=orthogonal --diagonal D=1/10,2/10,-3/10"}) {
            CAPTURE(line);
            for (auto const& r : ask(line + " --check 1000").json["results"]) {
                if (r["check"].is_null() || r["exact"] != "0") continue;
                CHECK(r["check"]["verdict"] == "agrees");
                CHECK(std::fabs(r["check"]["z"].get<double>()) < 5);
            }
            CHECK(run_program(words(line + " --check 1000")).code == 0);
        }
    }

    TEST_CASE("the sampled error beside an exact one is in the units of the value") {
        // Each is a multiple of what is sampled: over the number of outputs, by rates of a step, by a mean over neurons.
        std::vector<std::pair<std::string, std::string>> const asked{
            {"init 2,3,4", "output_variance"},
            {"mup 2,4,1 --parametrisation mup", "mup_b"},
            {"depth-rules 2,3,1 --network resnet:1 --depths 2", "depth_square"}};
        for (auto const& [line, name] : asked) {
            auto const answer = ask(line + " --check 2000");
            CAPTURE(line);
            int found = 0;
            for (auto const& r : answer.json["results"]) {
                if (r["name"] != name || r["check"].is_null()) continue;
                auto const& c = r["check"];
                REQUIRE(c.contains("sampled_error"));
                CHECK(c["std_error_kind"] == "exact");
                // Tails are light: the two are near each other.
                double const ratio = c["sampled_error"].get<double>() / c["std_error"].get<double>();
                CHECK(ratio == doctest::Approx(1).epsilon(0.35));
                ++found;
            }
            CHECK(found > 0);
        }
    }

    TEST_CASE("samples of the layer asked for are those of the whole network") {
        auto const full = ask("norm 2,5,3,1 --check 20000");
        auto const one = ask("norm 2,5,3,1 --check 20000 --layer 2");
        for (auto const& r : one.json["results"]) CHECK(full.result(r["name"], r["index"])["check"] == r["check"]);
    }
}
