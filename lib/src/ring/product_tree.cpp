// SPDX-License-Identifier: MIT
#include <isserlis/ring/product_tree.hpp>

namespace isserlis {

template <>
Rational product_tree<Rational>(std::span<Rational const> factors) {
    std::vector<Integer> numerators;
    std::vector<Integer> denominators;
    for (auto const& f : factors) {
        numerators.push_back(numerator_of(f));
        denominators.push_back(denominator_of(f));
    }
    return ratio(product_tree(numerators), product_tree(denominators));
}

template <>
Surd product_tree<Surd>(std::span<Surd const> factors) {
    std::vector<Rational> rational;
    Surd root = 1;  // one radicand that changes from factor to factor
    Surd sums = 1;  // what has more than one term
    for (auto const& f : factors) {
        if (f.is_zero()) return 0;
        if (f.terms().size() > 1) {
            sums = sums * f;
            continue;
        }
        auto const& t = f.terms().front();
        rational.push_back(t.coefficient);
        if (t.radicand == 1) continue;
        root = root * Surd::monomial(Rational(1), t.radicand);
        rational.push_back(root.terms().front().coefficient);
        root = Surd::monomial(Rational(1), root.terms().front().radicand);
    }
    return Surd(product_tree(rational)) * root * sums;
}

}  // namespace isserlis
