// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/observable/observable.hpp>
#include <isserlis/strand/bundle.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace isserlis {

/// What the expansion of a query has to know of a network.
struct ExpansionContext {
    NodePlace output;
    /// The node of that name.
    /// Errors  DomainError for an unknown one.
    std::function<NodePlace(std::string const& name)> node;
    /// The width of a node when it is a number.
    std::function<std::optional<Integer>(NodePlace)> width;
    /// The matrix of that name.
    /// Errors  DomainError for an unknown one; UnsupportedError for one of a concatenated ReLU.
    std::function<MatrixPlace(std::string const& name)> matrix;
    std::vector<std::string> inputs;  ///< names after @; strands without one use input 0
    bool targets_have_mean = false;   ///< is E y_i other than 0?
    bool targets_vanish = false;      ///< E|y|^2 is that of the means: every target is its mean
    bool third_is_known = false;      ///< is E y_i^3 given, or what it leaves without it to be settled behind?
    bool odd_outputs_vanish = true;   ///< is an odd number of strands from the output 0 by symmetry of its weights?
};

/// A mean over the targets takes their third moment, which is not given.
class OddTargetsError : public DomainError {
public:
    using DomainError::DomainError;
};

/// A query as a sum of bundles: products multiplied out, derivatives taken by the product rule, letters and labels
/// bound by the scope rule, and the mean over the targets taken.
///
/// Law     targets independent of the weights and of one another, equal moments.
/// Errors  ParseError naming a letter or label without a partner; DomainError for a neuron that does not exist;
///         UnsupportedError for more than `max_strands` strands or `max_labels` labels, or for moments of the targets
///         beyond the fourth;
///         OddTargetsError.
[[nodiscard]] std::vector<BundleTerm> expand(Query const& query, ExpansionContext const& context);

}  // namespace isserlis
