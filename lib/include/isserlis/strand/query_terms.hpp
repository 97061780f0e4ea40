// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/graph.hpp>
#include <isserlis/observable/observable.hpp>
#include <isserlis/strand/expansion.hpp>
#include <isserlis/strand/setting.hpp>

#include <vector>

namespace isserlis {

/// The query as the sum of bundles of strands whose expectations are its expectation.
///
/// Shape   R is Surd, with numbers for counts, or RationalFunction, with `Exponent`.
/// Errors  those of `expectation` as far as they are of names and letters.
template <class R, class Count>
[[nodiscard]] std::vector<BundleTerm> query_terms(Query const& query, Graph<R, Count> const& graph,
                                                  ObservableSetting<R> const& setting);

/// The coefficient of a bundle in the ring: E y_i^2 is E|y|^2 over the number of outputs, and central moments are those of the
/// moments of the setting, which are not.
///
/// Errors  DomainError for a parameter or a moment that the setting does not have.
template <class R>
[[nodiscard]] R coefficient_value(Coefficient const& coefficient, R const& outputs,
                                  ObservableSetting<R> const& setting);

}  // namespace isserlis
