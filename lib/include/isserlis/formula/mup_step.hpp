// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/y_functionals.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace isserlis {

/// What one linearised gradient step changes at layer l, and the paper's letters.
template <class R>
struct MupLayer {
    R a;             ///< the part of E (Delta z_i)^2 with the squared output
    R b;             ///< the part with E|y|^2
    R b_tilde;       ///< [(d z)^2, (e z)^2]/n_L, labels weighted by the rates
    R c;             ///< [(d z)^2, z^2]/n_L
    R c_tilde;       ///< [z dz, z dz]/n_L
    R fourth_power;  ///< E (z_i)^4
    static constexpr auto members = std::tuple{&MupLayer::a, &MupLayer::b,       &MupLayer::b_tilde,
                                               &MupLayer::c, &MupLayer::c_tilde, &MupLayer::fourth_power};

    [[nodiscard]] R change_squared() const { return a + b; }
    friend bool operator==(MupLayer const&, MupLayer const&) = default;
};

/// Errors  those of `check_layers`; UnsupportedError without a hidden layer, for another activation than ReLU, and for
/// other variances than
///         2/fan_in and 1/n_L^2 in the output layer.
template <class R>
void require_mup(FullyConnected<R, std::uint64_t> const& net);

/// One step of gradient descent on 1/2 |z^(L+1) - y|^2 at initialisation, one sample, to first order in the step:
/// Delta z_i^(l) = - sum_mu h_mu d_mu z_i^(l) sum_k d_mu z_k^(L+1) (z_k^(L+1) - y_k), h_mu the rate of the layer of mu.
///
/// Law     Gaussian weights of variance 2/fan_in, 1/n_L^2 in the output layer (muP), no biases, ReLU; y independent of
///         the weights, E|y|^2 = `target_second` over all outputs, any mean.
/// Shape   one run per layer; the label factors of the hidden layers are the rates. Layers 1 .. L come back, O(layers).
/// Units   Delta z is linear in the rates.
/// Errors  UnsupportedError for other variances, laws or activations, and without a hidden layer.
/// Source  [Jelassi 2023, section 2], corrected: docs/formulas/mup_step.md.
template <Field R>
[[nodiscard]] std::vector<MupLayer<R>> mup_step(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                                R const& target_second);

/// The same of hidden layer `layer` alone, by balanced products: quasi-linear in the size of the answer.
///
/// Law, Units, Errors, Source  those of `mup_step`.
/// Shape   runs of any length; 1 <= layer < depth.
template <Field R>
[[nodiscard]] MupLayer<R> mup_step_of_layer(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                            R const& target_second, std::uint64_t layer);

/// E (Delta z_i^(L))^2 of the networks n,n:L,N of muP with all rates 1, for L = first .. last.
///
/// Law, Source  those of `mup_step`.
/// Shape   `width` is n, of the input and every hidden layer; `outputs` is N. 1 <= first <= last. The first depth is
///         quasi-linear in the size of its answer, each one more linear.
/// Errors  none.
template <Field R>
[[nodiscard]] std::vector<R> mup_last_changes(R const& width, R const& outputs, std::uint64_t first, std::uint64_t last,
                                              R const& square, R const& target_second);

/// What `mup_last_changes` tends to as n goes to infinity, |x|^2 = n: L (2 L^2 + 1)/6 (E|y|^2 + g + 2 L g^2), g = N/n.
///
/// Law, Source  those of `mup_step`. g = 0 stands for any fixed number of outputs: the rate goes like L^(-3/2), else
///         like L^(-2).
/// Shape   `outputs_per_width` is g.
/// Errors  none.
template <Field R>
[[nodiscard]] R mup_limit_change(R const& depth, R const& outputs_per_width, R const& target_second) {
    R const& g = outputs_per_width;
    return depth * (R(2) * depth * depth + R(1)) / R(6) * (target_second + g + R(2) * depth * g * g);
}

}  // namespace isserlis
