// SPDX-License-Identifier: MIT
// loss-curve of one sample by its input: residual networks, files and symbolic depth.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <string>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

/// An exact text with its symbols replaced by numbers.
std::string curve_at(std::string const& formula, int n, int depth) {
    auto const x = isserlis::parse_rational_function(formula, "formula");
    return isserlis::to_string(
        x.evaluate({{"n0", isserlis::Rational(2)}, {"n", isserlis::Rational(n)}, {"L", isserlis::Rational(depth)}}));
}

constexpr char const* numbers[] = {"loss", "slope", "curvature", "curvature_chi", "curvature_gamma"};

}  // namespace

TEST_SUITE("cli/one_sample_curve") {
    // y = w x, x = 1: the gradient is (w - t), the Hessian 1.
    TEST_CASE("one weight by hand") {
        auto const a = ask("loss-curve 1,1 --activation linear --variance 3 --input 1 --target-second-moment 2");
        CHECK(a.exact("loss", Json{1}) == "5/2");
        CHECK(a.exact("slope", Json{1}) == "-5");
        CHECK(a.exact("curvature", Json{1}) == "5");
        CHECK(a.exact("curvature_gamma", Json{1}) == "0");
        CHECK(a.exact("vertex_rate", Json{1}) == "1");
    }

    // f = u A v, A = 1 + w, all of variance 1: E A^2, A^4, A^6 = 2, 10, 76. With K = A^2 v^2 + u^2 v^2 + u^2 A^2 and
    // grad f . f'' grad f = 2 f (u^2 + v^2 + A^2): slope E (f^2 + 1) K = 78 + 5; chi E (f^2 + 1) K^2 = 5898 + 113; gamma
    // 2 E (f^4 + 3 f^2)(u^2 + v^2 + A^2) = 2 (1584 + 66).
    TEST_CASE("a residual network by hand") {
        auto const a = ask("loss-curve 1,1:2,1 --network resnet:1 --projections --variance 1 --activation linear");
        CHECK(a.exact("loss", Json{1}) == "3/2");
        CHECK(a.exact("slope", Json{1}) == "-83");
        CHECK(a.exact("curvature_chi", Json{1}) == "6011");
        CHECK(a.exact("curvature_gamma", Json{1}) == "3300");
        CHECK(a.exact("curvature", Json{1}) == "9311");
        CHECK(a.exact("vertex_rate", Json{1}) == "83/9311");
    }

    TEST_CASE("one formula in width and depth is the number at each") {
        for (std::string const wiring : {"", " --activation linear", " --network resnet:1 --projections"}) {
            auto const deep = ask("loss-curve n0,n:L,1 --input-squared-norm 1" + wiring);
            for (auto const& [n, depth] : {std::pair(2, 2), std::pair(3, 3), std::pair(5, 4)}) {
                auto const one = ask("loss-curve 2," + std::to_string(n) + ":" + std::to_string(depth) +
                                     ",1 --input-squared-norm 1" + wiring);
                for (char const* name : numbers) {
                    INFO(wiring, " ", name, " ", n, " ", depth);
                    CHECK(curve_at(deep.exact(name, Json{1}), n, depth) == one.exact(name, Json{1}));
                }
            }
        }
    }

    TEST_CASE("sampled networks agree") {
        for (std::string const rest : {"2,3:2,1 --network resnet:2 --projections --variance 1/3",
                                       "2,3,2 --input-squared-norm 2 --variance 1/2"}) {
            auto const a = ask("loss-curve " + rest + " --check 20000 --seed 3");
            for (char const* name : numbers) {
                INFO(rest, " ", name);
                CHECK(std::abs(a.result(name, Json{1})["check"]["z"].get<double>()) < 4.5);
            }
        }
    }

    // z = x + W relu(x) is odd in nothing: E y^3 would enter the curvature, and not the slope or the part of z'.
    TEST_CASE("what third moments of the targets enter is absent, the rest is there") {
        auto const a = ask("loss-curve 2:3 --network resnet:1 --check 2000");
        for (char const* name : {"curvature", "curvature_gamma", "vertex_rate"})
            CHECK(a.result(name, Json{1})["decimal"].is_null());
        for (char const* name : {"loss", "slope", "curvature_chi"})
            CHECK(std::abs(a.result(name, Json{1})["check"]["z"].get<double>()) < 4.5);
    }

    // One block alone, with a gate on its way: E y^3 meets a derivative whose mean is 0. NumPy, twice 4,000,000 networks:
    // curvature over curvature_chi 1.3805 with targets of random signs, 1.3801 with those of 95 % below their mean.
    TEST_CASE("third moments of the targets that meet 0 are not asked for") {
        std::string const line = "loss-curve 3:2 --network resnet:2 --input 1,2,3";
        auto const a = ask(line);
        CHECK(a.exact("curvature", Json{1}) == "1116416/9");
        CHECK(a.number("curvature", Json{1}) / a.number("curvature_chi", Json{1}) ==
              doctest::Approx(1.3803).epsilon(0.001));
        CHECK(ask(line + " --target-third-moment 2").exact("curvature", Json{1}) == "1116416/9");
    }

    // f = (1 + w_1)(1 + w_2), A = 1 + w: E A^2 = 2, E A^4 = 10, E A^6 = 76. E (f - y)^2 (A_1^2 + A_2^2)^2 = 504 + 28 s, and
    // 2 E (f - y)^3 f = 2 (E f^4 + 3 s E f^2 - t E f) = 2 (100 + 12 s - t).
    TEST_CASE("third moments of the targets by hand, beside sampled networks") {
        std::string const line = "loss-curve 1,1:2 --network resnet:1 --variance 1 --activation linear --input 1";
        auto const a = ask(line + " --target-second-moment s --target-third-moment t");
        CHECK(a.exact("curvature_chi", Json{1}) == "28*(s + 18)");
        CHECK(a.exact("curvature_gamma", Json{1}) == "2*(12*s - t + 100)");
        CHECK(a.text_of("assumptions").find("E|y|^2 = s, sum_i E y_i^3 = t") != std::string::npos);
        auto const sampled = ask(words(line + " --target-third-moment 4 --check 200000 --seed 2"), 60);
        CHECK(sampled.exact("curvature", Json{1}) == "748");
        for (char const* name : numbers)
            CHECK(std::abs(sampled.result(name, Json{1})["check"]["z"].get<double>()) < 4.5);
        refuses("loss-curve 2,10,1 --data cos --gradient random --target-third-moment 1", "--target-third-moment", 2);
    }

    // z = 1 + w at x = 1, of variance 1: the gradient is z - y, the Hessian 1, and E (z - y)^2 = 2 - 2 m + s.
    TEST_CASE("targets of a mean by hand, and where it does not enter") {
        std::string const line = "loss-curve 1,1 --network resnet:1 --variance 1 --activation linear --input 1";
        auto const formula = ask(line + " --target-mean m --target-second-moment s");
        auto const at = [](std::string const& text) {
            return isserlis::to_string(isserlis::parse_rational_function(text, "formula")
                                           .evaluate({{"m", isserlis::Rational(2)}, {"s", isserlis::Rational(5)}}));
        };
        CHECK(at(formula.exact("loss", Json{1})) == "3/2");
        CHECK(at(formula.exact("slope", Json{1})) == "-3");
        CHECK(at(formula.exact("curvature_chi", Json{1})) == "3");
        CHECK(formula.text_of("assumptions").find("of mean m in each output") != std::string::npos);
        CHECK(ask(line + " --target-mean m --target-second-moment s --set m=2,s=5").exact("slope", Json{1}) == "-3");
        CHECK(ask(line + " --target-mean 2 --target-second-moment 5 --check 2000").exact("loss", Json{1}) == "3/2");
        // A plain last matrix makes outputs as likely as their opposites.
        for (std::string const net : {"2,3,2", "2,3,3,2 --network resnet:1 --projections"}) {
            std::string const plain = "loss-curve " + net + " --input 1,2 --target-second-moment 2";
            for (char const* name : numbers)
                CHECK(ask(plain + " --target-mean 1/2").exact(name, Json{1}) == ask(plain).exact(name, Json{1}));
        }
    }

    TEST_CASE("targets of a mean beside expect and sampled networks") {
        std::string const rest = " 3,3,3 --network resnet:1 --input 1,2,-1 --target-mean 1/3 --target-second-moment 2";
        auto const third = ask("loss-curve" + rest + " --target-third-moment 1 --check 2000");
        auto const mean = [&](std::string const& query) {
            std::vector<std::string> line = words("expect" + rest + " --target-third-moment 1");
            line.insert(line.begin() + 1, query);
            return ask(line).exact("value");
        };
        CHECK(third.exact("slope", Json{1}) == mean("-(D[m] loss)^2"));
        CHECK(third.exact("curvature", Json{1}) == mean("D[m] loss D[m,n] loss D[n] loss"));
        for (char const* name : numbers) CHECK(third.result(name, Json{1})["check"]["verdict"] != "disagrees");
        auto const without = ask("loss-curve" + rest);
        CHECK(without.exact("slope", Json{1}) == third.exact("slope", Json{1}));
        CHECK(without.result("curvature", Json{1})["form"].get<std::string>().find("third moments") !=
              std::string::npos);
        refuses("loss-curve 3,3 --network resnet:1 --input-squared-norm 3 --target-mean 1/3", "--input");
        refuses("loss-curve 2,3,1 --input 1,2 --target-mean 3",
                "is at least the number of outputs times its square, 9");
        refuses("loss-curve 2,3,1 --data cos --gradient random --target-mean 1", "the samples are those of --data");
    }

    // The same sample as data, where biases of linear units have a formula over samples.
    TEST_CASE("biases step at the rate times their label factors") {
        std::string const net = "loss-curve 2,2,1 --activation linear --bias-variance 1 --bias-label-factor 1,1/3 ";
        auto const one = ask(net + "--input 1,1 --target-second-moment 1");
        auto const data = ask(net + "--gradient random --loss half-squared --data text:x1,y1;1,1");
        for (char const* name : {"loss", "slope", "curvature", "curvature_chi", "curvature_gamma", "vertex_rate"})
            CHECK(one.exact(name, Json{1}) == data.exact(name, Json{1}));
        CHECK(one.text_of("assumptions").find("biases step too, at the rate times 1,1/3") != std::string::npos);
        auto const still = ask("loss-curve 2,2,1 --bias-variance 1 --input 1,1");
        CHECK(still.text_of("assumptions").find("the step is one of the weights; biases stay") != std::string::npos);
    }

    TEST_CASE("several networks in one answer") {
        auto const a = ask("loss-curve 2,2:2,1 2,2:4,1 --network resnet:1 --projections");
        CHECK(a.exact("slope", Json{1}) != a.exact("slope", Json{2}));
    }

    TEST_CASE("what does not go together is named") {
        refuses("loss-curve 2,3,1 --input 1,1 --gradient random", "--gradient", 2);
        for (std::string const idle : {"--ties fair-coin", "--precision float", "--seed 2", "--threads 2"})
            refuses("loss-curve 2,3,1 --input 1,1 " + idle, " means nothing without --check", 2);
        refuses("loss-curve 2,3,1 --data cos --gradient random --law rademacher --ties fair-coin",
                "--ties: with --data networks are sampled with laws that have a density", 3);
        // Facts on targets that play no part: outputs are odd in the last weights, so that E y and E y^3 meet nothing.
        auto const idle =
            run_program(words("loss-curve 3,4,2 --input 1,2,2 --target-third-moment 1 --target-mean 1/9"));
        CHECK(idle.out.find("--target-third-moment has no effect") != std::string::npos);
        CHECK(idle.out.find("--target-mean has no effect") != std::string::npos);
        // What the refusal of ties advises works.
        refuses("loss-curve 2,2,1 --law rademacher --input 1,1 --check 100", "--ties fair-coin", 3);
        CHECK(run_program(words("loss-curve 2,2,1 --law rademacher --input 1,1 --check 100 --ties fair-coin")).code ==
              0);
        refuses("loss-curve 2,3,1 --input 1,1 --data cos", "--input", 2);
        refuses("loss-curve 2:3 --network resnet:1 --data cos --gradient random", "--network", 3);
        refuses("loss-curve 2,3,1 --data cos --gradient random --alpha 2", "--alpha", 2);
        refuses("loss-curve 2,3,1 --target-second-moment 2", "--target-second-moment", 2);
        refuses("loss-curve 2:3 --network resnet:1 --samples 10", "--samples", 2);
        refuses("loss-curve 2:3 --network resnet:1 --plot curve.svg", "--plot", 2);
        refuses("loss-curve 2:3 --network resnet:1 --printed", "--printed", 2);
        refuses("loss-curve 2:3 --network resnet:1 --layer 1", "--layer", 2);
        refuses("loss-curve 2,3,1", "--data", 2);
    }
}
