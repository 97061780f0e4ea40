// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/statistic_sampler.hpp>

#include <isserlis/error.hpp>

#include <cmath>
#include <cstdlib>
#include <span>

#include "sampled_moments.hpp"

namespace isserlis::monte_carlo {
namespace {

using detail::Dual;

/// The expectations of a statistic, as they are sampled.
class Features {
public:
    explicit Features(StatisticQuery const& query) : query_(query) { collect(query.statistic); }

    [[nodiscard]] std::vector<Query> const& observables() const { return observables_; }
    [[nodiscard]] std::size_t size() const { return moments_.size(); }
    void set_origin(std::vector<double> origin) { moments_.set_origin(std::move(origin)); }

    /// From the values of the observables on one network.
    [[nodiscard]] std::vector<double> of(std::span<double const> x) const {
        std::vector<double> out;
        for (std::size_t k = 0; k < x.size(); ++k) out.push_back(x[k] - moments_.origin()[k]);
        for (auto const& [j, k] : moments_.products()) out.push_back(out[j] * out[k]);
        return out;
    }

    [[nodiscard]] Estimate estimate(detail::RunningCovariance const& sums, ObservableSettings const& settings) const {
        return moments_.estimate(value(query_.statistic, sums, settings), sums);
    }

private:
    [[nodiscard]] std::string text(Observable const& observable) const {
        return to_string(query_.restricted(observable));
    }

    void collect(Statistic const& s) {
        for (auto const& argument : s.arguments) {
            if (moments_.add(text(argument))) observables_.push_back(query_.restricted(argument));
        }
        if (s.kind == Statistic::Kind::variance || s.kind == Statistic::Kind::covariance)
            moments_.add_product(text(s.arguments.front()), text(s.arguments.back()));
        for (auto const& operand : s.operands) collect(operand);
    }

    [[nodiscard]] Dual value(Statistic const& s, detail::RunningCovariance const& sums,
                             ObservableSettings const& settings) const {
        auto const operand = [&](std::size_t k) { return value(s.operands[k], sums, settings); };
        switch (s.kind) {
            case Statistic::Kind::number: return moments_.constant(std::strtod(s.text.c_str(), nullptr));
            case Statistic::Kind::parameter: return moments_.constant(settings.parameters.at(s.text));
            case Statistic::Kind::mean:
            case Statistic::Kind::whole_query: return moments_.mean(text(s.arguments.front()), sums);
            case Statistic::Kind::variance:
            case Statistic::Kind::covariance:
                return moments_.covariance(text(s.arguments.front()), text(s.arguments.back()), sums);
            case Statistic::Kind::group: return operand(0);
            case Statistic::Kind::power: return detail::power(moments_.constant(1), s.exponent, operand);
            case Statistic::Kind::product: return detail::product(s.signs, operand);
            case Statistic::Kind::sum: break;
        }
        return detail::sum(moments_.constant(0), s.signs, operand);
    }

    StatisticQuery const& query_;
    std::vector<Query> observables_;
    detail::SampledMoments moments_;
};

}  // namespace

Estimate sample_statistic(GraphModel const& model, StatisticQuery const& query, ObservableSettings const& settings,
                          std::uint64_t samples, std::uint64_t seed, RunControl const& control) {
    Features features(query);
    ObservableSampler sampler(model, features.observables(), settings);
    auto const first = sampler.values(seed, 0);
    features.set_origin({first.begin(), first.end()});
    auto const sums = run(samples, control, detail::RunningCovariance(features.size()), [&] {
        return [&, own = sampler](std::uint64_t sample, detail::RunningCovariance& into) mutable {
            into.push(features.of(own.values(seed, sample)));
        };
    });
    Estimate const out = features.estimate(sums, settings);
    if (!std::isfinite(out.mean) || !std::isfinite(out.std_error)) {
        throw UnsupportedError(
            "sample_statistic: the value or its error is beyond double; scale the variances or the input down",
            "query");
    }
    return out;
}

double statistic_work(GraphModel const& model, StatisticQuery const& query, ObservableSettings const& settings) {
    Features const features(query);
    return ObservableSampler(model, features.observables(), settings).work_per_sample();
}

}  // namespace isserlis::monte_carlo
