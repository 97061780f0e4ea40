// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/composed.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/moment_step.hpp>
#include <isserlis/ring/power.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace isserlis {

namespace biased_norm_detail {

template <class R, class Count>
MomentStep<R> step(LayerRun<R, Count> const& run, Gate<R> const& gate, unsigned order) {
    std::vector<R> const chi = gated_chi_square_moments(run.fan_out, gate, order);
    R const b = run.bias ? run.bias->variance : R(0);
    MomentStep<R> out;
    for (unsigned p = 0; p <= order; ++p) {
        out.emplace_back(order + 1, R(0));
        R binomial(1);
        for (unsigned k = 0; k <= p; ++k) {
            out[p][k] = simplified(R(chi[p] * binomial * power(run.variance, k) * power(b, p - k)));
            binomial = binomial * R(static_cast<int>(p - k)) / R(static_cast<int>(k + 1));
        }
    }
    return out;
}

}  // namespace biased_norm_detail

/// E |v|^(2p), p = 0 .. order, of the last layer's vector v (z or h) of a Gaussian network with Gaussian biases.
///
/// Law     W^l and b^l entries N(0, their variance of the run), independent; one fixed input with |x|^2 = `square`.
/// Shape   as `relative_norm_moments`.
/// Units   those of |x|^2.
/// Errors  those of `check_layers`; UnsupportedError above `max_norm_order` and for weights or biases that are not
///         Gaussian.
/// Source  given h^(l-1) the entries of z^l are independent N(0, v |h^(l-1)|^2 + b), so that
///         E |h^l|^(2p) = M_p(n_l) sum_k binom(p, k) v^k b^(p-k) E |h^(l-1)|^(2k), M_p of `gated_chi_square_moments`;
///         equal layers by Newton's formula at the eigenvalues M_p v^p.
template <Field R, class Count>
[[nodiscard]] std::vector<R> biased_norm_moments(FullyConnected<R, Count> const& net, R const& square, Reading reading,
                                                 unsigned order) {
    using namespace biased_norm_detail;
    check_layers(net, "biased_norm_moments");
    if (order > max_norm_order) {
        throw UnsupportedError("biased_norm_moments: order = " + std::to_string(order) + "; orders up to " +
                                   std::to_string(max_norm_order) + " are served",
                               "order");
    }
    Gate<R> const gate = net.activation.gate();
    std::vector<R> moments{R(1)};
    for (unsigned p = 1; p <= order; ++p) moments.push_back(moments.back() * square);
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto const& run = net.layers[i];
        if (run.law.kind != LawKind::gaussian || (run.bias && run.bias->law.kind != LawKind::gaussian))
            throw UnsupportedError("biased_norm_moments: run " + std::to_string(i + 1) +
                                       " of the layers has weights or biases that are not Gaussian",
                                   "law");
        bool const last_run = i + 1 == net.layers.size();
        // The last layer of the last run is read as asked; all others pass the gate.
        Count const gated = last_run ? run.count - Count(1) : run.count;
        if (!(gated == Count(0))) moments = through(step(run, gate, order), gated, std::move(moments));
        Gate<R> const last_gate = reading == Reading::activation ? gate : Gate<R>::open();
        if (last_run) moments = applied(step(run, last_gate, order), moments);
    }
    return moments;
}

namespace biased_norm_detail {

/// E 1, E q, E q^2 and E s, s = sum_i h_i^4, behind a layer in those before it.
template <class R>
using FourRows = std::array<std::array<R, 4>, 4>;

template <class R, class Count>
FourRows<R> fourth_step(LayerRun<R, Count> const& run, Gate<R> const& gate) {
    R const n = run.fan_out;
    R const v = run.variance;
    R const b = run.bias ? run.bias->variance : R(0);
    R const g2 = gate.moment(2);
    R const g4 = gate.moment(4);
    // E z_i^4 = 3 (v q + b)^2 + (kappa - 3) v^2 s + (kappa_b - 3) b^2 and E z_i^2 z_j^2 = (v q + b)^2, given h.
    R const of_square = n * (R(3) * g4 + (n - R(1)) * g2 * g2);
    R const of_pair = R(3) * n * g4;
    R const of_four = n * g4 * (run.law.kurtosis() - R(3)) * v * v;
    R const of_biases = run.bias ? R(n * g4 * (run.bias->law.kurtosis() - R(3)) * b * b) : R(0);
    return {{{R(1), R(0), R(0), R(0)},
             {n * g2 * b, n * g2 * v, R(0), R(0)},
             {of_square * b * b + of_biases, R(2) * of_square * v * b, of_square * v * v, of_four},
             {of_pair * b * b + of_biases, R(2) * of_pair * v * b, of_pair * v * v, of_four}}};
}

template <class R>
FourRows<R> after(FourRows<R> const& upper, FourRows<R> const& lower) {
    FourRows<R> out;
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < 4; ++j) {
            out[i][j] = R(0);
            for (std::size_t k = 0; k < 4; ++k) out[i][j] = out[i][j] + upper[i][k] * lower[k][j];
        }
    }
    return out;
}

template <class R>
std::array<R, 4> applied(FourRows<R> const& step, std::array<R, 4> const& moments) {
    std::array<R, 4> out;
    for (std::size_t i = 0; i < 4; ++i) {
        out[i] = R(0);
        for (std::size_t k = 0; k < 4; ++k) out[i] = out[i] + step[i][k] * moments[k];
    }
    return out;
}

}  // namespace biased_norm_detail

/// E |v|^(2p), p = 0, 1, 2, of the last layer's vector v of a network with weights and biases of any laws.
///
/// Law     i.i.d. symmetric entries of each W^l and of each b^l, of the run's kurtoses, independent, without ties; one
///         fixed input with |x|^2 = `square` and sum x_i^4 = `fourth`.
/// Shape   as `relative_norm_moments`, at a depth that is a number.
/// Units   those of |x|^2.
/// Errors  those of `check_layers`.
/// Source  docs/formulas/biased_norm.md#other-laws
template <Field R>
[[nodiscard]] std::vector<R> biased_fourth_norm_moments(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                                        R const& fourth, Reading reading) {
    using namespace biased_norm_detail;
    check_layers(net, "biased_fourth_norm_moments");
    Gate<R> const gate = net.activation.gate();
    std::array<R, 4> moments{R(1), square, square * square, fourth};
    constexpr std::uint64_t few = 64;
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto const& run = net.layers[i];
        bool const last_run = i + 1 == net.layers.size();
        moments = taken(
            fourth_step(run, gate), last_run ? run.count - 1 : run.count, moments, few,
            [](FourRows<R> const& step, std::array<R, 4> const& of) { return applied(step, of); },
            [](FourRows<R> const& upper, FourRows<R> const& lower) { return after(upper, lower); });
        if (last_run)
            moments = applied(fourth_step(run, reading == Reading::activation ? gate : Gate<R>::open()), moments);
    }
    return {moments[0], moments[1], moments[2]};
}

}  // namespace isserlis
