// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/hessian_norm.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/enclosed.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace isserlis {

/// Means of one hidden neuron at two inputs x, y: u = G.x and w = G.y of one vector G, g its gate, h = g u.
template <class T>
struct NeuronMoments {
    T gates;    ///< E g_x g_y
    T kernel;   ///< E h_x h_y
    T squares;  ///< E g_x^2 g_y^2
    T mixed;    ///< E g_x g_y h_x h_y
    T fourth;   ///< E h_x^2 h_y^2
};

/// The angle t of two inputs, as far as means depend on it; rational at 0 and pi, `rest` at pi/2 too.
template <class T>
struct PairAngle {
    T rest;  ///< (pi - t)/pi
    T root;  ///< |x||y| sin t/pi
};

/// Two inputs by their products.
template <class T>
struct PairProducts {
    T xx;
    T yy;
    T xy;
};

/// The angle of these products; DomainError where they belong to no vectors.
[[nodiscard]] PairAngle<Enclosed> pair_angle(PairProducts<Rational> const& pair, unsigned bits);

/// With G a standard Gaussian vector: the mean of g^a u^b over both inputs is a sum over the four quadrants.
///
/// Law     u, w Gaussian of covariance `pair`.
/// Errors  none.
/// Source  docs/formulas/mean_loss_hessian.md; arc-cosine kernels of order 0, 1 and 2 [Cho 2009].
template <class T>
[[nodiscard]] NeuronMoments<T> neuron_moments(Gate<T> const& gate, PairProducts<T> const& pair,
                                              PairAngle<T> const& angle) {
    T const other = T(1) - angle.rest;  // of x and -y
    auto const half = [](T const& x) { return x / T(2); };
    T const both_open = half(angle.rest);
    T const one_open = half(other);
    T const product = half(angle.root + angle.rest * pair.xy);
    T const unlike = half(angle.root - other * pair.xy);  // of -uw where the signs differ
    T const lengths = pair.xx * pair.yy + T(2) * pair.xy * pair.xy;
    T const along = T(3) * pair.xy * angle.root;
    T const square = half(along + angle.rest * lengths);
    T const unlike_square = half(other * lengths - along);
    auto const over_signs = [](T const& p, T const& q, T const& like, T const& apart) {
        return (p * p + q * q) * like + T(2) * p * q * apart;
    };
    T const& p = gate.positive;
    T const& q = gate.negative;
    T const pp = p * p;
    T const qq = q * q;
    return {.gates = over_signs(p, q, both_open, one_open),
            .kernel = over_signs(p, q, product, T(0) - unlike),
            .squares = over_signs(pp, qq, both_open, one_open),
            .mixed = over_signs(pp, qq, product, T(0) - unlike),
            .fourth = over_signs(pp, qq, square, unlike_square)};
}

/// Two weight layers: n hidden neurons, N outputs.
template <class T>
struct TwoLayers {
    T hidden;
    T outputs;
    T lower_variance;
    T upper_variance;
    T lower_factor;  ///< of derivatives by the lower weights
    T upper_factor;
    T upper_bias = T(0);  ///< the variance of the outputs' biases
};

/// E <H_x, H_y> of the Hessians by all weights at two inputs, in the four parts of the norm; `moments` at a lower variance
/// of 1.
///
/// Law     independent neurons of these means; upper weights symmetric, of kurtosis 3, biases symmetric; y independent of
///         the weights.
/// Shape   `xy` is x.y, `targets` is E y_x.y_y of the targets at both.
/// Errors  none.
/// Source  docs/formulas/mean_loss_hessian.md
template <class T>
[[nodiscard]] HessianNorm<T> hessian_product(TwoLayers<T> const& net, NeuronMoments<T> const& moments, T const& xy,
                                             T const& targets) {
    T const& n = net.hidden;
    T const& outputs = net.outputs;
    T const pairs = n * (n - T(1));
    T const kernel = net.lower_variance * moments.kernel;
    T const mixed = net.lower_variance * moments.mixed;
    T const fourth = net.lower_variance * net.lower_variance * moments.fourth;
    T const step = net.lower_factor * xy;
    T const across = step * net.upper_factor;
    T const upper = net.upper_variance * outputs;
    T const joint = n * mixed + pairs * kernel * moments.gates;
    T const curved = T(2) * across * upper * joint;
    T const by_biases = T(2) * across * outputs * net.upper_bias * n * moments.gates;
    return {.gauss_newton = outputs * net.upper_factor * net.upper_factor * (n * fourth + pairs * kernel * kernel) +
                            curved +
                            step * step * net.upper_variance * upper *
                                (n * (outputs + T(2)) * moments.squares + pairs * moments.gates * moments.gates),
            .functional = curved + by_biases,
            .cross = T(4) * across * upper * n * mixed,
            .target = T(2) * across * targets * n * moments.gates};
}

/// How many weights of variance v_1 have the variance of the lower biases: what they add to every product of two inputs.
/// None unless it is a rational number.
template <class R>
[[nodiscard]] std::optional<Rational> bias_in_products(FullyConnected<R, std::uint64_t> const& net);

/// Where gates meet two inputs, they do so by Gaussian weights and biases.
template <class R>
[[nodiscard]] bool has_gaussian_first_layer(FullyConnected<R, std::uint64_t> const& net) {
    auto const& lower = net.layers.front();
    return lower.law.kind == LawKind::gaussian && (!lower.bias || lower.bias->law.kind == LawKind::gaussian);
}

/// E|H|_F^2, H the Hessian by all weights of the mean of 1/2 |z - y|^2 over some inputs, through one hidden layer.
///
/// Law     Gaussian weights and biases of the first layer (of kurtosis 3 at one input), upper weights of kurtosis 3, linear
///         head; targets independent of the weights, E|y|^2 = `target_second` at each input, E y_k.y_l = 0 at two.
/// Shape   two weight layers, one run each; `gram` the products of the inputs.
/// Errors  UnsupportedError for another depth, concatenated units, other laws where gates enter, and `bias_in_products`
///         that are not rational; DomainError for a Gram matrix of no inputs.
/// Source  docs/formulas/mean_loss_hessian.md
[[nodiscard]] HessianNorm<Enclosed> mean_loss_hessian(FullyConnected<Surd, std::uint64_t> const& net,
                                                      std::vector<std::vector<Rational>> const& gram,
                                                      Surd const& target_second, unsigned bits);

/// The same with a target for each input: `targets` is E y_k.y_l, of the size of `gram`.
[[nodiscard]] HessianNorm<Enclosed> mean_loss_hessian(FullyConnected<Surd, std::uint64_t> const& net,
                                                      std::vector<std::vector<Rational>> const& gram,
                                                      std::vector<std::vector<Enclosed>> const& targets, unsigned bits);

/// Both in the ring of the widths; none where an angle of two inputs, biases among their coordinates, is neither 0 nor pi and
/// units have gates, or where two inputs meet gates by other laws.
template <Field R>
[[nodiscard]] std::optional<HessianNorm<R>> exact_mean_loss_hessian(FullyConnected<R, std::uint64_t> const& net,
                                                                    std::vector<std::vector<Rational>> const& gram,
                                                                    R const& target_second);
template <Field R>
[[nodiscard]] std::optional<HessianNorm<R>> exact_mean_loss_hessian(FullyConnected<R, std::uint64_t> const& net,
                                                                    std::vector<std::vector<Rational>> const& gram,
                                                                    std::vector<std::vector<R>> const& targets);

/// At one input of |x|^2 = `square`, with biases of any variances: what `hessian_norm` has without them. None where the first
/// weights have variance 0.
///
/// Law     as above, of kurtosis 3; E|y|^2 = `target_second`.
/// Errors  those of `mean_loss_hessian` for the network, but for `bias_in_products`.
template <Field R>
[[nodiscard]] std::optional<HessianNorm<R>> biased_hessian(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                                           R const& target_second);

}  // namespace isserlis
