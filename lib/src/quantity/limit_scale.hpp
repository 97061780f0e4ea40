// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/limit_rows.hpp>
#include <isserlis/ring/exp_quotient.hpp>

#include <string>
#include <vector>

#include "quantity/unchecked.hpp"

namespace isserlis::quantity {

/// What goes to infinity: a width, a depth, or both with depth = b width; layer l is t depth where the depth does.
struct LimitScale {
    std::string width;            ///< empty where it is fixed
    std::string depth;            ///< likewise
    bool has_wide_depth = false;  ///< is the depth the size of widths too, and these not fixed?

    [[nodiscard]] bool is_wide() const { return depth.empty(); }
    /// All that goes to infinity, the layer too.
    [[nodiscard]] std::vector<std::string> endless() const;
    /// "limit of n and L to infinity, L = b*n; layer l is t*L"
    [[nodiscard]] std::string meaning() const;
};

/// The symbols that limits bring: depth over width, and the place of a layer.
inline constexpr char const* ratio_symbol = "b";
inline constexpr char const* place_symbol = "t";

/// Says what the scale is, and the ranges of the symbols that it brings.
void state_limit(LimitScale const& scale, Answer& answer);

/// Adds the limit and how it is approached, or why it is not known; `unchecked` says why nothing is sampled.
void add_limit_of(ExpQuotient const& x, LimitScale const& scale, LimitNames const& names,
                  std::vector<std::string> const& index, Answer& answer, char const* unchecked = not_sampled);
/// The same of the positive root of a square.
void add_limit_of_root(ExpQuotient const& square, LimitScale const& scale, LimitNames const& names,
                       std::vector<std::string> const& index, Answer& answer);

/// Adds the leading term as the width, and then the depth if there is one, go to infinity, or why it is not known.
void add_leading_of(ExpQuotient const& x, std::string const& width, std::string const& depth, std::string const& name,
                    Answer& answer);

}  // namespace isserlis::quantity
