// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "json_answer.hpp"

namespace {

using isserlis::test::Json;
using isserlis::test::Run;
using isserlis::test::run_program;
using isserlis::test::words;

Json entries(std::vector<std::string> line) {
    line.insert(line.begin(), "list");
    line.insert(line.end(), {"--format", "json"});
    Run const run = run_program(line);
    INFO(run.err);
    REQUIRE(run.code == 0);
    return Json::parse(run.out)["quantities"];
}

std::set<std::string> names(std::vector<std::string> const& line) {
    std::set<std::string> out;
    for (auto const& q : entries(line)) out.insert(q["name"].get<std::string>());
    return out;
}

}  // namespace

TEST_SUITE("cli/list") {
    TEST_CASE("list is one line a quantity, within 100 columns, and names each with its command") {
        std::istringstream text(run_program({"list"}).out);
        std::set<std::string> seen;
        for (std::string line; std::getline(text, line);) {
            CHECK_MESSAGE(line.size() <= 100, line);
            std::istringstream columns(line);
            std::string command;
            std::string name;
            columns >> command >> name;
            seen.insert(command + " " + name);
        }
        for (auto const& q : entries({})) {
            CHECK(q["summary"].get<std::string>().size() > 5);
            CHECK_MESSAGE(seen.count(q["command"].get<std::string>() + " " + q["name"].get<std::string>()) == 1,
                          q.dump());
        }
    }

    TEST_CASE("a command lists what it prints, and its name is no second command") {
        CHECK(names({"ntk"}) == std::set<std::string>{"ntk_mean", "ntk_second_moment", "ntk_variance", "ntk_trace_mean",
                                                      "ntk_trace_second_moment", "ntk_squared_trace_mean"});
        CHECK(names({"norm"}).count("squared_norm_mean") == 1);
        CHECK(names({"norm"}).count("ntk_mean") == 0);
        CHECK(names({"jacobian"}).count("jacobian_mean") == 1);
        CHECK(names({"norm", "variance"}) ==
              std::set<std::string>{"squared_norm_variance", "sample_squared_norm_variance", "relative_variance"});
    }

    TEST_CASE("names are exact, and print formula and source as they did") {
        CHECK(names({"tau", "eta"}) == std::set<std::string>{"tau", "eta"});
        CHECK(run_program(words("list tau")).out.find("formula: E b_ij^2 b_kl^2") != std::string::npos);
        CHECK(run_program(words("list norm")).out.find("formula:") == std::string::npos);
        CHECK(run_program(words("list norm --explain")).out.find("formula:") != std::string::npos);
    }

    TEST_CASE("statements are found by number, however they are spelled, and no longer number is taken for them") {
        auto const theorem = names({"Theorem 2"});
        CHECK(theorem.count("growth_upper_printed") == 1);
        CHECK(theorem.count("jacobian_mean") == 0);
        CHECK(names({"Theorem", "2"}) == theorem);
        CHECK(names({"thm", "2"}) == theorem);
        CHECK(names({"Lemma A.8"}) == std::set<std::string>{"rho", "gamma", "nu", "tau", "eta"});
        CHECK(names({"4.11"}).count("output_variance") == 1);
        CHECK(names({"A.12"}) == std::set<std::string>{"value"});  // within A.9 .. A.15
        CHECK(names({"eq. (76)"}) == names({"equation", "76"}));
        CHECK(names({"76"}).count("squared_norm_variance") == 1);
        CHECK(run_program(words("list 12")).code == 2);  // (120) and (121) are others
    }

    TEST_CASE("a word that nothing has names what is near, and an option says what it means") {
        Run const run = run_program(words("list varianse"));
        CHECK(run.code == 2);
        CHECK(run_program(words("list jacobain")).err.find("did you mean 'jacobian'?") != std::string::npos);
        CHECK(run_program(words("list schemes")).out.find("--scheme pytorch: variance 1/(3*fan_in)") !=
              std::string::npos);
        CHECK(run_program(words("list --explain")).out.find("--scheme he: ") != std::string::npos);
    }

    TEST_CASE("one command at a time") {
        for (std::string const line : {"norm ntk", "expect report 2,3,1", "norm norm", "hessian list"}) {
            Run const run = run_program(words(line));
            CAPTURE(line);
            CHECK(run.code == 2);
            CHECK(run.err.find("is a command too") != std::string::npos);
        }
    }
}
