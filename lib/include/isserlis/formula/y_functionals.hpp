// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/hessian_norm.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace isserlis {

/// The functionals Y[f_1, .., f_k] = E sum_(mu, nu) n^(-k) sum_(j_1 .. j_k) prod_i f_i(z_(j_i)) of one layer of n
/// pre-activations, over the labels mu, nu of the layers up to it. d, e stand for d_mu, d_nu.
template <class R>
struct YFunctionals {
    R u = R(0);      ///< [(d z)^2]
    R v = R(0);      ///< [(d e z)^2]
    R y0 = R(0);     ///< [(d z)^2, z^2]
    R y1 = R(0);     ///< [z dz, z dz]
    R ystar = R(0);  ///< [(z dz)^2]
    R p0 = R(0);     ///< [(dz)^2, (ez)^2]
    R p1 = R(0);     ///< [dz ez, dz ez]
    R pstar = R(0);  ///< [(dz ez)^2]
    R q0 = R(0);     ///< [(dez)^2, z^2]
    R q1 = R(0);     ///< [z dez, z dez]
    R qstar = R(0);  ///< [(z dez)^2]
    R r0 = R(0);     ///< [dez dz, z ez]
    R r2 = R(0);     ///< [z dez, dz ez]
    R rstar = R(0);  ///< [z dez dz ez]
    R s = R(1);      ///< E (|sigma|^2/n)^2 of the same layer, not a Y
    static constexpr auto members = std::tuple{
        &YFunctionals::u,     &YFunctionals::v,  &YFunctionals::y0,    &YFunctionals::y1,    &YFunctionals::ystar,
        &YFunctionals::p0,    &YFunctionals::p1, &YFunctionals::pstar, &YFunctionals::q0,    &YFunctionals::q1,
        &YFunctionals::qstar, &YFunctionals::r0, &YFunctionals::r2,    &YFunctionals::rstar, &YFunctionals::s};
    friend bool operator==(YFunctionals const&, YFunctionals const&) = default;
};

/// Y of the next layer, of `width` neurons with weights of variance 2/n, from those of a layer of n = `fan_in`.
///
/// Law     as `label_pairs`, ReLU.
/// Shape   `eta_squared` is n times the label factor of the weights between; `mean_square` is |x|^2/n_0.
/// Errors  none.
/// Source  [Iyer 2023, Lemma 3, Lemma 4], corrected: docs/formulas/y_functionals.md.
template <Field R>
[[nodiscard]] YFunctionals<R> next_y_functionals(YFunctionals<R> const& y, R const& fan_in, R const& width,
                                                 R const& eta_squared, R const& mean_square) {
    R const in = R(1) / fan_in;
    R const out = R(1) / width;
    R const& eta = eta_squared;
    // Pairs 0, 1 and * mix in one way; a source feeds 0 and * in full, 1 by 1/n'.
    auto mixed = [&](R const& source, R const& zero, R const& one, R const& star, R& new_zero, R& new_one,
                     R& new_star) {
        R const shared = in * (R(1) + R(2) * out) * star;
        new_zero = source + zero + R(2) * out * one + shared;
        new_one = source * out + (R(1) + out) * one + out * zero + shared;
        new_star = source + zero + R(2) * one + R(3) * in * star;
    };
    R const beta = eta * (y.y0 + in * y.ystar);
    R const alpha = eta * eta * y.s + beta;
    R const gamma = eta * (y.y1 + in * y.ystar) / R(2);
    YFunctionals<R> next;
    next.u = eta * mean_square + y.u;
    next.v = eta * y.u + y.v;
    mixed(R(R(2) * eta * y.s), y.y0, y.y1, y.ystar, next.y0, next.y1, next.ystar);
    mixed(alpha, y.p0, y.p1, y.pstar, next.p0, next.p1, next.pstar);
    mixed(beta, y.q0, y.q1, y.qstar, next.q0, next.q1, next.qstar);
    R const shared = in * (R(1) + R(2) * out) * y.rstar;
    next.r0 = (R(1) + out) * (gamma + y.r0) + out * y.r2 + shared;
    next.r2 = R(2) * out * (gamma + y.r0) + y.r2 + shared;
    next.rstar = R(2) * gamma + R(2) * y.r0 + y.r2 + R(3) * in * y.rstar;
    next.s = y.s * (R(1) + R(5) * out);
    return next;
}

/// Errors  those of `label_pairs`; UnsupportedError for another activation than ReLU or another hidden variance than
///         2/fan_in.
template <class R>
void require_functionals(FullyConnected<R, std::uint64_t> const& net);

/// The fourteen functionals of every hidden layer of a He ReLU network, layer 1 first.
///
/// Law     that of `label_pairs`.
/// Shape   one run per layer, hidden variances 2/fan_in; any label factors and any head, which does not enter.
/// Errors  those of `require_functionals`; DomainError for a run of several layers.
/// Source  [Iyer 2023, appendix H], corrected.
template <Field R>
[[nodiscard]] std::vector<YFunctionals<R>> y_functionals(FullyConnected<R, std::uint64_t> const& net, R const& square);

/// Those of hidden layer `layer` alone, by the sums over labels up to it in closed form: quasi-linear in the size of
/// the answer.
///
/// Law     that of `y_functionals`.
/// Errors  those of `require_functionals`; DomainError for another layer.
/// Shape   that of `y_functionals`, runs of any length; 1 <= layer < depth.
/// Source  docs/formulas/y_functionals.md: pairings open towards a layer of n neurons close over them with
///         (n + 2 + c (n - 1) p)/(3n), c = 2, -1 or 1/2.
template <Field R>
[[nodiscard]] YFunctionals<R> y_functionals_of_layer(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                                     std::uint64_t layer);

/// E|H|_F^2 by the functionals of the last hidden layer: the second route to `hessian_norm` for one output.
///
/// Law     that of `y_functionals`, with an output layer of one neuron and variance 2/n.
/// Shape   `eta_squared` is n times the label factor of the output layer, n = `width` of the last hidden layer.
/// Errors  none.
/// Source  [Iyer 2023, Lemma 2, Cor 4], corrected in (4), (6), (7): docs/formulas/y_functionals.md.
template <Field R>
[[nodiscard]] HessianNorm<R> hessian_norm_of(YFunctionals<R> const& y, R const& width, R const& eta_squared,
                                             R const& target_second);

}  // namespace isserlis
