// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <isserlis/error.hpp>
#include <isserlis/formula/mean_loss_hessian.hpp>
#include <optional>
#include <string>
#include <vector>

/// One hidden layer at several inputs, over any ring.
namespace isserlis::one_hidden_layer {

using Gram = std::vector<std::vector<Rational>>;

template <class R>
void require_one_hidden_layer(FullyConnected<R, std::uint64_t> const& net, std::string const& who) {
    if (depth(net) != 2 || net.layers.size() != 2)
        throw UnsupportedError(who + ": it is closed for one hidden layer", "widths");
    if (net.activation.is_concatenated() || net.gated_head)
        throw UnsupportedError(who + ": relu, leaky and linear units and a linear head are served", "activation");
}

template <class R>
void require_rational_biases(FullyConnected<R, std::uint64_t> const& net, std::string const& who) {
    if (!bias_in_products(net))
        throw UnsupportedError(
            who + ": the variance of the first biases over that of the first weights has to be a rational number",
            "bias_variance");
}

/// The products of inputs with their constant coordinate, on which the first biases are weights.
template <class R>
Gram with_biases(FullyConnected<R, std::uint64_t> const& net, Gram gram, std::string const& who) {
    require_rational_biases(net, who);
    Rational const shift = *bias_in_products(net);
    for (auto& row : gram)
        for (auto& x : row) x += shift;
    return gram;
}

inline void require_targets(std::size_t targets, Gram const& gram, std::string const& who) {
    if (targets != gram.size())
        throw DomainError(
            who + ": " + std::to_string(targets) + " targets for " + std::to_string(gram.size()) + " inputs",
            "targets");
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
            .upper_factor = of(upper.label_factor),
            .upper_bias = upper.bias ? of(upper.bias->variance) : T(0)};
}

/// What a unit without gates makes of every angle.
template <class T>
PairAngle<T> no_angle() {
    return {.rest = T(1), .root = T(0)};
}

/// Certified, of inputs at any angle.
template <class Of>
auto enclosed(FullyConnected<Surd, std::uint64_t> const& net, unsigned bits, std::string const& who,
              Of const& of_pairs) {
    std::function<Enclosed(Surd const&)> const of = [bits](Surd const& x) { return isserlis::enclosed(x, bits); };
    auto const gate = net.activation.gate();
    bool const open = gate.positive == gate.negative;
    if (!open && !has_gaussian_first_layer(net))
        throw UnsupportedError(who + ": through gates the weights and biases of the first layer have to be Gaussian",
                               "law");
    return of_pairs(two_layers(net, of), Gate<Enclosed>(of(gate.positive), of(gate.negative)),
                    [open, bits](PairProducts<Rational> const& pair) {
                        return open ? no_angle<Enclosed>() : pair_angle(pair, bits);
                    });
}

/// In the ring itself: none where a gate meets an angle that is neither 0 nor pi, or two inputs by weights that are not
/// Gaussian; `gram` with biases.
template <class R, class Of>
auto in_ring(FullyConnected<R, std::uint64_t> const& net, Gram const& gram, Of const& of_pairs) {
    auto const gate = net.activation.gate();
    bool const open = gate.positive == gate.negative;
    auto const angle = [open](PairProducts<Rational> const& pair) {
        return open || pair.xy > 0 ? no_angle<R>() : PairAngle<R>{.rest = R(0), .root = R(0)};
    };
    std::function<R(R const&)> const same = [](R const& x) { return x; };
    using Result = std::optional<decltype(of_pairs(two_layers(net, same), gate, angle))>;
    if (!open && gram.size() > 1 && !has_gaussian_first_layer(net)) return Result();
    for (std::size_t k = 0; k < gram.size() && !open; ++k) {
        for (std::size_t l = 0; l < k; ++l)
            if (gram[k][l] * gram[k][l] != gram[k][k] * gram[l][l]) return Result();
    }
    return Result(of_pairs(two_layers(net, same), gate, angle));
}

}  // namespace isserlis::one_hidden_layer
