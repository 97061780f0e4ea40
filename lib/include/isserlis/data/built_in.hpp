// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/data/data_set.hpp>

#include <cstddef>

namespace isserlis {

/// The cosine to be learnt: angles at the midpoints of equal parts of [0, 2 pi), targets their cosines.
///
/// Law     none; the midpoints stand for a uniform angle.
/// Shape   d_0 = 2, d_n = 1: x = c ((angle - pi) / (pi/sqrt(3)), 1), y = cos(angle). Standardised as the uniform law
///         is, so that the mean square of x_1 is c^2 (1 - 1/samples^2), not c^2.
/// Units   of c.
/// Errors  DomainError for c = 0 or no samples; UnsupportedError above a million samples.
/// Source  [Hettinger 2019, section 4.5]
[[nodiscard]] DataSet cosine_data(std::size_t samples = 16, Rational const& c = 1);

/// The checkerboard to be classified: midpoints of a grid of side x side squares on [-2, 2]^2, labelled by the unit
/// square that they are in, 1 where floor(a) + floor(b) is odd.
///
/// Law     none; the midpoints stand for a uniform point.
/// Shape   d_0 = 3, d_n = 1: x = c (a / (2/sqrt(3)), b / (2/sqrt(3)), 1). Standardised as the uniform law is.
/// Units   of c.
/// Errors  DomainError for c = 0 or no squares; UnsupportedError above a million samples.
/// Source  [Hettinger 2019, section 4.5]
[[nodiscard]] DataSet checkerboard_data(std::size_t side = 8, Rational const& c = 1);

}  // namespace isserlis
