// SPDX-License-Identifier: MIT
#pragma once

namespace isserlis::quantity {

// Why `check` leaves a result out, in the words that commands share.
inline constexpr char const* not_numeric = "a formula in symbols; give them numbers by `set`";
inline constexpr char const* not_sampled = "symbols cannot be sampled; give them values by `set`";
inline constexpr char const* not_random = "a function of the widths, with nothing to sample";
inline constexpr char const* is_sampled_itself = "a sampled value itself";

}  // namespace isserlis::quantity
