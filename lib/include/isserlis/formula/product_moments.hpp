// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>
#include <isserlis/ring/rational_function.hpp>

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
template <Ring R, class Count = std::uint64_t>
struct ProductStep {
    R inner_width;
    R fourth_moment;         ///< E a^4 of the entries of A_r
    Count count = Count(1);  ///< how many such factors in a row
};

/// Moments of B = A_q ... A_1 for any fourth moments, by the recursion.
///
/// Law     entries of A_r i.i.d. with mean 0, variance 1 and fourth moment as given (>= 1); no symmetry is needed.
/// Shape   R is Rational, RationalFunction or double. `first_fourth_moment` is that of A_1; `steps` are A_2 .. A_q. i != k and j != l throughout.
/// Units   entries have unit variance; multiply by the variances (squared, but for E b^2) of a scaled network.
/// Errors  none here: a fourth moment below 1 belongs to no law, and callers refuse it.
/// Source  [Hettinger 2019, Lemma A.6], which is correct as printed. Written here as one 2 x 2 recursion:
///         (rho, gamma) and (nu, (tau + 2 eta)/3) obey the same matrix m (r, 3(m-1); 1, m-1) for a new factor of
///         fourth moment r over an inner width m, and tau - eta = prod m(m-1).
template <Field R>
[[nodiscard]] ProductMoments<R> product_moments(R const& first_fourth_moment, std::span<ProductStep<R> const> steps);
/// The same with symbols in the counts.
[[nodiscard]] ProductMoments<RationalFunction> product_moments(
    RationalFunction const& first_fourth_moment, std::span<ProductStep<RationalFunction, Exponent> const> steps);

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
