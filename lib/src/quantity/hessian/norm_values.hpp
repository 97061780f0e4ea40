// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/hessian_norm.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/report/value.hpp>
#include <isserlis/ring/enclosed.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "quantity/hessian/linear_norm.hpp"
#include "quantity/hessian/sharpness.hpp"
#include "quantity/pair_products.hpp"
#include "question/model.hpp"

namespace isserlis::quantity {

/// E|H|_F^2 of the mean loss over samples, with its parts, as values.
struct NormValues {
    Value total;
    Value gauss_newton;
    Value functional;
    Value cross;
    Value target;
    Value root;            ///< sqrt(total)
    Value over_root;       ///< 2/sqrt(total)
    bool is_known = true;  ///< else each says why not

    [[nodiscard]] static NormValues unknown(std::string const& why);
    template <class N>
    [[nodiscard]] static NormValues exact(HessianNorm<N> const& parts, std::string const& name = "hessian_mean_loss") {
        using isserlis::root;
        using quantity::root;
        N const total = parts.total();
        return {.total = tidy(total),
                .gauss_newton = tidy(parts.gauss_newton),
                .functional = tidy(parts.functional),
                .cross = tidy(parts.cross),
                .target = tidy(parts.target),
                .root = root(total, "sqrt(" + name + ")"),
                .over_root = reciprocal_sharpness(total, "2/sqrt(" + name + ")")};
    }
    [[nodiscard]] static NormValues certified(std::function<HessianNorm<Enclosed>(unsigned bits)> const& parts);
};

/// Through gates of fully connected networks: the mean of E|H_k|_F^2 over samples, at any depth, with biases through one hidden
/// layer; none in symbols where |y_k|^2 are not known, and for biases beside first weights of variance 0.
[[nodiscard]] std::optional<HessianNorm<TargetForm>> gated_norm_of_one(NumericModel const& model,
                                                                       StepSamples<Surd> const& samples);
[[nodiscard]] std::optional<HessianNorm<RationalFunction>> gated_norm_of_one(
    SymbolicModel const& model, StepSamples<RationalFunction> const& samples);

/// Of the mean loss over a batch whose two samples are one in this share, through one hidden layer.
/// Errors  DomainError for an input of 0.
[[nodiscard]] NormValues gated_norm(NumericModel const& model, StepSamples<Surd> const& samples,
                                    TargetProducts<Surd> const& targets, Surd const& share);
[[nodiscard]] NormValues gated_norm(SymbolicModel const& model, StepSamples<RationalFunction> const& samples,
                                    TargetProducts<RationalFunction> const& targets, RationalFunction const& share);

}  // namespace isserlis::quantity
