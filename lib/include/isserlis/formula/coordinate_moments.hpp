// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstdint>
#include <tuple>
#include <vector>

namespace isserlis {

/// Second moments of one pre-activation z_i of a layer and of its change in one step; E z_i is 0.
template <class R>
struct CoordinateMoments {
    R square;         ///< E z_i^2
    R covariance;     ///< E z_i Delta z_i
    R change_square;  ///< E (Delta z_i)^2
    static constexpr auto members =
        std::tuple{&CoordinateMoments::square, &CoordinateMoments::covariance, &CoordinateMoments::change_square};

    /// E (z_i + Delta z_i)^2
    [[nodiscard]] R updated_square() const { return square + R(2) * covariance + change_square; }
    friend bool operator==(CoordinateMoments const&, CoordinateMoments const&) = default;
};

/// What a coordinate check measures of every layer, the output included, before and after one gradient step on
/// 1/2 |z^(L+1) - y|^2, one sample, to first order in the step.
///
/// Law     that of `mup_step`. Of the outputs, the mean over k of E (Delta z_k)^2: E of each one when the y_k are of
///         equal second moment.
/// Shape   that of `mup_step`; the label factors of all L + 1 layers are rates. Layers 1 .. L + 1 come back, O(layers).
/// Units   z and its change in those of the output.
/// Errors  those of `mup_step`.
/// Source  docs/formulas/coordinate_moments.md.
template <Field R>
[[nodiscard]] std::vector<CoordinateMoments<R>> coordinate_moments(FullyConnected<R, std::uint64_t> const& net,
                                                                   R const& square, R const& target_second);

/// Those of layer `layer` alone, by balanced products: quasi-linear in the size of the answer.
///
/// Law, Units, Errors, Source  those of `coordinate_moments`.
/// Shape   runs of any length; 1 <= layer <= depth, the last one being the output.
template <Field R>
[[nodiscard]] CoordinateMoments<R> coordinate_moments_of_layer(FullyConnected<R, std::uint64_t> const& net,
                                                               R const& square, R const& target_second,
                                                               std::uint64_t layer);

/// Enclosures of E Delta z_i^(l) of the hidden layers: not 0, since the step lowers |z^(L+1)| and z_i feeds the output
/// only where it is positive. Odd moments of lengths enter, hence square roots of pi and no polynomial.
///
/// Law     that of `mup_step`; E y does not enter. E Delta z of the output layer is E K_kk E y_k, 0 for targets of
///         mean 0.
/// Shape   that of `mup_step`; layers 1 .. L come back, O(sum of widths).
/// Errors  those of `mup_step`; UnsupportedError above `max_coordinate_width`.
/// Source  docs/formulas/coordinate_moments.md.
[[nodiscard]] std::vector<Interval> coordinate_change_means(FullyConnected<Surd, std::uint64_t> const& net,
                                                            Surd const& square, unsigned bits);

/// Enclosures of E |z_i^(l)| of all layers, the output included: given the layer below z_i is normal of variance
/// v_l |h|^2, so that E |z| = sqrt(2 v_l/pi) E |h|, and E |h| is a product of mean lengths of gated normals.
///
/// Law     Gaussian weights of any variances, no biases, ReLU between layers.
/// Shape   one run per layer; layers 1 .. L + 1 come back, O(sum of widths).
/// Errors  DomainError for longer runs; UnsupportedError for other activations and laws, and above
///         `max_coordinate_width`.
/// Source  docs/formulas/coordinate_moments.md.
[[nodiscard]] std::vector<Interval> absolute_preactivation_means(FullyConnected<Surd, std::uint64_t> const& net,
                                                                 Surd const& square, unsigned bits);

/// Largest width for which the sum over the number of active units is served.
inline constexpr unsigned long max_coordinate_width = 1'000'000;

}  // namespace isserlis
