// SPDX-License-Identifier: MIT
#include "quantity/mup/sampled_steps.hpp"
#include "quantity/derived_check.hpp"
#include "quantity/unchecked.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/loss_curve/curve_number.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/verify/cancellation.hpp>
#include <isserlis/verify/check.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/heavy_tails.hpp>

namespace isserlis::quantity {

using monte_carlo::Estimate;

double network_weights(NumericModel const& model) {
    double weights = 0;
    double below = to_double(model.graph().input_width);
    for (auto const& stage : model.graph().stages) {
        for (auto const& edge : stage.edges) {
            if (edge.kind != GraphEdge<Surd>::Kind::weight) continue;
            double const fan_in = edge.from == 0 ? below : to_double(stage.nodes[edge.from - 1].width);
            weights += static_cast<double>(stage.count) * fan_in * to_double(stage.nodes[edge.to - 1].width);
        }
        below = to_double(stage.nodes.back().width);
    }
    return weights;
}

void require_sampled_steps(NumericModel const& model, double passes, Session const& session) {
    double const weights = network_weights(model);
    require_feasible(passes * weights, *session.samples, session.run_control());
    require_memory(2 * weights, session.run_control());  // and where each moves
}

double work_of_a_hessian(NumericModel const& model, StepSamples<Surd> const& samples) {
    double const weights = network_weights(model);
    double const seen = static_cast<double>(samples.batch ? samples.batch->size : samples.names.size());
    double const outputs = to_double(model.graph().output_width());
    // Columns by products, the Jacobian's rows by passes, Lanczos; and what a call takes of the smallest networks.
    constexpr double of_a_product = 4;
    constexpr double of_lanczos = 20;
    constexpr double of_a_call = 1000;
    return weights * (weights * (of_a_product * seen + seen * outputs + of_lanczos) + of_a_call);
}

std::map<std::string, monte_carlo::BatchStepEstimates> sampled_batch_steps(NumericModel const& model,
                                                                           StepSamples<Surd> const& samples,
                                                                           Session const& session) {
    std::map<std::string, monte_carlo::BatchStepEstimates> out;
    if (!session.samples) return out;
    std::size_t const in_batch = samples.batch ? samples.batch->size : samples.names.size();
    require_sampled_steps(model, 3 * static_cast<double>(samples.names.size() + in_batch), session);
    auto const all = monte_carlo::sample_batch_steps({.network = sampling_graph(model),
                                                      .inputs = samples.vectors,
                                                      .targets = samples.targets,
                                                      .half = true,
                                                      .batch = samples.batch},
                                                     *session.samples, session.seed, session.run_control());
    auto const flat = flattened(model.graph());
    for (std::size_t v = 0; v < all.size(); ++v) out[flat.stages.front().nodes[v].name] = all[v];
    return out;
}

double target_of(NumericModel const& model) {
    return to_double(model.target_second) / to_double(model.graph().output_width());
}

Estimate root_of(Estimate const& square) {
    double const root = std::sqrt(std::max(0.0, square.mean));
    return {.mean = root, .std_error = root == 0 ? 0 : square.std_error / (2 * root), .samples = square.samples};
}

std::optional<Estimate> inverse_of(Estimate const& x, double factor) {
    if (!(x.mean > 0)) return std::nullopt;
    return Estimate{
        .mean = factor / x.mean, .std_error = factor * x.std_error / (x.mean * x.mean), .samples = x.samples};
}

Value sampled_value(monte_carlo::TailedEstimate const& x) { return CurveNumber::sampled(x, x.largest_share).value(); }

std::optional<Check> add_known(std::string const& name, std::vector<std::string> const& index,
                               std::optional<Value> const& exact, std::optional<Estimate> const& sampled,
                               Answer& answer, double largest_share, std::optional<Check> const& of_change,
                               double size) {
    std::optional<Check> check;
    if (exact) {
        if (sampled)
            check = up_to_rounding(
                compare_sampled(exact->to_double(), sampled->mean, sampled->std_error, sampled->samples, largest_share),
                exact->to_double(), size);
        check = derived_check(check, of_change);
        answer.add(name, index, *exact, check);
    } else {
        answer.add(name, index,
                   sampled ? CurveNumber::sampled(*sampled, largest_share).value()
                           : Value::absent("no exact form; `check` N samples it"),
                   {}, is_sampled_itself);
    }
    return check;
}

}  // namespace isserlis::quantity
