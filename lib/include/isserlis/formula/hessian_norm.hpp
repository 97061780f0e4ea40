// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/label_pairs.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace isserlis {

/// E|H|_F^2 of the loss 1/2 |z - y|^2 in its four parts.
template <class R>
struct HessianNorm {
    R gauss_newton;  ///< E sum_(mu,nu) (d_mu z . d_nu z)^2 = E tr K^2
    R functional;    ///< E sum (z . d_mu d_nu z)^2
    R cross;         ///< 2 E sum (z . d_mu d_nu z)(d_mu z . d_nu z)
    R target;        ///< E sum (y . d_mu d_nu z)^2

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
[[nodiscard]] HessianNorm<R> hessian_norm(FullyConnected<R, Count> const& net, R const& square,
                                          R const& target_second) {
    LabelPairs<R> const pairs = label_pairs(net, square);
    R const outputs = net.output_width();
    R const functional = closed_over_outputs(pairs.parallel, outputs);
    return {.gauss_newton = closed_over_outputs(pairs.equal, outputs) + functional,
            .functional = functional,
            .cross = R(2) * closed_over_outputs(pairs.crossed, outputs),
            .target = target_second * pairs.distinct};
}

/// E|H_(row,m)|_F^2 of the blocks of H in one row of layers, m = 1, 2, ..; all rows add up to the total.
///
/// Law, Shape, Errors, Source  those of `hessian_norm`; `row` counts layers from 1, one run per layer.
template <Field R>
[[nodiscard]] std::vector<R> hessian_block_row(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                               R const& target_second, std::size_t row) {
    auto const pairs = label_pair_row(net, square, row);
    R const outputs = net.output_width();
    std::vector<R> out;
    for (std::size_t m = 0; m < pairs.size(); ++m) {
        R const parallel = closed_over_outputs(pairs[m].parallel, outputs);
        if (m + 1 == row) {
            out.push_back(parallel);  // d_mu d_nu z = 0 within a layer
            continue;
        }
        out.push_back(R(2) * parallel + R(2) * closed_over_outputs(pairs[m].crossed, outputs) +
                      target_second * pairs[m].distinct);
    }
    return out;
}

/// The probability that a ReLU network is dead: some hidden layer has no active unit, z = 0 and H = 0.
///
/// Law     symmetric weights without ties. 1 - prod_l (1 - 2^(-n_l)) over the hidden layers.
/// Shape   `widths` are runs of hidden widths.
/// Errors  none. The exact answer has sum n_l bits.
/// Source  each unit of a layer is active with probability 1/2, independently, given a layer below that is alive.
[[nodiscard]] inline Rational dead_probability(std::vector<WidthRun<std::uint64_t, std::uint64_t>> const& widths) {
    std::vector<Integer> alive;
    std::uint64_t bits = 0;
    for (auto const& [width, count] : widths) {
        Integer const one_layer = (Integer(1) << width) - 1;
        alive.push_back(power(one_layer, count));
        bits += width * count;
    }
    Integer const all = Integer(1) << bits;
    return ratio(Integer(all - product_tree(alive)), all);
}

}  // namespace isserlis
