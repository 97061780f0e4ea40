// SPDX-License-Identifier: MIT
// Kernels of infinitely wide networks, against finite ones where they have the same means.
#include <doctest/doctest.h>

#include <isserlis/quantity/ask.hpp>
#include <string>

#include "refusal.hpp"

using namespace isserlis;
using quantity::ask;
using test::refuses;

TEST_SUITE("quantity/kernel") {
    // docs/formulas/wide_kernels.md: sqrt(3)/pi + 2/3 and 2/3 more.
    TEST_CASE("one hidden ReLU layer at 60 degrees") {
        auto const a = ask({"kernel", {"relu"}, {{"weight_variance", {"2"}}, {"digits", {"30"}}}});
        CHECK(a.at("kernel", {"1", "relu"}).exact == "1");
        CHECK(a.at("kernel", {"2", "relu"}).decimal == "1.21799556208845871617799316498");
        CHECK(a.at("tangent_kernel", {"2", "relu"}).decimal == "1.88466222875512538284465983165");
        CHECK(a.at("kernel_x", {"2", "relu"}).exact == "2");
        CHECK(a.at("tangent_kernel_x", {"2", "relu"}).exact == "4");
        CHECK(a.at("kernel_correlation", {"1", "relu"}).exact == "1/2");
    }

    TEST_CASE("the diagonal is the mean of finite networks with biases") {
        auto const a = ask(
            {"kernel", {"leaky:1/3"}, {{"weight_variance", {"3/2"}}, {"bias_variance", {"1/4"}}, {"depth", {"3"}}}});
        CHECK(a.at("kernel_x", {"4", "leaky:1/3"}).exact == ask({"expect",
                                                                 {"z[1]^2", "2,5,3,4,1"},
                                                                 {{"activation", {"leaky:1/3"}},
                                                                  {"variance", {"3/2/fan_in"}},
                                                                  {"bias_variance", {"1/4"}},
                                                                  {"input", {"1,1"}}}})
                                                                .at("value")
                                                                .exact);
        CHECK(a.at("tangent_kernel_x", {"4", "leaky:1/3"}).exact == ask({"ntk",
                                                                         {"2,5,3,4,1"},
                                                                         {{"activation", {"leaky:1/3"}},
                                                                          {"variance", {"3/2/fan_in"}},
                                                                          {"label_factor", {"3/4,3/10,1/2,3/8"}},
                                                                          {"bias_variance", {"1/4"}},
                                                                          {"bias_label_factor", {"1/4"}},
                                                                          {"input", {"1,1"}}}})
                                                                        .at("ntk_mean")
                                                                        .exact);
    }

    TEST_CASE("real networks of one hidden layer agree, biases among their parameters") {
        for (std::string const unit : {"relu", "leaky:-1/2", "linear"}) {
            for (std::string const bias : {"0", "1/3"}) {
                auto const a = ask({"kernel",
                                    {unit},
                                    {{"weight_variance", {"2"}},
                                     {"bias_variance", {bias}},
                                     {"gram", {"1,-1/3,2"}},
                                     {"check", {"4000"}},
                                     {"seed", {"2"}}}});
                std::size_t checked = 0;
                for (auto const& r : a.results()) {
                    if (!r.check) continue;
                    ++checked;
                    CAPTURE(unit);
                    CAPTURE(bias);
                    CAPTURE(r.name);
                    CHECK(r.check->verdict != Check::Verdict::disagrees);
                }
                CHECK(checked == 12);
            }
        }
    }

    TEST_CASE("what is not served says so") {
        refuses({"kernel", {"tanh"}, {}}, "isserlis gain has the means over one");
        refuses({"kernel", {"crelu"}, {}}, "makes two features");
        refuses({"kernel", {"zap"}, {}}, "is not a unit");
        refuses({"kernel", {}, {}}, "a unit is missing");
        refuses({"kernel", {"relu"}, {{"gram", {"1,2"}}}}, "three are required");
        refuses({"kernel", {"relu"}, {{"gram", {"1,2,1"}}}}, "belong to no two inputs");
        refuses({"kernel", {"relu"}, {{"weight_variance", {"0"}}}}, "`weight_variance` = 0; it has to be positive");
        refuses({"kernel", {"relu"}, {{"layer", {"3"}}}}, "layer");
    }
}
