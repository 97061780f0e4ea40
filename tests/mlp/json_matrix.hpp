// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/network.hpp>
#include <nlohmann/json.hpp>

namespace isserlis::mlp::testing {

/// Of a list of rows.
inline Matrix<double> matrix(nlohmann::json const& rows) {
    Matrix<double> out(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows[0].size()));
    for (Eigen::Index i = 0; i < out.rows(); ++i)
        for (Eigen::Index k = 0; k < out.cols(); ++k)
            out(i, k) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
    return out;
}

}  // namespace isserlis::mlp::testing
