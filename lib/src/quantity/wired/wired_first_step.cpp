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
#include "quantity/mup/unmoved.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/graph_steps.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

using monte_carlo::Estimate;

/// The one rate of some matrices, of those that are moved by it and at a rate of 1.
std::optional<Surd> common_rate(std::vector<GraphSteps::Matrix> const& moved,
                                std::vector<GraphSteps::Matrix> const& unit) {
    Surd const rate = moved.front().rate / unit.front().rate;
    for (std::size_t k = 1; k < moved.size(); ++k)
        if (moved[k].rate / unit[k].rate != rate) return std::nullopt;
    return rate;
}

/// What is known of a node's first step, and what is sampled.
class StepOfNode {
public:
    StepOfNode(GraphSteps const& steps, std::optional<Surd> const& one_rate, std::size_t v,
               monte_carlo::FirstStepEstimates const* seen)
        : steps_(steps), one_rate_(one_rate), v_(v), seen_(seen), matrices_(steps.matrices(v)) {
        own_ = steps.own(v, matrices_);
    }

    [[nodiscard]] std::vector<GraphSteps::Matrix> const& matrices() const { return matrices_; }
    [[nodiscard]] std::optional<Value> preactivation_rms() const {
        auto const square = steps_.preactivation_square(v_);
        return square ? std::optional(root(*square, "a root of the second moment")) : std::nullopt;
    }
    [[nodiscard]] std::optional<Value> own_rms() const { return own_ ? std::optional(own_->rms()) : std::nullopt; }
    /// Of its change, or 1 over it, of which there is none where it is 0.
    [[nodiscard]] std::optional<Value> change_rms(bool inverse = false) const {
        if (steps_.is_output(v_) && one_rate_) {
            if (auto const square = steps_.output_change_square(*one_rate_)) {
                if (!inverse) return root(*square, "a root of the second moment");
                return square->is_zero() ? unmoved() : over_root(1, *square, "1 over a root of the second moment");
            }
        }
        if (!steps_.rests_below(v_)) return std::nullopt;
        if (matrices_.empty()) return inverse ? unmoved() : Value(Surd(0));
        if (!own_) return std::nullopt;
        return inverse ? own_->is_zero() ? unmoved() : own_->unit_rate() : own_->rms();
    }
    [[nodiscard]] std::optional<Value> change_mean_size(bool inverse = false) const {
        if (steps_.rests_below(v_) && matrices_.empty()) return inverse ? unmoved() : Value(Surd(0));
        if (!own_ || !steps_.moves_alike(v_)) return std::nullopt;
        return inverse ? own_->is_zero() ? unmoved() : own_->inverse_mean_size() : own_->mean_size();
    }

    [[nodiscard]] std::optional<Estimate> rms_of(Estimate monte_carlo::FirstStepEstimates::*square) const {
        return seen_ == nullptr ? std::nullopt : std::optional(root_of(seen_->*square));
    }
    [[nodiscard]] std::optional<Estimate> sampled_size() const {
        return seen_ == nullptr ? std::nullopt : std::optional(seen_->change_absolute);
    }

private:
    GraphSteps const& steps_;
    std::optional<Surd> const& one_rate_;
    std::size_t v_;
    monte_carlo::FirstStepEstimates const* seen_;
    std::vector<GraphSteps::Matrix> matrices_;
    std::optional<OwnSquare> own_;
};

/// The one rate of all matrices into a node at which they move it by 1.
void add_unit_rate(GraphSteps const& unit, StepOfNode const& node, std::size_t v, std::vector<std::string> const& index,
                   Answer& answer) {
    if (unit.rule() == StepRule::normalised) return;
    auto const matrices = unit.matrices(v);
    auto const rate = common_rate(node.matrices(), matrices);
    if (auto const own = unit.own(v, matrices)) {
        answer.add("unit_rate", index, own->unit_rate(), {}, "the rate over own_change_rms, which is checked");
        return;
    }
    if (!rate) {
        answer.add("unit_rate", index,
                   Value::absent("its matrices have rates that differ; give one `eta` and label factors alike"), {},
                   is_sampled_itself);
        return;
    }
    if (rate->is_zero()) return;
    auto const drawn = node.rms_of(&monte_carlo::FirstStepEstimates::own_square);
    add_known("unit_rate", index, std::nullopt, drawn ? inverse_of(*drawn, to_double(*rate)) : std::nullopt, answer);
}

std::optional<Estimate> inverse_if_seen(std::optional<Estimate> const& x) { return x ? inverse_of(*x) : std::nullopt; }

}  // namespace

StepRates add_wired_first_step(OptimisedModel const& model, std::string const& rated,
                               std::optional<Integer> const& width, Session const& session, Answer& answer) {
    NumericModel const& drawn = model.drawn;
    if (sign(drawn.squared_norm) <= 0)
        throw DomainError("`input`: |x|^2 is 0; a step of this size needs an input that is not 0", "input");
    auto const listed = listed_nodes(drawn.graph(), session, answer);
    bool const whole = model.rule() == StepRule::normalised;
    GraphSteps const steps(whole ? drawn : model.moved, model.rule());
    GraphSteps const unit(model.unit, model.rule());
    std::optional<Surd> const one_rate = GraphSteps(model.rated, model.rule()).one_rate();
    std::vector<monte_carlo::FirstStepEstimates> sampled;
    if (session.samples) {
        require_sampled_steps(drawn, 4, session);
        auto const inputs = static_cast<std::size_t>(to_double(drawn.graph().input_width));
        sampled = monte_carlo::sample_graph_first_steps(sampling_graph(drawn), sampling_input(drawn, inputs),
                                                        model.rule(), target_of(drawn), *session.samples, session.seed,
                                                        session.run_control());
    }
    auto const node_at = [&](std::size_t v) {
        return StepOfNode(steps, one_rate, v, sampled.empty() ? nullptr : &sampled[v - 1]);
    };
    using Seen = monte_carlo::FirstStepEstimates;
    answer.expect(5 * listed.size());
    for (auto const& at : listed) {
        std::vector<std::string> const index{at.name, width ? to_string(*width) : to_string(at.width)};
        std::size_t const v = steps.place_of(at.name);
        auto const node = node_at(v);
        add_known("preactivation_rms", index, node.preactivation_rms(), node.rms_of(&Seen::square), answer);
        if (!node.matrices().empty()) {
            add_known("own_change_rms", index, node.own_rms(), node.rms_of(&Seen::own_square), answer);
            add_unit_rate(unit, node, v, index, answer);
        }
        add_known("change_rms", index, node.change_rms(), node.rms_of(&Seen::change_square), answer);
        add_known("change_absolute_mean", index, node.change_mean_size(), node.sampled_size(), answer);
    }
    StepRates out;
    if (rated.empty()) return out;
    auto const output = node_at(steps.nodes());
    out.output = whole ? StepRates::Rate{output.change_rms(true), inverse_if_seen(output.rms_of(&Seen::change_square))}
                       : StepRates::Rate{output.change_mean_size(true), inverse_if_seen(output.sampled_size())};
    auto const node = node_at(steps.place_of(rated));
    out.rated = {node.change_rms(true), inverse_if_seen(node.rms_of(&Seen::change_square))};
    return out;
}

}  // namespace isserlis::quantity
