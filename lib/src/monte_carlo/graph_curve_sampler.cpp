// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/graph_curve_sampler.hpp>

#include "finite_loss.hpp"
#include "graph_curve_worker.hpp"
#include "tailed_variance.hpp"

namespace isserlis::monte_carlo {
namespace {

struct Sums {
    TailedVariance loss, slope, curvature;
    static void members(auto& self, auto const& f) { f(self.loss, self.slope, self.curvature); }
};

/// Loss, slope and curvature of networks one after another.
class Worker {
public:
    Worker(GraphCurveModel const& model, std::uint64_t seed) : step_(model, seed) {}

    void operator()(std::uint64_t sample, Sums& into) {
        into.loss.push(step_.draw(sample));
        into.slope.push(step_.slope());
        into.curvature.push(step_.curvature());
    }

private:
    GraphCurveWorker step_;
};

}  // namespace

GraphCurveEstimates sample_graph_curve(GraphCurveModel const& model, std::uint64_t samples, std::uint64_t seed,
                                       RunControl const& control) {
    auto const sums = run(samples, control, Sums{}, [&] { return Worker(model, seed); });
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
