// SPDX-License-Identifier: MIT
#include <isserlis/verify/update_ratios.hpp>

#include <cmath>
#include <isserlis/monte_carlo/update_sizes.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/heavy_tails.hpp>
#include <isserlis/verify/norms.hpp>

namespace isserlis {

std::vector<Check> check_update_ratios(monte_carlo::NetworkModel const& model, std::vector<double> const& exact,
                                       std::uint64_t samples, std::uint64_t seed,
                                       monte_carlo::RunControl const& control, std::vector<double> const& rates,
                                       std::optional<double> skewness) {
    require_feasible(3 * weights_of(model), samples, control);
    std::vector<double> const gradient(model.widths.back(), 1.0);
    auto const seen = monte_carlo::update_sizes(model, gradient, samples, seed, control);
    // E|P_l|^2 is known: variance times the number of entries.
    auto weight_size = [&](std::size_t l) {
        return model.variances[l] * static_cast<double>(model.widths[l]) * static_cast<double>(model.widths[l + 1]);
    };
    auto relative_size = [&](std::size_t l) {
        double const rate = rates.empty() ? 1 : rates.at(l);
        return rate * rate * seen[l].mean / weight_size(l);
    };
    std::vector<Check> out;
    for (std::size_t l = 0; l < seen.size(); ++l) {
        double const ratio = relative_size(l) / relative_size(0);
        // Relative errors of the two means, added: a bound whatever their correlation.
        double const relative = l == 0 ? 0 : seen[l].std_error / seen[l].mean + seen[0].std_error / seen[0].mean;
        double const error = ratio * relative;
        bool const known = l == 0 || (skewness && std::isfinite(*skewness));
        out.push_back(known ? compare_skewed(exact.at(l), ratio, error, samples, skewness.value_or(0))
                            : compare_sampled(exact.at(l), ratio, error, samples));
        // Of few networks that are not dead, one may have both means, and their ratio is its own.
        if (out.back().verdict == Check::Verdict::disagrees && relative > conclusive_error)
            out.back().verdict = Check::Verdict::inconclusive;
    }
    return out;
}

}  // namespace isserlis
