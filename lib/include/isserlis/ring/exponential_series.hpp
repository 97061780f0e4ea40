// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/exp_quotient.hpp>
#include <isserlis/ring/joint_limit.hpp>

#include <cstddef>
#include <string>

namespace isserlis {

/// Does the symbol stand in an exponent, as n in (n + 5)^n? Then the formula has no PowerSeries in it.
[[nodiscard]] bool stands_in_exponent(ExpQuotient const& x, std::string const& symbol);

/// Symbol n goes to infinity alone, wherever it stands: every other one stays as it is, in exponents too.
[[nodiscard]] LimitPath alone(std::string const& n);

/// The expansion of a formula with n in exponents: (n + 5)^n/n^n is exp(5) times a series in 1/n. The leading order and
/// `order` below it; no part has bases or growth. What is exponentially smaller is left out.
/// Errors  UnsupportedError where the value goes like an exponential of n, or no such form is known.
[[nodiscard]] JointLimit exponential_series(ExpQuotient const& x, std::string const& n, std::size_t order);

/// SymPy text of what n^((leading - k)/root) stands beside: "12*exp(5)".
[[nodiscard]] std::string coefficient_text(JointLimit const& series, std::size_t k);

}  // namespace isserlis
