// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/value.hpp>
#include <isserlis/ring/parse.hpp>

#include <map>
#include <string>
#include <utility>

namespace isserlis::quantity {

/// A formula at values of its symbols: an exact number, which may be too long to be written.
class ExactValue {
public:
    ExactValue(Expression formula, std::map<std::string, Rational> values)
        : formula_(std::move(formula)), values_(std::move(values)) {}

    /// The sign of the number less `target`: by enclosures, and where they do not tell exactly.
    /// Errors  DomainError for a division by 0; UnsupportedError for a number that would be too long.
    [[nodiscard]] int sign_against(Surd const& target) const;
    /// As it is. Errors  likewise.
    [[nodiscard]] Value value() const { return exact(); }
    /// Its digits alone.
    [[nodiscard]] Value digits() const;
    /// A few of them, for messages.
    [[nodiscard]] std::string shown() const;

private:
    [[nodiscard]] Surd exact() const;
    [[nodiscard]] Interval enclosure(unsigned bits) const { return enclose(formula_, bits, values_); }

    Expression formula_;
    std::map<std::string, Rational> values_;
};

}  // namespace isserlis::quantity
