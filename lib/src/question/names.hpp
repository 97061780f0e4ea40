// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/unit_moments.hpp>
#include <isserlis/network/activation.hpp>
#include <isserlis/network/gate.hpp>
#include <isserlis/network/scheme.hpp>
#include <isserlis/network/weight_law.hpp>
#include <isserlis/ring/rational.hpp>

#include <optional>
#include <string>

namespace isserlis::quantity {

/// An activation by name; the slope is still text.
struct NamedActivation {
    ActivationKind kind = ActivationKind::relu;
    std::optional<std::string> slope;  ///< of leaky:S
};

/// Reads relu, linear, leaky:S, crelu, crelu-tied and the names that frameworks give to the same functions, in any
/// case.
/// Errors  UnsupportedError for functions without exact formulas, with the reason; ParseError for other text.
[[nodiscard]] NamedActivation named_activation(std::string const& text);

/// A unit that is not positively homogeneous, by any of its names: the command gain knows what it does to normal
/// pre-activations.
[[nodiscard]] std::optional<SmoothUnit> smooth_unit(std::string const& name);

/// The units that can be asked for by themselves.
extern char const* const unit_choices;

/// The gate of a homogeneous one of them, linear, relu or leaky:S.
/// Errors  ParseError for what is no unit; UnsupportedError for concatenated ones.
[[nodiscard]] Gate<Rational> gate_of_unit(std::string const& word);

/// A scheme by name, with the law that the name fixes beside the variance.
struct NamedScheme {
    Scheme scheme = Scheme::he;
    std::optional<LawKind> law;
};

/// Reads the schemes of `schemes` and other names of exactly the same rules, in any case.
/// Errors  ParseError for names that frameworks use for another rule, saying which, and for other text.
[[nodiscard]] NamedScheme named_scheme(std::string const& text);

}  // namespace isserlis::quantity
