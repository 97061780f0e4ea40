// SPDX-License-Identifier: MIT
#include <isserlis/formula/batch_step.hpp>

#include <isserlis/ring/rational_function.hpp>

#include "one_hidden_layer.hpp"
#include "sample_pairs.hpp"

namespace isserlis {
namespace {

using one_hidden_layer::Gram;

template <class T, class Angle>
std::vector<BatchChange<T>> at_inputs(TwoLayers<T> const& net, Gate<T> const& gate, Gram const& gram, Gram const& met,
                                      std::vector<std::vector<T>> const& targets, Rational const& share,
                                      Angle const& angle) {
    std::vector<BatchChange<T>> out(gram.size(), {T(0), T(0)});
    Rational const count{Integer(gram.size())};
    Rational const of_all((1 - share) / (count * count));
    Rational const of_one(share / count);
    T const rate = net.lower_factor * net.lower_factor;
    for_each_pair(gram.size(), [&](std::size_t k, std::size_t l, int times) {
        PairProducts<Rational> const pair{.xx = met[k][k], .yy = met[l][l], .xy = met[k][l]};
        PairProducts<T> const products{.xx = T(pair.xx), .yy = T(pair.yy), .xy = T(pair.xy)};
        auto const of_pair = error_product(net, neuron_moments(gate, products, angle(pair)), targets[k][l]);
        Rational const both(k == l ? of_all + of_one : of_all * times);
        for (std::size_t m = 0; m < gram.size(); ++m) {
            T const weight = rate * T(Rational(both * gram[m][k] * gram[m][l]));
            out[m].a = out[m].a + weight * of_pair.a;
            out[m].b = out[m].b + weight * of_pair.b;
        }
    });
    return out;
}

}  // namespace

std::vector<BatchChange<Enclosed>> batch_step(FullyConnected<Surd, std::uint64_t> const& net, Gram const& gram,
                                              std::vector<std::vector<Enclosed>> const& targets, Rational const& share,
                                              unsigned bits) {
    one_hidden_layer::require_one_hidden_layer(net, "batch_step");
    one_hidden_layer::require_targets(targets.size(), gram, "batch_step");
    auto const met = one_hidden_layer::with_biases(net, gram, "batch_step");
    return one_hidden_layer::enclosed(net, bits, "batch_step",
                                      [&](auto const& layers, auto const& gate, auto const& angle) {
                                          return at_inputs(layers, gate, gram, met, targets, share, angle);
                                      });
}

template <Field R>
std::optional<std::vector<BatchChange<R>>> exact_batch_step(FullyConnected<R, std::uint64_t> const& net,
                                                            Gram const& gram,
                                                            std::vector<std::vector<R>> const& targets,
                                                            Rational const& share) {
    one_hidden_layer::require_one_hidden_layer(net, "batch_step");
    one_hidden_layer::require_targets(targets.size(), gram, "batch_step");
    auto const met = one_hidden_layer::with_biases(net, gram, "batch_step");
    return one_hidden_layer::in_ring(net, met, [&](auto const& layers, auto const& gate, auto const& angle) {
        return at_inputs(layers, gate, gram, met, targets, share, angle);
    });
}

template std::optional<std::vector<BatchChange<Surd>>> exact_batch_step(FullyConnected<Surd, std::uint64_t> const&,
                                                                        Gram const&,
                                                                        std::vector<std::vector<Surd>> const&,
                                                                        Rational const&);
template std::optional<std::vector<BatchChange<RationalFunction>>> exact_batch_step(
    FullyConnected<RationalFunction, std::uint64_t> const&, Gram const&,
    std::vector<std::vector<RationalFunction>> const&, Rational const&);

}  // namespace isserlis
