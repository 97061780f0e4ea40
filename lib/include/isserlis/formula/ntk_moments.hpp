// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace isserlis {

/// Moments of the tangent kernel K_oo' = sum_mu h_mu d_mu z_o d_mu z_o' of N outputs at one input.
template <class R>
struct NtkMoments {
    R mean;                 ///< E K_oo, the same for every output
    R second_moment;        ///< E K_oo^2
    R trace_mean;           ///< E tr K
    R trace_second_moment;  ///< E (tr K)^2
    R squared_trace_mean;   ///< E tr K^2
    static constexpr auto members = std::tuple{&NtkMoments::mean, &NtkMoments::second_moment, &NtkMoments::trace_mean,
                                               &NtkMoments::trace_second_moment, &NtkMoments::squared_trace_mean};

    [[nodiscard]] R variance() const { return second_moment - mean * mean; }
    friend bool operator==(NtkMoments const&, NtkMoments const&) = default;
};

/// Moments of the tangent kernel at initialisation, weight labels only.
///
/// Law     that of `label_pairs`.
/// Shape   any widths and outputs; label factors h_l are those of the runs.
/// Errors  those of `label_pairs`.
/// Source  docs/formulas/ntk_moments.md; the kernel is that of [Jacot 2018].
template <Field R, class Count>
[[nodiscard]] NtkMoments<R> ntk_moments(FullyConnected<R, Count> const& net, R const& square);

/// The same with biases, which are 0 and whose derivatives count with the factors `bias`.
///
/// Law     that of `label_pairs`.
/// Shape   `bias` has one entry per layer, the output layer last; the network has one run per layer.
/// Errors  those of `label_pairs`; DomainError for another number of biases or runs of several layers.
/// Source  docs/formulas/ntk_moments.md.
template <Field R>
[[nodiscard]] NtkMoments<R> ntk_moments(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                        std::vector<R> const& bias);

}  // namespace isserlis
