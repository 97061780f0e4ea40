// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/formula/ntk_moments.hpp>
#include <isserlis/model/exact_cost.hpp>
#include <isserlis/ring/members.hpp>

#include "quantity/chain_models.hpp"
#include "quantity/commands.hpp"
#include "quantity/dead_layers.hpp"
#include "quantity/endless_depth.hpp"
#include "quantity/given_samples.hpp"
#include "quantity/known_answer.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/wired.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr ModelParameters ntk_parameters{.wiring = true,
                                         .label_factor = true,
                                         .activation = true,
                                         .variance = true,
                                         .parametrisation = true,
                                         .law = true,
                                         .matrix_laws = true,
                                         .bias = true,
                                         .input = true,
                                         .precision = true};

/// What `ntk` is asked.
struct NtkRequest {
    ModelText typed;
    std::vector<ModelText> networks;
    SamplesText samples;  ///< in place of one input
};

/// Of every layer, 0 where no bias is differentiated by.
template <class R, class Count>
std::vector<R> bias_factors(FullyConnected<R, Count> const& net) {
    std::vector<R> out;
    for (auto const& run : net.layers) out.push_back(run.bias ? run.bias->label_factor : R(0));
    return out;
}

/// The convention where pre-activations can be exactly 0.
template <class R, class Count>
void state_dead_layers(Model<R, Count> const& model, Answer& answer) {
    if (meets_dead_layers(model))
        answer.assume(
            "where biases are 0: above a layer without an active unit z = 0 opens its gate with probability 1/2; with "
            "relu'(0) = 0 terms of hidden biases alone are smaller, by the share of networks with such a layer below "
            "the lower bias");
}

template <class R, class Count>
NtkMoments<R> moments(Model<R, Count> const& model) {
    if constexpr (std::is_same_v<Count, Exponent>) {
        constexpr double most_work = 1e5;  // of the totals: a minute or two
        require_moderate_formulas(model.graph(), {}, most_work);
    }
    if (!has_biases(model.graph())) return ntk_moments(model.net(), model.squared_norm);
    auto const net = layer_by_layer(model.net(), checked_depth(model.net(), named("bias_label_factor")));
    return ntk_moments(*net, model.squared_norm, bias_factors(*net));
}

template <class R, class Count>
void add_ntk(Model<R, Count> const& model, Session const& session, Answer& answer) {
    auto const m = moments(model);
    struct Row {
        char const* name;
        R value;
        char const* query;
    };
    std::vector<Row> const rows{{"ntk_mean", m.mean, "z[1;m]^2"},
                                {"ntk_second_moment", m.second_moment, "z[1;m]^2 z[1;n]^2"},
                                {"ntk_variance", m.variance(), nullptr},
                                {"ntk_trace_mean", m.trace_mean, "z[i;m]^2"},
                                {"ntk_trace_second_moment", m.trace_second_moment, "z[i;m]^2 z[j;n]^2"},
                                {"ntk_squared_trace_mean", m.squared_trace_mean, "z[i;m] z[j;m] z[i;n] z[j;n]"}};
    std::vector<std::optional<Check>> checks(rows.size());
    if constexpr (std::is_same_v<R, Surd>) {
        std::vector<AskedMean> asked;
        for (auto const& row : rows)
            if (row.query != nullptr) asked.push_back({row.query, to_double(row.value)});
        auto sampled = observable_checks(asked, model, session, answer);
        std::size_t next = 0;
        for (std::size_t k = 0; k < rows.size() && next < sampled.size(); ++k)
            if (rows[k].query != nullptr) checks[k] = sampled[next++];
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
        std::string const why = std::is_same_v<R, Surd> ? "computed from the mean and the second moment" : not_numeric;
        answer.add(rows[k].name, {}, tidy(rows[k].value), checks[k], why);
    }
    if constexpr (std::is_same_v<R, Surd>) {
        emit_test(
            KnownAnswer::Kind::ntk, model,
            {{"ntk_mean", "z[1;m]^2", m.mean, {}}, {"ntk_second_moment", "z[1;m]^2 z[1;n]^2", m.second_moment, {}}},
            session, answer);
    } else {
        refuse_symbols_in_test(session);
    }
}

void add_pairs_of_samples(NtkRequest const& request, ModelText const& text, Session const& session,
                          Bindings const& bindings, Answer& answer) {
    auto const& samples = request.samples;
    state_inputs(samples, "the kernel is of inputs", answer);
    auto const add = [&]<class R, class Count>(Model<R, Count> const& model) {
        if (samples.data) require_data_widths(model.graph(), *samples.data, false);
        if (samples.with) declare_grams(*samples.with, model, bindings, answer);
        auto const given = input_samples<R>(samples, model.graph().input_width, bindings);
        add_wired_ntk_pairs(model, given, session, answer);
    };
    with_model_of_samples(samples.symbols(), text, session, bindings, answer, add);
}

}  // namespace

Command ntk_command() {
    CommandOf<NtkRequest> out;
    out.text = {
        .name = "ntk",
        .summary = "Moments of the neural tangent kernel at initialisation, at one input or pairs of samples",
        .positional = "`widths`",
        .positional_help = "n_0,..,n_(L+1); numbers or symbols, 10:3 repeats",
        .most_positionals = 1000,
        .parameters = emit_parameters(),
        .charted = "ntk_mean",
    };
    ParameterSet<ModelText> of_model = model_parameters(ntk_parameters);
    auto const effective = effective_parameters();
    for (auto const& row : effective.rows()) of_model.add(row);
    auto const branches = branch_parameters();
    for (auto const& row : branches.rows()) of_model.add(row);
    of_model.add({"bias_label_factor", "LIST",
                  "Derivatives by biases count too, with these factors: one for all layers or one for each",
                  &ModelText::bias_label_factors, formulas()});
    out.parameters.add(&NtkRequest::typed, of_model);
    out.parameters.add(&NtkRequest::samples, samples_parameters(WithUse::inputs));
    out.complete = [](NtkRequest& request, Session const& session) {
        if (session.layer)
            throw ParseError("`layer`: the kernel has no layers; leave it out, or set label factors to 0", "layer");
        if (request.samples.are_given()) {
            complete_samples(request.samples, session);
            request.networks = read_networks_of_samples(request.typed, session, request.samples.symbols());
        } else {
            request.networks = read_networks(request.typed, session, true);
        }
        if (request.typed.wiring == Wiring::file && !request.typed.bias_label_factors.empty())
            throw UnsupportedError("`bias_label_factor`: derivatives by biases of a network file are not served",
                                   "bias_label_factor");
    };
    out.evaluate = [](NtkRequest const& request, Session const& session, Bindings const& bindings, Answer& answer) {
        bool const pairs = request.samples.are_given();
        ModelParameters offered = ntk_parameters;
        if (pairs) offered.input = false;
        for_each_network(request.networks, session, bindings, offered, answer, [&](ModelText const& text) {
            answer.assume(text.bias_label_factors.empty() ? "labels of weights only"
                                                          : "labels of weights, and of biases with the factors " +
                                                                text.as_typed("bias_label_factor"));
            if ((text.has_unit_parameters() || text.parametrisation) && !text.bias_label_factors.empty())
                answer.assume("biases are parameters themselves, without a scale");
            if (pairs) {
                add_pairs_of_samples(request, text, session, bindings, answer);
                return;
            }
            if (text.needs_strands()) {
                with_wired_model(text, bindings, session, answer, [&](auto const& model) {
                    state_dead_layers(model, answer);
                    add_wired_ntk(model, session, answer);
                });
                return;
            }
            with_labelled_model(text, bindings, "z[1;m]^2", answer, [&](auto const& model) {
                state_dead_layers(model, answer);
                // The closed form goes from layer to layer; at a depth in symbols the engine sums over it.
                if (is_endless(model) && has_biases(model.graph())) {
                    begin_wired(model, text, session, answer);
                    add_wired_ntk(model, session, answer);
                } else {
                    add_ntk(model, session, answer);
                }
            });
        });
    };
    out.expands = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
