// SPDX-License-Identifier: MIT
#include <isserlis/formula/product_moments.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <iostream>
#include <vector>

// One template, three number types: tau = E b_ij^2 b_kl^2 for the entries of B = A_(q+1) .. A_1.
template <class R>
R tau(R const& fourth_moment, R const& width, std::uint64_t inner_widths) {
    std::vector<isserlis::ProductStep<R>> const steps{
        {.inner_width = width, .fourth_moment = fourth_moment, .count = inner_widths}};
    return isserlis::product_moments<R>(fourth_moment, steps).tau;
}

int main() {
    using isserlis::Rational, isserlis::RationalFunction;
    Rational const uniform = isserlis::ratio(9, 5);  // E a^4 of a uniform entry of variance 1
    std::cout << "number:  " << isserlis::to_string(tau<Rational>(uniform, 10, 2)) << '\n';

    RationalFunction const r = RationalFunction::symbol("r");
    RationalFunction const m = RationalFunction::symbol("m");
    RationalFunction const formula = tau<RationalFunction>(r, m, 2);
    std::cout << "formula: " << to_string(formula) << '\n';
    std::cout << "its value at r = 9/5, m = 10: " << to_string(formula.evaluate({{"r", uniform}, {"m", 10}})) << '\n';

    std::cout << "double:  " << tau<double>(1.8, 10, 2) << '\n';
}
