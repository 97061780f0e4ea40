// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/network/weight_law.hpp>
#include <isserlis/observable/trace_expression.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace isserlis::monte_carlo {

/// A random matrix to be drawn, or a fixed one.
struct SampledMatrix {
    enum class Law { independent, complex_gaussian, orthogonal, diagonal, fixed };
    std::string name;
    std::size_t rows = 1;
    std::size_t columns = 1;
    Law law = Law::independent;
    WeightLaw<double> entries = {};  ///< of independent real ones
    double variance = 1;
    std::vector<double> diagonal = {};  ///< of a diagonal matrix that is not random
    std::vector<double> values = {};    ///< of a fixed one, row by row
};

struct TraceModel {
    std::vector<SampledMatrix> matrices;
    std::map<std::string, double> parameters;
};

/// An expression of expectations of traces from sampled matrices, multiplied out as they are: means, sample variances
/// and covariances on the same matrices, put into the expression.
///
/// Law     independent matrices. Orthogonal ones by QR of a normal matrix with the signs of the diagonal of R, which
///         is Haar measure; a rectangular one has the orthonormal columns, or transposed rows, of a square one. Complex
///         values count by their real parts: expectations are real.
/// Shape   a scalar. Its standard error is that of the delta method, from the sampled covariances of all the means, and
///         at least what rounding leaves.
/// Units   those of the expression.
/// Errors  those of `run`; UnsupportedError for a sampled denominator of 0, and beyond the range of double.
/// Source  the definitions; [Mezzadri 2007] for the signs; the delta method
[[nodiscard]] Estimate sample_traces(TraceModel const& model, TraceExpression const& expression, std::uint64_t samples,
                                     std::uint64_t seed, RunControl const& control = {});

/// Weights that could be drawn in about the time of one sample.
[[nodiscard]] double trace_work(TraceModel const& model, TraceExpression const& expression);

}  // namespace isserlis::monte_carlo
