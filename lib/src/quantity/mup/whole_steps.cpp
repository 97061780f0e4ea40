// SPDX-License-Identifier: MIT
#include "quantity/mup/whole_steps.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/graph_step_sampler.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/tidy.hpp>
#include <string>
#include <utility>
#include <vector>

#include "quantity/chain_models.hpp"
#include "quantity/mup/sampled_steps.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

/// A layer, or a node of a graph, whose steps are followed.
struct StepNode {
    std::string name;  ///< in EXPR
    Surd width;
    std::uint64_t degree;      ///< of z as a polynomial in the weights, gates apart
    bool gated_below = false;  ///< where the degree is 1: is it one between gates?
};

bool bends(GraphNode<Surd> const& node) { return node.gate && !(node.gate->positive == node.gate->negative); }

/// One whole step of descent, of one neuron of a layer: -z' g, and + z'' g g / 2 where no gate is below.
class WholeStep {
public:
    explicit WholeStep(NumericModel const& model) : model_(model) {
        // The sampled targets: random signs of equal size.
        model_.target_third = Surd(0);
        model_.target_fourth = model_.target_second * model_.target_second / model_.graph().output_width();
        for (auto const& stage : model_.graph().stages)
            for (auto const& node : stage.nodes) gated_ = gated_ || bends(node);
    }

    [[nodiscard]] std::optional<Surd> change_square(StepNode const& at) const {
        auto const step = whole(at);
        return step ? std::optional(mean("(" + *step + ")^2", at)) : std::nullopt;
    }
    [[nodiscard]] std::optional<Surd> updated_square(StepNode const& at) const {
        auto const step = whole(at);
        return step ? std::optional(mean("(" + z(at) + "[i] " + *step + ")^2", at)) : std::nullopt;
    }
    /// 2 E (-z' g)(z'' g g / 2), of third order in the rates; none where gates that flip within the step count as much.
    [[nodiscard]] std::optional<Surd> second_order(StepNode const& at) const {
        if (at.degree <= 1 && !at.gated_below) return Surd(0);
        if (gated_) return std::nullopt;
        return mean("-" + z(at) + "[i;m] " + z(at) + "[i;n,p] (D[m] loss) (D[n] loss) (D[p] loss)", at);
    }

private:
    [[nodiscard]] static std::string z(StepNode const& at) { return "z{" + at.name + "}"; }

    /// Without gates below z is a polynomial of its degree.
    [[nodiscard]] std::optional<std::string> whole(StepNode const& at) const {
        std::string const linear = "-" + z(at) + "[i;m] D[m] loss";
        if (at.degree <= 1 && !at.gated_below) return linear;
        if (gated_ || at.degree > 2) return std::nullopt;
        return linear + " + 1/2 " + z(at) + "[i;n,p] (D[n] loss) (D[p] loss)";
    }

    [[nodiscard]] Surd mean(std::string const& query, StepNode const& at) const {
        return exact_mean(query, model_) / at.width;
    }

    NumericModel model_;
    bool gated_ = false;
};

/// What is printed of the steps, each with its place among what is sampled.
using Listed = std::vector<std::pair<std::size_t, StepNode>>;

Listed listed_of_chain(NumericModel const& model, Session const& session, Answer& answer) {
    std::uint64_t const layers = checked_depth(model.net(), "coord-check");
    require_sampled_depth(session, layers);
    auto const net = *layer_by_layer(model.net(), layers);
    Listed out;
    for (std::uint64_t const l : listed_layers(session, layers, 2, "layers only the last ones are", answer))
        out.push_back({l - 1, {.name = std::to_string(l), .width = net.layers[l - 1].fan_out, .degree = l}});
    return out;
}

Listed listed_of_graph(NumericModel const& model, Session const& session, Answer& answer) {
    auto const flat = flattened(model.graph());
    auto const& nodes = flat.stages.front().nodes;
    std::vector<std::uint64_t> degrees(nodes.size() + 1, 0);  // 0 of the input
    std::vector<bool> gated(nodes.size() + 1, false);         // z by gates below, h by its own too
    std::vector<bool> gated_below = gated;
    for (std::size_t v = 1; v <= nodes.size(); ++v) {
        for (auto const& edge : flat.stages.front().edges) {
            if (edge.to != v) continue;
            std::uint64_t const own = edge.kind == GraphEdge<Surd>::Kind::weight ? 1 : 0;
            degrees[v] = std::max(degrees[v], degrees[edge.from] + own);
            gated_below[v] = gated_below[v] || gated[edge.from];
        }
        gated[v] = gated_below[v] || bends(nodes[v - 1]);
    }
    Listed out;
    for (auto const& listed : listed_nodes(model.graph(), session, answer)) {
        auto const at = std::find_if(nodes.begin(), nodes.end(), [&](auto const& n) { return n.name == listed.name; });
        auto const place = static_cast<std::size_t>(at - nodes.begin());
        out.push_back({place,
                       {.name = listed.name,
                        .width = listed.width,
                        .degree = degrees[place + 1],
                        .gated_below = gated_below[place + 1]}});
    }
    return out;
}

/// What is not known, or needs too many strands, says so.
Value known_or_reason(WholeStep const& step, StepNode const& at) {
    try {
        auto const next = step.second_order(at);
        return next ? Value(*next) : Value::absent("gates that flip within the step count at the same order");
    } catch (UnsupportedError const& e) {
        return Value::absent(reason(e));
    }
}

}  // namespace

void add_whole_steps(Optimiser const& optimiser, std::uint64_t steps, NumericModel const& model,
                     std::optional<Integer> const& width, Session const& session, Answer& answer) {
    bool const chain = model.network.is_chain();
    auto const listed = chain ? listed_of_chain(model, session, answer) : listed_of_graph(model, session, answer);
    require_sampled_steps(model, 4 * static_cast<double>(steps), session);
    auto const inputs = static_cast<std::size_t>(to_double(model.graph().input_width));
    auto const all = chain ? monte_carlo::sample_whole_steps(sampling_model(model), optimiser.rule,
                                                             sampling_factors(model), target_of(model), steps,
                                                             *session.samples, session.seed, session.run_control())
                           : monte_carlo::sample_graph_whole_steps(
                                 sampling_graph(model), sampling_input(model, inputs), optimiser.rule, target_of(model),
                                 steps, *session.samples, session.seed, session.run_control());
    answer.assume(
        "step_: networks after whole steps at the rates given, each with the gradient and the gates of its own "
        "weights; "
        "changes since the first pass; targets of random signs and equal sizes");
    answer.expect(4 * listed.size() * steps);
    std::optional<WholeStep> first;
    if (optimiser.rule == StepRule::descent) first.emplace(model);
    for (std::uint64_t t = 1; t <= steps; ++t) {
        for (auto const& [place, at] : listed) {
            auto const& x = all[t - 1][place];
            Integer const own_width = numerator_of(at.width.to_rational());
            std::vector<std::string> const index{std::to_string(t), at.name, to_string(width.value_or(own_width))};
            // Strands that are too many are sampled.
            auto const exact_root = [&, &node = at](auto member) -> std::optional<Value> {
                std::optional<Surd> square;
                try {
                    if (t == 1 && first) square = ((*first).*member)(node);
                } catch (UnsupportedError const&) {
                    return std::nullopt;
                }
                return square ? std::optional(root(*square, "a root of the second moment")) : std::nullopt;
            };
            auto const change = add_known("step_change_rms", index, exact_root(&WholeStep::change_square),
                                          root_of(x.change_square), answer, x.change_square.largest_share);
            add_known("step_change_absolute_mean", index, {}, x.change_absolute, answer,
                      x.change_absolute.largest_share);
            add_known("step_updated_rms", index, exact_root(&WholeStep::updated_square), root_of(x.updated_square),
                      answer, x.updated_square.largest_share, change);
            add_known("step_updated_absolute_mean", index, {}, x.updated_absolute, answer,
                      x.updated_absolute.largest_share);
            if (t > 1 || !first) continue;
            answer.add("step_second_order", {index.begin() + 1, index.end()}, known_or_reason(*first, at), {},
                       "a part of the square of step_change_rms, which is checked or sampled");
        }
    }
}

}  // namespace isserlis::quantity
