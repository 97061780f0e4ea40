// SPDX-License-Identifier: MIT
#include "quantity/endless_depth.hpp"

#include <algorithm>
#include <isserlis/error.hpp>

#include "question/layers.hpp"

namespace isserlis::quantity {

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
    auto const& runs = model.net().layers;
    auto const place = layer_places(runs, session.layer, answer).front();
    auto const repeated =
        std::count_if(runs.begin(), runs.end(), [](auto const& run) { return !run.count.is_constant(); });
    if (place.is_any && repeated > 1)
        throw UnsupportedError("`layer` " + *session.layer +
                                   ": any layer of a run is served where one run is repeated; " +
                                   "a number or the last hidden layer, " + last + ", is served here",
                               "layer");
    Exponent below;
    for (std::size_t r = 0; r < place.run; ++r) below = below + model.net().layers[r].count;
    Exponent const number = below + place.within;
    if (number == depth_of(model.net()))
        throw UnsupportedError("`layer` " + *session.layer + ": the output layer; hidden layers are 1 .. " + last,
                               "layer");
    return {.name = to_string(number), .width = model.net().layers[place.run].fan_out};
}

bool is_endless(SymbolicModel const& model) { return !depth_of(model.net()).is_constant(); }

}  // namespace isserlis::quantity
