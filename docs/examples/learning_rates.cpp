// SPDX-License-Identifier: MIT
#include <isserlis/formula/scaling_factor.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/surd.hpp>

#include <iostream>
#include <vector>

using isserlis::Surd;

// S_N of a network with inputs, `depth` hidden layers of one width, and outputs.
Surd scaling_factor(int inputs, int width, std::uint64_t depth, int outputs) {
    return isserlis::scaling_factor(
               isserlis::layers_between<Surd, std::uint64_t>(
                   {{.width = inputs, .count = 1}, {.width = width, .count = depth}, {.width = outputs, .count = 1}}))
        .value();
}

int main() {
    Surd const tuned = scaling_factor(2, 10, 3, 1);  // the network whose learning rate is known
    std::cout << "S of 2,10:3,1 = " << to_string(tuned) << '\n';
    for (int const width : {20, 40, 80}) {
        Surd const rate = tuned / scaling_factor(2, width, 3, 1);
        std::cout << "rate for 2," << width << ":3,1 = " << isserlis::decimal(rate, 10) << " of that\n";
    }
}
