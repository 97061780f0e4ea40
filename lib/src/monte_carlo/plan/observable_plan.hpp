// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/mlp/graph_network.hpp>
#include <isserlis/monte_carlo/observable_sampler.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "label_sets.hpp"
#include "monte_carlo/curvature_kernel.hpp"
#include "monte_carlo/derivative_tensor.hpp"
#include "monte_carlo/entry_tensor.hpp"
#include "monte_carlo/gradient_kernel.hpp"
#include "monte_carlo/target_law.hpp"
#include "monte_carlo/tensor_program.hpp"
#include "scoped_query.hpp"

namespace isserlis::monte_carlo::detail {

/// Multiplications and additions in the time of drawing one weight, measured.
inline constexpr double operations_per_weight = 25;
/// The same in products of whole matrices.
inline constexpr double batched_operations_per_weight = 100;

/// Whether sums of outputs with factors are differentiated in pairs of gradients, (z[i] - y[i]) z[i;m], or each output
/// that occurs: those may be there for other observables anyway.
enum class PairsOf { sums, outputs };

/// All that the samples of some observables share.
struct ObservablePlan {
    struct Output {
        DerivativeTensor tensor;
        std::size_t input = 0;
        std::size_t buffer = 0;
    };
    struct Entries {
        EntryTensor tensor;
        std::size_t input = 0;  ///< of a Jacobian
        std::size_t buffer = 0;
    };
    struct Constant {
        std::size_t buffer = 0;
        std::vector<double> entries;
    };

    Graph<double, std::uint64_t> graph;  ///< flat
    mlp::GraphLayout layout;
    bool ties = false;
    Precision precision = Precision::float64;
    std::vector<std::vector<double>> inputs;  ///< that occur
    LabelSets label_sets;
    TargetLaw target_law;
    std::vector<Output> outputs;
    std::vector<Entries> entries;
    GradientKernels kernels;
    CurvatureKernels curvatures;
    std::vector<Constant> constants;
    std::optional<std::size_t> targets;  ///< buffer
    TensorProgram program;
    std::vector<std::size_t> results;  ///< one for each query
    bool has_sums_in_pairs = false;

    ObservablePlan(GraphModel const& model, std::vector<Query> const& queries, ObservableSettings const& settings,
                   PairsOf pairs);

    /// Weights that could be drawn in about the time of one sample.
    [[nodiscard]] double work() const;
    /// That a thread keeps, about.
    [[nodiscard]] double numbers() const;

private:
    ObservablePlan(GraphModel const& model, std::vector<Query> const& queries, ObservableSettings const& settings,
                   PairsOf pairs, std::vector<ScopedSum> const& sums);
};

/// The one that takes less work.
[[nodiscard]] std::shared_ptr<ObservablePlan const> best_plan(GraphModel const& model,
                                                              std::vector<Query> const& queries,
                                                              ObservableSettings const& settings);

}  // namespace isserlis::monte_carlo::detail
