// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/hessian_norm.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/matrix_chain.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace isserlis {

/// The functionals Y[f_1, .., f_k] = E sum_(mu, nu) n^(-k) sum_(j_1 .. j_k) prod_i f_i(z_(j_i)) of one layer of n
/// pre-activations, over the labels mu, nu of the layers up to it. d, e stand for d_mu, d_nu.
template <class R>
struct YFunctionals {
    R u = R(0);      ///< [(d z)^2]
    R v = R(0);      ///< [(d e z)^2]
    R y0 = R(0);     ///< [(d z)^2, z^2]
    R y1 = R(0);     ///< [z dz, z dz]
    R ystar = R(0);  ///< [(z dz)^2]
    R p0 = R(0);     ///< [(dz)^2, (ez)^2]
    R p1 = R(0);     ///< [dz ez, dz ez]
    R pstar = R(0);  ///< [(dz ez)^2]
    R q0 = R(0);     ///< [(dez)^2, z^2]
    R q1 = R(0);     ///< [z dez, z dez]
    R qstar = R(0);  ///< [(z dez)^2]
    R r0 = R(0);     ///< [dez dz, z ez]
    R r2 = R(0);     ///< [z dez, dz ez]
    R rstar = R(0);  ///< [z dez dz ez]
    R s = R(1);      ///< E (|sigma|^2/n)^2 of the same layer, not a Y
    static constexpr auto members = std::tuple{
        &YFunctionals::u,     &YFunctionals::v,  &YFunctionals::y0,    &YFunctionals::y1,    &YFunctionals::ystar,
        &YFunctionals::p0,    &YFunctionals::p1, &YFunctionals::pstar, &YFunctionals::q0,    &YFunctionals::q1,
        &YFunctionals::qstar, &YFunctionals::r0, &YFunctionals::r2,    &YFunctionals::rstar, &YFunctionals::s};
    friend bool operator==(YFunctionals const&, YFunctionals const&) = default;
};

/// Y of the next layer, of `width` neurons with weights of variance 2/n, from those of a layer of n = `fan_in`.
///
/// Law     as `label_pairs`, ReLU.
/// Shape   `eta_squared` is n times the label factor of the weights between; `mean_square` is |x|^2/n_0.
/// Errors  none.
/// Source  [Iyer 2023, Lemma 3, Lemma 4], corrected: docs/formulas/y_functionals.md.
template <Field R>
[[nodiscard]] YFunctionals<R> next_y_functionals(YFunctionals<R> const& y, R const& fan_in, R const& width,
                                                 R const& eta_squared, R const& mean_square) {
    R const in = R(1) / fan_in;
    R const out = R(1) / width;
    R const& eta = eta_squared;
    // Pairs 0, 1 and * mix in one way; a source feeds 0 and * in full, 1 by 1/n'.
    auto mixed = [&](R const& source, R const& zero, R const& one, R const& star, R& new_zero, R& new_one,
                     R& new_star) {
        R const shared = in * (R(1) + R(2) * out) * star;
        new_zero = source + zero + R(2) * out * one + shared;
        new_one = source * out + (R(1) + out) * one + out * zero + shared;
        new_star = source + zero + R(2) * one + R(3) * in * star;
    };
    R const beta = eta * (y.y0 + in * y.ystar);
    R const alpha = eta * eta * y.s + beta;
    R const gamma = eta * (y.y1 + in * y.ystar) / R(2);
    YFunctionals<R> next;
    next.u = eta * mean_square + y.u;
    next.v = eta * y.u + y.v;
    mixed(R(R(2) * eta * y.s), y.y0, y.y1, y.ystar, next.y0, next.y1, next.ystar);
    mixed(alpha, y.p0, y.p1, y.pstar, next.p0, next.p1, next.pstar);
    mixed(beta, y.q0, y.q1, y.qstar, next.q0, next.q1, next.qstar);
    R const shared = in * (R(1) + R(2) * out) * y.rstar;
    next.r0 = (R(1) + out) * (gamma + y.r0) + out * y.r2 + shared;
    next.r2 = R(2) * out * (gamma + y.r0) + y.r2 + shared;
    next.rstar = R(2) * gamma + R(2) * y.r0 + y.r2 + R(3) * in * y.rstar;
    next.s = y.s * (R(1) + R(5) * out);
    return next;
}

namespace y_functionals_detail {

/// |x|^2/n_0 and what `YFunctionals` holds, which one step maps linearly.
inline constexpr std::size_t chain_size = 16;

template <class R>
std::array<R, chain_size> entries(YFunctionals<R> const& y, R const& mean_square) {
    return std::apply(
        [&](auto... of) {
            return std::array<R, chain_size>{mean_square, y.*of...};
        },
        YFunctionals<R>::members);
}

template <class R>
YFunctionals<R> functionals(std::array<R, chain_size> const& x) {
    YFunctionals<R> out;
    std::size_t i = 0;
    std::apply([&](auto... of) { ((out.*of = x[++i]), ...); }, YFunctionals<R>::members);
    return out;
}

/// `next_y_functionals` as a matrix: its columns are what the unit vectors become.
template <class R>
ChainStep<R, chain_size> step(R const& fan_in, R const& width, R const& eta_squared) {
    Matrix<R, chain_size> out;
    for (std::size_t j = 0; j < chain_size; ++j) {
        std::array<R, chain_size> unit;
        unit.fill(R(0));
        unit[j] = R(1);
        auto const next = next_y_functionals(functionals(unit), fan_in, width, eta_squared, unit[0]);
        auto const column = entries(next, unit[0]);
        for (std::size_t i = 0; i < chain_size; ++i) out[i][j] = column[i];
    }
    return chain_step(out);
}

/// That of the input, below all labels.
template <class R>
ChainState<R, chain_size> start(R const& mean_square) {
    YFunctionals<R> y;
    y.s = mean_square * mean_square;
    return chain_state(entries(y, mean_square));
}

template <class R>
YFunctionals<R> value(ChainState<R, chain_size> const& state) {
    std::array<R, chain_size> out;
    for (std::size_t i = 0; i < chain_size; ++i) out[i] = state.value(i);
    return functionals(out);
}

}  // namespace y_functionals_detail

/// Errors  those of `label_pairs`; UnsupportedError for another activation than ReLU or another hidden variance than
///         2/fan_in.
template <class R>
void require_functionals(FullyConnected<R, std::uint64_t> const& net) {
    require_label_pairs(net);
    if (!net.activation.is_relu()) {
        throw UnsupportedError("`activation`: the recursions of the functionals are those of relu networks",
                               "activation");
    }
    std::uint64_t layer = 1;
    std::uint64_t const head = depth(net);
    for (auto const& run : net.layers) {
        if (layer != head && !(run.variance * run.fan_in == R(2))) {
            throw UnsupportedError(
                "`variance`: the recursions of the functionals need hidden weights of variance 2/fan_in; layer " +
                    std::to_string(layer) + " has another",
                "variance");
        }
        layer += run.count;
    }
}

/// The fourteen functionals of every hidden layer of a He ReLU network, layer 1 first.
///
/// Law     that of `label_pairs`.
/// Shape   one run per layer, hidden variances 2/fan_in; any label factors and any head, which does not enter.
/// Errors  those of `require_functionals`; DomainError for a run of several layers.
/// Source  [Iyer 2023, appendix H], corrected.
template <Field R>
[[nodiscard]] std::vector<YFunctionals<R>> y_functionals(FullyConnected<R, std::uint64_t> const& net, R const& square) {
    namespace detail = y_functionals_detail;
    require_functionals(net);
    check_single_layers(net, "y_functionals");
    auto state = detail::start(R(square / net.input_width()));
    std::vector<YFunctionals<R>> out;
    ChainStep<R, detail::chain_size> step;
    for (std::size_t l = 0; l + 1 < net.layers.size(); ++l) {
        auto const& run = net.layers[l];
        auto const* below = l == 0 ? nullptr : &net.layers[l - 1];
        bool const again = below != nullptr && run.fan_in == below->fan_in && run.fan_out == below->fan_out &&
                           run.label_factor == below->label_factor;
        if (!again) step = detail::step<R>(run.fan_in, run.fan_out, R(run.label_factor * run.fan_in));
        state = after(step, std::move(state));
        out.push_back(detail::value(state));
    }
    return out;
}

/// Those of hidden layer `layer` alone, by the sums over labels up to it in closed form: quasi-linear in the size of
/// the answer.
///
/// Law     that of `y_functionals`.
/// Errors  those of `require_functionals`; DomainError for another layer.
/// Shape   that of `y_functionals`, runs of any length; 1 <= layer < depth.
/// Source  docs/formulas/y_functionals.md: pairings open towards a layer of n neurons close over them with
///         (n + 2 + c (n - 1) p)/(3n), c = 2, -1 or 1/2.
template <Field R>
[[nodiscard]] YFunctionals<R> y_functionals_of_layer(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                                     std::uint64_t layer) {
    require_functionals(net);
    if (layer == 0 || layer >= depth(net)) {
        throw DomainError("y_functionals_of_layer: layer = " + std::to_string(layer) + "; hidden layers are 1 .. " +
                              std::to_string(depth(net) - 1),
                          "layer");
    }
    auto const below = first_layers(net, layer);
    LabelPairs<R> const pairs = label_pairs(below, square);
    R const n = below.output_width();
    auto closed = [&](PairSum<R> const& sum, R const& factor) {
        return R(((n + R(2)) * sum.plain + factor * (n - R(1)) * sum.decayed) / (R(3) * n));
    };
    PairSum<R> const all{.plain = pairs.equal.plain + pairs.parallel.plain,
                         .decayed = pairs.equal.decayed + pairs.parallel.decayed};
    R const mean_square = square / net.input_width();
    std::vector<R> spread{mean_square * mean_square};
    for (auto const& run : below.layers) spread.push_back(power(R(R(1) + R(5) / run.fan_out), run.count));
    return {.u = pairs.single,
            .v = pairs.distinct,
            .y0 = closed(pairs.labels, R(2)),
            .y1 = closed(pairs.labels, R(-1)),
            .ystar = pairs.labels.plain,
            .p0 = closed(all, R(2)),
            .p1 = closed(all, R(-1)),
            .pstar = all.plain,
            .q0 = closed(pairs.parallel, R(2)),
            .q1 = closed(pairs.parallel, R(-1)),
            .qstar = pairs.parallel.plain,
            .r0 = closed(pairs.crossed, R(R(1) / R(2))),
            .r2 = closed(pairs.crossed, R(-1)),
            .rstar = pairs.crossed.plain,
            .s = product_tree(spread)};
}

/// E|H|_F^2 by the functionals of the last hidden layer: the second route to `hessian_norm` for one output.
///
/// Law     that of `y_functionals`, with an output layer of one neuron and variance 2/n.
/// Shape   `eta_squared` is n times the label factor of the output layer, n = `width` of the last hidden layer.
/// Errors  none.
/// Source  [Iyer 2023, Lemma 2, Cor 4], corrected in (4), (6), (7): docs/formulas/y_functionals.md.
template <Field R>
[[nodiscard]] HessianNorm<R> hessian_norm_of(YFunctionals<R> const& y, R const& width, R const& eta_squared,
                                             R const& target_second) {
    R const in = R(1) / width;
    R const& eta = eta_squared;
    R const beta = eta * (y.y0 + in * y.ystar);
    R const three = R(3) * in;
    return {.gauss_newton = eta * eta * y.s + beta + y.p0 + R(2) * y.p1 + three * y.pstar,
            .functional = beta + y.q0 + R(2) * y.q1 + three * y.qstar,
            .cross = R(2) * (eta * (y.y1 + in * y.ystar) + R(2) * y.r0 + y.r2 + three * y.rstar),
            .target = target_second * (eta * y.u + y.v)};
}

}  // namespace isserlis
