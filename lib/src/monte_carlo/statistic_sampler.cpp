// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/statistic_sampler.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "dual.hpp"
#include "running_covariance.hpp"

namespace isserlis::monte_carlo {
namespace {

using detail::Dual;

/// What is sampled: each observable X_k once, as its distance d_k from a value that it takes, since variances do not
/// depend on it and rounding does; and the products d_j d_k that variances and covariances need.
class Features {
public:
    explicit Features(StatisticQuery const& query) : query_(query) { collect(query.statistic); }

    [[nodiscard]] std::vector<Query> const& observables() const { return observables_; }
    [[nodiscard]] std::size_t size() const { return observables_.size() + pairs_.size(); }

    void set_origin(std::vector<double> origin) { origin_ = std::move(origin); }

    /// From the values of the observables on one network.
    [[nodiscard]] std::vector<double> of(std::vector<double> const& x) const {
        std::vector<double> out;
        for (std::size_t k = 0; k < x.size(); ++k) out.push_back(x[k] - origin_[k]);
        for (auto const& [j, k] : pairs_) out.push_back(out[j] * out[k]);
        return out;
    }

    [[nodiscard]] Estimate estimate(detail::RunningCovariance const& sums, ObservableSettings const& settings) const {
        Dual const at = value(query_.statistic, sums, settings);
        double variance = 0;
        for (std::size_t i = 0; i < size(); ++i) {
            for (std::size_t j = 0; j < size(); ++j) variance += at.slopes[i] * at.slopes[j] * sums.covariance(i, j);
        }
        double const error = std::sqrt(std::max(variance, 0.0) / static_cast<double>(sums.count()));
        return {.mean = at.value, .std_error = std::max(error, rounding(at, sums)), .samples = sums.count()};
    }

private:
    [[nodiscard]] std::size_t index_of(Observable const& observable) const {
        std::string const text = to_string(query_.restricted(observable));
        return static_cast<std::size_t>(std::find(texts_.begin(), texts_.end(), text) - texts_.begin());
    }
    [[nodiscard]] std::size_t pair_of(Statistic const& s) const {
        std::pair const pair{index_of(s.arguments.front()), index_of(s.arguments.back())};
        return static_cast<std::size_t>(std::find(pairs_.begin(), pairs_.end(), pair) - pairs_.begin());
    }

    void collect(Statistic const& s) {
        for (auto const& argument : s.arguments) {
            if (index_of(argument) < texts_.size()) continue;
            observables_.push_back(query_.restricted(argument));
            texts_.push_back(to_string(observables_.back()));
        }
        bool const second = s.kind == Statistic::Kind::variance || s.kind == Statistic::Kind::covariance;
        if (second && pair_of(s) == pairs_.size())
            pairs_.emplace_back(index_of(s.arguments.front()), index_of(s.arguments.back()));
        for (auto const& operand : s.operands) collect(operand);
    }

    [[nodiscard]] Dual constant(double x) const { return {.value = x, .slopes = std::vector<double>(size())}; }
    [[nodiscard]] Dual feature(std::size_t i, detail::RunningCovariance const& sums) const {
        Dual out = constant(sums.mean(i));
        out.slopes[i] = 1;
        return out;
    }

    [[nodiscard]] Dual value(Statistic const& s, detail::RunningCovariance const& sums,
                             ObservableSettings const& settings) const {
        auto const operand = [&](std::size_t k) { return value(s.operands[k], sums, settings); };
        Dual out = constant(0);
        switch (s.kind) {
            case Statistic::Kind::number: return constant(std::strtod(s.text.c_str(), nullptr));
            case Statistic::Kind::parameter: return constant(settings.parameters.at(s.text));
            case Statistic::Kind::mean:
            case Statistic::Kind::whole_query: {
                std::size_t const k = index_of(s.arguments.front());
                return feature(k, sums) + constant(origin_[k]);
            }
            case Statistic::Kind::variance:
            case Statistic::Kind::covariance: {
                Dual const a = feature(index_of(s.arguments.front()), sums);
                Dual const b = feature(index_of(s.arguments.back()), sums);
                auto const n = static_cast<double>(sums.count());
                return constant(n / (n - 1)) * (feature(observables_.size() + pair_of(s), sums) - a * b);
            }
            case Statistic::Kind::group: return operand(0);
            case Statistic::Kind::power:
                out = constant(1);
                for (unsigned k = 0; k < s.exponent; ++k) out = out * operand(0);
                return out;
            case Statistic::Kind::product:
                out = operand(0);
                for (std::size_t k = 1; k < s.operands.size(); ++k)
                    out = s.signs[k] < 0 ? out / operand(k) : out * operand(k);
                return out;
            case Statistic::Kind::sum: break;
        }
        for (std::size_t k = 0; k < s.operands.size(); ++k) out = s.signs[k] < 0 ? out - operand(k) : out + operand(k);
        return out;
    }

    /// What the rounding of each observable may leave in the statistic.
    [[nodiscard]] double rounding(Dual const& at, detail::RunningCovariance const& sums) const {
        constexpr double units = 64 * std::numeric_limits<double>::epsilon();
        double const rest = std::numeric_limits<double>::epsilon() * std::fabs(at.value);
        double out = rest;
        auto const error = [&](std::size_t k) { return units * (sums.largest(k) + std::fabs(origin_[k])); };
        for (std::size_t k = 0; k < observables_.size(); ++k) out += std::fabs(at.slopes[k]) * error(k);
        for (std::size_t p = 0; p < pairs_.size(); ++p) {
            auto const [j, k] = pairs_[p];
            double const both = sums.largest(j) * error(k) + sums.largest(k) * error(j) + error(j) * error(k);
            out += std::fabs(at.slopes[observables_.size() + p]) * both;
        }
        return out;
    }

    StatisticQuery const& query_;
    std::vector<Query> observables_;
    std::vector<std::string> texts_;
    std::vector<std::pair<std::size_t, std::size_t>> pairs_;
    std::vector<double> origin_;
};

std::vector<ObservableSampler> samplers_of(GraphModel const& model, std::vector<Query> const& observables,
                                           ObservableSettings const& settings) {
    std::vector<ObservableSampler> out;
    for (auto const& observable : observables) out.emplace_back(model, observable, settings);
    return out;
}

std::vector<double> values(std::vector<ObservableSampler>& samplers, std::uint64_t seed, std::uint64_t sample) {
    std::vector<double> out;
    for (auto& sampler : samplers) out.push_back(sampler(seed, sample));
    return out;
}

}  // namespace

Estimate sample_statistic(GraphModel const& model, StatisticQuery const& query, ObservableSettings const& settings,
                          std::uint64_t samples, std::uint64_t seed, RunControl const& control) {
    Features features(query);
    auto samplers = samplers_of(model, features.observables(), settings);
    features.set_origin(values(samplers, seed, 0));
    auto const sums = run(samples, control, detail::RunningCovariance(features.size()), [&] {
        return [&, own = samplers](std::uint64_t sample, detail::RunningCovariance& into) mutable {
            into.push(features.of(values(own, seed, sample)));
        };
    });
    Estimate const out = features.estimate(sums, settings);
    if (!std::isfinite(out.mean) || !std::isfinite(out.std_error)) {
        throw UnsupportedError(
            "sample_statistic: the value or its error is beyond double; scale the variances or the input down", "EXPR");
    }
    return out;
}

double statistic_work(GraphModel const& model, StatisticQuery const& query, ObservableSettings const& settings) {
    Features const features(query);
    double out = 0;
    for (auto const& sampler : samplers_of(model, features.observables(), settings)) out += sampler.work_per_sample();
    return out;
}

}  // namespace isserlis::monte_carlo
