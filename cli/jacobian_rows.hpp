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

#include "jacobian_bounds.hpp"
#include "jacobian_check.hpp"
#include "jacobian_request.hpp"

namespace isserlis::cli {

inline constexpr char const* not_sampled = "symbols cannot be sampled; give them values with --set";
inline constexpr std::size_t results_per_matrix = 15;

/// Exact values of one matrix as the command prints them; `larger_kurtosis` is max(kappa, 3) where it is known.
template <class R>
struct MatrixValues {
    LayerJacobian<R> moments;
    R variance;
    R kurtosis;
    std::optional<R> larger_kurtosis;
};

/// What puts the rows of --bounds growth into those of one matrix; empty without that option.
template <class R, class Count>
std::function<void(R const&, std::string const&)> growth_of(GrowthRows<R, Count> const* growth,
                                                            MatrixPlace<Count> const& at, Answer& answer) {
    if (growth == nullptr) return {};
    return [growth, &at, &answer](R const& mean, std::string const& why) {
        growth->add(at.index, at.place.run, at.matrix, mean, why, answer);
    };
}

[[nodiscard]] Value shown(Rational const& x);
[[nodiscard]] Value shown(Surd const& x);
/// As one fraction or as a sum of products, both exact: the shorter one.
[[nodiscard]] Value shown(RationalFunction const& x);

/// max(kappa, 3), unless symbols leave it open.
[[nodiscard]] std::optional<Rational> larger_kurtosis(Rational const& kurtosis);
[[nodiscard]] std::optional<Surd> larger_kurtosis(Surd const& kurtosis);
[[nodiscard]] std::optional<RationalFunction> larger_kurtosis(RationalFunction const& kurtosis);

/// Refuses indices that are computed one by one, each in the time of a whole network, when they are too many.
void require_feasible_places(std::size_t moves, std::string const& option);

/// A mean, second moment and variance under the names prefix_mean, ..; `why` they are not sampled, where they are not.
template <class R>
void add_moments_of(std::string const& prefix, std::vector<std::string> const& index, NormMoments<R> const& m,
                    std::string const& why, Answer& answer, JacobianChecks const& checks = {}) {
    auto reason = [&](std::string const& known) { return known.empty() ? why : known; };
    answer.add(prefix + "_mean", index, shown(m.mean), checks.mean, reason(checks.no_mean));
    answer.add(prefix + "_second_moment", index, shown(m.second), checks.second, reason(checks.no_second));
    answer.add(prefix + "_variance", index, shown(m.variance), {},
               checks.mean ? "the mean and the second moment are checked" : reason(checks.no_mean));
}

template <class R>
void add_matrix(std::vector<std::string> const& index, MatrixValues<R> const& at, JacobianChecks const& checks,
                bool numeric, Answer& answer, std::function<void(R const&, std::string const&)> const& growth = {}) {
    auto const& moments = at.moments;
    std::string const other = numeric ? "follows from the moments of J" : not_sampled;
    std::string const symbols = numeric ? "" : not_sampled;
    add_moments_of("reduced_output", index, moments.reduced, other, answer);
    answer.add("through_mean", index, shown(moments.reduced.mean), {}, other);
    answer.add("through_variance", index, shown(moments.reduced.variance), {}, other);
    add_moments_of("jacobian", index, moments.jacobian, symbols, answer, checks);
    R const& mean = moments.jacobian.mean;
    answer.add("relative_variance", index, shown(R(moments.jacobian.variance / (mean * mean))), {}, other);
    if (growth) {
        growth(mean, other);
    } else {
        auto const bounds =
            variance_bounds(moments.reduced, at.variance, at.kurtosis, at.larger_kurtosis.value_or(R(3)));
        answer.add("variance_lower_printed", index, shown(bounds.lower_printed), {}, other);
        answer.add("variance_upper_printed", index, shown(bounds.upper_printed), {}, other);
        answer.add("variance_lower", index,
                   at.larger_kurtosis ? shown(bounds.lower)
                                      : Value::absent("which is larger, the kurtosis or 3, is open; give it by --set"),
                   {}, other);
        answer.add("variance_upper", index, shown(bounds.upper), {}, other);
    }
    answer.add("gradient_squared_mean", index, shown(moments.gradient_squared_mean), checks.gradient,
               checks.no_gradient.empty() ? symbols : checks.no_gradient);
    answer.add("gradient_squared_upper", index, shown(moments.gradient_squared_upper), {}, other);
}

/// ||J||^2 with its relative variance; `why` it is not sampled, where it is not.
template <class R>
void add_norm(std::vector<std::string> const& index, NormMoments<R> const& moments, std::string const& why,
              Answer& answer, JacobianChecks const& checks = {}) {
    add_moments_of("jacobian", index, moments, why, answer, checks);
    answer.add("relative_variance", index, shown(R(moments.variance / (moments.mean * moments.mean))), {},
               checks.mean ? "follows from the moments of J" : why);
}

/// ||J||^2 by the block of W^k that each layer below feeds, for the layers asked for.
template <class N, class Count>
void add_blocks(DenseJacobian<N> const& network, std::vector<MatrixPlace<Count>> const& places, ModelText const& text,
                JacobianRequest const& request, std::string const& why, Answer& answer,
                JacobianSampling const* sampling = nullptr) {
    using R = typename N::Value;
    std::size_t blocks = 0;
    std::size_t depth = 0;
    for (auto const& at : places) {
        blocks += request.source ? 1 : at.place.run + 1;
        depth = std::max(depth, at.place.run + 1);
    }
    require_feasible_places(blocks > 1 ? blocks * depth : 0, "--block");
    for (auto const& at : places) {
        std::size_t const k = at.place.run + 1;
        std::size_t const first = k == 1 ? 0 : text.first_source;
        if (request.source && (*request.source < first || *request.source >= k)) {
            throw DomainError("--layer " + at.index[0] + "," + std::to_string(*request.source) + ": layer " +
                                  at.index[0] + " reads y^" + std::to_string(first) + " .. y^" + std::to_string(k - 1),
                              "--layer");
        }
        for (std::size_t source = first; source < k; ++source) {
            if (request.source && *request.source != source) continue;
            std::vector<std::string> const index{at.index[0], std::to_string(source)};
            NormMoments<R> const moments = network.block(k, source);
            JacobianChecks checks;
            if (sampling != nullptr) {
                checks = sampling->norm(index[0] + "." + index[1], shown(moments.mean).to_double(),
                                        shown(moments.second).to_double());
            }
            add_norm(index, moments, why, answer, checks);
        }
    }
}

}  // namespace isserlis::cli
