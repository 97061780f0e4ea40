// SPDX-License-Identifier: MIT
#include <isserlis/formula/pair_correction.hpp>

#include <array>
#include <isserlis/error.hpp>
#include <isserlis/formula/width_correction.hpp>
#include <optional>
#include <string>

#include "formula/gated_pair.hpp"
#include "formula/pair_layer.hpp"

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

/// n times what is left at order 1/n behind a layer.
struct FirstOrder {
    PairMatrix vertex;    ///< Cov of Q_xx, Q_xy and Q_yy
    PairTriple kernel;    ///< their means
    Interval tangent;     ///< the mean of H_11(x,y), H the tangent kernel
    PairTriple mixed;     ///< its covariance, given the units, with Q
    TwoNeurons exchange;  ///< E z_1 z_2 H_12(x,y)
};

/// What pairs of neurons of the layer below leave, over w^2: by parts E d/du (sigma(u) sigma'(u)), E d/du (sigma(v) sigma'(u))
/// and E d/dv (sigma(v) sigma'(u)) of one of them, and so of the other one with sigma'(v).
TwoNeurons carried(TwoNeurons const& s, PairMatrix const& jacobian) {
    Interval const two(2L, s[0][0].bits());
    PairTriple const& slopes = jacobian[pair_xy];
    TwoNeurons half = s;
    for (std::size_t i = 0; i < 2; ++i) {
        half[0][i] = jacobian[pair_xx][pair_xx] * s[0][i];
        half[1][i] = two * slopes[pair_xx] * s[0][i] + slopes[pair_xy] * s[1][i];
    }
    TwoNeurons out = half;
    for (std::size_t i = 0; i < 2; ++i) {
        out[i][0] = slopes[pair_xy] * half[i][0] + two * slopes[pair_yy] * half[i][1];
        out[i][1] = jacobian[pair_yy][pair_yy] * half[i][1];
    }
    return out;
}

/// Through one layer, before which the tangent kernel of infinite width is `tangent`.
FirstOrder behind(FirstOrder const& below, PairLayer const& unit, Interval const& tangent, Interval const& w,
                  Interval const& relative_width) {
    unsigned const bits = w.bits();
    Interval const two(2L, bits);
    Interval const half = Interval(1L, bits) / two;
    Interval const share = w * w / relative_width;
    PairMatrix const& jacobian = unit.slopes;
    Interval const derivative = jacobian[pair_xy][pair_xy];     // E sigma'(u) sigma'(v)
    PairTriple const steepness = unit.bends[pair_xy][pair_xy];  // its derivatives
    PairMatrix const vertex = carried(jacobian, below.vertex);
    TwoNeurons const exchange = carried(below.exchange, jacobian);
    PairTriple of_gates = product(below.vertex, steepness);
    for (std::size_t i = 0; i < 3; ++i) of_gates[i] = derivative * below.mixed[i] + tangent * of_gates[i];
    PairTriple const mixed = product(jacobian, of_gates);

    FirstOrder out = below;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) out.vertex[i][j] = share * unit.spreads[i][j] + w * w * vertex[i][j];
    for (std::size_t i = 0; i < 3; ++i)
        out.mixed[i] = out.vertex[pair_xy][i] +
                       share * tangent * (unit.gated_squares[i] - derivative * unit.squares[i]) + w * w * mixed[i];
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j)
            out.exchange[i][j] = share * tangent * unit.gated_squares[i + j] + w * w * exchange[i][j];

    for (std::size_t i = 0; i < 3; ++i)
        out.kernel[i] = w * (inner_triple(jacobian[i], below.kernel) + half * contracted(unit.bends[i], below.vertex));
    Interval const of_kernel =
        inner_triple(steepness, below.kernel) + half * contracted(unit.derivative_bends, below.vertex);
    TwoNeurons const& s = below.exchange;
    Interval const of_exchange =
        two * (steepness[pair_xx] * s[0][0] + steepness[pair_yy] * s[1][1]) + steepness[pair_xy] * (s[0][1] + s[1][0]);
    out.tangent = out.kernel[pair_xy] + w * (derivative * below.tangent + inner_triple(steepness, below.mixed) +
                                             tangent * of_kernel + of_exchange);
    return out;
}

/// The number by which x and y are multiples of one another in every layer; none where they are not.
std::optional<Rational> common_factor(WideNetwork const& network, InputGram const& g) {
    if (g.xx <= 0 || g.yy <= 0 || g.xy * g.xy != g.xx * g.yy) return std::nullopt;
    if (auto const* smooth = std::get_if<SmoothUnit>(&network.unit)) {
        bool const is_same = g.xy == g.xx;
        bool const stays_opposite = g.xy == -g.xx && network.bias_variance == 0 && is_odd(*smooth);
        return is_same ? std::optional(Rational(1)) : stays_opposite ? std::optional(Rational(-1)) : std::nullopt;
    }
    if (network.bias_variance != 0 && (g.xx != g.yy || g.xy < 0)) return std::nullopt;
    return Rational(g.xy / g.xx);
}

/// At a right angle (x, -y) has the law of (x, y), and an odd unit without biases turns the sign of all at y: what is odd in y
/// is 0.
bool is_odd_at_right_angle(WideNetwork const& network, InputGram const& inputs) {
    auto const* smooth = std::get_if<SmoothUnit>(&network.unit);
    return smooth != nullptr && is_odd(*smooth) && network.bias_variance == 0 && inputs.xy == 0;
}

/// V is all there is of linear units, whose kernels are rational and whose gates do not depend on them.
std::vector<PairCorrection> of_linear_units(WideNetwork const& network, std::vector<WideKernels> const& layers,
                                            std::vector<Rational> const& relative_widths) {
    Enclosed const square = Rational(network.weight_variance * network.weight_variance);
    Enclosed const two = 2;
    std::vector<PairCorrection> out(1);
    for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
        PairCovariance const& k = layers[l].kernel;
        Enclosed const relative = relative_widths.empty() ? Rational(1) : relative_widths[l];
        PairCorrection const& below = out.back();
        PairCorrection next;
        next.vertex = square * ((k.uu * k.vv + k.uv * k.uv) / relative + below.vertex);
        next.vertex_x_xy = square * (two * k.uu * k.uv / relative + below.vertex_x_xy);
        next.vertex_x_y = square * (two * k.uv * k.uv / relative + below.vertex_x_y);
        next.vertex_xy_y = square * (two * k.uv * k.vv / relative + below.vertex_xy_y);
        out.push_back(std::move(next));
    }
    return out;
}

/// y = factor x in every layer; gates do not see the length of an input, so that nothing but V is left of them.
std::vector<PairCorrection> of_multiples(WideNetwork const& network, std::vector<WidthCorrection> const& single,
                                         Rational const& factor) {
    Enclosed const once = factor;
    bool const is_smooth = std::holds_alternative<SmoothUnit>(network.unit);
    std::vector<PairCorrection> out;
    for (auto const& one : single)
        out.push_back({.vertex = once * once * one.vertex,
                       .kernel = is_smooth ? once * one.kernel : Enclosed(0),
                       .tangent = is_smooth ? once * one.tangent : Enclosed(0),
                       .vertex_x_xy = once * one.vertex,
                       .vertex_x_y = once * once * one.vertex,
                       .vertex_xy_y = once * once * once * one.vertex});
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
    if (auto const factor = common_factor(network, inputs)) {
        if (gate != nullptr && *factor < 0)
            throw UnsupportedError("pair_corrections: inputs of opposite directions are not served", "gram");
        return of_multiples(network, width_corrections(network, inputs.xx, bits, relative_widths), *factor);
    }
    auto const layers = wide_kernels(network, inputs, bits);
    if (gate != nullptr && gate->negative == 1) return of_linear_units(network, layers, relative_widths);
    auto const unit_of = [&](std::size_t l) {
        if (gate != nullptr) return GatedPair(Interval(gate->negative, bits), layers[l].kernel, bits).layer();
        // Nothing varies before the first layer, whose pair may be of correlation 1.
        return smooth_pair_layer(std::get<SmoothUnit>(network.unit), layers[l].kernel, l > 0, bits);
    };
    Interval const w(network.weight_variance, bits);
    PairTriple const none = zero_pair_triple(bits);
    FirstOrder order{.vertex = zero_pair_matrix(bits),
                     .kernel = none,
                     .tangent = none[0],
                     .mixed = none,
                     .exchange = {std::array{none[0], none[0]}, std::array{none[0], none[0]}}};
    bool const vanishes = is_odd_at_right_angle(network, inputs);
    auto const odd = [&](Interval const& x) { return vanishes ? Enclosed(0) : Enclosed(x); };
    std::vector<PairCorrection> out(1);
    for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
        Interval const relative(relative_widths.empty() ? Rational(1) : relative_widths[l], bits);
        order = behind(order, unit_of(l), layers[l].tangent.uv.enclose(bits), w, relative);
        // Of layer 2 the means are those of infinite width.
        out.push_back({.vertex = order.vertex[pair_xy][pair_xy],
                       .kernel = l == 0 ? Enclosed(0) : odd(order.kernel[pair_xy]),
                       .tangent = l == 0 ? Enclosed(0) : odd(order.tangent),
                       .vertex_x_xy = odd(order.vertex[pair_xx][pair_xy]),
                       .vertex_x_y = order.vertex[pair_xx][pair_yy],
                       .vertex_xy_y = odd(order.vertex[pair_xy][pair_yy])});
    }
    return out;
}

}  // namespace isserlis
