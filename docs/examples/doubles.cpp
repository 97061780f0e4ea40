// SPDX-License-Identifier: MIT
#include <isserlis/formula/phi_psi.hpp>
#include <isserlis/ring/scaled_double.hpp>

#include <iostream>

// double: for sweeps and plots. ScaledDouble has a 64-bit exponent of its own, for products that overflow a double.
int main() {
    using isserlis::ScaledDouble;
    std::cout << "psi = " << isserlis::phi_psi<double, std::uint64_t>({{.width = 10, .count = 3}}).psi << '\n';
    auto const deep = isserlis::phi_psi<ScaledDouble, std::uint64_t>({{.width = ScaledDouble(1), .count = 1000}}).psi;
    std::cout << "psi = 3^999 = " << deep.mantissa() << " * 2^" << deep.exponent() << '\n';
}
