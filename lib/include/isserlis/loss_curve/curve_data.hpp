// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/data/data_set.hpp>
#include <isserlis/data/output_derivatives.hpp>
#include <isserlis/data/target_sums.hpp>
#include <isserlis/formula/loss_curve_crelu.hpp>
#include <isserlis/formula/loss_curve_linear.hpp>
#include <isserlis/formula/loss_curve_squared.hpp>
#include <isserlis/monte_carlo/loss_curve_sampler.hpp>
#include <isserlis/network/loss_kind.hpp>
#include <isserlis/network/mini_batch.hpp>
#include <isserlis/ring/enclosed.hpp>

#include <optional>
#include <string>
#include <vector>

namespace isserlis {

/// The samples of a loss curve, its loss, and what is held fixed.
struct CurveData {
    DataSet set;
    LossKind loss = LossKind::squared;
    bool fixed = false;  ///< gradients and Hessians of the loss are constants: g and H do not depend on the weights
    std::vector<Rational> output;         ///< at which fixed ones are taken
    bool loss_is_idle = false;            ///< a loss was named, but the data have its gradients and Hessians
    std::optional<OutputDerivatives> at;  ///< g and H, when they are fixed
    std::optional<MiniBatch> batch;       ///< samples in the gradient; none is all of them

    [[nodiscard]] std::size_t samples() const { return set.samples(); }
    /// c of a squared error c |z - y|^2. Only for squared and half-squared.
    [[nodiscard]] Surd squared_factor() const { return loss == LossKind::squared ? Surd(1) : Surd(ratio(1, 2)); }
    [[nodiscard]] bool is_squared() const { return loss == LossKind::squared || loss == LossKind::half_squared; }

    /// All samples have the same input, so that all gates are equal.
    [[nodiscard]] bool has_one_input() const;
    /// The same mean loss with fixed gradients, equal inputs made one.
    [[nodiscard]] CurveData with_distinct_inputs() const;
    /// Sums over samples for the linear network with fixed gradients, if they are surds.
    [[nodiscard]] std::optional<GradientMoments<Surd>> gradient_moments() const;
    [[nodiscard]] GradientMoments<Enclosed> enclosed_gradient_moments(unsigned bits) const;
    /// The same for squared errors.
    [[nodiscard]] std::optional<TargetMoments<Surd>> target_moments() const;
    /// What a batch sees besides; of inputs alone where `targets` are left out.
    [[nodiscard]] OwnMoments<Surd> own_moments(bool targets) const;
    [[nodiscard]] OwnMoments<Enclosed> enclosed_own_moments(unsigned bits) const;
    /// What ends in biases leave, if all of it is a surd; of single targets where `targets` are asked for.
    [[nodiscard]] std::optional<CentreMoments<Surd>> centre_moments(bool targets) const;
    [[nodiscard]] InputGrams grams() const;
    /// Rows of rationals, if the gradients are.
    [[nodiscard]] std::optional<Rows<Rational>> rational_gradients() const;
    /// Certain bounds of them.
    [[nodiscard]] Rows<Interval> gradient_intervals(unsigned bits) const;
    [[nodiscard]] std::optional<Rows<Rational>> rational_targets() const;
    /// What sampling takes.
    [[nodiscard]] monte_carlo::LossCurveModel sampling_model(monte_carlo::NetworkModel const& network,
                                                             std::vector<double> rates = {}) const;
};

}  // namespace isserlis
