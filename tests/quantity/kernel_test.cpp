// SPDX-License-Identifier: MIT
// Kernels of infinitely wide networks, against finite ones where they have the same means.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <isserlis/formula/width_correction.hpp>
#include <isserlis/mlp/unit.hpp>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/quantity/ask.hpp>
#include <random>
#include <string>
#include <vector>

#include "refusal.hpp"

using namespace isserlis;
using monte_carlo::RunningVariance;
using quantity::ask;
using test::refuses;

TEST_SUITE("quantity/kernel") {
    // docs/formulas/wide_kernels.md: sqrt(3)/pi + 2/3 and 2/3 more.
    TEST_CASE("one hidden ReLU layer at 60 degrees") {
        auto const a = ask({"kernel", {"relu"}, {{"weight_variance", {"2"}}, {"digits", {"30"}}}});
        CHECK(a.at("kernel", {"1", "relu"}).exact == "1");
        CHECK(a.at("kernel", {"2", "relu"}).decimal == "1.21799556208845871617799316498");
        CHECK(a.at("tangent_kernel", {"2", "relu"}).decimal == "1.88466222875512538284465983165");
        CHECK(a.at("kernel_x", {"2", "relu"}).exact == "2");
        CHECK(a.at("tangent_kernel_x", {"2", "relu"}).exact == "4");
        CHECK(a.at("kernel_correlation", {"1", "relu"}).exact == "1/2");
    }

    TEST_CASE("the diagonal is the mean of finite networks with biases") {
        auto const a = ask(
            {"kernel", {"leaky:1/3"}, {{"weight_variance", {"3/2"}}, {"bias_variance", {"1/4"}}, {"depth", {"3"}}}});
        CHECK(a.at("kernel_x", {"4", "leaky:1/3"}).exact == ask({"expect",
                                                                 {"z[1]^2", "2,5,3,4,1"},
                                                                 {{"activation", {"leaky:1/3"}},
                                                                  {"variance", {"3/2/fan_in"}},
                                                                  {"bias_variance", {"1/4"}},
                                                                  {"input", {"1,1"}}}})
                                                                .at("value")
                                                                .exact);
        CHECK(a.at("tangent_kernel_x", {"4", "leaky:1/3"}).exact == ask({"ntk",
                                                                         {"2,5,3,4,1"},
                                                                         {{"activation", {"leaky:1/3"}},
                                                                          {"variance", {"3/2/fan_in"}},
                                                                          {"label_factor", {"3/4,3/10,1/2,3/8"}},
                                                                          {"bias_variance", {"1/4"}},
                                                                          {"bias_label_factor", {"1/4"}},
                                                                          {"input", {"1,1"}}}})
                                                                        .at("ntk_mean")
                                                                        .exact);
    }

    // Var u^2 = 2, Var u v = 1 + 1/4 of linear units of correlation 1/2; a ReLU never sees both of two opposite inputs.
    TEST_CASE("two inputs at order 1/n: rational where they are, and none of opposite directions") {
        auto const linear = ask({"kernel", {"linear"}, {{"digits", {"2"}}}});
        CHECK(linear.at("four_point_vertex_xy", {"2", "linear"}).exact == "5/4");
        auto const opposite = ask({"kernel", {"relu"}, {{"gram", {"1,-1,1"}}, {"depth", {"2"}}}});
        CHECK_FALSE(opposite.at("kernel_correction_xy", {"3", "relu"}).decimal);
        CHECK_FALSE(opposite.at("tangent_kernel_correction_xy", {"3", "relu"}).decimal);
        CHECK(opposite.at("tangent_kernel_correction", {"3", "relu"}).exact == "0");
        CHECK(opposite.at("kernel", {"2", "relu"}).exact == "0");
        auto const smooth = ask({"kernel", {"erf"}});
        CHECK(smooth.at("four_point_vertex_xy", {"2", "erf"}).decimal);
        CHECK(smooth.at("tangent_kernel_correction_xy", {"2", "erf"}).exact == "0");
        CHECK(smooth.at("tangent_kernel_correction", {"2", "erf"}).exact == "0");
        // K = 1, then 1/2: V^2 = 3/2 - 1/4, V^3 = (3/2 - 1/4)/4 + V^2/4; twice that where the widths are halves.
        auto const half = ask({"kernel", {"relu"}, {{"depth", {"2"}}, {"relative_widths", {"1/2,1/2"}}}});
        auto const whole = ask({"kernel", {"relu"}, {{"depth", {"2"}}}});
        CHECK(half.at("four_point_vertex", {"3", "relu"}).exact == "5/4");
        CHECK(whole.at("four_point_vertex", {"3", "relu"}).exact == "5/8");
    }

    TEST_CASE("real networks of one hidden layer agree, biases among their parameters") {
        for (std::string const unit : {"relu", "leaky:-1/2", "linear"}) {
            for (std::string const bias : {"0", "1/3"}) {
                auto const a = ask({"kernel",
                                    {unit},
                                    {{"weight_variance", {"2"}},
                                     {"bias_variance", {bias}},
                                     {"gram", {"1,-1/3,2"}},
                                     {"check", {"4000"}},
                                     {"seed", {"2"}}}});
                std::size_t checked = 0;
                for (auto const& r : a.results()) {
                    if (!r.check) continue;
                    ++checked;
                    CAPTURE(unit);
                    CAPTURE(bias);
                    CAPTURE(r.name);
                    CHECK(r.check->verdict != Check::Verdict::disagrees);
                }
                CHECK(checked == 18);  // six rows of both layers, and those of order 1/n in layer 2
            }
        }
    }

    // The extrapolated mean of a row is the row up to O(1/n^2), which may be seen: it is never said to disagree.
    TEST_CASE("what finite width adds stands beside sampled networks") {
        auto const a =
            ask({"kernel",
                 {"relu", "tanh"},
                 {{"weight_variance", {"2"}}, {"depth", {"2"}}, {"check", {"20000"}}, {"relative_widths", {"1,1/2"}}}});
        for (std::string const unit : {"relu", "tanh"}) {
            CAPTURE(unit);
            CHECK_FALSE(a.at("kernel_correction", {"1", unit}).check);
            auto const vertex = a.at("four_point_vertex", {"2", unit}).check;
            REQUIRE(vertex);
            CHECK(std::abs(vertex->z) < 5);
            for (char const* row : {"four_point_vertex", "kernel_correction", "tangent_kernel_correction"}) {
                auto const check = a.at(row, {"3", unit}).check;
                REQUIRE(check);
                CHECK(std::abs(check->z) < 5);
                CHECK_FALSE(check->power);
            }
        }
        CHECK(a.at("four_point_vertex", {"2", "relu"}).check->verdict == Check::Verdict::agrees);
        CHECK(a.at("four_point_vertex_xy", {"3", "relu"}).check);
        for (char const* row : {"four_point_vertex_xy", "kernel_correction_xy", "tangent_kernel_correction_xy"}) {
            auto const check = a.at(row, {"3", "tanh"}).check;
            REQUIRE(check);
            CHECK(std::abs(check->z) < 5);
        }
        auto const deep = ask({"kernel", {"relu"}, {{"depth", {"6"}}, {"layer", {"7"}}, {"check", {"100"}}}});
        CHECK(deep.at("four_point_vertex", {"7", "relu"}).unchecked.find("layers 2 to 5") != std::string::npos);
    }

    TEST_CASE("networks that are not sampled are not spoken of") {
        auto const says = [](Answer const& a, char const* words) {
            return std::any_of(a.assumptions().begin(), a.assumptions().end(),
                               [&](auto const& line) { return line.find(words) != std::string::npos; });
        };
        auto const smooth = ask({"kernel", {"sin"}, {{"check", {"100"}}}});
        CHECK_FALSE(says(smooth, "8 hidden units"));
        CHECK(says(smooth, "2 c(2n) - c(n)"));
        auto const first = ask({"kernel", {"sin", "relu"}, {{"layer", {"1"}}, {"check", {"100"}}}});
        CHECK(says(first, "8 hidden units"));
        CHECK_FALSE(says(first, "2 c(2n) - c(n)"));
        CHECK(first.at("kernel", {"1", "relu"}).check);
        auto const deep = ask({"kernel", {"relu"}, {{"depth", {"6"}}, {"layer", {"7"}}, {"check", {"100"}}}});
        CHECK_FALSE(says(deep, "8 hidden units"));
        CHECK_FALSE(says(deep, "2 c(2n) - c(n)"));
    }

    // Odd units without biases: (x, -y) has the law of (x, y), and z(-y) = -z(y).
    TEST_CASE("two inputs at a right angle by odd units") {
        auto const a = ask({"kernel", {"sin"}, {{"gram", {"1,0,2"}}, {"depth", {"2"}}}});
        for (char const* row :
             {"kernel", "kernel_correlation", "tangent_kernel", "kernel_correction_xy", "tangent_kernel_correction_xy"})
            CHECK(a.at(row, {"3", "sin"}).exact == "0");
        CHECK(a.at("four_point_vertex_xy", {"3", "sin"}).decimal);
    }

    TEST_CASE("pairs of smooth units at order 1/n are absent where they take long or their variance is large") {
        auto const large = ask({"kernel", {"gelu"}, {{"weight_variance", {"200"}}, {"digits", {"6"}}}});
        CHECK(large.at("kernel", {"2", "gelu"}).decimal);
        CHECK_FALSE(large.at("four_point_vertex_xy", {"2", "gelu"}).decimal);
        auto const deep = ask({"kernel", {"erf", "relu"}, {{"depth", {"30"}}, {"layer", {"31"}}}});
        CHECK_FALSE(deep.at("kernel_correction_xy", {"31", "erf"}).decimal);
        CHECK(deep.at("kernel_correction_xy", {"31", "relu"}).decimal);
    }

    // One hidden layer of 4 units, of two coordinates: z = sum_j W_j sigma(z_j) + b and its tangent kernel, drawn here.
    TEST_CASE("sampled networks of smooth units have these means in layer 2") {
        constexpr int samples = 40000;
        constexpr int width = 4;
        double const w = 1.5;
        double const b = 0.25;
        double const x[2] = {std::sqrt(2.0), 0};                                        // |x|^2/2 = 1
        double const y[2] = {std::sqrt(2.0) * -0.4, std::sqrt(2.0) * std::sqrt(1.84)};  // x.y/2 = -0.4, |y|^2/2 = 2
        for (std::string const unit : {"tanh", "sigmoid", "softplus", "silu", "gelu", "elu", "selu"}) {
            CAPTURE(unit);
            mlp::Unit const sampled{.kind = *mlp::unit_kind(unit == "silu" ? "swish" : unit)};
            std::mt19937_64 draw(5);  // NOLINT(cert-msc51-cpp,cert-msc32-c): the same networks each time
            std::normal_distribution<double> normal;
            RunningVariance kernel;
            RunningVariance tangent;
            for (int s = 0; s < samples; ++s) {
                double zx = std::sqrt(b) * normal(draw);
                double zy = zx;
                double theta = b;
                for (int j = 0; j < width; ++j) {
                    double const w0 = normal(draw);
                    double const w1 = normal(draw);
                    double const bias = std::sqrt(b) * normal(draw);
                    double const out = normal(draw);
                    auto const at = [&](double const* in) {
                        return mlp::unit_jet(sampled, std::sqrt(w / 2) * (w0 * in[0] + w1 * in[1]) + bias);
                    };
                    auto const hx = at(x);
                    auto const hy = at(y);
                    zx += std::sqrt(w / width) * out * hx.value;
                    zy += std::sqrt(w / width) * out * hy.value;
                    theta += w / width * (hx.value * hy.value + out * out * hx.first * hy.first * (w * -0.4 + b));
                }
                kernel.push(zx * zy);
                tangent.push(theta);
            }
            auto const a = ask(
                {"kernel", {unit}, {{"weight_variance", {"3/2"}}, {"bias_variance", {"1/4"}}, {"gram", {"1,-2/5,2"}}}});
            auto const is_near = [](RunningVariance const& seen, std::string const& exact) {
                auto const estimate = seen.estimate();
                return std::abs(estimate.mean - std::stod(exact)) < 4.5 * estimate.std_error;
            };
            CHECK(is_near(kernel, *a.at("kernel", {"2", unit}).decimal));
            CHECK(is_near(tangent, *a.at("tangent_kernel", {"2", unit}).decimal));
        }
    }

    // E z^4 of widths n is 3 K^2 + 3 V/n + O(1/n^2): from two widths, to order 1/n^2.
    TEST_CASE("the four-point vertex is the first order of exact fourth moments, biases included") {
        for (std::string const unit : {"relu", "leaky:-1/3", "linear"}) {
            for (std::string const bias : {"0", "1/4"}) {
                CAPTURE(unit);
                CAPTURE(bias);
                auto const a = ask(
                    {"kernel", {unit}, {{"weight_variance", {"3/2"}}, {"bias_variance", {bias}}, {"depth", {"3"}}}});
                auto const number = [&](std::string const& name) {
                    return std::stod(*a.at(name, {"4", unit}).decimal);
                };
                auto const scaled = [&](int n) {
                    std::string const w = std::to_string(n);
                    quantity::Question question{
                        "expect",
                        {"z[1]^4", "2," + w + "," + w + "," + w + ",1"},
                        {{"activation", {unit}}, {"variance", {"3/2/fan_in"}}, {"input", {"1,1"}}}};
                    if (bias != "0") question.parameters["bias_variance"] = {bias};
                    double const kernel = number("kernel_x");
                    return n * (std::stod(*ask(question).at("value").decimal) / 3 - kernel * kernel);
                };
                CHECK(2 * scaled(20000) - scaled(10000) == doctest::Approx(number("four_point_vertex")).epsilon(1e-5));
                CHECK(a.at("kernel_correction", {"4", unit}).exact == "0");
            }
        }
    }

    // E z_1^2 H_22 is K Theta + (D + K T + G Theta)/n, where T = G = 0, and E z_1 z_2 H_12 is F/n, H over the weights: from two
    // widths, to order 1/n^2; the diagonal mean of the tangent kernel has no 1/n at all.
    TEST_CASE("fluctuations of the tangent kernel are the first order of exact moments") {
        WideNetwork net{.unit = {}, .weight_variance = ratio(3, 2), .bias_variance = 0, .hidden_layers = 3};
        for (auto const& [unit, slope] :
             std::vector<std::pair<std::string, Rational>>{{"relu", 0}, {"leaky:-1/3", ratio(-1, 3)}, {"linear", 1}}) {
            CAPTURE(unit);
            net.unit = Gate<Rational>(1, slope);
            auto const exact = width_corrections(net, 1, 100, {1, 2, 1}).back();
            auto const limit = wide_kernels(net, {.xx = 1, .xy = 1, .yy = 1}, 100).back();
            auto const finite = [&](std::string const& query, Rational const& infinite, int n) {
                std::string const one = std::to_string(n);
                std::string const two = std::to_string(2 * n);
                std::string const of_one = "3/2/" + one;
                auto const a = ask({"expect",
                                    {query, "2," + one + "," + two + "," + one + ",2"},
                                    {{"activation", {unit}},
                                     {"variance", {"3/2/fan_in"}},
                                     {"label_factor", {"3/4," + of_one + ",3/2/" + two + "," + of_one}},
                                     {"input", {"1,1"}}}});
                return Rational(n * (parse_rational(*a.at("value").exact, "value") - infinite));
            };
            auto const first_order = [&](std::string const& query, Rational const& infinite) {
                Rational const out = 2 * finite(query, infinite, 20000) - finite(query, infinite, 10000);
                return out.convert_to<double>();
            };
            auto const number = [](Enclosed const& x) { return x.exact()->convert_to<double>(); };
            Rational const product = *limit.kernel.uu.exact() * *limit.tangent.uu.exact();
            CHECK(first_order("z[1]^2 z[2;m]^2", product) ==
                  doctest::Approx(number(exact.tangent_vertex)).epsilon(1e-6));
            CHECK(first_order("z[1] z[2] z[1;m] z[2;m]", 0) ==
                  doctest::Approx(number(exact.tangent_exchange)).epsilon(1e-6));
            CHECK(finite("z[1;m]^2", *limit.tangent.uu.exact(), 7) == 0);
            CHECK(exact.tangent.is_zero());
        }
    }

    // Real matrices: Q = b + (w/n) |h^3|^2 has mean K + G/n and variance V/n.
    TEST_CASE("drawn networks of smooth units have these first orders") {
        constexpr int samples = 20000;
        constexpr int n = 24;
        double const w = 2;
        double const b = 0.1;
        for (std::string const unit : {"tanh", "gelu", "selu"}) {
            CAPTURE(unit);
            mlp::Unit const sampled{.kind = *mlp::unit_kind(unit)};
            std::mt19937_64 draw(7);  // NOLINT(cert-msc51-cpp,cert-msc32-c)
            std::normal_distribution<double> normal;
            RunningVariance variance;
            for (int s = 0; s < samples; ++s) {
                std::vector<double> h{1};
                for (int layer = 1; layer <= 3; ++layer) {
                    std::vector<double> next;
                    for (int j = 0; j < n; ++j) {
                        double z = std::sqrt(b) * normal(draw);
                        for (double const x : h) z += std::sqrt(w / static_cast<double>(h.size())) * normal(draw) * x;
                        next.push_back(mlp::unit_jet(sampled, z).value);
                    }
                    h = std::move(next);
                }
                double square = 0;
                for (double const x : h) square += x * x;
                variance.push(b + w / n * square);
            }
            auto const a =
                ask({"kernel", {unit}, {{"weight_variance", {"2"}}, {"bias_variance", {"1/10"}}, {"depth", {"3"}}}});
            auto const number = [&](std::string const& name) { return std::stod(*a.at(name, {"4", unit}).decimal); };
            auto const seen = variance.estimate();
            double const spread = seen.std_error * seen.std_error * samples;
            double const vertex = number("four_point_vertex");
            CHECK(n * spread == doctest::Approx(vertex).epsilon(0.2));
            CHECK(std::abs(seen.mean - number("kernel_x") - number("kernel_correction") / n) <
                  4.5 * seen.std_error + 0.1 * std::sqrt(vertex) / n);
        }
    }

    // One input and its opposite: an odd unit keeps them so. ELU makes two of them.
    TEST_CASE("opposite inputs, deep networks") {
        auto const odd =
            ask({"kernel", {"tanh"}, {{"gram", {"1,-1,1"}}, {"depth", {"4"}}, {"weight_variance", {"2"}}}});
        CHECK("-" + *odd.at("kernel_x", {"5", "tanh"}).decimal == *odd.at("kernel", {"5", "tanh"}).decimal);
        auto const elu = ask(
            {"kernel", {"elu", "gelu"}, {{"gram", {"1,-1,1"}}, {"depth", {"8"}}, {"layer", {"9"}}, {"digits", {"6"}}}});
        CHECK(elu.at("kernel_correction_xy", {"9", "elu"}).decimal);
    }

    TEST_CASE("what is not served says so") {
        refuses({"kernel", {"tanh"}, {{"weight_variance", {"200"}}}}, "are served up to 100");
        refuses({"kernel", {"crelu"}, {}}, "makes two features");
        refuses({"kernel", {"zap"}, {}}, "is not a unit");
        refuses({"kernel", {}, {}}, "a unit is missing");
        refuses({"kernel", {"relu"}, {{"gram", {"1,2"}}}}, "three are required");
        refuses({"kernel", {"relu"}, {{"gram", {"1,2,1"}}}}, "belong to no two inputs");
        refuses({"kernel", {"relu"}, {{"weight_variance", {"0"}}}}, "`weight_variance` = 0; it has to be positive");
        refuses({"kernel", {"relu"}, {{"layer", {"3"}}}}, "layer");
    }
}
