// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/data/data_set.hpp>

#include <vector>

namespace isserlis {

/// Rows (relu(x), -relu(-x)): what both weight matrices of a concatenated ReLU layer see of an input.
template <class R>
[[nodiscard]] std::vector<std::vector<R>> signed_parts(std::vector<std::vector<R>> const& rows) {
    std::vector<std::vector<R>> out;
    for (auto const& row : rows) {
        out.emplace_back(row.size() * 2, R(0));
        for (std::size_t i = 0; i < row.size(); ++i) out.back()[row[i] > R(0) ? i : row.size() + i] = row[i];
    }
    return out;
}

/// The samples with each feature split into its positive and its negative part: inner products are `rectified_gram` of
/// the data. A concatenated ReLU layer of independent P and N is a plain layer on them.
///
/// Law     none.
/// Shape   2 d_0 features; there is no constant feature in the last place any more.
/// Units   of the features.
/// Errors  none.
/// Source  [Hettinger 2019, Def 3.15]
[[nodiscard]] DataSet signed_parts(DataSet data);

}  // namespace isserlis
