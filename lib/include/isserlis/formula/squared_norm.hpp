// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/gate_moments.hpp>
#include <isserlis/network/check_layers.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/linear_recursion.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>

#include <array>
#include <string>
#include <type_traits>
#include <vector>

namespace isserlis {

/// Highest order p of E |h|^(2p) that is served: binomials stay within an int up to 30.
inline constexpr unsigned max_norm_order = 30;

/// Which vector of the last layer is read: the pre-activation z, or the activation h = phi(z).
enum class Reading { preactivation, activation };

/// E |v|^(2p) / |x|^(2p), p = 0 .. order, of the last layer's vector v (z or h) of a Gaussian network.
///
/// Law     W^l entries N(0, variance of the run), independent; one fixed input x.
/// Shape   every layer below the last is gated by the activation (concatenated ReLU counts as linear: the norm of
///         (relu(h), -relu(-h)) is that of h); `reading` says whether the last one is.
/// Units   relative to the input: multiply by (|x|^2)^p.
/// Errors  those of `check_layers`; UnsupportedError above `max_norm_order`.
/// Source  layers are independent factors, E|h^l|^(2p) = v^p M_p(n_l) E|h^(l-1)|^(2p) with `gated_chi_square_moments`;
///         p = 2: [Residual 2019, eq. (76)], 1 + 5/n per ReLU layer; p = 3: (1 + 4/n)(1 + 11/n) [Zavatone-Veth 2021].
template <Field R, class Count>
[[nodiscard]] std::vector<R> relative_norm_moments(FullyConnected<R, Count> const& net, Reading reading,
                                                   unsigned order) {
    check_layers(net, "relative_norm_moments");
    if (order > max_norm_order) {
        throw UnsupportedError("relative_norm_moments: order = " + std::to_string(order) + "; orders up to " +
                                   std::to_string(max_norm_order) + " are served",
                               "order");
    }
    Gate<R> const gate = net.activation.gate();
    std::vector<std::vector<R>> factors(order + 1);
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto const& run = net.layers[i];
        bool const last_run = i + 1 == net.layers.size();
        // The last layer of the last run is read as asked; all others pass the gate.
        Count const gated = last_run ? run.count - Count(1) : run.count;
        std::vector<R> const hidden = gated_chi_square_moments(run.fan_out, gate, order);
        Gate<R> const last_gate = reading == Reading::activation ? gate : Gate<R>::open();
        std::vector<R> const last =
            last_run ? gated_chi_square_moments(run.fan_out, last_gate, order) : std::vector<R>{};
        R scale(1);
        for (unsigned p = 1; p <= order; ++p) {
            scale = scale * run.variance;
            if (!(gated == Count(0))) factors[p].push_back(power(R(scale * hidden[p]), gated));
            if (last_run) factors[p].push_back(scale * last[p]);
        }
    }
    std::vector<R> moments;
    for (auto const& f : factors) moments.push_back(product_tree(f));
    return moments;
}

/// E |v|^4 over (|x|^2 prod of the layer variances)^2 for weights of any kurtosis, v as in `relative_norm_moments`.
///
/// Law     i.i.d. symmetric entries per layer with the kurtosis of the run's law, without ties.
/// Shape   `flatness` = sum_i x_i^4 / |x|^4, from 1/d_0 (flat) to 1 (one coordinate).
/// Units   relative: multiply by (|x|^2 prod v)^2.
/// Errors  those of `check_layers`.
/// Source  [Residual 2019, section 4 with the corrected Delta]: with a = E|h|^4, d = E sum h_i^4,
///         d' = n g4 (3 a + (kappa - 3) d), a' = d' + n(n-1) g2^2 a.
template <Field R, class Count>
[[nodiscard]] R relative_fourth_norm_moment(FullyConnected<R, Count> const& net, Reading reading, R const& flatness) {
    check_layers(net, "relative_fourth_norm_moment");
    LinearRecursion<R, Count> recursion;
    auto add = [&](LayerRun<R, Count> const& run, Gate<R> const& gate, Count const& count) {
        if (count == Count(0)) return;
        R const g2 = gate.moment(2);
        R const g4 = gate.moment(4);
        R const n = run.fan_out;
        R const excess = n * g4 * (run.law.kurtosis() - R(3));
        R const mixed = R(3) * n * g4;
        R const paired = n * (n - R(1)) * g2 * g2;
        recursion.add({.a = R(mixed + paired), .b = excess, .c = mixed, .d = excess}, count);
    };
    Gate<R> const gate = net.activation.gate();
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto const& run = net.layers[i];
        bool const last_run = i + 1 == net.layers.size();
        add(run, gate, last_run ? run.count - Count(1) : run.count);
        if (last_run) add(run, reading == Reading::activation ? gate : Gate<R>::open(), Count(1));
    }
    auto const [fourth] = recursion.after(std::array{Vector2<R>{R(1), flatness}});
    if constexpr (std::is_same_v<Count, Exponent>) {
        return fourth.first;
    } else {
        return fourth.first.value();
    }
}

}  // namespace isserlis
