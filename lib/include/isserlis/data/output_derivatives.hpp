// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/data/data_set.hpp>
#include <isserlis/network/loss_kind.hpp>
#include <isserlis/ring/enclosed.hpp>

#include <vector>

namespace isserlis {

/// Gradients and Hessians of the loss by the outputs that are the same whatever the weights are: those of the data, or
/// those of the loss where a sample has none. The latter are linear in the target,
/// g^k = shares[k] at_zero + y^k (at_one - at_zero), H_k = shares[k] hessian, entry by entry.
struct OutputDerivatives {
    std::vector<std::vector<Rational>> gradients;              ///< s x d_n of the data, or none
    std::vector<std::vector<std::vector<Rational>>> hessians;  ///< s symmetric matrices d_n x d_n of the data, or none
    std::vector<RealNumber> at_zero;                           ///< gradient for the target 0
    std::vector<RealNumber> at_one;                            ///< and 1
    Rational factor = 0;                                       ///< at_one - at_zero, the same in all entries
    std::vector<std::vector<RealNumber>> hessian;              ///< d_n x d_n, whatever the target
    std::vector<Rational> shares;                              ///< 1, but for samples made of several

    [[nodiscard]] bool uses_targets() const { return gradients.empty(); }
    /// The loss has no part in it that is not known exactly.
    [[nodiscard]] bool is_exact() const;
};

/// What the data give; the rest from the loss, as if every sample had this output.
///
/// Law     none.
/// Shape   output has d_n entries.
/// Units   [loss] / [output], [loss] / [output]^2.
/// Errors  DomainError for an output of another length, or where targets are needed and missing; UnsupportedError for
///         an output of a cross-entropy beyond a million. Softmax and sigmoid are exact at equal entries and at 0; else
///         they are known through enclosures.
/// Source  [Hettinger 2019, Def 3.17 and 3.18]
[[nodiscard]] OutputDerivatives output_derivatives(DataSet const& data, LossKind loss,
                                                   std::vector<Rational> const& output);

/// The gradients as surds.
/// Errors  UnsupportedError when they, or targets that they depend on, are none.
[[nodiscard]] std::vector<std::vector<Surd>> exact_gradients(DataSet const& data, OutputDerivatives const& derivatives);
/// One for each sample, or one for all.
/// Errors  the same.
[[nodiscard]] std::vector<std::vector<std::vector<Surd>>> exact_hessians(OutputDerivatives const& derivatives);
/// Certain bounds of each.
[[nodiscard]] std::vector<std::vector<Enclosed>> enclosed_gradients(DataSet const& data,
                                                                    OutputDerivatives const& derivatives,
                                                                    unsigned bits);
[[nodiscard]] std::vector<std::vector<std::vector<Enclosed>>> enclosed_hessians(OutputDerivatives const& derivatives,
                                                                                unsigned bits);
[[nodiscard]] std::vector<std::vector<double>> gradient_doubles(DataSet const& data,
                                                                OutputDerivatives const& derivatives);
/// One for each sample.
[[nodiscard]] std::vector<std::vector<std::vector<double>>> hessian_doubles(OutputDerivatives const& derivatives);

}  // namespace isserlis
