// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "model.hpp"

namespace isserlis::cli {

/// The mean of one statistic of random networks, known exactly.
struct KnownStatistic {
    std::string name;
    double exact = 0;
    double deviation = 0;      ///< standard deviation of one sample
    bool sampled = false;      ///< the deviation is a sampled one
    std::size_t position = 0;  ///< among those that the kind computes
};

/// All that another program needs to test itself by sampling.
struct KnownAnswer {
    /// What is computed of each network: the squared norm of the loss's Hessian; K_11 and its square, K_oo' =
    /// sum_m h_m d_m z_o d_m z_o'; of each hidden layer E (Delta z_i)^2 and E z_i Delta z_i over one linearised step.
    enum class Kind { hessian, ntk, mup };
    Kind kind = Kind::hessian;
    std::string title;  ///< the command that made it
    std::vector<std::uint64_t> widths;
    std::vector<double> variances;  ///< of the weights of each layer
    std::vector<double> factors;    ///< label factors, or rates
    double slope = 0;               ///< of the activation below 0
    std::vector<double> input;
    double target_second = 1;  ///< E|y|^2, of random signs of equal size
    std::vector<KnownStatistic> statistics;
    std::uint64_t samples = 1000;
    std::vector<std::string> left_out;  ///< statistics that so few networks cannot confirm, and how many could
};

/// Standard errors that a test tolerates.
inline constexpr int tolerated_errors = 5;

/// --emit-test and --emit-samples.
[[nodiscard]] std::vector<OptionText> emit_options();

/// The test asked for by --emit-test, in place of the answer. Nothing without the option.
/// Statistics of `queries` in the order in which the kind computes them, each with its exact mean.
///
/// Errors  UnsupportedError for symbols, for networks too large to be differentiated densely, and when no statistic has
///         a tolerance below its value.
struct KnownQuery {
    std::string name;
    std::string query;  ///< whose mean it is
    Surd exact;
    std::optional<std::size_t> change_of;  ///< (Delta z)^2 of this layer, from 1: its deviation is sampled
};
void emit_test(KnownAnswer::Kind kind, NumericModel const& model, std::vector<KnownQuery> const& queries,
               Session const& session, Answer& answer);
void refuse_symbols_in_test(Session const& session);

/// The file in one language, complete.
[[nodiscard]] std::string pytorch_test(KnownAnswer const& known);
[[nodiscard]] std::string jax_test(KnownAnswer const& known);
[[nodiscard]] std::string cpp_test(KnownAnswer const& known);

// Parts that the languages share.

/// The text with each {{NAME}} replaced by its value.
[[nodiscard]] std::string filled(std::string text, std::vector<std::pair<std::string, std::string>> const& values);
/// "1, 2.5, 1e-3", read back as the same doubles.
[[nodiscard]] std::string listed(std::vector<double> const& values);
[[nodiscard]] std::string listed(std::vector<std::uint64_t> const& values);
[[nodiscard]] std::string number_text(double x);

}  // namespace isserlis::cli
