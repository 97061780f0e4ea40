// SPDX-License-Identifier: MIT
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <iostream>

int main() {
    using R = isserlis::RationalFunction;
    isserlis::FullyConnected<R, isserlis::Exponent> net;  // L ReLU layers of width n, He variance 2/n
    R const n = R::symbol("n");
    net.layers.push_back({.fan_in = n, .fan_out = n, .count = isserlis::Exponent::symbol("L"), .variance = R(2) / n});
    R const fourth = relative_norm_moments(net, isserlis::Reading::activation, 2)[2];
    std::cout << "E |h|^4 / |x|^4 = " << to_string(fourth) << '\n';
    std::cout << "at n = 10, L = 3: " << to_string(fourth.evaluate({{"n", 10}, {"L", 3}})) << '\n';
}
