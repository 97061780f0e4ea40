// SPDX-License-Identifier: MIT
// mup at symbolic depth: one formula in width and depth, equal to the recursion at every depth in numbers.
#include <doctest/doctest.h>

#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <string>

#include "json_answer.hpp"

using namespace isserlis::test;

namespace {

/// An exact text with its symbols replaced by numbers.
std::string at(std::string const& formula, int n, int depth) {
    auto const x = isserlis::parse_rational_function(formula, "formula");
    return isserlis::to_string(x.evaluate({{"n", isserlis::Rational(n)}, {"L", isserlis::Rational(depth)}}));
}

}  // namespace

TEST_SUITE("cli/mup_depth") {
    TEST_CASE("the formula is the recursion at every depth and width") {
        for (std::string const more : {"", " --parametrisation mup", " --parametrisation standard",
                                       " --parametrisation mean-field --target-second-moment 3", " --eta 2/3"}) {
            auto const deep = ask("mup n,n:L,1 --input-squared-norm n" + more);
            for (auto const& [n, depth] : {std::pair(1, 2), std::pair(2, 1), std::pair(4, 3), std::pair(7, 5)}) {
                CAPTURE(more);
                CAPTURE(n);
                CAPTURE(depth);
                auto const number = ask("mup n,n:" + std::to_string(depth) +
                                        ",1 --input-squared-norm n --set n=" + std::to_string(n) + more);
                for (char const* name : {"mup_change_squared", "mup_a", "mup_b", "preactivation_fourth_mean"})
                    CHECK(at(deep.exact(name, {"L"}), n, depth) == number.exact(name, Json{depth}));
            }
        }
    }

    TEST_CASE("a layer below the last one") {
        auto const deep = ask("mup n,n:L,1 --input-squared-norm n --layer 2");
        auto const number = ask("mup 4,4:5,1 --input-squared-norm 4");
        for (char const* name : {"mup_a", "mup_b"})
            CHECK(at(deep.exact(name, Json{2}), 4, 5) == number.exact(name, Json{2}));
        CHECK_FALSE(deep.has("mup_learning_rate"));
    }

    // spec: n to infinity, N = 1, |x|^2 = n: E (Delta z)^2 = L (2 L^2 + 1)/6, eta* = sqrt(6/(L (2 L^2 + 1))).
    TEST_CASE("limits") {
        auto const deep = ask("mup n,n:L,1 --input-squared-norm n");
        for (int depth : {1, 2, 9}) {
            CHECK(at(deep.exact("mup_wide_limit"), 1, depth) ==
                  isserlis::to_string(isserlis::ratio(depth * (2 * depth * depth + 1), 6)));
        }
        CHECK(deep.exact("mup_leading_term") == "L^3/3");
        CHECK(ask("mup n,n:L,1 --input-squared-norm n --set L=1").exact("mup_learning_rate") != "null");
        CHECK(deep.has("mup_rate_limit"));
        CHECK(deep.has("mup_double_leading"));
    }

    TEST_CASE("the fourteen functionals of the Hessian too") {
        auto const deep = ask("hessian n,n:L,1 --functionals --effective --input-squared-norm n");
        auto const below = ask("hessian n,n:L,1 --functionals --effective --input-squared-norm n --layer 2");
        for (auto const& [n, depth] : {std::pair(2, 2), std::pair(4, 3)}) {
            auto const number = ask("hessian n,n:" + std::to_string(depth) +
                                    ",1 --functionals --effective --input-squared-norm n --set n=" + std::to_string(n));
            for (char const* name :
                 {"u", "v", "y0", "y1", "ystar", "p0", "p1", "pstar", "q0", "q1", "qstar", "r0", "r2", "rstar"}) {
                CAPTURE(name);
                CHECK(at(deep.exact(name, {"L"}), n, depth) == number.exact(name, Json{depth}));
                CHECK(at(below.exact(name, Json{2}), n, depth) == number.exact(name, Json{2}));
            }
        }
    }

    // Theorems 4.15 and 4.19 in n and L, against the numbers of every depth.
    TEST_CASE("loss curves of linear networks of symbolic depth") {
        TemporaryDirectory const folder;
        std::string const file = folder / "one.csv";
        write_file(file, "x1,x2,y1\n1,2,1\n3,1,-1\n");
        for (std::string const gradient : {"fixed", "random"}) {
            std::string const rest = " --activation linear --samples 0 --gradient " + gradient + " --data " + file;
            auto const deep = ask("loss-curve 3,n:L,1" + rest);
            for (auto const& [n, depth] : {std::pair(2, 2), std::pair(4, 3)}) {
                auto const number =
                    ask("loss-curve 3,n:" + std::to_string(depth) + ",1 --set n=" + std::to_string(n) + rest);
                for (char const* name : {"slope", "curvature"}) {
                    CAPTURE(name);
                    CHECK(at(deep.exact(name, Json{1}), n, depth) == number.exact(name, Json{1}));
                }
            }
        }
    }
}
