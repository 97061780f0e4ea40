// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/one_step_loss.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <isserlis/error.hpp>
#include <limits>
#include <string>

#include "float_range.hpp"
#include "graph_curve_worker.hpp"
#include "loss_curve_worker.hpp"
#include "tailed_variance.hpp"

namespace isserlis::monte_carlo {
namespace {

struct RateStatistics {
    std::vector<RunningVariance> losses;
    static void members(auto& self, auto const& f) { f(self.losses); }
};

/// The loss at a rate, and its first two derivatives by differences.
struct Around {
    RunningVariance loss, bend;
    TailedVariance slope;
    static void members(auto& self, auto const& f) { f(self.loss, self.bend, self.slope); }
};

void require_one_step(LossCurveModel const& model, char const* function) {
    model.validate();
    if (model.given)
        throw UnsupportedError(std::string(function) +
                                   ": gradients that are given do not say what the loss is after a step; sample with "
                                   "those of the loss",
                               "given");
}

/// All rates by all layers.
std::vector<double> factors_of(LossCurveModel const& model, std::vector<double> const& rates) {
    std::vector<double> out = rates;
    for (double const layer : model.rates)
        for (double const rate : rates) out.push_back(layer * rate);
    return out;
}

std::size_t lowest(std::vector<Estimate> const& losses) {
    std::size_t best = 0;
    auto const value = [&](std::size_t i) {
        return std::isnan(losses[i].mean) ? std::numeric_limits<double>::infinity() : losses[i].mean;
    };
    for (std::size_t i = 1; i < losses.size(); ++i)
        if (value(i) < value(best)) best = i;
    return best;
}

/// The place of the least value of the parabola through three points; the middle one where there is none between.
double parabola_vertex(std::array<double, 3> const& x, std::array<double, 3> const& y) {
    double const left = (y[1] - y[0]) / (x[1] - x[0]);
    double const right = (y[2] - y[1]) / (x[2] - x[1]);
    double const bend = (right - left) / (x[2] - x[0]);
    if (!(bend > 0)) return x[1];
    return std::clamp((x[0] + x[1] - left / bend) / 2, x[0], x[2]);
}

/// The mean losses at rates; `worker` makes what draws networks and takes their steps.
std::vector<Estimate> losses_after(auto const& worker, std::vector<double> const& rates, std::uint64_t samples,
                                   RunControl const& control) {
    auto const all = run(samples, control, RateStatistics{std::vector<RunningVariance>(rates.size())}, [&] {
        return [step = worker(), &rates](std::uint64_t sample, RateStatistics& into) mutable {
            step.draw(sample);
            for (std::size_t i = 0; i < rates.size(); ++i) into.losses[i].push(step.loss_after(rates[i]));
        };
    });
    std::vector<Estimate> out;
    for (auto const& loss : all.losses) out.push_back(loss.estimate());
    return out;
}

OneStepMinimum minimised(auto const& worker, double start, std::uint64_t samples, RunControl const& given) {
    RunControl control = given;
    if (given.shared != nullptr) control.shared = given.shared->for_dependent_runs();
    if (!(start > 0) || !std::isfinite(start))
        throw DomainError("minimise_one_step_loss: start = " + std::to_string(start) + "; a positive rate is required",
                          "start");
    auto const losses_at = [&](std::vector<double> const& rates) {
        return losses_after(worker, rates, samples, control);
    };

    constexpr int coarse_points = 13;
    constexpr int coarse_middle = coarse_points / 2;
    constexpr int most_moves = 7;
    constexpr double far_apart = 1e5;
    std::vector<double> rates;
    std::size_t best = 0;
    double middle = start;
    for (int move = 0;; ++move) {
        rates.clear();
        for (int i = 0; i < coarse_points; ++i) rates.push_back(middle * std::pow(2.0, (i - coarse_middle) / 2.0));
        best = lowest(losses_at(rates));
        if (best > 0 && best + 1 < rates.size()) break;
        middle = rates[best];
        if (move == most_moves || middle > start * far_apart || middle < start / far_apart)
            throw UnsupportedError("minimise_one_step_loss: no lowest loss was met at rates from " +
                                       std::to_string(start / far_apart) + " to " + std::to_string(start * far_apart),
                                   "start");
    }

    constexpr int narrowings = 3;
    constexpr int fine_points = 11;  // with both ends
    std::vector<Estimate> losses;
    for (int round = 0; round < narrowings; ++round) {
        double const low = rates[best - 1];
        double const high = rates[best + 1];
        rates.clear();
        for (int i = 0; i < fine_points; ++i) rates.push_back(low + (high - low) * i / (fine_points - 1));
        losses = losses_at(rates);
        best = std::clamp<std::size_t>(lowest(losses), 1, rates.size() - 2);
    }
    double const rate = parabola_vertex({rates[best - 1], rates[best], rates[best + 1]},
                                        {losses[best - 1].mean, losses[best].mean, losses[best + 1].mean});

    // The error of the minimiser is that of the mean slope there over the curvature, both by wide differences, so that
    // the kinks of single networks average out.
    constexpr double spread = 0.1;
    double const h = spread * rate;
    auto const around = run(samples, control, Around{}, [&] {
        return [step = worker(), rate, h](std::uint64_t sample, Around& into) mutable {
            step.draw(sample);
            double const below = step.loss_after(rate - h);
            double const here = step.loss_after(rate);
            double const above = step.loss_after(rate + h);
            into.loss.push(here);
            into.slope.push((above - below) / (2 * h));
            into.bend.push((above - 2 * here + below) / (h * h));
        };
    });
    double const bend = around.bend.mean();
    double const error = bend > 0 ? around.slope.estimate().std_error / bend : rate;
    return {.rate = {{.mean = rate, .std_error = error, .samples = samples}, around.slope.largest_share()},
            .loss = around.loss.estimate()};
}

}  // namespace

std::vector<Estimate> sample_one_step_losses(LossCurveModel const& model, std::vector<double> const& rates,
                                             std::uint64_t samples, std::uint64_t seed, RunControl const& control) {
    require_one_step(model, "sample_one_step_losses");
    require_float_range(model.network, model.inputs, factors_of(model, rates));
    if (model.network.precision == Precision::float32)
        return losses_after([&] { return LossCurveWorker<float>(model, seed, false); }, rates, samples, control);
    return losses_after([&] { return LossCurveWorker<double>(model, seed, false); }, rates, samples, control);
}

OneStepMinimum minimise_one_step_loss(LossCurveModel const& model, double start, std::uint64_t samples,
                                      std::uint64_t seed, RunControl const& control) {
    require_one_step(model, "minimise_one_step_loss");
    require_float_range(model.network, model.inputs, factors_of(model, {start}));
    if (model.network.precision == Precision::float32)
        return minimised([&] { return LossCurveWorker<float>(model, seed, false); }, start, samples, control);
    return minimised([&] { return LossCurveWorker<double>(model, seed, false); }, start, samples, control);
}

OneStepMinimum minimise_one_step_loss(GraphCurveModel const& model, double start, std::uint64_t samples,
                                      std::uint64_t seed, RunControl const& control) {
    require_float_range(model.network, model.inputs, {start});
    if (model.network.precision == Precision::float32)
        return minimised([&] { return GraphCurveWorker<float>(model, seed); }, start, samples, control);
    return minimised([&] { return GraphCurveWorker<double>(model, seed); }, start, samples, control);
}

}  // namespace isserlis::monte_carlo
