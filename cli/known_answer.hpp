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
    /// What is computed of each network.
    enum class Kind {
        hessian,   ///< the squared norm of the loss's Hessian
        ntk,       ///< K_11 and its square, K_oo' = sum_m h_m d_m z_o d_m z_o'
        mup,       ///< of each hidden layer means of (Delta z_i)^2 and z_i Delta z_i over one linearised step
        steps,     ///< of each layer means of z_i^2, (Delta z_i)^2 and z_i Delta z_i
        norm,      ///< of each layer the powers 1 .. order of the squared norm
        init,      ///< of each layer the mean square of the weights; that of the outputs
        jacobian,  ///< of each layer |dz/dW|^2 and its square; |z|^2 and its square
        expect,    ///< an observable
    };
    Kind kind = Kind::hessian;
    std::string title;  ///< the command that made it
    std::vector<std::uint64_t> widths;
    std::vector<double> variances;  ///< of the weights of each layer, as they are drawn
    std::vector<double> scales;     ///< a layer acts as this times its weights, by which derivatives are
    std::vector<double> factors;    ///< label factors, or rates
    double slope = 0;               ///< of the activation below 0
    std::vector<bool> activated;    ///< of each layer: is h read, not z?
    unsigned order = 1;             ///< powers of the squared norms
    std::vector<double> input;
    double target_second = 1;  ///< E|y|^2, of random signs of equal size
    std::string program;       ///< the observable in Python
    std::string places;        ///< of its labels, in Python
    std::vector<KnownStatistic> statistics;
    std::uint64_t samples = 1000;
    std::uint64_t batch = 1;            ///< networks that are drawn together
    std::vector<std::string> left_out;  ///< statistics that so few networks cannot confirm, and how many could
};

/// Standard errors that a test tolerates.
inline constexpr int tolerated_errors = 5;

/// A test writes out its layers.
inline constexpr std::uint64_t most_layers_of_a_test = 1000;

/// --emit-test, --emit-samples and --emit-tolerance.
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
    std::optional<std::size_t> change_of = {};  ///< (Delta z)^2 of this layer, from 1: its deviation is sampled
    std::optional<double> deviation = {};       ///< where a closed form gives it
    std::string program = {};                   ///< of an observable; where its labels may sit, in `places`
    std::string places = {};
};
/// What a test of norms reads.
struct NormReading {
    bool preactivations = false;
    unsigned order = 1;
};
void emit_test(KnownAnswer::Kind kind, NumericModel const& model, std::vector<KnownQuery> const& queries,
               Session const& session, Answer& answer, NormReading const& reading = {});
/// Is any of the options given? Errors  ParseError for those that mean nothing without --emit-test.
[[nodiscard]] bool emits_test(Session const& session);
void refuse_symbols_in_test(Session const& session);

/// The file in one language, complete.
[[nodiscard]] std::string pytorch_test(KnownAnswer const& known);
[[nodiscard]] std::string jax_test(KnownAnswer const& known);
[[nodiscard]] std::string cpp_test(KnownAnswer const& known);

// Parts that the languages share.

/// The text with each {{NAME}} replaced by its value.
[[nodiscard]] std::string filled(std::string text, std::vector<std::pair<std::string, std::string>> const& values);
/// "1, 2.5, 1e-3", read back as the same doubles.
/// sqrt(E X^2 - (E X)^2); not finite beyond the range of double, at either end.
[[nodiscard]] double deviation_of(Surd const& second, Surd const& mean);
[[nodiscard]] std::string listed(std::vector<double> const& values);
[[nodiscard]] std::string listed(std::vector<std::uint64_t> const& values);
[[nodiscard]] std::string listed(std::vector<bool> const& values, char const* yes, char const* no);
/// What a test of this statistic can see: "within 16%; off by 32% fails".
[[nodiscard]] std::string sensitivity(KnownStatistic const& s, std::uint64_t samples);
/// What the factors are.
[[nodiscard]] char const* factor_meaning(KnownAnswer::Kind kind);
[[nodiscard]] std::string number_text(double x);

}  // namespace isserlis::cli
