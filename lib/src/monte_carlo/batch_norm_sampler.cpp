// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/batch_norm_sampler.hpp>

#include <isserlis/error.hpp>
#include <isserlis/mlp/graph_network.hpp>
#include <memory>
#include <span>

#include "first_step_sums.hpp"

namespace isserlis::monte_carlo {
namespace {

struct BatchNormSums {
    std::vector<RunningVariance> raw;
    RunningVariance variance;
    std::vector<RunningVariance> inputs, variance_of_input;

    static void members(auto& self, auto const& f) { f(self.raw, self.variance, self.inputs, self.variance_of_input); }
};
using NormsOfNodes = ListedSums<BatchNormSums>;

double square_of(double x) { return x * x; }

/// One network after another, forward at all inputs.
class BatchNormWorker {
public:
    BatchNormWorker(GraphModel const& model, std::vector<std::vector<double>> const& inputs,
                    std::vector<BatchNormCenters> const& centers, bool preactivations, std::uint64_t seed)
        : inputs_(inputs),
          centers_(centers),
          preactivations_(preactivations),
          seed_(seed),
          flat_(model.flat_graph()),
          layout_(std::make_shared<mlp::GraphLayout const>(flat_, model.unit_parameters)),
          means_(centers.size()) {}

    void operator()(std::uint64_t sample, NormsOfNodes& into) {
        draw_weights(flat_, *layout_, seed_, sample, weights_);
        means_.assign(means_.size(), 0.0);
        double const share = 1 / static_cast<double>(inputs_.size());
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            mlp::forward(*layout_, std::span<double const>(weights_), inputs_[k], pass_);
            for (std::size_t v = 0; v < means_.size(); ++v) {
                double const q = squared_norm(centers_[v].node);
                means_[v] += share * q;
                into.all[v].inputs[k].push(q);
                into.all[v].variance_of_input[k].push(square_of(q - centers_[v].inputs[k]));
            }
        }
        for (std::size_t v = 0; v < means_.size(); ++v) {
            double power = 1;
            for (auto& moment : into.all[v].raw) moment.push(power *= means_[v]);
            into.all[v].variance.push(square_of(means_[v] - centers_[v].mean));
        }
    }

private:
    [[nodiscard]] double squared_norm(std::size_t v) const {
        auto const& node = layout_->nodes()[v];
        auto const& all = node.gated && !preactivations_ ? pass_.h : pass_.z;
        double sum = 0;
        for (std::size_t i = node.first; i < node.first + node.width; ++i) sum += all[i] * all[i];
        return sum;
    }

    std::vector<std::vector<double>> const& inputs_;
    std::vector<BatchNormCenters> const& centers_;
    bool preactivations_;
    std::uint64_t seed_;
    Graph<double, std::uint64_t> flat_;
    std::shared_ptr<mlp::GraphLayout const> layout_;
    std::vector<double> means_;
    std::vector<double> weights_;
    mlp::GraphPass pass_;
};

std::vector<Estimate> all_estimates(std::vector<RunningVariance> const& sums) {
    std::vector<Estimate> out;
    for (auto const& s : sums) out.push_back(s.estimate());
    return out;
}

}  // namespace

std::vector<BatchNormEstimates> sample_batch_norms(GraphModel const& model,
                                                   std::vector<std::vector<double>> const& inputs,
                                                   std::vector<BatchNormCenters> const& centers, unsigned order,
                                                   bool preactivations, std::uint64_t samples, std::uint64_t seed,
                                                   RunControl const& control) {
    require_doubles(model.precision, "the norm at several inputs");
    if (inputs.empty()) throw DomainError("sample_batch_norms: no input is given", "input");
    require_decided_ties(model.flat_graph(), model.ties);
    std::vector<RunningVariance> const of_inputs(inputs.size());
    NormsOfNodes const none{std::vector<BatchNormSums>(centers.size(), {.raw = std::vector<RunningVariance>(order),
                                                                        .variance = {},
                                                                        .inputs = of_inputs,
                                                                        .variance_of_input = of_inputs})};
    auto const sums =
        run(samples, control, none, [&] { return BatchNormWorker(model, inputs, centers, preactivations, seed); });
    std::vector<BatchNormEstimates> out;
    for (auto const& s : sums.all)
        out.push_back({.raw = all_estimates(s.raw),
                       .variance = s.variance.estimate(),
                       .inputs = all_estimates(s.inputs),
                       .variance_of_input = all_estimates(s.variance_of_input)});
    return out;
}

}  // namespace isserlis::monte_carlo
