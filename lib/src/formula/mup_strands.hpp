// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/mup_step.hpp>
#include <isserlis/ring/fractions.hpp>
#include <isserlis/ring/matrix_chain.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace isserlis {

namespace mup_detail {

/// Six strands: A, C are the changes of z_i, B, D derivatives of outputs with the labels of A and C, E, F outputs.
/// Their 15 pairings, as far as symmetry lets them differ: without a label all are equal; with that of A and B, those
/// that pair A with B (3) and those that do not (12); with both labels, summed over which one comes first,
enum Entry : std::size_t {
    none,         ///< no label
    first_tied,   ///< one label, AB paired
    first_loose,  ///< one label, the others
    both_tied,    ///< both labels: AB, CD and EF paired (1 pairing)
    both_label,   ///< either AB or CD paired (4)
    both_output,  ///< EF paired, AB and CD not (2)
    both_loose,   ///< none of the three (8)
    chain_size
};

template <class R>
using Step = ChainStep<R, chain_size>;
template <class R>
using State = ChainState<R, chain_size>;

/// A layer of n neurons with ReLU gates: pairings whose join has 3, 2, 1 blocks meet with n^2(n+3)/8, n(n+1)/4, n/2.
template <class R>
Step<R> gates(R const& n) {
    using Element = typename Step<R>::Element;
    auto const [blocks, common] =
        Fractions<R>::over_common({R(n * n * (n + R(3)) / R(8)), R(n * (n + R(1)) / R(4)), R(n / R(2))});
    // How many pairings of one class have a join of 3, 2, 1 blocks with one of another.
    auto met = [&three = blocks[0], &two = blocks[1], &one = blocks[2]](int with_three, int with_two, int with_one) {
        return Element(Element(with_three) * three + Element(with_two) * two + Element(with_one) * one);
    };
    Step<R> step;
    step.denominator = common;
    auto& out = step.matrix;
    out[none][none] = met(1, 6, 8);
    out[first_tied][first_tied] = met(1, 2, 0);
    out[first_tied][first_loose] = met(0, 4, 8);
    out[first_loose][first_tied] = met(0, 1, 2);
    out[first_loose][first_loose] = met(1, 5, 6);
    out[both_tied][both_tied] = met(1, 0, 0);
    out[both_tied][both_label] = met(0, 4, 0);
    out[both_tied][both_output] = met(0, 2, 0);
    out[both_tied][both_loose] = met(0, 0, 8);
    out[both_label][both_tied] = met(0, 1, 0);
    out[both_label][both_label] = met(1, 1, 2);
    out[both_label][both_output] = met(0, 0, 2);
    out[both_label][both_loose] = met(0, 4, 4);
    out[both_output][both_tied] = met(0, 1, 0);
    out[both_output][both_label] = met(0, 0, 4);
    out[both_output][both_output] = met(1, 1, 0);
    out[both_output][both_loose] = met(0, 4, 4);
    out[both_loose][both_tied] = met(0, 0, 1);
    out[both_loose][both_label] = met(0, 2, 2);
    out[both_loose][both_output] = met(0, 1, 1);
    out[both_loose][both_loose] = met(1, 3, 4);
    return step;
}

/// A layer of weights of this run, whose label pairs its strands.
template <class R>
Step<R> weights(LayerRun<R, std::uint64_t> const& run) {
    R const square = run.variance * run.variance;
    auto const [v, common] = Fractions<R>::over_common({R(square * run.variance), R(square * run.label_factor),
                                                        R(run.variance * run.label_factor * run.label_factor)});
    Step<R> step;
    step.denominator = common;
    auto& out = step.matrix;
    for (std::size_t i = 0; i < chain_size; ++i) out[i][i] = v[0];
    out[first_tied][none] = v[1];
    out[both_tied][first_tied] = v[1] + v[1];
    out[both_tied][none] = v[2];
    out[both_label][first_loose] = v[1];
    return step;
}

/// The gates below the layers of a run, of `fan_in` neurons each, and its weights.
template <class R>
Step<R> gated(LayerRun<R, std::uint64_t> const& run) {
    return weights(run) * gates(run.fan_in);
}

/// Six copies of the input.
template <class R>
State<R> start(R const& square) {
    std::array<R, chain_size> out;
    out.fill(R(0));
    out[none] = square * square * square;
    return chain_state(out);
}

/// All layers of the network, whose input has no gates.
template <class R>
State<R> above_all(FullyConnected<R, std::uint64_t> const& net, R const& square) {
    std::vector<Step<R>> steps{weights(net.layers.front())};
    bool inside = false;
    for (auto const& run : net.layers) {
        std::uint64_t const count = inside ? run.count : run.count - 1;
        inside = true;
        if (count == 0) continue;
        steps.push_back(gated(run));
        steps.back().count = count;
    }
    return after(steps, start(square));
}

/// What comes down from the outputs to a layer: of the strands B, D, E, F, whose pairing BD|EF stands apart from
/// BE|DF and BF|DE together, and of the two strands of a target.
enum Descent : std::size_t { apart, together, target, descent_size };

template <class R>
ChainState<R, descent_size> outputs_of(R const& head_variance, R const& outputs) {
    R const square = head_variance * head_variance;
    return chain_state(
        std::array<R, descent_size>{R(square * outputs), R(square * outputs * (outputs + R(1))), head_variance});
}

/// The gates of a layer of n neurons and the weights below it.
template <class R>
ChainStep<R, descent_size> down(R const& n, R const& variance) {
    R const square = variance * variance;
    R const same = square * n * (n + R(1)) / R(4);
    R const other = square * n / R(2);
    Matrix<R, descent_size> out;
    out[apart][apart] = same;
    out[apart][together] = other;
    out[together][apart] = R(2) * other;
    out[together][together] = same + other;
    out[target][target] = variance * n / R(2);
    return chain_step(out);
}

/// E (Delta z_i)^2 as far as it has the squared output: the strands meet in a layer of n neurons, where A and C end in
/// one of them before the gate and the others pass it.
template <class R>
R closed(State<R> const& up, ChainState<R, descent_size> const& from_outputs, R const& n) {
    using N = Fractions<R>;
    R const half = R(1) / R(2);
    R const two = (n + R(1)) / R(4);  // two blocks, that of A and C with a gate
    R const bare = n / R(2);          // the same without one
    R const three = n * two;          // three blocks
    auto const [w, common] = N::over_common({two, half, R(2), R(R(2) * two + R(1)), R(three + two), R(bare + half),
                                             R(R(2) * (bare + two) + R(2)), R(three + bare + R(2) * two + R(2))});
    typename State<R>::Element sum(0);
    for (std::size_t i = both_tied; i <= both_loose; ++i) {
        std::size_t const at = 2 * (i - both_tied);
        auto const met = w[at] * from_outputs.numerators[apart] + w[at + 1] * from_outputs.numerators[together];
        sum = sum + up.numerators[i] * met;
    }
    auto denominator = up.denominator;
    denominator.multiply(from_outputs.denominator);
    denominator.multiply(common, 1);
    return N::divided(sum, denominator);
}

/// Those functionals of a layer that its change has; to divide one out costs as much as its strands.
template <class R>
struct ChangeFunctionals {
    R y0;
    R y1;
    R p0;
    R p1;
};

/// One layer of n neurons, from what comes up, what comes down and its functionals; `before` is E (|sigma|^2/n)^2 of
/// the layer below.
template <class R>
MupLayer<R> layer(State<R> const& up, ChainState<R, descent_size> const& from_outputs, ChangeFunctionals<R> const& y,
                  R const& before, R const& n, R const& last_width, R const& target_second) {
    return {.a = closed(up, from_outputs, n),
            .b = target_second * from_outputs.value(target) * n * y.p1 / R(2),
            .b_tilde = y.p0 / last_width,
            .c = y.y0 / last_width,
            .c_tilde = y.y1 / last_width,
            .fourth_power = R(12) * before};
}

}  // namespace mup_detail

}  // namespace isserlis
