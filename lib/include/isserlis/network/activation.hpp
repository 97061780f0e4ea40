// SPDX-License-Identifier: MIT
#pragma once
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

/// An activation over the number type R; `slope` is used by `leaky` alone.
template <class R>
struct Activation {
    ActivationKind kind = ActivationKind::relu;
    R slope{};
    static constexpr auto members = std::tuple{&Activation::kind, &Activation::slope};

    [[nodiscard]] bool is_concatenated() const {
        return kind == ActivationKind::crelu || kind == ActivationKind::crelu_tied;
    }
    /// True when a hidden unit multiplies its pre-activation by a random gate.
    [[nodiscard]] bool is_gated() const { return kind == ActivationKind::relu || kind == ActivationKind::leaky; }

    /// The negative-side slope s of the gate {1, s}: 0 for ReLU, 1 where no gate changes a norm.
    [[nodiscard]] R gate_slope() const {
        if (kind == ActivationKind::relu) return R(0);
        if (kind == ActivationKind::leaky) return slope;
        return R(1);
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
