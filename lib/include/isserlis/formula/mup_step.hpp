// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/y_functionals.hpp>
#include <isserlis/ring/matrix_chain.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace isserlis {

/// What one linearised gradient step changes at layer l, and the paper's letters.
template <class R>
struct MupLayer {
    R a;             ///< the part of E (Delta z_i)^2 with the squared output
    R b;             ///< the part with E|y|^2
    R b_tilde;       ///< [(d z)^2, (e z)^2]/n_L, labels weighted by the rates
    R c;             ///< [(d z)^2, z^2]/n_L
    R c_tilde;       ///< [z dz, z dz]/n_L
    R fourth_power;  ///< E (z_i)^4
    static constexpr auto members = std::tuple{&MupLayer::a, &MupLayer::b,       &MupLayer::b_tilde,
                                               &MupLayer::c, &MupLayer::c_tilde, &MupLayer::fourth_power};

    [[nodiscard]] R change_squared() const { return a + b; }
    friend bool operator==(MupLayer const&, MupLayer const&) = default;
};

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

/// A layer of n neurons with ReLU gates: pairings whose join has 3, 2, 1 blocks meet with n^2(n+3)/8, n(n+1)/4, n/2.
template <class R>
Matrix<R, chain_size> gates(R const& n) {
    R const three = n * n * (n + R(3)) / R(8);
    R const two = n * (n + R(1)) / R(4);
    R const one = n / R(2);
    // How many pairings of one class have a join of 3, 2, 1 blocks with one of another.
    auto met = [&](int with_three, int with_two, int with_one) {
        return R(R(with_three) * three + R(with_two) * two + R(with_one) * one);
    };
    Matrix<R, chain_size> out;
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
    return out;
}

/// A weight layer of this variance; `tau` is the label factor over the variance. A label pairs its strands.
template <class R>
Matrix<R, chain_size> weights(R const& variance, R const& tau) {
    R const cube = variance * variance * variance;
    Matrix<R, chain_size> out;
    for (std::size_t i = 0; i < chain_size; ++i) out[i][i] = cube;
    out[first_tied][none] = tau * cube;
    out[both_tied][first_tied] = R(2) * tau * cube;
    out[both_tied][none] = tau * tau * cube;
    out[both_label][first_loose] = tau * cube;
    return out;
}

template <class R>
using Step = ChainStep<R, chain_size>;
template <class R>
using State = ChainState<R, chain_size>;

template <class R>
Step<R> weights_of(LayerRun<R, std::uint64_t> const& run) {
    return chain_step(weights(run.variance, R(run.label_factor / run.variance)));
}

/// The gates below the layers of a run, of `fan_in` neurons each, and its weights.
template <class R>
Step<R> gated(LayerRun<R, std::uint64_t> const& run) {
    return weights_of(run) * chain_step(gates(run.fan_in));
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
    std::vector<Step<R>> steps{weights_of(net.layers.front())};
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
    using N = Numerators<R>;
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

/// One layer of n neurons, from what comes up, what comes down and its functionals; `before` is E (|sigma|^2/n)^2 of
/// the layer below.
template <class R>
MupLayer<R> layer(State<R> const& up, ChainState<R, descent_size> const& from_outputs, YFunctionals<R> const& y,
                  R const& before, R const& n, R const& last_width, R const& target_second) {
    return {.a = closed(up, from_outputs, n),
            .b = target_second * from_outputs.value(target) * n * y.p1 / R(2),
            .b_tilde = y.p0 / last_width,
            .c = y.y0 / last_width,
            .c_tilde = y.y1 / last_width,
            .fourth_power = R(12) * before};
}

}  // namespace mup_detail

/// Errors  those of `check_layers`; UnsupportedError without a hidden layer, for another activation than ReLU, and for
/// other variances than
///         2/fan_in and 1/n_L^2 in the output layer.
template <class R>
void require_mup(FullyConnected<R, std::uint64_t> const& net) {
    check_layers(net, "mup_step");
    if (depth(net) < 2)
        throw UnsupportedError("`widths`: there is no hidden layer whose change could be asked for", "widths");
    R const last_width = net.layers.back().fan_in;
    if (!(net.layers.back().variance * last_width * last_width == R(1))) {
        throw UnsupportedError("`variance`: the output layer needs the variance 1/n_L^2, that of `scheme` mean-field",
                               "variance");
    }
    for (auto const& run : net.layers) {
        if (run.law.kind != LawKind::gaussian)  // sixth moments enter: kurtosis 3 is not enough
            throw UnsupportedError("`law`: one step of muP is served for Gaussian weights only", "law");
    }
    require_functionals(net);
}

/// One step of gradient descent on 1/2 |z^(L+1) - y|^2 at initialisation, one sample, to first order in the step:
/// Delta z_i^(l) = - sum_mu h_mu d_mu z_i^(l) sum_k d_mu z_k^(L+1) (z_k^(L+1) - y_k), h_mu the rate of the layer of mu.
///
/// Law     Gaussian weights of variance 2/fan_in, 1/n_L^2 in the output layer (muP), no biases, ReLU; y independent of
///         the weights, E|y|^2 = `target_second` over all outputs, any mean.
/// Shape   one run per layer; the label factors of the hidden layers are the rates. Layers 1 .. L come back, O(layers).
/// Units   Delta z is linear in the rates.
/// Errors  UnsupportedError for other variances, laws or activations, and without a hidden layer.
/// Source  [Jelassi 2023, section 2], corrected: docs/formulas/mup_step.md.
template <Field R>
[[nodiscard]] std::vector<MupLayer<R>> mup_step(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                                R const& target_second) {
    namespace detail = mup_detail;
    require_mup(net);
    check_single_layers(net, "mup_step");
    std::size_t const hidden = net.layers.size() - 1;
    auto const functionals = y_functionals(net, square);
    auto const& head = net.layers.back();
    std::vector<ChainState<R, detail::descent_size>> descent(hidden + 1);
    descent[hidden] = detail::outputs_of(head.variance, net.output_width());
    for (std::size_t l = hidden; l-- > 1;) {
        auto const& above = net.layers[l];  // the weights into layer l + 1
        descent[l] = after(detail::down(above.fan_out, above.variance), descent[l + 1]);
    }
    auto state = detail::start(square);
    std::vector<MupLayer<R>> out;
    R const mean_square = square / net.input_width();
    R before = mean_square * mean_square;
    for (std::size_t l = 1; l <= hidden; ++l) {
        auto const& run = net.layers[l - 1];
        state = after(l == 1 ? detail::weights_of(run) : detail::gated(run), std::move(state));
        out.push_back(
            detail::layer(state, descent[l], functionals[l - 1], before, run.fan_out, head.fan_in, target_second));
        before = functionals[l - 1].s;
    }
    return out;
}

/// The same of hidden layer `layer` alone, by balanced products: quasi-linear in the size of the answer.
///
/// Law, Units, Errors, Source  those of `mup_step`.
/// Shape   runs of any length; 1 <= layer < depth.
template <Field R>
[[nodiscard]] MupLayer<R> mup_step_of_layer(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                            R const& target_second, std::uint64_t layer) {
    namespace detail = mup_detail;
    require_mup(net);
    auto const y = y_functionals_of_layer(net, square, layer);
    auto const below = first_layers(net, layer);
    auto const& head = net.layers.back();
    std::uint64_t const hidden = depth(net) - 1;
    std::vector<ChainStep<R, detail::descent_size>> steps;
    std::uint64_t at = 0;
    for (auto const& run : net.layers) {
        std::uint64_t const from = std::max(at, layer);
        at += run.count;
        if (std::min(at, hidden) <= from) continue;
        steps.push_back(detail::down(run.fan_out, run.variance));
        steps.back().count = std::min(at, hidden) - from;
    }
    std::reverse(steps.begin(), steps.end());
    auto const descent = after(steps, detail::outputs_of(head.variance, net.output_width()));
    R const n = below.output_width();
    R const before = y.s / (R(1) + R(5) / n);
    return detail::layer(detail::above_all(below, square), descent, y, before, n, head.fan_in, target_second);
}

/// E (Delta z_i^(L))^2 of the networks n,n:L,N of muP with all rates 1, for L = first .. last.
///
/// Law, Source  those of `mup_step`.
/// Shape   `width` is n, of the input and every hidden layer; `outputs` is N. 1 <= first <= last. The first depth is
///         quasi-linear in the size of its answer, each one more linear.
/// Errors  none.
template <Field R>
[[nodiscard]] std::vector<R> mup_last_changes(R const& width, R const& outputs, std::uint64_t first, std::uint64_t last,
                                              R const& square, R const& target_second) {
    namespace detail = mup_detail;
    R const variance = R(2) / width;
    R const head = R(1) / (width * width);
    LayerRun<R, std::uint64_t> const run{.fan_in = width, .fan_out = width, .count = 1, .variance = variance};
    auto six = detail::gated(run);
    auto four = y_functionals_detail::step<R>(width, width, width);
    six.count = four.count = first - 1;
    constexpr std::size_t p1 = 7;  // of the chain of functionals
    auto state = after(six, after(detail::weights_of(run), detail::start(square)));
    six.count = 1;
    auto y = after(four, y_functionals_detail::start(R(square / width)));
    four.count = 1;
    auto const descent = detail::outputs_of(head, outputs);
    std::vector<R> out;
    for (std::uint64_t l = first; l <= last; ++l) {
        if (l > first) state = after(six, std::move(state));
        y = after(four, std::move(y));
        out.push_back(detail::closed(state, descent, width) + target_second * head * width * y.value(p1) / R(2));
    }
    return out;
}

/// What `mup_last_changes` tends to as n goes to infinity, |x|^2 = n: L (2 L^2 + 1)/6 (E|y|^2 + g + 2 L g^2), g = N/n.
///
/// Law, Source  those of `mup_step`. g = 0 stands for any fixed number of outputs: the rate goes like L^(-3/2), else
///         like L^(-2).
/// Shape   `outputs_per_width` is g.
/// Errors  none.
template <Field R>
[[nodiscard]] R mup_limit_change(R const& depth, R const& outputs_per_width, R const& target_second) {
    R const& g = outputs_per_width;
    return depth * (R(2) * depth * depth + R(1)) / R(6) * (target_second + g + R(2) * depth * g * g);
}

}  // namespace isserlis
