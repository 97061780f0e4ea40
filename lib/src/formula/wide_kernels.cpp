// SPDX-License-Identifier: MIT
#include <isserlis/formula/wide_kernels.hpp>

#include <isserlis/error.hpp>

#include <tuple>
#include <utility>

namespace isserlis {
namespace {

bool is_certainly_positive(Enclosed const& x, unsigned bits) { return mpfr_sgn(x.enclose(bits).lower()) > 0; }

/// pi minus the angle between u and v, and the root of uu vv - uv^2.
struct Angle {
    Interval root;
    Interval rest;
};

/// tan(angle/2) = root/(|u||v| + uv), and that of the rest with a minus.
Angle angle_of(PairCovariance const& pair, unsigned bits) {
    Interval const inner = pair.uv.enclose(bits);
    Interval const lengths = sqrt(Enclosed(pair.uu * pair.vv).enclose(bits));
    Interval const root = sqrt(positive_part(Enclosed(pair.uu * pair.vv - pair.uv * pair.uv).enclose(bits)));
    Interval const two(2L, bits);
    if (mpfr_sgn(inner.upper()) < 0) return {.root = root, .rest = two * atan(root / (lengths - inner))};
    return {.root = root, .rest = pi(bits) - two * atan(root / (lengths + inner))};
}

PairMeans means_of_gate(Gate<Rational> const& gate, PairCovariance const& pair, unsigned bits) {
    Rational const difference = gate.positive - gate.negative;
    Enclosed const both = Rational(gate.positive * gate.negative);
    if (difference == 0) return {.value = both * pair.uv, .derivative = both};
    // sigma(z) = negative z + (positive - negative) relu(z), and E relu(u) v = uv/2.
    Angle const angle = angle_of(pair, bits);
    Interval const turn = Interval(2L, bits) * pi(bits);
    Enclosed const relu = (angle.root + angle.rest * pair.uv.enclose(bits)) / turn;
    Enclosed const open = angle.rest / turn;
    Enclosed const square = Rational(difference * difference);
    return {.value = square * relu + both * pair.uv, .derivative = square * open + both};
}

/// How two pre-activations that are one up to a factor go on: no angle has to be found, which near 0 and pi costs half of
/// the digits in every layer.
enum class Relation { none, along, against };

Relation first_relation(WideNetwork const& network, InputGram const& inputs) {
    Rational const& w = network.weight_variance;
    Rational const& b = network.bias_variance;
    Rational const uv = w * inputs.xy + b;
    if ((w * inputs.xx + b) * (w * inputs.yy + b) != uv * uv) return Relation::none;
    return uv > 0 ? Relation::along : Relation::against;
}

PairMeans means_of_multiples(Gate<Rational> const& gate, Enclosed const& uv, Relation relation) {
    Enclosed const factor = relation == Relation::along ? gate.moment(2) : Rational(gate.positive * gate.negative);
    return {.value = factor * uv, .derivative = factor};
}

bool is_odd_smooth(KernelUnit const& unit) {
    auto const* smooth = std::get_if<SmoothUnit>(&unit);
    return smooth != nullptr && is_odd(*smooth);
}

PairMeans reflected(PairMeans const& means) {
    return {.value = Enclosed(0) - means.value, .derivative = means.derivative};
}

/// After a layer without bias.
Relation next_relation(Gate<Rational> const& gate, Relation relation) {
    if (relation != Relation::against) return relation;
    return gate.positive == -gate.negative ? Relation::along : Relation::none;  // a linear gate has no angle either
}

/// From one layer to the next, for one pair of inputs: K and Theta.
std::pair<Enclosed, Enclosed> next(WideNetwork const& network, PairMeans const& means, Enclosed const& tangent) {
    Enclosed const w = network.weight_variance;
    Enclosed const kernel = w * means.value + Enclosed(network.bias_variance);
    return {kernel, tangent.is_zero() ? kernel : kernel + w * means.derivative * tangent};
}

void check(WideNetwork const& network, InputGram const& inputs) {
    if (network.weight_variance <= 0)
        throw DomainError("`weight_variance` = " + to_string(network.weight_variance) + "; it has to be positive",
                          "weight_variance");
    if (network.bias_variance < 0)
        throw DomainError("`bias_variance` = " + to_string(network.bias_variance) + "; a variance is at least 0",
                          "bias_variance");
    if (inputs.xx <= 0 || inputs.yy <= 0 || inputs.xy * inputs.xy > inputs.xx * inputs.yy)
        throw DomainError(
            "`gram`: |x|^2 = " + to_string(inputs.xx) + ", x.y = " + to_string(inputs.xy) +
                ", |y|^2 = " + to_string(inputs.yy) +
                " belong to no two inputs with a direction: squares are above 0 and (x.y)^2 <= |x|^2 |y|^2",
            "gram");
}

}  // namespace

PairMeans pair_means(KernelUnit const& unit, PairCovariance const& pair, unsigned bits) {
    if (!is_certainly_positive(pair.uu, bits) || !is_certainly_positive(pair.vv, bits))
        throw DomainError("pair_means: a variance is not positive", "pair");
    if (auto const* gate = std::get_if<Gate<Rational>>(&unit)) return means_of_gate(*gate, pair, bits);
    return smooth_pair_means(std::get<SmoothUnit>(unit), pair, bits);
}

std::vector<WideKernels> wide_kernels(WideNetwork const& network, InputGram const& inputs, unsigned bits) {
    check(network, inputs);
    auto const* const gate = std::get_if<Gate<Rational>>(&network.unit);
    auto const means = [&](PairCovariance const& pair, Relation relation) {
        if (gate != nullptr && relation != Relation::none) return means_of_multiples(*gate, pair.uv, relation);
        return pair_means(network.unit, pair, bits);
    };
    auto const square = [&](Enclosed const& variance) {
        if (gate != nullptr) return means({.uu = variance, .uv = variance, .vv = variance}, Relation::along);
        return smooth_square_means(std::get<SmoothUnit>(network.unit), variance, bits);
    };
    auto const first = [&](Rational const& x) {
        return Enclosed(Rational(network.weight_variance * x + network.bias_variance));
    };
    PairCovariance const start{.uu = first(inputs.xx), .uv = first(inputs.xy), .vv = first(inputs.yy)};
    std::vector<WideKernels> out{{.kernel = start, .tangent = start}};
    bool const identical = inputs.xx == inputs.xy && inputs.xy == inputs.yy;
    // An odd unit and no biases: two inputs that are opposite stay so.
    bool const opposite =
        is_odd_smooth(network.unit) && network.bias_variance == 0 && inputs.xx == -inputs.xy && -inputs.xy == inputs.yy;
    Relation relation = first_relation(network, inputs);
    for (std::uint64_t l = 0; l < network.hidden_layers; ++l) {
        PairCovariance const kernel = out.back().kernel;
        PairCovariance const tangent = out.back().tangent;
        PairMeans const xx = square(kernel.uu);
        PairMeans const yy = identical || opposite || kernel.uu == kernel.vv ? xx : square(kernel.vv);
        PairMeans xy = identical ? xx : opposite ? reflected(xx) : means(kernel, relation);
        // Of independent pre-activations.
        if (is_odd_smooth(network.unit) && kernel.uv.is_zero()) xy.value = 0;
        WideKernels layer;
        std::tie(layer.kernel.uu, layer.tangent.uu) = next(network, xx, tangent.uu);
        std::tie(layer.kernel.uv, layer.tangent.uv) = next(network, xy, tangent.uv);
        std::tie(layer.kernel.vv, layer.tangent.vv) = next(network, yy, tangent.vv);
        out.push_back(std::move(layer));
        if (gate != nullptr) relation = network.bias_variance == 0 ? next_relation(*gate, relation) : Relation::none;
    }
    return out;
}

}  // namespace isserlis
