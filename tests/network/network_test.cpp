// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <isserlis/network/network.hpp>
#include <isserlis/ring/rational.hpp>

using isserlis::FullyConnected;
using isserlis::Rational;

TEST_SUITE("network/network") {
    using Net = isserlis::Network<Rational, std::uint64_t>;

    TEST_CASE("a chain is a graph of stages too, with the same layers") {
        FullyConnected<Rational, std::uint64_t> layers;
        layers.layers = isserlis::layers_between<Rational, std::uint64_t>({{2, 1}, {3, 4}, {1, 1}});
        Net const net = layers;
        REQUIRE(net.is_chain());
        CHECK(net.chain().layers.size() == 3);
        CHECK(net.graph().input_width == 2);
        CHECK(net.graph().output_width() == 1);
        CHECK(flattened(net.graph()).stages.front().nodes.size() == 5);
    }

    TEST_CASE("a graph has no chain, and says so") {
        auto const net = Net(isserlis::residual_graph<Rational, std::uint64_t>(2, {}, {{{{.width = 2}}, 3}}));
        CHECK_FALSE(net.is_chain());
        CHECK(net.graph().stages.size() == 1);
        CHECK_THROWS_WITH_AS((void)net.chain(), doctest::Contains("vanilla"), isserlis::UnsupportedError);
    }
}
