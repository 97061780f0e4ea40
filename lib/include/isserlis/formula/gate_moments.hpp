// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/network/gate.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/rational.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace isserlis {

/// Moments E X^p, p = 0 .. order, of X = sum_(i=1..n) (g_i xi_i)^2 with xi_i standard normal and g_i independent gates.
/// Chi-squared with n degrees of freedom for open gates; a binomial mixture of chi-squared for ReLU.
///
/// Law     as `Gate::moment`; xi Gaussian.
/// Shape   `width` is n, a number or a symbol; polynomials in n of degree p come out.
/// Errors  none.
/// Source  cumulants are additive: M_p = sum_k C(p-1, k-1) n c_k M_(p-k), with c_k the cumulants of (g xi)^2,
///         whose moments are E g^(2k) (2k-1)!!. ReLU: M_2 = n(n+5)/4, M_3 = n(n+4)(n+11)/8.
template <Field R>
[[nodiscard]] std::vector<R> gated_chi_square_moments(R const& width, Gate<R> const& gate, unsigned order) {
    // Pascal's triangle up to the order.
    std::vector<std::vector<int>> binomial(order + 1, std::vector<int>(order + 1, 0));
    for (unsigned i = 0; i <= order; ++i) {
        binomial[i][0] = 1;
        for (unsigned j = 1; j <= i; ++j) binomial[i][j] = binomial[i - 1][j - 1] + (j < i ? binomial[i - 1][j] : 0);
    }
    std::vector<R> unit(order + 1, R(1));  // moments of one (g xi)^2
    R double_factorial(1);
    for (unsigned k = 1; k <= order; ++k) {
        double_factorial = double_factorial * R(static_cast<int>(2 * k - 1));
        unit[k] = gate.moment(2 * k) * double_factorial;
    }
    std::vector<R> cumulant(order + 1, R(0));
    for (unsigned k = 1; k <= order; ++k) {
        cumulant[k] = unit[k];
        for (unsigned j = 1; j < k; ++j) {
            cumulant[k] = cumulant[k] - R(binomial[k - 1][j - 1]) * cumulant[j] * unit[k - j];
        }
    }
    // M_p as a polynomial in n: coefficient[p][j] of n^j. Numbers, even when the width is a symbol.
    std::vector<std::vector<R>> coefficient(order + 1, std::vector<R>(order + 1, R(0)));
    coefficient[0][0] = R(1);
    for (unsigned p = 1; p <= order; ++p) {
        for (unsigned k = 1; k <= p; ++k) {
            R const factor = R(binomial[p - 1][k - 1]) * cumulant[k];
            for (unsigned j = 1; j <= p - k + 1; ++j) {
                coefficient[p][j] = coefficient[p][j] + factor * coefficient[p - k][j - 1];
            }
        }
    }
    std::vector<R> moment(order + 1, R(1));
    for (unsigned p = 1; p <= order; ++p) {
        R sum(0);
        R power_of_width(1);
        for (unsigned j = 1; j <= p; ++j) {
            power_of_width = power_of_width * width;
            sum = sum + coefficient[p][j] * power_of_width;
        }
        moment[p] = simplified(sum);
    }
    return moment;
}

/// The eigenvalues of a gate layer, over n^2 g2^2: r on equal pairings, q on those that sum to zero.
template <class R>
[[nodiscard]] std::pair<R, R> gate_eigenvalues(R const& width, Gate<R> const& gate) {
    R const g2 = gate.moment(2);
    R const spread = R(3) * gate.moment(4) / (g2 * g2);
    return {(width - R(1) + spread) / width, (width - R(1)) / width};
}

/// The probability that a ReLU network is dead: some hidden layer has no active unit, z = 0 and H = 0.
///
/// Law     symmetric weights without ties. 1 - prod_l (1 - 2^(-n_l)) over the hidden layers.
/// Shape   `widths` are runs of hidden widths.
/// Errors  none. The exact answer has sum n_l bits.
/// Source  each unit of a layer is active with probability 1/2, independently, given a layer below that is alive.
[[nodiscard]] Rational dead_probability(std::vector<WidthRun<std::uint64_t, std::uint64_t>> const& widths);

}  // namespace isserlis
