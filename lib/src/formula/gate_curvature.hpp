// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/crelu_kernels.hpp>
#include <isserlis/formula/two_layer_curvature.hpp>

#include <cstdint>
#include <vector>

#include "formula/paired_samples.hpp"

namespace isserlis {

/// Errors  UnsupportedError for units without gates, another number of layers and other laws; DomainError for data that do
///         not fit.
template <class R, class L>
void require_two_gated_layers(std::vector<LayerRun<L, std::uint64_t>> const& layers, Activation<L> const& activation,
                              std::size_t samples, Rows<R> const& gradients, std::vector<Rows<R>> const& hessians) {
    if (!activation.is_gated() && !activation.is_linear())
        throw UnsupportedError("two_layer_curvature is served for relu, leaky and linear units", "activation");
    require_two_layers(layers, "gated", samples, gradients, hessians);
}

/// The sum over triples of samples (docs/formulas/two_layer_curvature.md), between the layers units of slope 1, or `s`
/// below 0.
template <class R, class Inputs>
R gate_curvature(PairedSamples<R, Inputs> const& samples, LayerFactors<R> const& net, R const& s) {
    using Samples = PairedSamples<R, Inputs>;
    auto const& g = samples.g;
    auto const& [v1, v2, d] = net;
    // phi(u) = (1 + s)/2 u + (1 - s)/2 |u|; products of it have these factors before 1, one sign and two.
    R const even = (R(1) + s * s) / R(2);
    R const odd = (R(1) - s * s) / R(2);
    R const two_signs = even * (R(1) - s) * (R(1) - s) / R(4);
    R const one_sign = odd * odd / R(2);
    R const of_norms = v1 * v1;
    R const of_pairs = R(2) * (v1 * v1 + v1 * v2 + v2 * v2);
    R const of_traces = v2 * v2;
    R const of_shares = v1 * (v1 + v2);
    R const of_images = v1 * (R(4) * v1 + R(2) * v2);

    Rows<R> kernels(samples.size(), samples.none);  // sum_l |x||x| kap1 g^l
    Rows<R> gates = kernels;                        // sum_l x.x (pi - t) g^l
    Rows<R> const by_norms = samples.by_norms();
    Rows<R> of_norm_sum;
    for (std::size_t k = 0; k < samples.size(); ++k) of_norm_sum.push_back(Samples::image(by_norms, g[k]));
    Rows<R> shares;
    R angles(0);
    samples.for_each(shares, true, [&](std::size_t k, std::size_t l, auto const& pair, auto const& met) {
        R const inner = samples.kernels.of(pair.xy);
        R const kernel = first_kernel(samples.kernels, pair);
        R const gate = inner * R(pair.rest);
        bool const twice = k != l;
        Samples::add(kernels[l], kernel, g[k]);
        Samples::add(gates[l], gate, g[k]);
        R forms = samples.norms[k] * samples.form(k, l);  // |x_k|^2 g_l'H_k v_l
        R images = dot(g[l], samples.of_v[k]);            // g_l'H_k v_k
        R own_traces = trace(samples.hessian(k)) * dot(g[l], samples.v[k]);
        R by_two = of_norms * inner * dot(g[k], of_norm_sum[l]) + of_pairs * dot(g[k], met.images(k)) +
                   of_traces * dot(g[k], g[l]) * met.trace_sum(k);
        if (twice) {
            Samples::add(kernels[k], kernel, g[l]);
            Samples::add(gates[k], gate, g[l]);
            forms = forms + samples.norms[l] * samples.form(l, k);
            images = images + dot(g[k], samples.of_v[l]);
            own_traces = own_traces + trace(samples.hessian(l)) * dot(g[k], samples.v[l]);
            by_two = R(2) * by_two;
        }
        R const by_one = of_norms * forms + of_pairs * inner * images + of_traces * inner * own_traces;
        R sum = R(pair.rest) * (R(2) * one_sign * by_one + two_signs * by_two);
        if (twice && !pair.collinear) {
            R const along = samples.inverses[l] * samples.form(k, l) + samples.inverses[k] * samples.form(l, k);
            R const shared = dot(g[k], shares[l]) + dot(g[l], shares[k]);
            sum = sum + R(pair.root) * (one_sign * (of_images * images + R(2) * of_shares * inner * along) +
                                        R(2) * two_signs * (of_norms * dot(g[k], of_norm_sum[l]) + of_shares * shared));
        }
        angles = angles + sum;
    });

    R const pi = samples.kernels.pi();
    R const slope_square = (R(1) - s) * (R(1) - s) / R(2);
    R pairs(0);
    R plain = of_norms * samples.trace_by_norms();
    for (std::size_t k = 0; k < samples.size(); ++k) {
        auto const& h = samples.hessian(k);
        auto const& v = samples.v[k];
        typename Samples::Vector step(samples.none);
        Samples::add(step, (v1 + v2) * s, v);
        Samples::add(step, v1 * slope_square, kernels[k]);
        Samples::add(step, v2 * slope_square / pi, gates[k]);
        pairs = pairs + dot(step, Samples::image(h, step));
        plain = plain + of_pairs * dot(v, samples.of_v[k]) + of_traces * trace(h) * dot(v, v);
    }
    R const triples = (even * s - odd * odd) * plain + R(2) * angles / pi;
    return d * ((d - R(1)) * pairs + triples) / samples.cube_of_size();
}

}  // namespace isserlis
