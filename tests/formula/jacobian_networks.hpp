// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/chain_jacobian.hpp>
#include <isserlis/formula/dense_jacobian.hpp>
#include <isserlis/network/zoo.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

/// Random small networks, as graphs: formulas and strand engine read them apart.
namespace isserlis::testing {

using Net = Graph<Rational, std::uint64_t>;

class AnyNetwork {
public:
    explicit AnyNetwork(std::uint32_t seed) : random_(seed) {}

    int any(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }

    /// A chain, a residual or a dense network of at most three layers or blocks.
    Net chain() {
        FullyConnected<Rational, std::uint64_t> net;
        net.activation = activation();
        net.gated_head = any(0, 1) == 1;
        int below = any(1, 3);
        for (int l = any(1, 4); l > 0; --l) {
            int const above = any(1, 3);
            net.layers.push_back({.fan_in = below, .fan_out = above, .count = 1, .variance = variance(), .law = law()});
            below = above;
        }
        return chain_graph(net);
    }
    Net residual() {
        Rational const width = any(1, 3);
        std::vector<std::pair<std::vector<BranchMatrix<Rational>>, std::uint64_t>> blocks;
        for (int k = any(1, 2); k > 0; --k) {
            std::vector<BranchMatrix<Rational>> branch;
            int const matrices = any(1, 3);
            for (int j = 1; j <= matrices; ++j)
                branch.push_back(
                    {.width = j == matrices ? width : Rational(any(1, 3)), .variance = variance(), .law = law()});
            blocks.emplace_back(branch, any(1, 2));
        }
        return residual_graph(width, activation(), blocks);
    }
    Net dense(unsigned first_source) {
        std::vector<BranchMatrix<Rational>> layers;
        for (int k = any(1, 4); k > 0; --k)
            layers.push_back({.width = any(1, 3), .variance = variance(), .law = law()});
        return dense_graph<Rational, std::uint64_t>(any(1, 3), activation(), any(0, 1) == 1, layers, first_source);
    }

    Rational variance() { return ratio(any(1, 5), any(1, 3)); }

private:
    Activation<Rational> activation() {
        switch (any(0, 3)) {
            case 0: return {.kind = ActivationKind::linear, .slope = 1};
            case 1: return {.kind = ActivationKind::leaky, .slope = ratio(any(-2, 3), 4)};
            case 2: return {.kind = any(0, 1) == 0 ? ActivationKind::crelu : ActivationKind::crelu_tied, .slope = 0};
            default: return {.kind = ActivationKind::relu, .slope = 0};
        }
    }
    WeightLaw<Rational> law() {
        if (any(0, 2) == 0) return {};
        return {.kind = LawKind::kurtosis, .kurtosis_value = 1 + ratio(any(0, 10), 2)};
    }
    std::mt19937 random_;
};

}  // namespace isserlis::testing
