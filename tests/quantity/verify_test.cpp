// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/quantity/ask.hpp>
#include <isserlis/report/quantities.hpp>
#include <set>
#include <string>

using namespace isserlis;

TEST_SUITE("quantity/verify") {
    TEST_CASE("every quantity of the list is there, confirmed or with the reason why not") {
        auto const answer = quantity::ask({"verify", {}, {{"check", {"2000"}}}});
        CHECK_FALSE(answer.any_disagreement());
        std::set<std::string> found;
        std::size_t twins = 0;
        for (auto const& r : answer.results()) {
            CAPTURE(r.name);
            if (r.name == "strands") {
                ++twins;
                CHECK(r.bound == Check::Verdict::holds);
                continue;
            }
            REQUIRE_FALSE(r.index.empty());
            found.insert(r.index[0] + " " + r.name);
            CHECK((r.check.has_value() || !r.unchecked.empty() || r.bound.has_value()));
        }
        CHECK(twins >= 25);
        for (auto const& q : quantities()) {
            std::string const place = std::string(q.command) + " " + q.name;
            if (place == "verify strands") continue;
            CHECK_MESSAGE(found.count(place) == 1, place);
        }
    }

    TEST_CASE("the same seed gives the same table, whatever the threads") {
        auto const one = quantity::ask({"verify", {}, {{"check", {"200"}}, {"threads", {"1"}}}});
        auto const two = quantity::ask({"verify", {}, {{"check", {"200"}}, {"threads", {"2"}}}});
        REQUIRE(one.results().size() == two.results().size());
        for (std::size_t i = 0; i < one.results().size(); ++i) {
            REQUIRE(one.results()[i].check.has_value() == two.results()[i].check.has_value());
            if (one.results()[i].check) CHECK(one.results()[i].check->mean == two.results()[i].check->mean);
        }
    }
}
