// SPDX-License-Identifier: MIT
#include "quantity/transfer/transfer_samples.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/data_hessian_sampler.hpp>
#include <isserlis/monte_carlo/graph_curve_sampler.hpp>
#include <isserlis/monte_carlo/one_step_loss.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/verify/feasible.hpp>
#include <memory>
#include <variant>

#include "quantity/hessian/linear_norm.hpp"
#include "quantity/mup/sampled_steps.hpp"
#include "quantity/mup/step_samples.hpp"
#include "quantity/wired/linear_between_matrices.hpp"
#include "quantity/wired/step_changes.hpp"
#include "quantity/wired/wired_mup.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* gates_of_a_transfer =
    "`activation`: rates are carried over on several samples between networks of linear units, `activation` linear; "
    "through gates one sample has it, by `input` or `input_squared_norm`";

/// The samples as the step, the Hessian and the curve take them.
template <class R>
struct Gathered {
    StepSamples<R> step;
    std::variant<GramSamples<R>, CurveData> curve;
};

template <class R, class Count>
Gathered<R> gathered(Model<R, Count> const& model, TransferSamples const& given, Bindings const& bindings) {
    auto step = step_samples(given.samples, given.batch, model, bindings);
    if (given.samples.data) {
        CurveData curve;
        curve.set = *given.samples.data;
        curve.loss = LossKind::half_squared;
        curve.batch = step.batch;
        return {.step = std::move(step), .curve = std::move(curve)};
    }
    GramSamples<R> curve{.inputs = step.inputs,
                         .targets = values_of<R>(given.samples.with->targets, bindings),
                         .factor = R(ratio(1, 2)),
                         .batch = step.batch};
    return {.step = std::move(step), .curve = std::move(curve)};
}

/// The last hidden layer, or the residual layer before the last matrix.
template <class R, class Count>
std::pair<std::string, R> last_node(Model<R, Count> const& model, ModelText const& text) {
    (void)some_hidden_layers(model);
    if (model.network.is_chain()) return {last_hidden(model), last_width(model)};
    if constexpr (!std::is_same_v<R, Surd>) {
        if (has_endless_stage(model))
            throw UnsupportedError("with samples a residual network has it at a depth in numbers; `set` gives it one");
    }
    auto const rated = rated_node(model, text);
    return {rated.node.name, rated.node.width};
}

template <class R, class Count>
void change_rule(Model<R, Count> const& model, ModelText const& text, Gathered<R> const& samples,
                 Session const& session, TransferRule<R>& out) {
    auto const [name, width] = last_node(model, text);
    R const change = in_field(changes_of(name, width, model, LeftAtSamples(samples.step)).mean());
    if (is_certainly_zero(change)) throw UnsupportedError("no rate changes the last hidden layer");
    out.squared_rate = R(1) / change;
    if constexpr (std::is_same_v<R, Surd>) {
        if (!session.samples) return;
        auto const seen = sampled_batch_steps(model, samples.step, session).at(name).change_square;
        out.means = {sampled_check(change, seen)};
        out.sampled = to_the_power(seen, -0.5);
    }
}

monte_carlo::GraphCurveModel sampled_model(NumericModel const& model, Gathered<Surd> const& samples) {
    return {.network = sampling_graph(model),
            .inputs = samples.step.vectors,
            .targets = samples.step.targets,
            .half = true,
            .batch = samples.step.batch};
}

template <class R, class Count>
void vertex_rule(Model<R, Count> const& model, Gathered<R> const& samples, Session const& session,
                 TransferRule<R>& out) {
    auto const* data = std::get_if<CurveData>(&samples.curve);
    auto const curve = data != nullptr ? data_curve(model, *data) : gram_curve(model, std::get<0>(samples.curve));
    R const curvature = curve.curvature();
    if (is_certainly_zero(curvature) || sign_of(curvature).value_or(1) < 0)
        throw UnsupportedError("the expected curvature is not positive");
    out.rate = R(0) - curve.slope / curvature;
    if constexpr (std::is_same_v<R, Surd>) {
        if (!session.samples) return;
        auto const seen = monte_carlo::sample_graph_curve(sampled_model(model, samples), *session.samples, session.seed,
                                                          session.run_control());
        if (!(seen.curvature.mean > 0)) return;
        out.means = {sampled_check(curve.slope, seen.slope), sampled_check(curvature, seen.curvature)};
        out.sampled = quotient_of(seen.slope, seen.curvature);
        out.sampled->mean = -out.sampled->mean;
    }
}

template <class R, class Count>
void norm_rule(Model<R, Count> const& model, Gathered<R> const& samples, TransferRule<R>& out) {
    R const share = samples.step.batch ? R(Surd(own_share(*samples.step.batch, samples.step.names.size()))) : R(0);
    R const norm = in_field(linear_norms(model, LeftByPairs(HessianSamples<R>{.samples = samples.step, .fourth = {}}))
                                .mixed(share)
                                .total());
    if (is_certainly_zero(norm)) throw UnsupportedError("the Hessian is 0");
    out.squared_rate = R(1) / norm;
}

/// By the Hessian as a matrix, which may be too large where all else is not.
void eigenvalue_rule(NumericModel const& model, Gathered<Surd> const& samples, Session const& session,
                     TransferRule<Surd>& out) {
    require_check(model, session);
    require_feasible(work_of_a_hessian(model, samples.step), *session.samples, session.run_control());
    constexpr double matrices = 4;
    double const weights = network_weights(model);
    require_memory(weights * matrices * weights, session.run_control());
    auto const tops = monte_carlo::sample_data_hessian(sampled_model(model, samples), *session.samples, session.seed,
                                                       session.run_control());
    if (!(tops.modulus.mean > 0)) throw UnsupportedError("every sampled Hessian is 0");
    out.sampled = to_the_power(tops.modulus, -1);
}
void eigenvalue_rule(SymbolicModel const& model, Gathered<RationalFunction> const&, Session const& session,
                     TransferRule<RationalFunction>&) {
    require_check(model, session);
}

void minimiser_rule(NumericModel const& model, Gathered<Surd> const& samples, TransferRule<Surd> const& vertex,
                    Session const& session, TransferRule<Surd>& out) {
    require_check(model, session);
    if (!vertex.rate) throw UnsupportedError("no vertex to start from: " + vertex.absent);
    auto const lowest = monte_carlo::minimise_one_step_loss(sampled_model(model, samples), to_double(*vertex.rate),
                                                            *session.samples, session.seed, session.run_control());
    out.sampled = lowest.rate;
    out.largest_share = lowest.rate.largest_share;
}
void minimiser_rule(SymbolicModel const& model, Gathered<RationalFunction> const&,
                    TransferRule<RationalFunction> const&, Session const& session, TransferRule<RationalFunction>&) {
    require_check(model, session);
}

template <class R, class Count>
TransferMeans<R> on_samples(Model<R, Count> const& model, ModelText const& text, TransferSamples const& given,
                            Session const& session, Bindings const& bindings) {
    require_linear_between_matrices(model.graph(), gates_of_a_transfer);
    require_gaussian_step(model.graph());
    auto const samples = std::make_shared<Gathered<R> const>(gathered(model, given, bindings));
    if constexpr (std::is_same_v<R, Surd>) {
        constexpr double passes_of_a_minimiser = 60;
        auto const seen = static_cast<double>(samples->step.names.size());
        if (session.samples)
            require_feasible(passes_of_a_minimiser * seen * network_weights(model), *session.samples,
                             session.run_control());
    }
    return {.change = [&, text, samples](auto& x) { change_rule(model, text, *samples, session, x); },
            .vertex = [&, samples](auto& x) { vertex_rule(model, *samples, session, x); },
            .hessian_norm = [&, samples](auto& x) { norm_rule(model, *samples, x); },
            .top_eigenvalue = [&, samples](auto& x) { eigenvalue_rule(model, *samples, session, x); },
            .minimiser = [&, samples](auto const& vertex,
                                      auto& x) { minimiser_rule(model, *samples, vertex, session, x); }};
}

}  // namespace

TransferMeans<Surd> means_on_samples(NumericModel const& model, ModelText const& text, TransferSamples const& given,
                                     Session const& session, Bindings const& bindings) {
    return on_samples(model, text, given, session, bindings);
}

TransferMeans<RationalFunction> means_on_samples(SymbolicModel const& model, ModelText const& text,
                                                 TransferSamples const& given, Session const& session,
                                                 Bindings const& bindings) {
    return on_samples(model, text, given, session, bindings);
}

}  // namespace isserlis::quantity
