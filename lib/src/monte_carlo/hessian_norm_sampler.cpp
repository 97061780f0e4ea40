// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/hessian_norm_sampler.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/weight_rows.hpp>
#include <isserlis/random/stream.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "chain_weights.hpp"
#include "hessian_norm_lanes.hpp"
#include "hessian_norm_products.hpp"

namespace isserlis::monte_carlo {
namespace {

constexpr std::size_t most_weights = std::size_t{1} << 28U;  ///< 2 GB
/// From this width on, networks are taken one by one, not side by side in lanes.
constexpr std::size_t wide = 48;

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
    if (model.activation.is_concatenated())
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
            throw UnsupportedError("`widths`: the Hessian of a network of more than " +
                                       std::to_string(most_weights / 1'000'000) +
                                       " million weights is not sampled; take smaller widths or fewer layers",
                                   "widths");
    }
    return model;
}

struct NormStatistics {
    std::vector<RunningVariance> values;
    static void members(auto& self, auto const& f) { f(self.values); }
};

}  // namespace

/// The networks of `lanes` consecutive samples, the first one a multiple of `lanes`.
class HessianNormSampler::Workspace {
public:
    Workspace(NetworkModel const& model, HessianNormSettings const& settings)
        : model_(checked(model)), drawing_(model) {
        auto const factors = checked_label_factors(model, settings.label_factors);
        // Inputs and outputs are not squared. Lanes are doubles.
        if (model.precision == Precision::float32 ||
            std::any_of(model.widths.begin() + 1, model.widths.end() - 1, [](std::size_t d) { return d >= wide; }))
            one_.emplace(model, factors, settings.target_second_moment);
        else
            networks_.emplace(model, factors, settings.target_second_moment);
        results_.resize(one_ ? size() : lanes * size());
        if (networks_) drawn_.resize(drawing_.size());
        gaussian_ = std::all_of(model.laws.begin(), model.laws.end(),
                                [](auto const& law) { return law.kind == LawKind::gaussian; });
    }

    [[nodiscard]] std::span<double const> operator()(std::uint64_t seed, std::uint64_t sample) {
        if (one_) return of_one(seed, sample);
        std::uint64_t const first = sample - sample % lanes;
        if (!known_ || seed != seed_ || first != first_) {
            if (gaussian_) {
                draw_gaussian(seed, first);
            } else {
                for (std::size_t k = 0; k < lanes; ++k) draw_lane(seed, first + k, k);
            }
            networks_->evaluate();
            collect();
            known_ = true;
            seed_ = seed;
            first_ = first;
        }
        return std::span<double const>(results_).subspan((sample - first) * size(), size());
    }
    [[nodiscard]] std::size_t depth() const { return model_.depth(); }
    [[nodiscard]] std::size_t size() const { return parts + depth() * (depth() + 1) / 2; }
    [[nodiscard]] double numbers() const {
        double const networks = model_.precision == Precision::float32 ? 0.5 : one_ ? 1 : static_cast<double>(lanes);
        return static_cast<double>(drawing_.size()) * networks;
    }

    [[nodiscard]] double work() const {
        // A drawn weight takes the time of so many in the lanes, and in products of matrices.
        constexpr double in_lanes = 40;
        constexpr double in_products = 60;
        return static_cast<double>(drawing_.size()) +
               (one_ ? one_->work() / in_products : networks_->work() / in_lanes);
    }

private:
    static constexpr std::size_t lanes = detail::HessianNormLanes::lanes;

    void draw_gaussian(std::uint64_t seed, std::uint64_t first) {
        auto& weights = networks_->weights();
        fill_normal(seed, first, weights);
        for (std::size_t q = 1; q <= depth(); ++q) {
            double const deviation = std::sqrt(model_.variances[q - 1]);
            for (std::size_t at = drawing_.first(q); at < drawing_.first(q + 1); ++at)
                for (double& w : weights[at]) w *= deviation;
        }
    }

    void draw_lane(std::uint64_t seed, std::uint64_t sample, std::size_t lane) {
        drawing_.draw(seed, sample, std::span(drawn_));
        for (std::size_t at = 0; at < drawn_.size(); ++at) networks_->weights()[at][lane] = drawn_[at];
    }

    [[nodiscard]] std::span<double const> of_one(std::uint64_t seed, std::uint64_t sample) {
        if (model_.precision == Precision::float32)
            drawing_.draw(seed, sample, std::span(one_->floats()));
        else
            drawing_.draw(seed, sample, std::span(one_->weights()));
        one_->evaluate();
        collect(results_.data(), [&](std::size_t a, std::size_t b) { return one_->block(a, b); });
        return results_;
    }

    void collect() {
        for (std::size_t k = 0; k < lanes; ++k) {
            collect(&results_[k * size()], [&](std::size_t a, std::size_t b) {
                auto const& block = networks_->block(a, b);
                return detail::HessianNormProducts::Block{.gauss_newton = block.gauss_newton[k],
                                                          .functional = block.functional[k],
                                                          .cross = block.cross[k],
                                                          .target = block.target[k]};
            });
        }
    }

    template <class BlockAt>
    void collect(double* out, BlockAt const& block_at) const {
        std::fill(out, out + parts, 0.0);
        std::size_t at = parts;
        for (std::size_t a = 0; a < depth(); ++a) {
            for (std::size_t b = a; b < depth(); ++b) {
                auto const block = block_at(a, b);
                double const times = a == b ? 1 : 2;
                out[gauss_newton] += times * block.gauss_newton;
                out[functional] += times * block.functional;
                out[cross] += times * block.cross;
                out[target] += times * block.target;
                out[at++] = block.gauss_newton + block.functional + block.cross + block.target;
            }
        }
        out[total] = out[gauss_newton] + out[functional] + out[cross] + out[target];
    }

    NetworkModel model_;
    detail::ChainWeights drawing_;
    std::optional<detail::HessianNormLanes> networks_;
    std::optional<detail::HessianNormProducts> one_;  ///< of a wide network
    std::vector<double> drawn_;                       ///< one network's
    std::vector<double> results_;                     ///< sample after sample
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

double HessianNormSampler::numbers_per_thread() const { return workspace_->numbers(); }

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
