// SPDX-License-Identifier: MIT
// norm, ntk, coord-check and depth-rules of several samples: by hand, against one sample, by data and by inner products, beside sampled networks.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <isserlis/ring/parse.hpp>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

/// Inputs (1/2, 1), (-1, 1), (3/2, 1), the constant feature counted, and targets (1, 0), (1/4, 2), (-2, 1).
char const* const three_samples = "x1,y1,y2\n1/2,1,0\n-1,1/4,2\n3/2,-2,1\n";
char const* const three_products = R"("gram": [["5/4", "1/2", "7/4"], ["1/2", 2, "-1/2"], ["7/4", "-1/2", "13/4"]])";
char const* const three_targets = R"("targets": [[1, "1/4", -2], ["1/4", "65/16", "3/2"], [-2, "3/2", 5]])";

constexpr std::array kernel_rows{"ntk_mean",       "ntk_second_moment",       "ntk_variance",
                                 "ntk_trace_mean", "ntk_trace_second_moment", "ntk_squared_trace_mean"};
constexpr std::array step_rows{"preactivation_rms", "change_rms",        "change_a",
                               "change_b",          "change_covariance", "updated_rms"};

/// The program says all of this and nothing else.
void refused(std::string const& line, std::vector<std::string> const& said, int code) {
    INFO(line);
    is_refusal(run_program(words(line)), said, code);
}

}  // namespace

TEST_SUITE("cli/several_samples") {
    // z_o = v_o h, h = w.x, K_oo' = v_o v_o' C + [o = o'] h h' with A = |x|^2, B = |x'|^2, C = x.x' and variances 1:
    // E K = 2 C, E K^2 = 3 C^2 + 2 C^2 + (A B + 2 C^2); over two outputs E (tr K)^2 = 8 C^2 + 8 C^2 + 4 (A B + 2 C^2) and
    // E tr K K^T = 8 C^2 + 4 C^2 + 2 (A B + 2 C^2).
    TEST_CASE("the kernel of two samples by hand") {
        Files const file;
        std::string const pair = file("pair.json", R"({"inputs": ["a", "b"], "gram": [["A", "C"], ["C", "B"]]})");
        auto const one = ask("ntk d,1,1 --activation linear --variance 1 --with " + pair);
        Json const index{"a", "b"};
        CHECK(one.exact("ntk_mean", index) == "2*C");
        CHECK(one.exact("ntk_second_moment", index) == "A*B + 7*C^2");
        CHECK(one.exact("ntk_variance", index) == "A*B + 3*C^2");
        CHECK(one.exact("ntk_second_moment", Json{"a", "a"}) == "8*A^2");
        auto const two = ask("ntk d,1,2 --activation linear --variance 1 --with " + pair);
        CHECK(two.exact("ntk_mean", index) == "2*C");
        CHECK(two.exact("ntk_trace_mean", index) == "4*C");
        CHECK(two.exact("ntk_trace_second_moment", index) == "4*(A*B + 6*C^2)");
        CHECK(two.exact("ntk_squared_trace_mean", index) == "2*(A*B + 8*C^2)");
    }

    // Of Gaussian layers, G = h h' over S of the samples: E (tr G')^2 = v^2 (n^2 (tr G)^2 + 2 n tr G^2) and
    // E tr G'^2 = v^2 (n (n + 1) tr G^2 + n (tr G)^2), tr G = Q. Below, tr G = 13/6 and tr G^2 = 31/12; a bias adds its
    // variance to all products.
    TEST_CASE("the mean of squared norms over samples by the recursion of its Gram matrix") {
        Files const file;
        std::string const data = " --data " + file("three.csv", three_samples);
        auto const answer = ask("norm 2,3,4,2 --activation linear" + data);
        double square = 169. / 36, trace = 31. / 12, fan_in = 2;
        double mean = 13. / 6;
        int l = 0;
        for (double const n : {3., 4., 2.}) {
            ++l;
            double const v = 1 / fan_in;
            double const next = v * v * (n * n * square + 2 * n * trace);
            trace = v * v * (n * (n + 1) * trace + n * square);
            square = next;
            mean *= v * n;
            fan_in = n;
            CHECK(answer.number("squared_norm_mean", Json{l}) == doctest::Approx(mean).epsilon(1e-14));
            CHECK(answer.number("squared_norm_moment", Json{l, 2}) == doctest::Approx(square).epsilon(1e-14));
            CHECK(answer.number("squared_norm_variance", Json{l}) ==
                  doctest::Approx(square - mean * mean).epsilon(1e-13));
        }
        auto const biased = ask("norm 2,1 --activation linear --variance 1 --bias-variance 1/2" + data);
        CHECK(biased.exact("squared_norm_mean", Json{1}) == "8/3");
        CHECK(biased.exact("squared_norm_variance", Json{1}) == "71/9");
        CHECK(answer.exact("sample_squared_norm_mean", Json{2, 1}) == "3");
    }

    // (w.x)^2 at x = (1, 2), x' = (3, -1) of signs w: 9 and 4, or 1 and 16.
    TEST_CASE("norms of weights that are signs, one by one") {
        Files const file;
        std::string const vectors = file("vectors.json", R"({"inputs": {"a": [1, 2], "b": [3, -1]}})");
        std::string const line = "norm 2,1 --activation linear --variance 1 --law rademacher --with ";
        auto const signs = ask(line + vectors + " --check 400");
        CHECK(signs.exact("squared_norm_mean", Json{1}) == "15/2");
        CHECK(signs.exact("squared_norm_variance", Json{1}) == "1");
        CHECK(signs.exact("sample_squared_norm_variance", Json{"a", 1}) == "16");
        CHECK(signs.exact("sample_squared_norm_variance", Json{"b", 1}) == "36");
        CHECK(signs.result("squared_norm_mean", Json{1})["check"]["verdict"] == "agrees");
        std::string const products = file("gram.json", R"({"inputs": ["a", "b"], "gram": [[5, 1], [1, 10]]})");
        refused(line + products, {"--law", "others ask for coordinates, such as those of --data"}, 3);
        refused(line + vectors + " --order 3", {"--order 3", "served for Gaussian weights"}, 3);
    }

    TEST_CASE("the norm at a sample is that of one input, and so is the mean over equal samples") {
        Files const file;
        std::string const twice = " --with " + file("twice.json", R"({"inputs": {"a": [1, 2], "b": [1, 2]}})");
        std::string const once = " --with " + file("once.json", R"({"inputs": {"a": [1, 2]}})");
        auto const is_one = [](JsonAnswer const& samples, JsonAnswer const& one, int layer) {
            CHECK(samples.exact("sample_squared_norm_mean", Json{"a", layer}) ==
                  one.exact("squared_norm_mean", Json{layer}));
            CHECK(samples.exact("sample_squared_norm_variance", Json{"a", layer}) ==
                  one.exact("squared_norm_variance", Json{layer}));
        };
        for (std::string const more : {"", " --bias-variance 1/3,1", " --law uniform", " --law orthogonal"}) {
            CAPTURE(more);
            std::string const order = more.find("law") == std::string::npos ? " --order 4" : "";
            std::string const line = "norm 2,3,2" + more + order;
            auto const linear = ask(line + " --activation linear --input 1,2");
            auto const mean = ask(line + " --activation linear" + twice);
            for (int const layer : {1, 2}) {
                is_one(mean, linear, layer);
                std::vector<std::string> names{"squared_norm_mean", "squared_norm_variance", "relative_variance"};
                if (!order.empty()) names.insert(names.end(), {"squared_norm_skewness", "squared_norm_kurtosis"});
                for (auto const& name : names) {
                    CAPTURE(name);
                    CHECK(mean.exact(name, Json{layer}) == linear.exact(name, Json{layer}));
                }
            }
            auto const relu = ask(line + " --input 1,2");
            auto const each = ask(line + twice);
            for (int const layer : {1, 2}) {
                is_one(each, relu, layer);
                CHECK(each.exact("squared_norm_mean", Json{layer}) == relu.exact("squared_norm_mean", Json{layer}));
                CHECK(each.exact("squared_norm_variance", Json{layer}) == "null");
                CHECK(ask(line + once).exact("squared_norm_variance", Json{layer}) ==
                      relu.exact("squared_norm_variance", Json{layer}));
            }
        }
    }

    TEST_CASE("drawn networks have these norms at several samples") {
        Files const file;
        std::string const data = " --check 4000 --data " + file("three.csv", three_samples);
        for (std::string const line :
             {"norm 2,3,4,2 --activation linear --order 4", "norm 2,3,4,2 --pre --bias-variance 1/3",
              "norm 2:2 --network resnet:1 --activation linear --order 3",
              "norm 2,3:3,2 --network resnet:2 --projections --activation leaky:1/2",
              "norm 2,3,2 --activation linear --law uniform --bias-variance 1/3 --bias-law uniform",
              "norm 2,3,2 --activation linear --law orthogonal --order 4", "norm 2,3,2 --activation crelu"}) {
            CAPTURE(line);
            std::size_t checked = 0;
            auto const answer = ask(line + data);
            for (auto const& r : answer.json["results"]) {
                if (!r.contains("check") || r["check"].is_null()) continue;
                CAPTURE(r.dump());
                CHECK(r["check"]["verdict"] != "disagrees");
                ++checked;
            }
            CHECK(checked >= 7);
        }
    }

    // E Q^2 of one layer of variance 1/d: n^2 ((A + B)/2)^2 + 2 n (A^2 + B^2 + 2 C^2)/4, over d^2.
    TEST_CASE("norms of inputs in symbols") {
        Files const file;
        std::string const pair = file("pair.json", R"({"inputs": ["a", "b"], "gram": [["A", "C"], ["C", "B"]]})");
        auto const answer = ask("norm d,n,1 --activation linear --layer 1 --with " + pair);
        CHECK(answer.exact("squared_norm_mean", Json{1}) == "n*(A + B)/(2*d)");
        CHECK(answer.exact("squared_norm_variance", Json{1}) == "n*(A^2 + B^2 + 2*C^2)/(2*d^2)");
        CHECK(answer.exact("sample_squared_norm_variance", Json{"b", 1}) == "2*B^2*n/d^2");
    }

    TEST_CASE("claims of samples in symbols") {
        Files const file;
        std::string const pair = file("pair.json", R"({"inputs": ["a", "b"], "gram": [["A", "C"], ["C", "B"]]})");
        auto const verdict = [&](std::string const& claim, std::string const& widths) {
            auto const run =
                run_program({"claim", claim, widths, "--activation", "linear", "--variance", "1", "--with", pair});
            CHECK_MESSAGE(run.code < 2, run.err);
            return run.code == 0 && run.out.find("holds as a formula") != std::string::npos;
        };
        CHECK(verdict("z@a z@b = C", "d,1"));
        CHECK(!verdict("z@a z@b = A", "d,1"));
        CHECK(verdict("ntk_mean[a,b] = 2*C", "d,1,2"));
        CHECK(verdict("squared_norm_variance[1] = n*(A^2 + B^2 + 2*C^2)/2", "d,n,1"));
        CHECK(run_program({"claim", "z@a z@b = D", "d,1", "--with", pair}).err.find("the formula has 'D'") !=
              std::string::npos);
    }

    // Of signs, w.x w.x' at x = (1, 2), x' = (3, -1) is 6 or -4, each twice: E K^2 = E (C + h h')^2 = 1 + 2 + 26.
    TEST_CASE("weights that are not Gaussian ask for coordinates") {
        Files const file;
        std::string const vectors = file("vectors.json", R"({"inputs": {"a": [1, 2], "b": [3, -1]}})");
        std::string const line = "ntk 2,1,1 --activation linear --variance 1 --law rademacher --with ";
        auto const signs = ask(line + vectors + " --check 2000");
        CHECK(signs.exact("ntk_mean", Json{"a", "b"}) == "2");
        CHECK(signs.exact("ntk_second_moment", Json{"a", "b"}) == "29");
        CHECK(signs.result("ntk_second_moment", Json{"a", "b"})["check"]["verdict"] == "agrees");
        std::string const products = file("gram.json", R"({"inputs": ["a", "b"], "gram": [[5, 1], [1, 10]]})");
        refused(line + products, {"--law", "others ask for coordinates, such as those of --data"}, 3);
    }

    TEST_CASE("a sample and itself are one input") {
        Files const file;
        std::string const data = file("three.csv", three_samples);
        for (std::string const more : {"", " --effective", " --bias-variance 1/3,1,2 --bias-label-factor 1/2",
                                       " --parametrisation mup", " --law orthogonal"}) {
            CAPTURE(more);
            std::string const line = "ntk 2,3,4,2 --activation linear" + more;
            auto const pairs = ask(line + " --data " + data);
            for (auto const& [k, x] : std::map<int, std::string>{{1, "1/2,1"}, {2, "-1,1"}, {3, "3/2,1"}}) {
                auto const one = ask(line + " --input " + x);
                for (char const* name : kernel_rows) CHECK(pairs.exact(name, Json{k, k}) == one.exact(name));
            }
        }
    }

    // The lengths of sums and differences of the inputs: K(x, x') = (K(x + x') - K(x - x'))/4 of a linear network.
    TEST_CASE("the kernel is bilinear in its inputs") {
        Files const file;
        std::string const pair =
            file("pair.json", R"({"inputs": {"a": [1, 2], "b": [3, -1], "sum": [4, 1], "gap": [-2, 3]}})");
        auto const at = ask("ntk 2,3,3,1 --activation linear --with " + pair);
        CHECK(at.number("ntk_mean", Json{"a", "b"}) ==
              doctest::Approx((at.number("ntk_mean", Json{"gap", "gap"}) - at.number("ntk_mean", Json{"sum", "sum"})) /
                              -4));
    }

    // docs/formulas/coordinate_moments.md#several-samples has the derivation.
    TEST_CASE("a step on two samples by hand") {
        Files const file;
        std::string const two = file(
            "two.json", R"({"inputs": ["a", "b"], "gram": [[1, "1/2"], ["1/2", 1]], "targets": [[1, -1], [-1, 1]]})");
        auto const step = ask("coord-check 2,1,1 --activation linear --variance 1 --with " + two);
        CHECK(step.exact("change_a", Json{1, 1}) == "21/16");
        CHECK(step.exact("change_b", Json{1, 1}) == "1/16");
        CHECK(step.exact("change_covariance", Json{1, 1}) == "-5/8");
        CHECK(step.exact("sample_change_rms", Json{"a", 1, 1}) == "sqrt(22)/4");
        CHECK(step.exact("updated_rms", Json{1, 1}) == "3*sqrt(2)/4");
        CHECK(step.exact("change_a", Json{2, 1}) == "381/16");
        CHECK(step.exact("change_b", Json{2, 1}) == "11/16");
        CHECK(step.exact("change_covariance", Json{2, 1}) == "-33/8");
        CHECK(step.exact("sample_change_rms", Json{"b", 2, 1}) == "7*sqrt(2)/2");
        auto const batch = ask("coord-check 2,1,1 --activation linear --variance 1 --batch 1 --with " + two);
        CHECK(batch.exact("change_a", Json{1, 1}) == "15/8");
        CHECK(batch.exact("change_b", Json{1, 1}) == "5/8");
        CHECK(batch.exact("change_covariance", Json{1, 1}) == "-5/8");
        // With replacement two draws of B are one sample with probability 1/B: that share of the batch of one.
        auto const drawn = [&](int size) {
            return ask("coord-check 2,1,1 --activation linear --variance 1 --replacement --batch " +
                       std::to_string(size) + " --with " + two);
        };
        CHECK(drawn(1).exact("change_a", Json{1, 1}) == "15/8");
        CHECK(drawn(2).exact("change_a", Json{1, 1}) == "51/32");
        CHECK(drawn(2).exact("change_b", Json{1, 1}) == "11/32");
        CHECK(drawn(3).exact("change_a", Json{1, 1}) == "3/2");
        CHECK(drawn(3).exact("change_b", Json{1, 1}) == "1/4");
        CHECK(drawn(3).text_of("assumptions").find("over 3 samples, drawn from all with replacement, its change") !=
              std::string::npos);
    }

    // y = (1 + m u) w.x, f = v y, all of variance 1, m = 1/2, M = mean x x', T = mean y x, a = 1 + m u. At a sample s the
    // targets move y by v (a^2 x_s.T + m^2 w.x_s w.T), the outputs by v^2 a (a^2 w.M x_s + m^2 w.x_s w'M w); with
    // E a^2, a^4, a^6 = 5/4, 43/16, 499/64 and x_s.T = +-1/4, |T|^2 = 1/4, tr M = 1, tr M^2 = x_s'M x_s = 5/8,
    // x_s'M^2 x_s = 7/16 their squares are (43 + 10 + 6)/256 and 3 (3493/1024 + 129/64 + 165/256).
    TEST_CASE("a block with a multiplier under a step on two samples by hand") {
        Files const file;
        std::string const two = file(
            "two.json", R"({"inputs": ["a", "b"], "gram": [[1, "1/2"], ["1/2", 1]], "targets": [[1, -1], [-1, 1]]})");
        auto const answer =
            ask("depth-rules 2,1,1 --network resnet:1 --variance 1 --depths 1 --multiplier 1/2 --with " + two);
        CHECK(answer.exact("depth_square", Json{1, "none"}) == "5/4");
        CHECK(answer.exact("depth_change_squared", Json{1, "none"}) == "18887/1024");
    }

    TEST_CASE("depth rules of one sample are those of its input, by the closed form") {
        Files const file;
        std::string const one = file("one.csv", "x1,y1\n2,3\n");
        std::string const line = "depth-rules 2,4,1 --network resnet:1 --depths 2,3 --multiplier 1/3 ";
        auto const sample = ask(line + "--data " + one);
        auto const input = ask(line + "--input 2,1 --target-second-moment 9");
        for (int const depth : {2, 3}) {
            for (char const* rule : {"none", "1/sqrt(L)", "1/L"}) {
                for (char const* name : {"depth_square", "depth_change_squared", "depth_learning_rate"}) {
                    CAPTURE(name);
                    CHECK(sample.number(name, Json{depth, rule}) ==
                          doctest::Approx(input.number(name, Json{depth, rule})).epsilon(1e-14));
                }
            }
        }
    }

    TEST_CASE("drawn residual networks move so under a step on a mini-batch") {
        Files const file;
        std::string const line =
            "depth-rules 2,4,2 --activation linear --depths 1,2 --multiplier 1/4 --eta 1/2,1,1/3,2 --check 3000 "
            "--data " +
            file("three.csv", three_samples);
        for (std::string const more : {"", " --batch 2", " --batch 2 --replacement --bias-variance 1/3"}) {
            CAPTURE(more);
            auto const answer = ask(line + more);
            for (int const depth : {1, 2}) {
                for (char const* rule : {"none", "1/sqrt(L)", "1/L"}) {
                    for (char const* name : {"depth_square", "depth_change_squared"})
                        CHECK(answer.result(name, Json{depth, rule})["check"]["verdict"] != "disagrees");
                }
            }
        }
        std::string const data = " --data " + file("three.csv", three_samples);
        refused("depth-rules 2,4,2" + data, {"--activation", "served for linear units"}, 3);
        refused("depth-rules 2,4,2 --activation linear --scheme lecun-uniform" + data,
                {"--scheme", "served for Gaussian weights"}, 3);
    }

    TEST_CASE("depth rules at samples in symbols are the numbers at each width and depth") {
        Files const file;
        std::string const data = " --data " + file("three.csv", three_samples) + " --batch 2";
        std::string const line = "depth-rules 2,n,2 --network resnet:1 --multiplier 1/2 --depths ";
        auto const in_depth = ask(line + "L" + data);
        auto const in_width = ask(line + "3" + data);
        auto const numbers = ask(line + "3 --set n=4" + data);
        for (std::string const rule : {"none", "1/sqrt(L)", "1/L"}) {
            CAPTURE(rule);
            for (std::string const name : {"depth_square", "depth_change_squared"}) {
                CAPTURE(name);
                auto const at = [&](auto const& answer, Json const& depth) {
                    auto const formula =
                        isserlis::parse_rational_function(answer.exact(name, Json{depth, rule}), "value");
                    return isserlis::to_string(formula.evaluate({{"n", 4}, {"L", 3}}));
                };
                CHECK(at(in_depth, "L") == numbers.exact(name, Json{3, rule}));
                CHECK(at(in_width, 3) == numbers.exact(name, Json{3, rule}));
            }
        }
    }

    // Under 1/L the branches drop out: y = W x, f = v.y, all variances 1, so that with n neurons
    // Delta y_s = sum_k (t_k - v.y_k) v x_s.x_k/2 has of the outputs E (v.y_k)(v.y_l) |v|^2/n = (n + 2) x_k.x_l, times
    // (1/4) sum_kl (x_k.x_l)(x_s.x_k)(x_s.x_l) = 7/16, and of the targets E |v|^2/n (x_s.T)^2 = 1/16. What a depth leaves of the
    // limit under 1/sqrt(L) is of order 1/L.
    TEST_CASE("limits of depth rules at samples") {
        Files const file;
        std::string const line = " --network resnet:1 --variance 1 --multiplier 1/2 --with " +
                                 file("two.json",
                                      R"({"inputs": ["a", "b"], "gram": [[1, "1/2"], ["1/2", 1]],
                                          "targets": [[1, -1], [-1, 1]]})");
        auto const numbers = ask("depth-rules 2,3,1 --depths 150,300" + line);
        auto const symbols = ask("depth-rules 2,3,1 --depths L" + line);
        for (auto const& answer : {numbers, symbols}) {
            CHECK(answer.exact("depth_square_limit", Json::array({"1/L"})) == "1");
            CHECK(answer.exact("depth_square_limit", Json::array({"1/sqrt(L)"})) == "exp(3/4)");
            CHECK(answer.exact("depth_change_limit", Json::array({"1/L"})) == "9/4");
        }
        double const limit = symbols.number("depth_change_limit", Json::array({"1/sqrt(L)"}));
        double const far = limit - numbers.number("depth_change_squared", Json{150, "1/sqrt(L)"});
        double const near = limit - numbers.number("depth_change_squared", Json{300, "1/sqrt(L)"});
        CHECK(far / near == doctest::Approx(2).epsilon(0.03));
    }

    // z_j = v_j h, h = w.x, all variances 1: E K_jj(x, x') = 2 x.x', so that output j moves by 2/3 sum_l x_k.x_l y_lj in mean.
    // With a bias b of variance s in h, h h' has s more.
    TEST_CASE("the mean change of outputs by hand") {
        Files const file;
        std::string const data = file("three.csv", three_samples);
        std::string const line = "coord-check 2,1,2 --activation linear --variance 1 --data " + data;
        std::vector<std::vector<std::string>> const means{{"-17/12", "11/6"}, {"4/3", "7/3"}, {"-13/4", "3/2"}};
        for (std::string const more : {"", " --batch 1", " --batch 7 --replacement"}) {
            auto const step = ask(line + more);
            for (int const k : {1, 2, 3})
                for (int const j : {1, 2})
                    CHECK(step.exact("sample_change_mean", Json{k, j, 2}) ==
                          means[static_cast<std::size_t>(k - 1)][static_cast<std::size_t>(j - 1)]);
            CHECK(step.exact("change_mean", Json{2, 2}) == "7/18");
            CHECK(step.exact("change_mean", Json{1, 1}) == "0");
        }
        // mean y = (-1/4, 1) times s = 1/2
        auto const biased = ask(line + " --bias-variance 1/2");
        CHECK(biased.exact("sample_change_mean", Json{1, 1, 2}) == "-37/24");  // -17/12 - 1/8
        CHECK(biased.exact("sample_change_mean", Json{3, 2, 2}) == "2");       // 3/2 + 1/2
        std::string const products = file(
            "gram.json", R"({"inputs": ["a", "b", "c"], )" + std::string(three_products) + ", " + three_targets + "}");
        auto const by_products = ask("coord-check 2,1,2 --activation linear --variance 1 --with " + products);
        CHECK(by_products.exact("change_mean", Json{1, 1}) == "0");
        CHECK(by_products.result("change_mean", Json{2, 2})["form"].get<std::string>().find("leave their signs open") !=
              std::string::npos);
        CHECK_FALSE(by_products.names().contains("sample_change_mean"));
        auto const swept = ask("coord-check 2,n,2 --activation linear --variance 1/n --widths 1,4 --data " + data);
        CHECK(swept.exact("sample_change_mean", Json{1, 1, 1}) == "-17/12");
        CHECK(swept.exact("sample_change_mean", Json{1, 1, 4}) == "-17/12");  // n (v_1 + v_2) = 2
    }

    TEST_CASE("data and their inner products are the same samples") {
        Files const file;
        std::string const data = file("three.csv", three_samples);
        std::string const products = file(
            "gram.json", R"({"inputs": ["a", "b", "c"], )" + std::string(three_products) + ", " + three_targets + "}");
        for (std::string const more : {"", " --batch 1", " --batch 2 --bias-variance 1/3,1,2", " --eta 1/2,1,3"}) {
            CAPTURE(more);
            std::string const line = "coord-check 2,3,4,2 --activation linear --variance 1/3" + more;
            auto const by_data = ask(line + " --data " + data);
            auto const by_products = ask(line + " --with " + products);
            for (Json const& index : {Json{1, 3}, Json{2, 4}, Json{3, 2}}) {
                for (char const* name : step_rows) CHECK(by_data.exact(name, index) == by_products.exact(name, index));
                for (int const k : {1, 2, 3})
                    CHECK(
                        by_data.exact("sample_change_rms", Json{k, index[0], index[1]}) ==
                        by_products.exact("sample_change_rms", Json{std::string(1, "abc"[k - 1]), index[0], index[1]}));
            }
        }
    }

    // Of one sample, and of one sample twice, the step is that of `--input`, whose targets have a mean of 0.
    TEST_CASE("one sample is the step on one input") {
        Files const file;
        for (std::string const sample : {"1/2,3/2,2\n", "1/2,3/2,2\n1/2,3/2,2\n"}) {
            std::string const data = file("one.csv", "x1,y1,y2\n" + sample);
            for (std::string const more : {"", " --bias-variance 1/5", " --parametrisation ntk --eta 2"}) {
                CAPTURE(more);
                std::string const line = "coord-check 2,3,4,2 --activation linear" + more;
                auto const several = ask(line + " --data " + data);
                auto const one = ask(line + " --input 1/2,1 --target-second-moment 25/4");
                for (Json const& index : {Json{1, 3}, Json{2, 4}, Json{3, 2}}) {
                    for (char const* name : step_rows) CHECK(several.exact(name, index) == one.exact(name, index));
                    CHECK(several.exact("sample_change_rms", Json{1, index[0], index[1]}) ==
                          one.exact("change_rms", index));
                }
            }
        }
    }

    TEST_CASE("sampled networks agree") {
        Files const file;
        std::string const data = file("three.csv", three_samples);
        for (std::string const network :
             {"2,3,4,2 --variance 1/3", "2,3,2 --bias-variance 1/2 --batch 2", "2,3,2 --scheme ntk --batch 1",
              "2,3,2 --bias-variance 1/2 --batch 4 --replacement",
              "2,3:2,2 --network resnet:1 --projections --variance 1/4"}) {
            CAPTURE(network);
            auto const step =
                ask(words("coord-check --activation linear --check 20000 --data " + data + " " + network), 60);
            for (auto const& result : step.json["results"])
                if (result["check"].is_object()) CHECK(result["check"]["verdict"] != "disagrees");
            CHECK(step.result("change_covariance", Json{1, 3})["check"]["verdict"] == "agrees");
            if (network.find("batch") != std::string::npos) continue;
            auto const kernel = ask(words("ntk --activation linear --check 20000 --data " + data + " " + network), 60);
            for (auto const& result : kernel.json["results"])
                if (result["check"].is_object()) CHECK(result["check"]["verdict"] != "disagrees");
            CHECK(kernel.result("ntk_mean", Json{1, 3})["check"]["verdict"] == "agrees");
        }
    }

    // Targets of cos are no sums of roots; their sums with the inputs are 0.
    TEST_CASE("built-in data") {
        auto const cosine = ask("coord-check 2,3,1 --activation linear --data cos");
        CHECK(cosine.exact("sample_change_mean", Json{5, 1, 1}) == "0");
        CHECK(cosine.exact("change_b", Json{1, 3}) == "0");
        refused("mup 2,n,1 --activation linear --data cos --batch 4",
                {"--batch", "the squares of these targets are no sums of square roots, which formulas ask for"}, 3);
        CHECK(ask("ntk 2,3,1 --activation linear --data cos --size 2").exact("ntk_mean", Json{1, 2}) != "");
    }

    // Sample k of s is x = (sqrt(3) (2k + 1 - s)/s, 1), y = cos(pi (2k + 1)/s): targets to 16 digits beside certified ones.
    TEST_CASE("batches of targets that are no sums of square roots have certified digits") {
        constexpr int size = 7;
        std::string gram;
        std::string targets;
        std::string names;
        for (int k = 0; k < size; ++k) {
            std::string of_inputs;
            std::string of_targets;
            for (int l = 0; l < size; ++l) {
                auto const cosine = [](int m) {
                    return isserlis::Rational(std::cos(std::numbers::pi * (2 * m + 1) / size));
                };
                int const inputs = 3 * (2 * k + 1 - size) * (2 * l + 1 - size) + size * size;
                of_inputs +=
                    (l == 0 ? "\"" : ", \"") + std::to_string(inputs) + "/" + std::to_string(size * size) + "\"";
                of_targets +=
                    (l == 0 ? "\"" : ", \"") + isserlis::to_string(isserlis::Rational(cosine(k) * cosine(l))) + "\"";
            }
            gram += std::string(k == 0 ? "[" : ", [") + of_inputs + "]";
            targets += std::string(k == 0 ? "[" : ", [") + of_targets + "]";
            names += std::string(k == 0 ? "\"s" : ", \"s") + std::to_string(k + 1) + "\"";
        }
        Files const file;
        std::string const products = file(
            "cos.json", R"({"inputs": [)" + names + R"(], "gram": [)" + gram + R"(], "targets": [)" + targets + "]}");
        for (std::string const line :
             {"hessian 2,3,1 --activation linear", "hessian 2,3,1", "hessian 2,3,1 --bias-variance 1/3",
              "hessian 2,3:2,1 --network resnet:1 --projections --activation linear", "mup 2,3,1 --activation linear",
              "mup 2,3,1", "coord-check 2,3,1 --activation linear",
              "depth-rules 2,3,1 --activation linear --depths 1,2"}) {
            for (std::string const batch : {"", " --batch 3", " --batch 2 --replacement"}) {
                CAPTURE(line + batch);
                auto const certified = ask(line + batch + " --data cos --size 7");
                auto const close = ask(line + batch + " --with " + products);
                for (auto const& row : close.json.at("results")) {
                    auto const name = row.at("name").get<std::string>();
                    CAPTURE(name);
                    CAPTURE(row.at("index").dump());
                    if (!row.at("decimal").is_string() || name.find("_limit") != std::string::npos) continue;
                    Json index = row.at("index");  // samples of data are called by their numbers
                    if (name.find("sample_") != std::string::npos)
                        index[0] = std::stoi(index[0].get<std::string>().substr(1));
                    CHECK(certified.number(name, index) ==
                          doctest::Approx(close.number(name, row.at("index"))).epsilon(1e-12));
                }
            }
        }
    }

    TEST_CASE("what is not served is told with the way out") {
        Files const file;
        std::string const data = file("three.csv", three_samples);
        std::string const step = "coord-check 2,3,2 --data " + data;
        refused(step, {"--activation", "isserlis mup the step on a file of inputs"}, 3);
        refused("ntk 2,3,2 --data " + data, {"--activation", "isserlis kernel has two inputs"}, 3);
        std::string const linear = step + " --activation linear";
        refused(linear + " --input 1,2", {"--input", "the samples are those of --data"}, 2);
        refused(linear + " --optimiser sign", {"--optimiser", "are of one sample"}, 3);
        refused(linear + " --steps 2 --check 100", {"--steps", "are of one sample"}, 3);
        refused(linear + " --batch 4", {"--batch = 4", "there are 3 samples"}, 2);
        refused(linear + " --precision float --check 100", {"--precision"}, 3);
        refused("coord-check 2,3,2 --activation linear --batch 1", {"--batch"}, 2);
        refused("coord-check 3,3,2 --activation linear --data " + data, {"begin with 3, but data", "d_0 = 2"}, 2);
        refused("coord-check 2,3,1 --activation linear --data " + data, {"end with 1, but data", "d_n = 2"}, 2);
        refused("coord-check 2:3 --network resnet:1 --activation linear --data " + data,
                {"--network", "matrices of their own"}, 3);
        std::string const inputs = file("inputs.json", R"({"inputs": ["a"], "gram": [[1]]})");
        refused("coord-check 2,3,2 --activation linear --with " + inputs, {"\"targets\" of 0 rows for 1 inputs"}, 2);
        std::string const targets = file("targets.json", R"({"inputs": ["a"], "gram": [[1]], "targets": [[1]]})");
        std::string const constants = file("constants.json", R"({"inputs": {"a": [1, 2]}, "constants": {"u": [1]}})");
        refused("ntk 2,3,2 --activation linear --with " + constants,
                {"has \"constants\", which belong to an observable; the keys of samples are inputs, gram, targets"}, 2);
        std::string const other = file("other.json", R"({"inputs": ["a"], "gram": [[1]], "weights": [1]})");
        refused("ntk 2,3,2 --activation linear --with " + other,
                {"unknown key \"weights\"; known are inputs, gram, targets"}, 2);
        std::string const lopsided = file("lopsided.json", R"({"inputs": ["a", "b"], "gram": [[1, 2], [0, 5]]})");
        refused("ntk 2,3,2 --activation linear --with " + lopsided, {"\"gram\" is not symmetric"}, 2);
        std::string const negative = file("negative.json", R"({"inputs": ["a", "b"], "gram": [[1, 2], [2, 1]]})");
        refused("ntk 2,3,2 --activation linear --with " + negative, {"it has a negative eigenvalue"}, 2);
    }

    TEST_CASE("norms and kernels take a file with targets, and say that they are not asked for") {
        Files const file;
        std::string const gram = R"("inputs": ["a", "b"], "gram": [[1, "r"], ["r", 1]])";
        std::string const bare = file("bare.json", "{" + gram + "}");
        std::string const whole = file("whole.json", "{" + gram + R"(, "targets": [[1, -1], [-1, 1]]})");
        for (std::string const command : {"norm", "ntk"}) {
            CAPTURE(command);
            auto const asked = [&](std::string const& path) {
                return ask(words(command + " 2,3,2 --activation linear --with " + path));
            };
            CHECK(asked(whole).json["results"] == asked(bare).json["results"]);
            CHECK(asked(whole).text_of("warnings").find("\"targets\" of --with are not used") != std::string::npos);
            CHECK(asked(bare).text_of("warnings").find("targets") == std::string::npos);
        }
        std::string const lopsided = file("lopsided.json", "{" + gram + R"(, "targets": [[1]]})");
        is_refusal(run_program(words("norm 2,3,2 --activation linear --with " + lopsided)),
                   {"\"targets\" of 1 rows for 2 inputs"});
    }
}
