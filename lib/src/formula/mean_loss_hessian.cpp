// SPDX-License-Identifier: MIT
#include <isserlis/formula/mean_loss_hessian.hpp>

#include <isserlis/formula/crelu_kernels.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/rational_value.hpp>

#include <functional>

#include "one_hidden_layer.hpp"
#include "sample_pairs.hpp"

namespace isserlis {
namespace {

using one_hidden_layer::Gram;

/// The mean over pairs of inputs, whose angles `angle` knows, and `targets` their E y_k.y_l; `met` are their products with
/// biases.
template <class T, class Targets, class Angle>
HessianNorm<T> over_pairs(TwoLayers<T> const& net, Gate<T> const& gate, Gram const& gram, Gram const& met,
                          Targets const& targets, Angle const& angle) {
    HessianNorm<T> out{T(0), T(0), T(0), T(0)};
    Rational const count{Integer(gram.size())};
    for_each_pair(gram.size(), [&](std::size_t k, std::size_t l, int times) {
        PairProducts<Rational> const pair{.xx = met[k][k], .yy = met[l][l], .xy = met[k][l]};
        PairProducts<T> const products{.xx = T(pair.xx), .yy = T(pair.yy), .xy = T(pair.xy)};
        auto const of_pair =
            hessian_product(net, neuron_moments(gate, products, angle(pair)), T(gram[k][l]), targets(k, l));
        T const share{Rational(Rational(times) / (count * count))};
        out.gauss_newton = out.gauss_newton + share * of_pair.gauss_newton;
        out.functional = out.functional + share * of_pair.functional;
        out.cross = out.cross + share * of_pair.cross;
        out.target = out.target + share * of_pair.target;
    });
    return out;
}

/// Targets of different inputs are uncorrelated.
template <class T>
auto uncorrelated(T const& second) {
    return [&second](std::size_t k, std::size_t l) { return k == l ? second : T(0); };
}

HessianNorm<Enclosed> enclosed_norm(FullyConnected<Surd, std::uint64_t> const& net, Gram const& gram, unsigned bits,
                                    auto const& targets) {
    one_hidden_layer::require_one_hidden_layer(net, "mean_loss_hessian");
    auto const met = one_hidden_layer::with_biases(net, gram, "mean_loss_hessian");
    return one_hidden_layer::enclosed(net, bits, "mean_loss_hessian",
                                      [&](auto const& layers, auto const& gate, auto const& angle) {
                                          return over_pairs(layers, gate, gram, met, targets, angle);
                                      });
}

template <class R>
std::optional<HessianNorm<R>> exact_norm(FullyConnected<R, std::uint64_t> const& net, Gram const& gram,
                                         auto const& targets) {
    one_hidden_layer::require_one_hidden_layer(net, "mean_loss_hessian");
    auto const met = one_hidden_layer::with_biases(net, gram, "mean_loss_hessian");
    return one_hidden_layer::in_ring(net, met, [&](auto const& layers, auto const& gate, auto const& angle) {
        return over_pairs(layers, gate, gram, met, targets, angle);
    });
}

}  // namespace

template <class R>
std::optional<Rational> bias_in_products(FullyConnected<R, std::uint64_t> const& net) {
    auto const& lower = net.layers.front();
    if (!lower.bias || lower.bias->variance == R(0)) return Rational(0);
    if (lower.variance == R(0)) return std::nullopt;
    return rational_value(R(lower.bias->variance / lower.variance));
}

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
    Enclosed const second = isserlis::enclosed(target_second, bits);
    return enclosed_norm(net, gram, bits, uncorrelated(second));
}

HessianNorm<Enclosed> mean_loss_hessian(FullyConnected<Surd, std::uint64_t> const& net, Gram const& gram,
                                        std::vector<std::vector<Enclosed>> const& targets, unsigned bits) {
    one_hidden_layer::require_targets(targets.size(), gram, "mean_loss_hessian");
    return enclosed_norm(net, gram, bits, [&](std::size_t k, std::size_t l) { return targets[k][l]; });
}

template <Field R>
std::optional<HessianNorm<R>> exact_mean_loss_hessian(FullyConnected<R, std::uint64_t> const& net, Gram const& gram,
                                                      R const& target_second) {
    return exact_norm(net, gram, uncorrelated(target_second));
}

template <Field R>
std::optional<HessianNorm<R>> exact_mean_loss_hessian(FullyConnected<R, std::uint64_t> const& net, Gram const& gram,
                                                      std::vector<std::vector<R>> const& targets) {
    one_hidden_layer::require_targets(targets.size(), gram, "mean_loss_hessian");
    return exact_norm(net, gram, [&](std::size_t k, std::size_t l) { return targets[k][l]; });
}

template <Field R>
std::optional<HessianNorm<R>> biased_hessian(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                             R const& target_second) {
    one_hidden_layer::require_one_hidden_layer(net, "biased_hessian");
    auto const& lower = net.layers.front();
    if (lower.variance == R(0)) return std::nullopt;
    R const met = lower.bias ? R(square + lower.bias->variance / lower.variance) : square;
    std::function<R(R const&)> const same = [](R const& x) { return x; };
    auto const moments = neuron_moments(net.activation.gate(), PairProducts<R>{.xx = met, .yy = met, .xy = met},
                                        one_hidden_layer::no_angle<R>());
    return hessian_product(one_hidden_layer::two_layers(net, same), moments, square, target_second);
}

template std::optional<HessianNorm<Surd>> exact_mean_loss_hessian(FullyConnected<Surd, std::uint64_t> const&,
                                                                  Gram const&, Surd const&);
template std::optional<HessianNorm<RationalFunction>> exact_mean_loss_hessian(
    FullyConnected<RationalFunction, std::uint64_t> const&, Gram const&, RationalFunction const&);
template std::optional<HessianNorm<Surd>> exact_mean_loss_hessian(FullyConnected<Surd, std::uint64_t> const&,
                                                                  Gram const&, std::vector<std::vector<Surd>> const&);
template std::optional<HessianNorm<RationalFunction>> exact_mean_loss_hessian(
    FullyConnected<RationalFunction, std::uint64_t> const&, Gram const&,
    std::vector<std::vector<RationalFunction>> const&);

template std::optional<Rational> bias_in_products(FullyConnected<Surd, std::uint64_t> const&);
template std::optional<Rational> bias_in_products(FullyConnected<RationalFunction, std::uint64_t> const&);
template std::optional<HessianNorm<Surd>> biased_hessian(FullyConnected<Surd, std::uint64_t> const&, Surd const&,
                                                         Surd const&);
template std::optional<HessianNorm<RationalFunction>> biased_hessian(
    FullyConnected<RationalFunction, std::uint64_t> const&, RationalFunction const&, RationalFunction const&);

}  // namespace isserlis
