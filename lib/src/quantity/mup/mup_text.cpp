// SPDX-License-Identifier: MIT
#include "quantity/mup/mup_text.hpp"

#include <isserlis/error.hpp>

#include "question/model_statement.hpp"

namespace isserlis::quantity {

void require_hidden_layer(std::uint64_t layers) {
    if (layers < 2)
        throw UnsupportedError("`widths`: there is no hidden layer whose change could be asked for", "widths");
}

void state_mup_step(std::string const& target_second, Answer& answer, std::string const& mean) {
    answer.assume("one sample, one gradient step on 1/2 |z - y|^2, its change to first order in the step");
    answer.assume("y independent of the weights, E|y|^2 = " + target_second + "; " + mean);
}

void state_mup(ModelText const& text, Answer& answer, std::optional<std::string> const& mean) {
    state_assumptions(text, {.activation = true, .variance = true, .law = true, .input = true}, answer);
    state_mup_step(text.target_second ? text.as_typed("target_second_moment") : "1", answer,
                   mean.value_or(mean_of_target(text)));
    state_rates(text, answer);
}

void state_rates(ModelText const& text, Answer& answer) {
    bool const of_file = text.wiring == Wiring::file;
    if (of_file || !text.label_factors.empty())
        answer.assume("rates " + (text.label_factors.empty() ? "1" : text.as_typed(text.label_factor_parameter)) +
                      (of_file ? " times the label factors of the file" : ""));
}

void state_batch(ModelText const& text, std::size_t inputs, Answer& answer) {
    state_assumptions(text, {.activation = true, .variance = true, .law = true}, answer);
    answer.assume(std::to_string(inputs) + " fixed inputs, those of " + text.input_file +
                  "; one gradient step on the mean over them of 1/2 |z - y|^2; the hidden layer's whole change");
    answer.assume(
        "y independent of the weights, E|y|^2 = " + (text.target_second ? text.as_typed("target_second_moment") : "1") +
        " for each input, uncorrelated between inputs: E y_k.y_l = 0");
    if (!text.label_factors.empty()) answer.assume("rates " + text.as_typed(text.label_factor_parameter));
}

void state_means_over_samples(char const* part, Answer& answer) {
    answer.assume(std::string("means over the neurons of a ") + part +
                  " and over all samples; mup_sample_change_squared [k,..] is of sample k "
                  "alone; E (Delta z_i)^2 = mup_a + mup_b, the parts of the outputs and of the targets");
}

void state_rate_over_samples(std::string const& what, Answer& answer) {
    answer.assume("mup_learning_rate multiplies the rates given (default 1): then the mean over the samples is 1 of " +
                  what);
}

namespace {

void require_rates_of(auto const& derivatives) {
    for (auto const& typed : derivatives.factors) {
        if (sign_of(typed).value_or(0) < 0)
            throw DomainError("`eta` = " + printable(to_string(typed)) + "; a rate is at least 0", "eta");
    }
}

}  // namespace

void require_rates(SymbolicModel const& model) { require_rates_of(model.derivatives); }
void require_rates(NumericModel const& model) { require_rates_of(model.derivatives); }

}  // namespace isserlis::quantity
