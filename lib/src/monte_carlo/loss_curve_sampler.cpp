// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/loss.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/monte_carlo/loss_curve_sampler.hpp>
#include <isserlis/monte_carlo/random.hpp>
#include <isserlis/monte_carlo/weight_rows.hpp>
#include <limits>
#include <span>
#include <string>

namespace isserlis::monte_carlo {
namespace {

using mlp::GradientStep;
using mlp::LossDerivatives;
using mlp::Matrix;
using Rows = std::vector<std::vector<double>>;

void require_rows(char const* what, Rows const& rows, std::size_t count, std::size_t width) {
    if (rows.size() != count)
        throw DomainError("LossCurveModel: " + std::string(what) + " of " + std::to_string(rows.size()) +
                              " samples; inputs have " + std::to_string(count),
                          what);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (rows[k].size() != width)
            throw DomainError("LossCurveModel: " + std::string(what) + " of sample " + std::to_string(k + 1) + " has " +
                                  std::to_string(rows[k].size()) + " entries; the network has " + std::to_string(width),
                              what);
        for (double const x : rows[k])
            if (!std::isfinite(x))
                throw DomainError("LossCurveModel: " + std::string(what) + " of sample " + std::to_string(k + 1) +
                                      " has an entry that is not finite",
                                  what);
    }
}

/// Mean and variance of two numbers, and their covariance.
class RunningPair {
public:
    void push(double x, double y) noexcept {
        double const before = x - x_.mean();
        x_.push(x);
        y_.push(y);
        products_ += before * (y - y_.mean());
    }
    void merge(RunningPair const& other) noexcept {
        auto const mine = static_cast<double>(x_.count());
        auto const theirs = static_cast<double>(other.x_.count());
        if (theirs == 0) return;
        products_ += other.products_ +
                     (other.x_.mean() - x_.mean()) * (other.y_.mean() - y_.mean()) * (mine * theirs / (mine + theirs));
        x_.merge(other.x_);
        y_.merge(other.y_);
    }
    [[nodiscard]] RunningVariance const& x() const { return x_; }
    [[nodiscard]] RunningVariance const& y() const { return y_; }
    /// Of the two means.
    [[nodiscard]] double covariance() const {
        auto const n = static_cast<double>(x_.count());
        return n < 2 ? 0 : products_ / (n - 1) / n;
    }

private:
    RunningVariance x_, y_;
    double products_ = 0;
};

struct CurveStatistics {
    RunningVariance loss, gamma, chi;
    RunningPair slope_and_curvature;

    void push(LossDerivatives const& at) {
        if (at.loss) loss.push(*at.loss);
        gamma.push(at.curvature_gamma);
        chi.push(at.curvature_chi);
        slope_and_curvature.push(at.slope, at.curvature());
    }
    void merge(CurveStatistics const& other) {
        loss.merge(other.loss);
        gamma.merge(other.gamma);
        chi.merge(other.chi);
        slope_and_curvature.merge(other.slope_and_curvature);
    }
    [[nodiscard]] LossCurveEstimates estimates(bool has_loss) const {
        LossCurveEstimates out{.loss = std::nullopt,
                               .slope = slope_and_curvature.x().estimate(),
                               .curvature = slope_and_curvature.y().estimate(),
                               .curvature_gamma = gamma.estimate(),
                               .curvature_chi = chi.estimate(),
                               .slope_curvature_covariance = slope_and_curvature.covariance()};
        if (has_loss) out.loss = loss.estimate();
        for (Estimate const& e : {out.slope, out.curvature, out.loss.value_or(out.slope)})
            if (!std::isfinite(e.mean) || !std::isfinite(e.std_error))
                throw UnsupportedError(
                    "sample_loss_curve: the derivatives of the loss are beyond the range of double; scale the "
                    "variances "
                    "or the inputs down",
                    "variances");
        return out;
    }
};

struct BothStatistics {
    CurveStatistics plain, minus_linear;
    void merge(BothStatistics const& other) {
        plain.merge(other.plain);
        minus_linear.merge(other.minus_linear);
    }
};

struct RateStatistics {
    std::vector<RunningVariance> losses;
    void merge(RateStatistics const& other) {
        for (std::size_t i = 0; i < losses.size(); ++i) losses[i].merge(other.losses[i]);
    }
};

/// All that a thread keeps to draw networks of one model and take steps with them.
class Worker {
public:
    Worker(LossCurveModel const& model, std::uint64_t seed, bool with_linear)
        : model_(model),
          seed_(seed),
          inputs_(mlp::columns(model.inputs)),
          step_(model.network.widths, model.network.activation, model.network.gated_head, inputs_),
          linear_(with_linear ? model.network.widths : std::vector<std::size_t>{model.inputs.front().size(), 1},
                  Activation<double>{.kind = ActivationKind::linear, .slope = {}}, false, inputs_) {
        if (!model.targets.empty()) targets_ = mlp::columns(model.targets);
        for (std::size_t q = 0; q < model.network.depth(); ++q)
            rows_.emplace_back(model.network.laws[q], model.network.variances[q]);
        if (!model.given) return;
        given_.gradients = mlp::columns(model.given->gradients);
        for (auto const& h : model.given->hessians) given_.hessians.emplace_back(mlp::columns(h));
    }

    /// Network `sample`, with its outputs and its step.
    void draw(std::uint64_t sample) {
        Stream stream(seed_, sample);
        auto const& widths = model_.network.widths;
        auto const kind = model_.network.activation.kind;
        for (std::size_t q = 1; q < widths.size(); ++q) {
            auto const fan_in = static_cast<Eigen::Index>(widths[q - 1]);
            Matrix<double>& w = step_.weights(q);
            auto const into = [&](Eigen::Index first) {
                rows_[q - 1].for_each_row(
                    stream, widths[q], widths[q - 1], [&](std::size_t i, std::span<double const> row) {
                        std::copy(row.begin(), row.end(), &w(static_cast<Eigen::Index>(i), first));
                    });
            };
            into(0);
            if (kind == ActivationKind::crelu) into(fan_in);
            if (kind == ActivationKind::crelu_tied) w.rightCols(fan_in) = w.leftCols(fan_in);
        }
        take_step(step_);
    }

    LossDerivatives derivatives() { return differentiated(step_); }
    LossDerivatives linear_derivatives() {
        for (std::size_t q = 1; q <= step_.depth(); ++q)
            linear_.weights(q) = step_.weights(q).leftCols(linear_.weights(q).cols());
        take_step(linear_);
        return differentiated(linear_);
    }
    double loss_after(double rate) { return mlp::mean_loss(model_.loss, step_.outputs_after(rate), targets_); }

private:
    void take_step(GradientStep& step) {
        step.forward();
        if (!model_.given) mlp::loss_gradients(model_.loss, step.outputs(), targets_, gradients_);
        step.backward(model_.given ? given_.gradients : gradients_);
    }
    LossDerivatives differentiated(GradientStep& step) {
        step.differentiate();
        if (!model_.given) return mlp::derivatives_of(step, gradients_, targets_, model_.loss);
        auto out = mlp::derivatives_of(step, given_);
        if (targets_.size() != 0) out.loss = mlp::mean_loss(model_.loss, step.outputs(), targets_);
        return out;
    }

    LossCurveModel const& model_;
    std::uint64_t seed_;
    Matrix<double> inputs_, targets_, gradients_;
    mlp::GivenDerivatives given_;
    GradientStep step_;
    GradientStep linear_;  ///< of the same weights; a stub of one layer where it is not asked for
    std::vector<WeightRows<double>> rows_;
};

LossDerivatives difference(LossDerivatives const& a, LossDerivatives const& b) {
    LossDerivatives out{.loss = std::nullopt,
                        .slope = a.slope - b.slope,
                        .curvature_gamma = a.curvature_gamma - b.curvature_gamma,
                        .curvature_chi = a.curvature_chi - b.curvature_chi};
    if (a.loss && b.loss) out.loss = *a.loss - *b.loss;
    return out;
}

void require_one_step(LossCurveModel const& model, char const* function) {
    model.validate();
    if (model.given)
        throw UnsupportedError(std::string(function) +
                                   ": gradients that are given do not say what the loss is after a step; sample with "
                                   "those of the loss",
                               "given");
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

}  // namespace

NetworkModel LossCurveModel::network_with_input() const {
    NetworkModel out = network;
    if (!inputs.empty()) out.input = inputs.front();
    return out;
}

void LossCurveModel::validate() const {
    if (inputs.empty()) throw DomainError("LossCurveModel: there are no samples; at least 1 is needed", "inputs");
    if (!network.widths.empty()) require_rows("inputs", inputs, inputs.size(), network.widths.front());
    network_with_input().validate();
    if (!given || !targets.empty()) require_rows("targets", targets, inputs.size(), network.widths.back());
    if (given) {
        require_rows("gradients", given->gradients, inputs.size(), network.widths.back());
        if (given->hessians.size() != inputs.size())
            throw DomainError("LossCurveModel: " + std::to_string(given->hessians.size()) + " Hessians for " +
                                  std::to_string(inputs.size()) + " samples",
                              "hessians");
        for (auto const& h : given->hessians) {
            require_rows("hessians", h, network.widths.back(), network.widths.back());
            for (std::size_t i = 0; i < h.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    if (h[i][j] != h[j][i]) throw DomainError("LossCurveModel: a Hessian is not symmetric", "hessians");
        }
    }
    if (network.activation.kind == ActivationKind::linear) return;
    for (auto const& law : network.laws)
        if (has_atoms(law))
            throw UnsupportedError(std::string("LossCurveModel: with the law ") + name(law.kind) +
                                       " a pre-activation can be exactly 0, where the loss has no derivative; take a "
                                       "law with a density",
                                   "laws");
}

SampledLossCurve sample_loss_curve(LossCurveModel const& model, std::uint64_t samples, std::uint64_t seed,
                                   RunControl const& control) {
    model.validate();
    bool const with_linear = model.network.activation.kind == ActivationKind::crelu_tied;
    auto const all = run(samples, control, BothStatistics{}, [&] {
        return [worker = Worker(model, seed, with_linear), with_linear](std::uint64_t sample,
                                                                        BothStatistics& into) mutable {
            worker.draw(sample);
            auto const at = worker.derivatives();
            into.plain.push(at);
            if (with_linear) into.minus_linear.push(difference(at, worker.linear_derivatives()));
        };
    });
    SampledLossCurve out{.plain = all.plain.estimates(!model.targets.empty()), .minus_linear = std::nullopt};
    if (with_linear) out.minus_linear = all.minus_linear.estimates(!model.targets.empty());
    return out;
}

std::optional<Estimate> vertex_rate(double slope, double curvature, LossCurveEstimates const& errors) {
    if (!(curvature > 0)) return std::nullopt;
    double const rate = -slope / curvature;
    // d(rate) = -(d slope + rate d curvature)/curvature.
    double const variance = errors.slope.std_error * errors.slope.std_error +
                            2 * rate * errors.slope_curvature_covariance +
                            rate * rate * errors.curvature.std_error * errors.curvature.std_error;
    return Estimate{
        .mean = rate, .std_error = std::sqrt(std::max(0.0, variance)) / curvature, .samples = errors.slope.samples};
}

std::optional<Estimate> vertex_rate(LossCurveEstimates const& estimates) {
    return vertex_rate(estimates.slope.mean, estimates.curvature.mean, estimates);
}

std::vector<Estimate> sample_one_step_losses(LossCurveModel const& model, std::vector<double> const& rates,
                                             std::uint64_t samples, std::uint64_t seed, RunControl const& control) {
    require_one_step(model, "sample_one_step_losses");
    auto const all = run(samples, control, RateStatistics{std::vector<RunningVariance>(rates.size())}, [&] {
        return [worker = Worker(model, seed, false), &rates](std::uint64_t sample, RateStatistics& into) mutable {
            worker.draw(sample);
            for (std::size_t i = 0; i < rates.size(); ++i) into.losses[i].push(worker.loss_after(rates[i]));
        };
    });
    std::vector<Estimate> out;
    for (auto const& loss : all.losses) out.push_back(loss.estimate());
    return out;
}

OneStepMinimum minimise_one_step_loss(LossCurveModel const& model, double start, std::uint64_t samples,
                                      std::uint64_t seed, RunControl const& control) {
    require_one_step(model, "minimise_one_step_loss");
    if (!(start > 0) || !std::isfinite(start))
        throw DomainError("minimise_one_step_loss: start = " + std::to_string(start) + "; a positive rate is required",
                          "start");
    auto const losses_at = [&](std::vector<double> const& rates) {
        return sample_one_step_losses(model, rates, samples, seed, control);
    };

    constexpr int coarse_points = 13;
    constexpr int most_moves = 7;
    constexpr double far_apart = 1e5;
    std::vector<double> rates;
    std::size_t best = 0;
    double middle = start;
    for (int move = 0;; ++move) {
        rates.clear();
        for (int i = 0; i < coarse_points; ++i) rates.push_back(middle * std::pow(2.0, (i - coarse_points / 2) / 2.0));
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
    struct Around {
        RunningVariance loss, slope, bend;
        void merge(Around const& other) {
            loss.merge(other.loss);
            slope.merge(other.slope);
            bend.merge(other.bend);
        }
    };
    double const h = spread * rate;
    auto const around = run(samples, control, Around{}, [&] {
        return [worker = Worker(model, seed, false), rate, h](std::uint64_t sample, Around& into) mutable {
            worker.draw(sample);
            double const below = worker.loss_after(rate - h);
            double const here = worker.loss_after(rate);
            double const above = worker.loss_after(rate + h);
            into.loss.push(here);
            into.slope.push((above - below) / (2 * h));
            into.bend.push((above - 2 * here + below) / (h * h));
        };
    });
    double const bend = around.bend.mean();
    double const error = bend > 0 ? around.slope.estimate().std_error / bend : rate;
    return {.rate = {.mean = rate, .std_error = error, .samples = samples}, .loss = around.loss.estimate()};
}

}  // namespace isserlis::monte_carlo
