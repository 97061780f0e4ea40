// SPDX-License-Identifier: MIT
#include <isserlis/network/scheme.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/surd.hpp>

#include <iostream>

// Surd: sums of rational multiples of square roots, with exact equality. Proportional variances live here.
int main() {
    using isserlis::Surd;
    isserlis::Activation<Surd> const crelu{.kind = isserlis::ActivationKind::crelu, .slope = 0};
    Surd const v = weight_variance<Surd>(isserlis::Scheme::proportional, crelu, 2, 10, false);
    std::cout << "v = " << to_string(v) << " = " << isserlis::decimal(v, 12) << '\n';
    std::cout << "v^2 = " << to_string(v * v) << ", 1/(1 + v) = " << to_string(Surd(1) / (Surd(1) + v)) << '\n';
}
