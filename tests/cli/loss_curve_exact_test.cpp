// SPDX-License-Identifier: MIT
// loss-curve: values that are known without sampling, beside others that have them and beside sampled networks.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "loss_curve_answer.hpp"

using namespace isserlis::test;

TEST_SUITE("cli/loss_curve_exact") {
    namespace {

    std::string exact(JsonAnswer const& answer, std::string const& name, int k = 1) {
        return answer.result(name, {k})["exact"].get<std::string>();
    }

    std::string form(JsonAnswer const& answer, std::string const& name, int k = 1) {
        return answer.result(name, {k})["form"].get<std::string>();
    }

    }  // namespace

    // W4a of the thesis audit: brute force over all moments of the weights gave these fractions.
    TEST_CASE("one sample under another law: linear is leaky:1 is crelu-tied") {
        Files const files;
        std::string const rest = " --data " + files("one.csv", "x1,y1\n1,1\n") +
                                 " --gradient random --law uniform --scheme xavier --samples 0";
        for (char const* activation : {"linear", "leaky:1", "crelu-tied"}) {
            CAPTURE(activation);
            JsonAnswer const answer = asked("2,3,2,1 --activation " + std::string(activation) + rest);
            CHECK(exact(answer, "slope") == "-6604/75");
            CHECK(exact(answer, "curvature") == "50615056/11025");
        }
    }

    TEST_CASE("several samples under another law: each value is refused for its own reason") {
        Files const files;
        std::string const data = files("two.csv", "x1,y1\n1,1\n2,0\n");
        JsonAnswer const fixed =
            asked("2,3,2,1 --activation linear --law uniform --samples 0 --gradient fixed --data " + data);
        CHECK(fixed.result("slope", {1})["exact"].is_string());
        CHECK(form(fixed, "curvature").find("the curvature is served for Gaussian weights") != std::string::npos);
        JsonAnswer const random =
            asked("2,3,2,1 --activation linear --kurtosis 2 --samples 0 --gradient random --data " + data);
        CHECK(form(random, "slope").find("slope and curvature of squared errors are served") != std::string::npos);
    }

    // 10^7 networks of an engine of its own: slope -266 +- 4, curvature 159000 +- 13000. In a file it has no closed form to
    // fall back on.
    TEST_CASE("several samples under another law: linear networks go by strands") {
        Files const files;
        std::string const data = " --gradient random --data " + files("two.csv", "x1,x2,y1\n-1,1,-1\n2,-1,2\n");
        JsonAnswer const chain =
            asked("3,1,2,1 --activation linear --scheme mean-field --law laplace --samples 0" + data);
        CHECK(exact(chain, "slope") == "-19571/72");
        CHECK(exact(chain, "curvature") == "4248755/24");
        std::string const file =
            files("chain.json",
                  R"({"nodes": [{"name": "x", "width": 3}, {"name": "a", "width": 1, "activation": "linear"},
                {"name": "b", "width": 2, "activation": "linear"}, {"name": "z", "width": 1, "activation": "linear"}],
                "edges": [{"from": "x", "to": "a", "law": "laplace"}, {"from": "a", "to": "b", "law": "laplace"},
                {"from": "b", "to": "z", "law": "laplace", "variance": "1/4"}]})");
        JsonAnswer const graph = asked("--network " + file + data);
        for (char const* name : {"loss", "slope", "curvature", "curvature_chi", "curvature_gamma", "vertex_rate"})
            CHECK(exact(chain, name) == exact(graph, name));
        JsonAnswer const symbolic = asked("3,n,2,1 --activation linear --scheme mean-field --law laplace" + data);
        CHECK(exact(symbolic, "slope").find("n^2") != std::string::npos);
        JsonAnswer const at_one =
            asked("3,n,2,1 --activation linear --scheme mean-field --law laplace --set n=1" + data);
        CHECK(exact(at_one, "curvature") == "4248755/24");
    }

    // W3: a sum of gradients times inputs that is 0 moves no layer, whatever the law.
    TEST_CASE("no step at all is 0, not what rounding leaves of it") {
        for (std::string const& rest : {std::string("--size 3 --law uniform --scheme proportional"),
                                        std::string("--size 16 --law laplace"), std::string("--size 5")}) {
            CAPTURE(rest);
            JsonAnswer const answer =
                asked("2,3,2,1 --data cos --gradient fixed --activation linear --samples 200 " + rest);
            CHECK(exact(answer, "slope") == "0");
            CHECK(exact(answer, "curvature") == "0");
        }
        Files const files;
        // A loss without Hessians has no curvature; -13/9 is a hand value below.
        JsonAnswer const straight = asked("2,3,3,1 --activation relu --gradient fixed --samples 200 --data " +
                                          files("straight.csv", "x1,g1,h1_1\n1,1,0\n-1,2,0\n"));
        CHECK(exact(straight, "curvature") == "0");
        CHECK(straight.result("slope", {1})["exact"].is_null());
    }

    // (1/9)|sum_k g^k x^k|^2 = (9 + 4)/9 by hand.
    TEST_CASE("one layer and fixed gradients: nothing is random") {
        Files const files;
        std::string const rest = " --gradient fixed --law uniform --samples 0 --data " +
                                 files("three.csv", "x1,g1,h1_1\n1,1,2\n-0.5,2,1\n3,-1,1\n");
        for (char const* activation : {"linear", "relu", "leaky:1/3"}) {
            JsonAnswer const answer = asked("2,1 --activation " + std::string(activation) + rest);
            CHECK(exact(answer, "slope") == "-13/9");
            CHECK(exact(answer, "curvature") == "253/108");
        }
        // Split: positive parts 1, 0, 3 and negative ones 0, -1/2, 0 of x1: sums -2, -1, 2.
        for (char const* activation : {"crelu", "crelu-tied"})
            CHECK(exact(asked("2,1 --activation " + std::string(activation) + rest), "slope") == "-1");
    }

    // W4c, W4d: values of the audit, to its digits.
    TEST_CASE("cosine data: one layer, and two layers with gates") {
        auto const digits = [](std::string const& line, char const* name, char const* expected) {
            CAPTURE(line);
            JsonAnswer const answer = asked(line + " --data cos --samples 0 --digits 12");
            CHECK(answer.result(name, {1})["decimal"] == expected);
        };
        digits("2,1 --gradient random --activation crelu-tied", "curvature", "12.5959520870");
        digits("2,1 --gradient random --activation crelu", "curvature", "16.8303063665");
        digits("2,1 --gradient random --activation crelu", "slope", "-6.59611878865");
        digits("2,3,1 --gradient fixed --activation relu", "slope", "-0.484275247468");
        digits("2,3,1 --gradient fixed --activation crelu", "slope", "-0.918773598020");
    }

    // W4e: |z - 1|^2 and |z - 0|^2 on one input are |z - 1/2|^2 twice, but for a constant.
    TEST_CASE("equal inputs are one with the mean target") {
        Files const files;
        JsonAnswer const two = asked("2,3,1 --gradient random --activation relu --samples 0 --data " +
                                     files("dup.csv", "x1,y1\n1,1\n1,0\n"));
        JsonAnswer const one = asked("2,3,1 --gradient random --activation relu --samples 0 --data " +
                                     files("half.csv", "x1,y1\n1,1/2\n"));
        CHECK(exact(two, "slope") == "-335/3");
        CHECK(exact(two, "curvature") == "43616/9");
        CHECK(exact(one, "slope") == "-335/3");
        CHECK(exact(two, "loss") == "5/2");
        CHECK(exact(one, "loss") == "9/4");
    }

    TEST_CASE("sampled networks agree") {
        Files const files;
        std::string const many = files("many.csv", "x1,x2,y1,y2\n1,2,1,0\n-1,1/2,0,1\n0.3,-1,1,0\n");
        std::string const same = files("same.csv", "x1,x2,y1,y2\n1,2,1,0\n1,2,0,3\n");
        for (std::string const& line :
             {"3,4,2 --gradient fixed --activation relu --data " + many,
              "3,4,2 --gradient fixed --activation leaky:1/4 --standardize --data " + many,
              "3,4,2 --gradient fixed --activation crelu --loss cross-entropy --at-output 1,-1 --data " + many,
              "3,4,2 --gradient random --activation relu --data " + many,
              "3,4,2 --gradient random --activation leaky:-1/4 --loss half-squared --batch 2 --data " + many,
              "3,4,2 --gradient random --activation crelu --data " + many,
              "3,2 --gradient random --activation crelu --law uniform --data " + many,
              "3,2 --gradient random --activation crelu-tied --loss half-squared --data " + many,
              "3,2 --gradient random --activation relu --law laplace --data " + many,
              "3,3,2 --gradient random --activation relu --data " + same,
              "3,3,2 --gradient random --activation linear --law uniform --data " + same}) {
            check_sampled(line + " --check 40000 --seed 7");
        }
    }

    TEST_CASE("one sample: the closed form of two layers is the strand engine's") {
        Files const files;
        // Two samples of which one has no gradient go the way of many.
        std::string const one = " --gradient fixed --samples 0 --data " + files("one.csv", "x1,g1,h1_1\n1/2,2,1\n");
        std::string const two =
            " --gradient fixed --samples 0 --data " + files("two.csv", "x1,g1,h1_1\n1/2,4,2\n3,0,0\n");
        for (char const* activation : {"relu", "leaky:1/4", "crelu"}) {
            CAPTURE(activation);
            std::string const net = "2,3,1 --activation " + std::string(activation);
            CHECK(exact(asked(net + two), "slope") == exact(asked(net + one), "slope"));
            if (std::string(activation) == "crelu") continue;
            CHECK(asked(net + two).result("curvature", {1})["decimal"] ==
                  asked(net + one).result("curvature", {1})["decimal"]);
        }
    }

    // A leaky ReLU of slope 1 goes the way of gates.
    TEST_CASE("squared errors of several samples: the closed form of two layers is the linear network's") {
        Files const files;
        std::string const rest =
            " --gradient random --samples 0 --data " + files("three.csv", "x1,y1,y2\n1,1,0\n2,0,3\n-1,1,1\n");
        auto const linear = asked("2,3,2 --activation linear" + rest);
        CHECK(asked("2,3,2 --activation leaky:1" + rest).number("slope", {1}) ==
              doctest::Approx(linear.number("slope", {1})).epsilon(1e-15));
        auto const relu = asked("2,3,2 --activation relu" + rest);
        CHECK(form(relu, "slope") == "sums of kernels of the angles between inputs");
    }

    // W5, W6, W7, W9
    TEST_CASE("what is said of rates") {
        JsonAnswer const fixed =
            asked("2,4,1 --data cos --at-output 1 --gradient fixed --activation linear --samples 0 --printed");
        CHECK(form(fixed, "slope_printed").find("proportional scheme") != std::string::npos);
        std::string const both =
            "2,4,1 2,6,1 --data cos --gradient random --activation crelu-tied --scheme proportional --samples 2000";
        JsonAnswer const two = asked(both);
        JsonAnswer const second = asked(both + " --layer 2");
        for (char const* name :
             {"transferred_rate", "transfer_ratio", "transferred_minimiser", "minimiser_transfer_ratio"}) {
            CAPTURE(name);
            CHECK(value(second, name, 2) == value(two, name, 2));
            CHECK(form(two, name, 2).find("sampled: 2000 networks, standard error") == 0);
        }
        CHECK(
            value(two, "minimiser_transfer_ratio", 2) ==
            doctest::Approx(value(two, "transferred_minimiser", 2) / value(two, "sampled_minimiser", 2)).epsilon(0.02));
        for (auto const& r : two.json["results"])
            if (r["name"] == "vertex_rate") CHECK(r.dump().find("which are checked") == std::string::npos);
    }

    // W2
    TEST_CASE("symbols stand for hidden widths only") {
        for (char const* widths : {"n0,n,1", "2,n,k", "3,n,1"}) {
            auto const run = run_program(
                words("loss-curve " + std::string(widths) + " --data cos --gradient random --activation linear"));
            CAPTURE(widths);
            CHECK(run.code == 2);
            CHECK_MESSAGE(run.err.find("data 'cos' has d_") != std::string::npos, run.err);
        }
    }

    TEST_CASE("one sample: crelu-tied has the linear network's formula in the widths") {
        Files const files;
        std::string const rest = " --gradient random --scheme xavier --data " + files("one.csv", "x1,y1\n1,1\n");
        JsonAnswer const linear = asked("2,n,n,1 --activation linear" + rest);
        JsonAnswer const tied = asked("2,n,n,1 --activation crelu-tied" + rest);
        CHECK(exact(tied, "curvature") == exact(linear, "curvature"));
        // Where the ranges end is asked at numbers, where nothing is sampled: that took a minute.
        CHECK(run_program(words("loss-curve 2,n:L,1 --activation crelu-tied --timeout 20" + rest)).code == 0);
    }

    // W11: z^1 = (0, 2); with h(0) = 1/2 of Def 3.13 the slope is -896 by hand.
    TEST_CASE("a pre-activation of exactly 0 is said to be one") {
        Files const files;
        std::string const net =
            files("net.json",
                  R"({"activation": "crelu", "layers": [{"weights": [[1, -1], [1, 1]], "negative": [[2, 3], [1, 1]]},)"
                  R"( {"weights": [[4, 1]], "negative": [[6, 1]]}]})");
        JsonAnswer const answer =
            asked("--weights " + net + " --gradient random --data " + files("nz.csv", "x1,y1\n1,0\n"));
        CHECK(value(answer, "slope") == doctest::Approx(-896));
        CHECK(answer.json["warnings"].dump().find("exactly 0") != std::string::npos);
    }

    // D11: an answer at once, with what is known, how long the rest would take, and a number of samples to ask for.
    TEST_CASE("what would take hours is not begun unasked") {
        JsonAnswer const answer = asked("2,256:40,1 --data cos --size 200 --gradient random --activation relu");
        CHECK(answer.result("loss", {1})["exact"].is_string());
        CHECK(form(answer, "slope").find("4000 networks take about") != std::string::npos);
        CHECK(form(answer, "slope").find("--samples") != std::string::npos);
    }
}
