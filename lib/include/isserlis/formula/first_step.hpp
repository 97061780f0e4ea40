// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/network/step_rule.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstdint>
#include <optional>

namespace isserlis {

/// plain + over_pi/pi
struct PiSum {
    Surd plain;
    Surd over_pi;
    friend bool operator==(PiSum const&, PiSum const&) = default;
};
[[nodiscard]] Interval enclose(PiSum const& x, unsigned bits);

/// The first step of an optimiser that forgets the size of the gradient, on one sample: W^l moves by minus eta_l (the
/// layer's `label_factor`) times what the rule makes of G^l = d loss/dW^l, which is of rank one, delta^l h^(l-1)^T.
///
/// Law     Gaussian weights of any variances, no biases, linear head; ReLU, leaky or linear units; loss 1/2 |z - y|^2,
///         or any other of whose gradient by z no entry is 0 almost surely, unless the network is dead; first order in
///         the step.
/// Shape   one run per layer, L + 1 of them; `absolute` is the sum of |x_i|, which the rule `sign` takes.
/// Source  docs/formulas/first_step.md
struct FirstStepNetwork {
    FullyConnected<Surd, std::uint64_t> net;
    Surd square;                   ///< |x|^2
    std::optional<Surd> absolute;  ///< |x|_1
};

/// log2 of the denominator of the probability that delta^l is not 0: how long `own_change_square` is.
[[nodiscard]] std::uint64_t alive_digits(FirstStepNetwork const& of, std::uint64_t layer);

/// E (Delta W^l h^(l-1))_i^2, the mean over the neurons of layer l: the part of Delta z_i^l that is the layer's own, for l = 1
/// all of it.
/// Errors  DomainError for longer runs, a layer that is not there or a missing |x|_1; UnsupportedError for other laws,
///         concatenated units, a gated head, and for the rules `descent` and `normalised`.
[[nodiscard]] PiSum own_change_square(FirstStepNetwork const& of, StepRule rule, std::uint64_t layer);

/// E |Delta z| of the one output: sum_l eta_l E |G^l|_1/|g| of `sign`, of the Frobenius norm for `orthogonal`; g = d loss/dz.
/// Errors  as above; UnsupportedError for leaky units and more than one output.
[[nodiscard]] Interval output_change_mean(FirstStepNetwork const& of, StepRule rule, unsigned bits);

/// The factor of all unit rates, at which each layer's own part of its change has mean square 1, at which E |Delta z| of the
/// one output is 1: 1 over sum_l u_l E |G^l|/|g|, u_l = (E (Delta W^l h)_i^2)^(-1/2) at rate 1. Rates of `of` do not enter.
/// Errors  as above.
[[nodiscard]] Interval joint_unit_rate(FirstStepNetwork const& of, StepRule rule, unsigned bits);

/// Its limit for n, n:L, 1 of ReLU units and variances 2/n, 1/n^2 at the output, |x|^2 = n, as n goes to infinity:
/// 1/(1 + L/sqrt(pi)) of signs, 1/(1 + L/sqrt(2)) of orthogonal steps.
/// Errors  UnsupportedError for other rules.
[[nodiscard]] Interval joint_unit_rate_limit(std::uint64_t depth, StepRule rule, unsigned bits);

/// E (Delta z)^2 of the one output under `normalised`, where all W^l = m_l w^l, of which w^l is trained, have the one rate
/// eta: eta E sum_l f_l |dz/dW^l|^2, f_l = m_l^2 eta the label factors, the neural tangent kernel by w.
/// Errors  as above; UnsupportedError for more than one output.
[[nodiscard]] Surd normalised_output_square(FirstStepNetwork const& of, Surd const& eta);

}  // namespace isserlis
