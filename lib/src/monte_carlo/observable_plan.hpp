// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/graph_network.hpp>
#include <isserlis/monte_carlo/observable_sampler.hpp>
#include <optional>
#include <vector>

#include "derivative_tensor.hpp"
#include "label_sets.hpp"
#include "scoped_query.hpp"
#include "target_law.hpp"
#include "tensor_program.hpp"

namespace isserlis::monte_carlo::detail {

/// Multiplications and additions in the time of drawing one weight, measured.
inline constexpr double operations_per_weight = 25;

/// All that the samples of one observable share.
struct ObservablePlan {
    struct Output {
        DerivativeTensor tensor;
        std::size_t input = 0;
        std::size_t buffer = 0;
    };
    struct Constant {
        std::size_t buffer = 0;
        std::vector<double> entries;
    };

    Graph<double, std::uint64_t> graph;  ///< flat
    mlp::GraphLayout layout;
    bool ties = false;
    std::vector<std::vector<double>> inputs;  ///< that occur
    LabelSets label_sets;
    TargetLaw target_law;
    std::vector<Output> outputs;
    std::vector<Constant> constants;
    std::optional<std::size_t> targets;  ///< buffer
    TensorProgram program;
    std::size_t result = 0;

    ObservablePlan(GraphModel const& model, Query const& query, ObservableSettings const& settings);

    /// Multiplications and additions of one sample.
    [[nodiscard]] double work() const;

private:
    ObservablePlan(GraphModel const& model, Query const& query, ObservableSettings const& settings,
                   ScopedSum const& sum);
};

}  // namespace isserlis::monte_carlo::detail
