// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/gate.hpp>

#include <tuple>

namespace isserlis {

/// The positively homogeneous activations. A gate multiplies a pre-activation by 1 if it is positive, else by `slope`.
enum class ActivationKind {
    linear,      ///< slope 1: no gate at all
    relu,        ///< slope 0
    leaky,       ///< any slope
    crelu,       ///< concatenated ReLU: separate weights P for relu(h) and N for -relu(-h), drawn independently
    crelu_tied,  ///< the symmetric initialisation N = P, a linear network until the first step [Hettinger 2019,
                 ///< Def 4.8]
};

/// The weights that meet an activation.
enum class WeightSides {
    one,          ///< one matrix for h
    independent,  ///< P for relu(h) and N for -relu(-h)
    tied,         ///< both, with N = P at the start
};

[[nodiscard]] constexpr WeightSides sides_of(ActivationKind kind) {
    if (kind == ActivationKind::crelu) return WeightSides::independent;
    return kind == ActivationKind::crelu_tied ? WeightSides::tied : WeightSides::one;
}

/// Does a hidden unit multiply its pre-activation by a random gate?
[[nodiscard]] constexpr bool has_gate(ActivationKind kind) {
    return kind == ActivationKind::relu || kind == ActivationKind::leaky;
}

/// An activation over the number type R; `slope` is used by `leaky` alone. What formulas depend on is its gate and the
/// sides of its weights.
template <class R>
struct Activation {
    ActivationKind kind = ActivationKind::relu;
    R slope{};
    static constexpr auto members = std::tuple{&Activation::kind, &Activation::slope};

    [[nodiscard]] WeightSides sides() const { return sides_of(kind); }
    [[nodiscard]] bool is_concatenated() const { return sides() != WeightSides::one; }
    [[nodiscard]] bool is_tied() const { return sides() == WeightSides::tied; }
    [[nodiscard]] bool is_gated() const { return has_gate(kind); }
    [[nodiscard]] bool is_relu() const { return kind == ActivationKind::relu; }
    [[nodiscard]] bool is_linear() const { return kind == ActivationKind::linear; }

    /// Of a hidden unit; open where no gate changes a norm, as in concatenated ReLU.
    [[nodiscard]] Gate<R> gate() const {
        if (kind == ActivationKind::relu) return {};
        if (kind == ActivationKind::leaky) return {R(1), slope};
        return Gate<R>::open();
    }
};

/// The name used on the command line, `leaky` without its slope.
[[nodiscard]] constexpr char const* name(ActivationKind kind) {
    switch (kind) {
        case ActivationKind::linear: return "linear";
        case ActivationKind::relu: return "relu";
        case ActivationKind::leaky: return "leaky";
        case ActivationKind::crelu: return "crelu";
        case ActivationKind::crelu_tied: return "crelu-tied";
    }
    return "";
}

}  // namespace isserlis
