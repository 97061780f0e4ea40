// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/bias.hpp>

#include <optional>
#include <string>
#include <vector>

#include "question/fan_words.hpp"
#include "question/model_values.hpp"

namespace isserlis::quantity {

/// What a ModelText says of the weights and biases of each layer or matrix: variances, laws, label factors.
template <class Kind>
class ModelWeights : public ModelValues<Kind> {
public:
    using Base = ModelValues<Kind>;
    using R = typename Base::R;
    using Base::Base;

protected:
    using Base::bindings_;
    using Base::require_at_least;
    using Base::require_positive;
    using Base::text_;
    using Base::value;
    using Base::value_by;
    using Base::value_of_branches;

    /// Entry i of a list that has one value for all, or one for each.
    [[nodiscard]] R entry(std::vector<Expression> const& list, std::size_t i, std::string const& parameter) const {
        return value(list[list.size() == 1 ? 0 : i], parameter);
    }
    [[nodiscard]] R variance_of(std::size_t i, Gate<R> const& gate, R const& fan_in, R const& fan_out, bool is_last,
                                bool is_scaled = true) const {
        if (text_.variances.empty()) {
            R const scheme = weight_variance(text_.scheme.value_or(Scheme::he), gate, fan_in, fan_out, is_last);
            if (!text_.alpha || !is_scaled) return scheme;
            return value_of_branches(*text_.alpha, "alpha") * scheme;
        }
        auto const& list = text_.variances;
        R const out = variance_value(list[list.size() == 1 ? 0 : i], fan_in, fan_out, "variance");
        require_positive(out, "variance");
        return out;
    }
    /// Matrix `i` of the lists, of which the parametrisation, if one is given, says all but the typed label factor.
    struct Weights {
        R variance;
        R label_factor;
    };
    [[nodiscard]] Weights parametrised(LayerKind kind, std::size_t label_entry, R const& g2, R const& fan_in,
                                       R const& fan_out, bool is_scaled = true) const {
        R const alpha = text_.alpha && is_scaled ? value_of_branches(*text_.alpha, "alpha") : R(1);
        ParametrisedLayer<R> const layer(*text_.parametrisation, kind, g2, fan_in, fan_out, alpha);
        return {.variance = layer.weight_variance(),
                .label_factor = typed_label_factor(label_entry) * layer.label_factor()};
    }
    /// The value of a variance, in which fan_in and fan_out are words.
    [[nodiscard]] R variance_value(Expression const& e, R const& fan_in, R const& fan_out,
                                   std::string const& parameter) const {
        return value_by(e, parameter, [&](std::string const& name) {
            if (name == fan_in_word) return fan_in;
            return name == fan_out_word ? fan_out : Kind::symbol(name, bindings_);
        });
    }
    [[nodiscard]] WeightLaw<R> law_of_kurtosis(R const& kurtosis, std::string const& parameter) const {
        require_at_least(kurtosis, R(1), parameter, "E w^4 >= (E w^2)^2, so a kurtosis or fourth moment is at least 1");
        return {.kind = LawKind::kurtosis, .kurtosis_value = kurtosis};
    }
    [[nodiscard]] WeightLaw<R> law_at(std::size_t i) const {
        if (!text_.layer_laws.empty())
            return {.kind = text_.layer_laws[i].value_or(LawKind::gaussian), .kurtosis_value = R(0)};
        if (text_.kurtoses.empty()) return {.kind = text_.law.value_or(LawKind::gaussian), .kurtosis_value = R(0)};
        return law_of_kurtosis(entry(text_.kurtoses, i, text_.kurtosis_parameter), text_.kurtosis_parameter);
    }
    /// None where variance and label factor are 0: a network without biases is the same whichever way that is said.
    [[nodiscard]] std::optional<Bias<R>> bias_of(std::optional<Expression> const& variance, LawKind law,
                                                 R const& label_factor, R const& fan_in, R const& fan_out,
                                                 std::string const& parameter, std::string const& what) const {
        Bias<R> out{.law = {.kind = law, .kurtosis_value = R(0)}, .label_factor = label_factor};
        if (variance) out.variance = variance_value(*variance, fan_in, fan_out, parameter);
        require_at_least(out.variance, R(0), what, "a variance is at least 0");
        if (out.variance == R(0) && label_factor == R(0)) return std::nullopt;
        return out;
    }
    [[nodiscard]] std::optional<Bias<R>> bias_at(std::size_t i, R const& fan_in, R const& fan_out) const {
        auto const& variances = text_.bias_variances;
        std::optional<Expression> variance;
        if (!variances.empty()) variance = variances[variances.size() == 1 ? 0 : i];
        auto const& factors = text_.bias_label_factors;
        R const factor = factors.empty() ? R(0) : entry(factors, i, "bias_label_factor");
        require_at_least(factor, R(0), "bias_label_factor", "at least 0 is required");
        return bias_of(variance, text_.bias_law, factor, fan_in, fan_out, "bias_variance", "bias_variance");
    }
    /// Which entry of the lists of biases is that of a matrix, where `at` says it of a list.
    [[nodiscard]] std::size_t bias_entry(auto const& at) const {
        return at(text_.bias_variances.size() > 1 ? text_.bias_variances : text_.bias_label_factors);
    }
    [[nodiscard]] R typed_label_factor(std::size_t i) const {
        return text_.label_factors.empty() ? R(1) : entry(text_.label_factors, i, text_.label_factor_parameter);
    }
    /// Of derivatives by the weights: a pair of derivatives by theta has the variance of W = sqrt(variance) theta.
    [[nodiscard]] R label_factor(std::size_t i, R const& variance) const {
        R const typed = typed_label_factor(i);
        return text_.has_unit_parameters() ? R(typed * variance) : typed;
    }
    /// m^2 of residual blocks y + m F(y).
    [[nodiscard]] R squared_multiplier() const {
        R const m = value_of_branches(*text_.multiplier, "multiplier");
        return m * m;
    }
    [[nodiscard]] DerivativeText<R> derivatives() const {
        DerivativeText<R> out{
            .unit_parameters = text_.has_unit_parameters(), .over_fan_in = text_.effective, .factors = {}};
        out.parametrisation = text_.parametrisation;
        if (text_.parametrisation && text_.alpha) out.alpha = value_of_branches(*text_.alpha, "alpha");
        if (text_.multiplier) out.branch_multiplier_squared = squared_multiplier();
        if (text_.wiring == Wiring::file) {
            for (auto const& e : text_.file.edges) {
                if (!e.skip) out.factors.push_back(label_factor_of(e));
            }
            return out;
        }
        for (std::size_t i = 0; i < text_.label_factors.size(); ++i) out.factors.push_back(typed_label_factor(i));
        return out;
    }
    /// Of an edge of a network file: its own times the one that is typed.
    [[nodiscard]] R label_factor_of(auto const& edge) const {
        R const typed = typed_label_factor(0);
        return edge.label_factor ? R(typed * value(*edge.label_factor, "network")) : typed;
    }

    /// Calls f with each list parameter that has one entry for each layer or matrix.
    void for_each_list(auto const& f) const {
        if (text_.variances.size() > 1) f(text_.variances.size(), std::string("variance"));
        if (text_.bias_variances.size() > 1) f(text_.bias_variances.size(), std::string("bias_variance"));
        if (text_.bias_label_factors.size() > 1) f(text_.bias_label_factors.size(), std::string("bias_label_factor"));
        if (text_.kurtoses.size() > 1) f(text_.kurtoses.size(), text_.kurtosis_parameter);
        if (!text_.layer_laws.empty()) f(text_.layer_laws.size(), std::string("law"));
        if (text_.label_factors.size() > 1) f(text_.label_factors.size(), text_.label_factor_parameter);
    }
};

}  // namespace isserlis::quantity
