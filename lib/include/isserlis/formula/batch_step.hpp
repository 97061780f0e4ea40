// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/mean_loss_hessian.hpp>

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace isserlis {

/// E (Delta u_i(x))^2 of a hidden neuron, in the part of the outputs and that of the targets.
template <class T>
struct BatchChange {
    T a;  ///< of z_k.z_l
    T b;  ///< of E|y|^2
    static constexpr auto members = std::tuple{&BatchChange::a, &BatchChange::b};

    [[nodiscard]] T change_squared() const { return a + b; }
    friend bool operator==(BatchChange const&, BatchChange const&) = default;
};

/// What two inputs of a batch give to the square of a hidden neuron's change, without x.x_k x.x_l and the rate:
/// E g_k g_l (V'e_k)_i (V'e_l)_i, e = z - y the errors.
///
/// Law     those of `hessian_product`.
/// Shape   `targets` is E y_k.y_l.
/// Errors  none.
/// Source  docs/formulas/batch_step.md
template <class T>
[[nodiscard]] BatchChange<T> error_product(TwoLayers<T> const& net, NeuronMoments<T> const& moments, T const& targets) {
    T const upper = net.upper_variance * net.upper_variance * net.outputs * net.lower_variance;
    return {.a = upper * ((net.outputs + T(2)) * moments.mixed + (net.hidden - T(1)) * moments.kernel * moments.gates) +
                 net.upper_variance * net.outputs * net.upper_bias * moments.gates,
            .b = net.upper_variance * targets * moments.gates};
}

/// At each input, the mean square change of a pre-activation of the hidden layer in one step of gradient descent on the
/// mean of 1/2 |z - y|^2 over all inputs, or over a batch of them: the whole change, since the inputs stay.
///
/// Law     that of `mean_loss_hessian`, whose biases stay.
/// Shape   two weight layers, one run each, the label factor of the lower one its rate; `gram` the products of the inputs,
///         `targets` E y_k.y_l; `share` that of `own_share`, 0 for all inputs and 1 for batches of one. One entry for each
///         input. O(p^3).
/// Errors  those of `mean_loss_hessian`; DomainError for targets of another number.
/// Source  docs/formulas/batch_step.md
[[nodiscard]] std::vector<BatchChange<Enclosed>> batch_step(FullyConnected<Surd, std::uint64_t> const& net,
                                                            std::vector<std::vector<Rational>> const& gram,
                                                            std::vector<std::vector<Enclosed>> const& targets,
                                                            Rational const& share, unsigned bits);

/// The same in the ring of the widths; none where an angle of two inputs is neither 0 nor pi and units have gates.
template <Field R>
[[nodiscard]] std::optional<std::vector<BatchChange<R>>> exact_batch_step(
    FullyConnected<R, std::uint64_t> const& net, std::vector<std::vector<Rational>> const& gram,
    std::vector<std::vector<R>> const& targets, Rational const& share = 0);

}  // namespace isserlis
