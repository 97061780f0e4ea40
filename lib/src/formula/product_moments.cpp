// SPDX-License-Identifier: MIT
#include <isserlis/formula/product_moments.hpp>
#include <isserlis/ring/fractions.hpp>
#include <isserlis/ring/linear_recursion.hpp>

#include <array>

namespace isserlis {

template <Field R>
ProductMoments<R> product_moments(R const& first_fourth_moment, std::span<ProductStep<R> const> steps) {
    LinearRecursion<R> recursion;
    std::vector<Fraction<R>> widths;
    std::vector<Fraction<R>> below;
    for (auto const& [m, r, count] : steps) {
        auto const [over, one] = Fractions<R>::over_common({r, m});  // r and m over what 1 is
        auto const less = over[1] - one;
        recursion.add({.a = over[0], .b = less + less + less, .c = one, .d = less}, one, count);
        widths.push_back(power(Fraction<R>(m), count));
        below.push_back(power(Fraction<R>(R(m - R(1))), count));
    }
    auto const [column, row] =
        recursion.after(std::array{Vector2<R>{first_fourth_moment, R(1)}, Vector2<R>{R(3), R(1)}});
    Fraction<R> const product = product_tree(widths);
    Fraction<R> const gap = product_tree(below);
    Fraction<R> const third(R(R(1) / R(3)));
    return {
        .second_moment = product.value(),
        .rho = (product * column.first).value(),
        .gamma = (product * column.second).value(),
        .nu = (product * row.first * third).value(),
        .tau = (product * (row.second + Fraction<R>(R(2)) * gap) * third).value(),
        .eta = (product * (row.second + Fraction<R>(R(-1)) * gap) * third).value(),
    };
}

template ProductMoments<Rational> product_moments(Rational const&, std::span<ProductStep<Rational> const>);
template ProductMoments<RationalFunction> product_moments(RationalFunction const&,
                                                          std::span<ProductStep<RationalFunction> const>);
template ProductMoments<double> product_moments(double const&, std::span<ProductStep<double> const>);

}  // namespace isserlis
