// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/random/stream.hpp>

#include <Eigen/Core>
#include <cstddef>

namespace isserlis::monte_carlo {

/// The first columns, or rows where there are fewer, of a Haar-orthogonal matrix.
///
/// Law     Q of a QR decomposition of normal numbers whose R has a positive diagonal, which makes it uniform.
/// Shape   rows x columns.
/// Units   columns (rows) of length 1.
/// Errors  none.
/// Source  [Mezzadri 2007]
[[nodiscard]] Eigen::MatrixXd semi_orthogonal(std::size_t rows, std::size_t columns, Stream& stream);

}  // namespace isserlis::monte_carlo
