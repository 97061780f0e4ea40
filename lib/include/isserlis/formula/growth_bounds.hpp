// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/dense_jacobian.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace isserlis {

/// 1 + (c + Delta)/n of a layer: E|y|^4/(E|y|^2)^2 grows by this much if sum x_i^4 = |x|^4 below it, by less or more
/// otherwise as the kurtosis is above or below 3. c = 3 g4/g2^2 - 1, Delta = (g4/g2^2)(kappa - 3).
///
/// Errors  none.
/// Source  [Residual 2019, eq. (71)], with the Delta that it needs: 2(kappa - 3) for ReLU
template <Field R>
[[nodiscard]] R layer_growth(TransferLayer<R> const& layer) {
    R const g2 = layer.gate.moment(2);
    R const g4 = layer.gate.moment(4);
    return R(1) + (layer.kurtosis * g4 / (g2 * g2) - R(1)) / layer.fan_out;
}

/// Bounds of E|y_(k)|^4/(E|y_(k)|^2)^2 by widths and kurtoses alone, vanilla and residual networks: the products behind
/// Lemma 2 and Theorem 2.
///
/// Law     as `ChainJacobian`. An upper bound when each kurtosis stands for max(kappa, 3), a lower one for min(kappa,
///         3), the value itself when all are 3: sum x_i^4 lies between 0 and |x|^4.
/// Shape   any Count of stages.
/// Units   pure numbers.
/// Errors  those of `check_stages`.
/// Source  [Residual 2019, eq. (74)], eq. (85) to (88), any widths, variances and gates: docs/formulas/growth_bounds.md
template <Field R, class Count>
class ChainGrowth {
public:
    explicit ChainGrowth(std::vector<TransferStage<R, Count>> const& stages) {
        check_stages(stages, "ChainGrowth");
        for (auto const& stage : stages) {
            R branch(1);
            R mu(1);
            for (auto const& l : stage.layers) {
                branch = branch * layer_growth(l);
                mu = mu * l.variance * l.fan_out * l.gate.moment(2);
            }
            R whole = branch;
            if (stage.skip) {
                // Relative to the mean 1 + mu of |y^k|^2/|y^(k-1)|^2.
                R const two = mu + mu;
                R const fourth = R(1) + two + (two + two) / stage.layers.front().fan_in + mu * mu * branch;
                whole = simplified(R(fourth / ((R(1) + mu) * (R(1) + mu))));
            }
            branches_.push_back(simplified(branch));
            blocks_.push_back(std::move(whole));
            counts_.push_back(stage.count);
        }
    }

    [[nodiscard]] R output() const {
        std::vector<R> factors;
        for (std::size_t r = 0; r < blocks_.size(); ++r) factors.push_back(power(blocks_[r], counts_[r]));
        return product_tree(factors);
    }
    /// y_(k) of a stage of run number `run`: that stage without its skip.
    [[nodiscard]] R reduced(std::size_t run) const {
        std::vector<R> factors{branches_[run]};
        for (std::size_t r = 0; r < blocks_.size(); ++r) {
            Count const count = r == run ? counts_[r] - Count(1) : counts_[r];
            if (!(count == Count(0))) factors.push_back(power(blocks_[r], count));
        }
        return product_tree(factors);
    }

private:
    std::vector<R> branches_;
    std::vector<R> blocks_;
    std::vector<Count> counts_;
};

/// The same for dense networks; layers above k see nothing below y^k in the reduced one.
///
/// Law     as `ChainGrowth`. Shape as `DenseJacobian`.
/// Errors  none.
/// Source  [Residual 2019, eq. (98)], eq. (102): docs/formulas/growth_bounds.md, in place of [Residual 2019, Thm 3]
template <Field R>
[[nodiscard]] R dense_growth(std::vector<TransferLayer<R>> const& layers, unsigned first_source, std::size_t k) {
    std::vector<R> factors;
    for (std::size_t l = 1; l <= layers.size(); ++l) {
        auto const& layer = layers[l - 1];
        R const growth = layer_growth(layer);
        bool const starts = l == k || l == layers.size() || (l == 1 && first_source == 1);
        if (starts) {
            factors.push_back(growth);
            continue;
        }
        R const r = layer.variance * layer.fan_out * layer.gate.moment(2);
        factors.push_back((R(1) + r + r + r * r * growth) / ((R(1) + r) * (R(1) + r)));
    }
    return product_tree(factors);
}

/// Bounds of Var||J||^2 that follow from those of E|y_(k)|^4/(E|y_(k)|^2)^2; the lower one may be below 0. `mean` =
/// E||J||^2.
///
/// Law     `larger_kurtosis` = max(kappa, 3) of the matrix.
/// Errors  none.
/// Source  docs/formulas/layer_jacobian.md
template <Field R>
struct GrowthVariance {
    R lower;
    R upper;
};
template <Field R>
[[nodiscard]] GrowthVariance<R> growth_variance(R const& mean, R const& lower_growth, R const& upper_growth,
                                                R const& larger_kurtosis) {
    R const square = mean * mean;
    return {.lower = square * (lower_growth / larger_kurtosis - R(1)), .upper = square * (upper_growth - R(1))};
}

/// A bound of E|y_(k)|^4/(E|y_(k)|^2)^2 as printed: factor * exp(rate).
template <class R>
struct PrintedGrowth {
    R factor;
    R rate;
};

/// Delta as printed, 2(c_4 - 3 c_2^2)/n_(l-1).
template <Field R>
[[nodiscard]] R printed_delta(TransferLayer<R> const& layer) {
    return R(2) * (layer.kurtosis - R(3)) * layer.variance * layer.variance / layer.fan_in;
}

/// (1 + (5 - |Delta|)/n_L) exp sum_(l<L) (5 - |Delta|)/(2 n_l) and (1 + (5 + |Delta|)/n_L) exp sum_(l<L) (5 + |Delta|)/
/// n_l, of He ReLU layers: C_1/C_2 and C_3/C_4 of (74) and (62) before the exponentials. `size` is |Delta| of each run.
///
/// Errors  none.
/// Source  [Residual 2019, Lemma 2], eq. (74), misprints included
template <Field R, class Count>
[[nodiscard]] std::pair<PrintedGrowth<R>, PrintedGrowth<R>> lemma_2_growth(
    std::vector<TransferStage<R, Count>> const& stages, std::vector<R> const& size) {
    R lower(0);
    R upper(0);
    for (std::size_t r = 0; r < stages.size(); ++r) {
        bool const last = r + 1 == stages.size();
        R const count = from_count<R>(last ? stages[r].count - Count(1) : stages[r].count);
        R const& n = stages[r].layers.front().fan_out;
        lower = lower + count * (R(5) - size[r]) / (R(2) * n);
        upper = upper + count * (R(5) + size[r]) / n;
    }
    R const& last = stages.back().layers.front().fan_out;
    return {{.factor = R(1) + (R(5) - size.back()) / last, .rate = lower},
            {.factor = R(1) + (R(5) + size.back()) / last, .rate = upper}};
}

/// C_1 rho_-^m exp(L rho_-^m/2)/mu^2 and C_3 rho_+^m exp(2 L rho_+^(m/2))/mu^2, rho = alpha^2 (1 + (5 +- |Delta|)/n),
/// mu = alpha^m (1 + alpha^m)^(L-1), with the constants of (88) to (90): C_1 = n/(n + 5 - |Delta|), C_3 = 1.
///
/// Errors  as the square root of R, for odd m; DomainError where n + 5 = |Delta|.
/// Source  [Residual 2019, Thm 2], eq. (88) to (92), misprints included
template <Field R, class Count>
[[nodiscard]] std::pair<PrintedGrowth<R>, PrintedGrowth<R>> theorem_2_growth(R const& width, R const& alpha,
                                                                             R const& size, std::uint64_t matrices,
                                                                             Count const& stages) {
    R const count = from_count<R>(stages);
    R const low = R(1) + (R(5) - size) / width;
    R const high = R(1) + (R(5) + size) / width;
    R const step = power(alpha, matrices);
    R const mu = step * power(R(R(1) + step), Count(stages - Count(1)));
    R root = step * power(high, matrices / 2);
    if (matrices % 2 == 1) root = root * sqrt(high);
    R const below = step * step * power(low, matrices);
    R const above = step * step * power(high, matrices);
    return {{.factor = below / (low * mu * mu), .rate = count * below / R(2)},
            {.factor = above / (mu * mu), .rate = R(2) * count * root}};
}

}  // namespace isserlis
