// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <string>

namespace isserlis {

/// In the format of printf; "-" beyond the range of double.
[[nodiscard]] std::string short_number(double x, char const* format);

/// What the check of a result says, or of a bound whether it holds; "-" where neither is known.
[[nodiscard]] char const* verdict_of(Result const& result);

/// What was sampled beside a value, and what follows; whether a bound holds; or nothing.
[[nodiscard]] std::string verdict_text(Result const& result);

}  // namespace isserlis
