// SPDX-License-Identifier: MIT
#include "quantity/transfer/transfer_rules.hpp"

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/formula/hessian_norm.hpp>
#include <isserlis/formula/rescaled_step.hpp>
#include <isserlis/formula/scaling_factor.hpp>
#include <isserlis/model/exact_cost.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/loss_curve_sampler.hpp>
#include <isserlis/monte_carlo/one_step_loss.hpp>
#include <isserlis/monte_carlo/step_sampler.hpp>
#include <isserlis/monte_carlo/top_eigenvalue.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/verify/feasible.hpp>

#include "quantity/chain_models.hpp"
#include "quantity/mup/sampled_steps.hpp"
#include "quantity/observable_check.hpp"

namespace isserlis::quantity {
namespace {

using monte_carlo::Estimate;

/// The one sample of the rules: an input, targets of equal size, half the squared error.
std::vector<double> one_target(NumericModel const& model) {
    double const outputs = to_double(model.graph().output_width());
    return std::vector<double>(static_cast<std::size_t>(outputs), std::sqrt(to_double(model.target_second) / outputs));
}
std::vector<double> one_input(NumericModel const& model) {
    return sampling_input(model, static_cast<std::size_t>(to_double(model.graph().input_width)));
}
monte_carlo::GraphCurveModel one_sample_of_graph(NumericModel const& model) {
    return {
        .network = sampling_graph(model), .inputs = {one_input(model)}, .targets = {one_target(model)}, .half = true};
}
monte_carlo::LossCurveModel one_sample_model(NumericModel const& model) {
    monte_carlo::LossCurveModel out;
    out.network = sampling_model(model);
    out.inputs = {out.network.input};
    out.targets = {one_target(model)};
    out.loss = LossKind::half_squared;
    out.rates = sampling_factors(model);
    return out;
}

/// The change of the last hidden layer, or residual one, as an observable, summed over its neurons.
template <class R, class Count>
std::string change_query(Model<R, Count> const& model) {
    return "(z{" + last_hidden(model) + "}[i;m] D[m] loss)^2";
}

template <class R, class Count>
R change_by_strands(Model<R, Count> const& model) {
    return exact_mean(change_query(model), model) / last_width(model);
}

/// What closed forms and their samplers do not know.
template <class R, class Count>
bool needs_strands(Model<R, Count> const& model) {
    return !model.network.is_chain() || has_biases(model.graph());
}

Surd change_of(NumericModel const& model, std::uint64_t hidden) {
    RescaledStep<Surd> const step(model.net(), model.target_second);
    return step.layer(hidden, mup_step_of_layer(step.net(), model.squared_norm, step.target_second(), hidden))
        .change_squared();
}
RationalFunction change_of(SymbolicModel const& model, Exponent const& hidden) {
    constexpr double most_work = 4e6;  // as of mup: a minute or two
    require_moderate_formulas(model.graph(), {}, most_work);
    auto const net = layer_by_layer(model.net(), most_layers_in_symbols);
    if (!net) return change_by_strands(model);
    RescaledStep<RationalFunction> const step(*net, model.target_second);
    auto const layer = checked_count(numerator_of(hidden.constant()));
    return step.layer(layer, mup_step(step.net(), model.squared_norm, step.target_second())[layer - 1])
        .change_squared();
}

/// The sampled mean of a query, which is one of those that the rate is made of.
Estimate sampled_mean(std::string const& query, NumericModel const& model, Surd const& exact, Session const& session,
                      Answer& answer, TransferRule<Surd>& out) {
    auto const check = *observable_check(query, model, exact, session, answer);
    out.means.push_back(check);
    return {.mean = check.mean, .std_error = check.std_error, .samples = check.samples};
}

Estimate sampled_change_rate(NumericModel const& model, Surd const& change, std::uint64_t hidden,
                             Session const& session, Answer& answer, TransferRule<Surd>& out) {
    if (needs_strands(model)) {
        Surd const width = last_width(model);
        auto const of_all = sampled_mean(change_query(model), model, change * width, session, answer, out);
        auto const rate = to_the_power(of_all, -0.5);
        double const root = std::sqrt(to_double(width));
        return {.mean = rate.mean * root, .std_error = rate.std_error * root, .samples = rate.samples};
    }
    double const outputs = to_double(model.net().output_width());
    auto const steps = monte_carlo::sample_steps(sampling_model(model), sampling_factors(model),
                                                 to_double(model.target_second) / outputs, *session.samples,
                                                 session.seed, session.run_control());
    auto const& seen = steps[hidden - 1].change_square;
    out.means.push_back(sampled_check(change, seen));
    return to_the_power(seen, -0.5);
}

/// Closed form where there is one; strands of other units, of residual networks, and where there are biases.
template <class R, class Count>
void change_rule(Model<R, Count> const& model, Session const& session, Answer& answer, TransferRule<R>& out) {
    Count const hidden = some_hidden_layers(model);
    if constexpr (std::is_same_v<R, Surd>) {
        if (model.network.is_chain()) (void)checked_depth(model.net(), "transfer");
        require_moderate_digits(model.graph());
    }
    bool const by_strands = needs_strands(model) || !model.net().activation.is_relu();
    R const change = by_strands ? change_by_strands(model) : change_of(model, hidden);
    if (is_certainly_zero(change)) throw UnsupportedError("no rate changes the last hidden layer");
    out.squared_rate = R(1) / change;
    if constexpr (std::is_same_v<R, Surd>) {
        if (session.samples) out.sampled = sampled_change_rate(model, change, hidden, session, answer, out);
    }
}

constexpr char const* slope_query = "(D[m] loss)^2";
constexpr char const* curvature_query = "D[m] loss D[m,n] loss D[n] loss";

/// None where the sampled parabola has no lowest point: its curvature is not above 0.
std::optional<Estimate> sampled_vertex(NumericModel const& model, Surd const& slope, Surd const& curvature,
                                       Session const& session, Answer& answer, TransferRule<Surd>& out) {
    if (!needs_strands(model)) {
        auto const seen = monte_carlo::sample_loss_curve(one_sample_model(model), *session.samples, session.seed,
                                                         session.run_control())
                              .plain;
        out.means = {sampled_check(Surd(0) - slope, seen.slope), sampled_check(curvature, seen.curvature)};
        return monte_carlo::vertex_rate(seen);
    }
    auto const above = sampled_mean(slope_query, model, slope, session, answer, out);
    auto const below = sampled_mean(curvature_query, model, curvature, session, answer, out);
    if (!(below.mean > 0)) return std::nullopt;
    return quotient_of(above, below);
}

/// E|grad L|^2/E grad L . H grad L, each derivative times its rate: the lowest point of the expected parabola.
template <class R, class Count>
void vertex_rule(Model<R, Count> const& model, Session const& session, Answer& answer, TransferRule<R>& out) {
    R const slope = exact_mean(slope_query, model);
    R const curvature = exact_mean(curvature_query, model);
    if (is_certainly_zero(curvature) || sign_of(curvature).value_or(1) < 0)
        throw UnsupportedError("the expected curvature is not positive");
    out.rate = slope / curvature;
    if constexpr (std::is_same_v<R, Surd>) {
        if (session.samples) out.sampled = sampled_vertex(model, slope, curvature, session, answer, out);
    }
}

template <class R, class Count>
void norm_rule(Model<R, Count> const& model, TransferRule<R>& out) {
    R const norm = needs_strands(model) ? exact_mean("(D[m,n] loss)^2", model)
                                        : hessian_norm(model.net(), model.squared_norm, model.target_second).total();
    if (is_certainly_zero(norm)) throw UnsupportedError("the Hessian is 0");
    out.squared_rate = R(1) / norm;
}

template <class R, class Count>
void require_sampled_units(Model<R, Count> const& model) {
    if (model.network.is_chain() && sides_of(model.net().activation.kind) != WeightSides::one)
        throw UnsupportedError("no exact form; relu, leaky and linear units are sampled");
}

/// Errors  UnsupportedError where nothing is sampled.
template <class R, class Count>
void require_samples(Model<R, Count> const& model, Session const& session) {
    if (has_biases(model.graph()))
        throw UnsupportedError("no exact form; networks without biases are sampled: leave `bias_variance` out");
    require_sampled_units(model);
    require_check(model, session);
}

void eigenvalue_rule(SymbolicModel const& model, Session const& session, TransferRule<RationalFunction>&) {
    require_samples(model, session);
}
void eigenvalue_rule(NumericModel const& model, Session const& session, TransferRule<Surd>& out) {
    require_samples(model, session);
    double const target = to_double(model.target_second) / to_double(model.graph().output_width());
    auto const tops =
        model.network.is_chain()
            ? monte_carlo::top_eigenvalues(sampling_model(model), {one_input(model)}, sampling_factors(model), target,
                                           *session.samples, session.seed, session.run_control())
            : monte_carlo::top_eigenvalues(sampling_graph(model), {one_input(model)}, target, *session.samples,
                                           session.seed, session.run_control());
    if (!(tops.modulus.mean > 0)) throw UnsupportedError("every sampled Hessian is 0");
    out.sampled = to_the_power(tops.modulus, -1);
}

void minimiser_rule(SymbolicModel const& model, TransferRule<RationalFunction> const&, Session const& session,
                    TransferRule<RationalFunction>&) {
    require_samples(model, session);
}
void minimiser_rule(NumericModel const& model, TransferRule<Surd> const& vertex, Session const& session,
                    TransferRule<Surd>& out) {
    require_samples(model, session);
    if (!vertex.rate) throw UnsupportedError("no vertex to start from: " + vertex.absent);
    auto const minimum = [&](auto const& sampled) {
        return monte_carlo::minimise_one_step_loss(sampled, to_double(*vertex.rate), *session.samples, session.seed,
                                                   session.run_control());
    };
    auto const lowest =
        model.network.is_chain() ? minimum(one_sample_model(model)) : minimum(one_sample_of_graph(model));
    out.sampled = lowest.rate;
    out.largest_share = lowest.rate.largest_share;
}

template <class R, class Count>
TransferMeans<R> one_sample(Model<R, Count> const& model, Session const& session, Answer& answer) {
    return {.change = [&](auto& x) { change_rule(model, session, answer, x); },
            .vertex = [&](auto& x) { vertex_rule(model, session, answer, x); },
            .hessian_norm = [&](auto& x) { norm_rule(model, x); },
            .top_eigenvalue = [&](auto& x) { eigenvalue_rule(model, session, x); },
            .minimiser = [&](auto const& vertex, auto& x) { minimiser_rule(model, vertex, session, x); }};
}

/// Calls f; what it refuses is the reason why the rule has no rate.
template <class R, class F>
TransferRule<R> ruled(std::string name, F const& f) {
    TransferRule<R> out{.name = std::move(name)};
    try {
        f(out);
    } catch (UnsupportedError const& e) {
        out.absent = reason(e);
    }
    return out;
}

template <class R, class Count>
std::vector<TransferRule<R>> rules_of(Model<R, Count> const& model, TransferMeans<R> const& means) {
    std::vector<TransferRule<R>> out;
    out.push_back(ruled<R>("scaling_factor", [&](auto& x) {
        if (!model.network.is_chain()) throw UnsupportedError("S_N is a factor of fully connected networks");
        x.rate = R(1) / scaling_factor(model.net().layers).value();
    }));
    out.push_back(ruled<R>("depth", [&](auto& x) { x.rate = R(1) / from_count<R>(some_hidden_layers(model)); }));
    out.push_back(
        ruled<R>("depth_root", [&](auto& x) { x.squared_rate = R(1) / from_count<R>(some_hidden_layers(model)); }));
    out.push_back(ruled<R>("change", means.change));
    out.push_back(ruled<R>("vertex", means.vertex));
    TransferRule<R> const vertex = out.back();
    out.push_back(ruled<R>("hessian_norm", means.hessian_norm));
    out.push_back(ruled<R>("top_eigenvalue", means.top_eigenvalue));
    out.push_back(ruled<R>("minimiser", [&](auto& x) { means.minimiser(vertex, x); }));
    return out;
}

}  // namespace

void require_check(NumericModel const&, Session const& session) {
    if (!session.samples) throw UnsupportedError("no exact form; `check` N samples it");
}
void require_check(SymbolicModel const&, Session const&) {
    throw UnsupportedError("no formula; `check` N samples it, of a network in numbers, which `set` gives");
}

Check sampled_check(Surd const& exact, Estimate const& seen) {
    return compare_sampled(to_double(exact), seen.mean, seen.std_error, seen.samples);
}

Estimate to_the_power(Estimate const& x, double exponent) {
    double const value = std::pow(x.mean, exponent);
    return {.mean = value, .std_error = std::abs(exponent * value / x.mean) * x.std_error, .samples = x.samples};
}

Estimate quotient_of(Estimate const& above, Estimate const& below) {
    double const value = above.mean / below.mean;
    double const relative = std::abs(above.std_error / above.mean) + std::abs(below.std_error / below.mean);
    return {.mean = value, .std_error = std::abs(value) * relative, .samples = above.samples};
}

TransferMeans<Surd> means_at_one_sample(NumericModel const& model, Session const& session, Answer& answer) {
    constexpr double passes_of_a_minimiser = 60;
    if (session.samples)
        require_feasible(passes_of_a_minimiser * network_weights(model), *session.samples, session.run_control());
    return one_sample(model, session, answer);
}

TransferMeans<RationalFunction> means_at_one_sample(SymbolicModel const& model, Session const& session,
                                                    Answer& answer) {
    return one_sample(model, session, answer);
}

std::vector<TransferRule<Surd>> transfer_rules(NumericModel const& model, TransferMeans<Surd> const& means) {
    return rules_of(model, means);
}

std::vector<TransferRule<RationalFunction>> transfer_rules(SymbolicModel const& model,
                                                           TransferMeans<RationalFunction> const& means) {
    return rules_of(model, means);
}

}  // namespace isserlis::quantity
