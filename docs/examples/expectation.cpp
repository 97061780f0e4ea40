// SPDX-License-Identifier: MIT
#include <isserlis/network/zoo.hpp>
#include <isserlis/strand/expectation.hpp>

#include <iostream>

using namespace isserlis;

// The squared Frobenius norm of the Hessian of the loss, of ReLU networks with He variances.
int main() {
    Query const query = parse_query("(D[m,n] loss)^2");

    // In numbers: 2,3,1 with |x|^2 = 2.
    FullyConnected<Rational, std::uint64_t> net;
    net.layers = layers_between<Rational, std::uint64_t>({{2, 1}, {3, 1}, {1, 1}});
    for (auto& run : net.layers) run.variance = Rational(2) / run.fan_in;
    ObservableSetting<Rational> setting;
    setting.inputs.squared_norm = 2;
    std::cout << "2,3,1:   " << to_string(expectation(query, chain_graph(net), setting)) << '\n';

    // In symbols, the depth included: n,n:L,1 with |x|^2 = n.
    using Formula = RationalFunction;
    Formula const n = Formula::symbol("n");
    FullyConnected<Formula, Exponent> deep;
    deep.layers = layers_between<Formula, Exponent>({{n, 1}, {n, Exponent::symbol("L")}, {1, 1}});
    for (auto& run : deep.layers) run.variance = Formula(2) / run.fan_in;
    ObservableSetting<Formula> symbols;
    symbols.inputs.squared_norm = n;
    std::cout << "n,n:L,1: " << to_string(expectation(query, chain_graph(deep), symbols)) << '\n';
}
