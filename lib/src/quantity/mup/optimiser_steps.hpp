// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/network/step_rule.hpp>
#include <isserlis/report/answer.hpp>
#include <isserlis/report/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quantity/mup/optimised_model.hpp"
#include "question/model.hpp"
#include "question/parameter_set.hpp"

namespace isserlis::quantity {

/// `optimiser`, as typed, and what it does to a gradient.
struct Optimiser {
    std::string name = "sgd";
    StepRule rule = StepRule::descent;
};
/// Errors  UnsupportedError for other names.
[[nodiscard]] Reader<Optimiser> optimiser_name();

/// Errors  UnsupportedError for what the first steps of other optimisers than sgd, or `steps`, are not served with.
void check_optimiser(Optimiser const& optimiser, std::optional<std::uint64_t> steps, ModelText const& text,
                     Session const& session);

/// States what the optimiser does to the weights.
void state_optimiser(Optimiser const& optimiser, std::optional<Parametrisation> const& parametrisation, Answer& answer);
/// And what counts as one matrix, where that is not a layer.
void state_optimised_matrices(ModelText const& text, Answer& answer);
/// What is sampled of it beside the exact numbers.
void state_sampled_changes(Session const& session, Answer& answer);

/// Factors of all rates at which a first step moves something by 1; what is neither known nor sampled is empty.
struct StepRates {
    struct Rate {
        std::optional<Value> exact;
        std::optional<monte_carlo::Estimate> sampled;
    };
    Rate rated;   ///< of a layer or node by root mean square
    Rate output;  ///< of the output by E |Delta z|, under `normalised` by root mean square
};

/// The first step of an optimiser other than sgd: exact where it is known, sampled with `check`. `width` stands in place of
/// the layers' or nodes' own where a symbol is swept; `rated` is the layer or node of the answer's first rate, if any.
StepRates add_first_step(OptimisedModel const& model, ModelText const& text, std::string const& rated,
                         std::optional<Integer> const& width, Session const& session, Answer& answer);

/// How the unit rates of each layer go with the width, from each network to the next.
void add_unit_rate_exponents(std::vector<std::pair<Integer, OptimisedModel>> const& swept, Session const& session,
                             Answer& answer);

}  // namespace isserlis::quantity
