// SPDX-License-Identifier: MIT
#include "monte_carlo/semi_orthogonal.hpp"

#include <Eigen/QR>
#include <algorithm>

namespace isserlis::monte_carlo {

Eigen::MatrixXd semi_orthogonal(std::size_t rows, std::size_t columns, Stream& stream) {
    auto const longer = static_cast<Eigen::Index>(std::max(rows, columns));
    auto const shorter = static_cast<Eigen::Index>(std::min(rows, columns));
    Eigen::MatrixXd normals(longer, shorter);
    stream.fill_normal({normals.data(), static_cast<std::size_t>(normals.size())});
    Eigen::HouseholderQR<Eigen::MatrixXd> const qr(normals);
    Eigen::MatrixXd q = qr.householderQ() * Eigen::MatrixXd::Identity(longer, shorter);
    for (Eigen::Index j = 0; j < shorter; ++j) {
        if (qr.matrixQR()(j, j) < 0) q.col(j) = -q.col(j);
    }
    if (rows < columns) q.transposeInPlace();
    return q;
}

}  // namespace isserlis::monte_carlo
