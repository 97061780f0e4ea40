// SPDX-License-Identifier: MIT
// What a stranger writes first: a number, a symbol (which opens FLINT), and the version he got.
#include <isserlis/ring/polynomial.hpp>
#include <isserlis/version.hpp>

#include <iostream>

int main() {
    isserlis::Rational const third = isserlis::ratio(2, 6);
    isserlis::Polynomial const square = isserlis::power(isserlis::Polynomial::variable("n") + 1, 2);
    std::cout << "isserlis " << isserlis::version << ": 2/6 = " << isserlis::to_string(third) << ", (n + 1)^2 has "
              << square.length() << " terms\n";
    return third == isserlis::parse_rational("1/3", "third") && square.length() == 3 ? 0 : 1;
}
