// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/network/check_layers.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace isserlis {

/// Largest width for which the sum over the number of active units is served.
inline constexpr unsigned long max_log_norm_width = 1'000'000;

/// Enclosure of E log chi^2_n = log 2 + psi(n/2).
/// Source  standard; psi is the digamma function.
[[nodiscard]] Interval log_chi_square_mean(Integer const& n, unsigned bits);

/// Enclosure of E log chi^2_K for K ~ Binomial(n, 1/2) given K >= 1: log 2 + sum_k C(n,k) psi(k/2) / (2^n - 1).
/// Errors  UnsupportedError above `max_log_norm_width`.
[[nodiscard]] Interval log_relu_chi_square_mean(Integer const& n, unsigned bits);

/// Enclosure of E log Q, Q = chi^2_K + s^2 chi^2_(n-K) with K ~ Binomial(n, 1/2), for leaky units of slope s != 0:
/// E log Q = int (exp(-e^y) - phi(e^y)^n) dy over all y, phi(t) = ((1 + 2t)^(-1/2) + (1 + 2 s^2 t)^(-1/2))/2 = E exp(-t
/// g^2 xi^2).
///
/// The trapezoidal rule converges exponentially; its error is bounded through the strip |Im y| <= pi/3, where
/// |f| <= t(1 + n(1 + s^2)/2) below t = 1 and exp(-t/2) + (c t^(-1/2))^n, c = (1 + 1/s)/sqrt(8), above.
/// Shape   `slope_squared` is s^2 > 0.
/// Errors  DomainError when s^2 <= 0; UnsupportedError above `max_log_norm_width` and for extreme slopes.
/// Source  Frullani's integral for the logarithm; strip bound of [Trefethen 2014, Thm 5.1].
[[nodiscard]] Interval log_leaky_chi_square_mean(Integer const& n, Surd const& slope_squared, unsigned bits);

/// Means of layers found so far, by width, squared slope and bits: the layers of one network share them.
using LogMeanMemo = std::map<std::tuple<Integer, std::string, unsigned>, Interval>;

/// Enclosure of E log(|v|^2 / |x|^2) of the last layer's vector (z or h), given that no ReLU layer read on the way is
/// dead. exp of it is the typical squared norm, where E |v|^2 is the mean one.
///
/// Law     Gaussian entries; one fixed input. Conditioned on every ReLU layer having an active unit, since a dead layer
///         (probability 2^-n) makes the logarithm minus infinity; other slopes need no condition.
/// Shape   as `relative_norm_moments`.
/// Errors  UnsupportedError for ReLU layers wider than `max_log_norm_width`.
/// Source  sum over layers of log v + E log of the gated chi-square.
[[nodiscard]] Interval relative_log_norm_mean(FullyConnected<Surd, std::uint64_t> const& net, Reading reading,
                                              unsigned bits);
/// The same; reads and extends `memo`.
[[nodiscard]] Interval relative_log_norm_mean(FullyConnected<Surd, std::uint64_t> const& net, Reading reading,
                                              unsigned bits, LogMeanMemo& memo);

/// Enclosure of E log(||J||^2/|x|^2), J = dy/dtheta of the one output y by the weights of any one layer, W = sqrt(v) theta,
/// given that no ReLU unit layer is dead: J is 0 if one is. The same for every layer; by W it is log v less.
///
/// Law     Gaussian entries; one fixed input. Other slopes than 0 need no condition.
/// Shape   one output; the head may be gated.
/// Errors  DomainError for more outputs than one; UnsupportedError for ReLU layers wider than `max_log_norm_width`.
/// Source  docs/formulas/log_squared_norm.md: ||J||^2/|x|^2 is the product of all variances and of a gated chi-square of
///         each hidden layer.
[[nodiscard]] Interval relative_log_jacobian_mean(FullyConnected<Surd, std::uint64_t> const& net, unsigned bits,
                                                  LogMeanMemo& memo);

}  // namespace isserlis
