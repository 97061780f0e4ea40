// SPDX-License-Identifier: MIT
#include <isserlis/formula/phi_psi.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/rational.hpp>

#include <iostream>

// Rational: exact numbers. `ratio` builds one, `parse_rational` reads one, `decimal` rounds correctly.
int main() {
    using isserlis::Rational;
    auto const [phi, psi] = isserlis::phi_psi<Rational, std::uint64_t>({{.width = 10, .count = 3}});
    std::cout << "phi = " << isserlis::to_string(phi) << ", psi = " << isserlis::to_string(psi) << '\n';
    std::cout << "psi + 1/3 = " << isserlis::decimal(psi + isserlis::ratio(1, 3), 20) << '\n';
}
