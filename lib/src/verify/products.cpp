// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/monte_carlo/matrix_products.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/norms.hpp>
#include <isserlis/verify/products.hpp>

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
    std::size_t i = 0;
    for (auto const& e : {seen.second, seen.rho, seen.gamma, seen.nu, seen.tau, seen.eta}) {
        out.push_back(compare(exact.at(i++), e.mean, e.std_error, Check::ErrorKind::sampled, e.samples));
    }
    return out;
}

std::optional<PhiPsiChecks> check_phi_psi(std::vector<std::size_t> const& widths, double phi, double psi,
                                          std::uint64_t samples, std::uint64_t seed,
                                          monte_carlo::RunControl const& control) {
    if (!tails_allow(widths, samples)) return std::nullopt;
    require_feasible(work_of(widths), samples, control);
    auto const seen = monte_carlo::column_forms(widths, samples, seed, control);
    // Without a matrix between them both are constants, 1 and 0.
    auto const kind = widths.empty() ? Check::ErrorKind::exact : Check::ErrorKind::sampled;
    // phi = (phi - psi) + psi; adding the standard errors bounds that of the sum, whatever the correlation.
    return PhiPsiChecks{
        .phi = compare(phi, seen.norms.mean + seen.dot.mean, seen.norms.std_error + seen.dot.std_error, kind, samples),
        .psi = compare(psi, seen.dot.mean, seen.dot.std_error, kind, samples),
    };
}

}  // namespace isserlis
