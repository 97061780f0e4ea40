// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace isserlis::detail {

using Coefficients = std::vector<RationalFunction>;

/// sum_k c[k] s^(leading - k), known as far as it goes; s goes to infinity.
struct LaurentSeries {
    long leading = 0;
    Coefficients c;
};

/// Symbols that grow: each is its multiple times s^root.
struct Growing {
    std::map<std::string, RationalFunction> multiples;
    long root = 1;
    bool others_fixed = false;  ///< other symbols may stand in exponents beside them
};

/// A root of an odd power of s: twice the `root` is needed.
struct NeedsRoot {};

/// All terms that were asked for cancel: more are needed.
struct Cancels : UnsupportedError {
    using UnsupportedError::UnsupportedError;
};

/// Both as far as the shorter one goes.
[[nodiscard]] LaurentSeries operator*(LaurentSeries const& a, LaurentSeries const& b);
[[nodiscard]] LaurentSeries operator+(LaurentSeries const& a, LaurentSeries const& b);
/// That of many, merged once; of none nothing is known.
[[nodiscard]] LaurentSeries sum(std::vector<LaurentSeries> const& parts);
/// Without its leading zeros.
[[nodiscard]] LaurentSeries trimmed(LaurentSeries x);

/// log a for a series 1 + O(1/s); the result has no constant term.
[[nodiscard]] Coefficients logarithm(Coefficients const& a);
/// exp a for a series without a constant term.
[[nodiscard]] Coefficients exponential(Coefficients const& a);

/// The expansion of a formula to so many terms, fewer where its first ones cancel.
/// Errors  NeedsRoot; Cancels; UnsupportedError for a power of s with a symbol in its exponent.
[[nodiscard]] LaurentSeries expanded(RationalFunction const& x, Growing const& growing, std::size_t terms);

/// base = limit * s^degree * (1 + O(1/s)), and the logarithm of the bracket.
struct BaseGrowth {
    RationalFunction limit;
    long degree = 0;
    Coefficients logarithm;
};

/// Errors  as `expanded`.
[[nodiscard]] BaseGrowth growth_of(RationalFunction const& base, Growing const& growing, std::size_t terms);

}  // namespace isserlis::detail
