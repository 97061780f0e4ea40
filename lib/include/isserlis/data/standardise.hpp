// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/data/data_set.hpp>

namespace isserlis {

/// The data with every feature of mean 0 and mean square c^2 over the samples, and the constant feature c.
///
/// Law     none.
/// Shape   as the data. x_i becomes |c| (x_i - mean) / sqrt(mean square deviation); targets, gradients and Hessians
///         stay. Exact: the root goes into squared_scales.
/// Units   of c.
/// Errors  DomainError for c = 0, fewer than 2 samples, or a feature that is the same in all samples.
/// Source  [Hettinger 2019, Def 4.10]
[[nodiscard]] DataSet standardised(DataSet data, Rational const& c);

}  // namespace isserlis
