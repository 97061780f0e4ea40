// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/log_squared_norm.hpp>
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace isserlis {

/// What formulas of orthogonal weights rely on.
/// Errors  DomainError unless `larger` has one entry for each run, which is its fan-in or its fan-out, or none where its
///         weights are Gaussian; UnsupportedError for a concatenated ReLU with two matrices in each layer.
template <class R, class Count>
void check_larger_widths(FullyConnected<R, Count> const& net, std::vector<std::optional<R>> const& larger,
                         std::string const& who) {
    if (larger.size() != net.layers.size()) {
        throw DomainError(who + ": larger has " + std::to_string(larger.size()) + " entries; " +
                              std::to_string(net.layers.size()) + " are required, one for each run",
                          "larger");
    }
    if (net.activation.sides() == WeightSides::independent) {
        throw UnsupportedError(
            "`law` orthogonal: a concatenated ReLU with two orthogonal matrices in each layer is not served; "
            "`activation` crelu-tied, whose sides share a matrix, is",
            "law");
    }
    for (std::size_t i = 0; i < larger.size(); ++i) {
        if (!larger[i] || *larger[i] == net.layers[i].fan_in || *larger[i] == net.layers[i].fan_out) continue;
        throw DomainError(who + ": larger[" + std::to_string(i) + "] is neither the fan-in nor the fan-out of its run",
                          "larger");
    }
}

/// E |v|^(2p) / |x|^(2p), p = 0 .. order, of the last layer's vector v (z or h), weights Haar-orthogonal or
/// Gaussian, layer by layer.
///
/// Law     orthogonal: W = sqrt(m v) Q, independent from layer to layer; m is the larger of fan-in and fan-out, v the variance of the
///         run, Q the first columns (fan-out above fan-in) or rows of a Haar-orthogonal m x m matrix, so that every
///         entry has mean 0 and variance v.
/// Shape   as `relative_norm_moments`; `larger` has the m of each run, which symbols do not say, or none for Gaussian
///         weights.
/// Units   relative to the input: multiply by (|x|^2)^p.
/// Errors  those of `relative_norm_moments` and `check_larger_widths`. Not found out: that an entry of `larger` is the
///         smaller one.
/// Source  Q h = |h| u whatever h is, with u the first fan-out coordinates of a uniform direction g/|g| of m normal
///         numbers. |g| is independent of the direction, so each order loses E |g|^(2p) = m (m+2) .. (m+2p-2).
template <Field R, class Count>
[[nodiscard]] std::vector<R> relative_orthogonal_norm_moments(FullyConnected<R, Count> const& net,
                                                              std::vector<std::optional<R>> const& larger,
                                                              Reading reading, unsigned order) {
    check_larger_widths(net, larger, "relative_orthogonal_norm_moments");
    std::vector<R> moments = relative_norm_moments(net, reading, order);
    std::vector<std::vector<R>> factors(order + 1);
    for (std::size_t i = 0; i < larger.size(); ++i) {
        if (!larger[i]) continue;
        R const& m = *larger[i];
        R factor(1);
        for (unsigned p = 1; p <= order; ++p) {
            factor = factor * m / (m + R(static_cast<int>(2 * (p - 1))));
            factors[p].push_back(power(factor, net.layers[i].count));
        }
    }
    for (unsigned p = 1; p <= order; ++p) moments[p] = simplified(R(moments[p] * product_tree(factors[p])));
    return moments;
}

/// Enclosure of E log(|v|^2 / |x|^2) of the last layer's vector (z or h), weights Haar-orthogonal or Gaussian, layer by
/// layer, given that no ReLU layer read on the way is dead.
///
/// Law     as `relative_orthogonal_norm_moments`; the condition as `relative_log_norm_mean`.
/// Shape   as `relative_orthogonal_norm_moments`; reads and extends `memo`.
/// Units   relative to the input: add log |x|^2.
/// Errors  those of `relative_log_norm_mean` and `check_larger_widths`.
/// Source  W h = |h| sqrt(m v) g'/|g|, g' the first fan-out of m normal numbers g: the logarithm of Gaussian weights, and
///         log m - E log chi^2_m more for each orthogonal layer.
[[nodiscard]] Interval relative_orthogonal_log_norm_mean(FullyConnected<Surd, std::uint64_t> const& net,
                                                         std::vector<std::optional<Surd>> const& larger,
                                                         Reading reading, unsigned bits, LogMeanMemo& memo);

/// E log |v|^2 where it is a rational number, which no enclosure tells from its neighbours: 0 where lengths are kept,
/// -1 of 2 coordinates of a direction in 4 dimensions. None where it is irrational, and where widths of rectangular or
/// ReLU layers above `max_rational_log_width`, or leaky layers of more than two units, leave it open. Of all Gaussian layers together it is minus a
/// multiple of Euler's gamma more, and left open.
///
/// Law     as `relative_orthogonal_log_norm_mean`, with an input of the squared norm `squared_norm`.
/// Errors  those of `relative_orthogonal_norm_moments`.
/// Source  psi(1/2) = -gamma - 2 log 2, psi(1) = -gamma and psi(y + 1) = psi(y) + 1/y make it r + q log 2 + log P with
///         rational r, q and algebraic P, and q log 2 + log P is 0 or transcendental (Lindemann). 2^q is no surd unless
///         2q is whole.
[[nodiscard]] std::optional<Rational> rational_orthogonal_log_norm_mean(FullyConnected<Surd, std::uint64_t> const& net,
                                                                        std::vector<std::optional<Surd>> const& larger,
                                                                        Reading reading, Surd const& squared_norm);

inline constexpr int max_rational_log_width = 256;

}  // namespace isserlis
