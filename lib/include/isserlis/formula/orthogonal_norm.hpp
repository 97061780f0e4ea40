// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace isserlis {

/// E |v|^(2p) / |x|^(2p), p = 0 .. order, of the last layer's vector v (z or h), all weights Haar-orthogonal.
///
/// Law     W = sqrt(m v) Q, independent from layer to layer; m is the larger of fan-in and fan-out, v the variance of the
///         run, Q the first columns (fan-out above fan-in) or rows of a Haar-orthogonal m x m matrix, so that every
///         entry has mean 0 and variance v.
/// Shape   as `relative_norm_moments`; `larger` has the m of each run, which symbols do not say.
/// Units   relative to the input: multiply by (|x|^2)^p.
/// Errors  those of `relative_norm_moments`; DomainError unless `larger` has one entry for each run, which is its
///         fan-in or its fan-out. Not found out: that it is the smaller one. UnsupportedError for a concatenated ReLU
///         with two matrices in each layer.
/// Source  Q h = |h| u whatever h is, with u the first fan-out coordinates of a uniform direction g/|g| of m normal
///         numbers. |g| is independent of the direction, so each order loses E |g|^(2p) = m (m+2) .. (m+2p-2).
template <Field R, class Count>
[[nodiscard]] std::vector<R> relative_orthogonal_norm_moments(FullyConnected<R, Count> const& net,
                                                              std::vector<R> const& larger, Reading reading,
                                                              unsigned order) {
    if (larger.size() != net.layers.size()) {
        throw DomainError("relative_orthogonal_norm_moments: larger has " + std::to_string(larger.size()) +
                              " entries; " + std::to_string(net.layers.size()) + " are required, one for each run",
                          "larger");
    }
    if (net.activation.sides() == WeightSides::independent) {
        throw UnsupportedError(
            "relative_orthogonal_norm_moments: a concatenated ReLU with two orthogonal matrices in each layer is not "
            "served; one whose sides share a matrix is",
            "activation");
    }
    for (std::size_t i = 0; i < larger.size(); ++i) {
        if (larger[i] == net.layers[i].fan_in || larger[i] == net.layers[i].fan_out) continue;
        throw DomainError("relative_orthogonal_norm_moments: larger[" + std::to_string(i) +
                              "] is neither the fan-in nor the fan-out of its run",
                          "larger");
    }
    std::vector<R> moments = relative_norm_moments(net, reading, order);
    std::vector<std::vector<R>> factors(order + 1);
    for (std::size_t i = 0; i < larger.size(); ++i) {
        R const& m = larger[i];
        R factor(1);
        for (unsigned p = 1; p <= order; ++p) {
            factor = factor * m / (m + R(static_cast<int>(2 * (p - 1))));
            factors[p].push_back(power(factor, net.layers[i].count));
        }
    }
    for (unsigned p = 1; p <= order; ++p) moments[p] = simplified(R(moments[p] * product_tree(factors[p])));
    return moments;
}

}  // namespace isserlis
