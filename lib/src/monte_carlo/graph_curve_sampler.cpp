// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/graph_curve_sampler.hpp>

#include "finite_loss.hpp"
#include "float_range.hpp"
#include "graph_curve_worker.hpp"
#include "tailed_variance.hpp"

namespace isserlis::monte_carlo {
namespace {

struct Sums {
    TailedVariance loss, slope, curvature;
    static void members(auto& self, auto const& f) { f(self.loss, self.slope, self.curvature); }
};

/// Loss, slope and curvature of networks one after another.
template <class T>
class Worker {
public:
    Worker(GraphCurveModel const& model, std::uint64_t seed) : step_(model, seed) {}

    void operator()(std::uint64_t sample, Sums& into) {
        into.loss.push(step_.draw(sample));
        into.slope.push(step_.slope());
        into.curvature.push(step_.curvature());
    }

private:
    GraphCurveWorker<T> step_;
};

template <class T>
Sums all_sums(GraphCurveModel const& model, std::uint64_t samples, std::uint64_t seed, RunControl const& control) {
    return run(samples, control, Sums{}, [&] { return Worker<T>(model, seed); });
}

}  // namespace

GraphCurveEstimates sample_graph_curve(GraphCurveModel const& model, std::uint64_t samples, std::uint64_t seed,
                                       RunControl const& control) {
    require_float_range(model.network, model.inputs, {});
    bool const in_float = model.network.precision == Precision::float32;
    auto const sums = (in_float ? all_sums<float> : all_sums<double>)(model, samples, seed, control);
    GraphCurveEstimates const out{.loss = sums.loss.estimate(),
                                  .slope = sums.slope.estimate(),
                                  .curvature = sums.curvature.estimate(),
                                  .shares = {.loss = sums.loss.largest_share(),
                                             .slope = sums.slope.largest_share(),
                                             .curvature = sums.curvature.largest_share()}};
    require_finite_loss({out.loss, out.slope, out.curvature});
    return out;
}

}  // namespace isserlis::monte_carlo
