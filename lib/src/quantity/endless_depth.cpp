// SPDX-License-Identifier: MIT
#include "quantity/endless_depth.hpp"

#include <isserlis/error.hpp>

#include "question/layers.hpp"

namespace isserlis::quantity {

Value formula_of_depth(ExpPolynomial const& x) {
    return x.terms().size() < 2 ? Value(x.formula()) : Value::expression(to_string(x));
}

namespace {

Exponent depth_of(Symbolic const& net) {
    Exponent out;
    for (auto const& run : net.layers) out = out + run.count;
    return out;
}

}  // namespace

HiddenLayer asked_hidden_layer(SymbolicModel const& model, Session const& session, Answer& answer) {
    std::string const last = to_string(depth_of(model.net()) - Exponent(1));
    if (!session.layer) return {.name = last, .width = model.net().layers.back().fan_in};
    auto const place = layer_places(model.net().layers, session.layer, answer).front();
    Exponent below;
    for (std::size_t r = 0; r < place.run; ++r) below = below + model.net().layers[r].count;
    Exponent const number = below + place.within;
    if (number == depth_of(model.net()))
        throw UnsupportedError("`layer` " + *session.layer + ": the output layer; hidden layers are 1 .. " + last,
                               "layer");
    if (place.label == *session.layer && !number.is_constant() &&
        !(number == below + model.net().layers[place.run].count))
        throw UnsupportedError("`layer` " + *session.layer + ": at symbolic depth a number or the last hidden layer, " +
                                   last + ", is served",
                               "layer");
    return {.name = to_string(number), .width = model.net().layers[place.run].fan_out};
}

bool is_endless(SymbolicModel const& model) { return !depth_of(model.net()).is_constant(); }

}  // namespace isserlis::quantity
