// SPDX-License-Identifier: MIT
#include <isserlis/formula/label_pairs.hpp>

#include <isserlis/error.hpp>
#include <isserlis/formula/gate_moments.hpp>
#include <isserlis/network/check_layers.hpp>
#include <isserlis/ring/composed.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/fractions.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>

#include <functional>
#include <span>
#include <string>
#include <type_traits>

#include "formula/by_rationals.hpp"

namespace isserlis {
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
Stretch<E> repeated(Stretch<E> const& base, std::uint64_t count) {
    return composed(base, count, [](Stretch<E> const& above, Stretch<E> const& below) { return joined(below, above); });
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

/// What is repeated a symbolic number of times is no polynomial: formulas go as they are.
template <class R>
using Carried = std::conditional_t<std::is_same_v<R, RationalFunction>, PlainFractions<R>, Fractions<R>>;

/// The eigenvalues r and q of a gate as numerators and what they are over: where numbers go as they are r itself is
/// taken out, which leaves 1 and q/r.
template <class F, class R = typename F::Value>
auto over_known(R const& r, R const& q) {
    if constexpr (std::is_same_v<typename F::Element, R>) {
        return std::pair(std::vector<R>{R(1), R(q / r)}, R(R(1) / r));
    } else {
        return F::over_common({r, q});
    }
}

}  // namespace label_pairs_detail

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
        if (!(run.law.has_kurtosis_3()))
            throw UnsupportedError("`law`: Gaussian weights are required, or others of kurtosis 3", "law");
    }
}

template <Field R, class Count>
LabelPairs<R> label_pairs(FullyConnected<R, Count> const& net, R const& square) {
    if constexpr (std::is_same_v<R, Surd>) {
        if (auto out = by_rationals([](auto const&... x) { return label_pairs(x...); }, net, square)) return *out;
    }
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

    using F = detail::Carried<R>;
    using E = typename F::Element;
    std::vector<R> factors;
    for (auto const& run : net.layers) factors.push_back(run.label_factor / run.variance);
    auto const [tau, common] = F::over_common(factors);
    std::vector<detail::Stretch<E>> stretches;
    typename F::Denominator known;
    known.multiply(E(3), 1);
    auto at = tau.begin();
    detail::for_each_run(net, [&](auto const& run, Count const& gated, bool last) {
        E const& t = *at++;
        if (!(gated == Count(0))) {
            auto const [r, q] = gate_eigenvalues(run.fan_out, gate);
            auto const [eigenvalue, over] = detail::over_known<F>(r, q);
            stretches.push_back(detail::repeated(detail::one_layer(t, eigenvalue[0], eigenvalue[1]), gated));
            known.multiply(over, gated);
        }
        if (last) stretches.push_back(detail::one_layer(t, E(1), E(1)));
    });
    auto const s =
        detail::sums(composed(std::span<detail::Stretch<E> const>(stretches), std::identity{},
                              [](auto const& above, auto const& below) { return detail::joined(below, above); }));

    // A label is over `common`, a pairing over what its gates are.
    auto one_label = known;
    one_label.multiply(common, 1);
    auto two_labels = one_label;
    two_labels.multiply(common, 1);
    typename F::Denominator single;
    single.multiply(common, 1);
    typename F::Denominator distinct;
    distinct.multiply(common, 2);
    R const square_gain = gain * gain;
    auto both = [&](PairSum<E> const& sum, typename F::Denominator const& over) {
        return PairSum<R>{.plain = square_gain * F::divided(sum.plain, over),
                          .decayed = square_gain * F::divided(sum.decayed, over)};
    };
    return {.gain = gain,
            .single = gain * F::divided(s.single, single),
            .distinct = gain * F::divided(s.distinct, distinct),
            .labels = both(s.labels, one_label),
            .equal = both(s.equal, two_labels),
            .parallel = both(s.parallel, two_labels),
            .crossed = both(s.crossed, two_labels)};
}

template <Field R>
std::vector<LabelPair<R>> label_pair_row(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                         std::size_t row) {
    if constexpr (std::is_same_v<R, Surd>) {
        auto const rows = [&](auto const&... x) { return label_pair_row(x..., row); };
        if (auto out = by_rationals(rows, net, square)) return *out;
    }
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
    std::vector<R> rho;  // above each layer but the head
    R spread(1);
    R gain = square;
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto const& run = net.layers[i];
        tau.push_back(run.label_factor / run.variance);
        gain = gain * run.variance;
        if (i + 1 == net.layers.size()) break;
        gain = gain * run.fan_out * gate.moment(2);
        auto const [r, q] = gate_eigenvalues(run.fan_out, gate);
        spread = spread * r;
        rho.push_back(q / r);
    }
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

template void require_label_pairs(FullyConnected<Rational, std::uint64_t> const&);
template LabelPairs<Rational> label_pairs(FullyConnected<Rational, std::uint64_t> const&, Rational const&);
template void require_label_pairs(FullyConnected<Surd, std::uint64_t> const&);
template LabelPairs<Surd> label_pairs(FullyConnected<Surd, std::uint64_t> const&, Surd const&);
template void require_label_pairs(FullyConnected<RationalFunction, std::uint64_t> const&);
template LabelPairs<RationalFunction> label_pairs(FullyConnected<RationalFunction, std::uint64_t> const&,
                                                  RationalFunction const&);
template void require_label_pairs(FullyConnected<double, std::uint64_t> const&);
template LabelPairs<double> label_pairs(FullyConnected<double, std::uint64_t> const&, double const&);
template std::vector<LabelPair<Rational>> label_pair_row(FullyConnected<Rational, std::uint64_t> const&,
                                                         Rational const&, std::size_t);
template std::vector<LabelPair<Surd>> label_pair_row(FullyConnected<Surd, std::uint64_t> const&, Surd const&,
                                                     std::size_t);
template std::vector<LabelPair<RationalFunction>> label_pair_row(FullyConnected<RationalFunction, std::uint64_t> const&,
                                                                 RationalFunction const&, std::size_t);
template LabelPairs<RationalFunction> label_pairs(FullyConnected<RationalFunction, Exponent> const&,
                                                  RationalFunction const&);
template std::vector<LabelPair<double>> label_pair_row(FullyConnected<double, std::uint64_t> const&, double const&,
                                                       std::size_t);

}  // namespace isserlis
