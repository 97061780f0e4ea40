// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <optional>
#include <string>
#include <vector>

namespace isserlis {

/// A result on a chart.
struct CurvePoint {
    Result const* result = nullptr;
    std::optional<double> x;  ///< none without a place on the axis
    std::string curve;        ///< what the axis does not show: "n = 16, layer 2, matrix 1"
};

/// Results of one chart, and what its axis is called.
struct Curves {
    std::string axis;
    std::vector<CurvePoint> points;
};

/// Results of quantities with one index, over the first symbol of `table`, else over the first part of the index that is
/// no sample: samples are in no order, and beside layers tell curves apart.
[[nodiscard]] Curves curves_of(Answer const& answer, std::vector<Result const*> const& results);

}  // namespace isserlis
