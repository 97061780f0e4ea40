// SPDX-License-Identifier: MIT
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/formula/standardised_moments.hpp>
#include <isserlis/network/scheme.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <iostream>

using isserlis::Exponent;
using Formula = isserlis::RationalFunction;

// The He network n0,n:L,1 as the command line writes it: L hidden ReLU layers, a linear head.
isserlis::FullyConnected<Formula, Exponent> he_network() {
    isserlis::FullyConnected<Formula, Exponent> net;
    net.layers =
        isserlis::layers_between<Formula, Exponent>({{.width = Formula::symbol("n0"), .count = 1},
                                                     {.width = Formula::symbol("n"), .count = Exponent::symbol("L")},
                                                     {.width = 1, .count = 1}});
    for (auto& run : net.layers)
        run.variance = weight_variance(isserlis::Scheme::he, net.activation, run.fan_in, run.fan_out, false);
    return net;
}

int main() {
    auto const net = he_network();
    auto const q = relative_norm_moments(net, isserlis::Reading::preactivation, 3);  // E |z|^(2p) / |x|^(2p)
    for (std::size_t p = 1; p < q.size(); ++p) std::cout << "p = " << p << ": " << to_string(q[p]) << '\n';

    Formula const variance = isserlis::central_moment(q, 2);
    std::cout << "variance: " << to_string(variance) << '\n';
    auto const value = variance.evaluate({{"n0", 2}, {"n", 10}, {"L", 3}});
    std::cout << "of 2,10:3,1: " << to_string(value) << '\n';
}
