// SPDX-License-Identifier: MIT
#include <isserlis/verify/products.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/monte_carlo/matrix_products.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/heavy_tails.hpp>
#include <isserlis/verify/norms.hpp>

namespace isserlis {
namespace {

/// Relative standard error of a mean of N fourth powers of an entry of a Gaussian product: E b^8 = 105 prod
/// m(m+2)(m+4)(m+6) against E b^4 = 3 prod m(m+2).
bool tails_allow(std::vector<std::size_t> const& widths, std::uint64_t samples) {
    double log_ratio = std::log(105.0 / 9.0);
    for (std::size_t const width : widths) {
        auto const m = static_cast<double>(width);
        log_ratio += std::log((m + 4) * (m + 6) / (m * (m + 2)));
    }
    // Sampled standard errors are trusted when the true one is below a tenth.
    return log_ratio < std::log(0.01 * static_cast<double>(samples));
}

/// Of the fourth power of that entry, the most skewed of what is sampled: E b^(2k) = (2k-1)!! prod m(m+2)..(m+2k-2). For
/// laws as heavy as Laplace's, whose even moments are (2k)!/2^k, of narrower matrices, with an entry of that law.
double skewness(std::vector<std::size_t> const& widths, double kurtosis) {
    bool const heavy = kurtosis > 3;
    double const heavier = std::max(1.0, kurtosis / 3);
    double fourth = heavy ? 6 : 3;
    double eighth = heavy ? 2520 : 105;
    double twelfth = heavy ? 7'484'400 : 10'395;
    for (std::size_t const width : widths) {
        double const m = std::max(1.0, std::floor(static_cast<double>(width) / (heavier * heavier)));
        fourth *= m * (m + 2);
        eighth *= m * (m + 2) * (m + 4) * (m + 6);
        twelfth *= m * (m + 2) * (m + 4) * (m + 6) * (m + 8) * (m + 10);
    }
    // In units of E b^4, whose powers stay in the range of double.
    double const second = eighth / fourth / fourth;
    double const third = twelfth / fourth / fourth / fourth;
    return (third - 3 * second + 2) / std::pow(second - 1, 1.5);
}

double work_of(std::vector<std::size_t> const& widths) {
    double work = 0;
    double below = 2;
    for (std::size_t const width : widths) {
        work += below * static_cast<double>(width);
        below = static_cast<double>(width);
    }
    return work + 2 * below;
}

}  // namespace

std::optional<std::vector<Check>> check_product_moments(std::vector<std::size_t> const& inner_widths,
                                                        std::vector<WeightLaw<double>> const& laws,
                                                        std::vector<double> const& exact, std::uint64_t samples,
                                                        std::uint64_t seed, monte_carlo::RunControl const& control) {
    if (!tails_allow(inner_widths, samples)) return std::nullopt;
    require_feasible(work_of(inner_widths), samples, control);
    std::vector<std::size_t> sizes{2};
    sizes.insert(sizes.end(), inner_widths.begin(), inner_widths.end());
    sizes.push_back(2);
    auto const seen = monte_carlo::product_moments(sizes, laws, samples, seed, control);
    std::vector<Check> out;
    constexpr double laplace_kurtosis = 6;
    double kurtosis = 3;
    for (auto const& law : laws) kurtosis = std::max(kurtosis, law.kurtosis());
    double const skew = skewness(inner_widths, kurtosis);
    std::size_t i = 0;
    for (auto const& e : {seen.second, seen.rho, seen.gamma, seen.nu, seen.tau, seen.eta}) {
        double const value = exact.at(i++);
        out.push_back(kurtosis > laplace_kurtosis ? compare_sampled(value, e.mean, e.std_error, e.samples)
                                                  : compare_skewed(value, e.mean, e.std_error, e.samples, skew));
    }
    return out;
}

std::optional<PhiPsiChecks> check_phi_psi(std::vector<std::size_t> const& widths, double phi, double psi,
                                          std::uint64_t samples, std::uint64_t seed,
                                          monte_carlo::RunControl const& control) {
    if (!tails_allow(widths, samples)) return std::nullopt;
    require_feasible(work_of(widths), samples, control);
    auto const seen = monte_carlo::column_forms(widths, samples, seed, control);
    double const skew = skewness(widths, 3);
    auto const beside = [&](double exact, double mean, double std_error) {
        // Without a matrix between them both are constants, 1 and 0.
        return widths.empty() ? compare(exact, mean, std_error, Check::ErrorKind::exact, samples)
                              : compare_skewed(exact, mean, std_error, samples, skew);
    };
    // phi = (phi - psi) + psi; adding the standard errors bounds that of the sum, whatever the correlation.
    return PhiPsiChecks{
        .phi = beside(phi, seen.norms.mean + seen.dot.mean, seen.norms.std_error + seen.dot.std_error),
        .psi = beside(psi, seen.dot.mean, seen.dot.std_error),
    };
}

}  // namespace isserlis
