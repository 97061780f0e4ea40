// SPDX-License-Identifier: MIT
#include <isserlis/formula/two_layer_slope.hpp>

#include "pair_means.hpp"
#include "sample_pairs.hpp"

namespace isserlis {
namespace {

template <class R, class G>
void require_shapes(Rows<R> const& inputs, std::size_t columns, Rows<G> const& gradients) {
    namespace detail = loss_curve_detail;
    detail::require_samples("gradients", gradients.size(), inputs.size());
    detail::require_columns("row of inputs", inputs, columns);
    detail::require_columns("gradient", gradients, gradients.front().size());
}

Rational share(int times, std::size_t samples) {
    Integer const s(samples);
    return Rational(times) / Rational(s * s);
}

}  // namespace

GateMoments<double> gate_moments(Rows<double> const& inputs, Rows<double> const& gradients) {
    require_shapes(inputs, inputs.empty() ? 0 : inputs.front().size(), gradients);
    return gate_means<double>(DoubleRows(inputs), DoubleRows(gradients));
}

GateMoments<KernelSum> gate_moments(Rows<Rational> const& inner, Rows<Rational> const& gradients) {
    require_shapes(inner, inner.size(), gradients);
    KernelSum::Collector kernel;
    KernelSum::Collector gates;
    Rational sum;
    for_each_pair(inner.size(), [&](std::size_t k, std::size_t l, int times) {
        Rational const g = share(times, inner.size()) * dot(gradients[k], gradients[l]);
        Rational const squares = inner[k][k] * inner[l][l];
        kernel.add_first(g, squares, inner[k][l]);
        gates.add_angle(g * inner[k][l], squares, inner[k][l]);
        sum += g * inner[k][l];
    });
    return {.kernel = kernel.sum(), .gates = gates.sum(), .inner = KernelSum(Surd(sum))};
}

GateMoments<Interval> gate_moments(Rows<Rational> const& inner, Rows<Enclosed> const& gradients, unsigned bits) {
    require_shapes(inner, inner.size(), gradients);
    IntervalKernels const kernels{bits};
    GateMoments<Interval> out{.kernel = Interval(bits), .gates = Interval(bits), .inner = Interval(bits)};
    for_each_pair(inner.size(), [&](std::size_t k, std::size_t l, int times) {
        Enclosed const g = dot(gradients[k], gradients[l]);
        if (g.is_zero()) return;
        Interval const weight = g.enclose(bits) * kernels.of(share(times, inner.size()));
        auto const pair = input_pair(kernels, inner[k][k], inner[l][l], inner[k][l]);
        Interval const along = weight * kernels.of(pair.xy);
        out.kernel = out.kernel + weight * first_kernel(kernels, pair);
        out.gates = out.gates + along * pair.rest / kernels.pi();
        out.inner = out.inner + along;
    });
    return out;
}

}  // namespace isserlis
