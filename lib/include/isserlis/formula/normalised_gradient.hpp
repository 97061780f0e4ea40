// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstdint>

namespace isserlis {

/// Enclosures of E log chi^2_(K-1) and E log chi^2_K, K ~ Binomial(n, 1/2) given K >= 2.
struct ActiveLogMeans {
    Interval of_one_less;
    Interval of_all;
};
/// Errors  DomainError below n = 2; UnsupportedError above `max_log_norm_width`.
[[nodiscard]] ActiveLogMeans active_log_means(Integer const& n, unsigned bits);

/// Enclosure of E log(|g^(l-1)|^2/|g^l|^2), g^l = dy/dh^l of an output y = (W h^L)_i of a chain h^l = phi(N(W^l h^(l-1)))
/// with RMSNorm: what layer l makes of a gradient on its way down, 1 <= l < L.
///
/// Law     Gaussian entries; no variance enters. Given two or more active units in each hidden layer but the last, which
///         ReLU needs to hand a gradient down, whatever the last one has. One fixed input with |x|^2 = `square`.
/// Shape   the last layer of `net` is the linear head; units linear, ReLU, or of slope -1 below 0.
/// Errors  UnsupportedError for other units and for widths above `max_log_norm_width`; DomainError for l outside 1 .. L - 1
///         and for a width below 2 there or below it: N of one entry is its sign, and hands no gradient down.
/// Source  docs/formulas/normalised_gradient.md: g^l is Gaussian in the directions across h^l.
[[nodiscard]] Interval rms_gradient_log_ratio(FullyConnected<Surd, std::uint64_t> const& net, std::uint64_t layer,
                                              Surd const& square, unsigned bits);

}  // namespace isserlis
