// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/unit.hpp>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/run.hpp>

#include <cstdint>
#include <vector>

namespace isserlis::monte_carlo {

/// Fully connected networks at two inputs, in the NTK parametrisation with biases among the parameters, of some hidden widths
/// and of twice these; and what their means are at infinite width.
struct FiniteWidths {
    mlp::Unit unit;
    double weight_variance = 1;  ///< of W over the fan-in
    double bias_variance = 0;
    std::vector<std::uint64_t> hidden;  ///< widths of the narrower network
    double width = 1;                   ///< n of order 1/n there
    std::vector<double> x, y;
    double kernel_x = 0, kernel_xy = 0, tangent_x = 0, tangent_xy = 0;  ///< at infinite width
};

/// 2 c(2n) - c(n), c(n) being n times what the mean at width n is above that of infinite width: the coefficient of 1/n up to
/// O(1/n^2), since the terms of order 1/n of c cancel.
struct WidthCorrectionEstimates {
    Estimate vertex;      ///< of (E z^4 - 3 (E z^2)^2)/3 at x
    Estimate kernel;      ///< of E z(x)^2
    Estimate tangent;     ///< of E K(x, x)
    Estimate vertex_xy;   ///< of E z_1(x) z_1(y) z_2(x) z_2(y) - (E z(x) z(y))^2, two neurons of the layer
    Estimate kernel_xy;   ///< of E z(x) z(y)
    Estimate tangent_xy;  ///< of E K(x, y)
};

/// Draws networks of both widths, passes both inputs through, and differentiates some outputs by all parameters.
///
/// Law     Gaussian weights and biases; means over `correction_outputs` outputs, of the tangent kernel over `tangent_outputs`.
/// Shape   scalars; those of the vertices have errors to first order in what sampled means are off.
/// Errors  those of `run`; DomainError without a hidden layer.
/// Source  the definitions
[[nodiscard]] WidthCorrectionEstimates sample_width_corrections(FiniteWidths const& model, std::uint64_t samples,
                                                                std::uint64_t seed, RunControl const& control = {});

inline constexpr std::size_t correction_outputs = 64;
inline constexpr std::size_t tangent_outputs = 4;

}  // namespace isserlis::monte_carlo
