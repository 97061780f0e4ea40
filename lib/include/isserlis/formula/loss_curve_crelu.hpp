// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/crelu_kernels.hpp>
#include <isserlis/formula/layer_pair_sums.hpp>
#include <isserlis/formula/loss_curve_linear.hpp>
#include <isserlis/ring/enclosed.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace isserlis {

/// An exact number plus sums of kernels with exact coefficients: what a mean over a crelu network is. It is known
/// through enclosures of any precision, and exactly when all inputs are collinear.
class KernelSum {
public:
    KernelSum(Surd exact = Surd()) : exact_(std::move(exact)) {}  // NOLINT(google-explicit-constructor)

    /// Collects sum coefficient * kernel of pairs of inputs; equal pairs are merged, collinear ones are exact.
    class Collector {
    public:
        /// coefficient |x||y| kap1(t), by xx yy and xy. Zero products are right angles, or no input.
        void add_first(Rational const& coefficient, Rational const& squares, Rational const& inner);
        /// coefficient |x|^2|y|^2 kap2(t).
        void add_second(Rational const& coefficient, Rational const& squares, Rational const& inner);
        /// coefficient (pi - t)/pi: twice the probability that G.x and G.y are both positive.
        void add_angle(Rational const& coefficient, Rational const& squares, Rational const& inner);
        [[nodiscard]] KernelSum sum() const;

    private:
        friend class KernelSum;
        struct Coefficients {
            Rational first;
            Rational second;
            Rational angle;
        };
        Rational exact_;
        std::map<std::pair<Rational, Rational>, Coefficients> terms_;
    };

    [[nodiscard]] bool is_exact() const { return parts_.empty(); }
    /// The exact part, all of it when `is_exact()`.
    [[nodiscard]] Surd const& exact() const { return exact_; }
    [[nodiscard]] Interval enclose(unsigned bits) const;

    friend KernelSum operator+(KernelSum const& a, KernelSum const& b);
    friend KernelSum operator*(KernelSum const& a, Surd const& factor);

private:
    using Terms = std::map<std::pair<Rational, Rational>, Collector::Coefficients>;
    Surd exact_;
    std::vector<std::pair<Surd, std::shared_ptr<Terms const>>> parts_;
};

/// What the inputs of the samples come to: all inner products, which stay rational where a feature is scaled by a root.
struct InputGrams {
    Rows<Rational> inner;      ///< x^k.x^l
    Rows<Rational> rectified;  ///< sum_r relu(x_r^k x_r^l)
};

/// Errors  DomainError for no samples or unlike sizes.
[[nodiscard]] InputGrams input_grams(Rows<Rational> const& inputs);

/// Means over pairs of samples, s^-2 sum_kl g^k.g^l times:
template <class T>
struct CReluGradientMoments {
    T first;  ///< sum_r relu(x_r^k x_r^l)
    T later;  ///< |x^k||x^l| kap1(t_kl)

    static constexpr auto members = std::tuple{&CReluGradientMoments::first, &CReluGradientMoments::later};
};

/// Means over pairs of samples, s^-2 sum_kl of:
template <class T>
struct CReluTargetMoments {
    T first_inputs;    ///< sum_r relu(x_r^k x_r^l) x^k.x^l
    T first_targets;   ///< sum_r relu(x_r^k x_r^l) y^k.y^l
    T kernel_inputs;   ///< |x^k||x^l| kap1(t_kl) x^k.x^l
    T kernel_squares;  ///< |x^k|^2|x^l|^2 kap2(t_kl)
    T kernel_targets;  ///< |x^k||x^l| kap1(t_kl) y^k.y^l

    static constexpr auto members = std::tuple{&CReluTargetMoments::first_inputs, &CReluTargetMoments::first_targets,
                                               &CReluTargetMoments::kernel_inputs, &CReluTargetMoments::kernel_squares,
                                               &CReluTargetMoments::kernel_targets};
};

/// Shape   s samples: inputs of one size d_0 (the constant feature counted), gradients of one size d_n. O(s^2).
/// Errors  DomainError for no samples or unlike sizes.
/// Source  docs/formulas/loss_curve_crelu.md
[[nodiscard]] CReluGradientMoments<double> crelu_gradient_moments(Rows<double> const& inputs,
                                                                  Rows<double> const& gradients);
[[nodiscard]] CReluGradientMoments<KernelSum> crelu_gradient_moments(InputGrams const& inputs,
                                                                     Rows<Rational> const& gradients);
/// Rigorous enclosures of this precision, of gradients that are not rational.
[[nodiscard]] CReluGradientMoments<Interval> crelu_gradient_moments(InputGrams const& inputs,
                                                                    Rows<Enclosed> const& gradients, unsigned bits);
/// Rigorous enclosures in double-doubles, as the `gate_moments` of two_layer_slope.hpp.
[[nodiscard]] CReluGradientMoments<Interval> crelu_gradient_moments(Rows<Interval> const& inputs,
                                                                    Rows<Interval> const& gradients);

/// Shape   the same with targets of one size d_n.
/// Errors  those of `crelu_gradient_moments`.
/// Source  docs/formulas/loss_curve_crelu.md
[[nodiscard]] CReluTargetMoments<double> crelu_target_moments(Rows<double> const& inputs, Rows<double> const& targets);
[[nodiscard]] CReluTargetMoments<KernelSum> crelu_target_moments(InputGrams const& inputs,
                                                                 Rows<Rational> const& targets);
[[nodiscard]] CReluTargetMoments<Interval> crelu_target_moments(Rows<Interval> const& inputs,
                                                                Rows<Interval> const& targets);

/// E L'(0) of a concatenated ReLU network whose weights for both signs are equal at the start and stepped separately
/// (crelu-tied), constant gradients, any number of samples:
/// -(u_1 first + (u_2 + .. + u_n) later).
///
/// Law     independent Gaussian weights; g^k do not depend on them.
/// Shape   `layers` are the weight layers d_q x d_(q-1), u_i as in `layer_pair_sums`; T is double with double layers,
///         KernelSum or Interval with Surd.
/// Errors  UnsupportedError for other laws; those of `layer_pair_sums`.
/// Source  docs/formulas/loss_curve_crelu.md; corrects [Hettinger 2019, Thm 4.15] (docs/errata.md, H5).
template <class R, class T>
[[nodiscard]] T crelu_slope(std::vector<LayerRun<R, std::uint64_t>> const& layers,
                            CReluGradientMoments<T> const& data) {
    loss_curve_detail::require_gaussian(layers, "means over concatenated ReLU networks are");
    R const all = layer_pair_sums<2>(layers).factor_sum();
    R const first = layer_prefactor(layers) * layers.front().label_factor / layers.front().variance;
    return data.first * R(R(0) - first) + data.later * R(first - all);
}

/// E L'(0) of the same for the mean squared error (1/s) sum |z^k - y^k|^2, weights inside the gradient.
///
/// Law     independent Gaussian weights; inputs and targets fixed; any number of samples.
/// Shape, Errors  those of `crelu_slope`. Half of the loss has a quarter of the slope. The targets enter as
///         4 crelu_slope with g^k = y^k.
/// Source  docs/formulas/loss_curve_crelu.md; corrects [Hettinger 2019, Thm 4.15] (docs/errata.md, H5, H6).
template <class R, class T>
[[nodiscard]] T crelu_squared_slope(std::vector<LayerRun<R, std::uint64_t>> const& layers,
                                    CReluTargetMoments<T> const& data) {
    loss_curve_detail::require_gaussian(layers, "means over concatenated ReLU networks are");
    auto const sums = layer_pair_sums<2>(layers);
    R const outputs = layers.back().fan_out;
    R const third = R(1) / R(3);
    R const scale = sums.prefactor * outputs;
    // phi_in + d_n psi_in by channels p, m above layer i; p or m alone below it.
    ChannelVector<R, 2> const above{R((R(2) + outputs) * third), R((R(1) - outputs) * third)};
    auto channel_below = [&](std::size_t x) {
        ChannelMatrix<R, 2> weights;
        for (auto& row : weights) row.fill(R(0));
        weights[x] = above;
        return R(sums.singles(weights) * scale);
    };
    R const with_p = channel_below(0);
    R const with_m = channel_below(1);
    R const all = sums.factor_sum();
    R const first = sums.prefactor * layers.front().label_factor / layers.front().variance;
    R const first_above = first * scale * (above[0] * sums.whole(0) + above[1] * sums.whole(1));
    // nbar_i = kap2/3 p_1i + (kap1 cos t - kap2/3) m_1i; at i = 1 it is the gate of the inputs themselves.
    T const inside = data.kernel_squares * R(third * (with_p - with_m)) + data.kernel_inputs * R(with_m - first_above) +
                     data.first_inputs * first_above;
    T const targets = data.kernel_targets * R(all - first) + data.first_targets * first;
    return (inside + targets) * R(-4);
}

/// E L''(0) of a crelu-tied network of two weight layers, constant gradients and Hessians, any number of samples.
///
/// Law     independent Gaussian weights; g^k and H_k do not depend on them.
/// Shape   d_0, d_1, d_2; Hessians one for each sample or one for all. O(s^2) operations on columns, O(s) numbers.
/// Errors  UnsupportedError for another number of layers, where no closed form is known, and for other laws;
///         DomainError for data that do not fit.
/// Source  docs/formulas/loss_curve_crelu.md; replaces [Hettinger 2019, Thm 4.19] there (docs/errata.md, H5).
[[nodiscard]] double crelu_curvature_of_two_layers(std::vector<LayerRun<double, std::uint64_t>> const& layers,
                                                   Rows<double> const& inputs, Rows<double> const& gradients,
                                                   std::vector<Rows<double>> const& hessians);
/// A rigorous enclosure of it, as narrow as those of the gradients and Hessians allow; O(s^3) additions.
[[nodiscard]] Interval crelu_curvature_of_two_layers(std::vector<LayerRun<Surd, std::uint64_t>> const& layers,
                                                     InputGrams const& inputs, Rows<Enclosed> const& gradients,
                                                     std::vector<Rows<Enclosed>> const& hessians, unsigned bits);
/// One in double-doubles.
[[nodiscard]] Interval crelu_curvature_of_two_layers(std::vector<LayerRun<Surd, std::uint64_t>> const& layers,
                                                     Rows<Interval> const& inputs, Rows<Enclosed> const& gradients,
                                                     std::vector<Rows<Enclosed>> const& hessians);

}  // namespace isserlis
