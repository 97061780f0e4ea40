// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/mlp/graph_network.hpp>
#include <random>

#include "graphs.hpp"

namespace {

using graphs::chain;
using isserlis::mlp::forward;
using isserlis::mlp::GraphLayout;
using isserlis::mlp::GraphPass;

GraphPass pass(GraphLayout const& layout, std::vector<double> const& weights, std::vector<double> const& x) {
    GraphPass out;
    forward(layout, weights, x, out);
    return out;
}

std::vector<double> normals(std::size_t count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> out(count);
    for (double& w : out) w = normal(random);
    return out;
}

}  // namespace

TEST_SUITE("mlp/graph_network") {
    // W_1 = (1 -2; 3 1), W_2 = (2 -1), x = (1, 2): z^1 = (-3, 5), h^1 = (0, 5), z^2 = -5 by hand.
    TEST_CASE("a 2-2-1 ReLU net by hand") {
        GraphLayout const layout(chain({2, 2, 1}));
        auto const p = pass(layout, {1, -2, 3, 1, 2, -1}, {1, 2});
        CHECK(p.z == std::vector<double>{1, 2, -3, 5, -5});
        CHECK(p.h == std::vector<double>{1, 2, 0, 5, -5});
        CHECK(p.gates == std::vector<double>{1, 1, 0, 1, 1});
    }

    TEST_CASE("a chain is the network of mlp/network, of every activation") {
        using isserlis::ActivationKind;
        for (auto const kind : {ActivationKind::linear, ActivationKind::relu, ActivationKind::leaky,
                                ActivationKind::crelu, ActivationKind::crelu_tied})
            for (bool const gated_head : {false, true}) {
                CAPTURE(name(kind));
                GraphLayout const layout(chain({3, 4, 3, 2}, kind, 2, gated_head));
                auto weights = normals(layout.size(), 3);
                isserlis::mlp::Network<double> net{
                    .activation = {.kind = kind, .slope = -0.4}, .gated_head = gated_head, .layers = {}};
                for (auto const& edge : layout.edges()) {
                    using Map = Eigen::Map<isserlis::mlp::Matrix<double> const>;
                    auto const rows = static_cast<Eigen::Index>(layout.nodes()[edge.to].width);
                    auto const cols = static_cast<Eigen::Index>(layout.nodes()[edge.from].width);
                    auto& layer = net.layers.emplace_back();
                    layer.weights = Map(weights.data() + edge.first, rows, cols);
                    if (layout.concatenated()) layer.negative = Map(weights.data() + edge.negative, rows, cols);
                }
                auto const x = normals(3, 4);
                auto const p = pass(layout, weights, x);
                auto const q = forward(net, Eigen::Map<Eigen::VectorXd const>(x.data(), 3));
                for (std::size_t l = 0; l < 3; ++l)
                    for (std::size_t i = 0; i < layout.nodes()[l + 1].width; ++i) {
                        CHECK(p.z[layout.nodes()[l + 1].first + i] ==
                              doctest::Approx(q.preactivations[l][static_cast<Eigen::Index>(i)]));
                        CHECK(p.h[layout.nodes()[l + 1].first + i] ==
                              doctest::Approx(q.activations[l][static_cast<Eigen::Index>(i)]));
                    }
            }
    }

    // x = 2: node .1 is relu(3 * 2) = 6, the block's output 2 + 5 * 6 = 32; at x = -2 the branch is closed.
    TEST_CASE("a skip edge adds what it skips") {
        GraphLayout const layout(flattened(graphs::residual(1, 1)));
        CHECK(pass(layout, {3, 5}, {2}).z.back() == 32);
        CHECK(pass(layout, {3, 5}, {-2}).z.back() == -2);
        CHECK(layout.nodes()[1].name == "1.1");
        CHECK(layout.nodes()[2].name == "1");
    }

    // x = 1: 1.1 = relu(2, -3) = (2, 0), node 1 = (1, 2, 0); 2.1 = (1 + 2, 1 - 2) gated = (3, 0), node 2 = (1, 2, 0, 3,
    // 0).
    TEST_CASE("a concatenation sets its sources side by side") {
        GraphLayout const layout(graphs::dense(1));
        std::vector<double> const weights = {2, -3, 1, 1, 7, 1, -1, 7, 1, 10, 7, 100, 7, 0, 0, 0, 1, 0};
        auto const p = pass(layout, weights, {1});
        CHECK(p.h == std::vector<double>{1, 2, 0, 1, 2, 0, 3, 0, 1, 2, 0, 3, 0, 321, 3});
    }

    // x = (1, -2): z = P (1, 0) + N (0, -2).
    TEST_CASE("a concatenated ReLU gates its raw input and not its output") {
        using isserlis::ActivationKind;
        GraphLayout const layout(chain({2, 1}, ActivationKind::crelu));
        auto const p = pass(layout, {3, 5, 7, 11}, {1, -2});
        CHECK(p.z.back() == 3 - 22);
        CHECK(p.h.back() == p.z.back());
        CHECK(layout.weights()[3].negative);
        CHECK(layout.weights()[3].column == 1);
    }

    // 1 - 1 = 0 is a tie by hand, 1 + 1 is none.
    TEST_CASE("ties are decided by coins, and only where a gate is") {
        GraphLayout const layout(chain({2, 2, 1}));
        for (bool const open : {false, true}) {
            int asked = 0;
            isserlis::mlp::TieBreak<double> const ties{1e-9, [&] {
                                                           ++asked;
                                                           return open;
                                                       }};
            GraphPass p;
            forward(layout, std::vector<double>{1, -1, 1, 1, 1, 0}, std::vector<double>{1 + 1e-13, 1}, ties, p);
            CHECK(p.z[2] == 0);
            CHECK(p.gates[2] == (open ? 1 : 0));
            CHECK(p.gates[3] == 1);
            CHECK(p.z[4] == 0);
            CHECK(asked == 1);
        }
    }

    TEST_CASE("graphs that are none are refused") {
        using graphs::flat;
        using graphs::node;
        using graphs::skip;
        using graphs::weights;
        using isserlis::DomainError;
        auto const refused = [](graphs::Graph const& g) { CHECK_THROWS_AS(GraphLayout{g}, DomainError); };
        refused(graphs::residual(2, 3));                                                     // not flat
        refused(flat(2, {node("1", 2.5, true)}, {weights("1", 0, 1)}));                      // half a neuron
        refused(flat(0, {node("1", 2, true)}, {weights("1", 0, 1)}));                        // no input
        refused(flat(2, {node("1", 3, false)}, {skip(0, 1)}));                               // another width
        refused(flat(2, {node("1", 3, false)}, {weights("1", 1, 1)}));                       // a loop
        refused(flat(2, {node("1", 3, false)}, {weights("1", 0, 2)}));                       // no such node
        refused(flat(2, {node("1", 3, false), node("2", 1, false)}, {weights("1", 0, 1)}));  // cut off
        auto steep = node("1", 3, true);
        steep.gate->positive = 2;  // only the side below 0 is drawn
        refused(flat(2, {steep}, {weights("1", 0, 1)}));
        auto both = node("1", 3, false);
        both.kind = graphs::Node::Kind::concatenation;
        refused(flat(2, {both}, {skip(0, 1)}));
        refused(flat(2, {both}, {skip(0, 1), skip(0, 1)}));
        refused(flat(2, {both}, {weights("1", 0, 1)}));
        refused(flat(2, {node("1", 3, true)}, {weights("1", 0, 1)}, isserlis::ActivationKind::crelu));
        CHECK_THROWS_AS(GraphLayout(flat(2e4, {node("1", 2e4, true)}, {weights("1", 0, 1)})),
                        isserlis::UnsupportedError);
        GraphLayout const layout(chain({2, 1}));
        GraphPass p;
        CHECK_THROWS_AS(forward(layout, std::vector<double>{1}, std::vector<double>{1, 1}, p), DomainError);
        CHECK_THROWS_AS(forward(layout, std::vector<double>{1, 1}, std::vector<double>{1}, p), DomainError);
    }
}
