// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/label_pairs.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace isserlis {

/// Moments of the tangent kernel K_oo' = sum_mu h_mu d_mu z_o d_mu z_o' of N outputs at one input.
template <class R>
struct NtkMoments {
    R mean;                 ///< E K_oo, the same for every output
    R second_moment;        ///< E K_oo^2
    R trace_mean;           ///< E tr K
    R trace_second_moment;  ///< E (tr K)^2
    R squared_trace_mean;   ///< E tr K^2

    [[nodiscard]] R variance() const { return second_moment - mean * mean; }
    friend bool operator==(NtkMoments const&, NtkMoments const&) = default;
};

namespace ntk_detail {

/// The three second moments of pairs whose sum, plain and decayed towards the output, is given.
template <class R>
NtkMoments<R> closed(R const& mean, PairSum<R> const& pairs, R const& outputs) {
    R const& n = outputs;
    return {.mean = mean,
            .second_moment = pairs.plain,
            .trace_mean = n * mean,
            .trace_second_moment = n * ((n + R(2)) * pairs.plain + R(2) * (n - R(1)) * pairs.decayed) / R(3),
            .squared_trace_mean = n * ((n + R(2)) * pairs.plain + (R(1) - n) * pairs.decayed) / R(3)};
}

}  // namespace ntk_detail

/// Moments of the tangent kernel at initialisation, weight labels only.
///
/// Law     that of `label_pairs`.
/// Shape   any widths and outputs; label factors h_l are those of the runs.
/// Errors  those of `label_pairs`.
/// Source  docs/formulas/ntk_moments.md; the kernel is that of [Jacot 2018].
template <Field R, class Count>
[[nodiscard]] NtkMoments<R> ntk_moments(FullyConnected<R, Count> const& net, R const& square) {
    LabelPairs<R> const pairs = label_pairs(net, square);
    PairSum<R> const all{.plain = pairs.equal.plain + pairs.parallel.plain,
                         .decayed = pairs.equal.decayed + pairs.parallel.decayed};
    return ntk_detail::closed(pairs.single, all, net.output_width());
}

/// The same with biases, which are 0 and whose derivatives count with the factors `bias`.
///
/// Law     that of `label_pairs`.
/// Shape   `bias` has one entry per layer, the output layer last; the network has one run per layer. O(layers).
/// Errors  those of `label_pairs`; DomainError for another number of biases.
/// Source  docs/formulas/ntk_moments.md.
template <Field R>
[[nodiscard]] NtkMoments<R> ntk_moments(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                        std::vector<R> const& bias) {
    namespace detail = label_pairs_detail;
    std::size_t const layers = net.layers.size();
    if (bias.size() != layers) {
        throw DomainError("ntk_moments: bias = " + std::to_string(bias.size()) + " factors for " +
                              std::to_string(layers) + " layers; one for each is required",
                          "--bias-label-factor");
    }
    LabelPairs<R> const pairs = label_pairs(net, square);
    R const slope = net.activation.gate_slope();
    // From the top: P_(l, L+1), and E|dz/dz^l|^2 of one output with its spread prod r.
    std::vector<R> left(layers, R(1));
    std::vector<R> rho(layers, R(1));
    std::vector<R> gain(layers, R(1));   // v_(l+1) n_l g2, of the gates above layer l
    std::vector<R> reach(layers, R(1));  // prod of the gains
    std::vector<R> spread(layers, R(1));
    for (std::size_t l = layers - 1; l-- > 0;) {
        auto const [r, q] = detail::gate_eigenvalues(net.layers[l].fan_out, slope);
        rho[l] = q / r;
        gain[l] = net.layers[l + 1].variance * net.layers[l].fan_out * gate_moment(slope, 2);
        left[l] = rho[l] * left[l + 1];
        reach[l] = gain[l] * reach[l + 1];
        spread[l] = r * spread[l + 1];
    }
    R mean = pairs.single;
    PairSum<R> all{.plain = pairs.equal.plain + pairs.parallel.plain,
                   .decayed = pairs.equal.decayed + pairs.parallel.decayed};
    auto add = [&](R const& x, std::size_t top) {
        all.plain = all.plain + x;
        all.decayed = all.decayed + x * left[top];
    };
    R labels(0);   // sum_(k <= l) tau_k
    R below(0);    // sum_(k < l) b_k E|dz^l/dz^k|^2 per unit
    R plain(0);    // sum_(k < l) of b_k, reach and spread
    R twisted(0);  // the same with P_kl
    for (std::size_t l = 0; l < layers; ++l) {
        R const tau = net.layers[l].label_factor / net.layers[l].variance;
        labels = labels + tau;
        R const own = bias[l] * reach[l];
        R const weight = own * spread[l];
        mean = mean + own;
        add(reach[l] * spread[l] * reach[l] * bias[l] * (bias[l] + R(2) * below), l);  // two biases
        add(R(2) * pairs.gain * labels * weight, l);                                   // weights up to layer l
        add(R(2) * pairs.gain * tau * (plain + R(2) * twisted) / R(3), l);             // weights of l, biases below
        below = (below + bias[l]) * gain[l];
        plain = plain + weight;
        twisted = rho[l] * (twisted + weight);
    }
    return ntk_detail::closed(mean, all, net.output_width());
}

}  // namespace isserlis
