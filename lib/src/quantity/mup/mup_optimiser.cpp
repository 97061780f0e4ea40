// SPDX-License-Identifier: MIT
#include "quantity/mup/mup_optimiser.hpp"

#include <isserlis/error.hpp>

#include <string>
#include <type_traits>

#include "quantity/chain_models.hpp"
#include "quantity/mup/mup_text.hpp"
#include "quantity/mup/optimiser_formulas.hpp"
#include "quantity/mup/sampled_steps.hpp"
#include "quantity/wired/wired_mup.hpp"

namespace isserlis::quantity {
namespace {

/// The layer or node that `mup_learning_rate` is about: as an index, and as a sentence says it.
struct Rated {
    std::string name;
    std::string what;
};

template <class R, class Count>
Rated rated_of(Model<R, Count> const& model, ModelText const& text) {
    if (text.wiring != Wiring::vanilla) {
        auto const node = rated_node(model, text);
        return {.name = node.node.name, .what = node.what};
    }
    if (has_endless_stage(model)) return {.name = "", .what = "the last hidden layer"};
    std::uint64_t const layers = checked_depth(model.net(), "mup");
    require_hidden_layer(layers);
    return {.name = std::to_string(layers - 1), .what = "the last hidden layer"};
}

}  // namespace

void add_mup_optimiser(Optimiser const& optimiser, ModelText const& text, Bindings const& bindings,
                       Session const& session, Answer& answer) {
    Rated rated;
    StepRates rates;
    state_optimiser(optimiser, text.parametrisation, answer);
    state_sampled_changes(session, answer);
    state_optimised_matrices(text, answer);
    with_model(text, bindings, [&](auto const& model) {
        rated = rated_of(model, text);
        if constexpr (std::is_same_v<std::decay_t<decltype(model)>, NumericModel>) {
            rates =
                add_first_step(OptimisedModel(text, bindings, optimiser.rule), text, rated.name, {}, session, answer);
        } else {
            rates = add_first_step_formulas(optimiser, model, text, bindings, session, answer);
        }
    });
    auto const add = [&](char const* name, StepRates::Rate rate) {
        if (session.samples && !rate.exact && !rate.sampled) rate.exact = Value::absent("no sampled network changes");
        add_known(name, {}, rate.exact, rate.sampled, answer);
    };
    add("mup_learning_rate", rates.rated);
    add("output_learning_rate", rates.output);
    answer.assume("mup_learning_rate multiplies the rates given (default 1): then E (Delta z_i)^2 = 1 at " +
                  rated.what + "; output_learning_rate likewise: then E " +
                  (optimiser.rule == StepRule::normalised ? "(Delta z_i)^2" : "|Delta z_i|") + " = 1 at the output");
}

}  // namespace isserlis::quantity
