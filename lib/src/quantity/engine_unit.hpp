// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/unit.hpp>
#include <isserlis/network/gate.hpp>
#include <isserlis/ring/rational.hpp>

#include <string>

namespace isserlis::quantity {

/// What the float engine calls a smooth unit, by its name here.
[[nodiscard]] mlp::Unit engine_unit(std::string const& name);
/// The unit that a gate is.
[[nodiscard]] mlp::Unit engine_unit(Gate<Rational> const& gate);

}  // namespace isserlis::quantity
