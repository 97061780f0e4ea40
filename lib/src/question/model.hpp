// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/model/model.hpp>

#include <set>
#include <string>
#include <type_traits>

#include "question/model_text.hpp"
#include "question/session.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {

/// Errors  DomainError naming the parameter whose value is impossible.
[[nodiscard]] NumericModel numeric_model(ModelText const& text, Bindings const& bindings);
[[nodiscard]] SymbolicModel symbolic_model(ModelText const& text, Bindings const& bindings);

/// Calls f with the numeric model when each of the symbols has a value, with the symbolic one otherwise.
template <class F>
void with_model(std::set<std::string> const& symbols, ModelText const& text, Bindings const& bindings, F const& f) {
    for (auto const& symbol : symbols) {
        if (bindings.count(symbol) == 0) {
            f(symbolic_model(text, bindings));
            return;
        }
    }
    f(numeric_model(text, bindings));
}
/// The same for the symbols of the model.
template <class F>
void with_model(ModelText const& text, Bindings const& bindings, F const& f) {
    with_model(text.symbols(), text, bindings, f);
}

/// The value of an expression whose symbols have values, over either ring; over formulas, others stay symbols.
/// Errors  DomainError and UnsupportedError naming the parameter.
template <class R>
[[nodiscard]] R value_at(Expression const& e, Bindings const& bindings, std::string const& parameter) {
    try {
        return evaluate<R>(e, [&](std::string const& name) -> R {
            auto const at = bindings.find(name);
            if (at != bindings.end()) return R(at->second);
            if constexpr (std::is_same_v<R, RationalFunction>) {
                return RationalFunction::symbol(name);
            } else {
                throw DomainError(named(parameter) + ": the symbol '" + name + "' has no value", parameter);
            }
        });
    } catch (UnsupportedError const& error) {
        throw UnsupportedError(named(parameter) + ": " + error.what(), parameter);
    }
}

/// Errors  UnsupportedError naming the parameter for a number with a root in it.
[[nodiscard]] Rational rational_of(Surd const& x, std::string const& parameter);
/// `value_at` over numbers, as a rational one.
[[nodiscard]] Rational rational_at(Expression const& e, Bindings const& bindings, std::string const& parameter);

}  // namespace isserlis::quantity
