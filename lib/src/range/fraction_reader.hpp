// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/rational.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace isserlis::quantity {

/// Reads plain arithmetic: no words, roots, divisors that are 0, nor large powers.
class FractionReader {
public:
    /// The values, and what is read, outlive it.
    explicit FractionReader(std::map<std::string, Rational> const& values) : values_(values) {}

    [[nodiscard]] std::optional<Rational> value(Expression const& e);

private:
    [[nodiscard]] std::optional<Rational> sum(Expression const& e);
    [[nodiscard]] std::optional<Rational> product(Expression const& e);
    [[nodiscard]] Rational const* kept(Expression const& e);
    [[nodiscard]] std::optional<Rational> power_of(Expression const& e);

    std::map<std::string, Rational> const& values_;
    std::map<std::string_view, std::map<Rational, std::optional<Rational>>> powers_;
};

}  // namespace isserlis::quantity
