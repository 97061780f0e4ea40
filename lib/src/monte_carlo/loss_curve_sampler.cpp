// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/loss_curve_sampler.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <string>

#include "finite_loss.hpp"
#include "float_range.hpp"
#include "loss_curve_worker.hpp"
#include "tailed_variance.hpp"

namespace isserlis::monte_carlo {
namespace {

using mlp::LossDerivatives;
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
    static void members(auto& self, auto const& f) { f(self.x_, self.y_, self.products_); }
    [[nodiscard]] TailedVariance const& x() const { return x_; }
    [[nodiscard]] TailedVariance const& y() const { return y_; }
    /// Of the two means.
    [[nodiscard]] double covariance() const {
        auto const n = static_cast<double>(x_.count());
        return n < 2 ? 0 : products_ / (n - 1) / n;
    }

private:
    TailedVariance x_, y_;
    double products_ = 0;
};

struct CurveStatistics {
    TailedVariance loss, gamma;
    RunningPair slope_and_curvature, slope_and_chi;

    void push(LossDerivatives const& at) {
        if (at.loss) loss.push(*at.loss);
        gamma.push(at.curvature_gamma);
        slope_and_curvature.push(at.slope, at.curvature());
        slope_and_chi.push(at.slope, at.curvature_chi);
    }
    static void members(auto& self, auto const& f) {
        f(self.loss, self.gamma, self.slope_and_curvature, self.slope_and_chi);
    }
    [[nodiscard]] LossCurveEstimates estimates(bool has_loss) const {
        LossCurveEstimates out{.loss = std::nullopt,
                               .slope = slope_and_curvature.x().estimate(),
                               .curvature = slope_and_curvature.y().estimate(),
                               .curvature_gamma = gamma.estimate(),
                               .curvature_chi = slope_and_chi.y().estimate(),
                               .slope_curvature_covariance = slope_and_curvature.covariance(),
                               .slope_chi_covariance = slope_and_chi.covariance(),
                               .shares = {.loss = loss.largest_share(),
                                          .slope = slope_and_curvature.x().largest_share(),
                                          .curvature = slope_and_curvature.y().largest_share(),
                                          .curvature_gamma = gamma.largest_share(),
                                          .curvature_chi = slope_and_chi.y().largest_share()}};
        if (has_loss) out.loss = loss.estimate();
        require_finite_loss({out.slope, out.curvature, out.loss.value_or(out.slope)});
        return out;
    }
};

struct BothStatistics {
    CurveStatistics plain, minus_linear;
    static void members(auto& self, auto const& f) { f(self.plain, self.minus_linear); }
};

LossDerivatives difference(LossDerivatives const& a, LossDerivatives const& b) {
    LossDerivatives out{.loss = std::nullopt,
                        .slope = a.slope - b.slope,
                        .curvature_gamma = a.curvature_gamma - b.curvature_gamma,
                        .curvature_chi = a.curvature_chi - b.curvature_chi};
    if (a.loss && b.loss) out.loss = *a.loss - *b.loss;
    return out;
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
    if (batch && (!batch->fits(inputs.size()) || given))
        throw DomainError("LossCurveModel: a batch of " + std::to_string(batch->size) + " of " +
                              std::to_string(inputs.size()) +
                              " samples; 1 up to all of them are required, more with replacement, and gradients of the "
                              "loss",
                          "batch");
    if (network.activation.is_linear()) return;
    for (auto const& law : network.laws)
        if (has_atoms(law))
            throw UnsupportedError(
                std::string(law.kind == LawKind::kurtosis ? "with weights of kurtosis 1" : "with the law ") +
                    (law.kind == LawKind::kurtosis ? "" : name(law.kind)) +
                    " a pre-activation can be exactly 0, where the loss has no derivative; take a "
                    "law with a density",
                "laws");
}

namespace {

template <class T>
BothStatistics all_statistics(LossCurveModel const& model, std::uint64_t samples, std::uint64_t seed,
                              RunControl const& control) {
    bool const with_linear = model.network.activation.is_tied();
    return run(samples, control, BothStatistics{}, [&] {
        return [worker = LossCurveWorker<T>(model, seed, with_linear), with_linear](std::uint64_t sample,
                                                                                    BothStatistics& into) mutable {
            worker.draw(sample);
            auto const at = worker.derivatives();
            into.plain.push(at);
            if (with_linear) into.minus_linear.push(difference(at, worker.linear_derivatives()));
        };
    });
}

}  // namespace

SampledLossCurve sample_loss_curve(LossCurveModel const& model, std::uint64_t samples, std::uint64_t seed,
                                   RunControl const& control) {
    model.validate();
    require_float_range(model.network, model.inputs, model.rates);
    auto const sample_all =
        model.network.precision == Precision::float32 ? all_statistics<float> : all_statistics<double>;
    auto const all = sample_all(model, samples, seed, control);
    SampledLossCurve out{.plain = all.plain.estimates(!model.targets.empty()), .minus_linear = std::nullopt};
    if (model.network.activation.is_tied()) out.minus_linear = all.minus_linear.estimates(!model.targets.empty());
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

}  // namespace isserlis::monte_carlo
