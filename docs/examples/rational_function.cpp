// SPDX-License-Identifier: MIT
#include <isserlis/formula/phi_psi.hpp>
#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <iostream>

// RationalFunction: formulas in positive symbols, kept as products; exponents may be symbols too.
int main() {
    using isserlis::Exponent, isserlis::RationalFunction;
    RationalFunction const n = RationalFunction::symbol("n");
    auto const psi = isserlis::phi_psi<RationalFunction, Exponent>({{.width = n, .count = Exponent::symbol("L")}}).psi;
    std::cout << "psi = " << to_string(psi) << '\n';
    std::cout << "at n = 10, L = 3: " << to_string(psi.evaluate({{"n", 10}, {"L", 3}})) << '\n';
    bool const same = isserlis::parse_rational_function(to_string(psi), "psi") == psi;
    std::cout << "what is printed is read back: " << (same ? "yes" : "no") << '\n';
}
