// SPDX-License-Identifier: MIT
#include "quantity/one_sample_curve.hpp"

#include <isserlis/error.hpp>
#include <string>

#include "quantity/dead_layers.hpp"
#include "quantity/given_samples.hpp"
#include "quantity/kinks.hpp"
#include "quantity/target_mean.hpp"
#include "quantity/wired/wired.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* of_an_input[] = {
    "input", "input_squared_norm", "input_fourth", "target_second_moment", "target_third_moment", "target_mean"};
constexpr char const* of_data[] = {"size",      "standardize", "c",    "loss",   "gradient",
                                   "at_output", "samples",     "plot", "printed"};
constexpr char const* not_of_wired_data[] = {"at_output", "samples", "plot", "ties", "printed", "parametrisation"};

}  // namespace

void refuse_idle_sampling(std::string const& what, Session const& session) {
    if (session.samples) return;
    for (char const* parameter : {"ties", "precision", "seed", "threads"}) {
        if (session.question.parameters.count(parameter) != 0)
            throw ParseError(named(parameter) + " means nothing without `check`: " + what + " is exact", parameter);
    }
}

bool asks_one_sample(ModelText const& typed, Session const& session) {
    auto const& given = session.question.parameters;
    if (given.count("data") != 0 || given.count("weights") != 0 || given.count("with") != 0) return false;
    return typed.wiring != Wiring::vanilla || given.count("input") != 0 || given.count("input_squared_norm") != 0;
}

bool is_curve_by_strands(ModelText const& typed) {
    return typed.wiring != Wiring::vanilla || typed.has_biases() || !typed.bias_label_factors.empty();
}

std::string served_by_strands(ModelText const& typed) {
    return std::string("with `data` ") +
           (typed.wiring == Wiring::vanilla ? "networks with biases are" : "other wirings than vanilla are");
}

void state_batch_step(BatchText const& batch, Answer& answer) {
    if (batch.is_given())
        answer.assume("the step is one along minus the gradient of the mean loss over " + drawn_samples(batch) +
                      "; loss, slope and curvature are of the mean over all samples, averaged over batches too");
}

void state_stepped_parameters(ModelText const& text, Answer& answer) {
    if (text.has_unit_parameters())
        answer.assume("the step is one of theta: W moves by minus the rate times 1/fan_in times the gradient by W");
    if (!text.bias_label_factors.empty())
        answer.assume("biases step too, at the rate times " + text.as_typed("bias_label_factor"));
    else if (text.has_biases())
        answer.assume("the step is one of the weights; biases stay as they are");
}

void check_sample_or_data(ModelText const& typed, Session const& session) {
    auto const& given = session.question.parameters;
    if (!asks_one_sample(typed, session)) {
        if (is_curve_by_strands(typed)) {
            if (typed.gated_head)
                throw UnsupportedError("`head`: " + served_by_strands(typed) + " served with a linear head", "head");
            for (char const* parameter : not_of_wired_data) {
                if (given.count(parameter) != 0 || (session.printed && parameter == std::string("printed")))
                    throw UnsupportedError(
                        named(parameter) +
                            ": with `data` it is for fully connected (vanilla) networks without biases; the others' "
                            "curve is of `gradient` random and squared errors, exact for linear units, else of as many "
                            "networks as `check` says; leave it out",
                        parameter);
            }
        }
        for (char const* parameter : of_an_input) {
            if (given.count(parameter) == 0) continue;
            throw ParseError(
                named(parameter) + (given.count("data") != 0   ? ": the samples are those of `data`; give one of them"
                                    : given.count("with") != 0 ? ": the samples are those of `with`; leave it out"
                                    : given.count("weights") != 0
                                        ? ": with `weights` the samples are those of `data`"
                                        : ": of one sample; `input` or `input_squared_norm` is missing"),
                parameter);
        }
        if (given.count("ties") != 0)
            throw UnsupportedError(
                "`ties`: with `data` networks are sampled with laws that have a density, of which no pre-activation is "
                "0; leave it out",
                "ties");
        if (given.count("data") == 0)
            throw ParseError(
                std::string("`data` is missing; give a CSV file, cos or checkerboard, such as `data` cos") +
                    (given.count("weights") != 0 ? "" : ", or one sample by `input` or `input_squared_norm`"),
                "data");
        if (typed.has_orthogonal() || !typed.layer_laws.empty())
            throw UnsupportedError(
                "`law`: with `data` one law of independent weights is served for all layers; the curve of one sample, "
                "by "
                "`input` or `input_squared_norm`, has orthogonal matrices and one law for each layer",
                "law");
        if (given.count("alpha") != 0 && typed.wiring == Wiring::vanilla)
            throw ParseError("`alpha`: with `data` the scheme or `variance` says every variance; leave it out",
                             "alpha");
        return;
    }
    for (char const* parameter : of_data) {
        if (given.count(parameter) != 0 || (session.printed && parameter == std::string("printed")))
            throw ParseError(named(parameter) +
                                 ": it goes with `data`; of one sample, here by its input, the loss is 1/2 |z - "
                                 "y|^2 and all is exact",
                             parameter);
    }
    refuse_idle_sampling("the curve of one sample", session);
    if (typed.gated_head) throw UnsupportedError("`head`: a linear head is required for a curve of one sample", "head");
    if (session.layer) throw ParseError("`layer`: a curve of one sample has no layers; leave it out", "layer");
    if (typed.wiring == Wiring::file && !typed.bias_label_factors.empty())
        throw UnsupportedError("`bias_label_factor`: steps of the biases of a network file are not served",
                               "bias_label_factor");
}

void add_one_sample_curves(std::vector<ModelText> const& networks, std::optional<Expression> const& target_mean,
                           Session const& session, Bindings const& bindings, Answer& answer) {
    for (std::size_t k = 0; k < networks.size(); ++k) {
        auto const& text = networks[k];
        declare_symbols(text, bindings, answer);
        state_assumptions(text, one_sample_parameters, answer);
        answer.assume("one sample, loss 1/2 |z - y|^2; y independent of the weights, of " +
                      (target_mean ? "mean " + session.question.parameters.at("target_mean").front() +
                                         " in each output, independent of the others, "
                                   : std::string("mean 0 ")) +
                      "and equal second moments, " + target_moment(text) +
                      (target_mean ? "; moments about 0, not about the mean" : ""));
        state_stepped_parameters(text, answer);
        if (text.parametrisation)
            answer.assume("the step is one of w along minus its gradient, in each layer by its rate, eta = 1");
        auto const add = [&]<class R, class Count>(Model<R, Count> const& model) {
            R const mean = target_mean ? value_at<R>(*target_mean, bindings, "target_mean") : R(0);
            state_kinks(model, answer);
            if (meets_dead_layers(model))
                answer.assume(
                    "where biases are 0: above a layer without an active unit z = 0 opens its gate with probability "
                    "1/2");
            require_mean_of_targets(model.target_second, mean, R(model.graph().output_width()), answer);
            add_wired_loss_curve(model, mean, std::to_string(k + 1), session, answer);
        };
        if (target_mean && !target_mean->symbols().empty())
            with_model_of_samples(target_mean->symbols(), text, session, bindings, answer, add);
        else
            with_wired_model(text, bindings, session, answer, add);
    }
}

}  // namespace isserlis::quantity
