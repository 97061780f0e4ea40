// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

#include "json_answer.hpp"

namespace {

using isserlis::test::ask;
using isserlis::test::Json;
using isserlis::test::JsonAnswer;
using isserlis::test::run_program;
using isserlis::test::words;

/// The command that prints each quantity, as `list` says; the report's own quantities have the report.
std::map<std::string, std::string> commands_by_name() {
    auto const json = Json::parse(run_program(words("list --format json")).out);
    std::map<std::string, std::string> out;
    for (auto const& q : json["quantities"]) out.emplace(q["name"], q["command"]);
    return out;
}

/// Every row of the report is the row of its command, asked the same question.
void check_rows(std::string const& network, std::map<std::string, std::string> const& options) {
    auto const of = [&](std::string const& command) {
        auto const at = options.find(command);
        return at == options.end() ? std::string() : " " + at->second;
    };
    auto const report = ask("report " + network + of("report"));
    static auto const commands = commands_by_name();
    std::map<std::string, JsonAnswer> answers;
    for (auto const& row : report.json["results"]) {
        std::string const& command = commands.at(row["name"]);
        if (command == "report") continue;
        if (answers.count(command) == 0) answers.emplace(command, ask(command + " " + network + of(command)));
        CAPTURE(network);
        CAPTURE(command);
        CAPTURE(row.dump());
        auto const& rows = answers.at(command).json["results"];
        CHECK(std::find(rows.begin(), rows.end(), row) != rows.end());
    }
    CHECK(answers.size() >= 8);
}

}  // namespace

TEST_SUITE("cli/report") {
    TEST_CASE("every row is that of its command, in numbers, in symbols, at symbolic depth and deep down") {
        for (std::string const network : {"2,3,4,1", "1,1", "2,10:3,1", "a,b,c,d", "n0,n:L,k", "2,4:9,3"}) {
            check_rows(network, {});
        }
    }

    // [Liquet 2024, eqs. (5.5), (5.6)]; by hand 10 + 4 + 4 + 2 weights and 7 biases of 5,2:3,1.
    TEST_CASE("biases are counted where asked for, and change nothing else") {
        for (auto const& [network, count] :
             {std::pair("4,5,1", "31"), std::pair("4,4,3,5,1", "61"), std::pair("5,2:3,1", "27")}) {
            auto const with = ask(std::string("report ") + network + " --biases").json["results"];
            auto const without = ask(std::string("report ") + network).json["results"];
            REQUIRE(with.size() == without.size());
            CHECK(with[0]["name"] == "parameters");
            CHECK(with[0]["exact"] == count);
            for (std::size_t i = 1; i < with.size(); ++i) CHECK(with[i] == without[i]);
        }
    }

    TEST_CASE("so it is with options, which reach every command that depends on them") {
        std::string const model = "--activation leaky:1/2 --variance 1/fan_in --input-squared-norm 5";
        check_rows("2,3,4,2", {{"report", model + " --target-second-moment 7"},
                               {"norm", model},
                               {"init", "--activation leaky:1/2 --variance 1/fan_in"},
                               {"jacobian", model + " --target-second-moment 7"},
                               {"ntk", model},
                               {"hessian", model + " --target-second-moment 7"}});
    }

    TEST_CASE("kurtoses reach moments, Jacobians and kernels") {
        auto const report = ask("report 2,3,1 --kurtosis 2 --input 1,1");
        CHECK(report.exact("rho", {2}) == ask("moments 2,3,1 --fourth-moment 2").exact("rho", {2}));
        CHECK(report.exact("jacobian_variance", {1}) ==
              ask("jacobian 2,3,1 --kurtosis 2 --input 1,1").exact("jacobian_variance", {1}));
        CHECK(report.exact("ntk_mean") == ask("expect z[1;m]^2 2,3,1 --kurtosis 2 --input 1,1").exact("value"));
    }

    TEST_CASE("without sum x_i^4 what does not depend on it stays, and what does is named") {
        for (std::string const network : {"2,3,1", "2,n,1"}) {
            CAPTURE(network);
            auto const bare = ask("report " + network + " --law uniform --input-squared-norm 5");
            auto const whole = ask("report " + network + " --law uniform --input 1,2");
            for (int layer : {1, 2}) {
                CHECK(bare.exact("squared_norm_mean", {layer}) == whole.exact("squared_norm_mean", {layer}));
                CHECK(bare.exact("jacobian_mean", {layer}) == whole.exact("jacobian_mean", {layer}));
            }
            CHECK(bare.exact("jacobian_variance", {1}) == whole.exact("jacobian_variance", {1}));
            CHECK(bare.exact("ntk_mean") == whole.exact("ntk_mean"));
            CHECK(bare.exact("functional") == whole.exact("functional"));
            CHECK_FALSE(bare.has("squared_norm_variance", {1}));
            for (char const* needy : {"ntk_variance", "hessian_frobenius_squared"}) CHECK_FALSE(bare.has(needy));
            auto const notes = bare.text_of("warnings");
            CHECK(notes.find("not in the report: jacobian_variance [2], gradient_squared_mean [2]: ") !=
                  std::string::npos);
            CHECK(notes.find("sum x_i^4 is needed; give it by --input-fourth") != std::string::npos);
            CHECK(bare.text_of("assumptions").find("x_i^4 = ") == std::string::npos);
        }
        // One coordinate is all of x.
        CHECK(ask("report 1,3,1 --law uniform").exact("ntk_variance") ==
              ask("report 1,3,1 --law uniform --input 1").exact("ntk_variance"));
    }

    TEST_CASE("muP is there for its own networks, and says so elsewhere") {
        auto const report = ask("report 4,8,8,1 --scheme mean-field --input-squared-norm 4");
        CHECK(report.exact("mup_learning_rate") ==
              ask("mup 4,8,8,1 --input-squared-norm 4").exact("mup_learning_rate"));
        auto const other = ask("report 4,8,8,1");
        CHECK_FALSE(other.has("mup_learning_rate"));
        CHECK(other.text_of("warnings").find("--scheme mean-field") != std::string::npos);
    }

    TEST_CASE("one convention: the output's mean square is the same in norm and in the Jacobian's homogeneity") {
        // y is linear in each matrix, so that E<dy/dW, W> = E|y|^2; Gaussian weights make it v E||dy/dW||^2 at the top.
        auto const report = ask("report 2,3,1 --input-squared-norm 7");
        CHECK(report.exact("squared_norm_mean", {2}) == "7");
        CHECK(report.exact("jacobian_mean", {2}) ==
              ask("norm 2,3,1 --input-squared-norm 7").exact("squared_norm_mean", {1}));
        CHECK_FALSE(report.has("output_variance"));
    }

    TEST_CASE("symbols that a command does not know are no obstacle to --set") {
        auto const report = ask("report 2,n,1 --variance v --set v=1/2");
        CHECK(report.exact("weight_variance", {1}) == "1/2");
        CHECK(report.exact("phi", {1, 2}) == ask("products 2,n,1").exact("phi", {1, 2}));
    }

    TEST_CASE("last layers of a symbolic depth are there, and so is a depth of 1") {
        auto const report = ask("report a,b:L --activation leaky:1/2");
        auto const norm = ask("norm a,b:L --activation leaky:1/2");
        for (Json const& layer : {Json(1), Json("l"), Json("L")})
            CHECK(report.exact("squared_norm_mean", Json::array({layer})) ==
                  norm.exact("squared_norm_mean", Json::array({layer})));
        CHECK(norm.exact("squared_norm_mean", {"L"}) == "8*b/(5*a)");  // the head is linear: E z^2, not E h^2
        CHECK(report.exact("second_moment", {1}) == "1");
        CHECK(report.exact("second_moment", {"l"}) == "b^(l - 1)");
        CHECK(report.exact("phi", {1, 1}) == "1");
    }

    TEST_CASE("about one page, deep or shallow") {
        for (std::string const network : {"2,10:3,1", "784,512:30,10", "n0,n:L,1"}) {
            auto const text = run_program(words("report " + network)).out;
            CAPTURE(network);
            CHECK(std::count(text.begin(), text.end(), '\n') < 85);
        }
    }
}
