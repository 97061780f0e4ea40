// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/typical_size.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace isserlis::monte_carlo {
namespace {

struct SizeSums {
    RunningVariance log;
    std::uint64_t zeros = 0;
    KeptNumbers kept;

    void push(double x, bool keep) {
        if (x > 0)
            log.push(std::log(x));
        else
            ++zeros;
        if (keep) kept.numbers.push_back(x);
    }
    static void members(auto& self, auto const& f) { f(self.log, self.zeros, self.kept); }
};

struct AllSizes {
    std::vector<SizeSums> sizes;
    static void members(auto& self, auto const& f) { f(self.sizes); }
};

}  // namespace

std::vector<SampledQuantile> sampled_quantiles(std::vector<double> numbers, std::vector<double> const& shares) {
    if (numbers.empty()) return {};
    std::sort(numbers.begin(), numbers.end());
    auto const n = static_cast<double>(numbers.size());
    std::vector<SampledQuantile> out;
    for (double const share : shares) {
        double const rank = std::clamp(std::ceil(share * n), 1.0, n);
        double const gap = std::ceil(std::sqrt(n * share * (1 - share)));
        auto const at = [&](double r) { return numbers[static_cast<std::size_t>(r) - 1]; };
        SampledQuantile quantile{.share = share, .value = at(rank), .std_error = {}};
        if (rank - gap >= 1 && rank + gap <= n) quantile.std_error = (at(rank + gap) - at(rank - gap)) / 2;
        out.push_back(quantile);
    }
    return out;
}

std::vector<TypicalSize> sample_typical_sizes(ObservableSampler const& sampler, std::vector<double> const& shares,
                                              std::uint64_t samples, std::uint64_t seed, RunControl const& control) {
    bool const keep = static_cast<double>(samples) * static_cast<double>(sampler.size()) <= most_kept_numbers;
    auto sums = run(samples, control, AllSizes{std::vector<SizeSums>(sampler.size())}, [&] {
        return [seed, keep, draw = sampler](std::uint64_t sample, AllSizes& into) mutable {
            auto const values = draw.values(seed, sample);
            for (std::size_t q = 0; q < values.size(); ++q) into.sizes[q].push(values[q], keep);
        };
    });
    std::vector<TypicalSize> out;
    for (auto& one : sums.sizes) {
        out.push_back({.log = one.log.estimate(),
                       .zeros = one.zeros,
                       .quantiles = sampled_quantiles(std::move(one.kept.numbers), shares)});
    }
    return out;
}

}  // namespace isserlis::monte_carlo
