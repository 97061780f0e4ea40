// SPDX-License-Identifier: MIT
#include <isserlis/formula/ntk_moments.hpp>

#include <isserlis/error.hpp>
#include <isserlis/formula/gate_moments.hpp>
#include <isserlis/formula/label_pairs.hpp>
#include <isserlis/network/check_layers.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/matrix_chain.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "formula/by_rationals.hpp"

namespace isserlis {

namespace ntk_detail {

/// The three second moments of pairs whose sum, plain and decayed towards the output, is given.
template <class R>
NtkMoments<R> closed(R const& mean, PairSum<R> const& pairs, R const& outputs) {
    R const& n = outputs;
    return {.mean = mean,
            .second_moment = pairs.plain,
            .trace_mean = n * mean,
            .trace_second_moment = n * ((n + R(2)) * pairs.plain + R(2) * (n - R(1)) * pairs.decayed) / R(3),
            .squared_trace_mean = n * ((n + R(2)) * pairs.plain + (R(1) - n) * pairs.decayed) / R(3)};
}

/// What the part with biases is carried by from layer to layer, each read as if the layer were the output. G is E
/// z_i^2, T = sum tau_k, and sums over biases b_k of layers up to it are of b_k E|dz/dz^k|^2 per unit.
enum Entry : std::size_t {
    one,                ///< 1
    bias_mean,          ///< the sum over biases
    gain,               ///< G
    labels,             ///< G T
    spread_bias,        ///< G times the sum over biases with prod r
    twisted_bias,       ///< G times the same with P_kl too
    with_bias,          ///< E K_oo^2 as far as biases are in it
    with_bias_decayed,  ///< the same, each pair times what is left of its pairing at the output
    chain_size
};

/// A gate with the weights above it, whose gain is g and whose eigenvalues are r and q, and a layer of one bias factor.
template <class R>
Matrix<R, chain_size> bias_layer(R const& g, R const& r, R const& q, R const& tau, R const& bias) {
    Matrix<R, chain_size> out;
    R const square = g * g;
    R const symmetric = square * r;
    R const other = square * q;
    out[one][one] = R(1);
    out[bias_mean][bias_mean] = g;
    out[bias_mean][one] = bias;
    out[gain][gain] = g;
    out[labels][labels] = g;
    out[labels][gain] = tau * g;
    out[spread_bias][spread_bias] = symmetric;
    out[twisted_bias][twisted_bias] = other;
    out[spread_bias][gain] = out[twisted_bias][gain] = bias * g;
    out[with_bias][with_bias] = symmetric;
    out[with_bias_decayed][with_bias_decayed] = other;
    for (Entry const to : {with_bias, with_bias_decayed}) {
        out[to][one] = bias * bias;                            // two biases of this layer,
        out[to][bias_mean] = R(2) * bias * g;                  // one of them below;
        out[to][labels] = R(2) * bias * g;                     // weights below and here
        out[to][gain] = R(2) * bias * tau * g;                 // and a bias here;
        out[to][spread_bias] = R(2) * tau * symmetric / R(3);  // weights here, a bias below
        out[to][twisted_bias] = R(4) * tau * other / R(3);
    }
    return out;
}

/// One step for each layer, equal ones in a row together; one bias factor for each layer.
template <class R>
std::vector<ChainStep<R, chain_size>> chain(FullyConnected<R, std::uint64_t> const& net, std::vector<R> const& bias) {
    Gate<R> const gate = net.activation.gate();
    R const g2 = gate.moment(2);
    std::vector<ChainStep<R, chain_size>> out;
    std::array<R, 4> last;
    for (std::size_t l = 0; l < net.layers.size(); ++l) {
        auto const& run = net.layers[l];
        std::array<R, 4> const now{run.fan_in, run.variance, run.label_factor, bias[l]};
        if (l > 1 && now == last) {
            ++out.back().count;
            continue;
        }
        last = now;
        R const tau = run.label_factor / run.variance;
        auto const [r, q] = l == 0 ? std::pair<R, R>(R(1), R(1)) : gate_eigenvalues(run.fan_in, gate);
        R const g = l == 0 ? run.variance : R(run.variance * run.fan_in * g2);
        out.push_back(chain_step(bias_layer(g, r, q, tau, bias[l])));
    }
    return out;
}

}  // namespace ntk_detail

template <Field R, class Count>
NtkMoments<R> ntk_moments(FullyConnected<R, Count> const& net, R const& square) {
    if constexpr (std::is_same_v<R, Surd>) {
        if (auto out = by_rationals([](auto const&... x) { return ntk_moments(x...); }, net, square)) return *out;
    }
    LabelPairs<R> const pairs = label_pairs(net, square);
    PairSum<R> const all{.plain = pairs.equal.plain + pairs.parallel.plain,
                         .decayed = pairs.equal.decayed + pairs.parallel.decayed};
    return ntk_detail::closed(pairs.single, all, net.output_width());
}

template <Field R>
NtkMoments<R> ntk_moments(FullyConnected<R, std::uint64_t> const& net, R const& square, std::vector<R> const& bias) {
    if constexpr (std::is_same_v<R, Surd>) {
        if (auto out = by_rationals([](auto const&... x) { return ntk_moments(x...); }, net, square, bias)) return *out;
    }
    check_layers(net, "ntk_moments");
    check_single_layers(net, "ntk_moments");
    std::size_t const layers = net.layers.size();
    if (bias.size() != layers) {
        throw DomainError("`bias_label_factor`: " + std::to_string(bias.size()) + " factors for " +
                              std::to_string(layers) + " layers; one for each is required",
                          "bias_label_factor");
    }
    LabelPairs<R> const pairs = label_pairs(net, square);
    std::array<R, ntk_detail::chain_size> start;
    start.fill(R(0));
    start[ntk_detail::one] = R(1);
    start[ntk_detail::gain] = square;
    auto const end = after(ntk_detail::chain(net, bias), chain_state(start));
    PairSum<R> const all{
        .plain = pairs.equal.plain + pairs.parallel.plain + end.value(ntk_detail::with_bias),
        .decayed = pairs.equal.decayed + pairs.parallel.decayed + end.value(ntk_detail::with_bias_decayed)};
    R const mean = pairs.single + end.value(ntk_detail::bias_mean);
    return ntk_detail::closed(mean, all, net.output_width());
}

template NtkMoments<Rational> ntk_moments(FullyConnected<Rational, std::uint64_t> const&, Rational const&);
template NtkMoments<Rational> ntk_moments(FullyConnected<Rational, std::uint64_t> const&, Rational const&,
                                          std::vector<Rational> const&);
template NtkMoments<Surd> ntk_moments(FullyConnected<Surd, std::uint64_t> const&, Surd const&);
template NtkMoments<Surd> ntk_moments(FullyConnected<Surd, std::uint64_t> const&, Surd const&,
                                      std::vector<Surd> const&);
template NtkMoments<RationalFunction> ntk_moments(FullyConnected<RationalFunction, std::uint64_t> const&,
                                                  RationalFunction const&);
template NtkMoments<RationalFunction> ntk_moments(FullyConnected<RationalFunction, std::uint64_t> const&,
                                                  RationalFunction const&, std::vector<RationalFunction> const&);
template NtkMoments<RationalFunction> ntk_moments(FullyConnected<RationalFunction, Exponent> const&,
                                                  RationalFunction const&);
template NtkMoments<double> ntk_moments(FullyConnected<double, std::uint64_t> const&, double const&);
template NtkMoments<double> ntk_moments(FullyConnected<double, std::uint64_t> const&, double const&,
                                        std::vector<double> const&);

}  // namespace isserlis
