// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace isserlis;
using quantity::ask;

namespace {

/// The first words of the lines of the list.
std::vector<std::string> listed() {
    std::istringstream text(ask({"reproduce"}).document().value());
    std::vector<std::string> out;
    for (std::string line; std::getline(text, line);) {
        if (!line.empty() && !line.starts_with("isserlis")) out.push_back(line.substr(0, line.find(' ')));
    }
    return out;
}

}  // namespace

TEST_SUITE("quantity/reproduce") {
    TEST_CASE("everything that is listed is there in seconds, as a table") {
        auto const all = listed();
        CHECK(all.size() >= 9);
        for (auto const& id : all) {
            CAPTURE(id);
            auto const answer = ask({"reproduce", {id}, {{"quick", {}}}});
            if (answer.document()) {
                CHECK(answer.document()->starts_with("# isserlis "));
                CHECK(answer.document()->find("\n") != std::string::npos);
                CHECK(answer.document()->find(",exact,decimal") != std::string::npos);
            } else {
                CHECK(answer.at("power_law_alpha").decimal);
            }
        }
    }

    // The power law of 2/E|lambda_1|: about -1 in depth times width, since lambda_1 is near the kernel, n (L + 1) or so.
    TEST_CASE("the power law goes through its points") {
        auto const answer = ask({"reproduce", {"maximal-rate-figure-3"}, {{"quick", {}}, {"check", {"200"}}}});
        double const alpha = std::stod(answer.at("power_law_alpha").decimal.value());
        double const r_squared = std::stod(answer.at("power_law_r_squared").decimal.value());
        CHECK(alpha > 0.5);
        CHECK(alpha < 1.5);
        CHECK(r_squared > 0.8);
        CHECK(r_squared <= 1);
        std::size_t points = 0;
        for (auto const& r : answer.results()) points += r.name == "sampled_rate" ? 1U : 0U;
        CHECK(points == 9);
    }

    TEST_CASE("what is not there is refused with what is near") {
        CHECK_THROWS_WITH_AS((void)ask({"reproduce", {"residual-figure-2"}}), doctest::Contains("did you mean"),
                             ParseError);
        CHECK_THROWS_AS((void)ask({"reproduce", {}, {{"quick", {}}}}), ParseError);
        CHECK_THROWS_AS((void)ask({"reproduce", {"maximal-rate-figure-3"}, {{"quick", {}}, {"plot", {"x.svg"}}}}),
                        ParseError);
        CHECK_THROWS_WITH_AS((void)ask({"reproduce", {"thesis-table-4.1"}, {{"plot", {"x.svg"}}}}),
                             "`plot`: a table is not drawn; leave it out", ParseError);
    }
}
