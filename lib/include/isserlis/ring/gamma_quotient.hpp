// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/interval.hpp>

namespace isserlis {

/// Gamma(x)^2/|Gamma(x + i s)|^2 = prod_(j >= 0) (1 + s^2/(x + j)^2).
///
/// Shape   x > 0, any s; the precision is that of x.
/// Errors  DomainError where x may be 0 or less.
/// Source  Stirling's series, its remainder by the first term left out: NIST DLMF, 5.11(ii)
[[nodiscard]] Interval gamma_quotient(Interval const& x, Interval const& s);

}  // namespace isserlis
