// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/data/output_derivatives.hpp>

namespace isserlis {

/// Samples and their constant derivatives.
struct SamplesWithDerivatives {
    DataSet data;
    OutputDerivatives derivatives;
};

/// Samples of equal inputs made one, whose gradient and Hessian are their sums, scaled to the smaller number of
/// samples: the mean loss, and its first two derivatives by the weights, stay what they are in any network.
///
/// Law     none.
/// Shape   as the data, at most as many samples, in the order in which their inputs come first; targets are summed too.
/// Units   as before.
/// Errors  UnsupportedError for targets that are no surds, where two inputs are equal.
/// Source  this library: the outputs of two such samples are equal in any network.
[[nodiscard]] SamplesWithDerivatives distinct_samples(DataSet data, OutputDerivatives derivatives);

}  // namespace isserlis
