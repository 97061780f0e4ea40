// SPDX-License-Identifier: MIT
// hessian on several samples with targets, and on batches of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <isserlis/formula/mean_loss_hessian.hpp>
#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <map>
#include <string>
#include <vector>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

TEST_SUITE("cli/hessian_samples") {
    using isserlis::ratio;
    using isserlis::Rational;
    using isserlis::Surd;

    namespace {

    char const* const three_samples = "x1,y1,y2\n1/2,1,0\n-1,1/4,2\n3/2,-2,1\n";
    char const* const two_in_symbols =
        R"({"inputs": ["a", "b"], "gram": [[1, "r"], ["r", 1]], "targets": [[1, "s"], ["s", 1]]})";
    std::array<char const*, 5> const rows{"hessian_mean_loss", "gauss_newton", "functional", "cross", "target"};

    /// A formula at these numbers.
    std::string at(std::string const& formula, std::map<std::string, Rational> const& values) {
        return isserlis::to_string(
            isserlis::parse_rational_function(formula, "formula").evaluate(values).to_rational());
    }

    /// Linear layers 2, 2, 1, 2, whose outputs are linear in each of the weights.
    struct SmallNetwork {
        static constexpr std::size_t size = 8;
        std::array<double, size> w{};  ///< 2 x 2, 1 x 2, 2 x 1, row by row

        [[nodiscard]] double output(std::size_t i, std::array<double, 2> const& x) const {
            double const u = w[4] * (w[0] * x[0] + w[1] * x[1]) + w[5] * (w[2] * x[0] + w[3] * x[1]);
            return w[6 + i] * u;
        }
        [[nodiscard]] double by(std::size_t i, std::array<double, 2> const& x, std::size_t p) const {
            SmallNetwork high = *this;
            SmallNetwork low = *this;
            high.w[p] = 1;
            low.w[p] = 0;
            return high.output(i, x) - low.output(i, x);
        }
        [[nodiscard]] double by(std::size_t i, std::array<double, 2> const& x, std::size_t p, std::size_t q) const {
            if (p == q) return 0;
            SmallNetwork high = *this;
            SmallNetwork low = *this;
            high.w[q] = 1;
            low.w[q] = 0;
            return high.by(i, x, p) - low.by(i, x, p);
        }
    };

    constexpr std::array<std::array<double, 2>, 3> small_inputs{{{0.5, 1}, {-1, 1}, {1.5, 1}}};
    constexpr std::array<std::array<double, 2>, 3> small_targets{{{1, 0}, {0.25, 2}, {-2, 1}}};

    using SmallMatrix = std::array<std::array<double, SmallNetwork::size>, SmallNetwork::size>;

    SmallMatrix hessian_at(SmallNetwork const& net, std::size_t sample) {
        SmallMatrix out{};
        auto const& x = small_inputs[sample];
        for (std::size_t p = 0; p < SmallNetwork::size; ++p) {
            for (std::size_t q = 0; q < SmallNetwork::size; ++q) {
                for (std::size_t i = 0; i < 2; ++i)
                    out[p][q] += net.by(i, x, p) * net.by(i, x, q) +
                                 (net.output(i, x) - small_targets[sample][i]) * net.by(i, x, p, q);
            }
        }
        return out;
    }

    /// Means over every network with weights 0 or +-sqrt(3 v), as often as matches four moments of a normal of variance v:
    /// of <H_k, H_l> of samples k and l, of all entries and of those of two layers.
    struct BruteForce {
        std::array<std::array<double, 3>, 3> products{};
        std::array<std::array<double, 3>, 3> of_block{};  ///< of layers 1 and 3
    };

    BruteForce brute_force() {
        BruteForce out;
        std::array<double, SmallNetwork::size> const variances{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1, 1};
        std::size_t networks = 1;
        for (std::size_t k = 0; k < SmallNetwork::size; ++k) networks *= 3;
        for (std::size_t n = 0; n < networks; ++n) {
            SmallNetwork net;
            double weight = 1;
            std::size_t rest = n;
            for (std::size_t k = 0; k < SmallNetwork::size; ++k, rest /= 3) {
                std::size_t const which = rest % 3;
                net.w[k] = (which == 0 ? 0 : which == 1 ? 1 : -1) * std::sqrt(3 * variances[k]);
                weight *= which == 0 ? 2.0 / 3 : 1.0 / 6;
            }
            std::array<SmallMatrix, 3> const h{hessian_at(net, 0), hessian_at(net, 1), hessian_at(net, 2)};
            for (std::size_t k = 0; k < 3; ++k) {
                for (std::size_t l = 0; l < 3; ++l) {
                    for (std::size_t p = 0; p < SmallNetwork::size; ++p) {
                        for (std::size_t q = 0; q < SmallNetwork::size; ++q) {
                            double const product = weight * h[k][p][q] * h[l][p][q];
                            out.products[k][l] += product;
                            if (p < 4 && q >= 6) out.of_block[k][l] += product;
                        }
                    }
                }
            }
        }
        return out;
    }

    double mean_of(std::array<std::array<double, 3>, 3> const& products, double share) {
        double all = 0;
        double one = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            one += products[k][k] / 3;
            for (double const x : products[k]) all += x / 9;
        }
        return (1 - share) * all + share * one;
    }

    }  // namespace

    // By hand, docs/formulas/mean_loss_hessian.md#data: <H_k, H_l> of three layers of one neuron is 14 + 85 r^2 + 6 r y_k y_l.
    TEST_CASE("three layers of one neuron, in symbols") {
        Files const file;
        std::string const line =
            "hessian 2,1:2,1 --variance 1 --activation linear --with " + file("two.json", two_in_symbols);
        std::map<std::string, Rational> const values{{"r", ratio(1, 2)}, {"s", -1}};
        auto const all = ask(line);
        CHECK(at(all.exact("hessian_mean_loss"), values) == at("(119 + 85*r^2 + 6*r*s)/2", values));
        CHECK(at(all.exact("gauss_newton"), values) == at("(53 + 37*r^2)/2", values));
        CHECK(at(all.exact("functional"), values) == at("10 + 8*r^2", values));
        CHECK(at(all.exact("cross"), values) == at("20 + 16*r^2", values));
        CHECK(at(all.exact("target"), values) == at("3 + 3*r*s", values));
        CHECK(all.exact("hessian_mean_loss_upper") == "105");
        CHECK(at(all.exact("block", Json{1, 1}), values) == at("(9 + 9*r^2)/2", values));
        CHECK(ask(line + " --batch 1").exact("hessian_mean_loss") == "105");
        auto const half = ask(line + " --batch 2 --replacement");
        CHECK(at(half.exact("hessian_mean_loss"), values) == at("((119 + 85*r^2 + 6*r*s)/2 + 105)/2", values));
    }

    TEST_CASE("every network of a small discrete law, and every batch") {
        Files const file;
        auto const known = brute_force();
        std::string const line = "hessian 2,2,1,2 --activation linear --data " + file("three.csv", three_samples);
        // Two samples of a batch are one with 1/B in all: (3 - B)/(2 B) more than independent ones, or 1/B.
        for (auto const& [batch, share] : std::map<std::string, double>{{"", 0},
                                                                        {" --batch 1", 1},
                                                                        {" --batch 2", 0.25},
                                                                        {" --batch 2 --replacement", 0.5},
                                                                        {" --batch 7 --replacement", 1.0 / 7}}) {
            CAPTURE(batch);
            auto const answer = ask(line + batch);
            CHECK(answer.number("hessian_mean_loss") == doctest::Approx(mean_of(known.products, share)).epsilon(1e-10));
            CHECK(answer.number("hessian_mean_loss_upper") ==
                  doctest::Approx(mean_of(known.products, 1)).epsilon(1e-10));
            CHECK(answer.number("block", Json{1, 3}) == doctest::Approx(mean_of(known.of_block, share)).epsilon(1e-10));
            CHECK(answer.exact("block", Json{1, 3}) == answer.exact("block", Json{3, 1}));
            double parts = 0;
            for (std::size_t k = 1; k < rows.size(); ++k) parts += answer.number(rows[k]);
            CHECK(parts == doctest::Approx(answer.number("hessian_mean_loss")));
            double blocks = 0;
            for (auto const& index : answer.indices("block")) blocks += answer.number("block", index);
            CHECK(blocks == doctest::Approx(answer.number("hessian_mean_loss")));
            CHECK(answer.number("top_eigenvalue_upper") ==
                  doctest::Approx(std::sqrt(answer.number("hessian_mean_loss"))));
        }
    }

    // The closed form of one hidden layer, which no strand enters.
    TEST_CASE("one hidden layer in closed form") {
        Files const file;
        auto const answer = ask("hessian 2,3,2 --activation linear --variance 1/2,2/3 --label-factor 2,1/3 --data " +
                                file("three.csv", three_samples));
        isserlis::FullyConnected<Surd, std::uint64_t> net;
        net.activation = {.kind = isserlis::ActivationKind::linear, .slope = Surd(1)};
        net.layers = {{.fan_in = 2, .fan_out = 3, .count = 1, .variance = ratio(1, 2), .label_factor = 2},
                      {.fan_in = 3, .fan_out = 2, .count = 1, .variance = ratio(2, 3), .label_factor = ratio(1, 3)}};
        std::vector<std::vector<Rational>> const x{{ratio(1, 2), 1}, {-1, 1}, {ratio(3, 2), 1}};
        std::vector<std::vector<Rational>> const y{{1, 0}, {ratio(1, 4), 2}, {-2, 1}};
        std::vector<std::vector<Rational>> gram;
        std::vector<std::vector<Surd>> targets;
        for (std::size_t k = 0; k < 3; ++k) {
            gram.emplace_back();
            targets.emplace_back();
            for (std::size_t l = 0; l < 3; ++l) {
                gram.back().push_back(x[k][0] * x[l][0] + x[k][1] * x[l][1]);
                targets.back().push_back(Surd(Rational(y[k][0] * y[l][0] + y[k][1] * y[l][1])));
            }
        }
        auto const closed = *isserlis::exact_mean_loss_hessian(net, gram, targets);
        CHECK(answer.exact("gauss_newton") == isserlis::to_string(closed.gauss_newton));
        CHECK(answer.exact("functional") == isserlis::to_string(closed.functional));
        CHECK(answer.exact("cross") == isserlis::to_string(closed.cross));
        CHECK(answer.exact("target") == isserlis::to_string(closed.target));
    }

    TEST_CASE("one sample is one input, and so is the same one twice") {
        Files const file;
        for (std::string const sample : {"1/2,3/2,2\n", "1/2,3/2,2\n1/2,3/2,2\n"}) {
            std::string const data = file("one.csv", "x1,y1,y2\n" + sample);
            for (std::string const more :
                 {"2,3,4,2 --activation linear", "2,3,2 --activation leaky:1/3 --effective",
                  "2,3,4,2 --activation linear --bias-variance 1/5", "2,3,4,2 --activation linear --law uniform",
                  "2,3,2,2 --activation linear --law orthogonal", "2,3,4,2 --activation linear --scheme ntk"}) {
                CAPTURE(more);
                auto const several = ask("hessian " + more + " --data " + data);
                auto const one = ask("hessian " + more + " --input 1/2,1 --target-second-moment 25/4");
                CHECK(several.exact("hessian_mean_loss") == one.exact("hessian_frobenius_squared"));
                CHECK(several.exact("hessian_mean_loss_upper") == one.exact("hessian_frobenius_squared"));
                for (std::size_t k = 1; k < rows.size(); ++k) CHECK(several.exact(rows[k]) == one.exact(rows[k]));
                for (auto const& index : several.indices("block"))
                    CHECK(several.exact("block", index) == one.exact("block", index));
                CHECK(several.exact("reciprocal_sharpness_lower") == one.exact("reciprocal_sharpness_lower"));
            }
        }
    }

    // Targets at a right angle are uncorrelated.
    TEST_CASE("inputs of a file of input, whose targets are uncorrelated") {
        Files const file;
        std::string const inputs = file("inputs.csv", "1,0\n1/2,-2\n");
        std::string const samples = file("pair.json", R"({"inputs": ["a", "b"], "gram": [["1", "1/2"], ["1/2", "17/4"]],
                                  "targets": [[3, 0], [0, 3]]})");
        for (std::string const net : {"2,3,3,2 --activation linear", "2,3,2", "2,3,2 --activation leaky:1/2"}) {
            CAPTURE(net);
            auto const here = ask("hessian " + net + " --with " + samples);
            auto const there = ask("hessian " + net + " --target-second-moment 3 --input " + inputs);
            for (char const* name :
                 {"hessian_mean_loss", "hessian_mean_loss_upper", "top_eigenvalue_upper", "reciprocal_sharpness_lower"})
                CHECK(here.result(name)["decimal"] == there.result(name)["decimal"]);
        }
    }

    // Independent targets of mean m at different inputs have E y_k.y_l = N m^2: those of fixed ones with these products.
    TEST_CASE("targets of a mean at several inputs") {
        Files const file;
        std::string const inputs = file("inputs.csv", "1,0\n1/2,-2\n");
        std::string const samples = file("pair.json", R"({"inputs": ["a", "b"], "gram": [["1", "1/2"], ["1/2", "17/4"]],
                                  "targets": [[3, 2], [2, 3]]})");
        for (std::string const net : {"2,3,3,2 --activation linear", "2,3,2", "2,3,2 --activation leaky:1/2"}) {
            CAPTURE(net);
            std::string const line = "hessian " + net + " --target-second-moment 3 --input " + inputs;
            auto const mean = ask(line + " --target-mean 1");
            auto const fixed = ask("hessian " + net + " --with " + samples);
            CHECK(mean.result("hessian_mean_loss")["decimal"] == fixed.result("hessian_mean_loss")["decimal"]);
            CHECK(mean.exact("hessian_mean_loss_upper") == ask(line).exact("hessian_mean_loss_upper"));
            CHECK(mean.number("hessian_mean_loss") > ask(line).number("hessian_mean_loss"));
            CHECK(ask(line + " --target-mean 0").result("hessian_mean_loss")["decimal"] ==
                  ask(line).result("hessian_mean_loss")["decimal"]);
            auto const sampled = ask(words(line + " --target-mean 1 --check 4000"), 60);
            CHECK(sampled.result("hessian_mean_loss")["check"]["verdict"] == "agrees");
        }
        std::string const linear = "hessian 2,3,1 --activation linear --target-second-moment s --input " + inputs;
        auto const formula = ask(linear + " --target-mean m");
        CHECK(at(formula.exact("hessian_mean_loss"), {{"m", ratio(1, 2)}, {"s", 2}}) ==
              ask(linear + " --target-mean m --set m=1/2,s=2").exact("hessian_mean_loss"));
        refuses("hessian 2,3,1 --target-mean 2 --input " + inputs,
                "is at least the number of outputs times its square");
        refuses("hessian 2,3,1 --target-mean 1 --input 1,2", "it is for several inputs");
        refuses("hessian 2,3,1 --target-mean 1", "it is for several inputs");
    }

    TEST_CASE("formulas in widths, depth and products are the numbers of each") {
        Files const file;
        std::string const two = file("two.json", two_in_symbols);
        std::map<std::string, Rational> const values{{"d", 2},           {"n", 3},  {"L", 3},
                                                     {"r", ratio(1, 3)}, {"s", -1}, {"v", ratio(1, 5)}};
        for (std::string const more : {"", " --batch 1", " --bias-variance v", " --scheme ntk"}) {
            CAPTURE(more);
            std::string const rest = " --activation linear --with " + two + more;
            auto const deep = ask(words("hessian d,n:L,1" + rest), 60);
            auto const wide = ask(words("hessian d,n,n,n,1" + rest), 60);
            auto const numbers = ask("hessian 2,3:3,1 --set r=1/3,s=-1" + rest +
                                     (more.find("bias") == std::string::npos ? "" : " --set v=1/5"));
            for (char const* name : rows) {
                CAPTURE(name);
                CHECK(at(deep.exact(name), values) == numbers.exact(name));
                CHECK(at(wide.exact(name), values) == numbers.exact(name));
            }
            CHECK(at(wide.exact("block", Json{2, 3}), values) == numbers.exact("block", Json{2, 3}));
            CHECK(deep.indices("block").empty());
        }
    }

    TEST_CASE("beside sampled networks") {
        Files const file;
        std::string const data = " --check 4000 --data " + file("three.csv", three_samples);
        for (std::string const line :
             {"2,3,2,2 --activation linear --label-factor 1,1/2,2", "2,3,2,2 --activation linear --batch 2",
              "2,3,2,2 --activation linear --batch 2 --replacement", "2,3,2,2 --activation linear --law laplace",
              "2,3,3,2 --activation linear --network resnet:2 --projections",
              "2,3,2,2 --activation linear --bias-variance 1/3", "2,3,2", "2,3,2 --activation leaky:-1/2 --batch 2"}) {
            CAPTURE(line);
            auto const answer = ask(words("hessian " + line + data), 60);
            int agreed = 0;
            for (auto const& result : answer.json["results"]) {
                if (!result["check"].is_object()) continue;
                std::string const verdict = result["check"]["verdict"];
                CHECK(verdict != "disagrees");
                CHECK(verdict != "fails");
                agreed += verdict == "agrees" || verdict == "holds" ? 1 : 0;
            }
            CHECK(agreed > 3);
        }
    }

    TEST_CASE("deep networks with gates have a bound, and are sampled") {
        Files const file;
        std::string const line = "hessian 2,3,3,2 --data " + file("three.csv", three_samples);
        auto const plain = ask(line);
        CHECK(plain.result("hessian_mean_loss")["form"].get<std::string>().find("one hidden layer") !=
              std::string::npos);
        CHECK_FALSE(plain.has("target"));
        // The bound is the mean over the samples of what one input has.
        double mean = 0;
        for (std::string const sample :
             {"1/2,1 --target-second-moment 1", "-1,1 --target-second-moment 65/16", "3/2,1 --target-second-moment 5"})
            mean += ask("hessian 2,3,3,2 --input " + sample).number("hessian_frobenius_squared") / 3;
        CHECK(plain.number("hessian_mean_loss_upper") == doctest::Approx(mean));
        auto const sampled = ask(words(line + " --check 2000"), 60);
        CHECK(sampled.result("hessian_mean_loss")["form"].get<std::string>().starts_with("sampled: 2000 networks"));
        CHECK(sampled.has("target"));
        CHECK(sampled.result("hessian_mean_loss_upper")["check"]["verdict"] == "holds");
        CHECK(sampled.result("reciprocal_sharpness_lower")["check"]["verdict"] == "holds");
        CHECK(sampled.text_of("warnings").find("dead networks") != std::string::npos);
        // Input and output alone have no gates.
        CHECK(ask("hessian 2,2 --data " + file("three.csv", three_samples)).exact("hessian_mean_loss") == "31/6");
    }

    TEST_CASE("targets that are no square roots") {
        auto const linear = ask("hessian 2,3,1 --data cos --activation linear");
        CHECK(linear.exact("target") == "0");  // cosines are orthogonal to both features
        CHECK(linear.exact("hessian_mean_loss") == "22195361/786432");
        auto const of_one = ask("hessian 2,3,1 --data cos --activation linear --batch 1");
        CHECK(of_one.number("hessian_mean_loss") == linear.number("hessian_mean_loss_upper"));
        auto const formulas = ask("hessian 2,n,1 --data cos --activation linear");
        CHECK(formulas.result("hessian_mean_loss_upper")["form"].get<std::string>().find("which formulas ask for") !=
              std::string::npos);
        auto const gated = ask(words("hessian 2,3,1 --data cos --check 2000"), 60);
        CHECK(gated.result("target")["check"]["verdict"] == "agrees");
        refuses("hessian 2,n,1 --data cos --batch 3 --activation linear", "--batch: the squares of these targets", 3);
    }

    // At one input biases go by the strand recursion, here by the moments of a neuron.
    TEST_CASE("one sample behind biases is the Hessian at one input") {
        Files const file;
        std::string const one = " --data " + file("one.csv", "x1,y1,y2\n2,1,-2\n");
        for (std::string const more : {"", " --activation leaky:1/3 --label-factor 2,1/2", " --scheme ntk"}) {
            CAPTURE(more);
            std::string const net = "hessian 2,3,2 --bias-variance 1/2,1/3" + more;
            auto const of_data = ask(net + one);
            auto const of_input = ask(net + " --input 2,1 --target-second-moment 5");
            for (char const* name : {"gauss_newton", "functional", "cross", "target"})
                CHECK(of_data.exact(name) == of_input.exact(name));
            CHECK(of_data.exact("hessian_mean_loss") == of_input.exact("hessian_frobenius_squared"));
            CHECK(of_data.exact("hessian_mean_loss_upper") == of_input.exact("hessian_frobenius_squared"));
        }
    }

    TEST_CASE("biases through gates, beside sampled networks and batches") {
        Files const file;
        std::string const data = " --check 20000 --data " + file("three.csv", three_samples);
        for (std::string const more : {"", " --activation leaky:1/4 --batch 2", " --parametrisation ntk"}) {
            CAPTURE(more);
            auto const answer = ask("hessian 2,3,2 --bias-variance 1/2,1/3" + data + more);
            for (char const* name : rows) CHECK(answer.result(name)["check"]["verdict"] == "agrees");
        }
    }

    // The law decides how often gates of two inputs open together; three-point weights of kurtosis 3 have ties besides.
    TEST_CASE("gates ask for Gaussian weights") {
        Files const file;
        refuses("hessian 2,3,2 --kurtosis 3 --data " + file("three.csv", three_samples), "independent Gaussian weights",
                3);
        refuses("hessian 2,3,1 --kurtosis 3 --input " + file("two.txt", "1,1\n-1,-1\n"), "--kurtosis: several inputs",
                3);
        CHECK(ask("hessian 2,3,2 --activation linear --kurtosis 3 --data " + file("three.csv", three_samples))
                  .exact("hessian_mean_loss") ==
              ask("hessian 2,3,2 --activation linear --data " + file("three.csv", three_samples))
                  .exact("hessian_mean_loss"));
    }

    TEST_CASE("the bound behind biases needs no angle") {
        Files const file;
        std::string const data = " --data " + file("two.csv", "x1,y1\n2,1\n1,3\n");
        auto const symbolic = ask("hessian 2,3,1 --bias-variance b,c" + data);
        CHECK(symbolic.result("hessian_mean_loss")["form"].get<std::string>().find("rational number") !=
              std::string::npos);
        std::map<std::string, Rational> const values{{"b", ratio(1, 2)}, {"c", ratio(1, 3)}};
        CHECK(at(symbolic.exact("hessian_mean_loss_upper"), values) ==
              ask("hessian 2,3,1 --bias-variance 1/2,1/3" + data).exact("hessian_mean_loss_upper"));
        std::string const zero =
            file("zero.json", R"({"inputs": ["a", "b"], "gram": [[0, 0], [0, 1]], "targets": [[1, 2], [2, 4]]})");
        refuses("hessian 2,3,1 --with " + zero, "without biases every input needs", 2);
        CHECK(ask("hessian 2,3,1 --bias-variance 1 --check 20000 --with " + zero)
                  .result("hessian_mean_loss")["check"]["verdict"] == "agrees");
    }

    TEST_CASE("dead networks say nothing about a bound, and heavy tails are told") {
        Files const file;
        std::string const data = " --data " + file("two.csv", "x1,y1\n2,1\n1,3\n");
        auto const dead = ask("hessian 2,1:12,1 --check 40" + data);
        CHECK(dead.result("top_eigenvalue_upper")["check"].is_null());
        auto const deep = ask("hessian 2,2:5,1 --check 1000" + data);
        CHECK(deep.result("hessian_mean_loss")["form"].get<std::string>().find("not to be relied on") !=
              std::string::npos);
    }

    TEST_CASE("a Hessian of 0") {
        Files const file;
        auto const zero = ask("hessian 2,3,2 --label-factor 0 --activation linear --check 50 --data " +
                              file("three.csv", three_samples));
        CHECK(zero.exact("hessian_mean_loss") == "0");
        CHECK(zero.result("reciprocal_sharpness_lower")["form"] == "the Hessian is 0");
        CHECK(zero.result("target")["check"].is_null());
    }

    TEST_CASE("what is not served is told with the way out") {
        Files const file;
        std::string const data = " --data " + file("three.csv", three_samples);
        std::string const said = ": the Hessian of a loss over several samples is served for linear";
        std::string const gates = "--activation" + said;
        refuses("hessian 2,3,2 --bias-variance 1 --bias-law uniform" + data, "--bias-law" + said, 3);
        refuses("hessian 2,3,3,2 --bias-variance 1" + data, "--bias-variance" + said, 3);
        refuses("hessian 2,3,2 --law uniform" + data, "--law" + said, 3);
        refuses("hessian 2,3,2 --kurtosis 2" + data, "--kurtosis" + said, 3);
        refuses("hessian 2,3,2 --activation crelu" + data, gates, 3);
        refuses("hessian 2,3,3,2 --network resnet:2 --projections" + data, gates, 3);
        refuses("hessian 2,3,3,2 --activation linear --network densenet" + data, "--network: with several samples", 3);
        for (std::string const other : {"--functionals", "--layer 1", "--emit-test cpp"})
            refuses("hessian 2,3,2 " + other + data, "is for one input");
        for (std::string const other : {"--input 1,2", "--input-squared-norm 2", "--target-second-moment 2"})
            refuses("hessian 2,3,2 " + other + data, "the samples are those of --data");
        refuses("hessian 2,3,2 --batch 4" + data, "--batch = 4; there are 3 samples");
        refuses("hessian 2,3,2 --batch 2", "--batch means nothing without --data or --with");
        refuses("hessian 2,3,2 --precision float" + data, "--precision float", 3);
        refuses("hessian 3,3,2" + data, "begin with 3, but data");
        refuses("hessian 2,3,1" + data, "end with 1, but data");
        refuses("hessian 2,3,2 --data " + file("no.csv", "x1,g1,g2\n1,2,3\n"), "has no targets y1");
        refuses("hessian 2,3,1 --activation linear --law uniform --set r=1/2,s=1 --with " +
                    file("two.json", two_in_symbols),
                "--law: inputs by their inner products", 3);
        refuses("hessian 2,3,1 --set r=2,s=1 --with " + file("two.json", two_in_symbols), "no Gram matrix");
        refuses("hessian 2,30,2 --check 100000000" + data, "fit a minute", 3);
    }
}
