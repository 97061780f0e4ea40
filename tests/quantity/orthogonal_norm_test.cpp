// SPDX-License-Identifier: MIT
// Norms of networks of Haar-orthogonal matrices: by hand, and on drawn networks.
#include <doctest/doctest.h>

#include <isserlis/quantity/ask.hpp>
#include <string>

#include "refusal.hpp"

using namespace isserlis;
using quantity::ask;
using quantity::Question;
using test::refuses;

namespace {

Question norm_of(std::string const& widths, std::map<std::string, std::vector<std::string>> parameters = {}) {
    parameters["law"] = {"orthogonal"};
    return {"norm", {widths}, parameters};
}

}  // namespace

TEST_SUITE("quantity/orthogonal_norm") {
    // docs/formulas/orthogonal_norm.md: (n + 5)/(n + 2) for each ReLU layer of variance 2/n, where Gaussian weights have
    // (n + 5)/n.
    TEST_CASE("a ReLU layer by hand, in symbols and numbers") {
        auto const symbols = ask(norm_of("n,n:3"));
        CHECK(symbols.at("squared_norm_mean", {"1"}).exact == "1");
        CHECK(symbols.at("squared_norm_moment", {"1", "2"}).exact == "(n + 5)/(n + 2)");
        CHECK(symbols.at("relative_variance", {"1"}).exact == "3/(n + 2)");
        auto const numbers = ask(norm_of("4,4:3"));
        CHECK(numbers.at("squared_norm_moment", {"2", "2"}).exact == "9/4");
        CHECK(ask(norm_of("n,n:L")).at("squared_norm_moment", {"l", "2"}).exact == "(n + 5)^l/(n + 2)^l");
    }

    TEST_CASE("square linear layers of variance 1/n keep every length") {
        auto const a = ask(norm_of("n,n:4", {{"activation", {"linear"}}, {"input_squared_norm", {"s"}}}));
        CHECK(a.at("squared_norm_mean", {"3"}).exact == "s");
        CHECK(a.at("squared_norm_variance", {"3"}).exact == "0");
    }

    // A direction in 3 dimensions by Archimedes: one coordinate is uniform on [-1, 1], E u^4 = 1/5. From 3 to 1 with
    // variance 1/3 the factor before it is 3*1/3.
    TEST_CASE("a layer that narrows") {
        auto const a = ask(norm_of("3,1", {{"activation", {"linear"}}}));
        CHECK(a.at("squared_norm_mean", {"1"}).exact == "1/3");
        CHECK(a.at("squared_norm_moment", {"1", "2"}).exact == "1/5");
    }

    TEST_CASE("drawn orthogonal networks agree, with errors that are known exactly") {
        for (std::string const activation : {"relu", "leaky:1/2", "linear", "crelu-tied"}) {
            for (std::string const widths : {"3,5,2,4", "4,4,4"}) {
                auto const a = ask(norm_of(
                    widths,
                    {{"activation", {activation}}, {"variance", {"1/2"}}, {"check", {"4000"}}, {"seed", {"5"}}}));
                std::size_t checked = 0;
                for (auto const& r : a.results()) {
                    if (!r.check) continue;
                    ++checked;
                    CAPTURE(activation);
                    CAPTURE(widths);
                    CAPTURE(r.name);
                    CHECK(r.check->verdict != Check::Verdict::disagrees);
                    if (r.name == "log_squared_norm_mean") {
                        CHECK(r.check->std_error_kind == Check::ErrorKind::sampled);
                        continue;
                    }
                    CHECK(r.check->std_error_kind == Check::ErrorKind::exact);
                    if (r.name == "squared_norm_mean") CHECK(r.check->verdict == Check::Verdict::agrees);
                }
                CHECK(checked >= 4);
            }
        }
    }

    // tests/formula/orthogonal_norm_test.cpp: a uniform share of scale 4*1/4, -1; 4 cos^2 of mean logarithm 0.
    TEST_CASE("mean logarithms: exact where they are rational, sampled beside") {
        auto const share = ask(norm_of("4,2", {{"activation", {"linear"}}, {"variance", {"1/4"}}}));
        CHECK(share.at("log_squared_norm_mean", {"1"}).exact == "-1");
        auto const cosine = ask(norm_of("2,1", {{"activation", {"linear"}}, {"variance", {"2"}}}));
        CHECK(cosine.at("log_squared_norm_mean", {"1"}).exact == "0");
        auto const logarithm = ask(norm_of("5,5", {{"activation", {"linear"}}, {"input_squared_norm", {"2"}}}));
        CHECK(logarithm.at("log_squared_norm_mean", {"1"}).decimal == "0.69314718055994531");
        CHECK_FALSE(ask(norm_of("n,n")).at("log_squared_norm_mean", {"1"}).decimal);
        // A constant is sampled to rounding, of 0 too.
        for (std::string const square : {"1", "3"}) {
            auto const a = ask(
                norm_of("4,4,4", {{"activation", {"linear"}}, {"input_squared_norm", {square}}, {"check", {"500"}}}));
            for (std::string const layer : {"1", "2"})
                CHECK(a.at("log_squared_norm_mean", {layer}).check->verdict == Check::Verdict::agrees);
        }
    }

    TEST_CASE("what is not served says so") {
        refuses({"hessian", {"2,3,1"}, {{"law", {"orthogonal"}}}}, "isserlis norm serves such networks");
        refuses(norm_of("2,3,1", {{"activation", {"crelu"}}}), "two orthogonal matrices");
        refuses(norm_of("n,m,2"), "which of the widths n and m is larger");
        refuses(norm_of("2,3,1", {{"kurtosis", {"3"}}}), "both fix the law");
        refuses(norm_of("2,3,1", {{"scheme", {"kaiming_uniform"}}}), "fixes the law");
        refuses(norm_of("2,3,1", {{"emit_test", {"pytorch"}}}), "tests draw Gaussian weights");
    }
}
