// SPDX-License-Identifier: MIT
#include "mup_text.hpp"

#include <isserlis/error.hpp>

namespace isserlis::cli {

void state_mup_step(Answer& answer) {
    answer.assume("one sample, one gradient step on 1/2 |z - y|^2, its change to first order in the step");
    answer.assume("y independent of the weights; only E|y|^2 enters, its mean does not");
}

void state_mup(ModelText const& text, Answer& answer) {
    state_assumptions(text, {.activation = true, .variance = true, .law = true, .input = true}, answer);
    state_mup_step(answer);
}

namespace {

void require_rates_of(auto const& net) {
    for (auto const& run : net.layers) {
        if (sign_of(run.label_factor).value_or(0) < 0)
            throw DomainError("--eta = " + printable(to_string(run.label_factor)) + "; a rate is at least 0", "--eta");
    }
}

}  // namespace

void require_rates(SymbolicModel const& model) { require_rates_of(model.net); }
void require_rates(NumericModel const& model) { require_rates_of(model.net); }

}  // namespace isserlis::cli
