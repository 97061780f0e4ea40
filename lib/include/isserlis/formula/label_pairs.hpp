// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/gate_moments.hpp>
#include <isserlis/network/check_layers.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/domain.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>

#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace isserlis {

/// A sum over pairs of layers, plain and with each pair weighted by P_(max,L+1), what is left of its pairing at the
/// output.
template <class R>
struct PairSum {
    R plain;
    R decayed;
    friend bool operator==(PairSum const&, PairSum const&) = default;
};

/// All sums over two labelled weight layers k, m of a chain that fourth-order expectations are made of. With tau_k the
/// label factor over the variance, P_km = prod rho_j over the gates between k and m, and the common factor
/// E|z|^4/(N(N+2)) of the output in front:
template <class R>
struct LabelPairs {
    R gain;               ///< g = E z_i^2 of one output
    R single;             ///< g sum_k tau_k
    R distinct;           ///< g sum_(k != m) tau_k tau_m
    PairSum<R> labels;    ///< sum_k tau_k, one label, which decays by P_(k,L+1)
    PairSum<R> equal;     ///< sum_k tau_k^2
    PairSum<R> parallel;  ///< sum_(k != m) tau_k tau_m (1 + 2 P_km)/3
    PairSum<R> crossed;   ///< sum_(k != m) tau_k tau_m (1 - P_km)/3
    friend bool operator==(LabelPairs const&, LabelPairs const&) = default;
};

namespace label_pairs_detail {

/// Sums over the layers of a stretch. p = prod rho from one place to another; `up` is a common factor of all but t, d.
template <class E>
struct Stretch {
    E up;        ///< 1
    E down;      ///< p over the whole stretch
    E t;         ///< sum tau_k
    E d;         ///< sum tau_k^2
    E d_out;     ///< sum tau_k^2 p(k, end)
    E q_out;     ///< sum tau_k p(k, end)
    E q_in;      ///< sum tau_k p(start, k)
    E pair;      ///< sum_(k < m) tau_k tau_m p(k, m)
    E pair_out;  ///< sum_(k < m) tau_k tau_m p(m, end)
};

/// a below b.
template <class E>
Stretch<E> joined(Stretch<E> const& a, Stretch<E> const& b) {
    return {.up = a.up * b.up,
            .down = a.down * b.down,
            .t = a.t + b.t,
            .d = a.d + b.d,
            .d_out = a.d_out * b.down + a.up * b.d_out,
            .q_out = a.q_out * b.down + a.up * b.q_out,
            .q_in = a.q_in * b.up + a.down * b.q_in,
            .pair = a.pair * b.up + a.up * b.pair + a.q_out * b.q_in,
            .pair_out = a.pair_out * b.down + a.up * (b.pair_out + a.t * b.q_out)};
}

/// One weight layer and the gate above it, whose eigenvalues are up and down.
template <class E>
Stretch<E> one_layer(E const& tau, E const& up, E const& down) {
    return {.up = up,
            .down = down,
            .t = tau,
            .d = tau * tau,
            .d_out = tau * tau * down,
            .q_out = tau * down,
            .q_in = tau * up,
            .pair = E(0),
            .pair_out = E(0)};
}

/// `count` equal layers, count >= 1.
template <class E>
Stretch<E> repeated(Stretch<E> base, std::uint64_t count) {
    while (count % 2 == 0) {
        base = joined(base, base);
        count /= 2;
    }
    Stretch<E> out = base;
    for (count /= 2; count != 0; count /= 2) {
        base = joined(base, base);
        if (count % 2 == 1) out = joined(out, base);
    }
    return out;
}

/// The same in closed form, by geometric sums; up = 1 and down = rho != 1.
template <class R>
Stretch<R> repeated(Stretch<R> const& base, Exponent const& count) {
    if (count.is_constant()) return repeated(base, checked_count(numerator_of(count.constant())));
    R const& rho = base.down;
    if (rho == R(0)) {
        throw UnsupportedError(
            "`widths`: a layer of width 1 repeated " + to_string(count) +
                " times: its eigenvalue 0^L has no closed form that holds from the first layer on; give the depth a "
                "number",
            "widths");
    }
    R const c = from_count<R>(count);
    R const whole = power(rho, count);
    R const geometric = (R(1) - whole) / (R(1) - rho);  // 1 + rho + .. + rho^(c-1)
    R const pair = base.d * rho * (c - geometric) / (R(1) - rho);
    return {.up = R(1),
            .down = whole,
            .t = c * base.t,
            .d = c * base.d,
            .d_out = base.d * rho * geometric,
            .q_out = base.t * rho * geometric,
            .q_in = base.t * geometric,
            .pair = pair,
            .pair_out = pair};
}

template <class E>
Stretch<E> joined(std::span<Stretch<E> const> stretches) {
    if (stretches.size() == 1) return stretches[0];
    std::size_t const half = stretches.size() / 2;
    return joined(joined(stretches.first(half)), joined(stretches.subspan(half)));
}

/// The sums that `LabelPairs` holds, the pairs of sums times 3, and the plain ones of them times `up` too.
template <class E>
LabelPairs<E> sums(Stretch<E> const& s) {
    E const pairs = s.t * s.t - s.d;
    E const twisted = s.t * s.q_out - s.pair_out - s.d_out;  // sum_(k<m) tau_k tau_m p(k, end)
    return {.gain = E(1),
            .single = s.t,
            .distinct = pairs,
            .labels = {.plain = E(3) * s.t * s.up, .decayed = E(3) * s.q_out},
            .equal = {.plain = E(3) * s.d * s.up, .decayed = E(3) * s.d_out},
            .parallel = {.plain = pairs * s.up + E(4) * s.pair, .decayed = E(2) * s.pair_out + E(4) * twisted},
            .crossed = {.plain = pairs * s.up - E(2) * s.pair, .decayed = E(2) * s.pair_out - E(2) * twisted}};
}

template <class R, class F>
LabelPairs<R> with_factors(LabelPairs<R> out, R const& gain, F const& finish) {
    R const square = gain * gain;
    auto both = [&](PairSum<R>& sum) {
        sum.plain = square * finish(sum.plain);
        sum.decayed = square * finish(sum.decayed);
    };
    out.gain = gain;
    out.single = gain * out.single;
    out.distinct = gain * out.distinct;
    both(out.labels);
    both(out.equal);
    both(out.parallel);
    both(out.crossed);
    return out;
}

/// The eigenvalues of a gate layer, over n^2 g2^2: r on equal pairings, q on those that sum to zero.
template <class R>
std::pair<R, R> gate_eigenvalues(R const& width, Gate<R> const& gate) {
    R const g2 = gate.moment(2);
    R const spread = R(3) * gate.moment(4) / (g2 * g2);
    return {(width - R(1) + spread) / width, (width - R(1)) / width};
}

/// f(run, count of layers with a gate above, whether the head follows).
template <class R, class Count, class F>
void for_each_run(FullyConnected<R, Count> const& net, F const& f) {
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto const& run = net.layers[i];
        bool const last = i + 1 == net.layers.size();
        Count const gated = last ? run.count - Count(1) : run.count;
        f(run, gated, last);
    }
}

template <class R, class Count>
constexpr bool by_domain = std::is_same_v<Count, std::uint64_t> &&
                           (std::is_same_v<R, Rational> || std::is_same_v<R, double>);

}  // namespace label_pairs_detail

/// Errors  those of `check_layers`; UnsupportedError where the sums below do not hold: a kurtosis other than 3,
///         concatenated ReLU, a gate at the output.
template <class R, class Count>
void require_label_pairs(FullyConnected<R, Count> const& net) {
    check_layers(net, "label_pairs");
    if (net.activation.is_concatenated()) {
        throw UnsupportedError(
            std::string("`activation` ") + name(net.activation.kind) +
                ": concatenated ReLU has two labelled matrices per layer; served are relu, leaky and linear",
            "activation");
    }
    if (net.gated_head) throw UnsupportedError("`head`: the output is linear here; leave the option out", "head");
    for (auto const& run : net.layers) {
        if (!(run.law.kurtosis() == R(3)))
            throw UnsupportedError("`law`: Gaussian weights are required, or others of kurtosis 3", "law");
    }
}

/// The sums over pairs of labelled layers of a fully connected network, in O(layers).
///
/// Law     Gaussian weights, or symmetric ones of kurtosis 3 (no weight occurs more than four times), no biases, one
///         fixed input of squared norm `square`; gates of any slope.
/// Shape   any widths; the variance v_l and the label factor h_l are those of the runs, tau_l = h_l/v_l.
/// Units   h_l multiplies a summed pair of derivatives.
/// Errors  those of `require_label_pairs`; UnsupportedError for width 1 at symbolic depth.
/// Source  docs/formulas/label_pairs.md, by the strands of [Iyer 2023, section 5], corrected.
template <Field R, class Count>
[[nodiscard]] LabelPairs<R> label_pairs(FullyConnected<R, Count> const& net, R const& square) {
    namespace detail = label_pairs_detail;
    require_label_pairs(net);
    Gate<R> const gate = net.activation.gate();
    R const g2 = gate.moment(2);
    std::vector<R> gains{square};
    detail::for_each_run(net, [&](auto const& run, Count const& gated, bool last) {
        if (!(gated == Count(0))) gains.push_back(power(R(run.variance * run.fan_out * g2), gated));
        if (last) gains.push_back(run.variance);
    });
    R const gain = product_tree(gains);

    if constexpr (detail::by_domain<R, Count>) {
        // Over the integers: denominators are known, so nothing is reduced on the way.
        using D = Domain<R>;
        using E = typename D::Element;
        E common(1);
        for (auto const& run : net.layers) {
            if constexpr (std::is_same_v<E, Integer>) {
                common = lcm(common, D::denominator(R(run.label_factor / run.variance)));
            }
        }
        R const scale = D::finish(common, {});
        std::vector<detail::Stretch<E>> stretches;
        std::vector<DenominatorPower<E>> denominators{{.base = E(3), .exponent = 1}};
        detail::for_each_run(net, [&](auto const& run, std::uint64_t gated, bool last) {
            E const tau = D::numerator(R(scale * run.label_factor / run.variance));
            if (gated != 0) {
                auto const [r, q] = detail::gate_eigenvalues(run.fan_out, gate);
                E const of_r = D::denominator(r);
                E const of_q = D::denominator(q);
                E const den = of_r == of_q ? of_r : of_r * of_q;
                R const scaled = D::finish(den, {});
                stretches.push_back(detail::repeated(
                    detail::one_layer(tau, D::numerator(R(r * scaled)), D::numerator(R(q * scaled))), gated));
                denominators.push_back({.base = den, .exponent = gated});
            }
            if (last) stretches.push_back(detail::one_layer(tau, E(1), E(1)));
        });
        auto const s = detail::sums(detail::joined(std::span<detail::Stretch<E> const>(stretches)));
        std::vector<DenominatorPower<E>> const labels{{.base = common, .exponent = 1}};
        std::vector<DenominatorPower<E>> const pairs{{.base = common, .exponent = 2}};
        denominators.push_back(pairs.front());
        auto finish = [&](E const& x) { return D::finish(x, denominators); };
        auto both = [&](PairSum<E> const& x) { return PairSum<R>{finish(x.plain), finish(x.decayed)}; };
        PairSum<E> const one_label{.plain = common * s.labels.plain, .decayed = common * s.labels.decayed};
        LabelPairs<R> out{.gain = gain,
                          .single = D::finish(s.single, labels),
                          .distinct = D::finish(s.distinct, pairs),
                          .labels = both(one_label),
                          .equal = both(s.equal),
                          .parallel = both(s.parallel),
                          .crossed = both(s.crossed)};
        return detail::with_factors(std::move(out), gain, [](R const& x) { return x; });
    } else {
        std::vector<detail::Stretch<R>> stretches;
        std::vector<R> spreads{R(1)};
        detail::for_each_run(net, [&](auto const& run, Count const& gated, bool last) {
            R const tau = run.label_factor / run.variance;
            if (!(gated == Count(0))) {
                auto const [r, q] = detail::gate_eigenvalues(run.fan_out, gate);
                spreads.push_back(power(r, gated));
                stretches.push_back(detail::repeated(detail::one_layer(tau, R(1), R(q / r)), gated));
            }
            if (last) stretches.push_back(detail::one_layer(tau, R(1), R(1)));
        });
        R const spread = product_tree(spreads) / R(3);
        return detail::with_factors(detail::sums(detail::joined(std::span<detail::Stretch<R> const>(stretches))), gain,
                                    [&](R const& x) { return R(spread * x); });
    }
}

/// One pair of layers k <= m, by itself: what it adds to `parallel` (for k = m, to `equal`) and to `crossed`.
template <class R>
struct LabelPair {
    PairSum<R> parallel;  ///< tau_k tau_m (1 + 2 P_km)/3
    PairSum<R> crossed;   ///< tau_k tau_m (1 - P_km)/3
    R distinct;           ///< g tau_k tau_m for k != m, else 0
};

/// The pairs (row, m) of `label_pairs` for m = 1, 2, .., in O(layers).
///
/// Law     that of `label_pairs`.
/// Shape   `row` counts weight layers from 1; the network has one run per layer.
/// Errors  those of `label_pairs`; DomainError for a row that the network does not have, and for runs of several
/// layers.
template <Field R>
[[nodiscard]] std::vector<LabelPair<R>> label_pair_row(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                                       std::size_t row) {
    namespace detail = label_pairs_detail;
    require_label_pairs(net);
    check_single_layers(net, "label_pair_row");
    if (row == 0 || row > net.layers.size()) {
        throw DomainError("label_pair_row: row = " + std::to_string(row) + " of " + std::to_string(net.layers.size()) +
                              " layers; they are counted from 1",
                          "row");
    }
    Gate<R> const gate = net.activation.gate();
    std::vector<R> tau;
    std::vector<R> rho;  // above each layer; 1 above the head
    R spread(1);
    R gain = square;
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto const& run = net.layers[i];
        tau.push_back(run.label_factor / run.variance);
        gain = gain * run.variance;
        if (i + 1 == net.layers.size()) break;
        gain = gain * run.fan_out * gate.moment(2);
        auto const [r, q] = detail::gate_eigenvalues(run.fan_out, gate);
        spread = spread * r;
        rho.push_back(q / r);
    }
    rho.push_back(R(1));
    std::size_t const layers = tau.size();
    std::vector<R> to_output(layers, R(1));  // P_(m, L+1)
    for (std::size_t m = layers - 1; m-- > 0;) to_output[m] = rho[m] * to_output[m + 1];
    std::vector<R> between(layers, R(1));  // P_(row, m)
    std::size_t const at = row - 1;
    for (std::size_t m = at + 1; m < layers; ++m) between[m] = between[m - 1] * rho[m - 1];
    for (std::size_t m = at; m-- > 0;) between[m] = between[m + 1] * rho[m];
    std::vector<LabelPair<R>> out;
    for (std::size_t m = 0; m < layers; ++m) {
        R const product = tau[at] * tau[m];
        R const base = gain * gain * spread * product / R(3);
        R const parallel = base * (R(1) + R(2) * between[m]);
        R const crossed = base * (R(1) - between[m]);
        R const& left = to_output[m > at ? m : at];
        out.push_back({.parallel = {.plain = parallel, .decayed = parallel * left},
                       .crossed = {.plain = crossed, .decayed = crossed * left},
                       .distinct = m == at ? R(0) : R(gain * product)});
    }
    return out;
}

}  // namespace isserlis
