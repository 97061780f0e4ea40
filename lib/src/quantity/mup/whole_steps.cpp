// SPDX-License-Identifier: MIT
#include "quantity/mup/whole_steps.hpp"

#include <algorithm>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/optimiser_sampler.hpp>
#include <isserlis/report/tidy.hpp>
#include <string>
#include <utility>
#include <vector>

#include "quantity/chain_models.hpp"
#include "quantity/mup/sampled_steps.hpp"
#include "quantity/observable_check.hpp"

namespace isserlis::quantity {
namespace {

/// One whole step of descent, of one neuron of a layer: -z' g, and + z'' g g / 2 where no gate is below.
class WholeStep {
public:
    WholeStep(NumericModel const& model, std::vector<Surd> widths) : model_(model), widths_(std::move(widths)) {
        // The sampled targets: random signs of equal size.
        model_.target_fourth = model_.target_second * model_.target_second / model_.graph().output_width();
        for (auto const& stage : model_.graph().stages)
            for (auto const& node : stage.nodes)
                gated_ = gated_ || (node.gate && !(node.gate->positive == node.gate->negative));
    }

    [[nodiscard]] std::optional<Surd> change_square(std::uint64_t layer) const {
        auto const step = whole(layer);
        return step ? std::optional(mean("(" + *step + ")^2", layer)) : std::nullopt;
    }
    [[nodiscard]] std::optional<Surd> updated_square(std::uint64_t layer) const {
        auto const step = whole(layer);
        return step ? std::optional(mean("(" + z(layer) + "[i] " + *step + ")^2", layer)) : std::nullopt;
    }
    /// 2 E (-z' g)(z'' g g / 2), of third order in the rates; none where gates that flip within the step count as much.
    [[nodiscard]] std::optional<Surd> second_order(std::uint64_t layer) const {
        if (layer == 1) return Surd(0);
        if (gated_) return std::nullopt;
        return mean("-" + z(layer) + "[i;m] " + z(layer) + "[i;n,p] (D[m] loss) (D[n] loss) (D[p] loss)", layer);
    }

private:
    [[nodiscard]] static std::string z(std::uint64_t layer) { return "z{" + std::to_string(layer) + "}"; }

    /// z^1 is linear in the weights and z^2 of second degree.
    [[nodiscard]] std::optional<std::string> whole(std::uint64_t layer) const {
        std::string const linear = "-" + z(layer) + "[i;m] D[m] loss";
        if (layer == 1) return linear;
        if (gated_ || layer > 2) return std::nullopt;
        return linear + " + 1/2 " + z(layer) + "[i;n,p] (D[n] loss) (D[p] loss)";
    }

    [[nodiscard]] Surd mean(std::string const& query, std::uint64_t layer) const {
        return exact_mean(query, model_) / widths_[layer - 1];
    }

    NumericModel model_;
    std::vector<Surd> widths_;  ///< of the layers, from the first
    bool gated_ = false;
};

}  // namespace

void add_whole_steps(Optimiser const& optimiser, std::uint64_t steps, NumericModel const& model,
                     std::optional<Integer> const& width, Session const& session, Answer& answer) {
    std::uint64_t const layers = checked_depth(model.net(), "coord-check");
    require_sampled_depth(session, layers);
    require_sampled_steps(model, 4 * static_cast<double>(steps), session);
    auto const all =
        monte_carlo::sample_whole_steps(sampling_model(model), optimiser.rule, sampling_factors(model),
                                        target_of(model), steps, *session.samples, session.seed, session.run_control());
    auto const net = *layer_by_layer(model.net(), layers);
    auto const listed = listed_layers(session, layers, 2, "layers only the last ones are", answer);
    answer.assume(
        "step_: networks after whole steps at the rates given, each with the gradient and the gates of its own "
        "weights; "
        "changes since the first pass; targets of random signs and equal sizes");
    answer.expect(4 * listed.size() * steps);
    std::vector<Surd> widths;
    for (auto const& layer : net.layers) widths.push_back(layer.fan_out);
    std::optional<WholeStep> first;
    if (optimiser.rule == StepRule::descent) first.emplace(model, widths);
    for (std::uint64_t t = 1; t <= steps; ++t) {
        for (std::uint64_t const l : listed) {
            auto const& x = all[t - 1][l - 1];
            Integer const own_width = numerator_of(widths[l - 1].to_rational());
            std::vector<std::string> const index{std::to_string(t), std::to_string(l),
                                                 to_string(width.value_or(own_width))};
            auto const exact_root = [&](auto member) -> std::optional<Value> {
                auto const square = t == 1 && first ? ((*first).*member)(l) : std::nullopt;
                return square ? std::optional(root(*square, "a root of the second moment")) : std::nullopt;
            };
            add_known("step_change_rms", index, exact_root(&WholeStep::change_square), root_of(x.change_square),
                      answer);
            add_known("step_change_absolute_mean", index, {}, x.change_absolute, answer);
            add_known("step_updated_rms", index, exact_root(&WholeStep::updated_square), root_of(x.updated_square),
                      answer);
            add_known("step_updated_absolute_mean", index, {}, x.updated_absolute, answer);
            if (t > 1 || !first) continue;
            auto const next = first->second_order(l);
            answer.add("step_second_order", {index.begin() + 1, index.end()},
                       next ? Value(*next) : Value::absent("gates that flip within the step count at the same order"),
                       {}, "a part of the square of step_change_rms, which is checked or sampled");
        }
    }
}

}  // namespace isserlis::quantity
