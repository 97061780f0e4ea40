// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <ctime>
#include <isserlis/error.hpp>
#include <isserlis/formula/chain_jacobian.hpp>
#include <isserlis/formula/squared_norm.hpp>

#include "../timed.hpp"
#include "jacobian_networks.hpp"

using namespace isserlis;

TEST_SUITE("formula/chain_jacobian") {
    using isserlis::testing::AnyNetwork;
    using isserlis::testing::Net;

    namespace {

    using Chain = ChainJacobian<Fractions<Rational>>;
    using Stages = std::vector<TransferStage<Rational>>;

    /// He layers of ReLU between these widths, gates at the output too.
    Stages he(std::vector<int> const& widths) {
        Stages out;
        for (std::size_t l = 1; l < widths.size(); ++l)
            out.push_back({.layers = {{widths[l - 1], widths[l], ratio(2, widths[l - 1]), 3, Gate<Rational>{}}}});
        return out;
    }

    double seconds_of(Stages const& stages, StagePlace<> const& place) {
        std::clock_t const start = std::clock();
        Chain const chain(stages, 1, 1);
        CHECK(chain.at(place, 1).jacobian.variance > 0);
        return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    }

    /// Twice the depth takes at most three times as long, once it takes long enough to be measured.
    void is_quasi_linear(auto const& blocks_of_depth, std::uint64_t depth, std::size_t matrix) {
        double ratio = 10;
        for (int attempt = 0; attempt < 3 && ratio > 3; ++attempt) {
            double const once = seconds_of(blocks_of_depth(depth), {.run = 0, .within = depth / 2, .matrix = matrix});
            double const twice = seconds_of(blocks_of_depth(2 * depth), {.run = 0, .within = depth, .matrix = matrix});
            ratio = twice / std::max(once, 0.01);
        }
        CHECK(ratio <= 3);
    }

    }  // namespace

    // residual.md, section 9, E1, by enumeration of real networks: widths 2,2,2 and weights of variance 1/3 and
    // kurtosis 3 behind a one-hot input: Var|y|^2 = 5/36, Var||J^1||^2 = 13/36 below the printed lower bound 5/12.
    TEST_CASE("the lower bound of Theorem 1 is false at widths 2,2,2") {
        Chain const chain({{.layers = {{2, 2, ratio(1, 3), 3, Gate<Rational>{}}}, .count = 2}}, 1, 1);
        auto const found = chain.at({}, 1);
        CHECK(chain.output().variance == ratio(5, 36));
        CHECK(found.jacobian.variance == ratio(13, 36));
        auto const bounds = variance_bounds<Rational>(found.reduced, ratio(1, 3), 3, 3);
        CHECK(bounds.lower_printed == ratio(5, 12));
        CHECK(found.jacobian.variance < bounds.lower_printed);
    }

    // residual.md, E1: Rademacher weights, widths 2,2,2,2: Var y = 1491/200 and Var J^1 = 27/8; there c2 = 1.
    TEST_CASE("with Rademacher weights the bounds of Theorem 1 coincide and are wrong") {
        Chain const chain({{.layers = {{2, 2, 1, 1, Gate<Rational>{}}}, .count = 3}}, 1, ratio(17, 25));
        auto const found = chain.at({}, 1);
        CHECK(chain.output().variance == ratio(1491, 200));
        CHECK(found.jacobian.variance == ratio(27, 8));
    }

    // residual.md, section 4: Var J^1 = n2 (n1 + n2 + 9)/(4 n1), Var J^2 = n1 n2 (n1 + 5 n2 + 5)/(4 n0^2).
    TEST_CASE("two He layers reproduce the worked example") {
        for (int n0 = 1; n0 <= 3; ++n0) {
            for (int n1 = 1; n1 <= 4; ++n1) {
                for (int n2 = 1; n2 <= 4; ++n2) {
                    Chain const chain(he({n0, n1, n2}), 1, 1);
                    CHECK(chain.at({.run = 0}, 1).jacobian.variance == ratio(n2 * (n1 + n2 + 9), 4 * n1));
                    CHECK(chain.at({.run = 1}, 1).jacobian.variance == ratio(n1 * n2 * (n1 + 5 * n2 + 5), 4 * n0 * n0));
                }
            }
        }
    }

    // The published moments of squared norms, another formula.
    TEST_CASE("the output has the moments of squared_norm.hpp") {
        AnyNetwork any(11);
        for (int round = 0; round < 50; ++round) {
            FullyConnected<Rational, std::uint64_t> net;
            net.activation = {.kind = ActivationKind::leaky, .slope = ratio(any.any(0, 4), 4)};
            net.gated_head = true;
            Rational variances = 1;
            int below = any.any(1, 5);
            for (int l = any.any(1, 4); l > 0; --l) {
                int const above = any.any(1, 5);
                net.layers.push_back({.fan_in = below,
                                      .fan_out = above,
                                      .count = 1,
                                      .variance = any.variance(),
                                      .law = {.kind = LawKind::kurtosis, .kurtosis_value = any.any(1, 6)}});
                variances *= net.layers.back().variance;
                below = above;
            }
            Rational const square = ratio(3, 2);
            Rational const fourth = ratio(5, 4);
            Chain const chain(transfer_stages(chain_graph(net)), square, fourth);
            auto const out = chain.output();
            Rational const scale = square * variances;
            CHECK(out.mean == square * relative_norm_moments(net, Reading::activation, 1)[1]);
            CHECK(out.second ==
                  scale * scale *
                      relative_fourth_norm_moment(net, Reading::activation, Rational(fourth / (square * square))));
        }
    }

    // d y/d x of one layer is the gated matrix itself: E sum (z_i w_ij)^2 = n_1 n_0 g2 v.
    TEST_CASE("the Jacobian by the input of one layer is its matrix") {
        Chain const chain({{.layers = {{3, 2, ratio(1, 5), 3, Gate<Rational>{}}}}}, 1, 1);
        CHECK(chain.input_jacobian().mean == ratio(3, 5));
    }

    // S = W_1 W_1^T of 3 x 2 standard normal numbers: E S_ii^2 = 8, E S_ij^2 = 2, E S_ii S_jj = 4. Behind gates, fair coins,
    // E tr S^2 = 3 * 8/2 + 6 * 2/4 = 15, E (tr S)^2 = 3 * 8/2 + 6 * 4/4 = 18; a linear head of two rows makes of them
    // N (N + 1) 15 + N 18.
    TEST_CASE("tr((J J^T)^2) of one hidden layer by hand") {
        Chain const chain(
            {{.layers = {{2, 3, 1, 3, Gate<Rational>{}}}}, {.layers = {{3, 2, 1, 3, Gate<Rational>::open()}}}}, 1, 1);
        CHECK(chain.input_spectral_second() == 126);
    }

    // y = x + W x of two standard normal rows: E sum ((y_i - t_i) x_j)^2 = |x|^2 (1 + 2)|x|^2 + 2 E t^2. Scalars, y = (1 +
    // w_2)(1 + w_1) x: E (1 + w_1)^2 (1 + w_2)^4 + E t^2 (1 + w_2)^2 = 2 * 10 + 2.
    TEST_CASE("the gradient beside a skip by hand") {
        Chain const wide({{.layers = {{2, 2, 1, 3}}, .skip = true}}, 1, 1);
        CHECK(wide.at({.run = 0, .within = 1, .matrix = 1}, 1).gradient_squared_mean == 5);
        Chain const two({{.layers = {{1, 1, 1, 3}}, .skip = true, .count = 2}}, 1, 1);
        CHECK(two.at({.run = 0, .within = 1, .matrix = 1}, 1).gradient_squared_mean == 22);
    }

    TEST_CASE("graphs that are no series of layers and branches are refused") {
        auto net = chain_graph(
            FullyConnected<Rational, std::uint64_t>{.layers = {{.fan_in = 2, .fan_out = 2, .count = 1, .variance = 1}},
                                                    .activation = {.kind = ActivationKind::linear, .slope = 1}});
        CHECK_NOTHROW((void)transfer_stages(net));
        auto twice = net;
        twice.stages[0].edges.push_back(twice.stages[0].edges[0]);
        twice.stages[0].edges[1].name = "other";
        CHECK_THROWS_AS((void)transfer_stages(twice), isserlis::Error);
    }

    // The skip of a branch of two matrices leads to its first node in place of its last.
    TEST_CASE("a skip that ends inside of a branch is refused") {
        Activation<Rational> const linear{.kind = ActivationKind::linear, .slope = 1};
        std::vector<BranchMatrix<Rational>> const branch(2, {.width = 2, .variance = 1});
        Net net = residual_graph<Rational, std::uint64_t>(2, linear, {{branch, 1}});
        CHECK(transfer_stages(net).front().skip);
        REQUIRE(net.stages[0].edges[2].kind == GraphEdge<Rational>::Kind::skip);
        net.stages[0].edges[2].to = 1;
        CHECK_THROWS_WITH_AS((void)transfer_stages(net), doctest::Contains("is not a series of layers and branches"),
                             UnsupportedError);
        net.stages[0].edges[2].from = 1;
        net.stages[0].edges[2].to = 2;
        CHECK_THROWS_WITH_AS((void)transfer_stages(net), doctest::Contains("is not a series of layers and branches"),
                             UnsupportedError);
    }

    TEST_CASE("a block that does not fit on itself neither has a skip nor occurs twice") {
        Stages stages{{.layers = {{2, 3, 1, 3}}}};
        CHECK_NOTHROW((void)Chain(stages, 1, 1));
        stages[0].count = 2;
        CHECK_THROWS_WITH_AS((void)Chain(stages, 1, 1), doctest::Contains("a block leads from 2 neurons to 3"),
                             DomainError);
        stages[0].count = 1;
        stages[0].skip = true;
        CHECK_THROWS_WITH_AS((void)Chain(stages, 1, 1), doctest::Contains("a block leads from 2 neurons to 3"),
                             DomainError);
    }

    TEST_CASE("the sweep visits every matrix once, from the input up") {
        Stages const stages{{.layers = {{2, 3, 1, 3}, {3, 2, ratio(1, 2), 4}}, .skip = true, .count = 2},
                            {.layers = {{2, 1, 1, 3}}}};
        Chain const chain(stages, 2, 3);
        std::vector<std::vector<std::uint64_t>> visited;
        chain.for_each(1, [&](StagePlace<> const& at, LayerJacobian<Rational> const& found) {
            visited.push_back({at.run, at.within, at.matrix});
            auto const alone = chain.at(at, 1);
            CHECK(found.jacobian == alone.jacobian);
            CHECK(found.gradient_squared_mean == alone.gradient_squared_mean);
            CHECK(found.gradient_squared_upper == alone.gradient_squared_upper);
        });
        CHECK(visited ==
              std::vector<std::vector<std::uint64_t>>{{0, 1, 1}, {0, 1, 2}, {0, 2, 1}, {0, 2, 2}, {1, 1, 1}});
    }

    // By hand: y^1 = w x is one neuron, J = relu(w x) times 1: ||J||^2 = w^2 x^2 for positive w x, half of the time.
    // A layer of two: E (x_1^2 [x_1 > 0] + x_2^2 [x_2 > 0])^2 = (E|x|^4 + E sum x_i^4)/4 = (8 + 6)/4 for normal x.
    TEST_CASE("the part P of concatenated ReLU") {
        Chain const one({{.layers = {{1, 1, ratio(1, 3), 6}}, .count = 2}}, 1, 1);
        auto const part = one.positive_part({.run = 0, .within = 2});
        CHECK(part.mean == ratio(1, 6));
        CHECK(part.second == ratio(6, 9) / 2);
        Chain const two({{.layers = {{1, 2, 1, 3}}}, {.layers = {{2, 1, 1, 3}}}}, 1, 1);
        CHECK(two.positive_part({.run = 1}).second == ratio(7, 2));
        // ReLU in place of the layer below, everything else linear, is the same Jacobian.
        AnyNetwork any(29);
        for (int round = 0; round < 50; ++round) {
            Net net = any.chain();
            if (net.stages.size() < 2) continue;
            for (auto& stage : net.stages) stage.nodes[0].gate.reset();
            Chain const linear(transfer_stages(net), 1, ratio(1, 2));
            for (std::size_t k = 1; k < net.stages.size(); ++k) {
                auto gated = transfer_stages(net);
                gated[k - 1].layers[0].gate = {};
                CHECK(Chain(gated, 1, ratio(1, 2)).at({.run = k}, 0).jacobian == linear.positive_part({.run = k}));
            }
        }
    }

    TEST_CASE("a dense graph is no chain") {
        std::vector<BranchMatrix<Rational>> const layers(2, {.width = 2, .variance = 1});
        Activation<Rational> const relu{.kind = ActivationKind::relu, .slope = 0};
        CHECK_THROWS_AS((void)transfer_stages(dense_graph<Rational, std::uint64_t>(2, relu, false, layers)),
                        UnsupportedError);
    }

    // design.md, section 5; issue 5: depth 10^5 vanilla and 10^4 residual blocks exact, time(2L)/time(L) <= 3.
    TEST_CASE("time is quasi-linear in depth, up to a hundred thousand layers and ten thousand blocks" * timed()) {
        is_quasi_linear(
            [](std::uint64_t depth) {
                return Stages{{.layers = {{7, 7, ratio(2, 7), 3, Gate<Rational>{}}}, .count = depth}};
            },
            50'000, 1);
        is_quasi_linear(
            [](std::uint64_t depth) {
                return Stages{{.layers = {{7, 9, ratio(2, 7), 3, Gate<Rational>{}}, {9, 7, ratio(1, 9), ratio(9, 5)}},
                               .skip = true,
                               .count = depth}};
            },
            10'000, 1);
    }
}
