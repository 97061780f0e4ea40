// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/observable_sampler.hpp>
#include <isserlis/random/stream.hpp>

#include "observable_plan.hpp"

namespace isserlis::monte_carlo {
namespace detail {

/// What one thread needs to evaluate a plan.
class ObservableWorkspace {
public:
    explicit ObservableWorkspace(ObservablePlan const& plan)
        : plan_(&plan), passes_(plan.inputs.size()), filler_(plan.layout), memory_(plan.program.memory()) {
        for (auto const& constant : plan.constants) memory_[constant.buffer] = constant.entries;
    }

    [[nodiscard]] double evaluate(std::uint64_t seed, std::uint64_t sample) {
        draw_weights(plan_->graph, plan_->layout, seed, sample, weights_);
        pass_inputs(seed, sample);
        if (plan_->targets) {
            Stream stream(seed, sample, StreamUse::targets);
            plan_->target_law.draw(stream, memory_[*plan_->targets]);
        }
        for (auto const& output : plan_->outputs)
            filler_.fill(output.tensor, passes_[output.input], memory_[output.buffer]);
        plan_->program.run(memory_);
        return memory_[plan_->result][0];
    }

private:
    void pass_inputs(std::uint64_t seed, std::uint64_t sample) {
        Stream coins(seed, sample, StreamUse::ties);
        mlp::TieBreak<double> const ties{tie_tolerance<double>, [&coins] { return coins.coin(); }};
        for (std::size_t k = 0; k < passes_.size(); ++k) {
            if (plan_->ties)
                mlp::forward(plan_->layout, weights_, plan_->inputs[k], ties, passes_[k]);
            else
                mlp::forward(plan_->layout, weights_, plan_->inputs[k], passes_[k]);
        }
    }

    ObservablePlan const* plan_;
    std::vector<double> weights_;
    std::vector<mlp::GraphPass> passes_;
    DerivativeFiller filler_;
    TensorProgram::Memory memory_;
};

}  // namespace detail

ObservableSampler::ObservableSampler(GraphModel const& model, Query const& query, ObservableSettings const& settings)
    : plan_(std::make_shared<detail::ObservablePlan>(model, query, settings)) {}

ObservableSampler::ObservableSampler(ObservableSampler const& other) : plan_(other.plan_) {}

ObservableSampler& ObservableSampler::operator=(ObservableSampler const& other) {
    return *this = ObservableSampler(other);
}

ObservableSampler::ObservableSampler(ObservableSampler&&) noexcept = default;
ObservableSampler& ObservableSampler::operator=(ObservableSampler&&) noexcept = default;
ObservableSampler::~ObservableSampler() = default;

double ObservableSampler::operator()(std::uint64_t seed, std::uint64_t sample) {
    if (!workspace_) workspace_ = std::make_unique<detail::ObservableWorkspace>(*plan_);
    return workspace_->evaluate(seed, sample);
}

double ObservableSampler::work_per_sample() const { return plan_->work() / detail::operations_per_weight; }

Estimate sample_observable(GraphModel const& model, Query const& query, ObservableSettings const& settings,
                           std::uint64_t samples, std::uint64_t seed, RunControl const& control) {
    ObservableSampler const sampler(model, query, settings);
    Estimate const out = run(samples, control, RunningVariance(), [&] {
                             return [seed, draw = sampler](std::uint64_t sample, RunningVariance& into) mutable {
                                 into.push(draw(seed, sample));
                             };
                         }).estimate();
    if (!std::isfinite(out.mean) || !std::isfinite(out.std_error))
        throw UnsupportedError(
            "sample_observable: the mean or its error is beyond double; scale the variances or the input down",
            "query");
    return out;
}

}  // namespace isserlis::monte_carlo
