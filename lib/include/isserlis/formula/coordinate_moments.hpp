// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/mup_step.hpp>
#include <isserlis/formula/ntk_moments.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isserlis {

/// Second moments of one pre-activation z_i of a layer and of its change in one step; E z_i is 0.
template <class R>
struct CoordinateMoments {
    R square;         ///< E z_i^2
    R covariance;     ///< E z_i Delta z_i
    R change_square;  ///< E (Delta z_i)^2

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
                                                                   R const& square, R const& target_second) {
    namespace detail = mup_detail;
    auto const steps = mup_step(net, square, target_second);
    auto const functionals = y_functionals(net, square);
    auto const& head = net.layers.back();
    R const outputs = net.output_width();
    R const n = head.fan_in;
    R const mean_square = square / net.input_width();
    std::vector<CoordinateMoments<R>> out;
    for (std::size_t l = 0; l < steps.size(); ++l) {
        // From layer l to the outputs and back two strands carry N/(n_l n_L) and the gate of layer l 1/2.
        out.push_back({.square = R(2) * mean_square,
                       .covariance = R(0) - outputs * functionals[l].y1 / (R(2) * n),
                       .change_square = steps[l].change_squared()});
    }

    // The output layer: six strands that end in the outputs i, i | j, j | k, k.
    detail::SixStrands<R> s(R(square * square * square));
    for (std::size_t l = 0; l < net.layers.size(); ++l) {
        auto const& run = net.layers[l];
        if (l > 0) detail::pass_gates(s, run.fan_in);
        detail::pass_weights(s, run.variance, R(run.label_factor / run.variance));
    }
    constexpr detail::Blocks ends{0, 1, 0, 2, 1, 2};
    R squared_output(0);
    for (std::size_t p = 0; p < detail::pairing_count; ++p) {
        unsigned const blocks = detail::block_count(detail::join(detail::pairings().all[p], ends));
        R free(1);  // one of the outputs is i
        for (unsigned b = 1; b < blocks; ++b) free = free * outputs;
        squared_output = squared_output + free * detail::SumDomain<R>::value(s.both[p]);
    }
    // The head has the variance 1/n^2 in place of 2/n; its tau is kept.
    R const rate = R(2) * n * n * head.label_factor;
    auto const y = next_y_functionals(functionals.back(), n, outputs, rate, mean_square);
    R const kernel_square = ntk_moments(net, square).squared_trace_mean;
    out.push_back({.square = mean_square / n,
                   .covariance = R(0) - outputs * y.y1 / (R(4) * n * n),
                   .change_square = s.scale * squared_output + target_second * kernel_square / (outputs * outputs)});
    return out;
}

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

/// Largest width for which the sum over the number of active units is served.
inline constexpr unsigned long max_coordinate_width = 1'000'000;

}  // namespace isserlis
