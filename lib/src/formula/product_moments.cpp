// SPDX-License-Identifier: MIT
#include <isserlis/formula/product_moments.hpp>
#include <isserlis/ring/fractions.hpp>
#include <isserlis/ring/linear_recursion.hpp>

#include <array>
#include <type_traits>
#include <vector>

namespace isserlis {

namespace {

template <class R>
R value_of(Fraction<R> const& x) {
    return x.value();
}
RationalFunction value_of(RationalFunction const& x) { return x; }

template <class R>
void add(LinearRecursion<R>& recursion, ProductStep<R> const& step) {
    auto const [over, one] = Fractions<R>::over_common({step.fourth_moment, step.inner_width});  // over what 1 is
    auto const less = over[1] - one;
    recursion.add({.a = over[0], .b = less + less + less, .c = one, .d = less}, one, step.count);
}
void add(LinearRecursion<RationalFunction, Exponent>& recursion, ProductStep<RationalFunction, Exponent> const& step) {
    RationalFunction const less = step.inner_width - RationalFunction(1);
    recursion.add({.a = step.fourth_moment, .b = RationalFunction(3) * less, .c = 1, .d = less}, step.count);
}

template <class R, class Count>
ProductMoments<R> by_recursion(R const& first_fourth_moment, std::span<ProductStep<R, Count> const> steps) {
    using Number = std::conditional_t<std::is_same_v<Count, Exponent>, R, Fraction<R>>;
    LinearRecursion<R, Count> recursion;
    std::vector<Number> widths;
    std::vector<Number> below;
    for (auto const& step : steps) {
        add(recursion, step);
        R const less = step.inner_width - R(1);
        widths.push_back(power(Number(step.inner_width), step.count));
        below.push_back(less == R(0) && !(step.count == Count(0)) ? Number(R(0)) : power(Number(less), step.count));
    }
    auto const [column, row] =
        recursion.after(std::array{Vector2<R>{first_fourth_moment, R(1)}, Vector2<R>{R(3), R(1)}});
    Number const product = product_tree(widths);
    Number const gap = product_tree(below);
    Number const third(R(R(1) / R(3)));
    return {
        .second_moment = value_of(product),
        .rho = value_of(product * column.first),
        .gamma = value_of(product * column.second),
        .nu = value_of(product * row.first * third),
        .tau = value_of(product * (row.second + Number(R(2)) * gap) * third),
        .eta = value_of(product * (row.second + Number(R(-1)) * gap) * third),
    };
}

}  // namespace

template <Field R>
ProductMoments<R> product_moments(R const& first_fourth_moment, std::span<ProductStep<R> const> steps) {
    return by_recursion(first_fourth_moment, steps);
}
ProductMoments<RationalFunction> product_moments(RationalFunction const& first_fourth_moment,
                                                 std::span<ProductStep<RationalFunction, Exponent> const> steps) {
    return by_recursion(first_fourth_moment, steps);
}

template ProductMoments<Rational> product_moments(Rational const&, std::span<ProductStep<Rational> const>);
template ProductMoments<RationalFunction> product_moments(RationalFunction const&,
                                                          std::span<ProductStep<RationalFunction> const>);
template ProductMoments<double> product_moments(double const&, std::span<ProductStep<double> const>);

}  // namespace isserlis
