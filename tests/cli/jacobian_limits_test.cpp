// SPDX-License-Identifier: MIT
// Limits of Jacobian norms in width and depth, and the scale or width that meets a target.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

TEST_SUITE("cli/jacobian_limits") {
    // (1 + alpha^2)^100 = 2, so alpha = sqrt(2^(1/100) - 1); alpha^3 = 1/27 for a linear network of three layers.
    TEST_CASE("--solve alpha: the scale that meets a target, beside Fixup's") {
        auto const a = ask("jacobian 64:101 --network resnet:2 --solve alpha --of output_mean --target 2");
        CHECK(a.number("solved_alpha") == doctest::Approx(std::sqrt(std::pow(2, 0.01) - 1)).epsilon(1e-14));
        CHECK(a.number("solved_weight_scale") == doctest::Approx(std::sqrt(a.number("solved_alpha"))).epsilon(1e-14));
        CHECK(a.exact("fixup_weight_scale") == "1/10");
        CHECK(ask("jacobian 5,3,4,5 --activation linear --solve alpha --of output_mean --target 1/27")
                  .exact("solved_alpha") == "1/3");
        CHECK(ask("jacobian 4:9 --network resnet:3 --solve alpha --of output_mean --target 3")
                  .number("fixup_weight_scale") == doctest::Approx(std::pow(8, -0.25)).epsilon(1e-14));
        // The solution put back into the network gives the target.
        for (std::string const line : {"jacobian 6:5 --network resnet:2 --layer 2,1 --kurtosis 9/5 --input-fourth 1/2",
                                       "jacobian 6:5 --network densenet --layer 2", "jacobian 6:5 --layer 2"}) {
            CAPTURE(line);
            for (std::string const name : {"jacobian_mean", "relative_variance"}) {
                if (name == "relative_variance" && line == "jacobian 6:5 --layer 2") continue;
                Json const index = line.find("2,1") == std::string::npos ? Json{2} : Json{2, 1};
                std::string const text = std::to_string(1.05 * ask(line).number(name, index));
                auto const solved = ask(line + " --solve alpha --of " + name + " --target " + text);
                std::string const alpha = solved.result("solved_alpha").at("decimal").get<std::string>();
                auto const back = ask(line + " --alpha " + alpha);
                CHECK(back.number(name, index) == doctest::Approx(std::stod(text)).epsilon(1e-12));
            }
        }
        refuses("jacobian 4:4 --solve alpha --of output_relative_variance --target 1/9", "no alpha was found");
        refuses("jacobian 4:4 --solve alpha --of jacobian_mean --target 1", "--layer");
        refuses("jacobian 4:4 --solve alpha --of mean --target 1", "--of");
        refuses("jacobian 4:4 --solve alpha --of output_mean --target -1", "--target");
        refuses("jacobian 4:4 --solve alpha --of output_mean", "--target");
        refuses("jacobian 4:4 --solve alpha --of output_mean --target 1 --layer 2", "--layer");
        refuses("jacobian 4:4 --solve alpha --of output_mean --target 1 --wrt input", "--wrt");
        refuses("jacobian 4:4 --solve beta --of output_mean --target 1", "no such symbol");
        refuses("jacobian 4:4 --target 1", "--target");
        refuses("jacobian 4:4 --solve alpha --of output_mean --target 1 --alpha 2", "--alpha");
        refuses("jacobian n:4 --solve alpha --of output_mean --target 1", "--solve", 3);
        refuses("jacobian 4:5001 --solve alpha --of output_mean --target 1", "--solve", 3);
    }

    // residual.md, sections 4 and 5: 5(k-1) + (L-k+1) against 5L; e^(5 t b)(e^(5(1-t)b)/3 + 2 e^(-(1-t)b)/3); and for
    // blocks (k-1) b + 5(k'-1) + (m-k') + (L-k)(m-1) mu^2/(1+mu)^2, b = (4 mu + mu^2 (5m-3))/(1+mu)^2.
    TEST_CASE("--limit: wide networks, and wide and deep ones") {
        auto const wide = ask("jacobian n,n:L --head activation --limit wide --layer l");
        CHECK(wide.exact("relative_variance_limit", {"l"}) == "0");
        CHECK(wide.exact("output_relative_variance_limit") == "0");
        CHECK(wide.exact("relative_variance_leading", {"l"}) == "(L + 4*l - 4)/n");
        CHECK(wide.exact("output_relative_variance_leading") == "5*L/n");
        CHECK(ask("jacobian n,n:L --head activation --activation linear --limit wide --layer l")
                  .exact("relative_variance_leading", {"l"}) == "2*(l - 1)/n");
        CHECK(ask("jacobian n,n:L --network resnet:2 --limit wide --layer l")
                  .exact("relative_variance_leading", {"l", 1}) == "(L + 10*l - 7)/(4*n)");
        // Numbers far out agree with the leading order.
        double const dense =
            ask("jacobian 1000000:5 --network densenet --head activation --layer 3").number("relative_variance", {3});
        CHECK(ask("jacobian n:5 --network densenet --head activation --limit wide --layer 3")
                  .exact("relative_variance_leading", {3}) == "137/(36*n)");
        CHECK(dense * 1e6 == doctest::Approx(137.0 / 36).epsilon(1e-4));
        auto const both = ask("jacobian n,n:L --head activation --limit double-scaling --layer l");
        CHECK(both.exact("output_relative_variance_limit") == "exp(5*b) - 1");
        CHECK(both.exact("relative_variance_limit", {"l"}) == "1/3*exp(5*b) + 2/3*exp(b*(6*t - 1)) - 1");
        double const found = ask("jacobian 2000:1001 --head activation --layer 500").number("relative_variance", {500});
        CHECK(found == doctest::Approx(std::exp(2.5) / 3 + 2 * std::exp(1) / 3 - 1).epsilon(0.01));
        CHECK(ask("jacobian n0,n:L,1 --limit double-scaling").exact("relative_variance_limit", {"l"}) ==
              "exp(5*b) - 1");
        // mu = 1, m = 2: beta/(1 + mu)^2 = 1 + (11/4)/n, and beta' has -1/n.
        CHECK(ask("jacobian n,n:L --network resnet:2 --limit double-scaling --layer l")
                  .exact("output_relative_variance_limit") == "exp(11*b/4) - 1");
        refuses("jacobian 4:4 --limit wide", "--limit");
        refuses("jacobian n,m,3 --limit wide --head activation --set q=1", "--set");
        refuses("jacobian n,m,k --limit wide", "--limit");
        refuses("jacobian n:4 --limit double-scaling", "--limit");
        refuses("jacobian n,n:b --limit double-scaling", "--limit");
        refuses("jacobian n,n:L --limit narrow", "--limit");
    }

    // Variances that depend on the depth; far out the exact values approach what the limits say.
    TEST_CASE("--limit: no limit contains what goes to infinity; 0 has its leading order") {
        auto const root = ask("jacobian n,n:L --network resnet:2 --alpha 1/sqrt(L) --limit double-scaling --layer l,1");
        CHECK(root.exact("output_relative_variance_limit") == "0");
        CHECK(root.exact("output_relative_variance_leading") == "4/n");
        CHECK(root.exact("relative_variance_limit", {"l", 1}) == "0");
        auto const relative = [](std::string const& widths, std::string const& rest) {
            auto const out = ask("jacobian " + widths + " --wrt input --network " + rest);
            double const mean = out.number("output_mean");
            return out.number("output_variance") / (mean * mean);
        };
        CHECK(1000 * relative("1000,1000:2000", "resnet:2 --alpha 1/sqrt(2000)") == doctest::Approx(4).epsilon(0.01));
        auto const width = ask("jacobian n,n:L --network resnet:2 --alpha 1/n --limit double-scaling");
        CHECK(width.exact("output_relative_variance_limit") == "0");
        CHECK(width.exact("output_relative_variance_leading") == "4*b/n^2");
        // mu = 1/sqrt(L) in branches of one matrix: 4 sqrt(L)/n.
        auto const one = ask("jacobian n,n:L --network resnet:1 --alpha 1/sqrt(L) --limit double-scaling");
        CHECK(one.exact("output_relative_variance_leading") == "4*sqrt(b)/sqrt(n)");
        // The depth alone: (1 + 4 mu/n + ..)^L at mu = 1/L, and growth at mu = 1.
        auto const deep = ask("jacobian 40,40:L --network resnet:2 --alpha 1/sqrt(L) --limit deep");
        CHECK(deep.number("output_relative_variance_limit") == doctest::Approx(std::exp(0.1) - 1));
        CHECK(relative("40,40:4000", "resnet:2 --alpha 1/sqrt(4000)") ==
              doctest::Approx(std::exp(0.1) - 1).epsilon(2e-3));
        CHECK(ask("jacobian n,n:L --network resnet:2 --alpha 1/L --limit deep")
                  .exact("output_relative_variance_leading") == "4/(L*n)");
        auto const vanilla = ask("jacobian n,n:L --head activation --limit deep --layer l");
        CHECK(vanilla.exact("output_relative_variance_limit") == "null");
        CHECK(vanilla.exact("output_relative_variance_leading") == "(n + 5)^L/n^L");
        refuses("jacobian n,n:L --network resnet:2 --limit deep --alpha t", "another name");
    }

    // sinh(pi sqrt(5)/2)/(pi sqrt(5)/2) - 1; formula/dense_limit has the rest.
    TEST_CASE("--limit deep: dense networks do not fluctuate more with depth") {
        auto const a = ask("jacobian 4,4:L --network densenet --head activation --limit deep");
        CHECK(a.number("output_relative_variance_limit") == doctest::Approx(3.76867550902332));
        auto const deep = ask("jacobian 4,4:2000 --network densenet --head activation --layer 2");
        CHECK(a.number("relative_variance_limit", {2}) ==
              doctest::Approx(deep.number("relative_variance", {2})).epsilon(2e-3));
        // Other alpha: 3/2 far out, where what is left is of order 1/L.
        std::string const other = "--network densenet --head activation --alpha 3/2";
        auto const limit = ask("jacobian 4,4:L " + other + " --limit deep");
        auto const far = ask("jacobian 4,4:2000 " + other + " --layer 2");
        CHECK(limit.number("relative_variance_limit", {2}) ==
              doctest::Approx(far.number("relative_variance", {2})).epsilon(3e-3));
        double const mean = far.number("output_mean");
        CHECK(limit.number("output_relative_variance_limit") ==
              doctest::Approx(far.number("output_variance") / (mean * mean)).epsilon(3e-3));
        auto const last = ask("jacobian 4,4:2000 " + other + " --layer 2000");
        CHECK(limit.number("relative_variance_limit", {"L"}) ==
              doctest::Approx(last.number("relative_variance", {2000})).epsilon(3e-3));
        refuses("jacobian 4,4:L --network densenet --head activation --alpha a --limit deep", "--set");
        refuses("jacobian n,n:L --network densenet --head activation --limit deep", "--limit");
        refuses("jacobian 4:9 --limit deep", "--limit");
        refuses("jacobian n:4 --limit deep", "--limit");
    }

    // 3 (1 + 5/n)^10 - 1 <= 3 for a scalar linear head, so (1 + 5/n)^10 <= 4/3: n >= 5/((4/3)^(1/10) - 1) = 171.3.
    TEST_CASE("--solve width: the least width with a relative variance below the target") {
        auto const a = ask("jacobian 7,n:10,1 --solve width --of output_relative_variance --target 3");
        CHECK(a.exact("solved_width") == "172");
        CHECK(a.number("value_at_width") <= 3);
        CHECK(a.number("value_below_width") > 3);
        auto const back = ask("jacobian 7,172:10,1");
        double const mean = back.number("output_mean");
        CHECK(a.number("value_at_width") == doctest::Approx(back.number("output_variance") / mean / mean));
        // A width of 1 is as good as any when the target is large.
        CHECK(ask("jacobian 7,n,1 --solve width --of relative_variance --layer 1 --target 100").exact("solved_width") ==
              "1");
        refuses("jacobian 7,n:10,1 --solve width --of output_relative_variance --target 2", "--target");
        refuses("jacobian 7,n:10,m --solve width --of output_relative_variance --target 9", "--solve");
        refuses("jacobian 7,5,1 --solve width --of output_relative_variance --target 9", "--solve");
    }

    TEST_CASE("the limit of a bound that is cut off at 0 is that of the cut one") {
        // 4(20 n + 50 - n^2)/(3 n^2) of 3,n:2,2 is below 0 from n = 23 on, and 0 there.
        for (int layer : {1, 2, 3}) {
            CHECK(ask("jacobian 3,n:2,2 --limit n").exact("variance_lower_limit", {layer}) == "0");
            CHECK(ask("jacobian 3,n:2,2 --series 1/n")
                      .result("variance_lower_series_coefficient", {layer})["exact"]
                      .is_null());
        }
        CHECK(ask("jacobian 3,n:2,2 --set n=22").exact("variance_lower", {1}) == "2/121");
        CHECK(ask("jacobian 3,n:2,2 --set n=23").exact("variance_lower", {1}) == "0");
    }
}
