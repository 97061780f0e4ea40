// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <isserlis/mlp/graph_adjoints.hpp>
#include <optional>
#include <span>
#include <vector>

namespace isserlis::monte_carlo::detail {

/// A whole matrix of a drawn network: the weights of an edge as they meet the activations, or the Jacobian of a node's z
/// or h by the input.
struct EntryTensor {
    std::optional<std::size_t> edge;  ///< none for a Jacobian
    std::size_t node = 0;             ///< of a Jacobian
    bool activated = false;           ///< the Jacobian is that of h
    friend bool operator==(EntryTensor const&, EntryTensor const&) = default;
};

/// Fills one such matrix on one network after another.
///
/// Law     none: the pass is given, and its gates are kept.
/// Shape   rows of the upper node, columns of the lower one; dense. One filler per thread.
/// Units   [z] / [x].
/// Errors  none.
/// Source  the chain rule
class EntryFiller {
public:
    EntryFiller(mlp::GraphLayout const& layout, EntryTensor const& tensor);
    /// `pass` is not read for the weights of an edge.
    template <class T>
    void fill(mlp::GraphPass const& pass, std::vector<T> const& weights, std::span<double> out);
    /// Multiplications and additions of one fill.
    [[nodiscard]] double work() const;

private:
    void fill_jacobian(mlp::GraphPass const& pass, std::span<double> out);

    mlp::GraphLayout const* layout_;
    EntryTensor tensor_;
    std::optional<mlp::GraphAdjoints> adjoints_;
    std::vector<double> row_;
};

}  // namespace isserlis::monte_carlo::detail
