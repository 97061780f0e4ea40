// SPDX-License-Identifier: MIT
#include <functional>
#include <isserlis/error.hpp>
#include <isserlis/formula/crelu_kernels.hpp>
#include <isserlis/formula/mean_loss_hessian.hpp>
#include <isserlis/ring/rational_function.hpp>

#include "sample_pairs.hpp"

namespace isserlis {
namespace {

using Gram = std::vector<std::vector<Rational>>;

template <class R>
void require_one_hidden_layer(FullyConnected<R, std::uint64_t> const& net) {
    if (depth(net) != 2 || net.layers.size() != 2)
        throw UnsupportedError("mean_loss_hessian: it is closed for one hidden layer", "widths");
    if (net.activation.is_concatenated() || net.gated_head)
        throw UnsupportedError("mean_loss_hessian: relu, leaky and linear units and a linear head are served",
                               "activation");
}

/// Over another ring, to which `of` takes numbers.
template <class T, class R>
TwoLayers<T> two_layers(FullyConnected<R, std::uint64_t> const& net, std::function<T(R const&)> const& of) {
    auto const& lower = net.layers.front();
    auto const& upper = net.layers.back();
    return {.hidden = of(lower.fan_out),
            .outputs = of(upper.fan_out),
            .lower_variance = of(lower.variance),
            .upper_variance = of(upper.variance),
            .lower_factor = of(lower.label_factor),
            .upper_factor = of(upper.label_factor)};
}

/// The mean over pairs of inputs, whose angles `angle` knows.
template <class T, class Angle>
HessianNorm<T> over_pairs(TwoLayers<T> const& net, Gate<T> const& gate, Gram const& gram, T const& target_second,
                          Angle const& angle) {
    HessianNorm<T> out{T(0), T(0), T(0), T(0)};
    Rational const count{Integer(gram.size())};
    for_each_pair(gram.size(), [&](std::size_t k, std::size_t l, int times) {
        PairProducts<Rational> const pair{.xx = gram[k][k], .yy = gram[l][l], .xy = gram[k][l]};
        PairProducts<T> const products{.xx = T(pair.xx), .yy = T(pair.yy), .xy = T(pair.xy)};
        auto const of_pair = hessian_product(net, neuron_moments(gate, products, angle(pair)), products.xy,
                                             k == l ? target_second : T(0));
        T const share{Rational(Rational(times) / (count * count))};
        out.gauss_newton = out.gauss_newton + share * of_pair.gauss_newton;
        out.functional = out.functional + share * of_pair.functional;
        out.cross = out.cross + share * of_pair.cross;
        out.target = out.target + share * of_pair.target;
    });
    return out;
}

/// What a unit without gates makes of every angle.
template <class T>
PairAngle<T> no_angle() {
    return {.rest = T(1), .root = T(0)};
}

}  // namespace

PairAngle<Enclosed> pair_angle(PairProducts<Rational> const& pair, unsigned bits) {
    IntervalKernels const kernels{bits};
    auto const inputs = input_pair(kernels, pair.xx, pair.yy, pair.xy);
    if (inputs.collinear) return {.rest = pair.xy > 0 ? 1 : 0, .root = 0};
    Interval const root = inputs.root / kernels.pi();
    if (pair.xy == 0) return {.rest = ratio(1, 2), .root = root};
    return {.rest = inputs.rest / kernels.pi(), .root = root};
}

HessianNorm<Enclosed> mean_loss_hessian(FullyConnected<Surd, std::uint64_t> const& net, Gram const& gram,
                                        Surd const& target_second, unsigned bits) {
    require_one_hidden_layer(net);
    std::function<Enclosed(Surd const&)> const of = [bits](Surd const& x) {
        return x.is_rational() ? Enclosed(x.to_rational()) : Enclosed(enclose(x, bits));
    };
    auto const gate = net.activation.gate();
    bool const open = gate.positive == gate.negative;
    return over_pairs(
        two_layers(net, of), Gate<Enclosed>(of(gate.positive), of(gate.negative)), gram, of(target_second),
        [&](PairProducts<Rational> const& pair) { return open ? no_angle<Enclosed>() : pair_angle(pair, bits); });
}

template <Field R>
std::optional<HessianNorm<R>> exact_mean_loss_hessian(FullyConnected<R, std::uint64_t> const& net, Gram const& gram,
                                                      R const& target_second) {
    require_one_hidden_layer(net);
    auto const gate = net.activation.gate();
    bool const open = gate.positive == gate.negative;
    for (std::size_t k = 0; k < gram.size() && !open; ++k) {
        for (std::size_t l = 0; l < k; ++l)
            if (gram[k][l] * gram[k][l] != gram[k][k] * gram[l][l]) return std::nullopt;
    }
    return over_pairs(two_layers<R, R>(net, [](R const& x) { return x; }), gate, gram, target_second,
                      [&](PairProducts<Rational> const& pair) {
                          return open || pair.xy > 0 ? no_angle<R>() : PairAngle<R>{.rest = R(0), .root = R(0)};
                      });
}

template std::optional<HessianNorm<Surd>> exact_mean_loss_hessian(FullyConnected<Surd, std::uint64_t> const&,
                                                                  Gram const&, Surd const&);
template std::optional<HessianNorm<RationalFunction>> exact_mean_loss_hessian(
    FullyConnected<RationalFunction, std::uint64_t> const&, Gram const&, RationalFunction const&);

}  // namespace isserlis
