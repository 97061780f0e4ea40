// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/report/index_names.hpp>
#include <iterator>
#include <set>
#include <string>
#include <vector>

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

/// What stands between these words, as often as it does.
std::set<std::string> texts_between(std::string const& svg, std::string const& begin, std::string const& end) {
    std::set<std::string> out;
    for (auto at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at + 1)) {
        auto const first = at + begin.size();
        out.insert(svg.substr(first, svg.find(end, first) - first));
    }
    return out;
}

using Texts = std::set<std::string>;

/// The names of the curves; gnuplot calls the whole by its own name.
Texts curves_of(std::string const& svg) {
    auto out = texts_between(svg, "<title>", "</title>");
    out.erase("Gnuplot");
    return out;
}

std::string const three_samples = "text:x1,x2,y1;1,2,1;0,1,2;1,-1,0";

}  // namespace

TEST_SUITE("quantity/chart") {
    TEST_CASE("kernels of samples over layers, a curve for each two of them") {
        auto const svg = drawn({"kernel", {"relu"}, {{"data", {three_samples}}, {"depth", {"3"}}}});
        has(svg, {"<text>layer</text>", "<text>kernel correlation</text>"});
        CHECK(curves_of(svg) == Texts{"samples 1,2, unit relu", "samples 1,3, unit relu", "samples 2,3, unit relu"});
        auto const pairs = drawn({"ntk", {"3,3,1"}, {{"data", {three_samples}}, {"activation", {"linear"}}}});
        has(pairs, {"<text>sample</text>"});
        CHECK(curves_of(pairs) == Texts{"with sample 1", "with sample 2", "with sample 3"});
    }

    TEST_CASE("nodes inside a block are curves of their own") {
        auto const svg = drawn({"norm", {"3:4"}, {{"network", {"resnet:3"}}}});
        has(svg, {"<text>layer k</text>"});
        CHECK(curves_of(svg) == Texts{"layer k", "layer k.1", "layer k.2"});
        CHECK(curves_of(drawn({"coord-check", {"3:3"}, {{"network", {"resnet:2"}}, {"plot_of", {"change_rms"}}}})) ==
              Texts{"layer k, width 3", "layer k.1, width 3"});
        // A chain has none, and its layers no k.
        CHECK(curves_of(drawn({"norm", {"3:4"}, {}})) == Texts{"squared_norm_mean"});
    }

    TEST_CASE("at samples, over layers and outputs") {
        auto const of = [](char const* command, char const* widths, char const* quantity) {
            return drawn(
                {command, {widths}, {{"data", {three_samples}}, {"activation", {"linear"}}, {"plot_of", {quantity}}}});
        };
        auto const norms = of("norm", "3,3,1", "sample_squared_norm_mean");
        has(norms, {"<text>layer</text>"});
        CHECK(curves_of(norms) == Texts{"sample 1", "sample 2", "sample 3"});
        auto const changes = of("coord-check", "3,4,4,1", "sample_change_rms");
        has(changes, {"<text>layer</text>"});
        CHECK(curves_of(changes).count("sample 2, width 4") == 1);
        auto const means = of("coord-check", "3,4,1", "sample_change_mean");
        has(means, {"<text>output</text>"});
        CHECK(curves_of(means) == Texts{"sample 1, width 1", "sample 2, width 1", "sample 3, width 1"});
    }

    TEST_CASE("of two layers, and of matrices and sources") {
        auto const blocks = drawn({"hessian", {"2,3,1"}, {{"plot_of", {"block"}}}});
        has(blocks, {"<text>layer</text>"});
        CHECK(curves_of(blocks) == Texts{"with layer 1", "with layer 2"});
        CHECK(curves_of(drawn({"hessian", {"3:2"}, {{"network", {"resnet:2"}}, {"plot_of", {"block"}}}})) ==
              Texts{"layer k.1, with layer 1.1", "layer k.1, with layer 1.2", "layer k.2, with layer 1.1",
                    "layer k.2, with layer 1.2"});
        CHECK(curves_of(drawn({"jacobian", {"3,4,2"}, {{"network", {"densenet"}}, {"block", {}}}})) ==
              Texts{"source layer 0", "source layer 1"});
        CHECK(curves_of(drawn({"jacobian", {"3:3"}, {{"network", {"resnet:2"}}}})) == Texts{"matrix 1", "matrix 2"});
    }

    TEST_CASE("every part of an index has a name, and the axis has one of them") {
        std::vector<Question> const questions = {
            {"moments", {"2,3,2"}, {}},
            {"products", {"2,10,1"}, {}},
            {"init", {"2,10:2,1"}, {}},
            {"gain", {"relu", "tanh"}, {}},
            {"kernel", {"relu"}, {}},
            {"kernel", {"relu"}, {{"data", {three_samples}}}},
            {"scaling-factor", {"2,10:3,1", "2,20:3,1"}, {}},
            {"norm", {"2,4,1", "2,5,1"}, {}},
            {"norm", {"2,n,1"}, {{"table", {"n=2,3"}}}},
            {"norm", {"3,3,1"}, {{"data", {three_samples}}}},
            {"norm", {"n,n:L,1"}, {{"layer", {"L+1"}}, {"series", {"1/n"}}}},
            {"norm", {"n,n:L,1"}, {{"layer", {"L+1"}}, {"limit", {"double-scaling"}}}},
            {"normalised", {"3,3,3,1"}, {{"gradients", {}}}},
            {"expect", {"z^4", "n0,n:L,1"}, {{"series", {"1/n"}}, {"input_squared_norm", {"n0"}}}},
            {"trace", {"tr((W W^T)^2)/n"}, {{"shape", {"W=n,n"}}, {"series", {"1/n"}}}},
            {"hessian", {"1,2,2,1"}, {{"effective", {}}, {"functionals", {}}}},
            {"ntk", {"3,3,1"}, {{"data", {three_samples}}, {"activation", {"linear"}}}},
            {"mup", {"2,2,2,1"}, {{"input", {"1,1"}}}},
            {"mup", {"3,3,1"}, {{"data", {three_samples}}, {"activation", {"linear"}}}},
            {"mup", {}, {{"depths", {"4..5"}}, {"width_list", {"16,64"}}}},
            {"jacobian", {"3,4,2"}, {{"alpha", {"1,2"}}}},
            {"jacobian", {"3:3"}, {{"network", {"resnet:2"}}}},
            {"jacobian", {"3,4,2"}, {{"network", {"densenet"}}, {"block", {}}}},
            {"jacobian", {"40:9"}, {{"head", {"activation"}}, {"budget", {}}}},
            {"coord-check", {"3,4,1"}, {{"data", {three_samples}}, {"activation", {"linear"}}}},
            {"coord-check",
             {"2,n,1"},
             {{"width_list", {"4,16"}}, {"parametrisation", {"mup"}}, {"beside", {"standard"}}}},
            {"depth-rules", {"8,64,1"}, {{"input_squared_norm", {"8"}}, {"depths", {"4,16"}}}},
            {"train", {"2,4,1"}, {{"data", {"cos"}}, {"epochs", {"2"}}}},
        };
        for (auto const& question : questions) {
            auto const answer = ask(question);
            auto const& text = *quantity::find_command(question.command);
            Texts seen;
            for (auto const& result : answer.results()) {
                auto const names = index_names(answer, result);
                INFO(question.command << " " << result.name << " " << index_text(answer, result));
                REQUIRE(names.size() == result.index.size());
                CHECK(std::count(names.begin(), names.end(), "index") == 0);
                auto const* quantity = find_quantity(question.command, result.name);
                // One of each form of index is drawn.
                if (text.charted.empty() || !result.decimal || names.empty() || result.name != quantity->name ||
                    question.command != quantity->command || !seen.insert(index_text(names, names)).second)
                    continue;
                Question chart = question;
                chart.parameters["plot_of"] = {result.name};
                std::string svg;
                try {
                    svg = drawn(chart);
                } catch (DomainError const&) {
                    continue;  // an index of words
                }
                CHECK(std::any_of(names.begin(), names.end(), [&](std::string const& name) {
                    return svg.find("<text>" + name + "</text>") != std::string::npos;
                }));
            }
        }
    }

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
