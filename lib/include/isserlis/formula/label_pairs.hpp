// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace isserlis {

/// A sum over pairs of layers, plain and with each pair weighted by P_(max,L+1), what is left of its pairing at the
/// output.
template <class R>
struct PairSum {
    R plain;
    R decayed;
    static constexpr auto members = std::tuple{&PairSum::plain, &PairSum::decayed};
    friend bool operator==(PairSum const&, PairSum const&) = default;
};

/// All sums over two labelled weight layers k, m of a chain that fourth-order expectations are made of. With tau_k the
/// label factor over the variance, P_km = prod rho_j over the gates between k and m, and the common factor
/// E|z|^4/(N(N+2)) of the output in front:
template <class R>
struct LabelPairs {
    R gain;               ///< g = E z_i^2 of one output
    R single;             ///< g sum_k tau_k
    R distinct;           ///< g sum_(k != m) tau_k tau_m
    PairSum<R> labels;    ///< sum_k tau_k, one label, which decays by P_(k,L+1)
    PairSum<R> equal;     ///< sum_k tau_k^2
    PairSum<R> parallel;  ///< sum_(k != m) tau_k tau_m (1 + 2 P_km)/3
    PairSum<R> crossed;   ///< sum_(k != m) tau_k tau_m (1 - P_km)/3
    static constexpr auto members =
        std::tuple{&LabelPairs::gain,  &LabelPairs::single,   &LabelPairs::distinct, &LabelPairs::labels,
                   &LabelPairs::equal, &LabelPairs::parallel, &LabelPairs::crossed};
    friend bool operator==(LabelPairs const&, LabelPairs const&) = default;
};

namespace label_pairs_detail {

/// f(run, count of layers with a gate above, whether the head follows).
template <class R, class Count, class F>
void for_each_run(FullyConnected<R, Count> const& net, F const& f) {
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto const& run = net.layers[i];
        bool const last = i + 1 == net.layers.size();
        Count const gated = last ? run.count - Count(1) : run.count;
        f(run, gated, last);
    }
}

}  // namespace label_pairs_detail

/// Errors  those of `check_layers`; UnsupportedError where the sums below do not hold: a kurtosis other than 3,
///         concatenated ReLU, a gate at the output.
template <class R, class Count>
void require_label_pairs(FullyConnected<R, Count> const& net);

/// The sums over pairs of labelled layers of a fully connected network, in O(layers).
///
/// Law     Gaussian weights, or symmetric ones of kurtosis 3 (no weight occurs more than four times), no biases, one
///         fixed input of squared norm `square`; gates of any slope.
/// Shape   any widths; the variance v_l and the label factor h_l are those of the runs, tau_l = h_l/v_l.
/// Units   h_l multiplies a summed pair of derivatives.
/// Errors  those of `require_label_pairs`; UnsupportedError for width 1 at symbolic depth.
/// Source  docs/formulas/label_pairs.md, by the strands of [Iyer 2023, section 5], corrected.
template <Field R, class Count>
[[nodiscard]] LabelPairs<R> label_pairs(FullyConnected<R, Count> const& net, R const& square);

/// One pair of layers k <= m, by itself: what it adds to `parallel` (for k = m, to `equal`) and to `crossed`.
template <class R>
struct LabelPair {
    PairSum<R> parallel;  ///< tau_k tau_m (1 + 2 P_km)/3
    PairSum<R> crossed;   ///< tau_k tau_m (1 - P_km)/3
    R distinct;           ///< g tau_k tau_m for k != m, else 0
    static constexpr auto members = std::tuple{&LabelPair::parallel, &LabelPair::crossed, &LabelPair::distinct};
};

/// The pairs (row, m) of `label_pairs` for m = 1, 2, .., in O(layers).
///
/// Law     that of `label_pairs`.
/// Shape   `row` counts weight layers from 1; the network has one run per layer.
/// Errors  those of `label_pairs`; DomainError for a row that the network does not have, and for runs of several
/// layers.
template <Field R>
[[nodiscard]] std::vector<LabelPair<R>> label_pair_row(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                                       std::size_t row);

}  // namespace isserlis
