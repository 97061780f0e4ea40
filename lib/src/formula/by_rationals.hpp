// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/coordinate_moments.hpp>
#include <isserlis/formula/hessian_norm.hpp>
#include <isserlis/formula/label_pairs.hpp>
#include <isserlis/formula/mup_step.hpp>
#include <isserlis/formula/ntk_moments.hpp>
#include <isserlis/formula/y_functionals.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace isserlis {

// What a formula over surds without roots is: that over the rationals. A field more than is bound here does not compile.
inline Surd as_surds(Rational const& x) { return x; }
inline PairSum<Surd> as_surds(PairSum<Rational> const& x) { return {x.plain, x.decayed}; }
inline LabelPairs<Surd> as_surds(LabelPairs<Rational> const& x) {
    auto const& [gain, single, distinct, labels, equal, parallel, crossed] = x;
    return {gain, single, distinct, as_surds(labels), as_surds(equal), as_surds(parallel), as_surds(crossed)};
}
inline LabelPair<Surd> as_surds(LabelPair<Rational> const& x) {
    auto const& [parallel, crossed, distinct] = x;
    return {as_surds(parallel), as_surds(crossed), distinct};
}
inline HessianNorm<Surd> as_surds(HessianNorm<Rational> const& x) {
    auto const& [gauss_newton, functional, cross, target] = x;
    return {gauss_newton, functional, cross, target};
}
inline NtkMoments<Surd> as_surds(NtkMoments<Rational> const& x) {
    auto const& [mean, second, trace, trace_second, squared_trace] = x;
    return {mean, second, trace, trace_second, squared_trace};
}
inline YFunctionals<Surd> as_surds(YFunctionals<Rational> const& y) {
    auto const& [u, v, y0, y1, ystar, p0, p1, pstar, q0, q1, qstar, r0, r2, rstar, s] = y;
    return {u, v, y0, y1, ystar, p0, p1, pstar, q0, q1, qstar, r0, r2, rstar, s};
}
inline MupLayer<Surd> as_surds(MupLayer<Rational> const& x) {
    auto const& [a, b, b_tilde, c, c_tilde, fourth_power] = x;
    return {a, b, b_tilde, c, c_tilde, fourth_power};
}
inline CoordinateMoments<Surd> as_surds(CoordinateMoments<Rational> const& x) {
    auto const& [square, covariance, change_square] = x;
    return {square, covariance, change_square};
}
template <class T>
auto as_surds(std::vector<T> const& list) {
    std::vector<decltype(as_surds(list.front()))> out;
    out.reserve(list.size());
    for (auto const& x : list) out.push_back(as_surds(x));
    return out;
}

/// The same over the rationals; none where there is a root.
inline std::optional<Rational> in_rationals(Surd const& x) {
    return x.is_rational() ? std::optional(x.to_rational()) : std::nullopt;
}
inline std::optional<std::vector<Rational>> in_rationals(std::vector<Surd> const& list) {
    std::vector<Rational> out;
    for (auto const& x : list) {
        if (!x.is_rational()) return std::nullopt;
        out.push_back(x.to_rational());
    }
    return out;
}
template <class Count>
[[nodiscard]] std::optional<FullyConnected<Rational, Count>> in_rationals(FullyConnected<Surd, Count> const& net) {
    FullyConnected<Rational, Count> out;
    out.gated_head = net.gated_head;
    if (!net.activation.slope.is_rational()) return std::nullopt;
    out.activation = {.kind = net.activation.kind, .slope = net.activation.slope.to_rational()};
    for (auto const& [fan_in, fan_out, count, variance, law, label_factor] : net.layers) {
        for (Surd const* x : {&fan_in, &fan_out, &variance, &law.kurtosis_value, &label_factor}) {
            if (!x->is_rational()) return std::nullopt;
        }
        out.layers.push_back({.fan_in = fan_in.to_rational(),
                              .fan_out = fan_out.to_rational(),
                              .count = count,
                              .variance = variance.to_rational(),
                              .law = {.kind = law.kind, .kurtosis_value = law.kurtosis_value.to_rational()},
                              .label_factor = label_factor.to_rational()});
    }
    return out;
}

/// f of a network and its numbers by the rationals, which is the cheaper ring; none where there is a root.
template <class F, class Net, class... Numbers>
auto by_rationals(F const& f, Net const& net, Numbers const&... numbers) {
    using Out = decltype(as_surds(f(*in_rationals(net), *in_rationals(numbers)...)));
    auto const in = [](auto const&... x) { return (x && ...); };
    auto const of = [&](auto const&... x) { return in(x...) ? std::optional<Out>(as_surds(f(*x...))) : std::nullopt; };
    return of(in_rationals(net), in_rationals(numbers)...);
}

}  // namespace isserlis
