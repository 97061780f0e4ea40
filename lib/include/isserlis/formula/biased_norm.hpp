// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/moment_step.hpp>
#include <isserlis/ring/power.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace isserlis {

namespace biased_norm_detail {

template <class R, class Count>
MomentStep<R> step(LayerRun<R, Count> const& run, Gate<R> const& gate, unsigned order) {
    std::vector<R> const chi = gated_chi_square_moments(run.fan_out, gate, order);
    R const b = run.bias ? run.bias->variance : R(0);
    MomentStep<R> out;
    for (unsigned p = 0; p <= order; ++p) {
        out.emplace_back(order + 1, R(0));
        R binomial(1);
        for (unsigned k = 0; k <= p; ++k) {
            out[p][k] = simplified(R(chi[p] * binomial * power(run.variance, k) * power(b, p - k)));
            binomial = binomial * R(static_cast<int>(p - k)) / R(static_cast<int>(k + 1));
        }
    }
    return out;
}

}  // namespace biased_norm_detail

/// E |v|^(2p), p = 0 .. order, of the last layer's vector v (z or h) of a Gaussian network with Gaussian biases.
///
/// Law     W^l and b^l entries N(0, their variance of the run), independent; one fixed input with |x|^2 = `square`.
/// Shape   as `relative_norm_moments`.
/// Units   those of |x|^2.
/// Errors  those of `check_layers`; UnsupportedError above `max_norm_order` and for weights or biases that are not
///         Gaussian.
/// Source  given h^(l-1) the entries of z^l are independent N(0, v |h^(l-1)|^2 + b), so that
///         E |h^l|^(2p) = M_p(n_l) sum_k binom(p, k) v^k b^(p-k) E |h^(l-1)|^(2k), M_p of `gated_chi_square_moments`;
///         equal layers by Newton's formula at the eigenvalues M_p v^p.
template <Field R, class Count>
[[nodiscard]] std::vector<R> biased_norm_moments(FullyConnected<R, Count> const& net, R const& square, Reading reading,
                                                 unsigned order) {
    using namespace biased_norm_detail;
    check_layers(net, "biased_norm_moments");
    if (order > max_norm_order) {
        throw UnsupportedError("biased_norm_moments: order = " + std::to_string(order) + "; orders up to " +
                                   std::to_string(max_norm_order) + " are served",
                               "order");
    }
    Gate<R> const gate = net.activation.gate();
    std::vector<R> moments{R(1)};
    for (unsigned p = 1; p <= order; ++p) moments.push_back(moments.back() * square);
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto const& run = net.layers[i];
        if (run.law.kind != LawKind::gaussian || (run.bias && run.bias->law.kind != LawKind::gaussian))
            throw UnsupportedError("biased_norm_moments: run " + std::to_string(i + 1) +
                                       " of the layers has weights or biases that are not Gaussian",
                                   "law");
        bool const last_run = i + 1 == net.layers.size();
        // The last layer of the last run is read as asked; all others pass the gate.
        Count const gated = last_run ? run.count - Count(1) : run.count;
        if (!(gated == Count(0))) moments = through(step(run, gate, order), gated, std::move(moments));
        Gate<R> const last_gate = reading == Reading::activation ? gate : Gate<R>::open();
        if (last_run) moments = applied(step(run, last_gate, order), moments);
    }
    return moments;
}

}  // namespace isserlis
