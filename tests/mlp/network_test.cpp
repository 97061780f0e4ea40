// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/network.hpp>
#include <limits>
#include <random>

namespace {

using isserlis::ActivationKind;
using isserlis::mlp::Matrix;
using isserlis::mlp::Network;
using isserlis::mlp::Vector;

constexpr auto all_kinds = {ActivationKind::linear, ActivationKind::relu, ActivationKind::leaky, ActivationKind::crelu,
                            ActivationKind::crelu_tied};

/// W_1 = P_1 = (1 -2; 3 1), W_2 = P_2 = (2 -1), N_1 = (4 -1; 2 5), N_2 = (10 3).
template <class T>
Network<T> two_two_one(ActivationKind kind, bool gated_head = false) {
    Network<T> net{.activation = {.kind = kind, .slope = T(0.5)}, .gated_head = gated_head, .layers = {}};
    net.layers.resize(2);
    net.layers[0].weights = Matrix<T>{{1, -2}, {3, 1}};
    net.layers[1].weights = Matrix<T>{{2, -1}};
    if (kind == ActivationKind::crelu) {
        net.layers[0].negative = Matrix<T>{{4, -1}, {2, 5}};
        net.layers[1].negative = Matrix<T>{{10, 3}};
    }
    if (kind == ActivationKind::crelu_tied)
        for (auto& layer : net.layers) layer.negative = layer.weights;
    return net;
}

Matrix<double> random_matrix(std::mt19937_64& random, Eigen::Index rows, Eigen::Index cols) {
    std::normal_distribution<double> normal;
    return Matrix<double>::NullaryExpr(rows, cols, [&] { return normal(random); });
}

/// A net of one to four layers, widths one to five.
Network<double> random_network(std::mt19937_64& random, ActivationKind kind, Eigen::Index fan_in) {
    Network<double> net{.activation = {.kind = kind, .slope = 0.3}, .gated_head = random() % 2 == 0, .layers = {}};
    net.layers.resize(1 + random() % 4);
    for (auto& layer : net.layers) {
        layer.weights = random_matrix(random, 1 + static_cast<Eigen::Index>(random() % 5), fan_in);
        if (kind == ActivationKind::crelu) layer.negative = random_matrix(random, layer.weights.rows(), fan_in);
        if (kind == ActivationKind::crelu_tied) layer.negative = layer.weights;
        fan_in = layer.weights.rows();
    }
    return net;
}

}  // namespace

TEST_SUITE("mlp/network") {
    // By hand at x = (1, 2): z^1 = (1 - 4, 3 + 2) = (-3, 5).
    TEST_CASE_TEMPLATE("a vanilla 2-2-1 net multiplies, gates and multiplies", T, float, double) {
        Vector<T> const x{{1, 2}};
        auto const output = [&](ActivationKind kind, bool gated_head) {
            auto const pass = forward(two_two_one<T>(kind, gated_head), x);
            CHECK(pass.preactivations[0] == Vector<T>{{-3, 5}});
            return pass.activations[1][0];
        };
        CHECK(output(ActivationKind::linear, false) == T(-11));  // 2 (-3) - 5
        CHECK(output(ActivationKind::linear, true) == T(-11));
        CHECK(output(ActivationKind::relu, false) == T(-5));  // 2 0 - 5
        CHECK(output(ActivationKind::relu, true) == T(0));
        CHECK(output(ActivationKind::leaky, false) == T(-8));  // 2 (-3/2) - 5
        CHECK(output(ActivationKind::leaky, true) == T(-4));   // half of -8
    }

    // By hand at x = (1, -2): z^1 = (1 + 2, 3 - 10) = (3, -7), z^2 = 2 3 + 3 (-7) = -15.
    TEST_CASE_TEMPLATE("a concatenated ReLU gates the raw input and not the output", T, float, double) {
        for (bool const gated_head : {false, true}) {
            auto const pass = forward(two_two_one<T>(ActivationKind::crelu, gated_head), Vector<T>{{1, -2}});
            CHECK(pass.activations[0] == Vector<T>{{3, -7}});
            CHECK(pass.preactivations[1][0] == T(-15));
            CHECK(pass.activations[1][0] == T(-15));
        }
        // Tied: P x = (5, 1), then 10 - 1 = 9.
        CHECK(forward(two_two_one<T>(ActivationKind::crelu_tied), Vector<T>{{1, -2}}).activations[1][0] == T(9));
    }

    // At x = (2, 1) the first pre-activation is 2 - 2 = 0 by hand.
    TEST_CASE("a pre-activation of 0 has a closed gate, unless a tie rule opens it") {
        Vector<double> const x{{2, 1}};
        auto const net = two_two_one<double>(ActivationKind::leaky);
        CHECK(forward(net, x).gates[0] == Vector<double>{{0.5, 1}});
        int asked = 0;
        auto const open = forward(net, x, {.tolerance = 1e-9, .open = [&] { return ++asked > 0; }});
        CHECK(open.gates[0] == Vector<double>{{1, 1}});
        CHECK(asked == 1);
    }

    TEST_CASE("a tie within rounding becomes exactly 0") {
        Network<double> net{.activation = {.kind = ActivationKind::relu}, .gated_head = true, .layers = {}};
        net.layers.push_back({.weights = Matrix<double>{{1, 1, 1}}, .negative = {}});
        Vector<double> const x{{0.1, 0.2, -0.3}};  // 0.1 + 0.2 - 0.3 is 5.6e-17 in double
        CHECK(forward(net, x).preactivations[0][0] > 0);
        CHECK(forward(net, x, {.tolerance = 1e-9, .open = [] { return true; }}).preactivations[0][0] == 0);
    }

    TEST_CASE("N(c x) = c N(x) for c > 0 and every activation [Hettinger 2019, Lemma 4.9]") {
        CHECK(rc::check([] {
            std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
            double const c = std::exp(static_cast<double>(*rc::gen::inRange(-40, 40)) / 7);
            for (ActivationKind const kind : all_kinds) {
                auto const net = random_network(random, kind, 3);
                Vector<double> const x = random_matrix(random, 3, 1);
                Vector<double> const once = forward(net, x).activations.back();
                Vector<double> const scaled = forward(net, c * x).activations.back();
                RC_ASSERT((scaled - c * once).norm() <= 1e-12 * c * (1 + once.norm()));
            }
        }));
    }

    TEST_CASE("a tied concatenated ReLU is the linear net P") {
        CHECK(rc::check([] {
            std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
            auto net = random_network(random, ActivationKind::crelu_tied, 4);
            Vector<double> const x = random_matrix(random, 4, 1);
            Vector<double> const tied = forward(net, x).activations.back();
            net.activation.kind = ActivationKind::linear;
            RC_ASSERT((tied - forward(net, x).activations.back()).norm() <= 1e-12 * (1 + tied.norm()));
        }));
    }

    TEST_CASE("the ReLU of minus infinity is 0, as far as overflow goes") {
        Network<double> net{.activation = {.kind = ActivationKind::relu, .slope = 0}, .layers = {}};
        net.layers.push_back({.weights = Matrix<double>{{-1e200}, {1}}, .negative = {}});
        net.layers.push_back({.weights = Matrix<double>{{2, 3}}, .negative = {}});
        auto const pass = forward(net, Vector<double>{{1e200}});
        CHECK(pass.preactivations[0][0] == -std::numeric_limits<double>::infinity());
        CHECK(pass.activations[0] == Vector<double>{{0, 1e200}});
        CHECK(pass.activations[1][0] == 3e200);
        // What is no number stays so.
        CHECK(std::isnan(forward(net, Vector<double>{{std::nan("")}}).activations[0][0]));
    }

    TEST_CASE("sizes that clash are named") {
        Network<double> const empty;
        CHECK_THROWS_AS((void)forward(empty, Vector<double>{{1, 2}}), isserlis::DomainError);
        auto net = two_two_one<double>(ActivationKind::crelu);
        CHECK_THROWS_WITH_AS((void)forward(net, Vector<double>{{1, 2, 3}}),
                             "forward: layer 1 is 2 x 2 but gets 3 inputs", isserlis::DomainError);
        net.layers[1].negative.resize(0, 0);
        CHECK_THROWS_WITH_AS((void)forward(net, Vector<double>{{1, 2}}),
                             "forward: layer 2 has P 1 x 2 but N 0 x 0; they must agree", isserlis::DomainError);
    }
}
