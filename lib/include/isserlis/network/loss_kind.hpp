// SPDX-License-Identifier: MIT
#pragma once
#include <array>

namespace isserlis {

/// Losses of one sample, as functions of the output z and the target y.
enum class LossKind { squared, half_squared, cross_entropy, binary_cross_entropy };

struct LossInfo {
    LossKind kind;
    char const* name;  ///< as on the command line
    char const* value;
    char const* gradient;  ///< by z
    char const* hessian;   ///< by z
    char const* targets;   ///< what y may be
    char const* source;
};

inline constexpr std::array<LossInfo, 4> losses = {{
    {LossKind::squared, "squared", "|z - y|^2", "2 (z - y)", "2 I", "a number in each entry",
     "[Hettinger 2019, Def 3.17]"},
    {LossKind::half_squared, "half-squared", "|z - y|^2 / 2", "z - y", "I", "a number in each entry",
     "half of [Hettinger 2019, Def 3.17]"},
    {LossKind::cross_entropy, "cross-entropy", "logsumexp(z) - y.z", "softmax(z) - y", "diag(p) - p p', p = softmax(z)",
     "one-hot: one entry 1, the others 0", "[Hettinger 2019, Def 3.18]"},
    {LossKind::binary_cross_entropy, "binary-cross-entropy", "sum of softplus(z_i) - y_i z_i", "sigmoid(z) - y",
     "diag(p (1 - p)), p = sigmoid(z)", "entries 0 or 1", "cross-entropy of a Bernoulli variable of logit z"},
}};

[[nodiscard]] constexpr LossInfo const& info(LossKind kind) {
    for (auto const& l : losses) {
        if (l.kind == kind) return l;
    }
    return losses.front();
}

[[nodiscard]] constexpr char const* name(LossKind kind) { return info(kind).name; }

}  // namespace isserlis
