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

/// The recursion, prod m and prod (m - 1), as they grow.
template <class R, class Count>
struct Growing {
    using Number = std::conditional_t<std::is_same_v<Count, Exponent>, R, Fraction<R>>;
    LinearRecursion<R, Count> recursion;
    std::vector<Number> widths;
    std::vector<Number> below;
};

template <class R>
void add_matrix(LinearRecursion<R>& recursion, ProductStep<R> const& step) {
    auto const [over, one] = Fractions<R>::over_common({step.fourth_moment, step.inner_width});  // over what 1 is
    auto const less = over[1] - one;
    recursion.add({.a = over[0], .b = less + less + less, .c = one, .d = less}, one, step.count);
}
void add_matrix(LinearRecursion<RationalFunction, Exponent>& recursion,
                ProductStep<RationalFunction, Exponent> const& step) {
    RationalFunction const less = step.inner_width - RationalFunction(1);
    recursion.add({.a = step.fourth_moment, .b = RationalFunction(3) * less, .c = 1, .d = less}, step.count);
}

template <class R, class Count>
void add(Growing<R, Count>& to, ProductStep<R, Count> const& step) {
    using Number = typename Growing<R, Count>::Number;
    add_matrix(to.recursion, step);
    R const less = step.inner_width - R(1);
    to.widths.push_back(power(Number(step.inner_width), step.count));
    to.below.push_back(less == R(0) && !(step.count == Count(0)) ? Number(R(0)) : power(Number(less), step.count));
}

template <class R, class Count>
void add_all(Growing<R, Count>& to, std::span<ProductStep<R, Count> const> steps) {
    for (auto const& step : steps) add(to, step);
}

/// Without a copy: at ten layers copies would take most of the time.
bool is_small(mpq_srcptr x) { return mpz_fits_ulong_p(mpq_numref(x)) != 0 && mpz_fits_ulong_p(mpq_denref(x)) != 0; }

bool is_small(ProductStep<Rational> const& step) {
    mpq_srcptr const width = step.inner_width.backend().data();
    return step.count == 1 && is_small(width) && mpz_cmp_ui(mpq_denref(width), 1) == 0 && mpq_sgn(width) > 0 &&
           is_small(step.fourth_moment.backend().data());
}

/// Two pairs that take the same steps, without the widths: (rho, gamma) and (3 nu, tau + 2 eta), or the columns of the
/// steps' matrix.
struct SmallSteps {
    std::array<Vector2<Integer>, 2> pairs;
    Integer below = 1;  ///< what they are over
    Integer product = 1;
    Integer gap = 1;

    void take(std::span<ProductStep<Rational> const> steps) {
        Integer moved;  // in one place: at ten layers memory would take half of the time
        for (auto const& step : steps) {
            mpq_srcptr const fourth = step.fourth_moment.backend().data();
            unsigned long const m = mpz_get_ui(mpq_numref(step.inner_width.backend().data()));
            unsigned long const p = mpz_get_ui(mpq_numref(fourth));
            unsigned long const q = mpz_get_ui(mpq_denref(fourth));
            unsigned long const less = m - 1;
            for (auto& [x, y] : pairs) {
                moved = y * less;
                y = x + moved;
                y *= q;
                moved *= q;
                moved *= 3U;
                x *= p;
                x += moved;
            }
            below *= q;
            product *= m;
            gap *= less;
        }
    }
};

/// Small steps in a row are one, up to the size at which a tree of them pays.
void add_all(Growing<Rational, std::uint64_t>& to, std::span<ProductStep<Rational> const> steps) {
    constexpr std::size_t most = 64;
    while (!steps.empty()) {
        auto const ahead = steps.first(std::min(most, steps.size()));
        auto const end = std::find_if_not(ahead.begin(), ahead.end(), [](auto const& step) { return is_small(step); });
        auto const taken = static_cast<std::size_t>(end - ahead.begin());
        if (taken == 0) {
            add(to, steps[0]);
        } else {
            SmallSteps all{.pairs = {Vector2<Integer>{1, 0}, Vector2<Integer>{0, 1}}};
            all.take(ahead.first(taken));
            auto& [first, second] = all.pairs;
            to.recursion.add({.a = std::move(first.first),
                              .b = std::move(second.first),
                              .c = std::move(first.second),
                              .d = std::move(second.second)},
                             all.below, 1);
            to.widths.emplace_back(std::move(all.product), KnownDenominator<Integer>());
            to.below.emplace_back(std::move(all.gap), KnownDenominator<Integer>());
        }
        steps = steps.subspan(std::max<std::size_t>(taken, 1));
    }
}

template <class R, class Count>
ProductMoments<R> by_recursion(R const& first_fourth_moment, std::span<ProductStep<R, Count> const> steps) {
    using Number = typename Growing<R, Count>::Number;
    Growing<R, Count> growing;
    add_all(growing, steps);
    auto const [column, row] =
        growing.recursion.after(std::array{Vector2<R>{first_fourth_moment, R(1)}, Vector2<R>{R(3), R(1)}});
    // prod m over the denominators of the recursion cancels once; what it multiplies is then times these.
    auto const over = [&](Number x) {
        if constexpr (std::is_same_v<Number, R>) {
            return x;
        } else {
            x.denominator.multiply(growing.recursion.denominator());
            return x.reduced();
        }
    };
    auto const times = [&](Number const& x) {
        if constexpr (std::is_same_v<Number, R>) {
            return x;
        } else {
            auto const& all = growing.recursion.denominator();
            return Number(x.numerator * Fractions<R>::expanded(all.beyond(x.denominator)), x.denominator.beyond(all));
        }
    };
    Number const product = product_tree(growing.widths);
    Number const shared = over(product);
    Number const row_sum = times(row.second);
    Number const gap = times(product_tree(growing.below));
    Number const third(R(R(1) / R(3)));
    return {
        .second_moment = value_of(product),
        .rho = value_of(shared * times(column.first)),
        .gamma = value_of(shared * times(column.second)),
        .nu = value_of(shared * times(row.first) * third),
        .tau = value_of(shared * (row_sum + Number(R(2)) * gap) * third),
        .eta = value_of(shared * (row_sum + Number(R(-1)) * gap) * third),
    };
}

/// Up to here layers of small numbers are taken one after another, over denominators that are known: a tree pays later.
constexpr std::size_t few_steps = 256;

ProductMoments<Rational> by_integers(Rational const& first_fourth_moment,
                                     std::span<ProductStep<Rational> const> steps) {
    SmallSteps all{.pairs = {Vector2<Integer>{numerator_of(first_fourth_moment), denominator_of(first_fourth_moment)},
                             Vector2<Integer>{3, 1}}};
    all.take(steps);
    auto& [column, row] = all.pairs;
    Integer const over = all.below * denominator_of(first_fourth_moment);
    Integer const thirds = all.below * 3;
    all.gap *= all.below;
    return {
        .second_moment = Rational(all.product),
        .rho = ratio(column.first * all.product, over),
        .gamma = ratio(column.second * all.product, over),
        .nu = ratio(row.first * all.product, thirds),
        .tau = ratio((row.second + all.gap * 2) * all.product, thirds),
        .eta = ratio((row.second - all.gap) * all.product, thirds),
    };
}

}  // namespace

template <Field R>
ProductMoments<R> product_moments(R const& first_fourth_moment, std::span<ProductStep<R> const> steps) {
    if constexpr (std::is_same_v<R, Rational>) {
        bool const small = std::all_of(steps.begin(), steps.end(), [](auto const& step) { return is_small(step); });
        if (small && steps.size() <= few_steps) return by_integers(first_fourth_moment, steps);
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
