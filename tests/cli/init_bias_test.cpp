// SPDX-License-Identifier: MIT
// init with random biases, from outside.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

TEST_SUITE("cli/init_bias") {
    // By hand, 2,3,3,1 of He variances 1, 2/3, 2/3 and biases of 1/2, |x|^2 = 2: E |h^1|^2 = 3 (2 + 1/2)/2 = 15/4 (3
    // without biases), E |h^2|^2 = 3 (5/2 + 1/2)/2 = 9/2 (3), E z^2 = 3 + 1/2. Ratios without biases are 3/2 and 9/2.
    TEST_CASE("update ratios and the output's variance are as worked out by hand") {
        auto const answer = ask("init 2,3,3,1 --bias-variance 1/2");
        CHECK(answer.exact("update_ratio", Json{1}) == "1");
        CHECK(answer.exact("update_ratio", Json{2}) == "15/8");
        CHECK(answer.exact("update_ratio", Json{3}) == "27/4");
        CHECK(answer.exact("output_variance") == "7/2");
        CHECK(answer.text_of("assumptions").find("the first step of the weights, biases stay") != std::string::npos);
    }

    TEST_CASE("at symbolic width and depth") {
        auto const answer = ask("init n0,n:L,1 --bias-variance s --c c");
        CHECK(answer.exact("update_ratio", Json{"l"}) == "n*(2*c^2 + l*s - s)/(2*c^2*n0)");
        CHECK(answer.exact("update_ratio", Json{"L + 1"}) == "n^2*(L*s + 2*c^2)/(2*c^2*n0)");
        CHECK(answer.exact("output_variance") == "L*s + 2*c^2 + s");
        CHECK(ask("init 2,3,1 --bias-variance 0").json["results"] == ask("init 2,3,1").json["results"]);
    }

    TEST_CASE("strands have the same updates") {
        for (std::string const net : {"2,4,3,2 --variance 1,1/2,1/3 --bias-variance 1/4,1/3,1/2",
                                      "2,4,3,1 --variance 1,1/2,1/3 --bias-variance 1 --head activation",
                                      "2,4,3,2 --variance 1,1/2,1/3 --bias-variance 1 --activation linear",
                                      "2,4,3,2 --variance 1,1/2,1/3 --bias-variance 1/4 --activation crelu"}) {
            CAPTURE(net);
            std::vector<double> const per_weights{1.0 * 8, 0.5 * 12, 1.0 / 3 * 3 * (net[6] - '0')};
            auto const answer = ask("init " + net);
            std::string const output = net.find("head") == std::string::npos ? "z" : "h";
            std::vector<double> sizes;
            for (int l = 1; l <= 3; ++l) {
                std::vector<std::string> question{"expect", output + "[1;m]^2 where m in " + std::to_string(l)};
                for (auto const& word : words(net + " --input-squared-norm 2")) question.push_back(word);
                sizes.push_back(ask(question).number("value") / per_weights[static_cast<std::size_t>(l - 1)]);
                CHECK(answer.number("update_ratio", Json{l}) == doctest::Approx(sizes.back() / sizes.front()));
            }
            CHECK(
                answer.number("output_variance") ==
                doctest::Approx(ask("expect " + output + "[1]^2 " + net + " --input-squared-norm 2").number("value")));
        }
    }

    TEST_CASE("sampled networks agree") {
        for (char const* line :
             {"init 2,3,3,1 --bias-variance 1/2 --check 20000",
              "init 2,3,1 --scheme ntk --bias-variance 1 --check 20000",
              "init 2,3,2 --activation crelu --bias-variance 1/2 --bias-law uniform --c 2 --check 20000",
              "init 2,3,1 --parametrisation mup --bias-variance 1/2 --check 20000"}) {
            CAPTURE(line);
            auto const answer = ask(line);
            for (auto const& index : answer.indices("update_ratio"))
                CHECK(answer.result("update_ratio", index).at("check").at("verdict") != "disagrees");
            CHECK(answer.result("output_variance").at("check").at("verdict") != "disagrees");
        }
    }

    TEST_CASE("what has no biases says so") {
        refuses("init 2,3,1 --bias-variance 1 --emit-test cpp", "--emit-test", 3);
        auto const printed = ask("init 2,3,1 --activation crelu --bias-variance 1 --printed");
        CHECK(printed.exact("output_variance_printed") == "null");
    }
}
