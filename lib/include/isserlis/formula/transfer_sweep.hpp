// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/transfer_moves.hpp>
#include <isserlis/ring/composed.hpp>
#include <isserlis/ring/fractions.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace isserlis {

/// A move as numerators: its mean over `mean_denominator`, its matrix over the square of that times `extra`.
template <class N>
struct CarriedMove {
    using Element = typename N::Element;
    TransferMove<Element> numerators;
    Element mean_denominator = Element(1);
    Element extra = Element(1);
};

/// A state as numerators: m over `mean`, (a, b, d) over its square times `extra`.
template <class N>
struct CarriedState {
    using Element = typename N::Element;
    TransferState<Element> numerators;
    typename N::Denominator mean;
    typename N::Denominator extra;
};

/// One move taken `count` times.
template <class N>
struct TransferStep {
    CarriedMove<N> const* move;
    std::uint64_t count = 1;
};

template <class N>
[[nodiscard]] CarriedMove<N> carried(TransferMove<typename N::Value> const& move) {
    using R = typename N::Value;
    auto const mean = N::over_common({move.mean});
    R const square = R(mean.second) * R(mean.second);
    std::vector<R> entries;
    for (auto const& row : move.second) {
        for (auto const& x : row) entries.push_back(x * square);
    }
    auto const second = N::over_common(entries);
    CarriedMove<N> out{.numerators = {}, .mean_denominator = mean.second, .extra = second.second};
    out.numerators.mean = mean.first[0];
    for (std::size_t i = 0; i < entries.size(); ++i) out.numerators.second[i / 3][i % 3] = second.first[i];
    return out;
}

template <class N>
[[nodiscard]] CarriedState<N> carried(TransferState<typename N::Value> const& state) {
    using R = typename N::Value;
    auto const mean = N::over_common({state.mean});
    R const square = R(mean.second) * R(mean.second);
    auto const second =
        N::over_common({R(state.squared * square), R(state.crossed * square), R(state.diagonal * square)});
    CarriedState<N> out{.numerators = {.mean = mean.first[0],
                                       .squared = second.first[0],
                                       .crossed = second.first[1],
                                       .diagonal = second.first[2]},
                        .mean = {},
                        .extra = {}};
    out.mean.multiply(mean.second, 1);
    out.extra.multiply(second.second, 1);
    return out;
}

/// The state after the steps, the first one first. Integers are multiplied as a balanced tree, so that the cost stays
/// quasi-linear in the size of the answer.
///
/// Errors  none.
/// Source  docs/formulas/transfer_sweep.md
template <class N>
[[nodiscard]] CarriedState<N> after(std::span<TransferStep<N> const> steps, CarriedState<N> state) {
    constexpr std::uint64_t few = 16;
    std::uint64_t total = 0;
    for (auto const& step : steps) {
        total += step.count;
        state.mean.multiply(step.move->mean_denominator, step.count);
        state.extra.multiply(step.move->extra, step.count);
    }
    if (N::tree && total > few) {
        auto const whole = [](TransferStep<N> const& step) {
            return step.count == 0 ? TransferMove<typename N::Element>{} : composed(step.move->numerators, step.count);
        };
        state.numerators = composed(steps, whole) * state.numerators;
        return state;
    }
    for (auto const& step : steps) {
        for (std::uint64_t i = 0; i < step.count; ++i) state.numerators = step.move->numerators * state.numerators;
    }
    return state;
}

template <class N>
[[nodiscard]] CarriedState<N> after(CarriedMove<N> const& move, CarriedState<N> const& state) {
    TransferStep<N> const step{.move = &move};
    return after<N>(std::span<TransferStep<N> const>(&step, 1), state);
}

}  // namespace isserlis
