// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>

namespace isserlis {

/// x after x after .. after x, `count` >= 1 times, by squaring; `after` is associative.
template <class M, class After = std::multiplies<>>
[[nodiscard]] M composed(M x, std::uint64_t count, After const& after = {}) {
    for (; count % 2 == 0; count /= 2) x = after(x, x);
    if (count == 1) return x;
    M out = x;
    for (count /= 2; count != 0; count /= 2) {
        x = after(x, x);
        if (count % 2 == 1) out = after(x, out);
    }
    return out;
}

/// The last step after .. after the first one, as a balanced tree: the operands have about equal size, so that the cost
/// is quasi-linear in the size of the answer. At least one step; `taken(step)` is all of a step.
template <class Step, class Taken, class After = std::multiplies<>>
[[nodiscard]] auto composed(std::span<Step const> steps, Taken const& taken, After const& after = {}) {
    using M = std::decay_t<decltype(taken(steps[0]))>;
    if (steps.size() == 1) return M(taken(steps[0]));
    std::size_t const half = steps.size() / 2;
    return M(after(composed(steps.subspan(half), taken, after), composed(steps.first(half), taken, after)));
}

/// The step `count` times on v, by squaring as long as more than `few` are left: the last square would be the most
/// expensive one.
template <class M, class V, class Apply, class After = std::multiplies<>>
[[nodiscard]] V taken(M step, std::uint64_t count, V v, std::uint64_t few, Apply const& apply,
                      After const& after = {}) {
    for (; count > few; count /= 2) {
        if (count % 2 == 1) v = apply(step, v);
        step = after(step, step);
    }
    for (; count != 0; --count) v = apply(step, v);
    return v;
}

}  // namespace isserlis
