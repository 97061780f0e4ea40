// SPDX-License-Identifier: MIT
#include "quantity/jacobian/jacobian_quantity.hpp"

#include <isserlis/error.hpp>
#include <isserlis/report/answer.hpp>
#include <isserlis/ring/members.hpp>

#include "quantity/jacobian/jacobian_rows.hpp"

namespace isserlis::quantity {
namespace {

/// The quantity of one network in numbers.
template <class N>
typename N::Value quantity_of(std::string const& quantity, std::vector<TransferStage<typename N::Value>> const& stages,
                              ModelText const& text, std::optional<MatrixPlace<std::uint64_t>> const& at,
                              typename N::Value const& squared_norm, typename N::Value const& fourth) {
    using R = typename N::Value;
    auto chosen = [&](NormMoments<R> const& m) {
        return quantity.ends_with("mean") ? m.mean : R(m.variance / (m.mean * m.mean));
    };
    if (text.wiring == Wiring::dense) {
        std::vector<TransferLayer<R>> layers;
        for (auto const& stage : stages) layers.push_back(stage.layers.front());
        DenseJacobian<N> const network(layers, text.first_source, squared_norm, fourth);
        if (!at) return chosen(network.output());
        return chosen(
            as_differentiated(text, network.at(at->place.run + 1, R(0)).jacobian, layers[at->place.run].variance));
    }
    ChainJacobian<N> const network(stages, squared_norm, fourth);
    if (!at) return chosen(network.output());
    auto const by_weights =
        network.at({.run = at->place.run, .within = at->place.within, .matrix = at->matrix}, R(0)).jacobian;
    return chosen(as_differentiated(text, by_weights, stages[at->place.run].layers[at->matrix - 1].variance));
}

}  // namespace

Surd network_quantity(std::string const& quantity, ModelText const& text, JacobianRequest const& request,
                      Bindings const& bindings) {
    auto const model = numeric_model(text, bindings);
    auto const stages = blocks_of(model, text);
    Surd const fourth = fourth_of(model, stages);
    std::optional<MatrixPlace<std::uint64_t>> at;
    if (!quantity.starts_with("output")) {
        Answer unused("jacobian", {});
        auto const places = places_asked(stages, text, request, unused);
        if (places.size() != 1) {
            throw DomainError("`layer` is missing: `of` " + quantity + " is that of one weight matrix of " +
                                  std::to_string(places.size()),
                              "layer");
        }
        at = places.front();
    }
    auto const is_rational = [](Surd const& x) { return x.is_rational(); };
    if (all_numbers(stages, is_rational) && model.squared_norm.is_rational() && fourth.is_rational()) {
        auto const to_rational = [](Surd const& x) { return x.to_rational(); };
        return quantity_of<Fractions<Rational>>(quantity, converted<Rational>(stages, to_rational), text, at,
                                                model.squared_norm.to_rational(), fourth.to_rational());
    }
    return quantity_of<Fractions<Surd>>(quantity, stages, text, at, model.squared_norm, fourth);
}

}  // namespace isserlis::quantity
