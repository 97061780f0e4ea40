// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <iterator>
#include <set>
#include <string>

using namespace isserlis;
using quantity::ask;
using quantity::Question;

namespace {

/// The chart that a question draws.
std::string drawn(Question question) {
    std::string const file = (std::filesystem::temp_directory_path() / "isserlis_chart_test.svg").string();
    question.parameters["plot"] = {file};
    (void)ask(question);
    std::ifstream in(file);
    std::string out((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    std::filesystem::remove(file);
    return out;
}

void has(std::string const& svg, std::initializer_list<char const*> texts) {
    for (char const* text : texts) CHECK_MESSAGE(svg.find(text) != std::string::npos, text);
}

}  // namespace

TEST_SUITE("quantity/chart") {
    TEST_CASE("over layers, with samples beside") {
        has(drawn({"norm", {"2,10:3,1"}, {{"check", {"100"}}}}),
            {"<text>layer</text>", "squared_norm_mean", "squared_norm_mean, sampled"});
    }

    TEST_CASE("a curve for each network, and for each value of a second symbol") {
        has(drawn({"norm", {"2,10:3,1", "2,20:3,1"}, {{"plot_of", {"relative_variance"}}}}),
            {"<title>2,10:3,1</title>", "<title>2,20:3,1</title>", "relative variance"});
        has(drawn({"ntk", {"4,n:L,2"}, {{"table", {"n=16,32,64", "L=1,2"}}}}),
            {"<title>L = 1</title>", "<title>L = 2</title>", "<text>n</text>", "ntk mean"});
        has(drawn({"init", {"2,n:L,1"}, {{"table", {"n=16,32,64"}}, {"set", {"L=2"}}}}),
            {"<title>layer 1</title>", "<title>layer 3</title>", "update ratio"});
    }

    TEST_CASE("over orders, epochs and coordinates of other commands") {
        has(drawn({"train", {"2,4,1"}, {{"data", {"cos"}}, {"epochs", {"3"}}}}), {"<text>epoch</text>", "loss"});
        has(drawn({"coord-check", {"n,n:3,1"}, {{"width_list", {"16,64"}}}}), {"<title>width 64</title>"});
        has(drawn({"trace", {"tr(W W^T)"}, {{"shape", {"W=n,3"}}, {"table", {"n=1,2"}}}}), {"<text>n</text>"});
    }

    TEST_CASE("several quantities of one index") {
        has(drawn({"norm", {"2,10:3,1"}, {{"plot_of", {"squared_norm_mean,relative_variance"}}}}),
            {"<title>squared_norm_mean</title>", "<title>relative_variance</title>"});
        CHECK_THROWS_WITH_AS(
            (void)drawn({"norm", {"2,10:3,1"}, {{"plot_of", {"squared_norm_mean,squared_norm_moment"}}}}),
            "`plot_of`: squared_norm_moment has another index than squared_norm_mean; one chart has one of them",
            ParseError);
    }

    TEST_CASE("what cannot be drawn is named") {
        CHECK_THROWS_WITH_AS(
            (void)drawn({"ntk", {"2,3,1"}}),
            "`plot`: the answer has no ntk_mean in numbers with an index to draw it over; give symbols "
            "values by `set` and one of them several by `table`, or name another quantity by `plot_of`",
            DomainError);
        CHECK_THROWS_WITH_AS((void)drawn({"ntk", {"2,n,1"}, {{"plot_of", {"phi"}}, {"table", {"n=1,2"}}}}),
                             "`plot_of`: 'phi' is no quantity of ntk; isserlis list ntk names them", ParseError);
        CHECK_THROWS_WITH_AS((void)ask({"ntk", {"2,3,1"}, {{"plot_of", {"ntk_mean"}}}}),
                             "`plot_of` means nothing without `plot`", ParseError);
        CHECK_THROWS_WITH_AS((void)ask({"ntk", {"2,3,1"}, {{"plot", {"chart.doc"}}}}), doctest::Contains("plot"),
                             ParseError);
    }

    TEST_CASE("every command with a chart has the quantity that it draws") {
        std::set<std::string> charts;
        for (auto const& name : quantity::command_names()) {
            auto const& text = *quantity::find_command(name);
            if (text.charted.empty()) continue;
            charts.insert(text.name);
            auto const* quantity = find_quantity(text.name, text.charted);
            REQUIRE_MESSAGE(quantity != nullptr, text.name);
            CHECK_MESSAGE(std::string(quantity->command) == text.name, text.name);
        }
        CHECK(charts.size() == 17);
    }
}
