// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/data/built_in.hpp>
#include <isserlis/error.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/monte_carlo/loss_curve_sampler.hpp>
#include <isserlis/monte_carlo/one_step_loss.hpp>
#include <isserlis/network/zoo.hpp>

namespace {

using isserlis::ActivationKind;
using isserlis::LossKind;
using isserlis::monte_carlo::Estimate;
using isserlis::monte_carlo::LossCurveModel;
using isserlis::monte_carlo::minimise_one_step_loss;
using isserlis::monte_carlo::RunControl;
using isserlis::monte_carlo::sample_loss_curve;
using isserlis::monte_carlo::sample_one_step_losses;
using isserlis::monte_carlo::vertex_rate;
using Widths = std::vector<std::size_t>;

LossCurveModel model_of(Widths const& widths, ActivationKind kind) {
    LossCurveModel model;
    model.network.widths = widths;
    model.network.activation.kind = kind;
    for (std::size_t q = 1; q < widths.size(); ++q) {
        model.network.variances.push_back(1 / std::sqrt(static_cast<double>(widths[q] * widths[q - 1])));
        model.network.laws.emplace_back();  // Gaussian
    }
    return model;
}

LossCurveModel on_data(Widths const& widths, ActivationKind kind, isserlis::DataSet const& data, LossKind loss) {
    LossCurveModel model = model_of(widths, kind);
    model.inputs = input_doubles(data);
    model.targets = target_doubles(data);
    model.loss = loss;
    return model;
}

LossCurveModel on_cosine(Widths const& widths, ActivationKind kind) {
    return on_data(widths, kind, isserlis::cosine_data(), LossKind::squared);
}

/// Within 5 standard errors, where the expected value may have one of its own.
void check_within_errors(Estimate const& sampled, double expected, double expected_error = 0) {
    CAPTURE(sampled.mean);
    CAPTURE(sampled.std_error);
    CAPTURE(expected);
    CHECK(std::abs(sampled.mean - expected) <= 5 * std::hypot(sampled.std_error, expected_error) + 1e-12);
}

Estimate shifted(double by, Estimate estimate) {
    estimate.mean += by;
    return estimate;
}

/// Hidden widths 10 or 20, 3 to 5 layers, of [Hettinger 2019, Table 4.1].
Widths hidden(std::size_t inputs, std::size_t layers, std::size_t width) {
    Widths out{inputs};
    out.insert(out.end(), layers, width);
    out.push_back(1);
    return out;
}

/// [Hettinger 2019, Def 4.23].
double scaling_factor(Widths const& d) {
    double sum = 0;
    double product = 1;
    for (std::size_t q = 1; q < d.size(); ++q) sum += std::sqrt(static_cast<double>(d[q] * d[q - 1]));
    for (std::size_t q = 1; q + 1 < d.size(); ++q) product *= 1 + 2.0 / static_cast<double>(d[q]);
    return sum * product;
}

}  // namespace

TEST_SUITE("monte_carlo/loss_curve_sampler") {
    TEST_CASE("the sample is the mean over drawn networks, of any activation and loss") {
        for (auto const kind : {ActivationKind::linear, ActivationKind::relu, ActivationKind::leaky,
                                ActivationKind::crelu, ActivationKind::crelu_tied})
            for (auto const& loss : isserlis::losses) {
                CAPTURE(name(kind));
                CAPTURE(loss.name);
                auto model = model_of({3, 4, 5, 2}, kind);
                model.network.activation.slope = 0.2;
                model.inputs = {{1, -2, 1}, {0.5, 0, 1}, {-1, 1, 1}};
                model.targets = {{1, 0}, {0, 1}, {1, 0}};
                model.loss = loss.kind;
                isserlis::mlp::Samples const samples{.inputs = isserlis::mlp::columns(model.inputs),
                                                     .targets = isserlis::mlp::columns(model.targets)};
                isserlis::mlp::LossDerivatives mean{.loss = 0};
                double after = 0;
                std::uint64_t const runs = 7;
                for (std::uint64_t i = 0; i < runs; ++i) {
                    auto const net = isserlis::monte_carlo::draw_network<double>(model.network_with_input(), 11, i);
                    auto const at = loss_derivatives(net, samples, loss.kind);
                    *mean.loss += *at.loss / runs;
                    mean.slope += at.slope / runs;
                    mean.curvature_gamma += at.curvature_gamma / runs;
                    mean.curvature_chi += at.curvature_chi / runs;
                    after += loss_after_step(net, samples, loss.kind, 0.1) / runs;
                }
                auto const sampled = sample_loss_curve(model, runs, 11).plain;
                CHECK(sampled.loss->mean == doctest::Approx(*mean.loss).epsilon(1e-11));
                CHECK(sampled.slope.mean == doctest::Approx(mean.slope).epsilon(1e-11));
                CHECK(sampled.curvature_gamma.mean == doctest::Approx(mean.curvature_gamma).epsilon(1e-9));
                CHECK(sampled.curvature_chi.mean == doctest::Approx(mean.curvature_chi).epsilon(1e-11));
                CHECK(sampled.curvature.mean == doctest::Approx(mean.curvature()).epsilon(1e-11));
                auto const losses = sample_one_step_losses(model, {0, 0.1}, runs, 11);
                CHECK(losses[0].mean == doctest::Approx(*mean.loss).epsilon(1e-11));
                CHECK(losses[1].mean == doctest::Approx(after).epsilon(1e-11));
            }
    }

    TEST_CASE("the answer does not depend on the number of threads") {
        auto const model = on_cosine({2, 5, 5, 1}, ActivationKind::crelu_tied);
        RunControl three;
        three.threads = 3;
        auto const a = sample_loss_curve(model, 600, 5);
        auto const b = sample_loss_curve(model, 600, 5, three);
        CHECK(a.plain.slope.mean == b.plain.slope.mean);
        CHECK(a.plain.curvature.std_error == b.plain.curvature.std_error);
        CHECK(a.plain.slope_curvature_covariance == b.plain.slope_curvature_covariance);
        CHECK(a.minus_linear->curvature_gamma.mean == b.minus_linear->curvature_gamma.mean);
        CHECK(minimise_one_step_loss(model, 0.01, 200, 5).rate.mean ==
              minimise_one_step_loss(model, 0.01, 200, 5, three).rate.mean);
    }

    // The weights of a chain are the same as those of its graph.
    TEST_CASE("a chain as a graph has its minimiser, with rates") {
        auto model = model_of({2, 5, 4, 1}, ActivationKind::relu);
        model.inputs = {{1, 2}, {-1, 1}, {2, -1}};
        model.targets = {{1}, {0}, {-1}};
        model.rates = {0.5, 1, 2};
        isserlis::FullyConnected<double, std::uint64_t> net;
        for (std::size_t q = 1; q < model.network.widths.size(); ++q)
            net.layers.push_back({.fan_in = static_cast<double>(model.network.widths[q - 1]),
                                  .fan_out = static_cast<double>(model.network.widths[q]),
                                  .count = 1,
                                  .variance = model.network.variances[q - 1],
                                  .label_factor = model.rates[q - 1]});
        isserlis::monte_carlo::GraphCurveModel const graph{
            .network = {.graph = isserlis::chain_graph(net)}, .inputs = model.inputs, .targets = model.targets};
        auto const of_chain = minimise_one_step_loss(model, 0.02, 300, 3);
        auto const of_graph = minimise_one_step_loss(graph, 0.02, 300, 3);
        CHECK(of_graph.rate.mean == doctest::Approx(of_chain.rate.mean).epsilon(1e-7));
        CHECK(of_graph.loss.mean == doctest::Approx(of_chain.loss.mean).epsilon(1e-9));
        CHECK(of_graph.rate.std_error == doctest::Approx(of_chain.rate.std_error).epsilon(1e-4));
    }

    // z = w.x, E z^2 = v |x|^2: E L = v X + y^2, L' = -4 X (z - y)^2, L'' = 8 X^2 (z - y)^2, here v X + y^2 = 2 + 9.
    TEST_CASE("one linear layer, by hand") {
        auto model = model_of({2, 1}, ActivationKind::linear);
        model.network.variances = {0.5};
        model.inputs = {{1, std::sqrt(3.0)}};
        model.targets = {{3}};
        auto const at = sample_loss_curve(model, 4'000, 1).plain;
        check_within_errors(*at.loss, 11);
        check_within_errors(at.slope, -4 * 4 * 11.0);
        check_within_errors(at.curvature, 8 * 16 * 11.0);
        check_within_errors(at.curvature_gamma, 0);
        // Every network is lowest at 1/(2 X); the three statistics are proportional, so the vertex has no error.
        CHECK(vertex_rate(at)->mean == doctest::Approx(1.0 / 8).epsilon(1e-12));
        CHECK(vertex_rate(at)->std_error < 1e-8);
        for (double const start : {0.1, 0.001, 10.0}) {
            auto const lowest = minimise_one_step_loss(model, start, 100, 1);
            CHECK(lowest.rate.mean == doctest::Approx(1.0 / 8).epsilon(1e-9));
            CHECK(std::abs(lowest.loss.mean) < 1e-12);
        }
    }

    // Two layers, one sample, gradient 1 and Hessian H: with A_r = a^2 (z_r^2 + w_r^2 X) over the hidden units, a the
    // gate, L' = -sum A_r and chi = H (sum A_r)^2; z_r ~ N(0, v_1 X), w_r ~ N(0, v_2) and E a^p = (1 + s^p)/2. For
    // the concatenated ReLU a = 1, since one sample meets one side of every unit.
    // One layer, E a^2 = 1, samples (1, 1) and (2, 0): a batch of one has L'' = 2 (5/2) E g^2, E g^2 = (8 + 64)/2.
    TEST_CASE("a batch of one of two samples, by hand; a batch of all is no batch") {
        LossCurveModel model = model_of({1, 1}, ActivationKind::linear);
        model.inputs = {{1}, {2}};
        model.targets = {{1}, {0}};
        auto const whole = sample_loss_curve(model, 20000, 1).plain;
        model.batch = {.size = 2};
        auto const both = sample_loss_curve(model, 20000, 1).plain;
        CHECK(both.curvature.mean == doctest::Approx(whole.curvature.mean));
        CHECK(both.slope.mean == doctest::Approx(whole.slope.mean));
        model.batch = {.size = 1};
        auto const one = sample_loss_curve(model, 20000, 1).plain;
        check_within_errors(one.curvature, 180);
        check_within_errors(one.slope, -26);             // -E g^2 of both, g = 5a - 1
        check_within_errors(*one.loss, 3);               // (E (a - 1)^2 + 4 E a^2)/2
        model.batch = {.size = 3, .replacement = true};  // 2/3 of 130 and 1/3 of 180
        auto const replaced = sample_loss_curve(model, 20000, 1).plain;
        check_within_errors(replaced.curvature, 440.0 / 3);
        check_within_errors(replaced.slope, -26);
        model.batch = {.size = 3};
        CHECK_THROWS_AS((void)sample_loss_curve(model, 20, 1), isserlis::DomainError);
        model.batch = {.size = 0};
        CHECK_THROWS_AS((void)sample_loss_curve(model, 20, 1), isserlis::DomainError);
    }

    TEST_CASE("two layers and a given gradient, by hand") {
        double const x = 2;
        double const d = 3;
        double const v1 = 0.5;
        double const v2 = 0.25;
        for (auto const& [kind, slope, squares, fourths] :
             {std::tuple{ActivationKind::relu, 0.0, 0.5, 0.5}, std::tuple{ActivationKind::leaky, -0.5, 0.625, 0.53125},
              std::tuple{ActivationKind::linear, 0.0, 1.0, 1.0}, std::tuple{ActivationKind::crelu, 0.0, 1.0, 1.0},
              std::tuple{ActivationKind::crelu_tied, 0.0, 1.0, 1.0}}) {
            CAPTURE(name(kind));
            auto model = model_of({2, 3, 1}, kind);
            model.network.variances = {v1, v2};
            model.network.activation.slope = slope;
            model.inputs = {{1, -1}};
            model.given = {.gradients = {{1}}, .hessians = {{{3}}}};
            auto const at = sample_loss_curve(model, 20'000, 2).plain;
            double const mean = squares * x * (v1 + v2);
            double const square = fourths * x * x * (3 * v1 * v1 + 2 * v1 * v2 + 3 * v2 * v2);
            CHECK_FALSE(at.loss.has_value());
            check_within_errors(at.slope, -d * mean);
            check_within_errors(at.curvature_chi, 3 * (d * square + d * (d - 1) * mean * mean));
            check_within_errors(at.curvature_gamma, 0);
        }
    }

    // Corrected thesis, section 0: with one sample the symmetric start is linear, network by network.
    TEST_CASE("with one sample the symmetric start equals the linear network pathwise") {
        auto model = model_of({3, 6, 6, 2}, ActivationKind::crelu_tied);
        model.inputs = {{0.5, -1, 1}};
        model.targets = {{1, 0}};
        for (auto const& loss : isserlis::losses) {
            model.loss = loss.kind;
            auto const sampled = sample_loss_curve(model, 200, 3);
            REQUIRE(sampled.minus_linear);
            double const rounding = 1e-12 * (1 + std::abs(sampled.plain.curvature.mean));
            CHECK(std::abs(sampled.minus_linear->loss->mean) < rounding);
            CHECK(std::abs(sampled.minus_linear->slope.mean) < rounding);
            CHECK(std::abs(sampled.minus_linear->curvature.mean) < rounding);
            CHECK(sampled.minus_linear->curvature.std_error < rounding);
        }
        CHECK_FALSE(sample_loss_curve(on_cosine({2, 3, 1}, ActivationKind::crelu), 10, 1).minus_linear);
    }

    // Corrected thesis, erratum E5: 3x10, 16 points of the cosine, H = 2. Linear values by Theorems 4.15 and 4.19,
    // true slopes exact, true curvatures sampled (error in brackets): -25.22, 1876(3); -18.27, 957(5); -3.20, 88.3(6).
    TEST_CASE("with many samples and given gradients the symmetric start is not linear") {
        auto model = on_cosine(hidden(2, 3, 10), ActivationKind::crelu_tied);
        auto const targets = model.targets;
        struct {
            double slope, linear_slope, curvature, error, linear_curvature;
        } const expected[] = {
            {-25.22, -19.54, 1876, 3, 1208.6}, {-18.27, -24.27, 957, 5, 1497}, {-3.20, 0, 88.3, 0.6, 0}};
        for (std::size_t which = 0; which < 3; ++which) {
            model.given.emplace();
            for (std::size_t k = 0; k < 16; ++k) {
                double const g = which == 0 ? 1 : which == 1 ? model.inputs[k][0] + 0.5 : -2 * targets[k][0];
                model.given->gradients.push_back({g});
                model.given->hessians.push_back({{2}});
            }
            auto const& [slope, linear_slope, curvature, error, linear_curvature] = expected[which];
            auto const sampled = sample_loss_curve(model, 4'000, 4);
            auto const& difference = *sampled.minus_linear;
            double const rounding = 0.005;  // of the figures
            check_within_errors(sampled.plain.slope, slope, rounding);
            check_within_errors(sampled.plain.curvature, curvature, error);
            check_within_errors(shifted(linear_slope, difference.slope), slope, rounding);
            check_within_errors(shifted(linear_curvature, difference.curvature), curvature, error);
            CHECK(std::abs(difference.slope.mean) > 20 * difference.slope.std_error);
            CHECK(std::abs(difference.curvature.mean) > 20 * difference.curvature.std_error);
            if (which < 2) CHECK(difference.slope.std_error < 0.5 * sampled.plain.slope.std_error);
        }
    }

    // Corrected thesis, erratum E6: 3x10, squared error, cos: slope -195.66 and curvature 24543(306); the linear
    // network has -210.24 and 27482. E L = kappa d_n p_1 + mean y^2 with kappa = 1/sqrt(2), p_1 = 2 - 1/256.
    TEST_CASE("squared error with the weights inside the gradient") {
        double const loss = (2 - 1.0 / 256) / std::sqrt(2.0) + 0.5;
        auto const tied = sample_loss_curve(on_cosine(hidden(2, 3, 10), ActivationKind::crelu_tied), 12'000, 5);
        check_within_errors(*tied.plain.loss, loss);
        check_within_errors(tied.plain.slope, -195.66);
        check_within_errors(tied.plain.curvature, 24543, 306);
        check_within_errors(shifted(-210.24, tied.minus_linear->slope), -195.66);
        check_within_errors(shifted(27482, tied.minus_linear->curvature), 24543, 306);
        CHECK(tied.minus_linear->slope.std_error < 0.5 * tied.plain.slope.std_error);
        // Gamma is 12 to 26 percent of the linear curvature on these networks (erratum E7).
        CHECK(tied.plain.curvature_gamma.mean > 0.1 * tied.plain.curvature.mean);
        auto const linear = sample_loss_curve(on_cosine(hidden(2, 3, 10), ActivationKind::linear), 12'000, 6).plain;
        check_within_errors(*linear.loss, loss);
        check_within_errors(linear.slope, -210.24);
        check_within_errors(linear.curvature, 27482);
    }

    // Corrected thesis, section 6, the sampled columns: vertex and minimiser of the mean one-step loss times S_N. The
    // errors of the minimisers are not stated; another seed moves them by up to 0.05.
    TEST_CASE("vertex and minimiser of the thesis's networks") {
        struct {
            std::size_t layers, width;
            double factor, vertex, vertex_error, minimiser;
        } const rows[] = {{3, 10, 47.752, 0.380, 0.005, 0.575},  {3, 20, 67.610, 0.483, 0.004, 0.590},
                          {4, 10, 78.039, 0.323, 0.012, 0.545},  {4, 20, 103.653, 0.434, 0.005, 0.584},
                          {5, 10, 118.530, 0.267, 0.007, 0.566}, {5, 20, 146.229, 0.389, 0.005, 0.577}};
        for (auto const& row : rows) {
            CAPTURE(row.layers);
            CAPTURE(row.width);
            auto const widths = hidden(2, row.layers, row.width);
            double const s = scaling_factor(widths);
            CHECK(s == doctest::Approx(row.factor).epsilon(1e-5));
            auto const model = on_cosine(widths, ActivationKind::crelu_tied);
            auto const vertex = vertex_rate(sample_loss_curve(model, 2'000, 7).plain);
            REQUIRE(vertex);
            check_within_errors({.mean = s * vertex->mean, .std_error = s * vertex->std_error}, row.vertex,
                                row.vertex_error);
            auto const lowest = minimise_one_step_loss(model, vertex->mean, 600, 7);
            check_within_errors({.mean = s * lowest.rate.mean, .std_error = s * lowest.rate.std_error}, row.minimiser,
                                0.01);
            CHECK(lowest.rate.mean > vertex->mean);
        }
    }

    // Section 6: checkerboard with binary cross-entropy, 2000 networks each: vertex times S_N 10.3 for 3x10, minimiser
    // 9 on a grid of 0.5; erratum E7: gamma is 13 to 34 percent of the curvature.
    TEST_CASE("the checkerboard") {
        auto const widths = hidden(3, 3, 10);
        double const s = scaling_factor(widths);
        auto const model =
            on_data(widths, ActivationKind::crelu_tied, isserlis::checkerboard_data(), LossKind::binary_cross_entropy);
        auto const at = sample_loss_curve(model, 1'000, 8).plain;
        auto const vertex = vertex_rate(at);
        REQUIRE(vertex);
        check_within_errors({.mean = s * vertex->mean, .std_error = s * vertex->std_error}, 10.3, 0.2);
        CHECK(at.curvature_gamma.mean > 0.13 * at.curvature.mean);
        CHECK(at.curvature_gamma.mean < 0.34 * at.curvature.mean);
        auto const lowest = minimise_one_step_loss(model, vertex->mean, 500, 8);
        check_within_errors({.mean = s * lowest.rate.mean, .std_error = s * lowest.rate.std_error}, 9, 0.25);
    }

    TEST_CASE("the error of a vertex is that of repeated runs") {
        auto const model = on_cosine({2, 5, 1}, ActivationKind::crelu_tied);
        isserlis::monte_carlo::RunningVariance vertices;
        double stated = 0;
        std::uint64_t const runs = 100;
        for (std::uint64_t seed = 0; seed < runs; ++seed) {
            auto const vertex = vertex_rate(sample_loss_curve(model, 400, seed).plain);
            vertices.push(vertex->mean);
            stated += vertex->std_error / runs;
        }
        CHECK(stated == doctest::Approx(std::sqrt(vertices.variance())).epsilon(0.3));
        CHECK_FALSE(vertex_rate(-1, 0, {}).has_value());
    }

    TEST_CASE("what does not fit is named") {
        auto const refuse = [](LossCurveModel const& model, char const* message) {
            CHECK_THROWS_WITH_AS(static_cast<void>(sample_loss_curve(model, 10, 1)), message, isserlis::DomainError);
        };
        auto model = model_of({2, 3, 1}, ActivationKind::relu);
        refuse(model, "LossCurveModel: there are no samples; at least 1 is needed");
        model.inputs = {{1, 2}, {3}};
        model.targets = {{1}, {1}};
        refuse(model, "LossCurveModel: inputs of sample 2 has 1 entries; the network has 2");
        model.inputs = {{1, 2}, {3, NAN}};
        refuse(model, "LossCurveModel: inputs of sample 2 has an entry that is not finite");
        model.inputs = {{1, 2}, {3, 4}};
        model.targets = {{1}};
        refuse(model, "LossCurveModel: targets of 1 samples; inputs have 2");
        model.targets.clear();
        model.given = {.gradients = {{1}, {2}}, .hessians = {{{1}}}};
        refuse(model, "LossCurveModel: 1 Hessians for 2 samples");
        model.given->hessians = {{{1}}, {{2}}};
        CHECK_NOTHROW(static_cast<void>(sample_loss_curve(model, 10, 1)));
        CHECK_THROWS_AS(static_cast<void>(sample_loss_curve(model, 1, 1)), isserlis::DomainError);
        CHECK_THROWS_AS(static_cast<void>(sample_one_step_losses(model, {0.1}, 10, 1)), isserlis::UnsupportedError);
        model.network.laws[0].kind = isserlis::LawKind::rademacher;
        CHECK_THROWS_AS(static_cast<void>(sample_loss_curve(model, 10, 1)), isserlis::UnsupportedError);
        auto far = on_cosine({2, 3, 1}, ActivationKind::crelu);
        CHECK_THROWS_AS(static_cast<void>(minimise_one_step_loss(far, -1, 10, 1)), isserlis::DomainError);
        far.inputs[0][0] = 1e300;
        CHECK_THROWS_AS(static_cast<void>(sample_loss_curve(far, 10, 1)), isserlis::UnsupportedError);
    }
}
