// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/crelu_kernels.hpp>
#include <isserlis/formula/loss_curve_crelu.hpp>

#include <cstdint>
#include <vector>

#include "formula/paired_samples.hpp"

namespace isserlis {

/// The sum over triples of samples (docs/formulas/loss_curve_crelu.md).
template <class R, class Inputs>
R crelu_curvature(PairedSamples<R, Inputs> const& samples, LayerFactors<R> const& net) {
    using Samples = PairedSamples<R, Inputs>;
    auto const& g = samples.g;
    Rows<R> a(samples.size(), samples.none);  // sum_l alpha_kl g^l
    Rows<R> b = a;                            // sum_l |x||x| kap1 g^l
    Rows<R> shares;
    R angles(0);
    samples.for_each(shares, false, [&](std::size_t k, std::size_t l, auto const& pair, auto const& met) {
        R const alpha = samples.inputs.shared_signs(k, l);
        R const kernel = first_kernel(samples.kernels, pair);
        Samples::add(a[l], alpha, g[k]);
        Samples::add(b[l], kernel, g[k]);
        R const mixed = dot(g[k], met.images(k));
        R const form_kl = samples.form(k, l);
        if (k == l) {
            angles = angles + R(pair.rest) * (samples.norms[l] * form_kl + mixed);
            return;
        }
        Samples::add(a[k], alpha, g[l]);
        Samples::add(b[k], kernel, g[l]);
        R const form_lk = samples.form(l, k);
        R sum = R(pair.rest) * (samples.norms[k] * form_kl + samples.norms[l] * form_lk + R(2) * mixed);
        if (!pair.collinear) {
            R const along = samples.inverses[l] * form_kl + samples.inverses[k] * form_lk;
            sum = sum +
                  R(pair.root) * (R(samples.kernels.of(pair.xy)) * along + dot(g[k], shares[l]) + dot(g[l], shares[k]));
        }
        angles = angles + sum;
    });

    auto const& [v1, v2, d] = net;
    Rows<R> const by_norms = samples.by_norms();
    R sum(0);
    R plain(0);
    R halves = R(0) - samples.trace_by_norms();
    for (std::size_t k = 0; k < samples.size(); ++k) {
        auto const& h = samples.hessian(k);
        auto const hb = Samples::image(h, b[k]);
        sum = sum + v2 * v2 * d * ((d + R(1)) * dot(a[k], Samples::image(h, a[k])) + trace(h) * dot(a[k], a[k])) +
              R(2) * d * d * v1 * v2 * dot(a[k], hb) + v1 * v1 * d * (d - R(1)) * dot(b[k], hb);
        plain = plain + R(2) * dot(b[k], samples.of_v[k]) - dot(samples.v[k], samples.of_v[k]);
        halves = halves + dot(g[k], Samples::image(by_norms, b[k]));
    }
    R const third = plain + halves / R(2) + angles / R(samples.kernels.pi());
    return (sum + v1 * v1 * d * third) / samples.cube_of_size();
}

}  // namespace isserlis
