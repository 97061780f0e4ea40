// SPDX-License-Identifier: MIT
// mup of linear networks: on several samples with targets, and of other units on one input.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <map>
#include <string>
#include <vector>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

char const* const three_samples = "x1,y1,y2\n1/2,1,0\n-1,1/4,2\n3/2,-2,1\n";
char const* const opposite = R"({"inputs": ["a", "b"], "gram": [[1, "r"], ["r", 1]], "targets": [[1, -1], [-1, 1]]})";

/// A formula at these numbers.
isserlis::Rational at(std::string const& formula, std::map<std::string, isserlis::Rational> const& values) {
    return isserlis::parse_rational_function(formula, "formula").evaluate(values).to_rational();
}

}  // namespace

TEST_SUITE("cli/mup_samples") {
    // By hand, d,n,1, variances 1/d and 1/n^2: Delta u_i(x_s) = -1/2 sum_k G_sk V_i (V.u_k - y_k), so that a = E V_i^2 (V.u)^2 has
    // (1/d)(1/n^4)(n + 2) G_kl and b has 1/n^2; of unit inputs with product r, mean_s sum_kl G_sk G_kl G_ls = 1 + 3 r^2, and
    // of y = (1, -1), an eigenvector of G, mean_s (sum_k G_sk y_k)^2 = (1 - r)^2.
    TEST_CASE("two samples by hand, in symbols") {
        Files const file;
        std::string const line = "mup d,n,1 --activation linear --with " + file("two.json", opposite);
        auto const step = ask(line);
        CHECK(at(step.exact("mup_a", Json{1}), {{"d", 2}, {"n", 3}, {"r", isserlis::ratio(1, 2)}}) ==
              isserlis::ratio(5 * 7, 4 * 4 * 2 * 81));
        CHECK(at(step.exact("mup_b", Json{1}), {{"n", 3}, {"r", isserlis::ratio(1, 2)}}) == isserlis::ratio(1, 144));
        CHECK(step.exact("mup_a", Json{1}) == "(n + 2)*(3*r^2 + 1)/(4*d*n^4)");
        CHECK(step.exact("mup_b", Json{1}) == "(r - 1)^2/(4*n^2)");
        CHECK(step.exact("mup_sample_change_squared", Json{"a", 1}) == step.exact("mup_change_squared", Json{1}));
        // A batch of one has a: mean_k of G_sk^2 G_kk (n + 2)/(d n^4), and b: mean_k G_sk^2/n^2.
        auto const batch = ask(line + " --batch 1");
        CHECK(batch.exact("mup_a", Json{1}) == "(n + 2)*(r^2 + 1)/(2*d*n^4)");
        CHECK(batch.exact("mup_b", Json{1}) == "(r^2 + 1)/(2*n^2)");
    }

    TEST_CASE("layers are those of coord-check, squared") {
        Files const file;
        std::string const data = file("three.csv", three_samples);
        for (std::string const more : {"", " --batch 2", " --batch 5 --replacement", " --bias-variance 1/3,1,2,0",
                                       " --parametrisation mup --eta 1/2"}) {
            CAPTURE(more);
            std::string const rest = " 2,3,4,2,2 --activation linear --data " + data + more;
            auto const mup = ask("mup" + rest);
            auto const check =
                ask("coord-check" + rest + (more.find("--par") == std::string::npos ? " --scheme mean-field" : ""));
            for (Json const& index : {Json{1, 3}, Json{2, 4}, Json{3, 2}}) {
                Json const layer{index[0]};
                CHECK(mup.exact("mup_a", layer) == check.exact("change_a", index));
                CHECK(mup.exact("mup_b", layer) == check.exact("change_b", index));
                for (int const k : {1, 2, 3}) {
                    double const rms = check.number("sample_change_rms", Json{k, index[0], index[1]});
                    CHECK(mup.number("mup_sample_change_squared", Json{k, index[0]}) == doctest::Approx(rms * rms));
                }
            }
            CHECK(mup.number("mup_learning_rate") ==
                  doctest::Approx(1 / std::sqrt(mup.number("mup_change_squared", Json{3}))));
            auto const alone = ask("mup" + rest + " --layer 2");
            CHECK(alone.exact("mup_a", Json{2}) == mup.exact("mup_a", Json{2}));
            CHECK(alone.exact("mup_learning_rate") == mup.exact("mup_learning_rate"));
        }
    }

    TEST_CASE("formulas in widths, depth and products are the numbers of each") {
        Files const file;
        std::string const two = file(
            "two.json", R"({"inputs": ["a", "b"], "gram": [[1, "r"], ["r", 1]], "targets": [[1, "s"], ["s", 1]]})");
        for (std::string const more : {"", " --batch 1", " --bias-variance v", " --parametrisation mup"}) {
            CAPTURE(more);
            std::string const rest = " --activation linear --with " + two + more;
            auto const deep = ask(words("mup d,n:L,1" + rest), 60);
            auto const numbers = ask("mup 2,3:4,1 --set r=1/3,s=-1" + rest +
                                     (more.find("bias") == std::string::npos ? "" : " --set v=1/5"));
            std::map<std::string, isserlis::Rational> const values{
                {"d", 2}, {"n", 3}, {"L", 4}, {"r", isserlis::ratio(1, 3)}, {"s", -1}, {"v", isserlis::ratio(1, 5)}};
            for (char const* name : {"mup_change_squared", "mup_a", "mup_b"})
                CHECK(isserlis::to_string(at(deep.exact(name, Json{"L"}), values)) == numbers.exact(name, Json{4}));
            CHECK(isserlis::to_string(at(deep.exact("mup_sample_change_squared", Json{"a", "L"}), values)) ==
                  numbers.exact("mup_sample_change_squared", Json{"a", 4}));
            auto const widths = ask("mup d,n,n,n,n,1" + rest);
            CHECK(isserlis::to_string(at(widths.exact("mup_a", Json{2}), values)) == numbers.exact("mup_a", Json{2}));
        }
    }

    // A step on one sample, and on one sample twice, is that on one input.
    TEST_CASE("one sample is one input") {
        Files const file;
        for (std::string const sample : {"1/2,3/2,2\n", "1/2,3/2,2\n1/2,3/2,2\n"}) {
            std::string const data = file("one.csv", "x1,y1,y2\n" + sample);
            for (std::string const more : {"", " --bias-variance 1/5", " --parametrisation ntk --eta 2"}) {
                CAPTURE(more);
                std::string const net = "mup 2,3,4,2 --activation linear" + more;
                auto const several = ask(net + " --data " + data);
                auto const one = ask(net + " --input 1/2,1 --target-second-moment 25/4");
                for (int const l : {1, 2})
                    for (char const* name : {"mup_a", "mup_b", "mup_change_squared"})
                        CHECK(several.exact(name, Json{l}) == one.exact(name, Json{l}));
                CHECK(several.exact("mup_learning_rate") == one.exact("mup_learning_rate"));
            }
        }
    }

    // 1,1,1 with |x| = 1: Delta z = -V (V u - y), V and u normal; linear a = E V^4 u^2 = 3; through leaky:1/2 the gate g is 1 or
    // 1/2: Delta z = -g V (V g u - y), a = 3 E g^4 = 51/32 and b = E g^2 = 5/8 at variance 1, and g2 = 5/8 makes E u^2 = 8/5.
    TEST_CASE("other units on one input by hand") {
        auto const linear = ask("mup 1,1,1 --activation linear");
        CHECK(linear.exact("mup_a", Json{1}) == "3");
        CHECK(linear.exact("mup_b", Json{1}) == "1");
        CHECK(linear.exact("preactivation_fourth_mean", Json{1}) == "3");
        auto const leaky = ask("mup 1,1,1 --activation leaky:1/2 --check 40000");
        CHECK(leaky.exact("mup_a", Json{1}) == "51/20");
        CHECK(leaky.exact("mup_b", Json{1}) == "5/8");
        CHECK(leaky.result("mup_a", Json{1})["check"]["verdict"] != "disagrees");
        auto const deep = ask("mup n,n:L,1 --activation linear --input-squared-norm n");
        auto const numbers = ask("mup 3,3:4,1 --activation linear --input-squared-norm 3");
        for (char const* name : {"mup_a", "mup_b"})
            CHECK(isserlis::to_string(at(deep.exact(name, Json{"L"}), {{"n", 3}, {"L", 4}})) ==
                  numbers.exact(name, Json{4}));
    }

    TEST_CASE("sampled networks agree") {
        Files const file;
        std::string const data = file("three.csv", three_samples);
        for (std::string const network : {"2,3,4,2", "2,3,3,2 --bias-variance 1/2 --batch 2",
                                          "2,3,2 --batch 4 --replacement --parametrisation mup"}) {
            CAPTURE(network);
            auto const step = ask(words("mup --activation linear --check 20000 --data " + data + " " + network), 60);
            int agreed = 0;
            for (auto const& result : step.json["results"]) {
                if (!result["check"].is_object()) continue;
                CHECK(result["check"]["verdict"] != "disagrees");
                agreed += result["check"]["verdict"] == "agrees" ? 1 : 0;
            }
            CHECK(agreed > 3);
        }
    }

    TEST_CASE("what is not served is told with the way out") {
        Files const file;
        std::string const data = " --data " + file("three.csv", three_samples);
        std::string const inputs = file("inputs.csv", "1,0\n0,1\n");
        refuses("mup 2,3,3,1 --activation linear --input " + inputs,
                "linear and leaky units have samples with targets, by --data", 3);
        refuses("mup 2,3,2 --activation linear --input 1,2" + data, "--input: the samples are those of --data");
        refuses("mup 2,3,2 --activation linear --batch 4" + data, "--batch = 4; there are 3 samples");
        refuses("mup 2,3,2 --activation linear --batch 1", "--batch");
        refuses("mup 2,2 --activation linear" + data, "there is no hidden layer", 3);
        refuses("mup 2,3,1 --activation linear" + data, "end with 1, but data");
        refuses("mup 2,3:60,2 --activation linear" + data, "60 hidden layers; with samples up to 40", 3);
        refuses("mup 2,3,2 --activation linear --emit-test cpp" + data, "--emit-test", 3);
        refuses("mup --depths 1..3 --widths 4 --activation linear", "--activation is for one network");
        refuses("mup --depths 1..3 --widths 4" + data, "--data is for one network");
        CHECK(ask("mup 2,3:60,2 --activation linear --layer 3" + data).indices("mup_b") == std::vector<Json>{Json{3}});
    }
}
