// SPDX-License-Identifier: MIT
// `--solve` where 1 is no width or depth of the network: it begins at the first that is.
#include <doctest/doctest.h>

#include <string>

#include "json_answer.hpp"
#include "program.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

TEST_SUITE("cli/solve") {
    // Of |x|^2 = 1 and d = n = 4 the mean kernel is 2^L (3 L + 5)/8: 928 at L = 8, 2048 at L = 9.
    TEST_CASE("a residual network between plain matrices has a block") {
        std::string const network = " 4,4:L,1 --network resnet:2 --projections";
        auto const kernel = ask("ntk" + network + " --solve L --of ntk_mean --target 1000");
        CHECK(kernel.exact("solved_depth") == "8");
        CHECK(kernel.exact("value_above_depth") == "2048");
        CHECK(kernel.text_of("assumptions").find("at every depth tried: all from 2 on up to 9") != std::string::npos);
        refuses("ntk" + network + " --solve L --of ntk_mean --target 5", "ntk_mean is above it at L = 2 already");
        auto const at = [&](std::string const& depth) {
            return ask("hessian" + network + " --set L=" + depth).exact("target");
        };
        auto const hessian = ask("hessian" + network + " --solve L --of target --target 500");
        CHECK(hessian.exact("value_at_depth") == at(hessian.exact("solved_depth")));
        CHECK(hessian.exact("solved_depth") == "3");
        CHECK(hessian.exact("value_above_depth") == at("4"));
    }

    // The layer norm of 4 inputs is 4, so that the next n numbers have variance 1, of which a ReLU leaves a half.
    TEST_CASE("layers that are normalised have two neurons") {
        auto const a = ask("normalised 4,n:3,1 --norm layer --solve n --of squared_norm_mean,1 --target 10");
        CHECK(a.exact("solved_width") == "2");
        CHECK(a.exact("value_at_width") == "1");
        CHECK(a.result("value_below_width")["form"] == "no smaller width was tried");
    }

    // Each block adds the 4 of its normalised input to |y|^2, and |x|^2 = 1.
    TEST_CASE("a list of one width has two layers, and an index below the last one a layer below") {
        for (std::string const widths : {"4:L", "4,4:L"}) {
            CAPTURE(widths);
            auto const a = ask("normalised " + widths +
                               " --network resnet:2 --solve depth --of squared_norm_mean,L-1 --target 100");
            CHECK(a.exact("solved_depth") == "25");
            CHECK(a.exact("value_at_depth") == "97");
        }
        // The tenth layer is there from L = 9 on, as the output.
        refuses("norm 7,10:L,1 --solve L --of relative_variance,10 --target 1/2",
                "relative_variance is above it at L = 9 already");
    }

    TEST_CASE("what the quantity does not depend on is not looked for") {
        refuses("norm 2,n,1 --variance v --solve v --of relative_variance,2 --target 7/2",
                "relative_variance depends on no such symbol without a value; without a value are n");
    }
}
