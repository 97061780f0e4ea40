// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <isserlis/error.hpp>
#include <isserlis/formula/loss_curve_squared.hpp>
#include <isserlis/loss_curve/curve_data.hpp>
#include <isserlis/model/model.hpp>
#include <isserlis/monte_carlo/graph_curve_sampler.hpp>
#include <isserlis/report/answer.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/verify/check.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "quantity/mean_over_inputs.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/linear_between_matrices.hpp"
#include "quantity/wired/sample_words.hpp"
#include "quantity/wired/vertex_rate.hpp"
#include "question/session.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {

// The curve of the mean squared error over samples of a linear network of any wiring, with biases: words of strands, and
// what samples leave at their lower ends.

inline constexpr char const* by_parts = "a part of curvature, which is checked";
inline constexpr char const* gates_of_a_curve =
    "`activation`: several samples of networks with biases, of other wirings than vanilla, and of `with` have "
    "formulas for linear units; with gates one sample has, by `input` or `input_squared_norm`, and at widths in "
    "numbers relu and leaky units are sampled, by `data`";

/// What samples leave in the words below: k and q are those of the two gradients, l is the one whose loss bends.
template <class R>
struct SampleMoments {
    TargetMoments<R> all;
    CentreMoments<R> centre;
    OwnMoments<R> own;  ///< of one sample for both gradients
    R share;            ///< how often k and q are one sample in place of independent ones
};

/// How often the inputs of a word meet themselves and one another.
struct Meeting {
    unsigned kk = 0, ll = 0, qq = 0, kl = 0, kq = 0, lq = 0;
};

/// Three independent samples: what meets is a set of cycles and of paths, which are open where strands end in biases.
template <class R>
R mean_apart(Meeting const& of, Targets targets, SampleMoments<R> const& data) {
    auto const& [p1, p2, p3, cross, cross_sigma, target] = data.all;
    R const loops = power(p1, of.kk + of.ll + of.qq);
    if (targets == Targets::none) {
        if (of.kl == 2 || of.kq == 2 || of.lq == 2) return loops * p2;
        std::array<R, 4> const by_edges{R(1), data.centre.square, data.centre.sigma, p3};
        return loops * by_edges[of.kl + of.kq + of.lq];
    }
    bool const direct = (targets == Targets::of_k_and_q ? of.kq : of.kl) != 0;
    unsigned const by_third = of.lq + (targets == Targets::of_k_and_q ? of.kl : of.kq);
    if (direct) return loops * cross;
    std::array<R, 3> const by_edges{data.centre.target, data.centre.cross, cross_sigma};
    return loops * by_edges[by_third];
}

/// One sample for k and q.
template <class R>
R mean_of_one(Meeting const& of, Targets targets, SampleMoments<R> const& data) {
    unsigned const own = of.kk + of.qq + of.kq;  // factors |x|^2
    unsigned const to_l = of.kl + of.lq;
    R const l_alone = power(data.all.p1, of.ll);
    if (targets == Targets::none) {
        if (to_l == 2) return own == 0 ? data.all.p2 : data.own.sigma;
        if (to_l == 1) return own == 0 ? data.centre.square : data.centre.own_square;
        return l_alone * (own == 2 ? data.own.fourth : own == 1 ? data.all.p1 : R(1));
    }
    if (targets == Targets::of_k_and_q) {
        if (to_l == 2) return data.own.target_sigma;
        if (to_l == 1) return data.centre.own_target;
        return l_alone * (own == 1 ? data.own.target : data.all.target);
    }
    if (to_l == 1) return own == 0 ? data.all.cross : data.own.target_cross;
    return own == 0 ? data.centre.target : data.centre.own_target_cross;
}

/// The mean of every product that the strands of a word, up to `strands` of each sample, can leave.
template <class R>
InputMeans<R> means_of(std::array<unsigned, 3> const& strands, Targets targets, bool batched,
                       SampleMoments<R> const& data) {
    InputMeans<R> out;
    bool const mixed = batched && !(data.share == R(0));
    for (unsigned code = 0; code < 8 * 27; ++code) {
        Meeting const of{.kk = code % 2,
                         .ll = code / 2 % 2,
                         .qq = code / 4 % 2,
                         .kl = code / 8 % 3,
                         .kq = code / 24 % 3,
                         .lq = code / 72};
        if (2 * of.kk + of.kl + of.kq > strands[0] || 2 * of.ll + of.kl + of.lq > strands[1] ||
            2 * of.qq + of.kq + of.lq > strands[2])
            continue;
        std::vector<std::vector<unsigned>> meeting;
        auto const meet = [&](unsigned times, unsigned a, unsigned b) {
            meeting.insert(meeting.end(), times, std::vector{a, b});
        };
        meet(of.kk, 0, 0);
        meet(of.kl, 0, 1);
        meet(of.kq, 0, 2);
        meet(of.ll, 1, 1);
        meet(of.lq, 1, 2);
        meet(of.qq, 2, 2);
        R const apart = mean_apart(of, targets, data);
        out[meeting] = mixed ? R((R(1) - data.share) * apart + data.share * mean_of_one(of, targets, data)) : apart;
    }
    return out;
}

/// The curve by means(strands of k, l, q; targets; over batches too); `target` is mean |y|^2.
/// docs/formulas/loss_curve_squared.md#other-wirings
template <class R, class Count, class MeansOf>
SquaredLossCurve<R> curve_of(Model<R, Count> const& model, R const& target, MeansOf const& means) {
    using Strands = std::array<unsigned, 3>;
    InputMeans<R> const outputs = means(Strands{2, 2, 0}, Targets::none, false);
    InputMeans<R> const targets = means(Strands{1, 1, 0}, Targets::of_k_and_l, false);
    InputMeans<R> const of_outputs = means(Strands{2, 2, 2}, Targets::none, true);
    InputMeans<R> const of_gradients = means(Strands{1, 2, 1}, Targets::of_k_and_q, true);
    InputMeans<R> const of_bent = means(Strands{1, 1, 2}, Targets::of_k_and_l, true);
    auto const mean = [&](char const* query, InputMeans<R> const& over) {
        return mean_over_inputs(query, model, {"k", "l", "q"}, over);
    };
    return {.loss = mean("z[i]@k z[i]@k", outputs) + target,
            .slope = R(-4) * (mean("z[i]@k z[i;m]@k z[j;m]@l z[j]@l", outputs) + mean("z[1;m]@k z[1;m]@l", targets)),
            .curvature_chi = R(8) * (mean("z[i]@k z[i;m]@k z[j;m]@l z[j;n]@l z[o;n]@q z[o]@q", of_outputs) +
                                     mean("z[1;m]@k z[j;m]@l z[j;n]@l z[1;n]@q", of_gradients)),
            .curvature_gamma = R(8) * (mean("z[i]@k z[i;m]@k z[j]@l z[j;m,n]@l z[o;n]@q z[o]@q", of_outputs) +
                                       mean("z[1;m]@k z[j]@l z[j;m,n]@l z[1;n]@q", of_gradients) +
                                       R(2) * mean("z[1;m]@k z[1;m,n]@l z[j;n]@q z[j]@q", of_bent))};
}

template <class R, class Count>
SquaredLossCurve<R> curve_of(Model<R, Count> const& model, SampleMoments<R> const& data) {
    return curve_of(model, data.all.target, [&](auto const& strands, Targets targets, bool batched) {
        return means_of(strands, targets, batched, data);
    });
}

template <class R>
void add_curve(SquaredLossCurve<R> const& curve, std::array<std::optional<Check>, 3> const& checks,
               std::string const& k, Answer& answer) {
    bool const numeric = std::is_same_v<R, Surd>;
    R const curvature = curve.curvature();
    answer.add("loss", {k}, tidy(curve.loss), checks[0], not_numeric);
    answer.add("slope", {k}, tidy(curve.slope), checks[1], not_numeric);
    answer.add("curvature", {k}, tidy(curvature), checks[2], not_numeric);
    answer.add("curvature_chi", {k}, tidy(curve.curvature_chi), {}, numeric ? by_parts : not_numeric);
    answer.add("curvature_gamma", {k}, tidy(curve.curvature_gamma), {}, numeric ? by_parts : not_numeric);
    answer.add("vertex_rate", {k},
               is_certainly_zero(curvature) ? Value::absent("the curvature is 0") : vertex_rate(curve.slope, curvature),
               {}, numeric ? "computed from slope and curvature" : not_numeric);
}

/// The curve as sampled.
[[nodiscard]] std::array<std::optional<Check>, 3> sampled_beside(SquaredLossCurve<Surd> const& curve,
                                                                 monte_carlo::GraphCurveModel const& model,
                                                                 Session const& session);

}  // namespace isserlis::quantity
