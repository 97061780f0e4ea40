// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/model/sampling_model.hpp>

#include <algorithm>

#include "quantity/normalised_sections.hpp"

namespace isserlis::quantity {
namespace {

std::vector<double> sampled_input(NumericModel const& model, NormalisedRequest const& request, std::size_t width) {
    std::vector<double> out = sampling_input(model, width);
    if (request.by == Normalisation::rms || !starts_at_input(model) || normalises_zero(model, request)) return out;
    if (model.input.empty())
        for (std::size_t i = 1; i < out.size(); i += 2) out[i] = -out[i];
    auto less_mean = out;
    monte_carlo::take_mean(less_mean);
    if (std::all_of(less_mean.begin(), less_mean.end(), [](double x) { return x == 0; }))
        throw UnsupportedError("`check`: `input` differs from its mean by less than double precision tells", "check");
    return out;
}

}  // namespace

monte_carlo::NormalisedModel sampled_model(NumericModel const& model, NormalisedRequest const& request) {
    bool const before = request.placement == Placement::before;
    monte_carlo::NormalisedModel out{.by = request.by, .slope = 1, .input = {}, .stages = {}};
    auto const graph = sampling_graph(model).graph;
    out.input = sampled_input(model, request, static_cast<std::size_t>(graph.input_width));
    bool const chain = model.network.is_chain();
    bool behind_branches = false;
    for (auto const& exact : graph.stages) {
        bool const branch = has_skip(exact);
        monte_carlo::NormalisedStage stage{
            .matrices = {}, .normalises_input = before && (branch || behind_branches), .adds_input = branch};
        for (std::size_t j = 0; j < exact.nodes.size(); ++j) {
            auto const& edge = exact.edges[j];
            stage.matrices.push_back({.rows = static_cast<std::size_t>(exact.nodes[j].width),
                                      .variance = edge.variance * edge.multiplier * edge.multiplier});
            if (exact.nodes[j].gate) out.slope = exact.nodes[j].gate->negative;
        }
        if (chain) stage.normalises_output = stage.gates_output = true;
        if (branch && !before) stage.normalises_output = true;
        out.stages.insert(out.stages.end(), exact.count, stage);
        behind_branches = branch;
    }
    if (chain) {
        out.slope = to_double(model.net().activation.gate().negative);
        out.stages.back().normalises_output = out.stages.back().gates_output = false;
    }
    return out;
}

}  // namespace isserlis::quantity
