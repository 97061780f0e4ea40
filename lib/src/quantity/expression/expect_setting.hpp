// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/observable_sampler.hpp>
#include <isserlis/strand/setting.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quantity/expression/expect_request.hpp"
#include "quantity/given_samples.hpp"
#include "question/model.hpp"

namespace isserlis::quantity {

/// Errors  DomainError naming the parameter for moments that no targets have; where symbols leave it open there is none.
void require_target_moments(ObservableSetting<Surd> const& setting, Surd const& outputs);
void require_target_moments(ObservableSetting<RationalFunction> const& setting, RationalFunction const& outputs);

/// The model of a request, whose higher moments of targets are not those of mean 0 where a mean is given.
[[nodiscard]] ModelText model_of(ExpectRequest const& request);

/// Everything besides the network that the observables of EXPR depend on.
/// Errors  DomainError naming the parameter or the file that gives too little, or sizes that do not fit.
template <class R, class Count>
[[nodiscard]] ObservableSetting<R> setting_of(ExpectRequest const& request, Model<R, Count> const& model,
                                              Bindings const& bindings) {
    auto rows = [&](std::vector<std::vector<Expression>> const& x) {
        std::vector<std::vector<R>> out;
        for (auto const& row : x) {
            out.emplace_back();
            for (auto const& e : row) out.back().push_back(value_at<R>(e, bindings, "with"));
        }
        return out;
    };
    auto require_size = [](std::size_t size, R const& width, std::string const& what) {
        if (R(static_cast<int>(size)) == width) return;
        throw DomainError(
            "`with`: " + what + " has " + std::to_string(size) + " entries for a width of " + to_string(width), "with");
    };
    ObservableSetting<R> out;
    auto const& with = request.with;
    if (!with.input_names.empty()) {
        out.inputs.names = with.input_names;
        out.inputs.vectors = rows(with.vectors);
        out.inputs.gram = rows(with.gram);
        for (auto const& v : out.inputs.vectors) require_size(v.size(), model.graph().input_width, "an input");
        require_symmetric_products(out.inputs.gram, "gram");
    } else if (!model.input.empty()) {
        out.inputs.vectors = {model.input};
    } else {
        out.inputs.squared_norm = model.squared_norm;
        out.inputs.fourth = model.fourth;
    }
    out.target_second = model.target_second;
    out.target_third = model.target_third;
    out.target_fourth = model.target_fourth;
    if (request.target_mean) {
        auto const moment = [&](std::optional<Expression> const& typed, char const* parameter) {
            return typed ? std::optional(value_at<R>(*typed, bindings, parameter)) : std::nullopt;
        };
        out.target_mean = *moment(request.target_mean, "target_mean");
        out.target_third = moment(request.model.target_third, "target_third_moment");
        out.target_fourth = moment(request.model.target_fourth, "target_fourth_moment");
        require_target_moments(out, R(model.graph().output_width()));
    }
    for (auto const& name : parameters_of(request.query.statistic))
        out.parameters.emplace(name, value_at<R>(Expression::parse(name, "query"), bindings, "query"));
    for (auto const& name : constants_of(request.query)) {
        auto const at = with.constants.find(name);
        if (at == with.constants.end())
            throw DomainError("`query`: the constant '" + name + "' has no value; give it by `with` FILE", "query");
        auto value = rows(at->second);
        require_size(value.front().size(), model.graph().output_width(), "the constant '" + name + "'");
        for (std::size_t i = 0; i < value.size(); ++i) {
            for (std::size_t j = 0; value.size() > 1 && j < i; ++j) {
                if (!(value[i][j] == value[j][i]))
                    throw DomainError("`with`: the matrix '" + name + "' is not symmetric", "with");
            }
        }
        out.constants.emplace(name, std::move(value));
    }
    return out;
}

/// What the sampling engine takes besides the network.
/// Errors  UnsupportedError for a Gram matrix.
[[nodiscard]] monte_carlo::ObservableSettings sampling_settings(ExpectRequest const& request, NumericModel const& model,
                                                                ObservableSetting<Surd> const& setting);

}  // namespace isserlis::quantity
