// SPDX-License-Identifier: MIT
#include "quantity/mup/step_samples.hpp"

#include <isserlis/data/target_sums.hpp>
#include <isserlis/error.hpp>

namespace isserlis::quantity {
namespace {

/// By C = mean y x', which can be a surd where single targets are not.
void add_targets(DataSet const& data, bool batched, StepSamples& out) {
    auto const sums = exact_target_sums(data);
    if (!sums) throw UnsupportedError("`data`: the sums of these targets are no sums of square roots", "data");
    if (batched && !data.has_exact_targets())
        throw UnsupportedError("`batch`: the squares of these targets are no sums of square roots", "batch");
    auto const inputs = exact_inputs(data);
    Surd const n = from_count<Surd>(data.samples());
    Rows<Surd> c = sums->products;
    std::vector<Surd> mean;
    for (auto& row : c) {
        for (auto& x : row) x = x / n;
        mean.push_back(row.back() / inputs.front().back());  // the constant feature
    }
    out.target_mean = dot(mean, mean);
    out.target_cross = Surd(0);
    for (auto const& row : c) out.target_cross = out.target_cross + dot(row, row);
    for (auto const& x : inputs) {
        std::vector<Surd> along;
        for (auto const& row : c) along.push_back(dot(row, x));
        out.target_along.push_back(dot(mean, along));
        out.target_square.push_back(dot(along, along));
    }
    if (batched)
        for (auto const& y : exact_targets(data)) out.target_norms.push_back(dot(y, y));
    out.targets = target_doubles(data);
}

void add_targets(Rows<Surd> const& products, StepSamples& out) {
    std::size_t const size = products.size();
    Surd const pairs = from_count<Surd>(size * size);
    out.target_mean = out.target_cross = Surd(0);
    out.target_along.assign(size, Surd(0));
    out.target_square.assign(size, Surd(0));
    for (std::size_t k = 0; k < size; ++k) {
        out.target_norms.push_back(products[k][k]);
        for (std::size_t l = 0; l < size; ++l) {
            Surd const y = products[k][l] / pairs;
            out.target_mean = out.target_mean + y;
            out.target_cross = out.target_cross + y * out.inputs[k][l];
            for (std::size_t s = 0; s < size; ++s) {
                Surd const along = y * out.inputs[s][k];
                out.target_along[s] = out.target_along[s] + along;
                out.target_square[s] = out.target_square[s] + along * out.inputs[s][l];
            }
        }
    }
}

}  // namespace

void state_step_samples(SamplesText const& samples, std::optional<std::uint64_t> batch, Answer& answer) {
    answer.assume(samples_text(samples) + (samples.with ? ", targets by their Gram matrix" : ""));
    if (samples.data && (!samples.data->gradients.empty() || !samples.data->hessians.empty()))
        answer.warn("columns g and h of the data are not used");
    answer.assume("one gradient step on the mean of 1/2 |z - y|^2 over " +
                  (batch ? std::to_string(*batch) + " of the samples, drawn without replacement, " : "the samples, ") +
                  "its change to first order in the step; inputs and targets are fixed numbers" +
                  (batch ? "; means are over networks and batches" : ""));
}

StepSamples step_samples(SamplesText const& samples, std::optional<std::uint64_t> batch, NumericModel const& model,
                         Bindings const& bindings) {
    StepSamples out;
    out.names = samples.names();
    if (batch && *batch > samples.size())
        throw DomainError(
            "`batch` = " + std::to_string(*batch) + "; there are " + std::to_string(samples.size()) + " samples",
            "batch");
    if (batch && *batch < samples.size()) out.batch = batch;
    auto const& graph = model.graph();
    if (samples.data) {
        if (samples.data->targets.empty())
            throw DomainError("`data`: " + samples.data->place() + " has no targets y1, ..; a step needs them", "data");
        require_data_widths(graph, *samples.data);
        for (auto const& row : gram(*samples.data)) out.inputs.emplace_back(row.begin(), row.end());
        out.vectors = input_doubles(*samples.data);
        add_targets(*samples.data, out.batch.has_value(), out);
        return out;
    }
    out.inputs = input_products<Surd>(*samples.with, graph.input_width, bindings);
    out.vectors = vectors_of(out.inputs, graph.input_width, "gram");
    auto const targets = values_of<Surd>(samples.with->targets, bindings);
    require_symmetric_products(targets, "targets");
    out.targets = vectors_of(targets, graph.output_width(), "targets");
    add_targets(targets, out);
    return out;
}

}  // namespace isserlis::quantity
