// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/loss_curve_squared.hpp>
#include <isserlis/loss_curve/curve_data.hpp>
#include <isserlis/loss_curve/curve_number.hpp>
#include <isserlis/model/model.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace isserlis {

/// How many networks stand for an expectation that has no exact value.
struct CurveSampling {
    std::uint64_t networks = 0;  ///< 0: none
    bool asked = false;          ///< so many were asked for, however long they take
    std::uint64_t seed = 1;
    monte_carlo::RunControl control;
};

/// The parabola of an expected loss, number by number.
struct LossCurveNumbers {
    CurveNumber loss = CurveNumber::absent("");
    CurveNumber slope = CurveNumber::absent("");
    CurveNumber curvature = CurveNumber::absent("");
    CurveNumber curvature_chi = CurveNumber::absent("");
    CurveNumber curvature_gamma = CurveNumber::absent("");
    CurveNumber slope_printed = CurveNumber::absent("");
    CurveNumber curvature_printed = CurveNumber::absent("");
    CurveNumber vertex_rate = CurveNumber::absent("");
    CurveNumber vertex_rate_printed = CurveNumber::absent("");
};

/// Exact where a formula or the strand engine reaches, else sampled, with the linear network as a control variate where
/// it helps. `model` says which network: linear, tied or untied concatenated ReLU, ReLU, leaky. `known` is the curve of a
/// squared error, for where no closed form reaches.
/// Errors  UnsupportedError for a gated head; DomainError when the widths do not fit the data.
[[nodiscard]] LossCurveNumbers loss_curve_numbers(NumericModel const& model, CurveData const& data,
                                                  CurveSampling const& sampling,
                                                  std::optional<SquaredLossCurve<Surd>> const& known = std::nullopt);
/// Formulas in the widths, for linear networks.
[[nodiscard]] LossCurveNumbers loss_curve_numbers(
    SymbolicModel const& model, CurveData const& data,
    std::optional<SquaredLossCurve<RationalFunction>> const& known = std::nullopt);

}  // namespace isserlis
