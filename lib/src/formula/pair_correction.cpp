// SPDX-License-Identifier: MIT
#include <array>
#include <isserlis/error.hpp>
#include <isserlis/formula/pair_correction.hpp>
#include <isserlis/formula/width_correction.hpp>
#include <optional>
#include <string>

#include "formula/gated_pair.hpp"

namespace isserlis {
namespace {

Interval inner_triple(PairTriple const& a, PairTriple const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

PairTriple product(PairMatrix const& m, PairTriple const& x) {
    return {inner_triple(m[0], x), inner_triple(m[1], x), inner_triple(m[2], x)};
}

/// sum_jk a_jk b_jk.
Interval contracted(PairMatrix const& a, PairMatrix const& b) {
    return inner_triple(a[0], b[0]) + inner_triple(a[1], b[1]) + inner_triple(a[2], b[2]);
}

/// m v m^T, v symmetric.
PairMatrix carried(PairMatrix const& m, PairMatrix const& v) {
    PairMatrix const half{product(v, m[0]), product(v, m[1]), product(v, m[2])};
    return {product(m, half[0]), product(m, half[1]), product(m, half[2])};
}

/// Of one neuron at x or y, of another one at x or y.
using TwoNeurons = std::array<std::array<Interval, 2>, 2>;

/// n times what is left at order 1/n behind a layer; of Q_xx and Q_yy the means are those of infinite width.
struct FirstOrder {
    PairMatrix vertex;    ///< Cov of Q_xx, Q_xy and Q_yy
    Interval kernel;      ///< the mean of Q_xy
    Interval tangent;     ///< the mean of H_11(x,y), H the tangent kernel
    PairTriple mixed;     ///< its covariance, given the units, with Q
    TwoNeurons exchange;  ///< E z_1 z_2 H_12(x,y)
};

/// What pairs of neurons of the layer below leave, over w^2: by parts E d/du (sigma(u) sigma'(u)), E d/du (sigma(v) sigma'(u))
/// and E d/dv (sigma(v) sigma'(u)) of one of them, and so of the other one with sigma'(v).
TwoNeurons carried(TwoNeurons const& s, Interval const& square_slope, PairTriple const& slopes) {
    Interval const two(2L, square_slope.bits());
    TwoNeurons half = s;
    for (std::size_t i = 0; i < 2; ++i) {
        half[0][i] = square_slope * s[0][i];
        half[1][i] = two * slopes[pair_xx] * s[0][i] + slopes[pair_xy] * s[1][i];
    }
    TwoNeurons out = half;
    for (std::size_t i = 0; i < 2; ++i) {
        out[i][0] = slopes[pair_xy] * half[i][0] + two * slopes[pair_yy] * half[i][1];
        out[i][1] = square_slope * half[i][1];
    }
    return out;
}

/// Through one layer of gates, before which the tangent kernel of infinite width is `tangent`.
FirstOrder behind(FirstOrder const& below, GatedPair const& unit, Interval const& tangent, Interval const& w,
                  Interval const& relative_width) {
    unsigned const bits = w.bits();
    Interval const two(2L, bits);
    Interval const half = Interval(1L, bits) / two;
    Interval const share = w * w / relative_width;
    PairTriple const squares = unit.squares();
    PairTriple const gated = unit.gated_squares();
    PairTriple const slopes = unit.slopes();
    PairMatrix const bends = unit.bends();
    PairMatrix const spreads = unit.spreads();
    Interval const derivative = slopes[pair_xy];  // E sigma'(u) sigma'(v)
    PairTriple const steepness = bends[pair_xy];  // its derivatives
    PairMatrix jacobian = zero_pair_matrix(bits);
    jacobian[pair_xy] = slopes;
    jacobian[pair_xx][pair_xx] = jacobian[pair_yy][pair_yy] = unit.square_factor();
    PairMatrix const vertex = carried(jacobian, below.vertex);
    TwoNeurons const exchange = carried(below.exchange, unit.square_factor(), slopes);
    PairTriple of_gates = product(below.vertex, steepness);
    for (std::size_t i = 0; i < 3; ++i) of_gates[i] = derivative * below.mixed[i] + tangent * of_gates[i];
    PairTriple const mixed = product(jacobian, of_gates);

    FirstOrder out = below;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) out.vertex[i][j] = share * spreads[i][j] + w * w * vertex[i][j];
    for (std::size_t i = 0; i < 3; ++i)
        out.mixed[i] =
            out.vertex[pair_xy][i] + share * tangent * (gated[i] - derivative * squares[i]) + w * w * mixed[i];
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j)
            out.exchange[i][j] = share * tangent * gated[i + j] + w * w * exchange[i][j];

    out.kernel = w * (derivative * below.kernel + half * contracted(bends, below.vertex));
    Interval const of_kernel =
        steepness[pair_xy] * below.kernel + half * contracted(unit.derivative_bends(), below.vertex);
    TwoNeurons const& s = below.exchange;
    Interval const of_exchange =
        two * (steepness[pair_xx] * s[0][0] + steepness[pair_yy] * s[1][1]) + steepness[pair_xy] * (s[0][1] + s[1][0]);
    out.tangent = out.kernel + w * (derivative * below.tangent + inner_triple(steepness, below.mixed) +
                                    tangent * of_kernel + of_exchange);
    return out;
}

/// The number by which x and y are multiples of one another in every layer; none where they are not.
std::optional<Rational> common_factor(WideNetwork const& network, InputGram const& g) {
    if (g.xy * g.xy != g.xx * g.yy) return std::nullopt;
    if (network.bias_variance != 0 && (g.xx != g.yy || g.xy < 0)) return std::nullopt;
    return Rational(g.xy / g.xx);
}

/// V is all there is of linear units, whose kernels are rational and whose gates do not depend on them.
std::vector<PairCorrection> of_linear_units(WideNetwork const& network, std::vector<WideKernels> const& layers,
                                            std::vector<Rational> const& relative_widths) {
    Enclosed const square = Rational(network.weight_variance * network.weight_variance);
    std::vector<PairCorrection> out{{.vertex = 0, .kernel = 0, .tangent = 0}};
    for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
        PairCovariance const& k = layers[l].kernel;
        Enclosed const relative = relative_widths.empty() ? Rational(1) : relative_widths[l];
        out.push_back({.vertex = square * ((k.uu * k.vv + k.uv * k.uv) / relative + out.back().vertex),
                       .kernel = 0,
                       .tangent = 0});
    }
    return out;
}

}  // namespace

void require_relative_widths(WideNetwork const& network, std::vector<Rational> const& relative_widths) {
    if (!relative_widths.empty() && relative_widths.size() != network.hidden_layers)
        throw DomainError("`relative_widths`: " + std::to_string(relative_widths.size()) + " widths for " +
                              std::to_string(network.hidden_layers) + " hidden layers; one for each is required",
                          "relative_widths");
    for (auto const& r : relative_widths)
        if (r <= 0)
            throw DomainError("`relative_widths`: " + to_string(r) + "; a width is positive", "relative_widths");
}

std::vector<PairCorrection> pair_corrections(WideNetwork const& network, InputGram const& inputs,
                                             std::vector<Rational> const& relative_widths, unsigned bits) {
    require_relative_widths(network, relative_widths);
    auto const* gate = std::get_if<Gate<Rational>>(&network.unit);
    if (gate == nullptr)
        throw UnsupportedError("pair_corrections: relu, leaky and linear units are served at two inputs", "units");
    if (auto const factor = common_factor(network, inputs)) {
        if (*factor < 0)
            throw UnsupportedError("pair_corrections: inputs of opposite directions are not served", "gram");
        std::vector<PairCorrection> out;
        for (auto const& one : width_corrections(network, inputs.xx, bits, relative_widths))
            out.push_back({.vertex = Enclosed(Rational(*factor * *factor)) * one.vertex, .kernel = 0, .tangent = 0});
        return out;
    }
    auto const layers = wide_kernels(network, inputs, bits);
    if (gate->negative == 1) return of_linear_units(network, layers, relative_widths);
    Interval const w(network.weight_variance, bits);
    PairTriple const none = zero_pair_triple(bits);
    FirstOrder order{.vertex = zero_pair_matrix(bits),
                     .kernel = none[0],
                     .tangent = none[0],
                     .mixed = none,
                     .exchange = {std::array{none[0], none[0]}, std::array{none[0], none[0]}}};
    std::vector<PairCorrection> out{{.vertex = 0, .kernel = 0, .tangent = 0}};
    for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
        GatedPair const unit(Interval(gate->negative, bits), layers[l].kernel, bits);
        Interval const relative(relative_widths.empty() ? Rational(1) : relative_widths[l], bits);
        order = behind(order, unit, layers[l].tangent.uv.enclose(bits), w, relative);
        // Of layer 2 both means are those of infinite width.
        out.push_back({.vertex = order.vertex[pair_xy][pair_xy],
                       .kernel = l == 0 ? Enclosed(0) : Enclosed(order.kernel),
                       .tangent = l == 0 ? Enclosed(0) : Enclosed(order.tangent)});
    }
    return out;
}

}  // namespace isserlis
