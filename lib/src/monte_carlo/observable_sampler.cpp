// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/observable_sampler.hpp>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/random/stream.hpp>

#include "plan/observable_plan.hpp"

namespace isserlis::monte_carlo {
namespace detail {

/// What one thread needs to evaluate a plan.
class ObservableWorkspace {
public:
    explicit ObservableWorkspace(ObservablePlan const& plan)
        : plan_(&plan),
          passes_(plan.inputs.size()),
          filler_(plan.layout),
          kernels_(plan.kernels),
          curvatures_(plan.curvatures),
          memory_(plan.program.memory()),
          values_(plan.results.size()) {
        for (auto const& e : plan.entries) entries_.emplace_back(plan.layout, e.tensor);
        for (auto const& constant : plan.constants) memory_[constant.buffer] = constant.entries;
    }

    [[nodiscard]] std::span<double const> evaluate(std::uint64_t seed, std::uint64_t sample) {
        bool const in_float = plan_->precision == Precision::float32;
        if (in_float)
            draw(floats_, seed, sample);
        else
            draw(weights_, seed, sample);
        if (plan_->targets) {
            Stream stream(seed, sample, StreamUse::targets);
            plan_->target_law.draw(stream, memory_[*plan_->targets]);
        }
        for (auto const& output : plan_->outputs)
            filler_.fill(output.tensor, passes_[output.input], memory_[output.buffer]);
        for (std::size_t e = 0; e < entries_.size(); ++e) {
            auto const& entries = plan_->entries[e];
            static mlp::GraphPass const none;
            auto const& pass = entries.tensor.edge ? none : passes_[entries.input];
            if (in_float)
                entries_[e].fill(pass, floats_, memory_[entries.buffer]);
            else
                entries_[e].fill(pass, weights_, memory_[entries.buffer]);
        }
        plan_->program.run_first(memory_);
        kernels_.fill(passes_, memory_);
        curvatures_.fill(passes_, kernels_, memory_);
        plan_->program.run(memory_);
        for (std::size_t q = 0; q < values_.size(); ++q) values_[q] = memory_[plan_->results[q]][0];
        return values_;
    }

private:
    /// Draws a network and passes the inputs through it.
    template <class T>
    void draw(std::vector<T>& weights, std::uint64_t seed, std::uint64_t sample) {
        draw_weights(plan_->graph, plan_->layout, seed, sample, weights);
        Stream coins(seed, sample, StreamUse::ties);
        mlp::TieBreak<double> const ties{tie_tolerance<T>, [&coins] { return coins.coin(); }};
        for (std::size_t k = 0; k < passes_.size(); ++k) {
            if (plan_->ties)
                mlp::forward(plan_->layout, std::span<T const>(weights), plan_->inputs[k], ties, passes_[k]);
            else
                mlp::forward(plan_->layout, std::span<T const>(weights), plan_->inputs[k], passes_[k]);
        }
    }

    ObservablePlan const* plan_;
    std::vector<double> weights_;
    std::vector<float> floats_;  ///< in their place, where the plan says so
    std::vector<mlp::GraphPass> passes_;
    DerivativeFiller filler_;
    std::vector<EntryFiller> entries_;
    GradientKernelFiller kernels_;
    CurvatureKernelFiller curvatures_;
    TensorProgram::Memory memory_;
    std::vector<double> values_;
};

}  // namespace detail

ObservableSampler::ObservableSampler(GraphModel const& model, Query const& query, ObservableSettings const& settings)
    : ObservableSampler(model, std::vector{query}, settings) {}

ObservableSampler::ObservableSampler(GraphModel const& model, std::vector<Query> const& queries,
                                     ObservableSettings const& settings)
    : plan_(detail::best_plan(model, queries, settings)) {}

ObservableSampler::ObservableSampler(ObservableSampler const& other) : plan_(other.plan_) {}

ObservableSampler& ObservableSampler::operator=(ObservableSampler const& other) {
    return *this = ObservableSampler(other);
}

ObservableSampler::ObservableSampler(ObservableSampler&&) noexcept = default;
ObservableSampler& ObservableSampler::operator=(ObservableSampler&&) noexcept = default;
ObservableSampler::~ObservableSampler() = default;

double ObservableSampler::operator()(std::uint64_t seed, std::uint64_t sample) { return values(seed, sample).front(); }

std::span<double const> ObservableSampler::values(std::uint64_t seed, std::uint64_t sample) {
    if (!workspace_) workspace_ = std::make_unique<detail::ObservableWorkspace>(*plan_);
    return workspace_->evaluate(seed, sample);
}

std::size_t ObservableSampler::size() const { return plan_->results.size(); }

double ObservableSampler::work_per_sample() const { return plan_->work(); }

double ObservableSampler::numbers_per_thread() const { return plan_->numbers(); }

Estimate sample_observable(GraphModel const& model, Query const& query, ObservableSettings const& settings,
                           std::uint64_t samples, std::uint64_t seed, RunControl const& control) {
    Estimate const out = sample_observables(ObservableSampler(model, query, settings), samples, seed, control).front();
    if (!std::isfinite(out.mean) || !std::isfinite(out.std_error))
        throw UnsupportedError(
            "sample_observable: the mean or its error is beyond double; scale the variances or the input down",
            "query");
    return out;
}

namespace {

struct ObservableSums {
    std::vector<RunningVariance> values;
    static void members(auto& self, auto const& f) { f(self.values); }
};

}  // namespace

std::vector<Estimate> sample_observables(ObservableSampler const& sampler, std::uint64_t samples, std::uint64_t seed,
                                         RunControl const& control) {
    auto const sums = run(samples, control, ObservableSums{std::vector<RunningVariance>(sampler.size())}, [&] {
        return [seed, draw = sampler](std::uint64_t sample, ObservableSums& into) mutable {
            auto const values = draw.values(seed, sample);
            for (std::size_t q = 0; q < values.size(); ++q) into.values[q].push(values[q]);
        };
    });
    std::vector<Estimate> out;
    for (auto const& value : sums.values) out.push_back(value.estimate());
    return out;
}

}  // namespace isserlis::monte_carlo
