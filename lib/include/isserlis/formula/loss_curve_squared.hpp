// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/layer_pair_sums.hpp>
#include <isserlis/formula/loss_curve_linear.hpp>
#include <isserlis/network/mini_batch.hpp>
#include <isserlis/ring/rational.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace isserlis {

/// What samples x^k and targets y^k leave in the expected squared error: with Sigma = mean x x', Y = mean y x',
template <class R>
struct TargetMoments {
    R p1;           ///< Tr Sigma
    R p2;           ///< Tr Sigma^2
    R p3;           ///< Tr Sigma^3
    R cross;        ///< |Y|^2
    R cross_sigma;  ///< Tr Y Sigma Y'
    R target;       ///< mean |y|^2
    static constexpr auto members =
        std::tuple{&TargetMoments::p1,    &TargetMoments::p2,          &TargetMoments::p3,
                   &TargetMoments::cross, &TargetMoments::cross_sigma, &TargetMoments::target};
    friend bool operator==(TargetMoments const&, TargetMoments const&) = default;
};

/// Shape   the inputs, sum_k y^k x^k' (d_n x d_0) and sum_k |y^k|^2: the sums can be exact where targets are not.
/// Units, Errors, Source  those of `target_moments`.
template <Field R>
[[nodiscard]] TargetMoments<R> target_moments_of_sums(Rows<R> const& inputs, Rows<R> const& products,
                                                      R const& squares) {
    namespace detail = loss_curve_detail;
    detail::require_samples("inputs", inputs.size(), inputs.size());
    detail::require_columns("input", inputs, inputs.front().size());
    detail::require_columns("row of sum y x'", products, inputs.front().size());
    R const n = from_count<R>(inputs.size());
    auto mean = [&](Rows<R> sum) {
        for (auto& row : sum) {
            for (auto& x : row) x = x / n;
        }
        return sum;
    };
    Rows<R> const sigma = mean(detail::outer_sum(inputs, inputs));
    Rows<R> const y = mean(products);
    Rows<R> const square = detail::times_transposed(sigma, sigma);
    TargetMoments<R> out{.p1 = trace(sigma),
                         .p2 = trace(square),
                         .p3 = detail::product_trace(square, sigma),
                         .cross = R(0),
                         .cross_sigma = R(0),
                         .target = squares / n};
    for (auto const& row : y) {
        out.cross = out.cross + dot(row, row);
        out.cross_sigma = out.cross_sigma + bilinear(row, sigma, row);
    }
    return out;
}

/// Shape   s samples: inputs x^k of one size d_0 (the constant feature counted), targets y^k of one size d_n.
/// Units   p1 is in squared inputs, cross in squared inputs times squared targets.
/// Errors  DomainError for no samples or unlike sizes.
/// Source  docs/formulas/loss_curve_squared.md
template <Field R>
[[nodiscard]] TargetMoments<R> target_moments(Rows<R> const& inputs, Rows<R> const& targets) {
    namespace detail = loss_curve_detail;
    detail::require_samples("targets", targets.size(), inputs.size());
    detail::require_columns("input", inputs, inputs.front().size());
    detail::require_columns("target", targets, targets.front().size());
    R squares(0);
    for (auto const& t : targets) squares = squares + detail::squared_norm(t);
    return target_moments_of_sums(inputs, detail::outer_sum(targets, inputs), squares);
}

/// What a step along the gradient of a mini-batch sees besides: means in which one sample stands for both gradients.
template <class R>
struct OwnMoments {
    R fourth;        ///< mean |x|^4
    R sigma;         ///< mean |x|^2 x' Sigma x
    R target;        ///< mean |y|^2 |x|^2
    R target_sigma;  ///< mean |y|^2 x' Sigma x
    R target_cross;  ///< mean |x|^2 y' Y x
    static constexpr auto members = std::tuple{&OwnMoments::fourth, &OwnMoments::sigma, &OwnMoments::target,
                                               &OwnMoments::target_sigma, &OwnMoments::target_cross};
    friend bool operator==(OwnMoments const&, OwnMoments const&) = default;
};

/// Shape, Errors, Source  those of `target_moments`.
template <Field R>
[[nodiscard]] OwnMoments<R> own_moments(Rows<R> const& inputs, Rows<R> const& targets) {
    namespace detail = loss_curve_detail;
    detail::require_samples("targets", targets.size(), inputs.size());
    detail::require_columns("input", inputs, inputs.front().size());
    detail::require_columns("target", targets, targets.front().size());
    R const n = from_count<R>(inputs.size());
    Rows<R> const sigma = detail::outer_sum(inputs, inputs);  // n times Sigma, and below n times Y
    Rows<R> const y = detail::outer_sum(targets, inputs);
    OwnMoments<R> out{.fourth = R(0), .sigma = R(0), .target = R(0), .target_sigma = R(0), .target_cross = R(0)};
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        auto const& x = inputs[k];
        R const square = dot(x, x);
        R const target = dot(targets[k], targets[k]);
        R const by_sigma = bilinear(x, sigma, x) / n;
        out.fourth = out.fourth + square * square / n;
        out.sigma = out.sigma + square * by_sigma / n;
        out.target = out.target + target * square / n;
        out.target_sigma = out.target_sigma + target * by_sigma / n;
        out.target_cross = out.target_cross + square * bilinear(targets[k], y, x) / (n * n);
    }
    return out;
}

/// What samples leave besides where strands end in biases: with m = mean x and t = mean y,
template <class R>
struct CentreMoments {
    R square;            ///< |m|^2
    R sigma;             ///< m' Sigma m
    R target;            ///< |t|^2
    R cross;             ///< t' Y m
    R own_square;        ///< mean |x|^2 x' m
    R own_target;        ///< mean |y|^2 x' m
    R own_target_cross;  ///< mean |x|^2 y' t
    static constexpr auto members = std::tuple{
        &CentreMoments::square,     &CentreMoments::sigma,      &CentreMoments::target,          &CentreMoments::cross,
        &CentreMoments::own_square, &CentreMoments::own_target, &CentreMoments::own_target_cross};
    friend bool operator==(CentreMoments const&, CentreMoments const&) = default;
};

/// Shape   the inputs, sum_k y^k x^k' and sum_k y^k, which can be exact where targets are not. Of one sample for both
///         gradients are own_square and, where `targets` are given, the others; else they are 0.
/// Units, Errors, Source  those of `target_moments`.
template <Field R>
[[nodiscard]] CentreMoments<R> centre_moments(Rows<R> const& inputs, Rows<R> const& products,
                                              std::vector<R> const& target_sum, Rows<R> const& targets) {
    namespace detail = loss_curve_detail;
    detail::require_samples("inputs", inputs.size(), inputs.size());
    detail::require_columns("input", inputs, inputs.front().size());
    detail::require_columns("row of sum y x'", products, inputs.front().size());
    if (!targets.empty()) {
        detail::require_samples("targets", targets.size(), inputs.size());
        detail::require_columns("target", targets, target_sum.size());
    }
    R const n = from_count<R>(inputs.size());
    std::vector<R> m(inputs.front().size(), R(0));
    for (auto const& x : inputs) {
        for (std::size_t j = 0; j < m.size(); ++j) m[j] = m[j] + x[j] / n;
    }
    std::vector<R> t;
    for (auto const& y : target_sum) t.push_back(y / n);
    CentreMoments<R> out{.square = dot(m, m),
                         .sigma = R(0),
                         .target = dot(t, t),
                         .cross = bilinear(t, products, m) / n,
                         .own_square = R(0),
                         .own_target = R(0),
                         .own_target_cross = R(0)};
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        auto const& x = inputs[k];
        R const along = dot(x, m);
        R const square = dot(x, x);
        out.sigma = out.sigma + along * along / n;
        out.own_square = out.own_square + square * along / n;
        if (targets.empty()) continue;
        out.own_target = out.own_target + dot(targets[k], targets[k]) * along / n;
        out.own_target_cross = out.own_target_cross + square * dot(targets[k], t) / n;
    }
    return out;
}

/// The parabola of the expected squared error mean |z - y|^2 of a deep linear network, weights inside the gradient.
template <class R>
struct SquaredLossCurve {
    R loss;             ///< E L(0)
    R slope;            ///< E L'(0)
    R curvature_chi;    ///< of E L''(0) the part with the loss's Hessian, z'' apart
    R curvature_gamma;  ///< the part with second derivatives of the outputs

    [[nodiscard]] R curvature() const { return curvature_chi + curvature_gamma; }
    [[nodiscard]] LossCurve<R> parabola() const { return {.slope = slope, .curvature = curvature()}; }
    /// Of the loss times c, stepped along its own gradient: (1/2)|z - y|^2 has c = 1/2.
    [[nodiscard]] SquaredLossCurve scaled(R const& c) const {
        R const c3 = c * c * c;
        return {.loss = c * loss,
                .slope = c * c * slope,
                .curvature_chi = c3 * curvature_chi,
                .curvature_gamma = c3 * curvature_gamma};
    }
    friend bool operator==(SquaredLossCurve const&, SquaredLossCurve const&) = default;
};

namespace squared_detail {

/// The pairings of K strands, as the partner of each strand.
template <std::size_t K>
using Pairing = std::array<std::size_t, K>;

template <std::size_t K>
inline constexpr std::size_t pairing_count = K == 6 ? 15 : 3;

template <std::size_t K>
constexpr std::array<Pairing<K>, pairing_count<K>> all_pairings() {
    std::array<Pairing<K>, pairing_count<K>> out{};
    std::size_t n = 0;
    for (std::size_t a = 1; a < K; ++a) {
        std::array<std::size_t, K - 2> rest{};
        std::size_t r = 0;
        for (std::size_t s = 1; s < K; ++s) {
            if (s != a) rest[r++] = s;
        }
        for (std::size_t b = 1; b < rest.size(); ++b) {
            Pairing<K> p{};
            auto join = [&p](std::size_t x, std::size_t y) {
                p[x] = y;
                p[y] = x;
            };
            join(0, a);
            join(rest[0], rest[b]);
            if constexpr (K == 6) {
                std::size_t const c = b == 1 ? 2 : 1;
                std::size_t const d = b == 3 ? 2 : 3;
                join(rest[c], rest[d]);
            }
            out[n++] = p;
        }
    }
    return out;
}

/// Lengths of the cycles of two pairings together, in strands of the first: {1, 1, 1} when they are equal.
template <std::size_t K>
constexpr std::array<std::size_t, K / 2> cycle_lengths(Pairing<K> const& x, Pairing<K> const& y) {
    std::array<std::size_t, K / 2> out{};
    std::array<bool, K> seen{};
    std::size_t n = 0;
    for (std::size_t s = 0; s < K; ++s) {
        if (seen[s]) continue;
        std::size_t at = s;
        do {
            seen[at] = seen[x[at]] = true;
            ++out[n];
            at = y[x[at]];
        } while (at != s);
        ++n;
    }
    return out;
}

template <std::size_t K>
constexpr std::size_t cycle_count(Pairing<K> const& x, Pairing<K> const& y) {
    std::size_t out = 0;
    for (std::size_t const length : cycle_lengths<K>(x, y)) out += length == 0 ? 0 : 1;
    return out;
}

/// Projectors onto the channels: the entry of two pairings depends on the number of their cycles. 15 times (K = 6) and
/// 3 times (K = 4) the entries, by K/2, K/2 - 1, .. cycles. docs/formulas/loss_curve_squared.md has the derivation.
template <std::size_t K>
constexpr auto projectors() {
    if constexpr (K == 6) {
        // 9 (1, 1/6, -1/4) and 5 (1, -1/2, 1/4), over 15; times 4 to be whole.
        return std::array<std::array<int, 3>, 3>{{{4, 4, 4}, {36, 6, -9}, {20, -10, 5}}};
    } else {
        return std::array<std::array<int, 2>, 2>{{{1, 1}, {2, -1}}};
    }
}
template <std::size_t K>
inline constexpr int projector_denominator = K == 6 ? 60 : 3;

/// One kind of word: two labelled pairs of strands, and weights of the pairings at the two ends.
template <class R, std::size_t K>
struct Word {
    std::array<std::size_t, 2> first;   ///< the strands of label i
    std::array<std::size_t, 2> second;  ///< the strands of label j
    std::array<R, pairing_count<K>> bottom;
    std::array<R, pairing_count<K>> top;
};

/// sum_ij u_i u_j of the word, over prod of the variances and widths that all strands share.
template <class R, std::size_t K>
R summed(LayerPairSums<R, K / 2> const& sums, Word<R, K> const& word) {
    constexpr std::size_t C = K / 2;
    constexpr auto pairings = all_pairings<K>();
    constexpr auto projector = projectors<K>();
    R const scale = R(1) / R(projector_denominator<K>);
    // Channel x of a vector at the pairings that keep a label's two strands together.
    struct Kept {
        std::vector<std::size_t> at;
        std::vector<ChannelVector<R, C>> below;
        std::vector<ChannelVector<R, C>> above;
    };
    auto kept = [&](std::array<std::size_t, 2> const& label) {
        Kept out;
        for (std::size_t p = 0; p < pairings.size(); ++p) {
            if (pairings[p][label[0]] != label[1]) continue;
            out.at.push_back(p);
            ChannelVector<R, C> below;
            ChannelVector<R, C> above;
            below.fill(R(0));
            above.fill(R(0));
            for (std::size_t q = 0; q < pairings.size(); ++q) {
                std::size_t const cycles = cycle_count<K>(pairings[p], pairings[q]);
                for (std::size_t x = 0; x < C; ++x) {
                    R const entry = R(projector[x][C - cycles]) * scale;
                    below[x] = below[x] + entry * word.bottom[q];
                    above[x] = above[x] + entry * word.top[q];
                }
            }
            out.below.push_back(below);
            out.above.push_back(above);
        }
        return out;
    };
    Kept const i = kept(word.first);
    Kept const j = kept(word.second);
    ChannelMatrix<R, C> same;
    ChannelCube<R, C> different;
    for (auto& row : same) row.fill(R(0));
    for (auto& rows : different) {
        for (auto& row : rows) row.fill(R(0));
    }
    auto add = [&](Kept const& lower, Kept const& upper, bool meet) {
        for (std::size_t a = 0; a < lower.at.size(); ++a) {
            for (std::size_t b = 0; b < upper.at.size(); ++b) {
                std::size_t const cycles = cycle_count<K>(pairings[lower.at[a]], pairings[upper.at[b]]);
                for (std::size_t x = 0; x < C; ++x) {
                    for (std::size_t z = 0; z < C; ++z) {
                        R const ends = lower.below[a][x] * upper.above[b][z];
                        if (meet && lower.at[a] == upper.at[b]) same[x][z] = same[x][z] + ends;
                        for (std::size_t y = 0; y < C; ++y) {
                            different[x][y][z] = different[x][y][z] + R(projector[y][C - cycles]) * scale * ends;
                        }
                    }
                }
            }
        }
    };
    add(i, j, true);
    add(j, i, false);
    return sums.pairs(same, different);
}

/// What six or four strands find at the inputs, where pair 0 is of the sample whose loss bends, pairs 1 and 2 of those of
/// the two gradients. Linear in them is all of the curvature.
template <class R>
struct CurveEnds {
    R apart;          ///< (x_0.x_0)(x_1.x_1)(x_2.x_2)
    R gradients;      ///< (x_0.x_0)(x_1.x_2)^2
    R hessian;        ///< (x_0.x_1)^2 (x_2.x_2)
    R cycle;          ///< (x_0.x_1)(x_1.x_2)(x_2.x_0)
    R own_apart;      ///< targets of both gradients: (x_0.x_0)(x_1.x_2)(y_1.y_2)
    R own_crossed;    ///< (x_0.x_1)(x_0.x_2)(y_1.y_2)
    R other_apart;    ///< a target of the bending loss: (x_1.x_1)(x_0.x_2)(y_0.y_2)
    R other_crossed;  ///< (x_1.x_0)(x_1.x_2)(y_0.y_2)
    static constexpr auto members =
        std::tuple{&CurveEnds::apart,     &CurveEnds::gradients,   &CurveEnds::hessian,     &CurveEnds::cycle,
                   &CurveEnds::own_apart, &CurveEnds::own_crossed, &CurveEnds::other_apart, &CurveEnds::other_crossed};
};

/// All three samples independent.
template <class R>
CurveEnds<R> ends_of(TargetMoments<R> const& data) {
    R const apart = data.p1 * data.cross;
    R const pair = data.p1 * data.p2;
    return {.apart = data.p1 * data.p1 * data.p1,
            .gradients = pair,
            .hessian = pair,
            .cycle = data.p3,
            .own_apart = apart,
            .own_crossed = data.cross_sigma,
            .other_apart = apart,
            .other_crossed = data.cross_sigma};
}

/// One sample for both gradients.
template <class R>
CurveEnds<R> ends_of(TargetMoments<R> const& data, OwnMoments<R> const& own) {
    return {.apart = data.p1 * own.fourth,
            .gradients = data.p1 * own.fourth,
            .hessian = own.sigma,
            .cycle = own.sigma,
            .own_apart = data.p1 * own.target,
            .own_crossed = own.target_sigma,
            .other_apart = own.target_cross,
            .other_crossed = own.target_cross};
}

/// Six strands in pairs 01, 23, 45 at both ends: inner products below, powers of d_n above.
template <class R>
R six(LayerPairSums<R, 3> const& sums, CurveEnds<R> const& ends, R const& outputs,
      std::array<std::size_t, 2> const& first, std::array<std::size_t, 2> const& second) {
    constexpr auto pairings = all_pairings<6>();
    constexpr Pairing<6> pairs{1, 0, 3, 2, 5, 4};
    Word<R, 6> word{.first = first, .second = second, .bottom = {}, .top = {}};
    for (std::size_t p = 0; p < pairings.size(); ++p) {
        auto const& to = pairings[p];
        bool const whole = to[0] == 1;
        bool const one = to[2] == 3;
        bool const two = to[4] == 5;
        word.bottom[p] = whole && one ? ends.apart : whole ? ends.gradients : one || two ? ends.hessian : ends.cycle;
        R above(1);
        for (std::size_t const length : cycle_lengths<6>(pairs, to)) {
            if (length != 0) above = above * outputs;
        }
        word.top[p] = above;
    }
    return sums.prefactor * summed(sums, word);
}

/// Four strands: one pair joined at both ends as above, the other two strands end in a target each.
template <class R>
R four(LayerPairSums<R, 2> const& sums, R const& apart, R const& crossed, R const& outputs,
       std::array<std::size_t, 2> const& joined, std::array<std::size_t, 2> const& first,
       std::array<std::size_t, 2> const& second) {
    constexpr auto pairings = all_pairings<4>();
    Word<R, 4> word{.first = first, .second = second, .bottom = {}, .top = {}};
    for (std::size_t p = 0; p < pairings.size(); ++p) {
        bool const alone = pairings[p][joined[0]] == joined[1];
        word.bottom[p] = alone ? apart : crossed;
        word.top[p] = alone ? outputs : R(1);
    }
    return summed(sums, word);
}

template <class R, class Count>
SquaredLossCurve<R> curve(std::vector<LayerRun<R, Count>> const& layers, TargetMoments<R> const& data,
                          CurveEnds<R> const& ends) {
    loss_curve_detail::require_gaussian(layers, "slope and curvature of squared errors are");
    auto const two = layer_pair_sums<2>(layers);
    auto const three = layer_pair_sums<3>(layers);
    R const outputs = layers.back().fan_out;

    // prefactor d_n (phi_1i p2 + psi_1i p1^2)(phi_in + d_n psi_in), by channels.
    R const third = R(1) / R(3);
    R const square = data.p1 * data.p1;
    ChannelVector<R, 2> const below{R((R(2) * data.p2 + square) * third), R((data.p2 - square) * third)};
    ChannelVector<R, 2> const above{R((R(2) + outputs) * third), R((R(1) - outputs) * third)};
    ChannelMatrix<R, 2> weights;
    for (std::size_t x = 0; x < 2; ++x) {
        for (std::size_t z = 0; z < 2; ++z) weights[x][z] = two.prefactor * outputs * below[x] * above[z];
    }
    R const slope = R(-4) * (two.singles(weights) + two.factor_sum() * data.cross);

    // Strands of chi: z'(i) 0, z'(j) 1, their gradients' 2 and 4, the outputs in those 3 and 5.
    R const chi = six(three, ends, outputs, {0, 2}, {1, 4}) +
                  four(two, ends.own_apart, ends.own_crossed, outputs, {0, 1}, {0, 2}, {1, 3});
    // Of gamma: z''(i,j) 0 and its output 1; gradients 2 (i) and 4 (j), their outputs 3 and 5. With targets in place of
    // two outputs: z'' 0, gradients 1 (i) and 2 (j), the output that is left 3: of z'', or of one of the gradients.
    R const gamma = six(three, ends, outputs, {0, 2}, {0, 4}) +
                    four(two, ends.own_apart, ends.own_crossed, outputs, {0, 3}, {0, 1}, {0, 2}) +
                    four(two, ends.other_apart, ends.other_crossed, outputs, {1, 3}, {0, 1}, {0, 2}) +
                    four(two, ends.other_apart, ends.other_crossed, outputs, {2, 3}, {0, 1}, {0, 2});
    return {.loss = two.prefactor * outputs * data.p1 + data.target,
            .slope = slope,
            .curvature_chi = R(8) * chi,
            .curvature_gamma = R(8) * gamma};
}

}  // namespace squared_detail

/// E L(0), E L'(0) and E L''(0) of the mean squared error (1/s) sum |z^k - y^k|^2 of a deep linear network after a step
/// of lambda along minus its gradient, the weights inside the gradient; several samples and outputs.
///
/// Law     independent Gaussian weights; inputs and targets fixed. Exact for concatenated ReLU with P = N at the start
///         (crelu-tied) too when there is one sample.
/// Shape   `layers` are the weight layers; `data` of inputs of size d_0 and targets of size d_n. O(n).
/// Units   (1/2)|z - y|^2 is `scaled(1/2)`.
/// Errors  UnsupportedError for other laws; those of `layer_pair_sums`.
/// Source  docs/formulas/loss_curve_squared.md; [Hettinger 2019, Thms 4.15, 4.19] hold for constant gradients only.
template <Field R, class Count>
[[nodiscard]] SquaredLossCurve<R> squared_loss_curve(std::vector<LayerRun<R, Count>> const& layers,
                                                     TargetMoments<R> const& data) {
    return squared_detail::curve(layers, data, squared_detail::ends_of(data));
}

/// alpha of N samples in batches of B: that both gradients in E g_B' H g_B are of one sample, beyond chance;
/// E g_B g_B' = alpha mean g_k g_k' + (1 - alpha) g g'. With replacement it is 1/B, else (N - B)/(B(N - 1)).
/// Errors  DomainError unless the batch fits.
[[nodiscard]] inline Rational own_share(MiniBatch const& batch, std::uint64_t samples) {
    if (!batch.fits(samples))
        throw DomainError("own_share: a batch of " + std::to_string(batch.size) + " of " + std::to_string(samples) +
                              " samples; 1 up to all of them are required, more with replacement",
                          "batch");
    if (batch.is_all(samples)) return 0;
    if (batch.replacement) return ratio(1, Integer(batch.size));
    return Rational(Integer(samples - batch.size)) / Rational(Integer(batch.size) * Integer(samples - 1));
}

/// The same of a step along minus the gradient of a mini-batch: means over networks and batches of the mean squared error
/// over all samples. Loss and slope do not depend on the batch.
///
/// Law, Shape, Units, Errors  those of `squared_loss_curve`.
/// Shape   `share` is `own_share(batch, N)`, `own` is of the same data.
/// Source  docs/formulas/loss_curve_squared.md
template <Field R, class Count>
[[nodiscard]] SquaredLossCurve<R> batch_loss_curve(std::vector<LayerRun<R, Count>> const& layers,
                                                   TargetMoments<R> const& data, OwnMoments<R> const& own,
                                                   R const& share) {
    auto ends = squared_detail::ends_of(data);
    auto const alone = squared_detail::ends_of(data, own);
    auto const mix = [&](auto const member) { ends.*member = (R(1) - share) * ends.*member + share * alone.*member; };
    std::apply([&](auto const... member) { (mix(member), ...); }, squared_detail::CurveEnds<R>::members);
    return squared_detail::curve(layers, data, ends);
}

}  // namespace isserlis
