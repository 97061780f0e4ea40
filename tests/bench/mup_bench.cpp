// SPDX-License-Identifier: MIT
// T6: the last hidden layer of one step of muP, widths and rates that differ from layer to layer.
#include <benchmark/benchmark.h>

#include <isserlis/formula/mup_step.hpp>

#include "check_value.hpp"

namespace {

using namespace isserlis;

void mup(benchmark::State& state) {
    auto const depth = static_cast<std::uint64_t>(state.range(0));
    FullyConnected<Rational, std::uint64_t> net;
    net.activation = {.kind = ActivationKind::relu, .slope = Rational(0)};
    Rational below = 8;
    for (std::uint64_t l = 1; l <= depth; ++l) {
        Rational const width(Integer(2 + l % 31));
        net.layers.push_back({.fan_in = below, .fan_out = width, .count = 1, .variance = 2 / below});
        net.layers.back().label_factor = Rational(Integer(1 + l % 3));
        below = width;
    }
    net.layers.push_back({.fan_in = below, .fan_out = 1, .count = 1, .variance = 1 / (below * below)});
    MupLayer<Rational> last;
    for (auto _ : state) {
        last = mup_step_of_layer(net, Rational(8), Rational(1), depth);
        benchmark::DoNotOptimize(last);
    }
    bench::set_check(state, bench::residue(last.change_squared()));
}

}  // namespace

BENCHMARK(mup)->Name("T6 muP/isserlis")->ArgName("depth")->Arg(2500)->Arg(5000)->Arg(10'000)->Arg(20'000);
