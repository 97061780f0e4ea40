// SPDX-License-Identifier: MIT
// Squared norms in residual networks, dense ones and those of files: by hand, by the paper's recursion, on drawn networks.
#include <doctest/doctest.h>

#include <isserlis/quantity/ask.hpp>
#include <string>

#include "refusal.hpp"

using namespace isserlis;
using quantity::ask;
using quantity::Question;
using test::refuses;

namespace {

using Parameters = std::map<std::string, std::vector<std::string>>;

Question norm(std::string const& widths, std::string const& network, Parameters parameters = {}) {
    parameters["network"] = {network};
    return {"norm", {widths}, parameters};
}

}  // namespace

TEST_SUITE("quantity/wired_norm") {
    // y = x + W x with |x| = 1 and entries of variance 1/2: 2 |y|^2 is a chi-square of 2 degrees with noncentrality 2, whose
    // cumulants are 2^(k-1) (k-1)! (2 + 2 k). So |y|^2 has mean 2, variance 3 and the cumulants 8 and 30.
    TEST_CASE("a linear block is a noncentral chi-square") {
        auto const answer = ask(norm("2:2", "resnet:1", {{"order", {"4"}}}));
        CHECK(answer.at("squared_norm_mean", {"1"}).exact == "2");
        CHECK(answer.at("squared_norm_variance", {"1"}).exact == "3");
        CHECK(answer.at("relative_variance", {"1"}).exact == "3/4");
        CHECK(answer.at("squared_norm_skewness", {"1"}).exact == "8*sqrt(3)/9");
        CHECK(answer.at("squared_norm_kurtosis", {"1"}).exact == "19/3");
    }

    // [Residual 2019, eq. (77), eq. (94)]: E |y|^4 is beta^L, here (1 + 2 (1 + 2/3) + (1 + 5/3)(1 + 2/3))^2 = (79/9)^2.
    TEST_CASE("two blocks of a ReLU layer between matrices") {
        auto const answer = ask(norm("3:3", "resnet:2"));
        CHECK(answer.at("squared_norm_mean", {"2"}).exact == "4");
        CHECK(answer.at("squared_norm_moment", {"2", "2"}).exact == "6241/81");
        // Inside the first branch relu halves the mean square 2 of the pre-activations.
        CHECK(answer.at("squared_norm_mean", {"1.1"}).exact == "1");
        CHECK(ask(norm("3:3", "resnet:2", {{"pre", {}}, {"layer", {"1.1"}}})).at("squared_norm_mean", {"1.1"}).exact ==
              "2");
    }

    TEST_CASE("at a symbolic depth the output, as at depths in numbers") {
        auto const formula = ask(norm("n:L", "resnet:2"));
        CHECK(formula.at("squared_norm_mean", {"L - 1"}).exact == "2^L/2");
        auto const set = ask(norm("n:L", "resnet:2", {{"set", {"n=3,L=3"}}}));
        CHECK(set.at("squared_norm_moment", {"2", "2"}).exact == "6241/81");
    }

    TEST_CASE("drawn networks agree, of residual and of dense wiring") {
        for (std::string const network : {"resnet:1", "resnet:2", "densenet"}) {
            CAPTURE(network);
            std::size_t checked = 0;
            for (auto const& r : ask(norm("4:4", network, {{"check", {"4000"}}, {"order", {"3"}}})).results()) {
                if (!r.check) continue;
                CAPTURE(r.name);
                CHECK(r.check->verdict != Check::Verdict::disagrees);
                ++checked;
            }
            CHECK(checked >= 12);
        }
    }

    TEST_CASE("what is not served is refused by its name") {
        refuses(norm("3:3", "resnet:2", {{"order", {"5"}}}), "moments up to 4 are served");
        refuses(norm("3:3", "resnet:2", {{"layer", {"7"}}}), "there is no such node");
        refuses(norm("n:L", "resnet:2", {{"layer", {"L"}}}), "names at a depth in numbers");
        refuses(norm("3:3", "resnet:2", {{"emit_test", {"cpp"}}}), "emit_test");
    }
}
