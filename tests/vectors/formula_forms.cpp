// SPDX-License-Identifier: MIT
// The leg of the formulas through the quadratic and quartic forms of hettinger.json.
#include <doctest/doctest.h>

#include <isserlis/formula/quadratic_forms.hpp>

#include <string>

#include "layers.hpp"
#include "legs.hpp"
#include "vector_file.hpp"

namespace vectors {
namespace {

using isserlis::Rational;
using Layers = isserlis::FormLayers<Rational>;

Layers unit_layers(json const& widths, json const& in) {
    Layers out = layers_of<Rational>(widths);
    for (auto& run : out) {
        run.variance = 1;
        run.law = {.kind = isserlis::LawKind::kurtosis,
                   .kurtosis_value = in.contains("rho_1") ? number(in["rho_1"]) : Rational(3)};
    }
    return out;
}

std::vector<Rational> vector(json const& in, char const* key) {
    return in.contains(key) ? numbers(in[key]) : std::vector<Rational>{};
}

isserlis::FormInputs<Rational> inputs(json const& in) {
    return {.x = vector(in, "x"), .y = vector(in, "y"), .z = vector(in, "z")};
}
isserlis::FormOutputs<Rational> outputs(json const& in) {
    return {
        .w = vector(in, "w"), .v = vector(in, "v"), .p = in.contains("P") ? rows(in["P"]) : isserlis::Rows<Rational>{}};
}

}  // namespace

bool run_forms_by_formulas(json const& item) {
    std::string const quantity = item["quantity"];
    auto const& in = item["inputs"];
    Rational const exact = item["exact"].is_string() ? number(item["exact"]) : Rational(0);
    auto index = [&](char const* key) { return in[key].get<std::uint64_t>(); };
    if (starts_with(quantity, "Lemma A.9")) {
        CHECK(isserlis::quadratic_form_mean(unit_layers(in["m"], in), index("i"), inputs(in), outputs(in)) == exact);
    } else if (starts_with(quantity, "Lemma A.11") || starts_with(quantity, "A.11 for general rho_1")) {
        Layers const layers = unit_layers(in["m_0..m_{i-1}"], in);
        CHECK(isserlis::inner_quartic_form_mean(layers, layers.size() + 1, inputs(in), rows(in["C"])) == exact);
    } else if (starts_with(quantity, "Lemma A.12")) {
        CHECK(isserlis::norm_product_mean(unit_layers(in["m"], in), index("i"), index("j")) == exact);
    } else if (starts_with(quantity, "Lemma A.13")) {
        CHECK(isserlis::outer_quartic_form_mean(unit_layers(in["m_j..m_n"], in), 0, outputs(in), rows(in["D"])) ==
              exact);
    } else if (starts_with(quantity, "Theorem A.14")) {
        CHECK(isserlis::quartic_form_mean(unit_layers(in["m"], in), index("i"), index("j"), inputs(in), outputs(in)) ==
              exact);
    } else {
        return false;
    }
    return true;
}

}  // namespace vectors
