// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/report/quantities.hpp>
#include <set>
#include <string>
#include <vector>

#include "exact.hpp"

using isserlis::test::exact;
using namespace isserlis;
using quantity::ask;
using quantity::Question;

TEST_SUITE("quantity/ask") {
    TEST_CASE("a command is a call") {
        // E |z|^2 doubles in no layer of a He network, and the head has variance 2/n: 2 |x|^2/n0.
        CHECK(exact({"norm", {"n0,n:L,1"}}, "squared_norm_mean", {"L + 1"}) == "2/n0");
        // E tr(W W^T) is the number of entries.
        CHECK(exact({"trace", {"tr(W W^T)"}, {{"shape", {"W=n,m"}}}}, "value") == "m*n");
        // A linear network 1,1 has the kernel x^2.
        CHECK(exact({"ntk", {"1,1"}, {{"activation", {"linear"}}, {"input", {"3"}}}}, "ntk_mean") == "9");
    }

    TEST_CASE("flags have no value, values of symbols may come in several parts") {
        Question const question{"ntk", {"n,m,1"}, {{"effective", {}}, {"set", {"n=2", "m=3"}}}};
        Answer const answer = ask(question);
        CHECK(answer.at("ntk_mean").exact);
        CHECK(answer.title() == "isserlis ntk n,m,1 --effective --set n=2 --set m=3");
        CHECK(answer.assumptions().front() == "m = 3, n = 2");
    }

    TEST_CASE("a swept symbol comes first in each index") {
        Answer const answer = ask({"ntk", {"2,n,1"}, {{"table", {"n=1,2"}}}});
        CHECK(answer.sweeps() == std::vector<std::string>{"n"});
        CHECK(answer.at("ntk_mean", {"1"}).exact);
        CHECK(answer.at("ntk_mean", {"2"}).exact);
        CHECK_THROWS_WITH_AS((void)answer.at("ntk_mean"), "ntk: no result ntk_mean [] here; there is [1], [2]",
                             DomainError);
        CHECK(answer.options().format == Format::csv);
    }

    TEST_CASE("a result far down a long answer is found") {
        CHECK(exact({"norm", {"2:30"}, {{"head", {"activation"}}}}, "squared_norm_moment", {"29", "1"}) == "1");
    }

    TEST_CASE("who asks may stop sampling, training and series of answers") {
        std::atomic<bool> stop = true;
        quantity::Surroundings surroundings;
        surroundings.stop = &stop;
        std::vector<Question> const questions = {{"norm", {"2,3,1"}, {{"check", {"200"}}}},
                                                 {"ntk", {"2,n,1"}, {{"table", {"n=1..100"}}}},
                                                 {"train", {"2,4,1"}, {{"data", {"cos"}}, {"epochs", {"3"}}}}};
        for (auto const& question : questions) {
            CAPTURE(question.command);
            CHECK_THROWS_AS((void)ask(question, surroundings), Interrupted);
        }
        stop = false;
        for (auto const& question : questions) CHECK_FALSE(ask(question, surroundings).results().empty());

        // Told in the midst of it.
        int reports = 0;
        surroundings.progress = [&](quantity::ProgressWords const&) {
            return [&](std::uint64_t, std::uint64_t) { stop = ++reports == 2; };
        };
        CHECK_THROWS_AS((void)ask({"train", {"2,4,1"}, {{"data", {"cos"}}, {"epochs", {"1000"}}}}, surroundings),
                        Interrupted);
        CHECK(reports == 2);
    }

    TEST_CASE("LaTeX comes with any format where it is asked for") {
        Question const question{"norm", {"n0,n:L,1"}};
        CHECK(ask(question).at("squared_norm_mean", {"L + 1"}).latex.empty());
        quantity::Surroundings surroundings;
        surroundings.latex = true;
        CHECK(ask(question, surroundings).at("squared_norm_mean", {"L + 1"}).latex == "\\frac{2}{n_{0}}");
        CHECK(to_text(ask(question, surroundings)) == to_text(ask(question)));
    }

    TEST_CASE("samples stand beside exact values, the same for any number of threads") {
        auto const sampled = [](char const* threads) {
            Answer const answer = ask({"ntk", {"2,3,1"}, {{"check", {"200"}}, {"threads", {threads}}}});
            REQUIRE(answer.at("ntk_mean").check);
            return answer.at("ntk_mean").check->mean;
        };
        CHECK(sampled("1") == sampled("3"));
    }

    TEST_CASE("progress is told to who listens") {
        std::vector<std::string> heard;
        quantity::Surroundings listening;
        listening.progress = [&](quantity::ProgressWords words) -> quantity::Progress {
            heard.push_back(words.doing);
            return [](std::uint64_t, std::uint64_t) {};
        };
        (void)ask({"ntk", {"2,3,1"}, {{"check", {"200"}}}}, listening);
        CHECK(!heard.empty());
        CHECK(heard.front() == "sampled");
    }

    TEST_CASE("sentences are spoken as the program wants") {
        Question const question{"jacobian", {"7:3"}, {{"budget", {}}}};
        auto const states = [&](std::string const& part, quantity::Surroundings const& surroundings) {
            Answer const answer = ask(question, surroundings);
            for (auto const& sentence : answer.assumptions()) {
                if (sentence.find(part) != std::string::npos) return true;
            }
            return false;
        };
        CHECK(states("as many weight matrices as `widths`", {}));
        quantity::Surroundings loud;
        loud.spoken = [](std::string) { return std::string("HEARD"); };
        CHECK(states("HEARD", loud));
    }

    TEST_CASE("what is wrong is named") {
        auto const fails = [](Question const& question, char const* message, std::string const& argument) {
            try {
                (void)ask(question);
                FAIL("answered");
            } catch (Error const& e) {
                CHECK(std::string(e.what()) == message);
                CHECK(e.argument() == argument);
            }
        };
        fails({"norms", {"2,3,1"}}, "'norms' is not a command; did you mean 'norm'?", "norms");
        fails({"norm", {"2,3,1"}, {{"layers", {"1"}}}}, "`layers` is not a parameter of norm; did you mean `layer`?",
              "layers");
        fails({"norm", {"2,3,1"}, {{"layer", {}}}}, "`layer`: K is missing", "layer");
        fails({"norm", {"2,3,1"}, {{"layer", {"1", "2"}}}}, "`layer` is given twice", "layer");
        fails({"norm", {"2,3,1"}, {{"seed", {"7"}}}}, "`seed` means nothing without `check`", "seed");
        fails({"norm", {"2,3,1"}, {{"variance", {"1"}}, {"scheme", {"he"}}}},
              "`variance` and `scheme` both fix the variances; give one of them", "variance");
        fails({"ntk", {"2,3,1"}, {{"layer", {"1"}}}},
              "`layer`: the kernel has no layers; leave it out, or set label factors to 0", "layer");
        fails({"ntk", {}}, "`widths` is missing; list the layers from the input on, such as isserlis ntk 2,10:3,1",
              "widths");
    }

    TEST_CASE("every quantity belongs to a command that can be asked") {
        std::set<std::string> commands;
        for (auto const& name : quantity::command_names()) {
            auto const& text = *quantity::find_command(name);
            CHECK_MESSAGE(commands.insert(text.name).second, text.name);
            CHECK_MESSAGE(!text.summary.empty(), text.name);
            std::set<std::string> names;
            for (auto const& p : quantity::common_parameters()) names.insert(p.name);
            for (auto const& p : text.parameters) CHECK_MESSAGE(names.insert(p.name).second, text.name, " ", p.name);
        }
        for (auto const& q : quantities()) CHECK_MESSAGE(commands.count(q.command) == 1, q.command);
    }
}
