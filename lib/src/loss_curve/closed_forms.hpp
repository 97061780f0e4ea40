// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/members.hpp>
#include <isserlis/ring/scaled_double.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <isserlis/loss_curve/numbers.hpp>

namespace isserlis {

using Layers = std::vector<LayerRun<Surd, std::uint64_t>>;
/// In double, with an exponent of its own: deep networks leave the range of double.
template <class T>
[[nodiscard]] auto scaled(T const& numbers) {
    return converted<ScaledDouble>(numbers, [](Surd const& x) { return to_scaled(x); });
}
[[nodiscard]] std::uint64_t weight_layers(Numeric const& net);

/// Of slopes through gates: what they are, and up to how many samples to any digit, some seconds, and to those of
/// double-doubles, a minute.
inline constexpr char const* kernels = "sums of kernels of the angles between inputs";
inline constexpr std::size_t most_samples_of_exact_sums = 50;
inline constexpr std::size_t most_samples_of_any_digits = 500;
inline constexpr std::size_t most_samples_of_any_digits_of_triples = 256;
inline constexpr std::size_t most_samples_of_slope = 10'000;
/// Errors  UnsupportedError for more samples than slopes through gates are served for.
void require_few_for_slopes(std::size_t samples);
/// The precision at which double-doubles lose nothing.
inline constexpr unsigned bits_of_balls = 192;

/// A sum of kernels over triples of samples: to any digit of few, to those of double-doubles of many.
[[nodiscard]] CurveNumber triple_sum(std::size_t samples, std::function<Interval()> const& balls,
                                     std::function<Enclosed(unsigned bits)> const& enclosure);

/// A number that is a sum of kernels over pairs of samples.
struct KernelNumber {
    std::function<Interval()> balls;
    std::function<std::optional<KernelSum>()> exact;  ///< of rational data
    Value::Enclosure enclosure;                       ///< of others

    /// Exact where the sum is, of few samples; to any digit of more, to those of double-doubles of many.
    [[nodiscard]] CurveNumber of(std::size_t samples) const;
};

/// Exact values where they are to be had, by the closed forms below; what stays absent can be sampled.
/// Errors  UnsupportedError with the reason, what is known being filled in.
void fill_exact(NumericModel const& model, CurveData const& data, LossCurveNumbers& out);

// What is known without sampling; each fills what it knows of `out` and throws UnsupportedError where it has no answer.

/// A deep linear network with constant gradients.
void linear_fixed(Layers const& layers, CurveData const& data, LossCurveNumbers& out);
/// A deep linear network with squared errors.
void linear_squared(Layers const& layers, TargetMoments<Surd> const& data, Surd const& factor, LossCurveNumbers& out);
/// The same after a step along the gradient of a mini-batch.
void linear_batch(Layers const& layers, CurveData const& data, LossCurveNumbers& out);

/// One sample, through gates or not, of any law: constant gradients, or squared errors, where samples of equal inputs
/// are one.
void one_sample_fixed(NumericModel const& model, CurveData const& data, LossCurveNumbers& out);
void one_sample_squared(NumericModel const& model, CurveData const& data, LossCurveNumbers& out);

/// The symmetric start of a concatenated ReLU: slopes by kernels, curvature of two layers.
void tied_fixed(NumericModel const& model, CurveData const& data, LossCurveNumbers& out);
void tied_squared(NumericModel const& model, CurveData const& data, LossCurveNumbers& out);

/// One weight layer of any activation and law.
void one_layer_fixed(NumericModel const& model, CurveData const& data, LossCurveNumbers& out);
void one_layer_squared(NumericModel const& model, CurveData const& data, LossCurveNumbers& out);

/// Slopes of two layers with gates, P and N of a concatenated ReLU independent.
void two_layers_fixed(NumericModel const& model, CurveData const& data, LossCurveNumbers& out);
void two_layers_squared(NumericModel const& model, CurveData const& data, LossCurveNumbers& out);

}  // namespace isserlis
