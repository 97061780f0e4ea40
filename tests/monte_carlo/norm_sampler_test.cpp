// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/network.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/monte_carlo/norm_sampler.hpp>

namespace {

using isserlis::ActivationKind;
using isserlis::LawKind;
using isserlis::mlp::Vector;
using isserlis::monte_carlo::draw_network;
using isserlis::monte_carlo::NetworkModel;
using isserlis::monte_carlo::NormSampler;

template <class T>
Vector<T> input(NetworkModel const& model) {
    return Eigen::Map<Eigen::VectorXd const>(model.input.data(), static_cast<Eigen::Index>(model.input.size()))
        .template cast<T>();
}

NetworkModel layered_model(ActivationKind kind, LawKind law) {
    NetworkModel model;
    model.widths = {3, 5, 4, 2};
    model.activation = {.kind = kind, .slope = -0.25};
    model.laws.assign(3, {.kind = law, .kurtosis_value = 4});
    model.variances = {1.0, 0.5, 0.25};
    model.input = {0.5, -0.5, 1.0};
    model.ties = isserlis::monte_carlo::TieRule::fair_coin;
    return model;
}

}  // namespace

TEST_SUITE("monte_carlo/norm_sampler") {
    TEST_CASE_TEMPLATE("every sample is mlp::forward on the drawn network", T, float, double) {
        constexpr double rounding = std::is_same_v<T, float> ? 1e-5 : 1e-13;
        for (auto const kind : {ActivationKind::linear, ActivationKind::relu, ActivationKind::leaky,
                                ActivationKind::crelu, ActivationKind::crelu_tied})
            for (auto const law : {LawKind::gaussian, LawKind::rademacher, LawKind::kurtosis})
                for (bool const gated_head : {false, true}) {
                    NetworkModel model = layered_model(kind, law);
                    model.gated_head = gated_head;
                    NormSampler<T> activations(model, false);
                    NormSampler<T> preactivations(model, true);
                    isserlis::mlp::TieBreak<T> const ties{isserlis::monte_carlo::tie_tolerance<T>, [] { return true; }};
                    for (std::uint64_t sample = 0; sample < 10; ++sample) {
                        auto const net = draw_network<T>(model, 18, sample);
                        auto const pass = law == LawKind::rademacher ? forward(net, input<T>(model), ties)
                                                                     : forward(net, input<T>(model));
                        auto const h = activations(18, sample);
                        auto const z = preactivations(18, sample);
                        for (std::size_t q = 0; q < 3; ++q) {
                            auto const h2 = static_cast<double>(pass.activations[q].squaredNorm());
                            auto const z2 = static_cast<double>(pass.preactivations[q].squaredNorm());
                            REQUIRE(std::abs(h[q].value - h2) <= rounding * (1 + h2));
                            REQUIRE(std::abs(z[q].value - z2) <= rounding * (1 + z2));
                            REQUIRE(
                                (h2 == 0 ? std::isinf(h[q].log) : h[q].log == doctest::Approx(std::log(h[q].value))));
                        }
                    }
                }
    }

    // One input, one neuron a layer, linear: log q is the sum of log w^2 over the drawn weights.
    TEST_CASE_TEMPLATE("a norm far below the range of the number type keeps its logarithm", T, float, double) {
        NetworkModel model;
        model.widths.assign(2001, 1);
        model.activation.kind = ActivationKind::linear;
        model.laws.assign(2000, {});
        model.variances.assign(2000, 1.0);
        model.input = {1.0};
        double expected = 0;
        for (auto const& layer : draw_network<T>(model, 1, 0).layers)
            expected += 2 * std::log(std::abs(static_cast<double>(layer.weights(0, 0))));
        NormSampler<T> norms(model, false);
        auto const head = norms(1, 0).back();
        CHECK(expected < -1500);
        CHECK(head.value == 0);
        CHECK(head.log == doctest::Approx(expected).epsilon(1e-6));
    }

    // 0.1 + 0.2 - 0.3 is 5.6e-17 in double, but a tie; the signs +++ and --- of the weights do not matter.
    TEST_CASE("a sum that is 0 but for rounding is a dead neuron") {
        NetworkModel model;
        model.widths = {3, 1};
        model.activation.kind = ActivationKind::linear;
        model.laws = {{.kind = LawKind::rademacher}};
        model.variances = {1.0};
        model.input = {0.1, 0.2, 0.3};
        NormSampler<double> norms(model, false);
        int dead = 0;
        for (std::uint64_t sample = 0; sample < 400; ++sample) {
            double const q = norms(2, sample)[0].value;
            REQUIRE((q == 0 || q > 0.01));
            dead += q == 0 ? 1 : 0;
        }
        // P(dead) = 1/4: standard error sqrt(400 3/16) = 8.66.
        CHECK(std::abs(dead - 100) < 5 * 8.66);
    }

    TEST_CASE("a broken model and undecided ties are refused") {
        NetworkModel model = layered_model(ActivationKind::relu, LawKind::rademacher);
        model.ties = isserlis::monte_carlo::TieRule::refuse;
        CHECK_THROWS_AS(NormSampler<double>(model, false), isserlis::UnsupportedError);
        model.input.clear();
        CHECK_THROWS_AS(NormSampler<double>(model, false), isserlis::DomainError);
    }

    // W = sqrt(n v) Q keeps lengths where n v = 1; from 3 to 5 the columns of Q are orthonormal, and W has 5 v.
    TEST_CASE_TEMPLATE("orthogonal matrices keep lengths, sample by sample", T, float, double) {
        constexpr double rounding = std::is_same_v<T, float> ? 1e-5 : 1e-13;
        NetworkModel model;
        model.widths = {3, 5, 5};
        model.activation = {.kind = ActivationKind::linear};
        model.laws.assign(2, {});
        model.variances = {0.5, 0.2};
        model.input = {0.5, -0.5, 1.0};
        model.orthogonal.assign(model.depth(), true);
        NormSampler<T> sampler(model, false);
        for (std::uint64_t sample = 0; sample < 20; ++sample) {
            auto const norms = sampler(7, sample);
            CHECK(norms[0].value == doctest::Approx(1.5 * 2.5).epsilon(rounding));
            CHECK(norms[1].value == doctest::Approx(1.5 * 2.5).epsilon(rounding));
        }
    }

    // One layer of three is a rotation: its norm is that of the layer before.
    TEST_CASE("orthogonal layers between others") {
        NetworkModel model;
        model.widths = {3, 4, 4, 2};
        model.activation = {.kind = ActivationKind::linear};
        model.laws = {{}, {}, {.kind = LawKind::uniform}};
        model.variances = {0.5, 0.25, 0.2};
        model.input = {0.5, -0.5, 1.0};
        model.orthogonal = {false, true, false};
        NormSampler<double> sampler(model, false);
        for (std::uint64_t sample = 0; sample < 20; ++sample) {
            auto const norms = sampler(7, sample);
            CHECK(norms[1].value == doctest::Approx(norms[0].value).epsilon(1e-13));
            CHECK(norms[2].value != doctest::Approx(norms[1].value).epsilon(1e-3));
        }
        model.orthogonal = {false, false, true};
        CHECK_THROWS_AS(NormSampler<double>(model, false), isserlis::DomainError);
        model.orthogonal = {true};
        CHECK_THROWS_AS(NormSampler<double>(model, false), isserlis::DomainError);
    }

    TEST_CASE("other samplers refuse orthogonal matrices") {
        auto model = layered_model(ActivationKind::relu, LawKind::gaussian);
        model.orthogonal.assign(model.depth(), true);
        CHECK_THROWS_AS((void)draw_network<double>(model, 1, 0), isserlis::UnsupportedError);
        model.activation.kind = ActivationKind::crelu;
        CHECK_THROWS_AS(NormSampler<double>(model, false), isserlis::UnsupportedError);
        model = layered_model(ActivationKind::relu, LawKind::uniform);
        model.orthogonal.assign(model.depth(), true);
        CHECK_THROWS_AS(NormSampler<double>(model, false), isserlis::DomainError);
    }
}
