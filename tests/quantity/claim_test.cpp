// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <map>
#include <string>
#include <vector>

using namespace isserlis;

namespace {

using Options = std::map<std::string, std::vector<std::string>>;

Answer claim(std::string const& text, std::string const& widths, Options const& options = {}) {
    return quantity::ask({"claim", {text, widths}, options});
}

bool holds(std::string const& text, std::string const& widths, Options const& options = {}) {
    return !claim(text, widths, options).any_disagreement();
}

std::string explained(std::string const& text, std::string const& widths, Options const& options = {}) {
    return claim(text, widths, options).explanations().front();
}

}  // namespace

TEST_SUITE("quantity/claim") {
    // E z^4 = 3 (2/n)^2 E|h|^4, and E|h|^4 = n (n + 5) for one input of norm 1 under variance 2.
    TEST_CASE("an observable is its formula, or is not") {
        CHECK(holds("z^4 = 12*(n + 5)/n", "1,n,1"));
        CHECK_FALSE(holds("z^4 = 12*(n + 4)/n", "1,n,1"));
        CHECK(holds("z^4 = 72", "1,1,1"));
        CHECK(explained("z^4 = 12*(n + 5)/n", "1,n,1").find("holds as a formula for whole n >= 1, and at 5 networks") !=
              std::string::npos);
    }

    TEST_CASE("what is wrong comes with the smallest network, the factor and the formula") {
        auto const text = explained("z^4 = 3*(n + 5)/n", "1,n,1");
        CHECK(text.find("wrong at n=1: 72, not 18") != std::string::npos);
        CHECK(text.find("up to the factor 4 at all") != std::string::npos);
        CHECK(text.find("right: z^4 = 12*(n + 5)/n") != std::string::npos);
        CHECK(explained("z^4 = 12*(n + 4)/n", "1,n,1").find("factor") == std::string::npos);
    }

    TEST_CASE("the smallest network is that of the least symbols, not one where both sides agree") {
        // n^2 and n agree at 1.
        auto const answer = claim("z[i]^2 = 2*n^2", "1,n", {{"activation", {"linear"}}, {"variance", {"2"}}});
        CHECK(answer.any_disagreement());
        CHECK(answer.at("actual", {"1", "n=2"}).exact == "4");
        CHECK(answer.at("claimed", {"1", "n=2"}).exact == "8");
    }

    // Theorem of the tests of squared norms: E|h^L|^4 = ((n + 5)/n)^L under He's variances.
    TEST_CASE("a quantity of the list, with symbols in its index") {
        CHECK(holds("squared_norm_variance[L] = ((n + 5)/n)^L - 1", "n,n:L", {{"head", {"activation"}}}));
        CHECK_FALSE(holds("squared_norm_variance[L] = ((n + 5)/n)^L", "n,n:L", {{"head", {"activation"}}}));
        CHECK(holds("jacobian_mean[1] = 1", "2,3,1"));
        CHECK(holds("squared_norm_variance[2] = (1 + 2/n)*(1 + 2/m) - 1", "k,n,m",
                    {{"activation", {"linear"}}, {"variance", {"1/fan_out"}}}));
        CHECK_FALSE(holds("squared_norm_variance[2] = (1 + 2/m)^2 - 1", "k,n,m",
                          {{"activation", {"linear"}}, {"variance", {"1/fan_out"}}}));
    }

    TEST_CASE("symbols of parameters are tried at fractions too") {
        CHECK(holds("z[i]^2 = s*n", "1,n", {{"activation", {"linear"}}, {"variance", {"s"}}}));
        CHECK_FALSE(holds("z[i]^2 = s^2*n", "1,n", {{"activation", {"linear"}}, {"variance", {"s"}}}));
    }

    TEST_CASE("values by set hold for all networks") {
        CHECK(holds("z^4 = 72", "1,n,1", {{"set", {"n=1"}}}));
        CHECK_FALSE(holds("z^4 = 72", "1,n,1", {{"set", {"n=2"}}}));
    }

    TEST_CASE("a file has a claim a line") {
        auto const path = std::filesystem::temp_directory_path() / "isserlis_claims_test.txt";
        std::ofstream(path)
            << "# two claims\n\n'z^4 = 12*(n + 5)/n' 1,n,1  # right\n'z^2 = n' 1,n,1 --activation linear\n";
        auto const answer = quantity::ask({"claim", {path.string()}});
        CHECK(answer.explanations().size() == 2);
        CHECK(answer.any_disagreement());
        CHECK(answer.warnings().back() == "1 of 2 claims hold");
        std::ofstream(path) << "'z^4 = 72' 1,1,1\n'z^4' 1,1,1\n";
        CHECK_THROWS_WITH_AS((void)quantity::ask({"claim", {path.string()}}),
                             doctest::Contains("line 2: 'z^4' is not one equation"), ParseError);
        std::filesystem::remove(path);
    }

    TEST_CASE("what is no claim is refused") {
        CHECK_THROWS_AS((void)claim("z^4", "1,n,1"), ParseError);
        CHECK_THROWS_AS((void)claim("z^4 = m", "1,n,1"), ParseError);
        CHECK_THROWS_AS((void)claim("z^4 = = n", "1,n,1"), ParseError);
        CHECK_THROWS_AS((void)claim("squared_norm_mean[1 = n", "1,n,1"), ParseError);
        CHECK_THROWS_AS((void)claim("squared_norm_mean[9] = 1", "1,2,1"), DomainError);
        CHECK_THROWS_AS((void)quantity::ask({"claim", {"z^4 = n"}}), ParseError);
        CHECK_THROWS_AS((void)quantity::ask({"claim", {"no such file"}}), ParseError);
        CHECK_THROWS_AS((void)claim("z^4 = n", "1,n,1", {{"eta_squared", {"2"}}}), ParseError);
    }
}
