// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/graph_step_sampler.hpp>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/graph_adjoints.hpp>
#include <isserlis/mlp/graph_network.hpp>
#include <isserlis/random/stream.hpp>
#include <memory>
#include <span>
#include <utility>

#include "first_step_sums.hpp"
#include "graph_motion.hpp"

namespace isserlis::monte_carlo {
namespace {

using Numbers = std::vector<double>;

/// One network after another, with its gradient and its step written out.
class SteppedGraph {
public:
    SteppedGraph(GraphModel const& model, Numbers const& input, StepRule rule, double target, std::uint64_t seed)
        : flat_(model.flat_graph()),
          layout_(flat_, model.unit_parameters),
          adjoints_(layout_, {.node = layout_.output(), .count = layout_.nodes().back().width}, 1, true),
          input_(input),
          rule_(rule),
          target_(target),
          seed_(seed),
          motion_(layout_) {
        if (model.precision != Precision::float64)
            throw UnsupportedError("`precision` float: steps of a graph are sampled in double; leave it out",
                                   "precision");
        require_no_ties(flat_);
        if (layout_.concatenated() || layout_.drawn() != layout_.size() || layout_.nodes().back().gated)
            throw UnsupportedError(
                "steps of a graph: relu, leaky or linear units without biases and a linear head are required",
                "network");
    }
    // Adjoints and motion refer to the layout.
    SteppedGraph(SteppedGraph const&) = delete;
    SteppedGraph& operator=(SteppedGraph const&) = delete;

    void draw(std::uint64_t sample) {
        draw_weights(flat_, layout_, seed_, sample, weights_);
        mlp::forward(layout_, weights_, input_, pass_);
        targets_.resize(layout_.nodes().back().width);
        Stream signs(seed_, sample, StreamUse::targets);
        for (double& y : targets_) y = signs.sign() * target_;
    }

    /// Minus the rate times what the rule makes of the gradient, by edge.
    void choose_step() {
        auto const& output = layout_.nodes().back();
        gaps_.resize(output.width);
        for (std::size_t i = 0; i < output.width; ++i) gaps_[i] = pass_.z[output.first + i] - targets_[i];
        adjoints_.backward(pass_, gaps_);
        choose_moves();
    }

    void take_step() {
        auto const& edges = layout_.edges();
        for (std::size_t e = 0; e < edges.size(); ++e)
            for (std::size_t k = 0; k < moves_[e].size(); ++k) weights_[edges[e].first + k] += moves_[e][k];
        mlp::forward(layout_, weights_, input_, pass_);
    }

    /// How the pre-activations move with the weights, to first order.
    void differentiate() { motion_.forward(pass_, moves_); }

    [[nodiscard]] Numbers const& z() const { return pass_.z; }
    [[nodiscard]] std::span<double const> of_node(Numbers const& all, std::size_t v) const {
        auto const& node = layout_.nodes()[v];
        return std::span(all).subspan(node.first, node.width);
    }

    [[nodiscard]] std::size_t nodes() const { return layout_.nodes().size(); }
    [[nodiscard]] double square(std::size_t v) const { return mean_square(pass_.z, v); }
    [[nodiscard]] double own_square(std::size_t v) const { return mean_square(motion_.own(), v); }
    [[nodiscard]] double change_square(std::size_t v) const { return mean_square(motion_.change(), v); }
    [[nodiscard]] double change_absolute(std::size_t v) const {
        auto const& node = layout_.nodes()[v];
        double sum = 0;
        for (std::size_t i = 0; i < node.width; ++i) sum += std::fabs(motion_.change()[node.first + i]);
        return sum / static_cast<double>(node.width);
    }

private:
    [[nodiscard]] double mean_square(Numbers const& all, std::size_t v) const {
        auto const& node = layout_.nodes()[v];
        double sum = 0;
        for (std::size_t i = 0; i < node.width; ++i) sum += all[node.first + i] * all[node.first + i];
        return sum / static_cast<double>(node.width);
    }

    void choose_moves() {
        auto const& edges = layout_.edges();
        moves_.resize(edges.size());
        for (std::size_t e = 0; e < edges.size(); ++e) {
            auto const& edge = edges[e];
            moves_[e].clear();
            if (!edge.weighted) continue;
            auto const& from = layout_.nodes()[edge.from];
            auto const by_z = adjoints_.by_z(edge.to);
            moves_[e].reserve(layout_.entries(edge));
            for (double const delta : by_z)
                for (std::size_t j = 0; j < from.width; ++j)
                    moves_[e].push_back(edge.scale * delta * pass_.h[from.first + j]);
        }
        apply_rule(rule_, moves_);
        for (std::size_t e = 0; e < edges.size(); ++e)
            for (double& entry : moves_[e]) entry *= -flat_.stages.front().edges[e].label_factor;
    }

    Graph<double, std::uint64_t> flat_;
    mlp::GraphLayout layout_;
    mlp::GraphAdjoints adjoints_;
    Numbers input_;
    StepRule rule_;
    double target_;
    std::uint64_t seed_;
    mlp::GraphPass pass_;
    GraphMotion motion_;
    std::vector<Numbers> moves_;  ///< by edge
    Numbers weights_, targets_, gaps_;
};

}  // namespace

std::vector<FirstStepEstimates> sample_graph_first_steps(GraphModel const& model, std::vector<double> const& input,
                                                         StepRule rule, double target_second_moment,
                                                         std::uint64_t samples, std::uint64_t seed,
                                                         RunControl const& control) {
    double const target = std::sqrt(target_second_moment);
    std::size_t const nodes = SteppedGraph(model, input, rule, target, seed).nodes();
    ListedSums<FirstStepSums> const none{std::vector<FirstStepSums>(nodes - 1)};
    auto const sums = run(samples, control, none, [&] {
        return [net = std::make_shared<SteppedGraph>(model, input, rule, target, seed)](
                   std::uint64_t sample, ListedSums<FirstStepSums>& into) {
            net->draw(sample);
            net->choose_step();
            net->differentiate();
            for (std::size_t v = 1; v < net->nodes(); ++v) {
                auto& node = into.all[v - 1];
                node.square.push(net->square(v));
                node.own_square.push(net->own_square(v));
                node.change_square.push(net->change_square(v));
                node.change_absolute.push(net->change_absolute(v));
            }
        };
    });
    return estimates_of(sums);
}

std::vector<std::vector<WholeStepEstimates>> sample_graph_whole_steps(GraphModel const& model,
                                                                      std::vector<double> const& input, StepRule rule,
                                                                      double target_second_moment, std::uint64_t steps,
                                                                      std::uint64_t samples, std::uint64_t seed,
                                                                      RunControl const& control) {
    if (steps == 0) throw DomainError("sample_graph_whole_steps: no steps", "steps");
    double const target = std::sqrt(target_second_moment);
    std::size_t const places = SteppedGraph(model, input, rule, target, seed).nodes() - 1;
    ListedSums<WholeStepSums> const none{std::vector<WholeStepSums>(steps * places)};
    auto const sums = run(samples, control, none, [&] {
        return [net = std::make_shared<SteppedGraph>(model, input, rule, target, seed), first = Numbers(), steps,
                places](std::uint64_t sample, ListedSums<WholeStepSums>& into) mutable {
            net->draw(sample);
            first = net->z();
            for (std::uint64_t t = 0; t < steps; ++t) {
                net->choose_step();
                net->take_step();
                for (std::size_t v = 1; v <= places; ++v)
                    into.all[t * places + v - 1].push(net->of_node(first, v), net->of_node(net->z(), v));
            }
        };
    });
    return estimates_of(sums, places);
}

}  // namespace isserlis::monte_carlo
