// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/network/weight_law.hpp>
#include <isserlis/verify/check.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace isserlis {

/// Samples products A_q .. A_1 of random matrices and sets their moments beside the exact second moment, rho, gamma,
/// nu, tau and eta, in this order. Empty when the tails are too heavy for these many samples to say anything, which is
/// judged by the exact eighth moment of the Gaussian product of the same shape.
///
/// Law     entries independent, of variance 1 and the laws given.
/// Shape   `inner_widths` m_1 .. m_(q-1), q laws, six exact values.
/// Errors  UnsupportedError for a run that would not end; Interrupted.
[[nodiscard]] std::optional<std::vector<Check>> check_product_moments(std::vector<std::size_t> const& inner_widths,
                                                                      std::vector<WeightLaw<double>> const& laws,
                                                                      std::vector<double> const& exact,
                                                                      std::uint64_t samples, std::uint64_t seed,
                                                                      monte_carlo::RunControl const& control);

struct PhiPsiChecks {
    Check phi;
    Check psi;
};

/// Samples Gaussian products with two columns and sets E (Be1.Be2)^2 beside psi, and that plus E |Be1|^2 |Be2|^2 beside
/// phi; empty when the tails are too heavy, as above.
[[nodiscard]] std::optional<PhiPsiChecks> check_phi_psi(std::vector<std::size_t> const& widths, double phi, double psi,
                                                        std::uint64_t samples, std::uint64_t seed,
                                                        monte_carlo::RunControl const& control);

}  // namespace isserlis
