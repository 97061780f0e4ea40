// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/dense_jacobian.hpp>
#include <isserlis/report/answer.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "quantity/jacobian/jacobian_bounds.hpp"
#include "quantity/jacobian/jacobian_check.hpp"
#include "quantity/jacobian/jacobian_request.hpp"
#include "quantity/unchecked.hpp"

namespace isserlis::quantity {

inline constexpr std::size_t results_per_matrix = 15;

/// Exact values of one matrix as the command prints them; `larger_kurtosis` is max(kappa, 3) where it is known.
template <class R>
struct MatrixValues {
    LayerJacobian<R> moments;
    R variance;  ///< of the entries that J is by
    R kurtosis;
    std::optional<R> larger_kurtosis;
    bool printed = false;  ///< with the bounds as the paper prints them
};

/// Moments of a squared norm times `factor`.
template <class R>
NormMoments<R> multiplied(NormMoments<R> const& m, R const& factor) {
    R const square = factor * factor;
    return {.mean = m.mean * factor, .second = m.second * square, .variance = m.variance * square};
}

/// ||J||^2 by what the network is differentiated by: W, or theta of W = sqrt(variance) theta.
template <class R>
NormMoments<R> as_differentiated(ModelText const& text, NormMoments<R> const& by_weights, R const& variance) {
    return text.has_unit_parameters() ? multiplied(by_weights, variance) : by_weights;
}
template <class R>
LayerJacobian<R> as_differentiated(ModelText const& text, LayerJacobian<R> by_weights, R const& variance) {
    if (!text.has_unit_parameters()) return by_weights;
    by_weights.jacobian = multiplied(by_weights.jacobian, variance);
    by_weights.gradient_squared_mean = by_weights.gradient_squared_mean * variance;
    by_weights.gradient_squared_upper = by_weights.gradient_squared_upper * variance;
    return by_weights;
}

/// Adds the bounds of one matrix; `why` they are not sampled.
template <class R>
using BoundRows = std::function<void(LayerJacobian<R> const&, std::string const& why)>;

/// What puts the rows of `bounds` growth into those of one matrix; empty without that parameter.
template <class R, class Count>
BoundRows<R> growth_of(GrowthRows<R, Count> const* growth, MatrixPlace<Count> const& at, Answer& answer) {
    if (growth == nullptr) return {};
    return [growth, &at, &answer](LayerJacobian<R> const& exact, std::string const& why) {
        growth->add(at.index, at.place.run, at.matrix, exact, why, answer);
    };
}

[[nodiscard]] Value shorter(Rational const& x);
[[nodiscard]] Value shorter(Surd const& x);
/// As one fraction or as a sum of products, both exact: the shorter one.
[[nodiscard]] Value shorter(RationalFunction const& x);

/// max(kappa, 3), unless symbols leave it open.
[[nodiscard]] std::optional<Rational> larger_kurtosis(Rational const& kurtosis);
[[nodiscard]] std::optional<Surd> larger_kurtosis(Surd const& kurtosis);
[[nodiscard]] std::optional<RationalFunction> larger_kurtosis(RationalFunction const& kurtosis);

/// `moments` by the weights of a matrix of this variance and kurtosis, as printed.
template <class R>
MatrixValues<R> matrix_values(ModelText const& text, LayerJacobian<R> const& moments, R const& variance,
                              R const& kurtosis, bool printed) {
    return {.moments = as_differentiated(text, moments, variance),
            .variance = text.has_unit_parameters() ? R(1) : variance,
            .kurtosis = kurtosis,
            .larger_kurtosis = larger_kurtosis(kurtosis),
            .printed = printed};
}

/// Refuses indices that are computed one by one, each in the time of a whole network, when they are too many.
void require_feasible_places(std::size_t moves, std::string const& parameter);

/// A mean, second moment and variance under the names prefix_mean, ..; `why` they are not sampled, where they are not.
template <class R>
void add_moments_of(std::string const& prefix, std::vector<std::string> const& index, NormMoments<R> const& m,
                    std::string const& why, Answer& answer, JacobianChecks const& checks = {}) {
    auto reason = [&](std::string const& known) { return known.empty() ? why : known; };
    answer.add(prefix + "_mean", index, shorter(m.mean), checks.mean, reason(checks.no_mean));
    answer.add(prefix + "_second_moment", index, shorter(m.second), checks.second, reason(checks.no_second));
    answer.add(prefix + "_variance", index, shorter(m.variance), {},
               checks.mean ? "computed from the mean and the second moment" : reason(checks.no_mean));
}

/// Those of |y|^2, and how it spreads.
template <class R>
void add_output(NormMoments<R> const& m, std::string const& why, Answer& answer, JacobianChecks const& checks = {}) {
    add_moments_of("output", {}, m, why, answer, checks);
    answer.add("output_relative_variance", {}, shorter(R(m.variance / (m.mean * m.mean))), {},
               checks.mean   ? "computed from the mean and the second moment"
               : why.empty() ? checks.no_mean
                             : why);
}

/// The bounds of Theorem 1, which need the moments of y_(k).
template <class R>
void add_theorem_1(std::vector<std::string> const& index, MatrixValues<R> const& at, std::string const& why,
                   Answer& answer) {
    R const& variance = at.moments.jacobian.variance;
    auto bounds = variance_bounds(at.moments.reduced, at.variance, at.kurtosis, at.larger_kurtosis.value_or(R(3)));
    if (at.printed) {
        answer.add_bound("variance_lower_printed", index, shorter(bounds.lower_printed),
                         at_most(bounds.lower_printed, variance), why);
        answer.add_bound("variance_upper_printed", index, shorter(bounds.upper_printed),
                         at_most(variance, bounds.upper_printed), why);
    }
    if (at.larger_kurtosis) {
        bounds.lower = at_least_zero(bounds.lower, "variance_lower", answer);
        answer.add_bound("variance_lower", index, shorter(bounds.lower), at_most(bounds.lower, variance), why);
        if (!side_of(bounds.lower)) answer.hold_where_not_negative();
    } else {
        answer.add("variance_lower", index,
                   Value::absent("which is larger, the kurtosis or 3, is open; give it by `set`"), {}, why);
    }
    answer.add_bound("variance_upper", index, shorter(bounds.upper), at_most(variance, bounds.upper), why);
}

template <class R>
void add_matrix(std::vector<std::string> const& index, MatrixValues<R> const& at, JacobianChecks const& checks,
                bool numeric, Answer& answer, BoundRows<R> const& growth = {}) {
    auto const& moments = at.moments;
    std::string const other = numeric ? "follows from the moments of J" : not_sampled;
    std::string const symbols = numeric ? "" : not_sampled;
    add_moments_of("reduced_output", index, moments.reduced, other, answer);
    answer.add("through_mean", index, shorter(moments.reduced.mean), {}, other);
    answer.add("through_variance", index, shorter(moments.reduced.variance), {}, other);
    add_moments_of("jacobian", index, moments.jacobian, symbols, answer, checks);
    R const& mean = moments.jacobian.mean;
    answer.add("relative_variance", index, shorter(R(moments.jacobian.variance / (mean * mean))), {}, other);
    if (growth) {
        growth(moments, other);
    } else {
        add_theorem_1(index, at, other, answer);
    }
    answer.add("gradient_squared_mean", index, shorter(moments.gradient_squared_mean), checks.gradient,
               checks.no_gradient.empty() ? symbols : checks.no_gradient);
    answer.add_bound("gradient_squared_upper", index, shorter(moments.gradient_squared_upper),
                     at_most(moments.gradient_squared_mean, moments.gradient_squared_upper), other);
}

/// ||J||^2 with its relative variance; `why` it is not sampled, where it is not.
template <class R>
void add_norm(std::vector<std::string> const& index, NormMoments<R> const& moments, std::string const& why,
              Answer& answer, JacobianChecks const& checks = {}) {
    add_moments_of("jacobian", index, moments, why, answer, checks);
    answer.add("relative_variance", index, shorter(R(moments.variance / (moments.mean * moments.mean))), {},
               checks.mean ? "follows from the moments of J" : why);
}

/// E tr((J J^T)^p) of J = dy/dx, p = 1 and 2; `sampling` is of the network as it is.
template <class R>
void add_spectral(R const& first, R const& second, std::string const& why, Answer& answer,
                  JacobianSampling const* sampling = nullptr) {
    auto const add = [&](unsigned power, R const& value) {
        auto const checked = sampling == nullptr ? JacobianSampling::Sampled{.check = {}, .why = why}
                                                 : sampling->spectral(power, shorter(value).to_double());
        answer.add("spectral_moment", {std::to_string(power)}, shorter(value), checked.check, checked.why);
    };
    add(1, first);
    add(2, second);
}

/// ||J||^2 by the block of W^k that each layer below feeds, for the layers asked for; `layers` are all of them.
template <class N, class Count>
void add_blocks(DenseJacobian<N> const& network, std::vector<TransferLayer<typename N::Value>> const& layers,
                std::vector<MatrixPlace<Count>> const& places, ModelText const& text, JacobianRequest const& request,
                std::string const& why, Answer& answer, JacobianSampling const* sampling = nullptr) {
    using R = typename N::Value;
    std::size_t blocks = 0;
    std::size_t depth = 0;
    for (auto const& at : places) {
        blocks += request.source ? 1 : at.place.run + 1;
        depth = std::max(depth, at.place.run + 1);
    }
    require_feasible_places(blocks > 1 ? blocks * depth : 0, "block");
    for (auto const& at : places) {
        std::size_t const k = at.place.run + 1;
        std::size_t const first = k == 1 ? 0 : text.first_source;
        if (request.source && (*request.source < first || *request.source >= k)) {
            throw DomainError("`layer` " + at.index[0] + "," + std::to_string(*request.source) + ": layer " +
                                  at.index[0] + " reads y^" + std::to_string(first) + " .. y^" + std::to_string(k - 1),
                              "layer");
        }
        for (std::size_t source = first; source < k; ++source) {
            if (request.source && *request.source != source) continue;
            std::vector<std::string> const index{at.index[0], std::to_string(source)};
            NormMoments<R> const moments = as_differentiated(text, network.block(k, source), layers[k - 1].variance);
            JacobianChecks checks;
            if (sampling != nullptr) {
                checks = sampling->norm(index[0] + "." + index[1], shorter(moments.mean).to_double(),
                                        shorter(moments.second).to_double());
            }
            add_norm(index, moments, why, answer, checks);
        }
    }
}

}  // namespace isserlis::quantity
