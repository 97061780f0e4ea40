// SPDX-License-Identifier: MIT
// mup with random biases, from outside.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

TEST_SUITE("cli/mup_bias") {
    // By hand, n,n,1 and |x|^2 = n with biases of variance s: Delta z_i = -n V_i g_i (V.h + c - y), g_i the gate, E V^2 =
    // 1/n^2, E z_i^2 = q = 2 + s and E g_i = 1/2. E V_i^2 g_i (V.h)^2 = q (3/2 + (n-1)/4)/n^4: six normals of V and gates
    // that are open with z^2, independent of its size; the bias c adds E V_i^2 g_i s = s/(2n^2), the target 1/(2n^2).
    TEST_CASE("one hidden layer is as derived by hand, in symbols") {
        auto const answer = ask("mup n,n,1 --input-squared-norm n --bias-variance s");
        CHECK(answer.exact("mup_a", Json{1}) == "(2*n^2*s + n*s + 2*n + 5*s + 10)/(4*n^2)");
        CHECK(answer.exact("mup_b", Json{1}) == "1/2");
        CHECK(answer.exact("preactivation_fourth_mean", Json{1}) == "3*(s + 2)^2");
        CHECK(answer.exact("mup_learning_rate") == "2*n/sqrt(2*n^2*s + 2*n^2 + n*s + 2*n + 5*s + 10)");
        CHECK(answer.text_of("assumptions").find("the step is one of the weights; biases stay") != std::string::npos);
    }

    // 400,000 networks of NumPy, biases fixed, signs for targets: 0.1924(27) and 5.93(15) of the first network here.
    TEST_CASE("deeper changes are those of coord-check, squared") {
        for (std::string const net :
             {"2,3,3,1 --bias-variance 1/2", "2,3,2,2 --bias-variance 1/4,0,1/fan_in --input 1,2 --eta 1/3",
              "2,3,3,1 --bias-variance 1/2 --bias-law uniform --parametrisation mup"}) {
            CAPTURE(net);
            auto const mup = ask("mup " + net);
            auto const check = ask("coord-check " + net);
            for (auto const& index : check.indices("change_rms")) {
                if (index[0] == 3) continue;
                double const rms = check.number("change_rms", index);
                CHECK(rms * rms == doctest::Approx(mup.number("mup_change_squared", Json{index[0]})));
            }
            CHECK(mup.number("mup_learning_rate") ==
                  doctest::Approx(1 / std::sqrt(mup.number("mup_change_squared", Json{2}))));
        }
        CHECK(ask("mup 2,3,3,1 --bias-variance 1/2").exact("mup_change_squared", Json{1}) == "7/36");
        CHECK(ask("mup 2,3,3,1 --bias-variance 1/2").exact("mup_change_squared", Json{2}) == "2939/486");
    }

    TEST_CASE("formulas in the depth are the numbers of each depth; a variance of 0 is no bias") {
        auto const deep = ask("mup n,n:L,1 --bias-variance s --layer 2 --set n=3,L=3,s=1/2");
        auto const numbers = ask("mup 3,3:3,1 --bias-variance 1/2");
        CHECK(deep.exact("mup_change_squared", Json{2}) == numbers.exact("mup_change_squared", Json{2}));
        CHECK(ask("mup 2,3,3,1 --bias-variance 0").json["results"] == ask("mup 2,3,3,1").json["results"]);
    }

    TEST_CASE("sampled networks agree: their biases stay, a step moves the weights alone") {
        auto const answer = ask("mup 2,3,1 --bias-variance 1/2 --check 40000");
        for (char const* name : {"mup_a", "mup_b", "preactivation_fourth_mean"})
            CHECK(answer.result(name, Json{1}).at("check").at("verdict") != "disagrees");
    }

    TEST_CASE("what is not served is refused by name") {
        refuses("mup --depths 1..3 --widths 4 --bias-variance 1", "--bias-variance", 2);
        refuses("mup 2,3,1 --bias-variance 1 --emit-test cpp", "--emit-test", 3);
        refuses("mup 2,3,1 --bias-law uniform", "--bias-law", 2);
        refuses("mup 4,4:60,1 --bias-variance 1", "--bias-variance: 60 layers", 3);
        CHECK(ask("mup 4,4:60,1 --bias-variance 1/100 --layer 3").indices("mup_b") == std::vector<Json>{Json{3}});
    }
}
