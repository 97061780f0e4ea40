// SPDX-License-Identifier: MIT
#include "quantity/mup/step_samples.hpp"

#include <isserlis/data/target_sums.hpp>
#include <isserlis/error.hpp>

#include <type_traits>

namespace isserlis::quantity {
namespace {

/// By C = mean y x', which can be a surd where single targets are not.
template <class R>
void add_targets(DataSet const& data, StepSamples<R>& out) {
    auto const sums = exact_target_sums(data);
    if (!sums) throw UnsupportedError("`data`: the sums of these targets are no sums of square roots", "data");
    if constexpr (std::is_same_v<R, RationalFunction>) {
        if (out.batch && !data.has_exact_targets())
            throw UnsupportedError(
                "`batch`: the squares of these targets are no sums of square roots, which formulas ask for; give the "
                "symbols numbers by `set`",
                "batch");
    }
    auto const inputs = exact_inputs(data);
    Surd const n = from_count<Surd>(data.samples());
    Rows<Surd> c = sums->products;
    std::vector<Surd> mean;
    for (auto& row : c) {
        for (auto& x : row) x = x / n;
        mean.push_back(row.back() / inputs.front().back());  // the constant feature
    }
    Surd cross(0);
    for (auto const& row : c) cross = cross + dot(row, row);
    out.target_mean = R(dot(mean, mean));
    out.target_cross = R(cross);
    for (auto const& x : inputs) {
        std::vector<Surd> along;
        for (auto const& row : c) along.push_back(dot(row, x));
        out.target_along.push_back(R(dot(mean, along)));
        out.target_square.push_back(R(dot(along, along)));
        out.targets_at.emplace_back(along.begin(), along.end());
    }
    out.mean_target.assign(mean.begin(), mean.end());
    if (data.has_exact_targets()) {
        for (auto const& y : exact_targets(data)) out.target_norms.push_back(R(dot(y, y)));
    } else if constexpr (std::is_same_v<R, Surd>) {
        out.target_norms = TargetForm::squares(data);
    }
}

template <class R>
void add_targets(Rows<R> const& products, StepSamples<R>& out) {
    std::size_t const size = products.size();
    R const pairs = from_count<R>(size * size);
    out.target_mean = out.target_cross = R(0);
    out.target_along.assign(size, R(0));
    out.target_square.assign(size, R(0));
    for (std::size_t k = 0; k < size; ++k) {
        out.target_norms.push_back(products[k][k]);
        for (std::size_t l = 0; l < size; ++l) {
            R const y = products[k][l] / pairs;
            out.target_mean = out.target_mean + y;
            out.target_cross = out.target_cross + y * out.inputs[k][l];
            for (std::size_t s = 0; s < size; ++s) {
                R const along = y * out.inputs[s][k];
                out.target_along[s] = out.target_along[s] + along;
                out.target_square[s] = out.target_square[s] + along * out.inputs[s][l];
            }
        }
    }
}

template <class R, class Count>
StepSamples<R> gathered(SamplesText const& samples, BatchText const& batch, Model<R, Count> const& model,
                        Bindings const& bindings) {
    constexpr bool numeric = std::is_same_v<R, Surd>;
    StepSamples<R> out{};
    out.names = samples.names();
    out.batch = batch_of(batch, samples.size());
    auto const& graph = model.graph();
    if (samples.data) {
        if (samples.data->targets.empty())
            throw DomainError("`data`: " + samples.data->place() + " has no targets y1, ..; the loss needs them",
                              "data");
        require_data_widths(graph, *samples.data);
        for (auto const& row : gram(*samples.data)) {
            out.inputs.emplace_back();
            for (auto const& x : row) out.inputs.back().push_back(R(Surd(x)));
        }
        add_targets(*samples.data, out);
        if constexpr (numeric) {
            out.vectors = input_doubles(*samples.data);
            out.targets = target_doubles(*samples.data);
        }
        return out;
    }
    out.inputs = input_products<R>(*samples.with, graph.input_width, bindings);
    auto const targets = values_of<R>(samples.with->targets, bindings);
    require_symmetric_products(targets, "targets");
    if constexpr (numeric) {
        out.vectors = vectors_of(out.inputs, graph.input_width, "gram");
        out.targets = vectors_of(targets, graph.output_width(), "targets");
    }
    add_targets(targets, out);
    return out;
}

}  // namespace

void state_step_samples(SamplesText const& samples, BatchText const& batch, Answer& answer) {
    answer.assume(samples_text(samples) + (samples.with ? targets_by_gram : ""));
    if (samples.data && (!samples.data->gradients.empty() || !samples.data->hessians.empty()))
        answer.warn("columns g and h of the data are not used");
    answer.assume("one gradient step on the mean of 1/2 |z - y|^2 over " +
                  (batch.is_given() ? drawn_samples(batch) + "," : "the samples,") +
                  " its change to first order in the step; inputs and targets are fixed numbers" +
                  (batch.is_given() ? "; means are over networks and batches" : ""));
}

StepSamples<Surd> step_samples(SamplesText const& samples, BatchText const& batch, NumericModel const& model,
                               Bindings const& bindings) {
    return gathered(samples, batch, model, bindings);
}

StepSamples<RationalFunction> step_samples(SamplesText const& samples, BatchText const& batch,
                                           SymbolicModel const& model, Bindings const& bindings) {
    return gathered(samples, batch, model, bindings);
}

}  // namespace isserlis::quantity
