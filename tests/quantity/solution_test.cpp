// SPDX-License-Identifier: MIT
// `solve`. Expected values by hand from the moments of He networks of ReLUs: E |h_l|^4/(E |h_l|^2)^2 = ((n + 5)/n)^l at
// hidden layer l, (m + 2)/m times that at m linear outputs.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/ring/parse.hpp>
#include <string>

#include "refusal.hpp"

using namespace isserlis;
using quantity::ask;
using quantity::Question;
using test::refuses;

namespace {

Question solving(std::string const& command, std::string const& widths, std::string const& symbol,
                 std::string const& of, std::string const& target, decltype(Question::parameters) more = {}) {
    more["solve"] = {symbol};
    more["of"] = {of};
    more["target"] = {target};
    return {command, {widths}, more};
}

std::string exact(Answer const& answer, std::string const& name, std::vector<std::string> const& index = {}) {
    return answer.at(name, index).exact.value_or("none");
}

}  // namespace

TEST_SUITE("quantity/solution") {
    // 3 (1 + 5/n)^10 - 1 <= 3 from n = 5/((4/3)^(1/10) - 1) = 171.3 on.
    TEST_CASE("the least width, with the values on either side of the target") {
        auto const a = ask(solving("norm", "7,n:10,1", "width", "relative_variance,11", "3"));
        CHECK(exact(a, "solved_width") == "172");
        auto const at = [](int n) { return 3 * std::pow(1 + 5.0 / n, 10) - 1; };
        CHECK(std::stod(*a.at("value_at_width").decimal) == doctest::Approx(at(172)));
        CHECK(std::stod(*a.at("value_below_width").decimal) == doctest::Approx(at(171)));
        CHECK(a.results().size() == 3);
        // A layer that the symbolic answer has within a stretch.
        CHECK(exact(ask(solving("norm", "7,10:L,1", "L", "relative_variance,L", "1")), "solved_depth") == "1");
        // The same in another command, by the symbol's name.
        CHECK(exact(ask(solving("jacobian", "7,n:10,1", "n", "output_relative_variance", "3")), "solved_width") ==
              "172");
        // The first width meets it: there is none before.
        auto const first = ask(solving("norm", "7,n,1", "n", "relative_variance,2", "100"));
        CHECK(exact(first, "solved_width") == "1");
        CHECK(!first.at("value_below_width").exact);
    }

    // E |h_2|^4/(E |h_2|^2)^2 = ((n + 5)/n)^2 at each depth behind it: by the formula of any layer, not by asking for a
    // million layers.
    TEST_CASE("a layer by its number, of which the answer has a formula for any") {
        auto const a = ask(solving("norm", "7,n:L,1", "n", "relative_variance,2", "1", {{"set", {"L=9"}}}));
        CHECK(exact(a, "solved_width") == "13");  // 5/(sqrt(2) - 1) = 12.07
        CHECK(exact(a, "value_at_width") == "155/169");
        CHECK(exact(a, "value_below_width") == "145/144");
        refuses(solving("norm", "7,10:L,1", "L", "relative_variance,2", "4"),
                "relative_variance is at most that at L = 1000000 too, about 1.250");
    }

    // (21/20)^L 6/5 <= 2 to L = 10.
    TEST_CASE("the greatest depth") {
        auto const a = ask(solving("norm", "784,100:L,10", "depth", "relative_variance,L+1", "1"));
        CHECK(exact(a, "solved_depth") == "10");
        CHECK(std::stod(*a.at("value_at_depth").decimal) == doctest::Approx(1.2 * std::pow(1.05, 10) - 1));
        CHECK(std::stod(*a.at("value_above_depth").decimal) == doctest::Approx(1.2 * std::pow(1.05, 11) - 1));
        // 3 (1 + 5/10^6)^L <= 303 to L = ln 101/ln(1 + 5e-6) = 923025.03..: by enclosures of numbers of a million digits.
        auto const far = ask(solving("norm", "784,1000000:L,1", "L", "relative_variance,L+1", "302"));
        CHECK(exact(far, "solved_depth") == std::to_string(static_cast<long>(std::log(101) / std::log1p(5e-6))));
    }

    // Four layers of width 10 after 4 inputs: output variance (4/1) prod v d g2 = 500 v^4.
    TEST_CASE("a number that a symbol stands for") {
        auto const a = ask(solving("init", "4,10:3,1", "v", "output_variance", "1", {{"variance", {"v"}}}));
        CHECK(std::stod(*a.at("solved_parameter").decimal) == doctest::Approx(std::pow(500, -0.25)).epsilon(1e-15));
        CHECK(a.at("solved_parameter").certified);
        auto const short_fraction =
            ask(solving("init", "4,10:3,1", "v", "output_variance", "500/81", {{"variance", {"v"}}}));
        CHECK(exact(short_fraction, "solved_parameter") == "1/3");
    }

    // K of one layer is eta |x|^2, |x|^2 = 1: 1/(v - 3) is 1/2 at v = 5, and (v - 2)/(v - 3) never 1. Both change sides at 3.
    TEST_CASE("a pole is no solution") {
        auto const line = [](std::string const& factor, std::string const& target) {
            return solving("ntk", "2,1", "v", "ntk_mean", target, {{"label_factor", {factor}}});
        };
        CHECK(exact(ask(line("1/(v-3)", "1/2")), "solved_parameter") == "5");
        refuses(line("(v-2)/(v-3)", "1"), "no v between 2^-40 and 2^40");
    }

    TEST_CASE("for each value of a table") {
        auto const a = ask(solving("norm", "7,n:L,1", "n", "relative_variance,L+1", "3", {{"table", {"L=1,10"}}}));
        CHECK(exact(a, "solved_width", {"10"}) == "172");
        CHECK(exact(a, "solved_width", {"1"}) == "15");  // 3 (1 + 5/n) <= 4
    }

    TEST_CASE("refusals name what is missing, and what was met") {
        refuses({"norm", {"7,n,1"}, {{"solve", {"n"}}, {"target", {"1"}}}}, "`of` is missing");
        refuses({"norm", {"7,n,1"}, {{"solve", {"n"}}, {"of", {"rho"}}}}, "`target` is missing");
        refuses({"norm", {"7,n,1"}, {{"of", {"rho"}}, {"target", {"1"}}}}, "`solve`");
        refuses(solving("norm", "7,n,1", "n", "rho", "1"), "is no quantity of this answer");
        refuses(solving("norm", "7,n,1", "n", "relative_variance,9", "1"), "there is none at n = 1");
        refuses(solving("norm", "7,n,1", "n", "relative_variance", "1"), "say which by its index");
        refuses(solving("norm", "7,n,1", "m", "relative_variance,2", "1"), "no such symbol");
        refuses(solving("norm", "m,n,1", "width", "relative_variance,2", "1"), "here are 2");
        refuses(solving("norm", "7,n:L,1", "n", "relative_variance,L+1", "1"), "L needs a value");
        refuses(solving("norm", "7,n,1", "n", "relative_variance,2", "1"), "still about 2");
        refuses(solving("norm", "7,9:L,1", "L", "relative_variance,L+1", "1"), "above it at L = 1 already");
        refuses(solving("norm", "7,n,1", "n", "log_squared_norm_mean,1", "1"), "no exact number");
        refuses(solving("init", "4,10:3,1", "v", "output_variance", "-1", {{"variance", {"v"}}}),
                "no v between 2^-40 and 2^40");
        refuses(solving("norm", "7,n,1", "n", "relative_variance,2", "3", {{"check", {"9"}}}), "`check`");
    }
}
