// SPDX-License-Identifier: MIT
// --precision float: networks in float beside the same exact values, by every command that samples them so.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "json_answer.hpp"
#include "program.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

std::vector<std::string> const lines{
    "norm 6,12:2,3 --check 4000 --order 2",
    "norm 8:3 --network resnet:2 --check 2000 --order 2",
    "ntk 6,12:2,3 --check 2000",
    "ntk 6,12:2,1 --bias-variance 1/10 --bias-label-factor 1 --check 2000",
    "jacobian 6,12:2,3 --check 2000 --layer 2",
    "hessian 6,12:2,3 --check 1000",
    "hessian 6,48:2,1 --check 300",
    "hessian 4:3 --network resnet:1 --check 300",
    "mup 6,12:2,1 --input-squared-norm 6 --check 2000",
    "coord-check 6,12:2,1 --input-squared-norm 6 --check 2000",
    "coord-check 6,12:2,1 --activation leaky:1/10 --input-squared-norm 6 --check 2000",
    "loss-curve 2,12:2,1 --data cos --gradient random --samples 0 --check 2000 --activation linear --scheme xavier",
    "loss-curve 2,12:2,1 --data cos --gradient random --samples 0 --check 2000 --activation crelu-tied",
    "loss-curve 2,6:2,1 --network resnet:2 --projections --activation linear --data cos --gradient random --check 2000",
    "loss-curve 2,12:2,1 --bias-variance 1/4 --bias-label-factor 1 --data cos --gradient random --check 2000",
    "expect (D[m,n](loss))^2 6,12:2,2 --check 2000",
    "expect tr(W{1}^T(W{1})) 6,12:2,2 --check 2000",
};

}  // namespace

TEST_SUITE("cli/precision") {
    // Doubles of the same networks are other draws: what is sampled differs, what is exact does not.
    TEST_CASE("floats confirm the same exact values, and the answer says that they are floats") {
        for (auto const& line : lines) {
            CAPTURE(line);
            auto const in_double = ask(words(line), 60);
            auto const in_float = ask(words(line + " --precision float"), 60);
            CHECK(in_float.json["command_line"].get<std::string>().find("--precision float") != std::string::npos);
            CHECK(in_float.json["assumptions"].dump().find("sampled in float") != std::string::npos);
            CHECK(in_double.json["assumptions"].dump().find("sampled in float") == std::string::npos);
            bool some = false;
            for (auto const& x : in_float.json["results"]) {
                auto const y = in_double.result(x["name"], x["index"]);
                CHECK(x["exact"] == y["exact"]);
                if (!x.contains("check") || x["check"].is_null()) continue;
                CHECK(x["check"]["verdict"] != "disagrees");
                if (x["check"]["mean"] != y["check"]["mean"]) some = true;
            }
            CHECK(some);
        }
    }

    TEST_CASE("the same bytes in one thread and in three, and in parts that are merged") {
        for (auto const& line : lines) {
            CAPTURE(line);
            auto const all = words(line + " --precision float");
            auto one = all;
            one.insert(one.end(), {"--threads", "1"});
            auto three = all;
            three.insert(three.end(), {"--threads", "3"});
            auto const first_line_apart = [](std::string const& text) { return text.substr(text.find('\n')); };
            CHECK(first_line_apart(run_program(one, {.seconds = 60}).out) ==
                  first_line_apart(run_program(three, {.seconds = 60}).out));
            TemporaryDirectory const folder;
            std::vector<std::string> merge{"merge"};
            for (std::string const part : {"1/2", "2/2"}) {
                auto typed = all;
                merge.push_back(folder / ("part" + part.substr(0, 1)));
                typed.insert(typed.end(), {"--shard", part, "--output", merge.back()});
                REQUIRE(run_program(typed, {.seconds = 60}).code == 0);
            }
            CHECK(run_program(merge, {.seconds = 60}).out == run_program(all, {.seconds = 60}).out);
        }
    }

    // Weights of variance 2^-100 are 2^-50 times those of variance 1, exactly, and K of four layers has three factors of
    // them, squared: on the way are numbers far below the least float.
    TEST_CASE("what goes through a network of floats may be beyond their range") {
        std::string const line = "ntk 6,12:3,3 --check 100 --precision float --variance ";
        auto const at_one = ask(words(line + "1"));
        auto const small = ask(words(line + "1/1267650600228229401496703205376"));
        double const mean = at_one.result("ntk_mean")["check"]["mean"].get<double>();
        CHECK(mean > 0);
        CHECK(small.result("ntk_mean")["check"]["mean"].get<double>() == std::ldexp(mean, -300));
    }

    TEST_CASE("networks that come near the ends of the range of floats are refused") {
        std::string const in_float = " --check 100 --precision float";
        refuses("ntk 6,12:2,3 --variance 1e-80" + in_float, "weights of a variance below 2^-120 or above 2^120", 3);
        refuses("norm 2,3,1 --variance 1e60" + in_float, "weights of a variance below 2^-120 or above 2^120", 3);
        std::string const near = "come near the ends of the range of floats";
        refuses("coord-check 6,12:3,1 --input-squared-norm 6 --variance 1e12" + in_float, near, 3);
        refuses("loss-curve 2,12:3,1 --network resnet:2 --projections --data cos --gradient random --variance 1e15" +
                    in_float,
                near, 3);
        refuses("loss-curve 2,12:4,1 --bias-variance 1 --data cos --gradient random --variance 1e-9" + in_float, near,
                3);
        refuses("loss-curve 2,12:3,1 --data cos --gradient random --activation linear --variance 1e-20" + in_float,
                near, 3);
    }

    TEST_CASE("parts and kept samples of the two precisions are not mixed") {
        TemporaryDirectory const folder;
        auto const part = [&](std::string const& which, std::string const& more) {
            std::string const file = folder / which.substr(0, 1);
            auto typed = words("norm 2,6,1 --check 300 --shard " + which + more);
            typed.insert(typed.end(), {"--output", file});
            REQUIRE(run_program(typed).code == 0);
            return file;
        };
        auto const first = part("1/2", "");
        auto const second = part("2/2", " --precision float");
        is_refusal(run_program({"merge", first, second}), {"the question is", "--precision float"});
        std::string const kept = folder / "kept";
        REQUIRE(run_program({"norm", "2,6,1", "--check", "300", "--keep", kept}).code == 0);
        is_refusal(run_program({"norm", "2,6,1", "--check", "300", "--precision", "float", "--keep", kept}),
                   {"of another question", "--precision float"});
    }

    TEST_CASE("what is sampled in double alone is refused by name") {
        std::string const in_float = " --check 100 --precision float";
        refuses("norm 2,6,1 --law rademacher --ties fair-coin" + in_float, "--precision float: laws with atoms", 3);
        refuses("norm 2,6,1 --bias-variance 1 --bias-law rademacher" + in_float, "laws with atoms", 3);
        refuses("norm 2,6,1 --law orthogonal" + in_float, "orthogonal matrices are sampled in double", 3);
        refuses("expect z[1;m]^2 2,6,1 --activation crelu" + in_float, "derivatives of a concatenated ReLU network are",
                3);
        refuses("coord-check 2,6,1 --input 1,2 --optimiser sign" + in_float, "a step of an optimiser is sampled", 3);
        {
            TemporaryDirectory const folder;
            write_file(folder / "two.csv", "1,2\n3,4\n");
            is_refusal(run_program({"hessian", "2,6,1", "--check", "100", "--precision", "float", "--input",
                                    folder / "two.csv"}),
                       {"the mean loss over several inputs is sampled in double"}, 3);
        }
        refuses("norm 2,6,1 --precision float", "--precision means nothing without --check");
        refuses("norm 2,6,1 --check 100 --precision half", "'half' is not a precision");
        for (std::string const line : {"trace tr(W) --shape W=3,3", "kernel relu", "gain relu"})
            refuses(line + in_float, "--precision");
    }
}
