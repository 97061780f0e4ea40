// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/rational.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>

namespace isserlis::quantity {

/// A formula as it is printed, read once and put beside others at many points.
class PrintedFormula {
public:
    explicit PrintedFormula(std::string text);

    /// Is it equal to `other` at these values of its symbols? None where that cannot be told.
    [[nodiscard]] std::optional<bool> agrees(std::map<std::string, Rational> const& values,
                                             std::string const& other) const;

private:
    std::string text_;
    std::optional<Expression> read_;
    std::set<std::string> symbols_;  ///< of what was read
};

}  // namespace isserlis::quantity
