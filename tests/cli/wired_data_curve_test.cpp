// SPDX-License-Identifier: MIT
// loss-curve --data on other wirings than chains: against the closed form of chains, one sample by strands, by hand, beside
// sampled networks.
#include <doctest/doctest.h>

#include <array>
#include <isserlis/ring/parse.hpp>
#include <string>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

constexpr std::array parts{"loss", "slope", "curvature", "curvature_chi", "curvature_gamma", "vertex_rate"};

/// A file of these contents, while it lives.
struct TextFile {
    TemporaryDirectory folder;
    std::string path;
    TextFile(std::string const& name, std::string const& text) : path(folder / name) { write_file(path, text); }
};

char const* const four_samples = "x1,y1,y2\n1/2,1,0\n-1,1/4,2\n3/2,-2,1\n1,1,1/3\n";

std::string residual(std::string const& widths, TextFile const& data, std::string const& more) {
    return "loss-curve " + widths + " --network resnet:1 --projections --activation linear --gradient random --data " +
           data.path + " " + more;
}

}  // namespace

TEST_SUITE("cli/wired_data_curve") {
    // The closed form of chains knows no strands: docs/formulas/loss_curve_squared.md.
    TEST_CASE("a chain in a file is a chain") {
        TextFile const data("four.csv", four_samples);
        TextFile const chain("chain.json",
                             R"({"nodes": [{"name": "x", "width": 2}, {"name": "a", "width": 3, "activation": "linear"},
                                 {"name": "b", "width": 4, "activation": "linear"}, {"name": "z", "width": 2, "activation": "linear"}],
                                 "edges": [{"name": "U", "from": "x", "to": "a", "variance": "1/2"},
                                 {"name": "V", "from": "a", "to": "b", "variance": "1/3"},
                                 {"name": "W", "from": "b", "to": "z", "variance": "1/4"}]})");
        for (std::string const more : {"", " --batch 1", " --batch 3 --loss half-squared"}) {
            CAPTURE(more);
            std::string const with = " --gradient random --data " + data.path + more;
            auto const closed = ask("loss-curve 2,3,4,2 --activation linear --variance 1/fan_in --samples 0" + with);
            auto const strands = ask("loss-curve --network " + chain.path + with);
            for (char const* name : parts) CHECK(strands.exact(name, Json{1}) == closed.exact(name, Json{1}));
        }
    }

    // One sample is that of `input`, whose loss is half the squared error: c = 1/2.
    TEST_CASE("one sample is the curve of one sample") {
        TextFile const data("one.csv", "x1,y1\n1/2,3\n");
        for (std::string const widths : {"2,3:4,1", "2,n:L,1"}) {
            auto const many = ask(residual(widths, data, "--loss half-squared"));
            auto const one = ask("loss-curve " + widths +
                                 " --network resnet:1 --projections --activation linear --input 1/2,1 "
                                 "--target-second-moment 9");
            for (char const* name : parts) CHECK(many.exact(name, Json{1}) == one.exact(name, Json{1}));
        }
    }

    // One block of single neurons, all variances 1: E z^2 = 2 |x|^2, |x|^2 = 2 and 1 with the constant feature, y^2 = 1 and 4.
    TEST_CASE("the loss by hand, and formulas at numbers") {
        TextFile const data("two.csv", "x1,y1\n1,1\n0,2\n");
        auto const hand = ask(residual("2,1:2,1", data, "--variance 1"));
        CHECK(hand.exact("loss", Json{1}) == "11/2");
        auto const formula = ask(residual("2,n:L,1", data, "--batch 1"));
        auto const number = ask(residual("2,3:5,1", data, "--batch 1"));
        for (char const* name : parts) {
            auto const value =
                isserlis::parse_rational_function(formula.exact(name, Json{1}), name).evaluate({{"n", 3}, {"L", 5}});
            CHECK(isserlis::to_string(value) == number.exact(name, Json{1}));
        }
    }

    TEST_CASE("drawn networks agree") {
        TextFile const data("four.csv", four_samples);
        for (std::string const more : {"--alpha 1/4", "--alpha 1/4 --batch 1", "--alpha 1/4 --scheme ntk --batch 2"}) {
            CAPTURE(more);
            auto const answer = ask(words(residual("2,3:3,2", data, more + " --check 40000")), 60);
            for (char const* name : {"loss", "slope", "curvature"})
                CHECK(answer.result(name, Json{1})["check"]["verdict"] == "agrees");
        }
    }

    TEST_CASE("what is not served says what is") {
        TextFile const data("four.csv", four_samples);
        auto const refused = [](std::string const& line, std::vector<std::string> const& named, int code) {
            is_refusal(run_program(words(line)), named, code);
        };
        std::string const with = " --gradient random --data " + data.path;
        refused("loss-curve 2,3:3,2 --network resnet:2 --projections" + with, {"--activation", "one sample"}, 3);
        refused("loss-curve 2:3 --network resnet:1 --activation linear" + with, {"--network", "--projections"}, 3);
        refused(residual("2,3:3,2", data, "--law uniform"), {"--law", "Gaussian"}, 3);
        refused(residual("2,3:3,2", data, "--kurtosis 2"), {"--kurtosis", "Gaussian"}, 3);
        refused(residual("3,3:3,2", data, ""), {"WIDTHS", "d_0 = 2"}, 2);
        refused(residual("2,3:3,1", data, ""), {"WIDTHS", "d_n = 2"}, 2);
        refused(residual("2,3:3,2", data, "--samples 100"), {"--samples"}, 3);
        refused(residual("2,3:3,2", data, "--printed"), {"--printed"}, 3);
        refused(residual("2,3:3,2", data, "--head activation"), {"--head"}, 3);
        refused(residual("2,3:3,2", data, "--bias-variance 1"), {"--bias-variance"}, 3);
        refused(residual("2,3:3,2", data, "--parametrisation mup"), {"--parametrisation"}, 3);
        TextFile const biased("biased.json",
                              R"({"nodes": [{"name": "x", "width": 2},
                                  {"name": "h", "width": 3, "activation": "linear", "bias_variance": 1},
                                  {"name": "z", "width": 2, "activation": "linear"}],
                                  "edges": [{"name": "V", "from": "x", "to": "h", "variance": "1/2"},
                                  {"name": "W", "from": "h", "to": "z", "variance": "1/3"}]})");
        for (std::string const more : {"", " --check 100"})
            refused("loss-curve --network " + biased.path + with + more, {"--bias-variance", "--input"}, 3);
        refused("loss-curve 2,3:3,2 --network resnet:1 --projections --activation linear --gradient fixed --data " +
                    data.path,
                {"--gradient fixed"}, 3);
    }
}
