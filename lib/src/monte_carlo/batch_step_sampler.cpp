// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/batch_step_sampler.hpp>

#include <isserlis/error.hpp>
#include <isserlis/mlp/data_loss.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <memory>
#include <span>

#include "batch_examples.hpp"
#include "first_step_sums.hpp"
#include "graph_motion.hpp"
#include "parameter_factors.hpp"
#include "tailed_variance.hpp"

namespace isserlis::monte_carlo {
namespace {

struct NodeSums {
    RunningVariance square, change, covariance, updated_square;
    TailedVariance change_square, of_outputs, of_targets;
    std::vector<TailedVariance> change_squares;
    std::vector<RunningVariance> output_changes;  ///< sample by sample; of the last node

    static void members(auto& self, auto const& f) {
        f(self.square, self.change, self.change_square, self.of_outputs, self.of_targets, self.covariance,
          self.updated_square, self.change_squares, self.output_changes);
    }
};

/// Of one network, sums over neurons and samples of what a node has.
struct NodeNumbers {
    double square = 0, change = 0, change_square = 0, of_outputs = 0, of_targets = 0, covariance = 0,
           updated_square = 0;
};

/// One network after another, with the gradient of its batch and the motion at every sample.
class BatchStepWorker {
public:
    BatchStepWorker(GraphCurveModel const& model, std::uint64_t seed)
        : model_(model),
          seed_(seed),
          flat_(model.network.flat_graph()),
          architecture_(
              std::make_shared<mlp::Architecture const>(mlp::GraphLayout(flat_, model.network.unit_parameters))),
          rates_(parameter_factors(*architecture_, flat_)),
          loss_(*architecture_, mlp::Objective::half_squared),
          all_{.inputs = mlp::columns(model.inputs), .targets = mlp::columns(model.targets)},
          gradient_(architecture_->parameters()),
          motion_(layout()) {
        require_doubles(model.network.precision, "a step on a batch");
        if (layout().concatenated())
            throw UnsupportedError("a step on a batch: relu, leaky or linear units are required", "activation");
        require_no_ties(flat_);
    }

    [[nodiscard]] std::size_t nodes() const { return layout().nodes().size() - 1; }
    [[nodiscard]] std::size_t outputs() const { return layout().nodes().back().width; }

    void operator()(std::uint64_t sample, ListedSums<NodeSums>& into) {
        draw_weights(flat_, layout(), seed_, sample, weights_);
        auto examples = model_.batch ? drawn_batch(all_, *model_.batch, seed_, sample, drawn_) : all_;
        choose_moves(examples, of_all_);
        examples.targets.setZero();
        choose_moves(examples, of_outputs_);
        std::vector<NodeNumbers> sums(nodes());
        for (std::size_t s = 0; s < model_.inputs.size(); ++s) {
            mlp::forward(layout(), std::span<double const>(weights_), model_.inputs[s], pass_);
            motion_.forward(pass_, of_outputs_);
            by_outputs_ = motion_.change();
            motion_.forward(pass_, of_all_);
            for (std::size_t v = 1; v <= nodes(); ++v) add_node(v, s, sums[v - 1], into.all[v - 1]);
        }
        for (std::size_t v = 1; v <= nodes(); ++v) {
            auto const& x = sums[v - 1];
            auto& node = into.all[v - 1];
            double const share = 1 / static_cast<double>(layout().nodes()[v].width * model_.inputs.size());
            node.square.push(share * x.square);
            node.change.push(share * x.change);
            node.change_square.push(share * x.change_square);
            node.of_outputs.push(share * x.of_outputs);
            node.of_targets.push(share * x.of_targets);
            node.covariance.push(share * x.covariance);
            node.updated_square.push(share * x.updated_square);
        }
    }

private:
    [[nodiscard]] mlp::GraphLayout const& layout() const { return architecture_->wiring(); }

    /// Minus the rate times the gradient, by edge.
    void choose_moves(mlp::Examples<double> const& examples, std::vector<std::vector<double>>& moves) {
        (void)loss_.gradient(weights_, examples, gradient_);
        auto const& edges = layout().edges();
        moves.resize(edges.size());
        for (std::size_t e = 0; e < edges.size(); ++e) {
            if (!edges[e].weighted) continue;
            moves[e].resize(layout().entries(edges[e]));
            for (std::size_t i = 0; i < moves[e].size(); ++i)
                moves[e][i] = -rates_[edges[e].first + i] * gradient_[edges[e].first + i];
        }
    }

    void add_node(std::size_t v, std::size_t s, NodeNumbers& sums, NodeSums& into) const {
        auto const& node = layout().nodes()[v];
        double own = 0;
        for (std::size_t i = node.first; i < node.first + node.width; ++i) {
            double const z = pass_.z[i];
            double const change = motion_.change()[i];
            double const by_targets = change - by_outputs_[i];
            own += change * change;
            sums.change += change;
            if (v == nodes()) into.output_changes[s * node.width + (i - node.first)].push(change);
            sums.square += z * z;
            sums.of_outputs += by_outputs_[i] * by_outputs_[i];
            sums.of_targets += by_targets * by_targets;
            sums.covariance += z * change;
            sums.updated_square += (z + change) * (z + change);
        }
        sums.change_square += own;
        into.change_squares[s].push(own / static_cast<double>(node.width));
    }

    GraphCurveModel const& model_;
    std::uint64_t seed_;
    Graph<double, std::uint64_t> flat_;
    std::shared_ptr<mlp::Architecture const> architecture_;  // the loss and the motion refer to it
    std::vector<double> rates_;
    mlp::DataLoss<double> loss_;
    mlp::Examples<double> all_;
    std::vector<double> weights_, gradient_;
    std::vector<std::vector<double>> of_all_, of_outputs_;  ///< moves by edge
    GraphMotion motion_;
    mlp::GraphPass pass_;
    std::vector<double> by_outputs_;
    std::vector<std::size_t> drawn_;
};

}  // namespace

std::vector<BatchStepEstimates> sample_batch_steps(GraphCurveModel const& model, std::uint64_t samples,
                                                   std::uint64_t seed, RunControl const& control) {
    NodeSums none;
    none.change_squares.resize(model.inputs.size());
    BatchStepWorker const worker(model, seed);
    ListedSums<NodeSums> empty{std::vector<NodeSums>(worker.nodes(), none)};
    empty.all.back().output_changes.resize(model.inputs.size() * worker.outputs());
    auto const sums = run(samples, control, empty, [&] { return BatchStepWorker(model, seed); });
    std::vector<BatchStepEstimates> out;
    for (auto const& s : sums.all) {
        out.push_back({.square = s.square.estimate(),
                       .change = s.change.estimate(),
                       .change_square = s.change_square.tailed(),
                       .of_outputs = s.of_outputs.tailed(),
                       .of_targets = s.of_targets.tailed(),
                       .covariance = s.covariance.estimate(),
                       .updated_square = s.updated_square.estimate(),
                       .change_squares = {},
                       .output_changes = {}});
        for (auto const& x : s.change_squares) out.back().change_squares.push_back(x.tailed());
        for (auto const& x : s.output_changes) out.back().output_changes.push_back(x.estimate());
    }
    return out;
}

}  // namespace isserlis::monte_carlo
