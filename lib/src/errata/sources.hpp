// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/errata/errata.hpp>
#include <isserlis/ring/rational.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace isserlis::errata {

using Formula = RationalFunction;

[[nodiscard]] std::vector<Item> hettinger_items();
[[nodiscard]] std::vector<Item> residual_items();        ///< to R12
[[nodiscard]] std::vector<Item> dense_residual_items();  ///< from R13 on
[[nodiscard]] std::vector<Item> maximal_rate_items();
[[nodiscard]] std::vector<Item> mup_items();
[[nodiscard]] std::vector<Item> book_items();

/// The fraction p/q.
[[nodiscard]] inline Formula fraction(int p, int q) { return Formula(Rational(p) / q); }

/// factor exp(x) - less, of numbers.
[[nodiscard]] inline Value exponential(Formula const& factor, Formula const& x, Formula const& less = 0) {
    std::string const before = factor == Formula(1) ? "" : to_string(factor) + "*";
    return Value::expression(before + "exp(" + to_string(x) + ")" + (less.is_zero() ? "" : " - " + to_string(less)));
}

/// A formula that needs no row.
[[nodiscard]] inline Side computed(Value value) {
    return [value = std::move(value)](Rows const&, Rows const&) { return value; };
}

/// A formula in the rows of the command, or of both.
[[nodiscard]] inline Side of_rows(Formula (*formula)(Rows const& here)) {
    return [formula](Rows const& here, Rows const&) { return Value(formula(here)); };
}
[[nodiscard]] inline Side of_both(Formula (*formula)(Rows const& here, Rows const& there)) {
    return [formula](Rows const& here, Rows const& there) { return Value(formula(here, there)); };
}

}  // namespace isserlis::errata
