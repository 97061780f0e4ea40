// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/parse.hpp>

#include <set>
#include <string>

namespace isserlis::quantity {

inline constexpr char const* fan_in_word = "fan_in";
inline constexpr char const* fan_out_word = "fan_out";
/// Of the biases that scheme pytorch draws.
inline constexpr char const* torch_bias_variance = "1/(3*fan_in)";

/// The symbols of a variance but for the words fan_in and fan_out, which stand for what its matrix joins.
[[nodiscard]] inline std::set<std::string> symbols_of_variance(Expression const& variance) {
    auto out = variance.symbols();
    out.erase(fan_in_word);
    out.erase(fan_out_word);
    return out;
}

/// True when the variance has fan_in or fan_out in it.
[[nodiscard]] inline bool speaks_of_fans(Expression const& variance) {
    auto const symbols = variance.symbols();
    return symbols.count(fan_in_word) != 0 || symbols.count(fan_out_word) != 0;
}

}  // namespace isserlis::quantity
