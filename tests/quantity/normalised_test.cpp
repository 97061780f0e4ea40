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

    // |N(z)|^2 = n, whatever z is; the head of variance 1/n makes a chi-square of it: E q = m, Var q = 2m.
    TEST_CASE("post-norm residual networks") {
        std::map<std::string, std::vector<std::string>> const post{
            {"network", {"resnet:2"}}, {"placement", {"post"}}, {"projections", {""}}};
        auto const formula = ask(normalised("d,n:L,m", post));
        CHECK(formula.at("squared_norm_mean", {"l"}).exact == "n");
        CHECK(formula.at("squared_norm_variance", {"l"}).exact == "0");
        CHECK(formula.at("squared_norm_mean", {"out"}).exact == "m");
        CHECK(formula.at("squared_norm_variance", {"out"}).exact == "2*m");
        for (std::string const norm : {"rms", "layer"}) {
            auto sampled = post;
            sampled["norm"] = {norm};
            sampled["check"] = {"4000"};
            sampled["branch_widths"] = {"3"};
            CHECK(agreeing_rows(normalised("2,4:3,3", sampled)) >= 7);
        }
    }

    // Equal layers of two ReLU units, both of them active: psi(1/2) - psi(1) = -2 log 2.
    TEST_CASE("gradients: certified of chains with RMSNorm, else sampled and said to be") {
        std::map<std::string, std::vector<std::string>> asked{{"gradients", {""}}};
        auto const exact = ask(normalised("2,2,2,2,1", asked));
        CHECK(exact.at("gradient_log_ratio", {"2"}).decimal->starts_with("-1.38629436111989"));
        CHECK_FALSE(exact.at("gradient_log_ratio", {"3"}).decimal);
        asked["check"] = {"4000"};
        auto const relu = ask(normalised("3,6,4,5,2", asked));
        for (std::string const l : {"1", "2"})
            CHECK(relu.at("gradient_log_ratio", {l}).check->verdict == Check::Verdict::agrees);
        CHECK(relu.at("gradient_log_ratio", {"3"}).form.find("sampled") != std::string::npos);
        for (std::string const placement : {"pre", "post"}) {
            auto residual = asked;
            residual["network"] = {"resnet:2"};
            residual["placement"] = {placement};
            auto const seen = ask(normalised("6:3", residual));
            CHECK(seen.at("gradient_log_ratio", {"1"}).form.find("sampled") != std::string::npos);
            CHECK_FALSE(seen.at("gradient_log_ratio", {"1"}).check);
        }
        refuses(normalised("3,1,1,2", {{"gradients", {""}}, {"check", {"10"}}}), "hands no gradient down");
        refuses(normalised("3,1,2", {{"placement", {"post"}}}), "`network` resnet:M");
    }

    TEST_CASE("refusals name what is served") {
        refuses(normalised("3,1,2", {{"norm", {"layer"}}}), "LayerNorm of one entry");
        refuses(normalised("3:3", {{"network", {"densenet"}}}), "chains (vanilla) and residual");
        refuses(normalised("3,3,1", {{"activation", {"crelu"}}}), "relu, leaky:S and linear");
        refuses(normalised("3,3,1", {{"order", {"99"}}}), "order");
        refuses(normalised("3,3,1", {{"scheme", {"lecun-uniform"}}}), "Gaussian");
    }
}
