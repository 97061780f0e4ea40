// SPDX-License-Identifier: MIT
#include <isserlis/formula/y_functionals.hpp>

#include <isserlis/error.hpp>
#include <isserlis/network/check_layers.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>

#include <string>
#include <type_traits>
#include <utility>

#include "formula/by_rationals.hpp"
#include "formula/functional_chain.hpp"

namespace isserlis {

template <class R>
void require_functionals(FullyConnected<R, std::uint64_t> const& net) {
    require_label_pairs(net);
    if (net.activation.kind != ActivationKind::relu) {
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

template <Field R>
std::vector<YFunctionals<R>> y_functionals(FullyConnected<R, std::uint64_t> const& net, R const& square) {
    if constexpr (std::is_same_v<R, Surd>) {
        if (auto out = by_rationals([](auto const&... x) { return y_functionals(x...); }, net, square)) return *out;
    }
    namespace detail = y_functionals_detail;
    require_functionals(net);
    check_single_layers(net, "y_functionals");
    auto state = detail::start(R(square / net.input_width()));
    std::vector<YFunctionals<R>> out;
    ChainStep<R, detail::chain_size> step;
    for (std::size_t l = 0; l + 1 < net.layers.size(); ++l) {
        auto const& run = net.layers[l];
        if (!detail::repeats(net, l)) step = detail::step<R>(run.fan_in, run.fan_out, R(run.label_factor * run.fan_in));
        state = after(step, std::move(state));
        out.push_back(detail::value(state));
    }
    return out;
}

template <Field R>
YFunctionals<R> y_functionals_of_layer(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                       std::uint64_t layer) {
    if constexpr (std::is_same_v<R, Surd>) {
        auto const of_layer = [&](auto const&... x) { return y_functionals_of_layer(x..., layer); };
        if (auto out = by_rationals(of_layer, net, square)) return *out;
    }
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

template <Field R>
HessianNorm<R> hessian_norm_of(YFunctionals<R> const& y, R const& width, R const& eta_squared, R const& target_second) {
    R const in = R(1) / width;
    R const& eta = eta_squared;
    R const beta = eta * (y.y0 + in * y.ystar);
    R const three = R(3) * in;
    return {.gauss_newton = eta * eta * y.s + beta + y.p0 + R(2) * y.p1 + three * y.pstar,
            .functional = beta + y.q0 + R(2) * y.q1 + three * y.qstar,
            .cross = R(2) * (eta * (y.y1 + in * y.ystar) + R(2) * y.r0 + y.r2 + three * y.rstar),
            .target = target_second * (eta * y.u + y.v)};
}

template void require_functionals(FullyConnected<Rational, std::uint64_t> const&);
template std::vector<YFunctionals<Rational>> y_functionals(FullyConnected<Rational, std::uint64_t> const&,
                                                           Rational const&);
template YFunctionals<Rational> y_functionals_of_layer(FullyConnected<Rational, std::uint64_t> const&, Rational const&,
                                                       std::uint64_t);
template HessianNorm<Rational> hessian_norm_of(YFunctionals<Rational> const&, Rational const&, Rational const&,
                                               Rational const&);
template void require_functionals(FullyConnected<Surd, std::uint64_t> const&);
template std::vector<YFunctionals<Surd>> y_functionals(FullyConnected<Surd, std::uint64_t> const&, Surd const&);
template YFunctionals<Surd> y_functionals_of_layer(FullyConnected<Surd, std::uint64_t> const&, Surd const&,
                                                   std::uint64_t);
template HessianNorm<Surd> hessian_norm_of(YFunctionals<Surd> const&, Surd const&, Surd const&, Surd const&);
template void require_functionals(FullyConnected<RationalFunction, std::uint64_t> const&);
template std::vector<YFunctionals<RationalFunction>> y_functionals(
    FullyConnected<RationalFunction, std::uint64_t> const&, RationalFunction const&);
template YFunctionals<RationalFunction> y_functionals_of_layer(FullyConnected<RationalFunction, std::uint64_t> const&,
                                                               RationalFunction const&, std::uint64_t);
template HessianNorm<RationalFunction> hessian_norm_of(YFunctionals<RationalFunction> const&, RationalFunction const&,
                                                       RationalFunction const&, RationalFunction const&);
template void require_functionals(FullyConnected<double, std::uint64_t> const&);
template std::vector<YFunctionals<double>> y_functionals(FullyConnected<double, std::uint64_t> const&, double const&);
template YFunctionals<double> y_functionals_of_layer(FullyConnected<double, std::uint64_t> const&, double const&,
                                                     std::uint64_t);
template HessianNorm<double> hessian_norm_of(YFunctionals<double> const&, double const&, double const&, double const&);

}  // namespace isserlis
