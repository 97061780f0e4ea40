// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstdint>

namespace isserlis {

/// Largest width for which the sum over the number of active units is served.
inline constexpr unsigned long max_log_norm_width = 1'000'000;

/// Enclosure of E log chi^2_n = log 2 + psi(n/2).
/// Source  standard; psi is the digamma function.
[[nodiscard]] Interval log_chi_square_mean(Integer const& n, unsigned bits);

/// Enclosure of E log chi^2_K for K ~ Binomial(n, 1/2) given K >= 1: log 2 + sum_k C(n,k) psi(k/2) / (2^n - 1).
/// Errors  UnsupportedError above `max_log_norm_width`.
[[nodiscard]] Interval log_relu_chi_square_mean(Integer const& n, unsigned bits);

/// Enclosure of E log(|v|^2 / |x|^2) of the last layer's vector (z or h), given that no ReLU layer read on the way is
/// dead. exp of it is the typical squared norm, where E |v|^2 is the mean one.
///
/// Law     Gaussian entries; one fixed input. Conditioned on every gated layer having an active unit, since a dead
/// layer
///         (probability 2^-n) makes the logarithm minus infinity.
/// Shape   as `relative_norm_moments`.
/// Errors  UnsupportedError for leaky slopes other than 0, 1 and -1, whose mixtures have no digamma sum.
/// Source  sum over layers of log v + log 2 + E psi(K/2), K the number of active units.
[[nodiscard]] Interval relative_log_norm_mean(FullyConnected<Surd, std::uint64_t> const& net, Reading reading,
                                              unsigned bits);

}  // namespace isserlis
