// SPDX-License-Identifier: MIT
#include "quantity/pair_products.hpp"

#include <isserlis/error.hpp>
#include <isserlis/network/activation.hpp>
#include <isserlis/ring/rational_value.hpp>

#include "question/weight_layers.hpp"

namespace isserlis::quantity {
namespace {

template <class R>
std::optional<Rows<Rational>> rational_values(Rows<R> const& products, bool biased) {
    Rows<Rational> out;
    for (std::size_t k = 0; k < products.size(); ++k) {
        out.emplace_back();
        for (R const& x : products[k]) {
            auto const known = rational_value(x);
            if (!known) return std::nullopt;
            out.back().push_back(*known);
        }
        if (!biased && out[k][k] == 0)
            throw DomainError("`with`: an input is 0; through gates without biases every input needs |x|^2 > 0",
                              "with");
    }
    return out;
}

}  // namespace

bool gates_meet_samples(ModelText const& text) {
    if (text.wiring != Wiring::vanilla || !has_gate(text.activation)) return false;
    if (text.has_orthogonal() || !text.has_kurtosis_three() || !text.kurtoses.empty()) return false;
    auto const layers = weight_layers(text);
    if (layers == 1) return false;
    return !text.has_biases() || (layers == 2 && text.bias_law == LawKind::gaussian);
}

char const* parts_gates_from_samples(ModelText const& text) {
    if (text.wiring != Wiring::vanilla || !has_gate(text.activation)) return "activation";
    if (!text.kurtoses.empty()) return "kurtosis";
    if (text.has_orthogonal() || !text.has_kurtosis_three()) return "law";
    if (!text.has_biases()) return "activation";
    return text.bias_law == LawKind::gaussian ? "bias_variance" : "bias_law";
}

std::optional<Rows<Rational>> rational_products(Rows<Surd> const& products, bool biased) {
    return rational_values(products, biased);
}
std::optional<Rows<Rational>> rational_products(Rows<RationalFunction> const& products, bool biased) {
    return rational_values(products, biased);
}

}  // namespace isserlis::quantity
