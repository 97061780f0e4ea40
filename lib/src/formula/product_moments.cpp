// SPDX-License-Identifier: MIT
#include <isserlis/formula/product_moments.hpp>
#include <isserlis/ring/fractions.hpp>
#include <isserlis/ring/linear_recursion.hpp>

#include <algorithm>
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

/// Up to here layers of small numbers are taken one after another, over denominators that are known: a tree pays later.
constexpr std::size_t few_steps = 256;

/// Without a copy: at ten layers copies would take most of the time.
bool is_small(mpq_srcptr x) { return mpz_fits_ulong_p(mpq_numref(x)) != 0 && mpz_fits_ulong_p(mpq_denref(x)) != 0; }

bool are_few_small_numbers(std::span<ProductStep<Rational> const> steps) {
    return steps.size() <= few_steps && std::all_of(steps.begin(), steps.end(), [](auto const& step) {
               mpq_srcptr const width = step.inner_width.backend().data();
               return step.count == 1 && is_small(width) && mpz_cmp_ui(mpq_denref(width), 1) == 0 &&
                      mpq_sgn(width) > 0 && is_small(step.fourth_moment.backend().data());
           });
}

/// (rho, gamma) and (3 nu, tau + 2 eta), both without the widths, take the same steps.
ProductMoments<Rational> by_integers(Rational const& first_fourth_moment,
                                     std::span<ProductStep<Rational> const> steps) {
    Integer rho = numerator_of(first_fourth_moment);
    Integer gamma = denominator_of(first_fourth_moment);
    Integer nu = 3;
    Integer sum = 1;
    Integer below = 1;  ///< what they are over, but for the first denominator
    Integer product = 1;
    Integer gap = 1;
    for (auto const& step : steps) {
        mpq_srcptr const fourth = step.fourth_moment.backend().data();
        unsigned long const m = mpz_get_ui(mpq_numref(step.inner_width.backend().data()));
        unsigned long const p = mpz_get_ui(mpq_numref(fourth));
        unsigned long const q = mpz_get_ui(mpq_denref(fourth));
        unsigned long const less = m - 1;
        auto const advance = [&](Integer& x, Integer& y) {
            Integer const moved = y * less;
            y = (x + moved) * q;
            x = x * p + moved * q * 3;
        };
        advance(rho, gamma);
        advance(nu, sum);
        below *= q;
        product *= m;
        gap *= less;
    }
    Integer const over = below * denominator_of(first_fourth_moment);
    Integer const thirds = below * 3;
    gap *= below;
    return {
        .second_moment = Rational(product),
        .rho = ratio(rho * product, over),
        .gamma = ratio(gamma * product, over),
        .nu = ratio(nu * product, thirds),
        .tau = ratio((sum + gap * 2) * product, thirds),
        .eta = ratio((sum - gap) * product, thirds),
    };
}

}  // namespace

template <Field R>
ProductMoments<R> product_moments(R const& first_fourth_moment, std::span<ProductStep<R> const> steps) {
    if constexpr (std::is_same_v<R, Rational>) {
        if (are_few_small_numbers(steps)) return by_integers(first_fourth_moment, steps);
    }
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
