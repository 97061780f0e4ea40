// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/interval.hpp>

namespace isserlis {

/// Enclosure of E chi_d = sqrt(2) Gamma((d+1)/2) / Gamma(d/2), the mean length of d standard normals; about sqrt(d -
/// 1/2).
///
/// Law     d independent standard normals.
/// Errors  DomainError for d < 1.
/// Source  [Hettinger 2019, remark after Def 4.8].
[[nodiscard]] Interval chi_mean(Integer const& d, unsigned bits);

}  // namespace isserlis
