// SPDX-License-Identifier: MIT
#include "quantity/wired/wired_first_step.hpp"

#include <isserlis/error.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/graph_step_sampler.hpp>
#include <isserlis/report/tidy.hpp>
#include <optional>
#include <string>
#include <vector>

#include "quantity/mup/sampled_steps.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/wired/graph_steps.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

using monte_carlo::Estimate;

/// factor/x
std::optional<Estimate> inverse_of(Estimate const& x, double factor) {
    if (!(x.mean > 0)) return std::nullopt;
    return Estimate{
        .mean = factor / x.mean, .std_error = factor * x.std_error / (x.mean * x.mean), .samples = x.samples};
}

/// The one rate of some matrices.
std::optional<Surd> common_rate(std::vector<GraphSteps::Matrix> const& matrices) {
    for (auto const& w : matrices)
        if (w.rate != matrices.front().rate) return std::nullopt;
    return matrices.front().rate;
}

/// The one rate of all matrices into a node at which they move it by 1.
void add_unit_rate(GraphSteps const& steps, std::size_t v, monte_carlo::FirstStepEstimates const* seen,
                   std::vector<std::string> const& index, Answer& answer) {
    if (steps.rule() == StepRule::normalised) return;
    auto unit = steps.matrices(v);
    auto const rate = common_rate(unit);
    for (auto& w : unit) w.rate = Surd(1);
    if (auto const own = steps.own(v, unit)) {
        answer.add("unit_rate", index, own->unit_rate(), {}, "the rate over own_change_rms, which is checked");
        return;
    }
    if (!rate) {
        answer.add("unit_rate", index,
                   Value::absent("its matrices have rates that differ; give one `eta` and label factors alike"), {},
                   "a sampled value itself");
        return;
    }
    if (rate->is_zero()) return;
    std::optional<Estimate> drawn;
    if (seen != nullptr) drawn = inverse_of(root_of(seen->own_square), to_double(*rate));
    add_known("unit_rate", index, std::nullopt, drawn, answer);
}

}  // namespace

void add_wired_first_step(StepRule rule, NumericModel const& model, std::optional<Integer> const& width,
                          Session const& session, Answer& answer) {
    if (sign(model.squared_norm) <= 0)
        throw DomainError("`input`: |x|^2 is 0; a step of this size needs an input that is not 0", "input");
    auto const listed = listed_nodes(model.graph(), session, answer);
    GraphSteps const steps(model, rule);
    std::vector<monte_carlo::FirstStepEstimates> sampled;
    if (session.samples) {
        require_sampled_steps(model, 4, session);
        auto const inputs = static_cast<std::size_t>(to_double(model.graph().input_width));
        sampled = monte_carlo::sample_graph_first_steps(sampling_graph(model), sampling_input(model, inputs), rule,
                                                        target_of(model), *session.samples, session.seed,
                                                        session.run_control());
    }
    answer.expect(5 * listed.size());
    for (auto const& at : listed) {
        std::vector<std::string> const index{at.name, width ? to_string(*width) : to_string(at.width)};
        std::size_t const v = steps.place_of(at.name);
        auto const* seen = sampled.empty() ? nullptr : &sampled[v - 1];
        auto const rms = [&](Estimate monte_carlo::FirstStepEstimates::*square) {
            return seen == nullptr ? std::nullopt : std::optional(root_of(seen->*square));
        };
        std::optional<Value> z;
        if (auto const square = steps.preactivation_square(v)) z = root(*square, "a root of the second moment");
        add_known("preactivation_rms", index, z, rms(&monte_carlo::FirstStepEstimates::square), answer);
        auto const matrices = steps.matrices(v);
        auto const own = steps.own(v, matrices);
        if (!matrices.empty()) {
            add_known("own_change_rms", index, own ? std::optional(own->rms()) : std::nullopt,
                      rms(&monte_carlo::FirstStepEstimates::own_square), answer);
            add_unit_rate(steps, v, seen, index, answer);
        }
        std::optional<Value> change;
        if (steps.rests_below(v)) change = matrices.empty() ? Value(Surd(0)) : own ? std::optional(own->rms()) : change;
        if (steps.is_output(v)) {
            if (auto const known = steps.output_change_square()) change = root(*known, "a root of the second moment");
        }
        add_known("change_rms", index, change, rms(&monte_carlo::FirstStepEstimates::change_square), answer);
        std::optional<Value> size;
        if (steps.rests_below(v) && matrices.empty()) size = Surd(0);
        if (own && steps.moves_alike(v)) size = own->mean_size();
        add_known("change_absolute_mean", index, size,
                  seen == nullptr ? std::nullopt : std::optional(seen->change_absolute), answer);
    }
}

}  // namespace isserlis::quantity
