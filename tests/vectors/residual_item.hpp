// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <isserlis/network/fully_connected.hpp>

#include <map>
#include <string>

#include "layers.hpp"
#include "vector_file.hpp"

/// The networks that residual.json describes.
namespace vectors {

using isserlis::Rational;

inline isserlis::Activation<Rational> activation_of(json const& in) {
    using isserlis::ActivationKind;
    static std::map<std::string, ActivationKind> const kinds = {{"linear", ActivationKind::linear},
                                                                {"relu", ActivationKind::relu},
                                                                {"leaky", ActivationKind::leaky},
                                                                {"cr", ActivationKind::crelu}};
    isserlis::Activation<Rational> out;
    out.kind = kinds.at(in["activation"]);
    if (in.value("tied_PN", false)) out.kind = ActivationKind::crelu_tied;
    if (in.contains("slope")) out.slope = number(in["slope"]);
    return out;
}

inline isserlis::WeightLaw<Rational> law_of_kurtosis(Rational const& kurtosis) {
    return {.kind = isserlis::LawKind::kurtosis, .kurtosis_value = kurtosis};
}

inline isserlis::FullyConnected<Rational, Count> vanilla_network(json const& in) {
    isserlis::FullyConnected<Rational, Count> net;
    net.layers = layers_of<Rational>(in["widths"]);
    net.activation = activation_of(in);
    net.gated_head = in["last_activation"].get<bool>();
    REQUIRE(net.layers.size() == in["c2"].size());
    for (std::size_t l = 0; l < net.layers.size(); ++l) {
        net.layers[l].variance = number(in["c2"][l]);
        net.layers[l].law = law_of_kurtosis(number(in["kurtosis"][l]));
    }
    return net;
}

/// |x|^2 and sum x_i^4, for an x that may have to be divided by its norm.
struct InputPowers {
    Rational squares;
    Rational fourths;
};

inline InputPowers input_powers(json const& in) {
    InputPowers out{.squares = 0, .fourths = 0};
    for (auto const& x : numbers(in["x"])) {
        out.squares += x * x;
        out.fourths += x * x * x * x;
    }
    if (in["normalize_x"].get<bool>()) {
        return {.squares = 1, .fourths = isserlis::quotient(out.fourths, out.squares * out.squares)};
    }
    return out;
}

}  // namespace vectors
