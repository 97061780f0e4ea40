// SPDX-License-Identifier: MIT
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/batch_step_sampler.hpp>
#include <isserlis/report/tidy.hpp>

#include "quantity/mup/sampled_steps.hpp"
#include "quantity/wired/linear_between_matrices.hpp"
#include "quantity/wired/step_at_samples.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* gates_of_a_step =
    "`activation`: a step on several samples is served for linear units, `activation` linear; with gates one sample "
    "has it, by "
    "`input` or `input_squared_norm`, and isserlis mup the step on a file of inputs through one hidden ReLU layer";
constexpr char const* by_products =
    "targets are known by their products, which leave their signs open; `data` has them";

/// Means over the neurons of a node, at one sample or over all.
struct NodeMeans {
    TargetForm square, a, b, covariance;

    [[nodiscard]] TargetForm change_square() const { return a + b; }
    [[nodiscard]] TargetForm updated_square() const { return square + Surd(2) * covariance + change_square(); }
};

/// At each sample.
std::vector<NodeMeans> means_of(WiredNode<Surd> const& node, NumericModel const& model,
                                LeftAtSamples<Surd> const& left) {
    NodeWords const words(node.name);
    auto const square = at_samples(words.square(), node.width, model, left);
    auto const a = at_samples(words.of_outputs(), node.width, model, left);
    auto const b = at_samples(words.of_targets(), node.width, model, left);
    auto const covariance = at_samples(words.covariance(), node.width, model, left);
    std::vector<NodeMeans> out;
    for (std::size_t s = 0; s < left.size(); ++s)
        out.push_back({.square = square[s], .a = a[s], .b = b[s], .covariance = Surd(-1) * covariance[s]});
    return out;
}

NodeMeans mean_of(std::vector<NodeMeans> const& all) {
    NodeMeans out;
    for (auto const member : {&NodeMeans::square, &NodeMeans::a, &NodeMeans::b, &NodeMeans::covariance}) {
        std::vector<TargetForm> each;
        for (auto const& x : all) each.push_back(x.*member);
        out.*member = averaged(each);
    }
    return out;
}

/// The name of the node whose neurons are the outputs.
std::string output_name(NumericModel const& model) { return flattened(model.graph()).stages.front().nodes.back().name; }

}  // namespace

void add_wired_batch_steps(NumericModel const& model, StepSamples<Surd> const& samples,
                           std::optional<Integer> const& width, Session const& session, Answer& answer) {
    require_linear_between_matrices(model.graph(), gates_of_a_step);
    auto const nodes = listed_nodes(model.graph(), session, answer);
    std::size_t const size = samples.names.size();
    std::size_t const outputs = samples.mean_target.size();
    answer.expect((7 + size) * nodes.size() + size * outputs);
    answer.assume(
        "means over the neurons of a node and over all samples; sample_change_rms [k,..] is of sample k alone; E "
        "(Delta "
        "z_i)^2 = change_a + change_b, the parts of the outputs and of the targets");
    if (outputs > 0) answer.assume("sample_change_mean [k,j,..] is of output j at sample k; change_mean averages them");
    LeftAtSamples const left(samples);
    auto const sampled = sampled_batch_steps(model, samples, session);
    std::string const output = output_name(model);
    using Seen = monte_carlo::BatchStepEstimates;
    for (auto const& node : nodes) {
        auto const each = means_of(node, model, left);
        auto const mean = mean_of(each);
        std::string const shown = width ? to_string(*width) : to_string(node.width);
        std::vector<std::string> const index{node.name, shown};
        auto const* seen = session.samples ? &sampled.at(node.name) : nullptr;
        auto const add = [&](char const* name, TargetForm const& exact, auto Seen::*member) {
            add_known(name, index, tidy(exact), seen ? std::optional(seen->*member) : std::nullopt, answer);
        };
        auto const add_root = [&](char const* name, TargetForm const& square, auto Seen::*member,
                                  std::optional<Check> const& of_change = {}) {
            return add_known(name, index, root(square, "a root of the second moment"),
                             seen ? std::optional(root_of(seen->*member)) : std::nullopt, answer, 0, of_change);
        };
        add_root("preactivation_rms", mean.square, &Seen::square);
        bool const is_output = node.name == output;
        auto const changes = is_output ? mean_output_changes(model, samples, left) : Rows<Surd>{};
        std::vector<Surd> of_outputs;
        for (auto const& row : changes) of_outputs.push_back(averaged(row));
        if (is_output && changes.empty()) {
            answer.add("change_mean", index, Value::absent(by_products), {}, by_products);
        } else {
            add("change_mean", is_output ? averaged(of_outputs) : Surd(0), &Seen::change);
        }
        auto const change = add_root("change_rms", mean.change_square(), &Seen::change_square);
        add("change_a", mean.a, &Seen::of_outputs);
        // What targets do whose sums are 0, or nearly, is rounding beside the whole change.
        add_known("change_b", index, tidy(mean.b), seen ? std::optional(seen->of_targets) : std::nullopt, answer, 0, {},
                  seen ? seen->change_square.mean : 0);
        add("change_covariance", mean.covariance, &Seen::covariance);
        add_root("updated_rms", mean.updated_square(), &Seen::updated_square, change);
        for (std::size_t s = 0; s < size; ++s)
            add_known("sample_change_rms", {samples.names[s], node.name, shown},
                      root(each[s].change_square(), "a root of the second moment"),
                      seen ? std::optional(root_of(seen->change_squares[s])) : std::nullopt, answer);
        for (std::size_t s = 0; s < changes.size(); ++s)
            for (std::size_t j = 0; j < outputs; ++j)
                add_known("sample_change_mean", {samples.names[s], std::to_string(j + 1), shown},
                          Value(tidy(changes[s][j])),
                          seen ? std::optional(seen->output_changes[s * outputs + j]) : std::nullopt, answer);
    }
}

}  // namespace isserlis::quantity
