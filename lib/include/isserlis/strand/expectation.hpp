// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/graph.hpp>
#include <isserlis/observable/observable.hpp>
#include <isserlis/ring/exp_polynomial.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/strand/setting.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace isserlis {

/// What the recursion did, for --explain and tests.
struct RecursionTrace {
    std::size_t states = 0;            ///< orbits met
    std::size_t unreduced_states = 0;  ///< states that they stand for
    std::size_t transitions = 0;       ///< between orbits, over all kinds of nodes
    std::size_t least_repeats = 0;     ///< of repeated stages, for which a formula in their number holds
    /// Of strands that met in one orthogonal matrix: formulas hold where its larger side is at least that.
    std::size_t orthogonal_pairs = 0;
    std::vector<std::string> lines;  ///< transfer matrices and eigenvalues, when asked for
};

struct RecursionOptions {
    bool reduce = true;    ///< one state for each orbit of the bundle's symmetries
    bool explain = false;  ///< fill `lines`
    RecursionTrace* trace = nullptr;
    /// Ways through a layer, about, as they are estimated where there are more than 8 strands or many edges into a node.
    double most_steps = 1e8;
    /// Ways through nodes in all, counted as they are tried: for answers that are worth no more.
    double most_paths = std::numeric_limits<double>::infinity();
    /// Ways through a layer from which on words of a chain without gates are worked out as words of its Gaussian matrices;
    /// none are to be explained.
    double least_word_steps = 1.1e4;
};

/// What an expectation over numbers R is: at symbolic depth a formula in the depth.
template <class R, class Count>
using Expected = std::conditional_t<std::is_same_v<Count, Exponent>, ExpPolynomial, R>;

/// The expectation of an observable over the random weights (and targets) of a network, exactly at every width and
/// depth.
///
/// Law     weights independent and symmetric with the variances and laws of the graph, or matrices Haar-orthogonal; gates open by fair coins, which
///         is exact when no pre-activation has an atom at 0; one input where a gate is on the way; targets independent
///         of the weights, of mean 0, equal and independent across outputs.
/// Shape   R is Rational, Surd, double or RationalFunction; Count = Exponent, a depth that may be a symbol, goes with
///         RationalFunction. Variances may have roots of symbols where the depth is a number.
/// Errors  those of `check_graph`, of a setting that does not fit; ParseError, DomainError for names that do not exist
///         and moments that are not given; UnsupportedError where the expectation is no finite sum of strands, says
///         which strand and why, or is over a limit.
/// Source  the strand recursion, docs/strands.md
template <class R, class Count>
[[nodiscard]] Expected<R, Count> expectation(Query const& query, Graph<R, Count> const& graph,
                                             ObservableSetting<R> const& setting, RecursionOptions const& options = {});

}  // namespace isserlis
