// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/hessian_norm_sampler.hpp>
#include <isserlis/monte_carlo/weight_rows.hpp>
#include <isserlis/random/stream.hpp>
#include <limits>
#include <string>
#include <utility>

#include "hessian_norm_lanes.hpp"

namespace isserlis::monte_carlo {
namespace {

constexpr std::size_t most_weights = std::size_t{1} << 20U;

std::vector<double> checked_label_factors(NetworkModel const& model, std::vector<double> factors) {
    if (factors.empty()) factors.assign(model.depth(), 1.0);
    if (factors.size() != model.depth())
        throw DomainError("HessianNormSampler: " + std::to_string(factors.size()) + " label factors for " +
                              std::to_string(model.depth()) + " layers; one for each is required",
                          "label_factor");
    return factors;
}

NetworkModel const& checked(NetworkModel const& model) {
    model.validate();
    auto const kind = model.activation.kind;
    if (kind == ActivationKind::crelu || kind == ActivationKind::crelu_tied)
        throw UnsupportedError("HessianNormSampler: a concatenated ReLU is not served; use sample_observable",
                               "activation");
    std::size_t weights = 0;
    for (std::size_t q = 1; q <= model.depth(); ++q) {
        weights += model.widths[q - 1] * model.widths[q];
        if (q < model.depth() && model.has_gates(q) && has_atoms(model.laws[q - 1]))
            throw UnsupportedError("HessianNormSampler: layer " + std::to_string(q) +
                                       " can have a pre-activation of exactly 0; use sample_observable",
                                   "law");
        if (weights > most_weights)
            throw UnsupportedError("`widths`: the Hessian of a network of more than " + std::to_string(most_weights) +
                                       " weights is not sampled; take smaller widths or fewer layers",
                                   "widths");
    }
    return model;
}

struct NormStatistics {
    std::vector<RunningVariance> values;
    void merge(NormStatistics const& other) {
        for (std::size_t i = 0; i < values.size(); ++i) values[i].merge(other.values[i]);
    }
};

}  // namespace

/// The networks of `lanes` consecutive samples, the first one a multiple of `lanes`.
class HessianNormSampler::Workspace {
public:
    Workspace(NetworkModel const& model, HessianNormSettings const& settings)
        : model_(checked(model)),
          networks_(model, checked_label_factors(model, settings.label_factors), settings.target_second_moment),
          results_(lanes * size()) {
        std::size_t most = 0;
        for (std::size_t q = 1; q <= model.depth(); ++q) {
            gaussian_ = gaussian_ && model.laws[q - 1].kind == LawKind::gaussian;
            unit_weights_.emplace_back(model.laws[q - 1]);
            deviations_.push_back(std::sqrt(model.variances[q - 1]));
            most += model.widths[q] * model.widths[q - 1];
        }
        drawn_.resize(most);
    }

    [[nodiscard]] std::span<double const> operator()(std::uint64_t seed, std::uint64_t sample) {
        std::uint64_t const first = sample - sample % lanes;
        if (!known_ || seed != seed_ || first != first_) {
            if (gaussian_) {
                draw_gaussian(seed, first);
            } else {
                for (std::size_t k = 0; k < lanes; ++k) draw(seed, first + k, k);
            }
            networks_.evaluate();
            collect();
            known_ = true;
            seed_ = seed;
            first_ = first;
        }
        return std::span<double const>(results_).subspan((sample - first) * size(), size());
    }
    [[nodiscard]] std::size_t depth() const { return networks_.depth(); }
    [[nodiscard]] std::size_t size() const { return parts + depth() * (depth() + 1) / 2; }
    [[nodiscard]] double work() const {
        constexpr double operations_per_weight = 40;  // a drawn weight takes the time of so many in the lanes
        return static_cast<double>(drawn_.size()) + networks_.work() / operations_per_weight;
    }

private:
    static constexpr std::size_t lanes = detail::HessianNormLanes::lanes;

    void draw_gaussian(std::uint64_t seed, std::uint64_t first) {
        auto& weights = networks_.weights();
        fill_normal(seed, first, weights);
        std::size_t at = 0;
        for (std::size_t q = 1; q <= depth(); ++q) {
            for (std::size_t const end = at + model_.widths[q] * model_.widths[q - 1]; at < end; ++at)
                for (double& w : weights[at]) w *= deviations_[q - 1];
        }
    }

    void draw(std::uint64_t seed, std::uint64_t sample, std::size_t lane) {
        Stream stream(seed, sample);
        std::size_t at = 0;
        for (std::size_t q = 1; q <= depth(); ++q) {
            // Row by row, as every other sampler: a law that is no Gaussian takes words as it needs them.
            std::size_t const entries = model_.widths[q] * model_.widths[q - 1];
            std::span<double> const layer(&drawn_[at], entries);
            unit_weights_[q - 1].fill(stream, layer);
            for (double const w : layer) networks_.weights()[at++][lane] = w * deviations_[q - 1];
        }
    }

    void collect() {
        for (std::size_t k = 0; k < lanes; ++k) {
            double* const out = &results_[k * size()];
            std::fill(out, out + parts, 0.0);
            std::size_t at = parts;
            for (std::size_t a = 0; a < depth(); ++a) {
                for (std::size_t b = a; b < depth(); ++b) {
                    auto const& block = networks_.block(a, b);
                    double const times = a == b ? 1 : 2;
                    out[gauss_newton] += times * block.gauss_newton[k];
                    out[functional] += times * block.functional[k];
                    out[cross] += times * block.cross[k];
                    out[target] += times * block.target[k];
                    out[at++] = block.gauss_newton[k] + block.functional[k] + block.cross[k] + block.target[k];
                }
            }
            out[total] = out[gauss_newton] + out[functional] + out[cross] + out[target];
        }
    }

    NetworkModel model_;
    std::vector<UnitWeight> unit_weights_;
    std::vector<double> deviations_;
    detail::HessianNormLanes networks_;
    std::vector<double> drawn_;    ///< one network's
    std::vector<double> results_;  ///< sample after sample
    bool gaussian_ = true;
    bool known_ = false;
    std::uint64_t seed_ = 0;
    std::uint64_t first_ = 0;
};

HessianNormSampler::HessianNormSampler(NetworkModel const& model, HessianNormSettings const& settings)
    : workspace_(std::make_unique<Workspace>(model, settings)) {}

HessianNormSampler::HessianNormSampler(HessianNormSampler const& other)
    : workspace_(std::make_unique<Workspace>(*other.workspace_)) {}

HessianNormSampler& HessianNormSampler::operator=(HessianNormSampler const& other) {
    return *this = HessianNormSampler(other);
}

HessianNormSampler::HessianNormSampler(HessianNormSampler&&) noexcept = default;
HessianNormSampler& HessianNormSampler::operator=(HessianNormSampler&&) noexcept = default;
HessianNormSampler::~HessianNormSampler() = default;

std::span<double const> HessianNormSampler::operator()(std::uint64_t seed, std::uint64_t sample) {
    return (*workspace_)(seed, sample);
}

std::size_t HessianNormSampler::size() const { return workspace_->size(); }

double HessianNormSampler::work_per_sample() const { return workspace_->work(); }

std::vector<Estimate> sample_hessian_norm(HessianNormSampler const& sampler, std::uint64_t samples, std::uint64_t seed,
                                          RunControl const& control) {
    auto const total = run(samples, control, NormStatistics{std::vector<RunningVariance>(sampler.size())}, [&] {
        return [seed, draw = sampler](std::uint64_t sample, NormStatistics& into) mutable {
            auto const numbers = draw(seed, sample);
            for (std::size_t i = 0; i < numbers.size(); ++i) into.values[i].push(numbers[i]);
        };
    });
    std::vector<Estimate> out;
    for (auto const& value : total.values) {
        out.push_back(value.estimate());
        if (!std::isfinite(out.back().mean) || !std::isfinite(out.back().std_error))
            throw UnsupportedError(
                "sample_hessian_norm: a mean or its error is beyond double; scale the variances or the input down",
                "variance");
    }
    return out;
}

}  // namespace isserlis::monte_carlo
