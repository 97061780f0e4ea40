// SPDX-License-Identifier: MIT
// loss-curve --with: samples by their inner products, against the same samples by --data, by hand, beside sampled networks.
#include <doctest/doctest.h>

#include <array>
#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/surd.hpp>
#include <map>
#include <string>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

constexpr std::array parts{"loss", "slope", "curvature", "curvature_chi", "curvature_gamma", "vertex_rate"};

/// Inputs (1/2, 1), (-1, 1), (3/2, 1), (1, 1), the constant feature counted, and targets (1, 0), (1/4, 2), (-2, 1), (1, 1/3).
char const* const four_samples = "x1,y1,y2\n1/2,1,0\n-1,1/4,2\n3/2,-2,1\n1,1,1/3\n";
char const* const four_targets = R"([[1, "1/4", -2, 1], ["1/4", "65/16", "3/2", "11/12"],
                                     [-2, "3/2", 5, "-5/3"], [1, "11/12", "-5/3", "10/9"]])";
char const* const four_products = R"([["5/4", "1/2", "7/4", "3/2"], ["1/2", 2, "-1/2", 0],
                                      ["7/4", "-1/2", "13/4", "5/2"], ["3/2", 0, "5/2", 2]])";

}  // namespace

TEST_SUITE("cli/gram_curve") {
    TEST_CASE("the curve of data, by their products and by their vectors") {
        Files const file;
        std::string const data = file("four.csv", four_samples);
        std::string const products =
            file("gram.json", R"({"inputs": ["a", "b", "c", "d"], "gram": )" + std::string(four_products) +
                                  R"(, "targets": )" + four_targets + "}");
        std::string const vectors = file(
            "vectors.json", R"({"inputs": {"a": ["1/2", 1], "b": [-1, 1], "c": ["3/2", 1], "d": [1, 1]}, "targets": )" +
                                std::string(four_targets) + "}");
        for (std::string const more : {"", " --batch 1", " --batch 3 --loss half-squared",
                                       " --bias-variance 1/3,1,2 --batch 2 --bias-label-factor 1/2"}) {
            CAPTURE(more);
            std::string const line = "loss-curve 2,3,4,2 --activation linear --gradient random" + more;
            bool const closed = more.find("bias") == std::string::npos;
            auto const by_data = ask(line + (closed ? " --samples 0" : "") + " --data " + data);
            auto const by_products = ask(line + " --with " + products);
            auto const by_vectors = ask(line + " --with " + vectors);
            for (char const* name : parts) {
                CHECK(by_products.exact(name, Json{1}) == by_data.exact(name, Json{1}));
                CHECK(by_vectors.exact(name, Json{1}) == by_data.exact(name, Json{1}));
            }
        }
        auto const sampled = ask(
            words("loss-curve 2,3,4,2 --activation linear --variance 1/3 --batch 2 --check 40000 --with " + products),
            60);
        for (char const* name : {"loss", "slope", "curvature"})
            CHECK(sampled.result(name, Json{1})["check"]["verdict"] == "agrees");
    }

    TEST_CASE("a curvature that is a square with something above 0 added is no condition") {
        Files const file;
        std::string const pair =
            file("pair.json", R"({"inputs": ["a", "b"], "gram": [[1, "r"], ["r", 1]], "targets": [[1, -1], [-1, 1]]})");
        auto const answer = run_program(words("loss-curve 2,3,1 --activation linear --with " + pair)).out;
        CHECK(answer.find("range: r real; (1 - r)*(r + 1) >= 0\n") != std::string::npos);
        CHECK(answer.find("  for  ") == std::string::npos);
        auto const at = ask(words("loss-curve 2,3,1 --activation linear --set r=-1/2 --with " + pair));
        CHECK(at.exact("vertex_rate", Json{1}) == "942/7543");
    }

    // One layer, L = |a.x - y|^2 of one sample: E a^2 = 1, g = a.x - y, E L' = -4 |x|^2 E g^2, E L'' = 8 |x|^4 E g^2.
    TEST_CASE("symbols by hand, and at their numbers") {
        Files const file;
        std::string const one = file("one.json", R"({"inputs": ["a"], "gram": [["q"]], "targets": [["t"]]})");
        auto const hand = ask("loss-curve d,1 --variance 1 --activation linear --with " + one);
        CHECK(hand.exact("loss", Json{1}) == "q + t");
        CHECK(hand.exact("slope", Json{1}) == "4*q*(-q - t)");
        CHECK(hand.exact("curvature", Json{1}) == "8*q^2*(q + t)");
        std::string const two = file(
            "two.json", R"({"inputs": ["a", "b"], "gram": [[1, "r"], ["r", 1]], "targets": [[1, "s"], ["s", 1]]})");
        std::string const line = " --activation linear --bias-variance v --batch 1 --with " + two;
        auto const formula = ask("loss-curve d,n,n,1" + line);
        auto const number = ask("loss-curve 2,3,3,1 --set r=1/3,s=1,v=1/5" + line);
        for (char const* name : parts) {
            auto const value =
                isserlis::parse_rational_function(formula.exact(name, Json{1}), name)
                    .evaluate(
                        {{"d", 2}, {"n", 3}, {"r", isserlis::ratio(1, 3)}, {"s", 1}, {"v", isserlis::ratio(1, 5)}});
            CHECK(isserlis::to_string(value) == number.exact(name, Json{1}));
        }
    }

    // Its formulas have thousands of terms; where they hold is found at numbers in place of the symbols that are left.
    TEST_CASE("symbols everywhere, the depth too, at their numbers") {
        Files const file;
        std::string const line =
            " --activation linear --bias-variance v --with " +
            file("two.json",
                 R"({"inputs": ["a", "b"], "gram": [[1, "r"], ["r", 1]], "targets": [[1, "s"], ["s", 1]]})");
        auto const formula = ask(words("loss-curve 2,n:L,1" + line), 60);
        auto const number = ask("loss-curve 2,n:L,1 --set n=3,L=2,r=1/3,s=1,v=1/5" + line);
        std::map<std::string, isserlis::Surd> const values{{"n", isserlis::Surd(3)},
                                                           {"L", isserlis::Surd(2)},
                                                           {"r", isserlis::Surd(isserlis::ratio(1, 3))},
                                                           {"s", isserlis::Surd(1)},
                                                           {"v", isserlis::Surd(isserlis::ratio(1, 5))}};
        for (char const* name : {"loss", "slope", "curvature"}) {
            auto const at =
                isserlis::evaluate<isserlis::Surd>(isserlis::Expression::parse(formula.exact(name, Json{1}), name),
                                                   [&](std::string const& symbol) { return values.at(symbol); });
            CHECK(isserlis::to_string(at) == number.exact(name, Json{1}));
        }
    }

    TEST_CASE("what are no samples is refused") {
        Files const file;
        auto const refused = [&](std::string const& json, std::string const& more,
                                 std::vector<std::string> const& named, int code) {
            is_refusal(
                run_program(words("loss-curve 2,3,1 --activation linear" + more + " --with " + file("bad.json", json))),
                named, code);
        };
        std::string const pair = R"({"inputs": ["a", "b"], "gram": )";
        std::string const good = pair + R"([[1, 0], [0, 1]], "targets": [[1, 1], [1, 1]]})";
        refused(pair + R"([[1, 2], [2, 1]], "targets": [[1, 1], [1, 1]]})", "", {"\"gram\"", "negative"}, 2);
        refused(pair + R"([[0, 1], [1, 1]], "targets": [[1, 1], [1, 1]]})", "", {"\"gram\"", "negative"}, 2);
        refused(pair + R"([[1, 0], [0, 1]], "targets": [[1, 0], [0, 1]]})", "", {"\"targets\"", "rank above 1"}, 2);
        refused(pair + R"([[1, 0], ["1/2", 1]], "targets": [[1, 1], [1, 1]]})", "", {"\"gram\"", "not symmetric"}, 2);
        refused(pair + R"([[1, 0], [0, 1]]})", "", {"\"targets\""}, 2);
        refused(R"({"inputs": {"a": [1, 2, 3]}, "targets": [[1]]})", "", {"3 numbers"}, 2);
        refused(good, " --gradient fixed", {"--gradient fixed"}, 3);
        refused(good, " --batch 3", {"--batch"}, 2);
        refused(good, " --samples 10", {"--samples"}, 3);
        refused(good, " --input 1,1", {"--input"}, 3);
        for (std::string const idle : {"--precision float", "--seed 3", "--threads 1"})
            refused(good, " " + idle, {"means nothing without --check: the curve of samples of --with is exact"}, 2);
        refused(good, " --data cos", {"--with"}, 2);
        is_refusal(run_program(words("loss-curve 2,3,1 --with " + file("good.json", good))), {"--activation"}, 3);
        is_refusal(run_program(words("expect z 2,3,1 --activation linear --with " + file("good.json", good))),
                   {"has \"targets\", which belong to samples; the keys of an observable are inputs, gram, constants"},
                   2);
    }
}
