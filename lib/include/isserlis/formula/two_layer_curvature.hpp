// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/loss_curve_linear.hpp>
#include <isserlis/network/activation.hpp>
#include <isserlis/ring/enclosed.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstdint>
#include <vector>

namespace isserlis {

/// E L''(0) of a network of two weight layers with gates between them, relu, leaky or none, constant gradients and
/// Hessians, any number of samples.
///
/// Law     independent Gaussian weights; g^k and H_k do not depend on them.
/// Shape   d_0, d_1, d_2; Hessians one for each sample or one for all. O(s^2) operations on columns, O(s) numbers.
/// Units   those of the loss.
/// Errors  UnsupportedError for another number of layers, other laws and units that are concatenated or smooth;
///         DomainError for data that do not fit.
/// Source  docs/formulas/two_layer_curvature.md
[[nodiscard]] double two_layer_curvature(std::vector<LayerRun<double, std::uint64_t>> const& layers,
                                         Activation<double> const& activation, Rows<double> const& inputs,
                                         Rows<double> const& gradients, std::vector<Rows<double>> const& hessians);
/// A rigorous enclosure of it by inner products of the inputs, as narrow as those of the gradients and Hessians allow;
/// O(s^3) additions.
[[nodiscard]] Interval two_layer_curvature(std::vector<LayerRun<Surd, std::uint64_t>> const& layers,
                                           Activation<Surd> const& activation, Rows<Rational> const& inner,
                                           Rows<Enclosed> const& gradients, std::vector<Rows<Enclosed>> const& hessians,
                                           unsigned bits);
/// One in double-doubles.
[[nodiscard]] Interval two_layer_curvature(std::vector<LayerRun<Surd, std::uint64_t>> const& layers,
                                           Activation<Surd> const& activation, Rows<Interval> const& inputs,
                                           Rows<Enclosed> const& gradients,
                                           std::vector<Rows<Enclosed>> const& hessians);

}  // namespace isserlis
