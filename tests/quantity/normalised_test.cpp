// SPDX-License-Identifier: MIT
// Networks with RMSNorm and LayerNorm: by hand, and on drawn networks.
#include <doctest/doctest.h>

#include <isserlis/quantity/ask.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
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

bool assumes(Answer const& answer, std::string const& part) {
    auto const& all = answer.assumptions();
    return std::any_of(all.begin(), all.end(), [&](auto const& a) { return a.find(part) != std::string::npos; });
}

/// A sampled row's value is within 4.5 of its standard errors.
void check_sampled(Answer const& answer, std::string const& layer, double expected, double networks) {
    auto const& row = answer.at("gradient_log_ratio", {layer});
    auto const number_behind = [&](std::string const& word) {
        auto const place = row.form.find(word);
        REQUIRE_MESSAGE(place != std::string::npos, row.form);
        return std::stod(row.form.substr(place + word.size()));
    };
    CHECK(std::abs(std::stod(*row.decimal) - expected) < 4.5 * number_behind("standard error "));
    CHECK(number_behind("sampled: ") == doctest::Approx(networks).epsilon(0.02));
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
        CHECK(assumes(narrow, "row of layer l: given that no ReLU layer below l is dead"));
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
        // Without samples too: no row below such a layer means anything.
        refuses(normalised("3,1,1", {{"gradients", {""}}}), "RMSNorm of 1 entry hands no gradient down");
        refuses(normalised("4,8,2,1", {{"gradients", {""}}, {"norm", {"layer"}}}),
                "LayerNorm of 2 entries hands no gradient down");
        refuses(
            normalised("2:2",
                       {{"gradients", {""}}, {"norm", {"layer"}}, {"network", {"resnet:2"}}, {"placement", {"post"}}}),
            "LayerNorm of 2 entries hands no gradient down");
        refuses(normalised("3,1,2", {{"placement", {"post"}}}), "`network` resnet:M");
    }

    // LayerNorm of (1,1,1,1) is 0. Pre-norm: f(0) = 0, y^k = x. Post-norm: y^1 = N(x + f(x)) is 0 where one of the
    // branch's ReLU layers of 4 is dead, (1/16) of each, and has |y|^2 = 4 else.
    TEST_CASE("LayerNorm of an input along (1,..,1)") {
        std::map<std::string, std::vector<std::string>> ones{
            {"network", {"resnet:2"}}, {"norm", {"layer"}}, {"input", {"1,1,1,1"}}, {"check", {"4000"}}};
        auto const pre = ask(normalised("4:3", ones));
        CHECK(assumes(pre, "N(x) = 0 and y^k = x"));
        auto after = ones;
        after["placement"] = {"post"};
        auto const post = ask(normalised("4:3", after));
        for (std::string const k : {"1", "2"}) {
            CHECK(pre.at("squared_norm_mean", {k}).exact == "4");
            CHECK(pre.at("squared_norm_variance", {k}).exact == "0");
            CHECK(post.at("squared_norm_mean", {k}).exact == "15/4");
            CHECK(post.at("squared_norm_variance", {k}).exact == "15/16");
        }
        CHECK_FALSE(pre.any_disagreement());
        CHECK_FALSE(post.any_disagreement());
        after["network"] = {"resnet:3"};
        auto const deeper = ask(normalised("4:3", after));
        CHECK(deeper.at("squared_norm_mean", {"2"}).exact == "225/64");
        CHECK_FALSE(deeper.any_disagreement());
        after["network"] = {"resnet:1"};
        CHECK(ask(normalised("4:3", after)).at("squared_norm_mean", {"2"}).exact == "4");
        // Entries that doubles do not add up exactly.
        ones["input"] = {"1/10,1/10,1/10,1/10,1/10,1/10,1/10"};
        auto const tenths = ask(normalised("7:3", ones));
        CHECK(tenths.at("squared_norm_mean", {"2"}).exact == "7/100");
        CHECK_FALSE(tenths.any_disagreement());
        after = {{"network", {"resnet:2"}}, {"norm", {"layer"}}, {"placement", {"post"}}, {"input", {"1,1,1,1"}}};
        refuses(normalised("4:L", after), "LayerNorm makes 0 of it where the first branch is dead");
        ones["input"] = {"1,1,1,1.00000000000000001"};
        refuses(normalised("4:3", ones), "less than double precision tells");
    }

    // (1,..,1), which stands for x elsewhere, is no input of which the formula holds.
    TEST_CASE("LayerNorm of an input of which the length alone is given") {
        for (std::string const placement : {"pre", "post"}) {
            for (std::string const widths : {"2:3", "4:3", "5:3"}) {
                Question const question = normalised(
                    widths,
                    {{"network", {"resnet:2"}}, {"norm", {"layer"}}, {"placement", {placement}}, {"check", {"4000"}}});
                CHECK(assumes(ask(question), "x is no multiple of (1,..,1)"));
                CHECK(agreeing_rows(question) >= 4);
            }
        }
        std::map<std::string, std::vector<std::string>> given{{"network", {"resnet:2"}}, {"norm", {"layer"}}};
        given["input"] = {"1,2"};
        CHECK_FALSE(assumes(ask(normalised("2:L", given)), "multiple"));
        given["input"] = {"a,b"};
        CHECK(assumes(ask(normalised("2:L", given)), "x is no multiple of (1,..,1)"));
    }

    // LayerNorm of three ReLU units has one or two active, with 1/2 each; one hands nothing down to x. With two, N(z)
    // = sqrt(3) e, the gradient by h keeps of its two directions across h the one among active units, a, and of that
    // the part across e and (1,1,1): 1/sqrt(3 s), s = e_1^2 + e_2^2 = |h|^2/3. Then E log = -2 log 2 (chi^2_1 over
    // chi^2_2) - E log s, and 3 s = 2 - cos t, t uniform in (0, pi/3).
    TEST_CASE("gradients behind LayerNorm, given that they are handed down") {
        constexpr int steps = 10000;
        double mean = 0;
        for (int i = 0; i < steps; ++i)
            mean += std::log(2 - std::cos((i + 0.5) / steps * std::numbers::pi / 3)) / steps;
        auto const answer =
            ask(normalised("3,3,3,1", {{"norm", {"layer"}}, {"gradients", {""}}, {"check", {"20000"}}}));
        check_sampled(answer, "1", std::log(3.0 / 4) - mean, 10000);
        CHECK(assumes(answer, "two or more active units in each hidden ReLU layer but the last"));
        CHECK(assumes(answer, "of 20000 sampled networks have fewer active units, and are left out"));
    }

    // Two ReLU units with RMSNorm below the output, (cos t, sin t): 2^-2 dead. Both active, 1/3 of the others: E log
    // of the part of the gradient across it is -2 log 2. One active: -2 log 2 for its entry, and E log sin^2 t = -2
    // log 2. Then log 2 + E log chi^2_1 - E log chi^2_2 = -log 2 for the matrix below.
    TEST_CASE("a single active unit below the output hands a gradient down") {
        auto const answer = ask(normalised("2,2,1", {{"gradients", {""}}, {"check", {"20000"}}}));
        check_sampled(answer, "1", -13.0 / 3 * std::log(2.0), 15000);
        auto const leaky =
            ask(normalised("2,2,2,1", {{"gradients", {""}}, {"activation", {"leaky:1/10"}}, {"check", {"100"}}}));
        CHECK_FALSE(assumes(leaky, "active"));
        CHECK(leaky.at("gradient_log_ratio", {"1"}).form.starts_with("sampled: 100 networks"));
    }

    TEST_CASE("gradients of streams name the input they are sampled at") {
        for (std::string const norm : {"rms", "layer"}) {
            std::string const sign = norm == "rms" ? "" : "-";
            std::map<std::string, std::vector<std::string>> asked{
                {"network", {"resnet:2"}}, {"norm", {norm}}, {"gradients", {""}}, {"check", {"400"}}};
            auto const usual = ask(normalised("4:3", asked));
            CHECK(assumes(usual, "y the first entry of y^L"));
            CHECK(assumes(usual, norm == "rms" ? "x = |x| (1,..,1)/sqrt(n)" : "x = |x| (1,-1,1,..)/sqrt(n)"));
            asked["input"] = {"1/2," + sign + "1/2,1/2," + sign + "1/2"};
            auto const same = ask(normalised("4:3", asked));
            CHECK_FALSE(assumes(same, "depends on the direction"));
            CHECK(usual.at("gradient_log_ratio", {"1"}).decimal == same.at("gradient_log_ratio", {"1"}).decimal);
        }
    }

    // With all branches dead y_1 is an entry of N(x), which does not move with x = e_1; of (1,2,2) LayerNorm makes a
    // multiple of (-2,1,1), the direction in which its first entry moves.
    TEST_CASE("gradients that are 0 with a probability above 0 have no mean logarithm") {
        std::map<std::string, std::vector<std::string>> asked{
            {"network", {"resnet:2"}}, {"placement", {"post"}}, {"gradients", {""}}, {"input", {"1,0,0"}}};
        refuses(normalised("3:3", asked), "E log is -infinity");
        asked["activation"] = {"linear"};
        asked["check"] = {"100"};
        CHECK(ask(normalised("3:3", asked)).at("gradient_log_ratio", {"1"}).form.starts_with("sampled: 100 networks"));
        asked.erase("activation");
        asked["norm"] = {"layer"};
        asked["input"] = {"1,2,2"};
        refuses(normalised("3:3", asked), "E log is -infinity");
        asked["input"] = {"1,1,1"};
        refuses(normalised("3:3", asked), "where it has no derivative");
        asked["placement"] = {"pre"};
        refuses(normalised("3:3", asked), "where it has no derivative");
        std::map<std::string, std::vector<std::string>> const sampled{{"gradients", {""}}, {"check", {"10"}}};
        refuses(normalised("1,3,2", sampled), "an input of one entry");
        auto projected = sampled;
        projected["network"] = {"resnet:2"};
        projected["projections"] = {""};
        refuses(normalised("1,3:2,2", projected), "an input of one entry");
        projected["norm"] = {"layer"};
        refuses(normalised("3,2:2,2", projected), "LayerNorm of 2 entries hands no gradient down");
        refuses(normalised("3,2", {{"gradients", {""}}}), "the output's matrix has no row");
        refuses(normalised("3,4,2", {{"gradients", {""}}, {"layer", {"2"}}}), "the output's matrix has no row");
    }

    TEST_CASE("refusals name what is served") {
        refuses(normalised("3,1,2", {{"norm", {"layer"}}}), "LayerNorm of one entry");
        refuses(normalised("3:3", {{"network", {"densenet"}}}), "chains (vanilla) and residual");
        refuses(normalised("3,3,1", {{"activation", {"crelu"}}}), "relu, leaky:S and linear");
        refuses(normalised("3,3,1", {{"order", {"99"}}}), "order");
        refuses(normalised("3,3,1", {{"scheme", {"lecun-uniform"}}}), "Gaussian");
    }
}
