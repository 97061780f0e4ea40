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

void require_rates(SymbolicModel const&) {}
void require_rates(NumericModel const& model) {
    for (auto const& run : model.net.layers) {
        if (sign(run.label_factor) < 0)
            throw DomainError("--eta = " + to_string(run.label_factor) + "; a rate is at least 0", "--eta");
    }
}

}  // namespace isserlis::cli
