// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/domain.hpp>
#include <isserlis/ring/linear_recursion.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace isserlis {

/// Moments of the entries b_ij of a product B = A_q ... A_1 of independent random matrices.
template <Ring R>
struct ProductMoments {
    R second_moment;  ///< E b_ij^2
    R rho;            ///< E b_ij^4
    R gamma;          ///< E b_ij^2 b_kj^2, same column
    R nu;             ///< E b_ij^2 b_il^2, same row
    R tau;            ///< E b_ij^2 b_kl^2
    R eta;            ///< E b_ij b_il b_kj b_kl
    static constexpr auto members =
        std::tuple{&ProductMoments::second_moment, &ProductMoments::rho, &ProductMoments::gamma, &ProductMoments::nu,
                   &ProductMoments::tau,           &ProductMoments::eta};
    friend bool operator==(ProductMoments const&, ProductMoments const&) = default;
};

/// One factor A_r of the product, r = 2, 3, .., with the width it shares with A_(r-1).
template <Ring R>
struct ProductStep {
    R inner_width;
    R fourth_moment;          ///< E a^4 of the entries of A_r
    std::uint64_t count = 1;  ///< how many such factors in a row
};

/// Moments of B = A_q ... A_1 for any fourth moments, by the recursion.
///
/// Law     entries of A_r i.i.d. with mean 0, variance 1 and fourth moment as given (>= 1); no symmetry is needed.
/// Shape   `first_fourth_moment` is that of A_1; `steps` are A_2 .. A_q. i != k and j != l throughout.
/// Units   entries have unit variance; multiply by the variances (squared, but for E b^2) of a scaled network.
/// Errors  none here: a fourth moment below 1 belongs to no law, and callers refuse it.
/// Source  [Hettinger 2019, Lemma A.6], which is correct as printed. Written here as one 2 x 2 recursion:
///         (rho, gamma) and (nu, (tau + 2 eta)/3) obey the same matrix m (r, 3(m-1); 1, m-1) for a new factor of
///         fourth moment r over an inner width m, and tau - eta = prod m(m-1).
template <Field R>
[[nodiscard]] ProductMoments<R> product_moments(R const& first_fourth_moment, std::span<ProductStep<R> const> steps) {
    using D = Domain<R>;
    using E = typename D::Element;
    std::vector<LinearStep<E>> matrices;
    std::vector<DenominatorPower<E>> per_step;   // of the matrices
    std::vector<DenominatorPower<E>> per_width;  // of prod m
    std::vector<E> widths;
    std::vector<E> below;  // m - 1
    matrices.reserve(steps.size());
    E const one(1);
    E const three(3);
    widths.reserve(steps.size());
    below.reserve(steps.size());
    // Equal denominators are gathered, so that a uniform law has one.
    auto gather = [&one](std::vector<DenominatorPower<E>>& into, E const& base, std::uint64_t count) {
        if (base == one) return;
        if (!into.empty() && into.back().base == base) {
            into.back().exponent += count;
        } else {
            into.push_back({.base = base, .exponent = count});
        }
    };
    ProductStep<R> const* previous = nullptr;
    E r = one;
    E r_den = one;
    for (auto const& s : steps) {
        if (previous == nullptr || !(previous->fourth_moment == s.fourth_moment)) {
            r = D::numerator(s.fourth_moment);
            r_den = D::denominator(s.fourth_moment);
        }
        previous = &s;
        E m = D::numerator(s.inner_width);
        E const m_den = D::denominator(s.inner_width);
        E k = m - m_den;
        E d = r_den * k;
        bool const whole = m_den == one;
        E den = whole ? r_den : r_den * m_den;
        gather(per_step, den, s.count);
        gather(per_width, m_den, s.count);
        matrices.push_back(
            {.matrix = {.a = whole ? r : r * m_den, .b = three * d, .c = std::move(den), .d = std::move(d)},
             .count = s.count});
        widths.push_back(s.count == 1 ? std::move(m) : power(m, s.count));
        below.push_back(s.count == 1 ? std::move(k) : power(k, s.count));
    }
    E const r1 = D::numerator(first_fourth_moment);
    E const r1_den = D::denominator(first_fourth_moment);
    std::array<Vector2<E>, 2> state{Vector2<E>{r1, r1_den}, Vector2<E>{E(3), E(1)}};
    apply(matrices, std::span<Vector2<E>>(state), D::tree);

    // Everything is prod m over the denominators, times a state: what those two share is cancelled once.
    E const product = product_tree(widths);
    E denominator(1);
    for (auto const& [base, exponent] : per_step) denominator = denominator * power(base, exponent);
    E width_denominator(1);
    for (auto const& [base, exponent] : per_width) width_denominator = width_denominator * power(base, exponent);
    // tau - eta = prod m(m-1): over prod m and the square of the widths' denominator.
    E const gap = product_tree(below) * denominator;
    E const sum = state[1].second * width_denominator;
    auto den = per_step;
    den.insert(den.end(), per_width.begin(), per_width.end());
    auto const common = D::reduced(product, den);
    auto over = [&](E const& numerator, std::initializer_list<DenominatorPower<E>> more) {
        return D::finish(common, numerator, std::vector<DenominatorPower<E>>(more));
    };
    DenominatorPower<E> const thirds{.base = three, .exponent = 1};
    DenominatorPower<E> const first_den{.base = r1_den, .exponent = 1};
    DenominatorPower<E> const widths_den{.base = width_denominator, .exponent = 1};
    return {
        .second_moment = D::finish(product, per_width),
        .rho = over(state[0].first, {first_den}),
        .gamma = over(state[0].second, {first_den}),
        .nu = over(state[1].first, {thirds}),
        .tau = over(sum + E(2) * gap, {thirds, widths_den}),
        .eta = over(sum - gap, {thirds, widths_den}),
    };
}

/// Moments of B = A_q ... A_1 for Gaussian matrices, in closed form; `layers` are A_1 .. A_q with their shapes.
///
/// Law     entries i.i.d. N(0, 1). The variances of `layers` are not read.
/// Shape   the inner widths are fan_in of layers 2 .. q; runs may have symbolic counts.
/// Errors  none.
/// Source  [Hettinger 2019, Lemma A.8]: Q+ = prod m(m+2), Q- = prod m(m-1); rho = 3 Q+, gamma = nu = Q+,
///         tau = (Q+ + 2 Q-)/3, eta = (Q+ - Q-)/3.
template <Field R, class Count>
[[nodiscard]] ProductMoments<R> gaussian_product_moments(std::vector<LayerRun<R, Count>> const& layers) {
    std::vector<R> width;
    std::vector<R> plus;
    std::vector<R> minus;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        Count const count = i == 0 ? layers[i].count - Count(1) : layers[i].count;  // A_1 has no inner width below it
        if (count == Count(0)) continue;
        R const& m = layers[i].fan_in;
        width.push_back(power(m, count));
        plus.push_back(power(R(m + R(2)), count));
        minus.push_back(m == R(1) ? R(0) : power(R(m - R(1)), count));
    }
    R const product = product_tree(width);
    R const q_plus = product * product_tree(plus);
    R const q_minus = product * product_tree(minus);
    return {
        .second_moment = product,
        .rho = R(3) * q_plus,
        .gamma = q_plus,
        .nu = q_plus,
        .tau = (q_plus + R(2) * q_minus) / R(3),
        .eta = (q_plus - q_minus) / R(3),
    };
}

}  // namespace isserlis
