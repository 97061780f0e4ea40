// SPDX-License-Identifier: MIT
// What the sources print against what the commands say, and both against docs/errata.md.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <isserlis/errata/errata.hpp>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace isserlis;

namespace {

Answer const& all_errata() {
    static Answer const answer = quantity::ask({"errata", {"H", "R", "I", "M", "B"}});
    return answer;
}

std::string exact(std::string const& name, std::string const& id, int number = 1) {
    auto const& result = all_errata().at(name, {id, std::to_string(number)});
    return result.exact.value_or(result.decimal.value_or(""));
}

/// The entries in the table of contents of docs/errata.md: numbers, statement, verdict.
std::vector<std::vector<std::string>> contents() {
    std::ifstream page(ISSERLIS_TEST_DATA "/../docs/errata.md");
    std::vector<std::vector<std::string>> out;
    for (std::string line; std::getline(page, line);) {
        if (!line.starts_with("| [")) continue;
        std::istringstream cells(line.substr(2));
        std::vector<std::string> row(3);
        for (auto& cell : row) {
            std::getline(cells, cell, '|');
            cell = cell.substr(cell.find_first_not_of(' '));
            cell.erase(cell.find_last_not_of(' ') + 1);
        }
        row[0] = row[0].substr(1, row[0].find(']') - 1);
        out.push_back(row);
    }
    return out;
}

}  // namespace

TEST_SUITE("quantity/errata") {
    TEST_CASE("a source has a letter and names") {
        using Names = std::pair<std::string, std::string>;
        for (auto const& [letter, name] : {Names{"M", "mup"}, {"M", "Jelassi"}, {"b", "book"}, {"B", "liquet"}}) {
            auto const by_letter = quantity::ask({"errata", {letter}});
            auto const by_name = quantity::ask({"errata", {name}});
            CHECK(by_letter.explanations() == by_name.explanations());
            CHECK(by_name.explanations().size() >= 6);
        }
        CHECK(quantity::ask({"errata", {"mup", "M16"}}).explanations().size() ==
              quantity::ask({"errata", {"M"}}).explanations().size());
    }

    TEST_CASE("the entries are those of docs/errata.md, in its order and with its verdicts") {
        auto const page = contents();
        auto const& items = errata::items();
        REQUIRE(page.size() == items.size());
        for (std::size_t i = 0; i < page.size(); ++i) {
            CHECK(page[i][0] == items[i].ids);
            CHECK(page[i][1] == items[i].statement);
            CHECK(page[i][2] == items[i].verdict);
        }
    }

    TEST_CASE("what is printed fails, but where it is the part of an entry that is right") {
        std::set<std::string> const right = {
            "H12,2",  // with rho_1 = 3 the closed form holds
            "H18,2",  // with squared norms the display holds
            "I3,6",   // (11)
            "R20,1",  // a bound that holds, and says little
            "R23,1",  // the mean does not depend on the layer
        };
        std::set<std::string> holding;
        for (auto const& r : all_errata().results()) {
            if (r.name != "printed") continue;
            REQUIRE(r.bound);
            if (*r.bound == Check::Verdict::holds) holding.insert(r.index[0] + "," + r.index[1]);
        }
        CHECK(holding == right);
    }

    // The values of docs/errata.md and of its derivations, by hand.
    TEST_CASE("both sides are what the page derives") {
        CHECK(exact("printed", "R24") == "3");
        CHECK(exact("correct", "R24") == "2");
        CHECK(exact("printed", "R1") == "5/12");
        CHECK(exact("correct", "R1") == "13/36");
        CHECK(exact("printed", "R4") == "35/16");
        CHECK(exact("correct", "R4") == "5/4");
        CHECK(exact("printed", "R5") == "15/4");
        CHECK(exact("correct", "R5") == "21/8");
        CHECK(exact("printed", "R28") == "1587/2500");  // (3 * 337 + 4 * 144)/2500
        CHECK(exact("correct", "R28") == "3/4");
        CHECK(exact("printed", "R17", 1) == "1");
        CHECK(exact("correct", "R17", 2) == "534681/327680");
        CHECK(exact("printed", "H3") == "1/2");
        CHECK(exact("correct", "H3") == "1");
        CHECK(exact("printed", "H19") == "6/5");
        CHECK(exact("correct", "H19") == "1");
        std::vector<std::pair<std::string, std::string>> const recursions = {
            {"3/2", "2"}, {"17/2", "12"}, {"21/2", "12"}, {"15/2", "8"}, {"17/2", "8"}, {"14", "14"}};
        for (int i = 0; i < 6; ++i) {
            CHECK(exact("printed", "I3", i + 1) == recursions[static_cast<std::size_t>(i)].first);
            CHECK(exact("correct", "I3", i + 1) == recursions[static_cast<std::size_t>(i)].second);
        }
        CHECK(exact("printed", "I8", 1) == "24");
        CHECK(exact("printed", "I8", 2) == "40");
        CHECK(exact("printed", "I8", 3) == "42");
        CHECK(exact("printed", "I8", 4) == "157/2");
        CHECK(exact("printed", "I12", 1) == "35/4");
        CHECK(exact("printed", "I12", 2) == "12");
        CHECK(exact("printed", "M2") == "11");
        CHECK(exact("correct", "M2") == "11/2");
        std::vector<std::pair<std::string, std::string>> const step = {
            {"8", "11"}, {"14", "18"}, {"19/2", "12"}, {"6", "8"}};
        for (int i = 0; i < 4; ++i) {
            CHECK(exact("printed", "M5", i + 1) == step[static_cast<std::size_t>(i)].first);
            CHECK(exact("correct", "M5", i + 1) == step[static_cast<std::size_t>(i)].second);
        }
    }

    TEST_CASE("an entry is found by any of its numbers, and words alone are said to be that") {
        REQUIRE(errata::find_item("I5") != nullptr);
        CHECK(errata::find_item("I5")->ids == "I3 to I7");
        CHECK(errata::find_item("H2")->ids == "H1, H2");
        CHECK(errata::find_item("M10")->ids == "M1, M10");
        CHECK(errata::find_item("h27") == errata::find_item("H27"));
        for (std::string const none : {"R14", "M9x", "", "H", "Q1", "M0", "I27"})
            CHECK(errata::find_item(none) == nullptr);
        auto const words = quantity::ask({"errata", {"R31"}});
        CHECK(words.results().empty());
        REQUIRE(words.explanations().size() == 1);
        CHECK(words.explanations().front().find("words only: names and indices") != std::string::npos);
    }

    TEST_CASE("an entry computes both sides, or says why it cannot") {
        std::string in_words;
        for (auto const& item : errata::items()) {
            CAPTURE(item.ids);
            CHECK(item.cases.empty() != item.words.empty());
            if (item.cases.empty()) in_words += (in_words.empty() ? "" : "; ") + item.ids;
        }
        CHECK(in_words == "H13, H14; H20; H26; R13; R26; R31; I24; I26; B5; B10");
    }

    // By hand: A.14 is linear in P, and its printed right side a product of three that each have it; x.y x'Cz and
    // Tr C/2 x.y x.z; w'PDv and Tr D/2 w'Pv; 5*3*5*3 + 2*5*3 and 5*2*5*3 + 2*5*2 (the pairs of equal entries have 3 for
    // 1); 1/pi under sqrt; softmax of one output, which is 1; 1 + 1 and 1 + 0 beside 17/3; 3*5*7; W and its transpose.
    TEST_CASE("entries with files or without a command are as derived") {
        struct Sides {
            char const* id;
            char const* correct;
            char const* printed;
        };
        for (auto const& [id, correct, printed] : std::vector<Sides>{{"H8", "1120", "4480"},
                                                                     {"H9", "95", "70"},
                                                                     {"H10", "56", "49/2"},
                                                                     {"H11", "255", "170"},
                                                                     {"H15", "1", "1/15"},
                                                                     {"H17", "0", "4"},
                                                                     {"H22", "-0.5", "0"},
                                                                     {"H23", "23/3", "20/3"},
                                                                     {"H25", "105", "21"},
                                                                     {"R34", "1", "2"},
                                                                     {"R35", "1/4", "1/2"},
                                                                     {"B7", "58", "52"}}) {
            CAPTURE(id);
            CHECK(exact("correct", id) == correct);
            CHECK(exact("printed", id) == printed);
        }
        auto const number = [](char const* name, char const* id) {
            return std::stod(all_errata().at(name, {id, "1"}).decimal.value());
        };
        double const half_of_abs = std::sqrt(1 / (2 * std::acos(-1.0)));  // E|w|/2
        CHECK(number("correct", "R27") == doctest::Approx(half_of_abs).epsilon(1e-14));
        CHECK(number("correct", "R36") == doctest::Approx(0.6 * half_of_abs).epsilon(1e-11));
        CHECK(number("correct", "I1") == doctest::Approx(half_of_abs * half_of_abs).epsilon(1e-11));
        CHECK(number("printed", "R20") == doctest::Approx(std::exp(2 * 4 * 90 / 4)).epsilon(1e-9));
        CHECK(number("correct", "B6") == doctest::Approx(2 / (1 + std::exp(-0.7 * std::tanh(0.24)))).epsilon(1e-5));
    }

    TEST_CASE("unknown entries are refused") {
        CHECK_THROWS_AS((void)quantity::ask({"errata", {"R14"}}), ParseError);
        CHECK_THROWS_AS((void)quantity::ask({"errata", {"Z"}}), ParseError);
    }
}
