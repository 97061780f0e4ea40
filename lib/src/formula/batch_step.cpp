// SPDX-License-Identifier: MIT
#include <isserlis/formula/batch_step.hpp>

#include <isserlis/ring/rational_function.hpp>

#include "one_hidden_layer.hpp"
#include "sample_pairs.hpp"

namespace isserlis {
namespace {

using one_hidden_layer::Gram;

template <class T, class Angle>
std::vector<BatchChange<T>> at_inputs(TwoLayers<T> const& net, Gate<T> const& gate, Gram const& gram,
                                      T const& target_second, Angle const& angle) {
    std::vector<BatchChange<T>> out(gram.size(), {T(0), T(0)});
    Rational const count{Integer(gram.size())};
    T const rate = net.lower_factor * net.lower_factor;
    for_each_pair(gram.size(), [&](std::size_t k, std::size_t l, int times) {
        PairProducts<Rational> const pair{.xx = gram[k][k], .yy = gram[l][l], .xy = gram[k][l]};
        PairProducts<T> const products{.xx = T(pair.xx), .yy = T(pair.yy), .xy = T(pair.xy)};
        auto const of_pair =
            error_product(net, neuron_moments(gate, products, angle(pair)), k == l ? target_second : T(0));
        Rational const share(Rational(times) / (count * count));
        for (std::size_t m = 0; m < gram.size(); ++m) {
            T const weight = rate * T(Rational(share * gram[m][k] * gram[m][l]));
            out[m].a = out[m].a + weight * of_pair.a;
            out[m].b = out[m].b + weight * of_pair.b;
        }
    });
    return out;
}

}  // namespace

std::vector<BatchChange<Enclosed>> batch_step(FullyConnected<Surd, std::uint64_t> const& net, Gram const& gram,
                                              Surd const& target_second, unsigned bits) {
    one_hidden_layer::require_one_hidden_layer(net, "batch_step");
    Enclosed const target = isserlis::enclosed(target_second, bits);
    return one_hidden_layer::enclosed(net, bits, [&](auto const& layers, auto const& gate, auto const& angle) {
        return at_inputs(layers, gate, gram, target, angle);
    });
}

template <Field R>
std::optional<std::vector<BatchChange<R>>> exact_batch_step(FullyConnected<R, std::uint64_t> const& net,
                                                            Gram const& gram, R const& target_second) {
    one_hidden_layer::require_one_hidden_layer(net, "batch_step");
    return one_hidden_layer::in_ring(net, gram, [&](auto const& layers, auto const& gate, auto const& angle) {
        return at_inputs(layers, gate, gram, target_second, angle);
    });
}

template std::optional<std::vector<BatchChange<Surd>>> exact_batch_step(FullyConnected<Surd, std::uint64_t> const&,
                                                                        Gram const&, Surd const&);
template std::optional<std::vector<BatchChange<RationalFunction>>> exact_batch_step(
    FullyConnected<RationalFunction, std::uint64_t> const&, Gram const&, RationalFunction const&);

}  // namespace isserlis
