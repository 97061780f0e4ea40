// SPDX-License-Identifier: MIT
#include "quantity/known_queries.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/formula/initialisation.hpp>
#include <isserlis/formula/rescaled_step.hpp>
#include <isserlis/formula/squared_norm.hpp>

#include "quantity/chain_models.hpp"
#include "quantity/observable_check.hpp"

namespace isserlis::quantity {
namespace {

std::string numbered(std::string const& name, std::uint64_t layer) { return name + "[" + std::to_string(layer) + "]"; }

/// The network one run a layer; none where it is too deep for a test, which says so.
std::optional<Numeric> layers_of_test(NumericModel const& model) {
    return layer_by_layer(model.net(), most_layers_of_a_test);
}

}  // namespace

void emit_norm_test(NumericModel const& model, NormReading const& reading, Session const& session, Answer& answer) {
    if (!session.test) return;
    if (2 * reading.order > max_norm_order) {
        throw UnsupportedError("`order`: the deviation of one sample needs moments of twice the order; up to " +
                                   std::to_string(max_norm_order / 2) + " is served by `emit_test`",
                               "order");
    }
    std::vector<KnownQuery> queries;
    auto const net = layers_of_test(model);
    for (std::uint64_t l = 1; net && l <= net->layers.size(); ++l) {
        bool const head = l == net->layers.size();
        bool const activated = !reading.preactivations && (!head || net->gated_head);
        auto raw = relative_norm_moments(first_layers(*net, l),
                                         activated ? Reading::activation : Reading::preactivation, 2 * reading.order);
        Surd scale(1);
        for (auto& moment : raw) {
            moment = moment * scale;
            scale = scale * model.squared_norm;
        }
        for (unsigned p = 1; p <= reading.order; ++p) {
            queries.push_back({.name = p == 1
                                           ? numbered("squared_norm_mean", l)
                                           : "squared_norm_moment[" + std::to_string(l) + "," + std::to_string(p) + "]",
                               .query = {},
                               .exact = raw[p],
                               .deviation = deviation_of(raw[2 * p], raw[p])});
        }
    }
    emit_test(KnownAnswer::Kind::norm, model, queries, session, answer, reading);
}

void emit_init_test(NumericModel const& model, Session const& session, Answer& answer) {
    if (!session.test) return;
    std::vector<KnownQuery> queries;
    NumericModel at_data = model;
    if (auto const net = layers_of_test(model)) {
        for (std::uint64_t l = 1; l <= net->layers.size(); ++l) {
            auto const& run = net->layers[l - 1];
            double const weights = to_double(Surd(run.fan_in * run.fan_out));
            queries.push_back({.name = numbered("weight_variance", l),
                               .query = {},
                               .exact = run.variance,
                               .deviation = to_double(run.variance) * std::sqrt(2 / weights)});
        }
        // One standardised input, all of whose features are c.
        Surd const c = model.data_scale;
        at_data.input.assign(static_cast<std::size_t>(to_double(net->input_width())), c);
        at_data.squared_norm = c * c * net->input_width();
        auto const reading = net->gated_head ? Reading::activation : Reading::preactivation;
        Surd const per_output = at_data.squared_norm / net->output_width();
        auto const moments = relative_norm_moments(*net, reading, 2);
        queries.push_back({.name = "output_variance",
                           .query = {},
                           .exact = moments[1] * per_output,
                           .deviation = deviation_of(moments[2] * per_output * per_output, moments[1] * per_output)});
    }
    emit_test(KnownAnswer::Kind::init, at_data, queries, session, answer);
}

void emit_jacobian_test(NumericModel const& model, ModelText const& text, Session const& session, Answer& answer) {
    if (!session.test) return;
    if (text.wiring != Wiring::vanilla)
        throw UnsupportedError("`emit_test`: tests of fully connected networks are written", "network");
    if (text.gated_head) throw UnsupportedError("`emit_test`: tests have a linear output layer", "head");
    std::vector<KnownQuery> queries;
    auto const add = [&](std::string const& mean, std::string const& second, std::string const& query,
                         std::string const& where) {
        for (auto const& [name, power] : {std::pair(mean, query), std::pair(second, "(" + query + ")^2")})
            queries.push_back({.name = name, .query = power + where, .exact = exact_mean(power + where, model)});
    };
    auto const net = layers_of_test(model);
    for (std::uint64_t l = 1; net && l <= net->layers.size(); ++l)
        add(numbered("jacobian_mean", l), numbered("jacobian_second_moment", l), "z[i;m]^2",
            " where m in " + std::to_string(l));
    if (net) add("output_mean", "output_second_moment", "z[i]^2", "");
    emit_test(KnownAnswer::Kind::jacobian, model, queries, session, answer);
}

void emit_steps_test(NumericModel const& model, Session const& session, Answer& answer) {
    if (!session.test) return;
    std::vector<KnownQuery> queries;
    if (auto const net = layers_of_test(model)) {
        auto const exact = rescaled_moments(*net, model.squared_norm, model.target_second);
        for (std::uint64_t l = 1; l <= exact.size(); ++l) {
            auto const& x = exact[l - 1];
            std::string const z = l == exact.size() ? "z" : "z{" + std::to_string(l) + "}";
            std::string const change = z + "[i;m] (z[j;m] z[j] - z[j;m] y[j])";
            std::string const mean = "/" + to_string(net->layers[l - 1].fan_out);
            queries.push_back(
                {.name = numbered("preactivation_square", l), .query = z + "[i]^2" + mean, .exact = x.square});
            queries.push_back({.name = numbered("change_square", l),
                               .query = "(" + change + ")^2" + mean,
                               .exact = x.change_square,
                               .change_of = l});
            queries.push_back({.name = numbered("change_covariance", l),
                               .query = "-" + z + "[i] " + change + mean,
                               .exact = x.covariance});
        }
    }
    emit_test(KnownAnswer::Kind::steps, model, queries, session, answer);
}

}  // namespace isserlis::quantity
