// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isserlis::mlp {

/// The units of the batched pass. A function of them is a switch without default: a new one has to be known everywhere.
enum class UnitKind {
    identity,
    relu,
    leaky,  ///< slope below 0 fixed
    crelu,  ///< the identity; matrices out of it have a side P for max(h, 0) and a side N for min(h, 0)
    step,   ///< -1 below 0, else 1; no derivative
    sigmoid,
    tanh,
    prelu,  ///< leaky, with one slope for each node among the parameters
    arctan,
    softsign,
    softplus,
    elu,  ///< alpha (e^z - 1) below 0
    selu,
    swish,
    gelu,  ///< z Phi(z), not the approximation by tanh
    erf,
    sin,
    cos,
};

/// A unit and its constant.
struct Unit {
    UnitKind kind = UnitKind::identity;
    std::optional<double>
        slope{};  ///< leaky: 0.01 unless given; prelu: the first slope, 0.25; elu: alpha, 1; no others

    [[nodiscard]] bool has_trained_slope() const { return kind == UnitKind::prelu; }
    /// The slope, given or not; 0 for a unit without one.
    [[nodiscard]] double constant() const;
};

/// What the constant is if it is not given; nothing for a unit without one.
[[nodiscard]] std::optional<double> usual_constant(UnitKind kind);

/// The name for users; `unit_kind` reads it and gives nothing for a name that is none.
[[nodiscard]] char const* name(UnitKind kind);
/// All of them.
[[nodiscard]] std::vector<std::string> unit_names();
[[nodiscard]] std::optional<UnitKind> unit_kind(std::string_view wanted);

/// Value and first two derivatives of a unit by its pre-activation.
template <class T>
struct UnitJet {
    T value{};
    T first{};
    T second{};
};

/// sigma(z), sigma'(z) and sigma''(z).
///
/// Law     none. At 0 the derivative of ReLU is 0, of leaky and prelu the slope, of ELU and SELU that from below; step
///         is 1 there; second derivatives are 0 where there is none.
/// Shape   one number; at plus and minus infinity the limits, where these are finite, and NaN of sin and cos, which have none;
///         NaN stays NaN.
/// Units   pure numbers.
/// Errors  none. Smooth units are evaluated in double and rounded to T: some units of the last place wherever sigma,
///         sigma' or sigma'' is not near a root of its own, tails included.
/// Source  [Liquet 2024, section 5.3]; gelu [Hendrycks 2016]; relu'(0) is 1 there, 1/2 in [Hettinger 2019, Def 3.13]
template <class T>
[[nodiscard]] UnitJet<T> unit_jet(Unit const& unit, T z);

/// The same for `count` numbers, which is faster; `second` may be null.
template <class T>
void unit_jets(Unit const& unit, std::size_t count, T const* z, T* value, T* first, T* second);

/// Is the second derivative anything but 0? Else HVPs have no term of it.
[[nodiscard]] bool is_curved(UnitKind kind);

}  // namespace isserlis::mlp
