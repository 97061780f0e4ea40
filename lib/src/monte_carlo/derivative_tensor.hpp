// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <isserlis/mlp/graph_derivatives.hpp>
#include <span>
#include <vector>

namespace isserlis::monte_carlo::detail {

inline constexpr std::size_t highest_derivative = 4;

/// The derivatives of some neurons of a node by weights of some sets.
struct DerivativeTensor {
    std::size_t node = 0;
    bool activated = false;
    std::size_t first = 0;  ///< neurons first .. first + count - 1
    std::size_t count = 1;
    std::vector<std::vector<std::size_t> const*> by;  ///< equal sets side by side; each in ascending order
};

/// Fills derivative tensors on one network after another.
///
/// Law     none: the pass is given.
/// Shape   dense, axes neuron, by[0], by[1], ..; up to 4 derivatives. Weights that meet a closed gate, and two of one
///         matrix, give 0 without being tried; equal sets are tried in one order. One filler per thread.
/// Units   [z] / [weight]^derivatives.
/// Errors  none.
/// Source  mlp::GraphDerivatives
class DerivativeFiller {
public:
    explicit DerivativeFiller(mlp::GraphLayout const& layout);
    void fill(DerivativeTensor const& tensor, mlp::GraphPass const& pass, std::span<double> out);

private:
    template <unsigned K>
    void fill(mlp::GraphDerivatives<K>& derivatives, DerivativeTensor const& tensor, mlp::GraphPass const& pass,
              std::span<double> out);
    template <unsigned K>
    void fill_rows(mlp::GraphDerivatives<K>& derivatives, DerivativeTensor const& tensor, std::span<double> out,
                   std::array<std::size_t, K>& chosen, unsigned k);
    template <unsigned K>
    void fill_row(mlp::GraphDerivatives<K>& derivatives, DerivativeTensor const& tensor, std::span<double> out,
                  std::array<std::size_t, K> const& chosen);

    mlp::GraphLayout const* layout_;
    mlp::GraphDerivatives<0> first_;
    mlp::GraphDerivatives<1> second_;
    mlp::GraphDerivatives<2> third_;
    mlp::GraphDerivatives<3> fourth_;
    std::vector<std::vector<std::size_t>> alive_;  ///< places in by[k] of weights with a say
    std::vector<double> row_;
};

/// Multiplications and additions of one fill with half of the ReLU gates closed, about.
[[nodiscard]] double work_of(mlp::GraphLayout const& layout, DerivativeTensor const& tensor);

}  // namespace isserlis::monte_carlo::detail
