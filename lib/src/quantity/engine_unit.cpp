// SPDX-License-Identifier: MIT
#include "quantity/engine_unit.hpp"

#include <map>

namespace isserlis::quantity {

mlp::Unit engine_unit(std::string const& name) {
    static std::map<std::string, std::string> const others = {{"silu", "swish"}, {"logistic", "sigmoid"}};
    auto const at = others.find(name);
    return {.kind = mlp::unit_kind(at == others.end() ? name : at->second).value()};
}

mlp::Unit engine_unit(Gate<Rational> const& gate) {
    if (gate == Gate<Rational>::open()) return {.kind = mlp::UnitKind::identity};
    if (gate.negative == 0) return {.kind = mlp::UnitKind::relu};
    return {.kind = mlp::UnitKind::leaky, .slope = gate.negative.convert_to<double>()};
}

}  // namespace isserlis::quantity
