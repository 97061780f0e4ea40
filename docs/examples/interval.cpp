// SPDX-License-Identifier: MIT
#include <isserlis/formula/chi_mean.hpp>
#include <isserlis/formula/log_squared_norm.hpp>
#include <isserlis/ring/decimal.hpp>

#include <iostream>

// Interval: an enclosure of a real number. `decimal` asks for more bits until the digits are certain.
int main() {
    auto const length = [](unsigned bits) { return isserlis::chi_mean(10, bits); };
    auto const log_mean = [](unsigned bits) { return isserlis::log_relu_chi_square_mean(10, bits); };
    std::cout << "mean length of 10 normals:         " << isserlis::decimal(length, 30) << '\n';
    std::cout << "mean log of a gated chi-square 10: " << isserlis::decimal(log_mean, 30) << '\n';
}
