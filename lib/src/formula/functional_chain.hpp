// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/y_functionals.hpp>
#include <isserlis/ring/matrix_chain.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace isserlis {

namespace y_functionals_detail {

/// |x|^2/n_0 and what `YFunctionals` holds, which one step maps linearly.
inline constexpr std::size_t chain_size = 16;
/// Where `entries` has them.
enum Place : std::size_t { at_y0 = 3, at_y1 = 4, at_p0 = 6, at_p1 = 7 };

template <class R>
std::array<R, chain_size> entries(YFunctionals<R> const& y, R const& mean_square) {
    return {mean_square, y.u,  y.v,  y.y0,    y.y1, y.ystar, y.p0,    y.p1,
            y.pstar,     y.q0, y.q1, y.qstar, y.r0, y.r2,    y.rstar, y.s};
}

template <class R>
YFunctionals<R> functionals(std::array<R, chain_size> const& x) {
    return {.u = x[1],
            .v = x[2],
            .y0 = x[3],
            .y1 = x[4],
            .ystar = x[5],
            .p0 = x[6],
            .p1 = x[7],
            .pstar = x[8],
            .q0 = x[9],
            .q1 = x[10],
            .qstar = x[11],
            .r0 = x[12],
            .r2 = x[13],
            .rstar = x[14],
            .s = x[15]};
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

/// Do the weights of layer l + 1 of single layers step as those of layer l do?
template <class R>
bool repeats(FullyConnected<R, std::uint64_t> const& net, std::size_t l) {
    if (l == 0) return false;
    auto const& run = net.layers[l];
    auto const& below = net.layers[l - 1];
    return run.fan_in == below.fan_in && run.fan_out == below.fan_out && run.label_factor == below.label_factor;
}

template <class R>
YFunctionals<R> value(ChainState<R, chain_size> const& state) {
    std::array<R, chain_size> out;
    for (std::size_t i = 0; i < chain_size; ++i) out[i] = state.value(i);
    return functionals(out);
}

}  // namespace y_functionals_detail

}  // namespace isserlis
