// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/crelu_kernels.hpp>
#include <isserlis/formula/loss_curve_crelu.hpp>
#include <isserlis/formula/two_layer_slope.hpp>
#include <isserlis/formula/two_layer_squared_slope.hpp>

#include <array>
#include <type_traits>
#include <vector>

namespace isserlis {

/// Errors  DomainError for no samples, not `others` of them, or rows of unlike sizes.
inline void require_grams(InputGrams const& inputs, char const* what, std::size_t others) {
    namespace detail = loss_curve_detail;
    detail::require_samples(what, others, inputs.inner.size());
    detail::require_samples("rows of rectified products", inputs.rectified.size(), inputs.inner.size());
    detail::require_columns("row of inner products", inputs.inner, inputs.inner.size());
    detail::require_columns("row of rectified products", inputs.rectified, inputs.inner.size());
}

/// sum_r relu(x_r y_r)
template <class R>
R shared_signs(std::vector<R> const& x, std::vector<R> const& y) {
    R out(0);
    for (std::size_t r = 0; r < x.size(); ++r) {
        R const product = x[r] * y[r];
        if (product > R(0)) out = out + product;
    }
    return out;
}

/// Rows of doubles, as inputs and as what multiplies them.
class DoubleRows {
public:
    using Combination = std::vector<double>;

    explicit DoubleRows(Rows<double> const& rows) : rows_(rows) {}

    [[nodiscard]] DoubleKernels const& kernels() const { return kernels_; }
    [[nodiscard]] std::size_t size() const { return rows_.size(); }
    [[nodiscard]] double dot(std::size_t k, std::size_t l) const { return isserlis::dot(rows_[k], rows_[l]); }
    [[nodiscard]] double shared_signs(std::size_t k, std::size_t l) const {
        return isserlis::shared_signs(rows_[k], rows_[l]);
    }
    [[nodiscard]] InputPair<DoubleKernels> pair(std::size_t k, std::size_t l) const {
        return input_pair(kernels_, rows_[k], rows_[l]);
    }
    /// sum_k c_k x^k
    [[nodiscard]] Combination combination(std::vector<double> const& weights) const {
        Combination out(rows_.front().size(), 0);
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            for (std::size_t r = 0; r < out.size(); ++r) out[r] += weights[k] * rows_[k][r];
        }
        return out;
    }
    [[nodiscard]] double dot(Combination const& sum, std::size_t k) const { return isserlis::dot(sum, rows_[k]); }

private:
    Rows<double> const& rows_;
    DoubleKernels kernels_;
};

/// s^-2 sum_kl visit(k, l) of a symmetric function with values in an array, a row of pairs after the other: what rounding
/// leaves grows with s, not with s^2.
template <class N, std::size_t count, class Visit>
std::array<N, count> mean_over_pairs(std::size_t samples, Visit const& visit) {
    std::array<N, count> sum{};
    auto const add = [](std::array<N, count>& to, N const& times, std::array<N, count> const& x) {
        for (std::size_t i = 0; i < count; ++i) to[i] = to[i] + times * x[i];
    };
    for (std::size_t k = 0; k < samples; ++k) {
        std::array<N, count> row{};
        for (std::size_t l = k + 1; l < samples; ++l) add(row, N(1), visit(k, l));
        add(sum, N(1), visit(k, k));
        add(sum, N(2), row);
    }
    N const s(static_cast<int>(samples));
    for (auto& x : sum) x = x / (s * s);
    return sum;
}

/// The moments of inputs, of which pairs are known, and gradients or targets, of which inner products are.
template <class N, class Inputs, class Others>
GateMoments<N> gate_means(Inputs const& inputs, Others const& gradients) {
    auto const& kernels = inputs.kernels();
    auto const mean = mean_over_pairs<N, 3>(inputs.size(), [&](std::size_t k, std::size_t l) {
        N const g = gradients.dot(k, l);
        auto const pair = inputs.pair(k, l);
        N const along = g * pair.xy;
        return std::array<N, 3>{g * first_kernel(kernels, pair), along * pair.rest, along};
    });
    return {.kernel = mean[0], .gates = mean[1] / kernels.pi(), .inner = mean[2]};
}

/// `of` a mean is what is known of it.
template <class N, class Inputs, class Others, class Of>
auto squared_gate_means(Inputs const& inputs, Others const& targets, Of const& of)
    -> SquaredGateMoments<std::invoke_result_t<Of const&, N>> {
    auto const& kernels = inputs.kernels();
    N const pi = kernels.pi();
    auto const mean = mean_over_pairs<N, 10>(inputs.size(), [&](std::size_t k, std::size_t l) {
        auto const pair = inputs.pair(k, l);
        N const along = kernels.of(pair.xy);
        N const norms = kernels.of(pair.xx) * kernels.of(pair.yy);
        N const kernel = first_kernel(kernels, pair);
        N const gates = along * N(pair.rest);
        N const y = targets.dot(k, l);
        return std::array<N, 10>{second_kernel(kernels, pair),
                                 norms,
                                 kernel * kernel,
                                 kernel * along,
                                 along * along,
                                 gates * kernel,
                                 gates * along,
                                 y * kernel,
                                 y * along,
                                 y * gates};
    });
    return {.squares = of(mean[0]),
            .norms = of(mean[1]),
            .kernel_kernel = of(mean[2]),
            .kernel_inner = of(mean[3]),
            .inner_inner = of(mean[4]),
            .gates_kernel = of(N(mean[5] / pi)),
            .gates_inner = of(N(mean[6] / pi)),
            .target_kernel = of(mean[7]),
            .target_inner = of(mean[8]),
            .target_gates = of(N(mean[9] / pi))};
}

template <class N, class Inputs, class Others>
CReluGradientMoments<N> crelu_gradient_means(Inputs const& inputs, Others const& gradients) {
    auto const mean = mean_over_pairs<N, 2>(inputs.size(), [&](std::size_t k, std::size_t l) {
        N const g = gradients.dot(k, l);
        return std::array<N, 2>{g * inputs.shared_signs(k, l), g * first_kernel(inputs.kernels(), inputs.pair(k, l))};
    });
    return {.first = mean[0], .later = mean[1]};
}

template <class N, class Inputs, class Others>
CReluTargetMoments<N> crelu_target_means(Inputs const& inputs, Others const& targets) {
    auto const& kernels = inputs.kernels();
    auto const mean = mean_over_pairs<N, 5>(inputs.size(), [&](std::size_t k, std::size_t l) {
        auto const pair = inputs.pair(k, l);
        N const alpha = inputs.shared_signs(k, l);
        N const kernel = first_kernel(kernels, pair);
        N const y = targets.dot(k, l);
        return std::array<N, 5>{alpha * pair.xy, alpha * y, kernel * pair.xy, second_kernel(kernels, pair), kernel * y};
    });
    return {.first_inputs = mean[0],
            .first_targets = mean[1],
            .kernel_inputs = mean[2],
            .kernel_squares = mean[3],
            .kernel_targets = mean[4]};
}

}  // namespace isserlis
