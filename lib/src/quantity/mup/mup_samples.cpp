// SPDX-License-Identifier: MIT
#include "quantity/mup/mup_samples.hpp"

#include <isserlis/error.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/verify/cancellation.hpp>

#include "quantity/chain_models.hpp"
#include "quantity/endless_depth.hpp"
#include "quantity/mup/mup_text.hpp"
#include "quantity/mup/sampled_steps.hpp"
#include "quantity/mup/unmoved.hpp"
#include "quantity/pair_products.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/linear_between_matrices.hpp"
#include "quantity/wired/step_changes.hpp"
#include "quantity/wired/wired_mup.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

std::string gates_of_samples(char const* parameter) {
    return named(parameter) +
           ": a step on several samples with targets is served for linear units on any wiring, and through relu or "
           "leaky units for " +
           where_gates_meet_samples;
}

using Sampled = std::map<std::string, monte_carlo::BatchStepEstimates>;

template <class R>
void add_layer(LayerChanges<R> const& x, StepSamples<R> const& samples, Sampled const& sampled, Answer& answer) {
    auto const at = sampled.find(x.name);
    auto const check = [&](SampleNumber<R> const& exact, auto const& of) -> std::optional<Check> {
        if (at == sampled.end()) return std::nullopt;
        monte_carlo::Estimate const& e = of(at->second);
        double const value = to_double(exact);
        auto const out = compare_sampled(value, e.mean, e.std_error, e.samples);
        // What targets do whose sums are 0, or nearly, is rounding beside the whole change.
        return up_to_rounding(out, value, at->second.change_square.mean);
    };
    using Seen = monte_carlo::BatchStepEstimates;
    auto const add = [&](char const* name, SampleNumber<R> const& exact, monte_carlo::TailedEstimate Seen::*member) {
        answer.add(name, {x.name}, tidy(exact), check(exact, [&](Seen const& seen) { return seen.*member; }),
                   not_numeric);
    };
    add("mup_change_squared", x.mean(), &Seen::change_square);
    add("mup_a", averaged(x.a), &Seen::of_outputs);
    add("mup_b", averaged(x.b), &Seen::of_targets);
    for (std::size_t s = 0; s < samples.names.size(); ++s)
        answer.add("mup_sample_change_squared", {samples.names[s], x.name}, tidy(x.of(s)),
                   check(x.of(s), [&](Seen const& seen) { return seen.change_squares[s]; }), not_numeric);
}

constexpr char const* of_change = "a function of mup_change_squared";

/// `what` is of neurons of which node: "E (Delta z_i^(L))^2 at the last hidden layer".
template <class N>
void add_rate(N const& change, std::string const& what, Answer& answer) {
    state_rate_over_samples(what, answer);
    answer.add("mup_learning_rate", {}, is_certainly_zero(change) ? unmoved() : over_root(1, change, rate_form), {},
               of_change);
}

/// At a depth in symbols.
void add_endless_rate(RationalFunction const& change, Answer& answer) {
    state_rate_over_samples(at_last_hidden, answer);
    Value const rate = is_certainly_zero(change) ? unmoved() : Value::expression("1/sqrt(" + to_string(change) + ")");
    answer.add("mup_learning_rate", {}, rate, {}, of_change);
}

void begin(auto const& model, ModelText const& text, Session const& session, Answer& answer) {
    require_rates(model);
    char const* const apart = parts_gates_from_samples(text);
    require_linear_between_matrices(model.graph(), gates_of_samples(apart), apart);
    begin_wired(model, text, session, answer);
    state_means_over_samples(model.network.is_chain() ? "layer" : "node", answer);
}

/// Of any wiring, all nodes or that of `layer`, and the rate of the last one below the output.
template <class R, class Count>
void add_nodes(Model<R, Count> const& model, ModelText const& text, StepSamples<R> const& samples,
               Sampled const& sampled, Session const& session, Answer& answer) {
    auto const rated = rated_node(model, text);
    if (has_endless_stage(model))
        throw UnsupportedError(
            "`widths`: with samples a residual network is served at a depth in numbers; `set` gives it one", "widths");
    auto const nodes = listed_nodes(model.graph(), session, answer);
    LeftAtSamples const left(samples);
    answer.expect((3 + samples.names.size()) * nodes.size() + 1);
    std::optional<SampleNumber<R>> last;
    for (auto const& node : nodes) {
        auto const x = changes_of(node.name, node.width, model, left);
        add_layer(x, samples, sampled, answer);
        if (node.name == rated.node.name) last = x.mean();
    }
    state_trained(text, answer);
    add_rate(last ? *last : changes_of(rated.node.name, rated.node.width, model, left).mean(),
             "E (Delta z_i)^2 at " + rated.what, answer);
}

/// All hidden layers, or that of `layer`, and the last one for the rate.
template <class R, class Count>
void add_layers(Model<R, Count> const& model, StepSamples<R> const& samples, Sampled const& sampled,
                Session const& session, Answer& answer) {
    std::uint64_t const layers = checked_depth(model.net(), "mup");
    require_hidden_layer(layers);
    std::uint64_t const hidden = layers - 1;
    auto const listed = listed_layers(session, hidden, 1, "hidden layers only the last one is", answer);
    if (listed.size() > most_layers_by_strands)
        throw UnsupportedError("`widths`: " + std::to_string(listed.size()) + " hidden layers; with samples up to " +
                                   std::to_string(most_layers_by_strands) + " are listed, and `layer` K one of more",
                               "widths");
    auto const net = *layer_by_layer(model.net(), layers);
    LeftAtSamples const left(samples);
    auto const changes = [&](std::uint64_t l) {
        return changes_of(std::to_string(l), net.layers[l - 1].fan_out, model, left);
    };
    answer.expect((3 + samples.names.size()) * listed.size() + 1);
    std::optional<SampleNumber<R>> last;
    for (auto const l : listed) {
        auto const x = changes(l);
        add_layer(x, samples, sampled, answer);
        if (l == hidden) last = x.mean();
    }
    add_rate(last ? *last : changes(hidden).mean(), at_last_hidden, answer);
}

}  // namespace

void add_step_on_samples(NumericModel const& model, ModelText const& text, StepSamples<Surd> const& samples,
                         Session const& session, Answer& answer) {
    begin(model, text, session, answer);
    auto const sampled = sampled_batch_steps(model, samples, session);
    if (model.network.is_chain()) {
        add_layers(model, samples, sampled, session, answer);
    } else {
        add_nodes(model, text, samples, sampled, session, answer);
    }
}

void add_step_on_samples(SymbolicModel const& model, ModelText const& text,
                         StepSamples<RationalFunction> const& samples, Session const& session, Answer& answer) {
    begin(model, text, session, answer);
    if (!model.network.is_chain()) {
        add_nodes(model, text, samples, {}, session, answer);
        return;
    }
    if (!is_endless(model)) {
        add_layers(model, samples, {}, session, answer);
        return;
    }
    auto const layer = asked_hidden_layer(model, session, answer);
    LeftAtSamples const left(samples);
    auto const x = changes_of(layer.name, layer.width, model, left);
    add_layer(x, samples, {}, answer);
    answer.warn(
        "at symbolic depth the change of one layer is printed; `layer` K prints that of layer K, a letter of any");
    if (session.layer) return;
    auto const change = x.mean();
    add_endless_rate(change, answer);
    if (is_certainly_zero(change)) return;
    add_leading_term("mup_leading_term", change, model.net(), answer);
    add_wide_limit({.limit = "mup_wide_limit", .leading = "mup_wide_leading"}, change, model.net(), answer);
    add_double_limit({.limit = "mup_double_limit", .leading = "mup_double_leading"}, change, model.net(), answer);
}

}  // namespace isserlis::quantity
