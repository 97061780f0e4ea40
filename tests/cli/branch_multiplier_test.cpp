// SPDX-License-Identifier: MIT
// --multiplier of residual branches: by hand, against variances and label factors in lists, against depth-rules, and drawn.
#include <doctest/doctest.h>

#include <isserlis/ring/parse.hpp>
#include <string>
#include <vector>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

/// The same results by both lines, but for what a name leaves out.
void same_results(std::string const& a, std::string const& b) {
    INFO(a, " | ", b);
    auto const first = ask(a);
    auto const second = ask(b);
    CHECK(first.json.at("results").size() > 0);
    CHECK(first.json.at("results") == second.json.at("results"));
}

}  // namespace

TEST_SUITE("cli/branch_multiplier") {
    // Units of one neuron without gates, f = b (1 + m w) a, all variances 1, m = 1/2, c = 1 + m w: E c^2 = 5/4, E c^4 = 43/16,
    // E c^6 = 499/64. The step changes y^1 = c a by -(c^2 + m^2 a^2) b (f - t): E of its square is
    // 3 (E c^6 + 6 m^2 E c^4 + 15 m^4 E c^2) + E c^4 + 2 m^2 E c^2 + 3 m^4 = 39 + 7/2. By m w, in place of w, c^2 + a^2 is there.
    TEST_CASE("one block by hand") {
        std::string const net = "1,1:2,1 --network resnet:1 --projections --multiplier 1/2";
        auto const step = ask("coord-check " + net);
        CHECK(step.exact("preactivation_rms", Json{1, 1}) == "sqrt(5)/2");
        CHECK(step.exact("change_rms", Json{1, 1}) == "sqrt(170)/2");
        // By b: E c^2; by w: m^2; by a: E c^2.
        CHECK(ask("ntk " + net).exact("ntk_mean") == "11/4");
        auto const jacobian = ask("jacobian " + net);
        CHECK(jacobian.exact("jacobian_mean", {"1.1"}) == "1/4");
        CHECK(jacobian.exact("jacobian_second_moment", {"1.1"}) == "9/16");  // m^4 E a^4 b^4
        CHECK(jacobian.exact("jacobian_mean", {"out"}) == "5/4");
        // y = (1 + m w) x
        auto const bare = ask("jacobian 1,1 --network resnet:1 --multiplier 1/2 --input 1");
        CHECK(bare.exact("jacobian_mean", {"1.1"}) == "1/4");
        CHECK(bare.exact("output_mean") == "5/4");
    }

    TEST_CASE("the last matrix of a branch has m^2 in its variance and its label factor") {
        std::string const net = " 2,3:3,2 --network resnet:2 --projections --input-squared-norm 3";
        std::string const m = net + " --multiplier 2/3";
        std::string const listed = net + " --variance 1/2,2/3,4/27,1/3";
        same_results("ntk" + m, "ntk" + listed + " --label-factor 1,1,4/9,1");
        same_results("hessian" + m, "hessian" + listed + " --label-factor 1,1,4/9,1");
        same_results("coord-check" + m, "coord-check" + listed + " --eta 1,1,4/9,1");
        same_results("coord-check" + m + " --bias-variance 1/2",
                     "coord-check" + listed + " --eta 1,1,4/9,1 --bias-variance 1/2,1/2,2/9,1/2");
        same_results("ntk" + m + " --bias-label-factor 1/3",
                     "ntk" + listed + " --label-factor 1,1,4/9,1 --bias-label-factor 1/3,1/3,4/27,1/3");
    }

    TEST_CASE("by theta the parameters have variance 1, and m stands beside their scale") {
        std::string const net = "1,1:2,1 --network resnet:1 --projections --scheme ntk --multiplier 1/2";
        CHECK(ask("ntk " + net).exact("ntk_mean") == "11/4");  // scales of 1
        CHECK(ask("jacobian " + net).exact("jacobian_mean", {"1.1"}) == "1/4");
        CHECK(ask("normalised 2,2:2,1 --network resnet:1 --projections --multiplier 1/2").json["results"] ==
              ask("normalised 2,2:2,1 --network resnet:1 --projections --alpha 1/4").json["results"]);
    }

    // DepthStep has the change in a closed form of its own, docs/formulas/depth_step.md.
    TEST_CASE("blocks counts them, and the rules of depth-rules are those of the other commands") {
        std::string const net = " --network resnet:2 --projections --input-squared-norm 8";
        same_results("ntk 8,4:5,1" + net + " --multiplier 1/sqrt(blocks)", "ntk 8,4:5,1" + net + " --multiplier 1/2");
        same_results("ntk 4:5 --network resnet:2 --alpha 1/blocks", "ntk 4:5 --network resnet:2 --alpha 1/4");
        auto const rules = ask("depth-rules 8,6,1 --input-squared-norm 8 --depths 4");
        for (auto const& [rule, m] : std::vector<std::pair<std::string, std::string>>{
                 {"none", "1"}, {"1/sqrt(L)", "1/sqrt(blocks)"}, {"1/L", "1/blocks"}}) {
            auto const line = "coord-check 8,6:5,1" + net + " --layer 4 --multiplier ";
            auto const step = ask(line + m);
            auto const change = step.number("change_rms", Json{4, 6});
            CHECK(change * change == doctest::Approx(rules.number("depth_change_squared", Json{4, rule})));
        }
    }

    TEST_CASE("a formula of the depth has the numbers of each depth") {
        std::string const net = " --network resnet:2 --projections --multiplier 1/sqrt(blocks)";
        auto const formula = ask("ntk 2,n:L,1" + net).exact("ntk_mean");
        for (int const depth : {2, 3, 6}) {
            std::string const l = std::to_string(depth);
            auto const value = isserlis::parse_rational_function(formula, "ntk").evaluate({{"n", 3}, {"L", depth}});
            CHECK(isserlis::parse_rational_function(ask("ntk 2,3:" + l + ",1" + net).exact("ntk_mean"), "ntk") ==
                  value);
        }
    }

    TEST_CASE("networks drawn with m beside their branches agree") {
        std::string const net = " 2,3:3,2 --network resnet:2 --projections --multiplier 1/2 --check 4000";
        for (std::string const& line : std::vector<std::string>{
                 "ntk" + net, "coord-check" + net, "jacobian" + net, "hessian" + net, "loss-curve" + net,
                 "ntk" + net + " --scheme ntk", "ntk" + net + " --bias-variance 1/3 --bias-label-factor 1/2"}) {
            INFO(line);
            auto const answer = ask(line);
            bool checked = false;
            for (auto const& r : answer.json.at("results")) {
                if (r["check"].is_null()) continue;
                checked = true;
                CHECK(r["check"]["verdict"] != "disagrees");
            }
            CHECK(checked);
        }
    }

    TEST_CASE("what has no branches has no multiplier") {
        refuses("ntk 3:3 --multiplier 1/2", "--network", 2);
        refuses("ntk 3:3 --network densenet --multiplier 1/2", "--multiplier", 2);
        refuses("ntk 3:3 --network resnet:2 --multiplier 0", "--multiplier", 2);
        refuses("coord-check 3,3,1 --alpha 1/blocks", "--alpha", 2);
        refuses("ntk 3,blocks:2,1 --network resnet:2 --projections --multiplier 1/blocks", "WIDTHS", 2);
        refuses("jacobian 3:3 --network resnet:2 --multiplier 1/2 --bounds growth", "--multiplier", 3);
    }
}
