// SPDX-License-Identifier: MIT
#include <isserlis/formula/width_correction.hpp>

#include <isserlis/formula/pair_correction.hpp>

#include "formula/square_means.hpp"

namespace isserlis {

std::vector<WidthCorrection> width_corrections(WideNetwork const& network, Rational const& square, unsigned bits,
                                               std::vector<Rational> const& relative_widths) {
    require_relative_widths(network, relative_widths);
    auto const layers = wide_kernels(network, {.xx = square, .xy = square, .yy = square}, bits);
    Enclosed const w = network.weight_variance;
    std::vector<WidthCorrection> out{
        {.vertex = 0, .kernel = 0, .tangent = 0, .tangent_vertex = 0, .tangent_exchange = 0}};
    for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
        auto const [norm, derivative, quartic, joint] = square_means(network.unit, layers[l].kernel.uu, bits);
        WidthCorrection const& below = out.back();
        Enclosed const tangent = layers[l].tangent.uu;
        Enclosed const slope = w * norm.slope;
        Enclosed const steepness = w * derivative.slope;
        Enclosed const half = ratio(1, 2);
        Enclosed const share = w * w / Enclosed(relative_widths.empty() ? Rational(1) : relative_widths[l]);
        WidthCorrection next;
        next.vertex = share * (quartic - norm.value * norm.value) + slope * slope * below.vertex;
        next.kernel = slope * below.kernel + w * norm.bend * below.vertex * half;
        next.tangent_exchange = share * joint * tangent + slope * slope * below.tangent_exchange;
        next.tangent_vertex =
            next.vertex + share * tangent * (joint - norm.value * derivative.value) +
            slope * (w * derivative.value * below.tangent_vertex + steepness * tangent * below.vertex);
        next.tangent = next.kernel + w * derivative.value * below.tangent + steepness * below.tangent_vertex +
                       tangent * (steepness * below.kernel + w * derivative.bend * below.vertex * half) +
                       Enclosed(2) * steepness * below.tangent_exchange;
        out.push_back(std::move(next));
    }
    return out;
}

}  // namespace isserlis
