// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/formula/ntk_moments.hpp>
#include <isserlis/model/exact_cost.hpp>
#include <isserlis/ring/members.hpp>

#include "quantity/chain_models.hpp"
#include "quantity/commands.hpp"
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
                                         .input = true};

/// One bias factor for each layer.
template <class R>
std::vector<R> bias_factors(std::vector<R> const& given, std::size_t layers) {
    if (given.size() != 1 && given.size() != layers) {
        throw DomainError("`bias_label_factor`: " + std::to_string(given.size()) + " values for " +
                              std::to_string(layers) + " layers; give one for all or one for each",
                          "bias_label_factor");
    }
    return given.size() == layers ? given : std::vector<R>(layers, given.front());
}

NtkMoments<Surd> moments(NumericModel const& model) {
    if (model.bias_label_factors.empty()) return ntk_moments(model.net(), model.squared_norm);
    auto const net = layer_by_layer(model.net(), checked_depth(model.net(), named("bias_label_factor")));
    auto const factors = bias_factors(model.bias_label_factors, net->layers.size());
    for (auto const& b : factors) {
        if (sign(b) < 0)
            throw DomainError("`bias_label_factor` = " + to_string(b) + "; at least 0 is required",
                              "bias_label_factor");
    }
    return ntk_moments(*net, model.squared_norm, factors);
}

NtkMoments<RationalFunction> moments(SymbolicModel const& model) {
    constexpr double most_work = 1e5;  // of the totals: a minute or two
    require_moderate_formulas(model.graph(), {}, most_work);
    if (model.bias_label_factors.empty()) return ntk_moments(model.net(), model.squared_norm);
    auto const net = layer_by_layer(model.net(), checked_depth(model.net(), named("bias_label_factor")));
    return ntk_moments(*net, model.squared_norm, bias_factors(model.bias_label_factors, net->layers.size()));
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
            if (row.query != nullptr && model.bias_label_factors.empty())
                asked.push_back({row.query, to_double(row.value)});
        auto sampled = observable_checks(asked, model, session, answer);
        std::size_t next = 0;
        for (std::size_t k = 0; k < rows.size() && next < sampled.size(); ++k)
            if (rows[k].query != nullptr) checks[k] = sampled[next++];
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
        std::string const why = !std::is_same_v<R, Surd>   ? not_numeric
                                : rows[k].query == nullptr ? "the mean and the second moment are checked"
                                                           : "biases are not sampled";
        answer.add(rows[k].name, {}, tidy(rows[k].value), checks[k], why);
    }
    if constexpr (std::is_same_v<R, Surd>) {
        if (session.test && !model.bias_label_factors.empty())
            throw UnsupportedError("`emit_test`: labels of biases are not tested; leave `bias_label_factor` out",
                                   "bias_label_factor");
        emit_test(
            KnownAnswer::Kind::ntk, model,
            {{"ntk_mean", "z[1;m]^2", m.mean, {}}, {"ntk_second_moment", "z[1;m]^2 z[1;n]^2", m.second_moment, {}}},
            session, answer);
    } else {
        refuse_symbols_in_test(session);
    }
}

}  // namespace

Command ntk_command() {
    CommandOf<NetworksRequest> out;
    out.text = {
        .name = "ntk",
        .summary = "Moments of the neural tangent kernel at initialisation, one input",
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
    of_model.add("bias_label_factor", "LIST",
                 "Derivatives by biases count too, with these factors: one for all layers or one for each",
                 &ModelText::bias_label_factors, formulas());
    out.parameters.add(&NetworksRequest::typed, of_model);
    out.complete = [](NetworksRequest& request, Session const& session) {
        if (session.layer)
            throw ParseError("`layer`: the kernel has no layers; leave it out, or set label factors to 0", "layer");
        request.networks = read_networks(request.typed, session, true);
        for (auto const& text : request.networks) {
            if (text.wiring != Wiring::vanilla && !text.bias_label_factors.empty())
                throw UnsupportedError("`bias_label_factor`: biases of fully connected (vanilla) networks are served",
                                       "bias_label_factor");
        }
    };
    out.evaluate = [](NetworksRequest const& request, Session const& session, Bindings const& bindings,
                      Answer& answer) {
        for_each_network(request.networks, session, bindings, ntk_parameters, answer, [&](ModelText const& text) {
            answer.assume(text.bias_label_factors.empty() ? "labels of weights only"
                                                          : "labels of weights, and of biases with the factors " +
                                                                text.as_typed("bias_label_factor"));
            if ((text.has_unit_parameters() || text.parametrisation) && !text.bias_label_factors.empty())
                answer.assume("biases are parameters themselves, without a scale");
            if (text.wiring != Wiring::vanilla) {
                with_wired_model(text, bindings, session, answer,
                                 [&](auto const& model) { add_wired_ntk(model, session, answer); });
                return;
            }
            with_labelled_model(text, bindings, "z[1;m]^2", answer,
                                [&](auto const& model) { add_ntk(model, session, answer); });
        });
    };
    out.expands = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
