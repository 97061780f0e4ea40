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

Question norm_by_layer(std::string const& laws, std::string const& widths,
                       std::map<std::string, std::vector<std::string>> parameters = {}) {
    parameters["law"] = {laws};
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

    // (n + 5)/n of a Gaussian ReLU layer of variance 2/n, (n + 5)/(n + 2) of an orthogonal one.
    TEST_CASE("laws by layer, by hand") {
        auto const a = ask(norm_by_layer("gaussian,orthogonal,gaussian", "n,n:3", {{"head", {"activation"}}}));
        CHECK(a.at("squared_norm_moment", {"1", "2"}).exact == "(n + 5)/n");
        CHECK(a.at("squared_norm_moment", {"2", "2"}).exact == "(n + 5)^2/(n*(n + 2))");
        CHECK(ask(norm_by_layer("orthogonal,gaussian", "4,4,4")).at("squared_norm_moment", {"1", "2"}).exact == "3/2");
        CHECK(ask(norm_by_layer("gaussian,orthogonal", "4,4,4")).at("squared_norm_moment", {"1", "2"}).exact == "9/4");
        // x = 1 meets two uniform weights of E w^4 = 9/5: E q^2 = 2*9/5 + 2 = 28/5. A rotation keeps lengths; of its two
        // coordinates E sum z_i^4 = 2*3/8 E q^2 = 21/5. A Laplace weight has E w^4 = 6: 3*28/5 + (6 - 3)*21/5 = 147/5.
        auto const b = ask(norm_by_layer("uniform,orthogonal,laplace", "1,2,2,1",
                                         {{"activation", {"linear"}}, {"variance", {"1,1/2,1"}}, {"input", {"1"}}}));
        CHECK(b.at("squared_norm_moment", {"1", "2"}).exact == "28/5");
        CHECK(b.at("squared_norm_moment", {"2", "2"}).exact == "28/5");
        CHECK(b.at("squared_norm_moment", {"3", "2"}).exact == "147/5");
        CHECK_FALSE(b.at("log_squared_norm_mean", {"3"}).decimal);
        // All alike is one law for all.
        for (std::string const law : {"gaussian", "orthogonal"}) {
            auto const list = ask(norm_by_layer(law + "," + law, "3,5,2"));
            auto const one = ask(norm_by_layer(law, "3,5,2"));
            CHECK(list.results().size() == one.results().size());
            for (auto const& r : one.results()) CHECK(list.at(r.name, r.index).decimal == r.decimal);
        }
        bool stated = false;
        for (auto const& line : b.assumptions())
            stated = stated ||
                     line.find("laws uniform,orthogonal,laplace, layer by layer; orthogonal: ") != std::string::npos;
        CHECK(stated);
    }

    TEST_CASE("drawn networks of several laws agree") {
        for (std::string const laws : {"gaussian,orthogonal,orthogonal", "orthogonal,uniform,gaussian"}) {
            auto const a = ask(norm_by_layer(
                laws, "3,4,3,3",
                {{"input", {"1,1,1"}}, {"activation", {"leaky:1/2"}}, {"check", {"20000"}}, {"seed", {"3"}}}));
            std::size_t agreed = 0;
            for (auto const& r : a.results()) {
                if (!r.check) continue;
                CAPTURE(laws);
                CAPTURE(r.name);
                CHECK(r.check->verdict != Check::Verdict::disagrees);
                agreed += r.check->verdict == Check::Verdict::agrees ? 1U : 0U;
            }
            CHECK(agreed >= 8);
        }
    }

    TEST_CASE("lists that do not fit say so") {
        refuses(norm_by_layer("orthogonal,gaussian,uniform", "2,3,1"), "3 values for 2 weight layers");
        refuses(norm_by_layer("orthogonal,haar", "2,3,1"), "'haar' is not a law");
        refuses(norm_by_layer("orthogonal,", "2,3,1"), "law");
        refuses(norm_by_layer("orthogonal,uniform", "2,3,1", {{"activation", {"crelu"}}, {"input", {"1,0"}}}),
                "two orthogonal matrices");
        refuses(norm_by_layer("gaussian,orthogonal", "n,n:L"), "depth in numbers");
        refuses(norm_by_layer("gaussian,uniform", "2,3,1", {{"kurtosis", {"3"}}}), "both fix the law");
        refuses(norm_by_layer("gaussian,uniform", "2,3,1", {{"scheme", {"kaiming_uniform"}}}), "fixes the law");
        refuses({"report", {"2,3,1"}, {{"law", {"gaussian,uniform"}}}}, "serve one for each");
        refuses({"report", {"2,3,1"}, {{"law", {"gaussian,orthogonal"}}}}, "serve such networks");
    }

    TEST_CASE("what is not served says so") {
        refuses({"report", {"2,3,1"}, {{"law", {"orthogonal"}}}}, "serve such networks");
        refuses(norm_of("2,3,1", {{"activation", {"crelu"}}}), "two orthogonal matrices");
        refuses(norm_of("n,m,2"), "which of the widths n and m is larger");
        refuses(norm_of("2,3,1", {{"kurtosis", {"3"}}}), "both fix the law");
        refuses(norm_of("2,3,1", {{"scheme", {"kaiming_uniform"}}}), "fixes the law");
        refuses(norm_of("2,3,1", {{"emit_test", {"pytorch"}}}), "tests draw Gaussian weights");
    }
}
