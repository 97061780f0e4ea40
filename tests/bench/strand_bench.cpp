// SPDX-License-Identifier: MIT
// T6: the strand engine on ReLU networks of variance 2/fan-in, |x|^2 = 1.
#include <benchmark/benchmark.h>

#include <isserlis/network/zoo.hpp>
#include <isserlis/strand/expectation.hpp>

#include "check_value.hpp"

namespace {

using namespace isserlis;

template <class R, class Count>
Graph<R, Count> chain(R const& input, R const& hidden, Count const& depth, R const& output) {
    FullyConnected<R, Count> net;
    net.activation = {.kind = ActivationKind::relu, .slope = R(0)};
    net.layers = {{.fan_in = input, .fan_out = hidden, .count = Count(1), .variance = R(2) / input},
                  {.fan_in = hidden, .fan_out = hidden, .count = depth - Count(1), .variance = R(2) / hidden},
                  {.fan_in = hidden, .fan_out = output, .count = Count(1), .variance = R(2) / hidden}};
    return chain_graph(net);
}

template <class R>
ObservableSetting<R> unit_input() {
    ObservableSetting<R> out;
    out.inputs.squared_norm = R(1);
    out.target_fourth = R(3);
    return out;
}

/// `query` on INPUT,HIDDEN:DEPTH,OUTPUT, depth by argument.
void numeric(benchmark::State& state, char const* query, int input, int hidden, int output) {
    auto const graph =
        chain<Rational, std::uint64_t>(input, hidden, static_cast<std::uint64_t>(state.range(0)), output);
    auto const setting = unit_input<Rational>();
    Rational value;
    for (auto _ : state) benchmark::DoNotOptimize(value = expectation(parse_query(query), graph, setting));
    bench::set_check(state, bench::residue(value));
}

void symbolic(benchmark::State& state) {
    using F = RationalFunction;
    auto const n = F::symbol("n");
    auto const graph = chain<F, Exponent>(n, n, Exponent::symbol("L"), F(1));
    ExpPolynomial value;
    for (auto _ : state) {
        value = expectation(parse_query("(D[m,n] loss)^2"), graph, unit_input<F>());
        benchmark::DoNotOptimize(value);
    }
    bench::set_check(state, bench::residue(value.formula().evaluate({{"n", 3}, {"L", 4}}).to_rational()));
}

void hessian(benchmark::State& state) { numeric(state, "(D[m,n] loss)^2", 784, 128, 10); }
void four_strands(benchmark::State& state) { numeric(state, "z[;m,n]^2 z^2", 2, 8, 1); }
void eight_strands(benchmark::State& state) { numeric(state, "(z[;m,n]^2 z^2)^2", 2, 8, 1); }
void six_strands(benchmark::State& state) { numeric(state, "(z[;m]^2)^2 z^2", 784, 128, 1); }
void hessian_variance(benchmark::State& state) { numeric(state, "((D[m,n] loss)^2)^2", 4, 8, 1); }

}  // namespace

BENCHMARK(hessian)->Name("T6 Hessian/isserlis")->ArgName("depth")->RangeMultiplier(10)->Range(100, 10'000);
BENCHMARK(symbolic)->Name("T6 Hessian/isserlis/symbolic n and L");
BENCHMARK(four_strands)->Name("T6 4 strands/isserlis")->ArgName("depth")->Arg(20);
BENCHMARK(eight_strands)->Name("T6 8 strands/isserlis")->ArgName("depth")->Arg(2);
BENCHMARK(six_strands)->Name("T6 6 strands/isserlis")->ArgName("depth")->Arg(1000);
BENCHMARK(hessian_variance)->Name("T6 Hessian^2/isserlis")->ArgName("depth")->Arg(100);
