// SPDX-License-Identifier: MIT
#include <isserlis/formula/mup_step.hpp>

#include <isserlis/error.hpp>
#include <isserlis/network/check_layers.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "formula/by_rationals.hpp"
#include "formula/functional_chain.hpp"
#include "formula/mup_strands.hpp"

namespace isserlis {

namespace chain = y_functionals_detail;

namespace {

template <class R>
mup_detail::ChangeFunctionals<R> of_change(ChainState<R, chain::chain_size> const& state) {
    return {.y0 = state.value(chain::at_y0),
            .y1 = state.value(chain::at_y1),
            .p0 = state.value(chain::at_p0),
            .p1 = state.value(chain::at_p1)};
}

}  // namespace

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
            throw UnsupportedError("mup_step: served for Gaussian weights only", "law");
    }
    require_functionals(net);
}

template <Field R>
std::vector<MupLayer<R>> mup_step(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                  R const& target_second) {
    if constexpr (std::is_same_v<R, Surd>) {
        if (auto out = by_rationals([](auto const&... x) { return mup_step(x...); }, net, square, target_second))
            return *out;
    }
    namespace detail = mup_detail;
    require_mup(net);
    check_single_layers(net, "mup_step");
    std::size_t const hidden = net.layers.size() - 1;
    auto const& head = net.layers.back();
    std::vector<ChainState<R, detail::descent_size>> descent(hidden + 1);
    descent[hidden] = detail::outputs_of(head.variance, net.output_width());
    for (std::size_t l = hidden; l-- > 1;) {
        auto const& above = net.layers[l];  // the weights into layer l + 1
        descent[l] = after(detail::down(above.fan_out, above.variance), descent[l + 1]);
    }
    R const mean_square = square / net.input_width();
    R before = mean_square * mean_square;
    auto state = after(detail::weights(net.layers.front()), detail::start(square));
    auto functionals = chain::start(mean_square);
    detail::Step<R> strands;
    ChainStep<R, chain::chain_size> step;
    std::vector<MupLayer<R>> out;
    for (std::size_t l = 1; l <= hidden; ++l) {
        auto const& run = net.layers[l - 1];
        if (!chain::repeats(net, l - 1))
            step = chain::step<R>(run.fan_in, run.fan_out, R(run.label_factor * run.fan_in));
        functionals = after(step, std::move(functionals));
        if (l > 1) {
            if (l == 2 || !chain::repeats(net, l - 1)) strands = detail::gated(run);
            state = after(strands, std::move(state));
        }
        out.push_back(
            detail::layer(state, descent[l], of_change(functionals), before, run.fan_out, head.fan_in, target_second));
        before = before * (R(1) + R(5) / run.fan_out);
    }
    return out;
}

template <Field R>
MupLayer<R> mup_step_of_layer(FullyConnected<R, std::uint64_t> const& net, R const& square, R const& target_second,
                              std::uint64_t layer) {
    if constexpr (std::is_same_v<R, Surd>) {
        auto const of_layer = [&](auto const&... x) { return mup_step_of_layer(x..., layer); };
        if (auto out = by_rationals(of_layer, net, square, target_second)) return *out;
    }
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
    mup_detail::ChangeFunctionals<R> const change{.y0 = y.y0, .y1 = y.y1, .p0 = y.p0, .p1 = y.p1};
    return detail::layer(detail::above_all(below, square), descent, change, before, n, head.fan_in, target_second);
}

template <Field R>
std::vector<R> mup_last_changes(R const& width, R const& outputs, std::uint64_t first, std::uint64_t last,
                                R const& square, R const& target_second) {
    namespace detail = mup_detail;
    R const variance = R(2) / width;
    R const head = R(1) / (width * width);
    LayerRun<R, std::uint64_t> const run{.fan_in = width, .fan_out = width, .count = 1, .variance = variance};
    auto six = detail::gated(run);
    auto four = chain::step<R>(width, width, width);
    six.count = four.count = first - 1;
    auto state = after(six, after(detail::weights(run), detail::start(square)));
    six.count = 1;
    auto y = after(four, chain::start(R(square / width)));
    four.count = 1;
    auto const descent = detail::outputs_of(head, outputs);
    std::vector<R> out;
    for (std::uint64_t l = first; l <= last; ++l) {
        if (l > first) state = after(six, std::move(state));
        y = after(four, std::move(y));
        out.push_back(detail::closed(state, descent, width) +
                      target_second * head * width * y.value(chain::at_p1) / R(2));
    }
    return out;
}

template void require_mup(FullyConnected<Rational, std::uint64_t> const&);
template std::vector<MupLayer<Rational>> mup_step(FullyConnected<Rational, std::uint64_t> const&, Rational const&,
                                                  Rational const&);
template MupLayer<Rational> mup_step_of_layer(FullyConnected<Rational, std::uint64_t> const&, Rational const&,
                                              Rational const&, std::uint64_t);
template std::vector<Rational> mup_last_changes(Rational const&, Rational const&, std::uint64_t, std::uint64_t,
                                                Rational const&, Rational const&);
template void require_mup(FullyConnected<Surd, std::uint64_t> const&);
template std::vector<MupLayer<Surd>> mup_step(FullyConnected<Surd, std::uint64_t> const&, Surd const&, Surd const&);
template MupLayer<Surd> mup_step_of_layer(FullyConnected<Surd, std::uint64_t> const&, Surd const&, Surd const&,
                                          std::uint64_t);
template std::vector<Surd> mup_last_changes(Surd const&, Surd const&, std::uint64_t, std::uint64_t, Surd const&,
                                            Surd const&);
template void require_mup(FullyConnected<RationalFunction, std::uint64_t> const&);
template std::vector<MupLayer<RationalFunction>> mup_step(FullyConnected<RationalFunction, std::uint64_t> const&,
                                                          RationalFunction const&, RationalFunction const&);
template MupLayer<RationalFunction> mup_step_of_layer(FullyConnected<RationalFunction, std::uint64_t> const&,
                                                      RationalFunction const&, RationalFunction const&, std::uint64_t);
template std::vector<RationalFunction> mup_last_changes(RationalFunction const&, RationalFunction const&, std::uint64_t,
                                                        std::uint64_t, RationalFunction const&,
                                                        RationalFunction const&);
template void require_mup(FullyConnected<double, std::uint64_t> const&);
template std::vector<MupLayer<double>> mup_step(FullyConnected<double, std::uint64_t> const&, double const&,
                                                double const&);
template MupLayer<double> mup_step_of_layer(FullyConnected<double, std::uint64_t> const&, double const&, double const&,
                                            std::uint64_t);
template std::vector<double> mup_last_changes(double const&, double const&, std::uint64_t, std::uint64_t, double const&,
                                              double const&);

}  // namespace isserlis
