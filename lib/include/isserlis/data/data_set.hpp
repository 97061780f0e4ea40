// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/data/real_number.hpp>
#include <isserlis/ring/rational.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace isserlis {

/// Samples with exact inputs and targets, and the constant feature in the last place.
///
/// Law     none.
/// Shape   s samples; inputs s x d_0, targets s x d_n. Feature i of sample k is sqrt(squared_scales[i]) inputs[k][i]:
///         scaling a feature by a root leaves every inner product of samples rational.
/// Units   of the features.
/// Errors  none; it is filled by parse_data_csv, cosine_data and checkerboard_data.
/// Source  [Hettinger 2019, Def 3.16 and 4.10]
struct DataSet {
    std::string name;                           ///< the file, or the built-in set
    std::vector<std::vector<Rational>> inputs;  ///< in units of the roots of `squared_scales`
    std::vector<Rational> squared_scales;       ///< positive, one for each feature
    std::vector<std::vector<RealNumber>> targets;
    std::vector<std::vector<Rational>> gradients;              ///< g^k of the loss by the outputs, or none
    std::vector<std::vector<std::vector<Rational>>> hessians;  ///< H_k by the outputs, symmetric, or none

    // Where a file has them, for messages.
    std::vector<std::size_t> lines;           ///< of each sample; empty for a built-in set
    std::vector<std::size_t> input_columns;   ///< of each feature but the constant one
    std::vector<std::size_t> target_columns;  ///< of each target

    [[nodiscard]] std::size_t samples() const { return inputs.size(); }
    /// d_0, the constant feature included.
    [[nodiscard]] std::size_t input_width() const { return squared_scales.size(); }
    /// d_n; of targets, or of gradients where there are no targets.
    [[nodiscard]] std::size_t output_width() const;
    [[nodiscard]] bool has_exact_targets() const;
    /// "data 'FILE'", or "data 'FILE', line 3, column 2 (y1)" for a target of a file.
    [[nodiscard]] std::string place() const;
    [[nodiscard]] std::string place_of_target(std::size_t sample, std::size_t target) const;
};

/// K_kl = x^k . x^l, exactly.
[[nodiscard]] std::vector<std::vector<Rational>> gram(DataSet const& data);
/// sum_r relu(x_r^k x_r^l): the inner product of (relu(x), relu(-x)), alpha_1kl of [Hettinger 2019, Def 4.13].
[[nodiscard]] std::vector<std::vector<Rational>> rectified_gram(DataSet const& data);
/// The inputs with their scales, as surds.
[[nodiscard]] std::vector<std::vector<Surd>> exact_inputs(DataSet const& data);
/// The targets as surds.
/// Errors  UnsupportedError unless has_exact_targets().
[[nodiscard]] std::vector<std::vector<Surd>> exact_targets(DataSet const& data);

/// Certain bounds of both.
[[nodiscard]] std::vector<std::vector<Interval>> enclosed_inputs(DataSet const& data, unsigned bits);
[[nodiscard]] std::vector<std::vector<Interval>> enclosed_targets(DataSet const& data, unsigned bits);

/// Nearest doubles, a row a sample.
[[nodiscard]] std::vector<std::vector<double>> input_doubles(DataSet const& data);
[[nodiscard]] std::vector<std::vector<double>> target_doubles(DataSet const& data);
[[nodiscard]] std::vector<std::vector<double>> gradient_doubles(DataSet const& data);
[[nodiscard]] std::vector<std::vector<std::vector<double>>> hessian_doubles(DataSet const& data);

/// Throws DomainError unless a network with these widths fits the data.
void require_widths(DataSet const& data, std::size_t input_width, std::size_t output_width);

}  // namespace isserlis
