// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace isserlis {

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
    std::string program;       ///< the observable, in the words of the language's test
    std::string places;        ///< of its labels that have one
    std::string labels;        ///< their letters
    std::vector<KnownStatistic> statistics;
    std::uint64_t samples = 1000;
    std::uint64_t batch = 1;            ///< networks that are drawn together
    std::vector<std::string> left_out;  ///< statistics that so few networks cannot confirm, and how many could
};

/// Standard errors that a test tolerates.
inline constexpr int tolerated_errors = 5;

/// A program in one language, complete: it draws the networks with a generator of its own, compares the means with the
/// exact values, and fails beyond `tolerated_errors` standard errors.
///
/// Law      weights are independent, N(0, variance); no biases; targets are random signs of equal size
/// Shape    variances, scales, factors and activated have an entry for each weight layer
/// Errors   none; what is served is checked by those who fill `known`
[[nodiscard]] std::string pytorch_test(KnownAnswer const& known);
[[nodiscard]] std::string jax_test(KnownAnswer const& known);
[[nodiscard]] std::string cpp_test(KnownAnswer const& known);

/// The shortest text that is read back as the same double, in any of the languages.
[[nodiscard]] std::string number_text(double x);
/// "310", "2.5", "1.2e+09": how much is needed, in a sentence.
[[nodiscard]] std::string two_digits(double x);

}  // namespace isserlis
