// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/step_rule.hpp>
#include <isserlis/report/answer.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
void state_optimiser(Optimiser const& optimiser, Answer& answer);
/// And what counts as one matrix, where that is not a layer.
void state_optimised_matrices(ModelText const& text, Answer& answer);

/// The first step of an optimiser other than sgd: exact where it is known, sampled with `check`. `width` stands in place of
/// the layers' own where a symbol is swept.
void add_optimiser_step(Optimiser const& optimiser, NumericModel const& model, std::optional<Integer> const& width,
                        Session const& session, Answer& answer);

/// How the unit rates of each layer go with the width, from each network to the next.
void add_unit_rate_exponents(Optimiser const& optimiser, std::vector<std::pair<Integer, NumericModel>> const& swept,
                             Session const& session, Answer& answer);

}  // namespace isserlis::quantity
