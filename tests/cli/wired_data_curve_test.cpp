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

    // One layer z = a.x + b, E a^2 = 1, E b^2 = 1/2, x = (1, 1), (0, 1), y = 1, 2: with m = mean x, Sigma and Y as in
    // docs/formulas/loss_curve_squared.md, p1 = 3/2, p2 = 7/4, p3 = 9/4, |m|^2 = 5/4, m'Sigma m = 13/8, |Y|^2 = 5/2,
    // Tr Y Sigma Y' = 25/8. E L = p1 + 1/2 + 5/2, E L' = -4 (p2 + |m|^2/2 + |Y|^2), E L'' = 8 (p3 + m'Sigma m/2 + 25/8). Along the
    // gradient of one sample E L'' = 8 mean (|x|^2 + 1/2 + y^2) x'Sigma x, 7/2 * 5/2 and 11/2 * 1. Biases that step too add
    // mean_kl (x_k.x_l + 1/2 + y_k y_l) to the slope's bracket, 5/4 + 1/2 + 9/4.
    TEST_CASE("biases by hand") {
        TextFile const data("two.csv", "x1,y1\n1,1\n0,2\n");
        std::string const line =
            "loss-curve 2,1 --activation linear --variance 1 --bias-variance 1/2 --gradient random --data " + data.path;
        auto const hand = ask(line);
        CHECK(hand.exact("loss", Json{1}) == "9/2");
        CHECK(hand.exact("slope", Json{1}) == "-39/2");
        CHECK(hand.exact("curvature", Json{1}) == "99/2");
        CHECK(hand.exact("curvature_gamma", Json{1}) == "0");
        CHECK(ask(line + " --batch 1").exact("curvature", Json{1}) == "57");
        CHECK(ask(line + " --bias-label-factor 1").exact("slope", Json{1}) == "-71/2");
        CHECK(ask("loss-curve 2,1 --activation linear --variance 1 --bias-variance v --gradient random --data " +
                  data.path)
                  .exact("slope", Json{1}) == "-5*v - 17");
    }

    // A bias is one more row of weights, which reads 1: of c instead, where its variance is 1/c^2 times as large and its
    // factor c^2 times.
    TEST_CASE("biases of the first layer are weights of one more feature") {
        TextFile const data("three.csv", "x1,y1,y2\n1/2,1,0\n-1,1/4,2\n3/2,-2,1\n");
        TextFile const more("more.csv", "x1,x2,y1,y2\n1/2,3,1,0\n-1,3,1/4,2\n3/2,3,-2,1\n");
        for (std::string const step : {"", " --batch 2"}) {
            CAPTURE(step);
            std::string const with = " --activation linear --variance 1/2 --gradient random" + step + " --data ";
            auto const biases =
                ask("loss-curve 2,3,4,2 --bias-variance 9/2,0,0 --bias-label-factor 9,0,0" + with + data.path);
            auto const weights = ask("loss-curve 3,3,4,2 --samples 0" + with + more.path);
            for (char const* name : parts) CHECK(biases.exact(name, Json{1}) == weights.exact(name, Json{1}));
        }
    }

    TEST_CASE("biases on one sample, without variance, in a file, and in formulas") {
        TextFile const one("one.csv", "x1,y1\n1/2,3\n");
        TextFile const four("four.csv", four_samples);
        std::string const biases = " --activation linear --bias-variance 1/3,2,1/2 --bias-law uniform";
        auto const many = ask("loss-curve 2,3,3,1 --loss half-squared --gradient random --data " + one.path + biases);
        auto const alone = ask("loss-curve 2,3,3,1 --input 1/2,1 --target-second-moment 9" + biases);
        for (char const* name : parts) CHECK(many.exact(name, Json{1}) == alone.exact(name, Json{1}));

        std::string const with = " --activation linear --gradient random --data " + four.path;
        auto const without = ask("loss-curve 2,3,3,2 --samples 0 --batch 2" + with);
        auto const zero = ask("loss-curve 2,3,3,2 --bias-variance 0 --samples 0 --batch 2" + with);
        auto const at_zero = ask("loss-curve 2,3,3,2 --bias-variance v --set v=0 --batch 2" + with);
        auto const formula = ask("loss-curve 2,n:L,2 --bias-variance v --batch 2" + with);
        auto const number = ask("loss-curve 2,3:2,2 --bias-variance 1/5 --batch 2" + with);
        for (char const* name : parts) {
            CHECK(zero.exact(name, Json{1}) == without.exact(name, Json{1}));
            CHECK(at_zero.exact(name, Json{1}) == without.exact(name, Json{1}));
            auto const value = isserlis::parse_rational_function(formula.exact(name, Json{1}), name)
                                   .evaluate({{"n", 3}, {"L", 2}, {"v", isserlis::ratio(1, 5)}});
            CHECK(isserlis::to_string(value) == number.exact(name, Json{1}));
        }
        TextFile const file("biased.json",
                            R"({"nodes": [{"name": "x", "width": 2},
                                {"name": "h", "width": 3, "activation": "linear", "bias_variance": 1},
                                {"name": "z", "width": 2, "activation": "linear"}],
                                "edges": [{"name": "V", "from": "x", "to": "h", "variance": "1/2"},
                                {"name": "W", "from": "h", "to": "z", "variance": "1/3"}]})");
        auto const in_file = ask("loss-curve --network " + file.path + " --gradient random --data " + four.path);
        auto const chain = ask("loss-curve 2,3,2 --variance 1/fan_in --bias-variance 1,0" + with);
        for (char const* name : parts) CHECK(in_file.exact(name, Json{1}) == chain.exact(name, Json{1}));
    }

    // Weights of sign: all 2^5 networks 2,1,1 of weights a, b, w +-1 and biases c, d +-1, which step too, at x = (1/2, 1), (-1, 1),
    // y = 1, 1/4: z = w (a x_1 + b x_2 + c) + d. Derivatives by hand: of z by (a, b, w, c, d) (w x_1, w x_2, u, w, 1), and
    // second ones x_1, x_2, 1 beside w.
    TEST_CASE("weights and biases of signs, every network") {
        using isserlis::ratio;
        using isserlis::Rational;
        TextFile const data("two.csv", "x1,y1\n1/2,1\n-1,1/4\n");
        std::array<std::array<Rational, 2>, 2> const x{{{ratio(1, 2), 1}, {-1, 1}}};
        std::array<Rational, 2> const y{1, ratio(1, 4)};
        for (bool const batched : {false, true}) {
            Rational loss = 0;
            Rational slope = 0;
            Rational curvature = 0;
            for (unsigned code = 0; code < 32; ++code) {
                auto const sign = [&](unsigned bit) { return Rational((code >> bit & 1U) != 0 ? 1 : -1); };
                Rational const w = sign(2);
                std::array<std::array<Rational, 5>, 2> first;  // of z_k
                std::array<Rational, 2> rest;
                for (std::size_t k = 0; k < 2; ++k) {
                    Rational const u = sign(0) * x[k][0] + sign(1) * x[k][1] + sign(3);
                    rest[k] = w * u + sign(4) - y[k];
                    first[k] = {w * x[k][0], w * x[k][1], u, w, 1};
                }
                auto const gradient = [&](std::vector<std::size_t> const& of) {
                    std::array<Rational, 5> g{};
                    for (std::size_t const k : of) {
                        for (std::size_t i = 0; i < 5; ++i)
                            g[i] += 2 * rest[k] * first[k][i] / Rational(static_cast<int>(of.size()));
                    }
                    return g;
                };
                auto const along = [&](std::array<Rational, 5> const& g) {  // g' H g
                    Rational out = 0;
                    for (std::size_t k = 0; k < 2; ++k) {
                        Rational step = 0;
                        for (std::size_t i = 0; i < 5; ++i) step += first[k][i] * g[i];
                        out += step * step + rest[k] * 2 * g[2] * (x[k][0] * g[0] + x[k][1] * g[1] + g[3]);
                    }
                    return out;  // 2/2: the mean over two samples of 2 (..)
                };
                auto const whole = gradient({0, 1});
                for (std::size_t k = 0; k < 2; ++k) loss += rest[k] * rest[k] / 64;
                for (auto const& g : whole) slope -= g * g / 32;
                curvature += batched ? Rational((along(gradient({0})) + along(gradient({1}))) / 64)
                                     : Rational(along(whole) / 32);
            }
            auto const answer =
                ask("loss-curve 2,1,1 --activation linear --variance 1 --law rademacher --bias-variance 1 "
                    "--bias-law rademacher --bias-label-factor 1 --gradient random --data " +
                    data.path + (batched ? " --batch 1" : ""));
            CHECK(answer.exact("loss", Json{1}) == isserlis::to_string(loss));
            CHECK(answer.exact("slope", Json{1}) == isserlis::to_string(slope));
            CHECK(answer.exact("curvature", Json{1}) == isserlis::to_string(curvature));
        }
    }

    TEST_CASE("drawn networks with biases agree") {
        TextFile const data("four.csv", four_samples);
        for (std::string const more :
             {"2,3,3,2", "2,3,3,2 --batch 1 --bias-law rademacher", "2,3,2 --batch 2 --bias-label-factor 1,1/2",
              "2,3:2,2 --network resnet:1 --projections --alpha 1/4 --bias-label-factor 1",
              "2,3,3,2 --law uniform --bias-law uniform --batch 2"}) {
            CAPTURE(more);
            auto const answer = ask(
                words("loss-curve " + more +
                      " --activation linear --bias-variance 1/3 --gradient random --check 40000 --data " + data.path),
                60);
            for (char const* name : {"loss", "slope", "curvature"})
                CHECK(answer.result(name, Json{1})["check"]["verdict"] == "agrees");
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

    // The constant feature makes it (1/2, 1). Outputs are odd in the last weights, so that y^2 alone matters; of |z - y|^2,
    // twice the loss, the gradient is twice as large.
    TEST_CASE("one sample with one output is exact through gates") {
        TextFile const data("one.csv", "x1,y1\n1/2,3\n");
        for (std::string const net :
             {"loss-curve 2,3:3,1 --network resnet:2 --projections --alpha 1/4 ",
              "loss-curve 2,3,2,1 --activation leaky:1/2 --bias-variance 1/3 --bias-label-factor 1/2 "}) {
            CAPTURE(net);
            auto const exact = ask(net + "--input 1/2,1 --target-second-moment 9");
            auto const half = ask(net + "--gradient random --loss half-squared --check 40000 --data " + data.path);
            for (char const* name : parts) CHECK(half.exact(name, Json{1}) == exact.exact(name, Json{1}));
            for (char const* name : {"loss", "slope"})
                CHECK(half.result(name, Json{1})["check"]["verdict"] == "agrees");
            auto const whole = ask(net + "--gradient random --data " + data.path);
            CHECK(whole.number("slope", Json{1}) == doctest::Approx(4 * exact.number("slope", Json{1})));
            CHECK(whole.number("curvature", Json{1}) == doctest::Approx(8 * exact.number("curvature", Json{1})));
        }
        TextFile const two_outputs("two_outputs.csv", "x1,y1,y2\n1/2,3,1\n");
        auto const open =
            ask("loss-curve 2,3,2 --bias-variance 1 --gradient random --check 100 --data " + two_outputs.path);
        CHECK(open.text_of("assumptions").find("one sample has an exact form where it has one output") !=
              std::string::npos);
    }

    // Half of these networks have no open unit below the second layer, whose bias of 0 then steps behind a closed gate.
    TEST_CASE("gates at exactly 0 are closed, and the answer says so") {
        TextFile const data("two.csv", "x1,y1\n0,1\n1,1\n");
        std::string const line = "loss-curve 2,1,1,1 --gradient random --check 100 --data " + data.path;
        std::string const closed = "a gate is closed where its pre-activation is exactly 0";
        CHECK(ask(line + " --bias-label-factor 0,1,0").text_of("assumptions").find(closed) != std::string::npos);
        CHECK(ask(line + " --bias-variance 1 --bias-label-factor 0,1,0").text_of("assumptions").find(closed) ==
              std::string::npos);
        // Strands toss a coin: one sample is sampled too, and by its input says what a gate does. Outputs near 0 and y = 1
        // make the slope minus the derivative by the bias: its gate opens in 1/4 of the networks, or in 1/2.
        std::string const net = "loss-curve 2,1,1,1 --variance 1/100,1/100,1 --bias-label-factor 0,1,0 ";
        auto const row = ask(net + "--data text:x1,y1;0,1 --loss half-squared --gradient random --check 20000");
        CHECK(row.text_of("assumptions").find(closed) != std::string::npos);
        CHECK(row.number("slope", Json{1}) == doctest::Approx(-0.254).epsilon(0.1));
        auto const input = ask(net + "--input 0,1");
        CHECK(input.text_of("assumptions").find("z = 0 opens its gate with probability 1/2") != std::string::npos);
        CHECK(input.number("slope", Json{1}) == doctest::Approx(-0.505).epsilon(0.01));
        CHECK(ask(net + "--bias-variance 1 --input 0,1").text_of("assumptions").find("opens its gate") ==
              std::string::npos);
    }

    TEST_CASE("with gates the loss is exact and the rest is sampled") {
        // Chains have their own sampler, of the same networks.
        TextFile const four("four.csv", four_samples);
        TextFile const file("chain.json",
                            R"({"nodes": [{"name": "x", "width": 2}, {"name": "a", "width": 4, "activation": "relu"},
                                {"name": "b", "width": 3, "activation": "relu"}, {"name": "z", "width": 2}],
                                "edges": [{"from": "x", "to": "a", "variance": "1"},
                                {"from": "a", "to": "b", "variance": "1/2"}, {"from": "b", "to": "z", "variance": "2/3"}]})");
        std::string const with = " --gradient random --check 2000 --data " + four.path;
        auto const chain = ask("loss-curve 2,4,3,2" + with);
        auto const graph = ask("loss-curve --network " + file.path + with);
        CHECK(graph.text_of("assumptions").find("by sampled networks") != std::string::npos);
        CHECK(graph.exact("loss", Json{1}) == chain.exact("loss", Json{1}));
        CHECK(graph.number("slope", Json{1}) == doctest::Approx(chain.number("slope", Json{1})));
        CHECK(graph.number("curvature", Json{1}) == doctest::Approx(chain.number("curvature", Json{1})));
    }

    TEST_CASE("what is not served says what is") {
        TextFile const data("four.csv", four_samples);
        auto const refused = [](std::string const& line, std::vector<std::string> const& named, int code) {
            is_refusal(run_program(words(line)), named, code);
        };
        std::string const with = " --gradient random --data " + data.path;
        refused("loss-curve 2,n:3,2 --network resnet:2 --projections" + with, {"--activation", "one sample"}, 3);
        refused("loss-curve 3,3:3,2 --network resnet:2 --projections" + with, {"WIDTHS", "d_0 = 2"}, 2);
        refused("loss-curve 2:3 --network resnet:1 --activation linear" + with, {"--network", "--projections"}, 3);
        refused(residual("2,3:3,2", data, "--kurtosis 2"), {}, 3);
        refused(residual("3,3:3,2", data, ""), {"WIDTHS", "d_0 = 2"}, 2);
        refused(residual("2,3:3,1", data, ""), {"WIDTHS", "d_n = 2"}, 2);
        refused(residual("2,3:3,2", data, "--samples 100"), {"--samples"}, 3);
        refused(residual("2,3:3,2", data, "--printed"), {"--printed"}, 3);
        refused(residual("2,3:3,2", data, "--head activation"), {"--head"}, 3);
        refused(residual("2,3:3,2", data, "--parametrisation mup"), {"--parametrisation"}, 3);
        std::string const biases = " --bias-variance 1" + with;
        refused("loss-curve 2,n,2" + biases, {"--activation", "with biases"}, 3);
        refused("loss-curve 2,3,2 --activation linear --samples 10" + biases, {"--samples", "without biases"}, 3);
        refused("loss-curve 2,3,2 --activation linear --bias-label-factor -1" + with, {"--bias-label-factor"}, 2);
        refused("loss-curve 2,3:3,2 --network resnet:1 --projections --activation linear --gradient fixed --data " +
                    data.path,
                {"--gradient fixed"}, 3);
    }
}
