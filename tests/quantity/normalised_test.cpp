// SPDX-License-Identifier: MIT
// Networks with RMSNorm and LayerNorm: by hand, and on drawn networks.
#include <doctest/doctest.h>

#include <isserlis/quantity/ask.hpp>
#include <string>

#include "refusal.hpp"

using namespace isserlis;
using quantity::ask;
using quantity::Question;
using test::refuses;

namespace {

Question normalised(std::string const& widths, std::map<std::string, std::vector<std::string>> const& parameters = {}) {
    return {"normalised", {widths}, parameters};
}

/// How many rows are confirmed; none may disagree.
std::size_t agreeing_rows(Question const& question) {
    std::size_t out = 0;
    auto const answer = ask(question);
    for (auto const& r : answer.results()) {
        if (!r.check) continue;
        CAPTURE(r.name);
        CHECK(r.check->verdict != Check::Verdict::disagrees);
        if (r.check->verdict == Check::Verdict::agrees) ++out;
    }
    return out;
}

}  // namespace

TEST_SUITE("quantity/normalised") {
    // docs/formulas/normalised_norm.md
    TEST_CASE("by hand, in symbols") {
        auto const chain = ask(normalised("n,n:L,1"));
        CHECK(chain.at("squared_norm_mean", {"l"}).exact == "n/2");
        CHECK(chain.at("squared_norm_variance", {"l"}).exact == "3*n^2/(4*(n + 2))");
        CHECK(chain.at("squared_norm_mean", {"L + 1"}).exact == "1");
        auto const stream = ask(normalised("n:L", {{"network", {"resnet:2"}}}));
        CHECK(stream.at("squared_norm_mean", {"l"}).exact == "l*n + 1");
        CHECK(ask(normalised("3,2,1", {{"norm", {"layer"}}})).at("squared_norm_variance", {"1"}).exact == "0");
    }

    TEST_CASE("symbols, then numbers") {
        auto const formula =
            ask(normalised("n:L", {{"network", {"resnet:2"}}, {"branch_widths", {"m"}}, {"layer", {"l"}}}));
        auto const numbers = ask(normalised("3:5", {{"network", {"resnet:2"}}, {"branch_widths", {"4"}}}));
        auto const at_set =
            ask(normalised("n:L", {{"network", {"resnet:2"}}, {"branch_widths", {"m"}}, {"set", {"n=3,L=5,m=4"}}}));
        for (char const* name : {"squared_norm_variance", "squared_norm_skewness", "squared_norm_kurtosis"})
            CHECK(at_set.at(name, {"4"}).exact == numbers.at(name, {"4"}).exact);
        CHECK(formula.at("squared_norm_moment", {"l", "1"}).exact == "l*n + 1");
    }

    TEST_CASE("drawn networks agree") {
        for (std::string const norm : {"rms", "layer"}) {
            for (std::string const activation : {"relu", "leaky:1/2", "linear"}) {
                CAPTURE(norm);
                CAPTURE(activation);
                CHECK(agreeing_rows(normalised(
                          "3,5,2,4", {{"norm", {norm}}, {"activation", {activation}}, {"check", {"4000"}}})) >= 7);
                CHECK(agreeing_rows(normalised("2,4:3,3", {{"norm", {norm}},
                                                           {"activation", {activation}},
                                                           {"network", {"resnet:2"}},
                                                           {"branch_widths", {"3"}},
                                                           {"projections", {""}},
                                                           {"check", {"4000"}}})) >= 7);
            }
        }
    }

    // (1 - 1/2)^2 of the two layers below the third one; none behind LayerNorm, whose entries have both signs.
    TEST_CASE("dead layers") {
        auto const narrow = ask(normalised("1,1,1,2,1", {{"check", {"4000"}}}));
        CHECK(narrow.at("dead_below_probability", {"3"}).exact == "3/4");
        CHECK(narrow.at("dead_below_probability", {"4"}).exact == "3/4");
        CHECK_FALSE(narrow.any_disagreement());
        auto const deep = ask(normalised("1,1:40,1", {{"check", {"50"}}}));
        CHECK_FALSE(deep.any_disagreement());
        CHECK_FALSE(deep.at("squared_norm_mean", {"40"}).check);
        CHECK_THROWS((void)ask(normalised("2,3,1", {{"norm", {"layer"}}})).at("dead_below_probability", {"1"}));
    }

    TEST_CASE("refusals name what is served") {
        refuses(normalised("3,1,2", {{"norm", {"layer"}}}), "LayerNorm of one entry");
        refuses(normalised("3:3", {{"network", {"densenet"}}}), "chains (vanilla) and residual");
        refuses(normalised("3,3,1", {{"activation", {"crelu"}}}), "relu, leaky:S and linear");
        refuses(normalised("3,3,1", {{"order", {"99"}}}), "order");
        refuses(normalised("3,3,1", {{"scheme", {"lecun-uniform"}}}), "Gaussian");
    }
}
