// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/data/data_set.hpp>
#include <isserlis/network/loss_kind.hpp>

#include <vector>

namespace isserlis {

/// Gradients and Hessians of the loss by the outputs that are the same whatever the weights are, exactly:
/// g^k = offsets[k] + factor y^k, entry by entry.
struct OutputDerivatives {
    std::vector<std::vector<Rational>> offsets;                ///< s x d_n
    Rational factor = 0;                                       ///< 0 where the data give g
    std::vector<std::vector<std::vector<Rational>>> hessians;  ///< s symmetric matrices d_n x d_n
};

/// What the data give; the rest from the loss, as if every sample had this output.
///
/// Law     none.
/// Shape   output has d_n entries.
/// Units   [loss] / [output], [loss] / [output]^2.
/// Errors  DomainError for an output of another length, or where targets are needed and missing; UnsupportedError for
///         an output whose softmax or sigmoid is not rational: cross-entropy takes equal entries, binary 0.
/// Source  [Hettinger 2019, Def 3.17 and 3.18]
[[nodiscard]] OutputDerivatives output_derivatives(DataSet const& data, LossKind loss,
                                                   std::vector<Rational> const& output);

/// The gradients as surds. Errors  UnsupportedError when they depend on targets that are none.
[[nodiscard]] std::vector<std::vector<Surd>> exact_gradients(DataSet const& data, OutputDerivatives const& derivatives);
/// Certain bounds of each.
[[nodiscard]] std::vector<std::vector<Interval>> enclosed_gradients(DataSet const& data,
                                                                    OutputDerivatives const& derivatives,
                                                                    unsigned bits);
[[nodiscard]] std::vector<std::vector<double>> gradient_doubles(DataSet const& data,
                                                                OutputDerivatives const& derivatives);
[[nodiscard]] std::vector<std::vector<std::vector<double>>> hessian_doubles(OutputDerivatives const& derivatives);

}  // namespace isserlis
