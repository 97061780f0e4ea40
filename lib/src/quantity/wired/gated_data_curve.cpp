// SPDX-License-Identifier: MIT
#include "quantity/wired/gated_data_curve.hpp"

#include <algorithm>
#include <isserlis/loss_curve/curve_number.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/graph_curve_sampler.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/heavy_tails.hpp>
#include <optional>

#include "quantity/given_samples.hpp"
#include "quantity/mean_over_inputs.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/sample_curve.hpp"

namespace isserlis::quantity {
namespace {

/// E|z|^2 is linear in |x|^2, and the outputs do not know the targets: none of targets that are no sums of roots.
std::optional<Surd> exact_loss(NumericModel const& model, CurveData const& data) {
    auto const sums = exact_target_sums(data.set);
    if (!sums) return std::nullopt;
    Surd squares(0);
    for (auto const& row : exact_inputs(data.set)) {
        for (auto const& x : row) squares = squares + x * x;
    }
    Surd const samples = from_count<Surd>(data.samples());
    NumericModel of_mean = model;
    of_mean.input.clear();
    of_mean.squared_norm = squares / samples;
    return data.squared_factor() * (exact_mean("z[i]^2", of_mean) + sums->squares / samples);
}

double count_weights(NumericModel const& model) {
    double out = 0;
    auto const flat = flattened(model.graph());
    auto const& [nodes, edges, count, numbered, first] = flat.stages.front();
    for (auto const& edge : edges) {
        if (edge.kind != GraphEdge<Surd>::Kind::weight) continue;
        Surd const& below = edge.from == 0 ? flat.input_width : nodes[edge.from - 1].width;
        out += to_double(Surd(below * nodes[edge.to - 1].width));
    }
    return out;
}

}  // namespace

bool has_shutting_gates(NumericModel const& model) {
    auto const& graph = model.graph();
    return graph.sides == WeightSides::one &&
           std::any_of(graph.stages.begin(), graph.stages.end(), [](auto const& stage) {
               return std::any_of(stage.nodes.begin(), stage.nodes.end(),
                                  [](auto const& node) { return node.gate && node.gate->negative != Surd(1); });
           });
}

void add_gated_data_curve(NumericModel const& model, CurveData const& data, CurveSampling const& sampling, bool checked,
                          std::string const& k, Answer& answer) {
    constexpr double passes = 8;  // of a network by each sample: gradient, and Hessian times step
    require_data_widths(model.graph(), data.set);
    bool const one = data.samples() == 1;
    answer.assume(std::string("slope and curvature by sampled networks: ") +
                  (one ? "with gates one sample has an exact form where it has one output and none can be at exactly 0"
                       : "with gates two inputs meet at one, and no exact form is known here"));
    if (monte_carlo::gates_can_tie(sampling_graph(model).flat_graph()))
        answer.assume("a gate is closed where its pre-activation is exactly 0, as above a layer without an open unit");
    std::optional<monte_carlo::GraphCurveEstimates> seen;
    if (sampling.networks > 0) {
        double const weights = count_weights(model);
        require_feasible(passes * weights * static_cast<double>(data.samples()), sampling.networks, sampling.control);
        require_memory(4 * weights, sampling.control);
        auto const samples = data.sampling_model({});
        seen = monte_carlo::sample_graph_curve({.network = sampling_graph(model),
                                                .inputs = samples.inputs,
                                                .targets = samples.targets,
                                                .half = data.loss == LossKind::half_squared,
                                                .batch = data.batch},
                                               sampling.networks, sampling.seed, sampling.control);
    }
    CurveNumber const none = CurveNumber::absent("`samples` 0");
    auto const loss = exact_loss(model, data);
    std::optional<Check> check;
    if (loss && seen && checked)
        check = compare_sampled(to_double(*loss), seen->loss.mean, seen->loss.std_error, seen->loss.samples,
                                seen->shares.loss);
    CurveNumber const slope = seen ? CurveNumber::sampled(seen->slope, seen->shares.slope) : none;
    CurveNumber const curvature = seen ? CurveNumber::sampled(seen->curvature, seen->shares.curvature) : none;
    if (loss) {
        answer.add("loss", {k}, *loss, check);
    } else {
        answer.add("loss", {k}, (seen ? CurveNumber::sampled(seen->loss, seen->shares.loss) : none).value(), {},
                   is_sampled_itself);
    }
    answer.add("slope", {k}, slope.value(), {}, is_sampled_itself);
    answer.add("curvature", {k}, curvature.value(), {}, is_sampled_itself);
    bool const has_vertex = seen && seen->curvature.mean > 0;
    CurveNumber const vertex =
        has_vertex
            ? CurveNumber::quotient_of_estimates(
                  CurveNumber::sampled(
                      {.mean = -seen->slope.mean, .std_error = seen->slope.std_error, .samples = seen->slope.samples}),
                  curvature)
        : seen ? CurveNumber::absent("the sampled curvature is not above 0")
               : none;
    answer.add("vertex_rate", {k}, vertex.value(), {}, "computed from sampled values");
}

}  // namespace isserlis::quantity
