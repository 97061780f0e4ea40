// SPDX-License-Identifier: MIT
#include "formula/pair_layer.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "formula/pair_spot.hpp"
#include "formula/piecewise_means.hpp"
#include "formula/plane_rule.hpp"
#include "formula/square_means.hpp"
#include "formula/wave_means.hpp"

namespace isserlis {
namespace {

/// Of tanh, sigmoid, softplus, silu, gelu and erf: at a pair of numbers in the enclosures, widened by Price's theorem. On the
/// real line the first two derivatives of factors are at most 2 C (2 + |x|)^k by Cauchy's estimate, k adding up to 4, so that
/// those of the mean by a, c and b are at most 2^4 C C' (1 + deviation)^4 E (1 + |u|)^4.
std::vector<Interval> summed_factor_means(SmoothUnit unit, PairCovariance const& pair,
                                          std::vector<FactorPair> const& pairs, unsigned bits) {
    PairSpot const spot = spot_of(pair, bits);
    auto out = plane_factor_means(unit, spot.uu.at, spot.correlation, spot.vv.at, pairs, sum_precision(bits));
    Interval const u = sqrt(spot.uu.at + spot.uu.off);
    Interval const v = sqrt(spot.vv.at + spot.vv.off);
    Interval const size = Interval(1L, bits) + (mpfr_greater_p(u.upper(), v.upper()) != 0 ? u : v);
    Interval const square = size * size;
    Interval const off = (spot.uu.off + spot.vv.off + spot.uv_off) * Interval(320L, bits) * square * square;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        Interval const growth(growth_of(unit, pairs[i].first).size * growth_of(unit, pairs[i].second).size, bits);
        out[i] = widened(out[i], growth * off);
    }
    return out;
}

/// E F(u) G(v) of the pairs that were asked for.
class FactorMeans {
public:
    FactorMeans(SmoothUnit unit, PairCovariance const& pair, std::vector<FactorPair> pairs, unsigned bits)
        : pairs_(std::move(pairs)) {
        switch (unit) {
            case SmoothUnit::sin:
            case SmoothUnit::cos: means_ = wave_factor_means(unit, pair, pairs_, bits); return;
            case SmoothUnit::elu:
            case SmoothUnit::selu: means_ = piecewise_factor_means(unit, pair, pairs_, bits); return;
            default: means_ = summed_factor_means(unit, pair, pairs_, bits);
        }
    }

    [[nodiscard]] Interval const& operator()(UnitFactor f, UnitFactor g) const {
        auto const found = std::find(pairs_.begin(), pairs_.end(), FactorPair{f, g});
        return means_[static_cast<std::size_t>(found - pairs_.begin())];
    }
    /// Of derivatives of these orders.
    [[nodiscard]] Interval const& operator()(std::size_t i, std::size_t j) const {
        return (*this)(derivative_factor(i), derivative_factor(j));
    }

private:
    std::vector<FactorPair> pairs_;
    std::vector<Interval> means_;
};

std::vector<FactorPair> factor_pairs(bool with_derivatives) {
    using enum UnitFactor;
    std::vector<FactorPair> out{{value, value},
                                {first, first},
                                {cube, value},
                                {square, square},
                                {value, cube},
                                {square_first, first},
                                {value_first, value_first},
                                {first, square_first}};
    if (!with_derivatives) return out;
    for (auto const& [i, j] : std::vector<std::pair<std::size_t, std::size_t>>{
             {2, 0}, {0, 2}, {4, 0}, {0, 4}, {3, 1}, {1, 3}, {2, 2}, {5, 1}, {1, 5}, {4, 2}, {2, 4}, {3, 3}})
        out.emplace_back(derivative_factor(i), derivative_factor(j));
    return out;
}

/// Second derivatives of the mean of derivatives of these orders by a, c and b, by Price's theorem.
PairMatrix second_derivatives(FactorMeans const& means, std::size_t i, std::size_t j, unsigned bits) {
    Interval const two(2L, bits);
    Interval const four(4L, bits);
    PairMatrix out = zero_pair_matrix(bits);
    out[pair_xx][pair_xx] = means(i + 4, j) / four;
    out[pair_yy][pair_yy] = means(i, j + 4) / four;
    out[pair_xy][pair_xy] = means(i + 2, j + 2);
    out[pair_xx][pair_yy] = out[pair_yy][pair_xx] = means(i + 2, j + 2) / four;
    out[pair_xx][pair_xy] = out[pair_xy][pair_xx] = means(i + 3, j + 1) / two;
    out[pair_yy][pair_xy] = out[pair_xy][pair_yy] = means(i + 1, j + 3) / two;
    return out;
}

}  // namespace

PairTriple zero_pair_triple(unsigned bits) { return {Interval(bits), Interval(bits), Interval(bits)}; }

PairMatrix zero_pair_matrix(unsigned bits) {
    PairTriple const row = zero_pair_triple(bits);
    return {row, row, row};
}

PairLayer smooth_pair_layer(SmoothUnit unit, PairCovariance const& pair, bool with_derivatives, unsigned bits) {
    using enum UnitFactor;
    FactorMeans const means(unit, pair, factor_pairs(with_derivatives), bits);
    SquareMeans const at_u = square_means(unit, pair.uu, bits);
    SquareMeans const at_v = pair.uu == pair.vv ? at_u : square_means(unit, pair.vv, bits);
    auto const enclosed = [bits](Enclosed const& x) { return x.enclose(bits); };
    PairMatrix const none = zero_pair_matrix(bits);
    PairLayer out{
        .squares = {enclosed(at_u.square.value), means(value, value), enclosed(at_v.square.value)},
        .spreads = none,
        .gated_squares = {means(square_first, first), means(value_first, value_first), means(first, square_first)},
        .slopes = none,
        .bends = {none, none, none},
        .derivative_bends = none};
    auto& products = out.spreads;
    products[pair_xx][pair_xx] = enclosed(at_u.quartic);
    products[pair_yy][pair_yy] = enclosed(at_v.quartic);
    products[pair_xy][pair_xy] = products[pair_xx][pair_yy] = products[pair_yy][pair_xx] = means(square, square);
    products[pair_xx][pair_xy] = products[pair_xy][pair_xx] = means(cube, value);
    products[pair_yy][pair_xy] = products[pair_xy][pair_yy] = means(value, cube);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) products[i][j] = products[i][j] - out.squares[i] * out.squares[j];
    out.slopes[pair_xy][pair_xy] = means(first, first);
    if (!with_derivatives) return out;
    Interval const two(2L, bits);
    out.slopes[pair_xy][pair_xx] = means(2, 0) / two;
    out.slopes[pair_xy][pair_yy] = means(0, 2) / two;
    out.slopes[pair_xx][pair_xx] = enclosed(at_u.square.slope);
    out.slopes[pair_yy][pair_yy] = enclosed(at_v.square.slope);
    out.bends[pair_xx][pair_xx][pair_xx] = enclosed(at_u.square.bend);
    out.bends[pair_yy][pair_yy][pair_yy] = enclosed(at_v.square.bend);
    out.bends[pair_xy] = second_derivatives(means, 0, 0, bits);
    out.derivative_bends = second_derivatives(means, 1, 1, bits);
    return out;
}

}  // namespace isserlis
