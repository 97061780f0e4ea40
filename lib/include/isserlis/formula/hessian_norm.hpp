// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/label_pairs.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace isserlis {

/// E|H|_F^2 of the loss 1/2 |z - y|^2 in its four parts.
template <class R>
struct HessianNorm {
    R gauss_newton;  ///< E sum_(mu,nu) (d_mu z . d_nu z)^2 = E tr K^2
    R functional;    ///< E sum (z . d_mu d_nu z)^2
    R cross;         ///< 2 E sum (z . d_mu d_nu z)(d_mu z . d_nu z)
    R target;        ///< E sum (y . d_mu d_nu z)^2
    static constexpr auto members =
        std::tuple{&HessianNorm::gauss_newton, &HessianNorm::functional, &HessianNorm::cross, &HessianNorm::target};

    [[nodiscard]] R total() const { return gauss_newton + functional + cross + target; }
    friend bool operator==(HessianNorm const&, HessianNorm const&) = default;
};

/// What N outputs with equal neighbours of a pair leave: F_N(p) = N (N + 2 + (1 - N) p)/3, summed over a pair sum.
template <class R>
[[nodiscard]] R closed_over_outputs(PairSum<R> const& sum, R const& outputs) {
    return outputs * ((outputs + R(2)) * sum.plain + (R(1) - outputs) * sum.decayed) / R(3);
}

/// The expected squared Frobenius norm of the Hessian of 1/2 |z^(L+1) - y|^2 in the weights, at initialisation.
///
/// Law     that of `label_pairs`; y independent of the weights, E|y|^2 = `target_second` over all outputs, any mean.
/// Shape   any widths and outputs; each derivative by layer l carries sqrt(h_l), h_l the label factor of the run.
/// Errors  those of `label_pairs`.
/// Source  [Iyer 2023, Thm 1 and appendix H], corrected: docs/formulas/hessian_norm.md.
template <Field R, class Count>
[[nodiscard]] HessianNorm<R> hessian_norm(FullyConnected<R, Count> const& net, R const& square, R const& target_second);

/// E|H_(row,m)|_F^2 of the blocks of H in one row of layers, m = 1, 2, ..; all rows add up to the total.
///
/// Law, Shape, Errors, Source  those of `hessian_norm`; `row` counts layers from 1, one run per layer.
template <Field R>
[[nodiscard]] std::vector<R> hessian_block_row(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                               R const& target_second, std::size_t row);

}  // namespace isserlis
