// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/quantities.hpp>

#include <string_view>

namespace isserlis {

/// What a quantity is, in a few words; empty for a name that is in no list.
[[nodiscard]] std::string_view summary_of(Quantity const& quantity);

}  // namespace isserlis
