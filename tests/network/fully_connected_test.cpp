// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/power.hpp>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"

using isserlis::Exponent;
using isserlis::layers_between;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::WidthRun;
using isserlis::testing::any_int;

namespace {

using Count = std::uint64_t;

/// The list of widths, written out.
std::vector<int> written_out(std::vector<WidthRun<int, Count>> const& widths) {
    std::vector<int> out;
    for (auto const& [width, count] : widths) out.insert(out.end(), count, width);
    return out;
}

}  // namespace

TEST_SUITE("network/fully_connected") {
    // By hand: 2,10:3,1 is 2-10-10-10-1.
    TEST_CASE("2,10:3,1 has four weight layers in three runs") {
        auto const layers = layers_between(std::vector<WidthRun<int, Count>>{{2, 1}, {10, 3}, {1, 1}});
        REQUIRE(layers.size() == 3);
        CHECK(layers[0].fan_in == 2);
        CHECK(layers[0].fan_out == 10);
        CHECK(layers[0].count == 1);
        CHECK(layers[1].fan_in == 10);
        CHECK(layers[1].fan_out == 10);
        CHECK(layers[1].count == 2);
        CHECK(layers[2].fan_in == 10);
        CHECK(layers[2].fan_out == 1);
        CHECK(layers[2].count == 1);
    }

    TEST_CASE("layers join neighbouring widths, each exactly once and in order") {
        isserlis::testing::holds([] {
            std::vector<WidthRun<int, Count>> widths;
            for (int i = any_int(1, 6); i > 0; --i)
                widths.push_back({any_int(1, 5), static_cast<Count>(any_int(1, 4))});
            auto const list = written_out(widths);
            std::vector<std::pair<int, int>> pairs;
            for (auto const& run : layers_between(widths)) {
                RC_ASSERT(run.count >= 1U);
                RC_ASSERT((run.count == 1 || run.fan_in == run.fan_out));
                pairs.insert(pairs.end(), run.count, {run.fan_in, run.fan_out});
            }
            RC_ASSERT(pairs.size() + 1 == list.size());
            for (std::size_t i = 0; i < pairs.size(); ++i) RC_ASSERT(pairs[i] == std::pair(list[i], list[i + 1]));
        });
    }

    TEST_CASE("a symbolic repeat n:L leads in once and has L - 1 layers inside") {
        auto const n = RationalFunction::symbol("n");
        Exponent const L = Exponent::symbol("L");
        auto const layers = layers_between(std::vector<WidthRun<RationalFunction, Exponent>>{
            {RationalFunction(784), 1}, {n, L}, {RationalFunction(10), 1}});
        REQUIRE(layers.size() == 3);
        CHECK(layers[0].count == Exponent(1));
        CHECK(layers[1].count == L - Exponent(1));
        CHECK(layers[1].fan_in == n);
        CHECK(layers[2].fan_out == RationalFunction(10));
    }

    TEST_CASE("input and output widths are the first fan_in and the last fan_out") {
        isserlis::FullyConnected<int, Count> net;
        net.layers = layers_between(std::vector<WidthRun<int, Count>>{{7, 2}, {4, 1}});
        CHECK(net.input_width() == 7);
        CHECK(net.output_width() == 4);
        CHECK_FALSE(net.gated_head);
    }
}
