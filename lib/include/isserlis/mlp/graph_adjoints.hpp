// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <isserlis/mlp/acting_product.hpp>
#include <isserlis/mlp/graph_network.hpp>
#include <span>
#include <vector>

namespace isserlis::mlp {

/// Neurons first .. first + count - 1 of a node, z or h.
struct NeuronRange {
    std::size_t node = 0;
    bool activated = false;
    std::size_t first = 0;
    std::size_t count = 1;

    friend bool operator==(NeuronRange const&, NeuronRange const&) = default;
};

/// The derivatives of some neurons of one node by every pre-activation below: one reverse pass for all of them.
///
/// Law     none: a pass is given, and its gates are kept.
/// Shape   count rows, one for each neuron, or one row for a sum of them with given factors; down to the node `lowest`.
///         The derivative of row r by the weight from neuron j of a node to neuron i of v is the edge's scale times
///         by_z(v)[r * width + i] h_j, on the side that acts. The buffers are those of one thread.
/// Units   [z] / [z].
/// Errors  none: all arguments count from 0 and are in range.
/// Source  the chain rule; the convention at 0 of GraphDerivatives
class GraphAdjoints {
public:
    GraphAdjoints(GraphLayout const& layout, NeuronRange const& of, std::size_t lowest = 1, bool summed = false);

    /// Of each neuron.
    void backward(GraphPass const& pass);
    /// Of the sum of the neurons with these factors, of which nothing is differentiated.
    void backward(GraphPass const& pass, std::span<double const> factors);
    [[nodiscard]] std::size_t rows() const { return rows_; }
    /// rows x width of node v; nothing above the node asked and below the lowest.
    [[nodiscard]] std::span<double const> by_z(std::size_t v) const;
    /// Multiplications and additions of one pass.
    [[nodiscard]] double work() const;

private:
    [[nodiscard]] double* block(std::size_t v) { return by_z_.data() + (first(v) - first(lowest_)) * rows_; }
    [[nodiscard]] std::size_t first(std::size_t v) const { return layout_->nodes()[v].first; }
    void pass_down(GraphPass const& pass);
    void distribute(GraphPass const& pass, std::size_t v);

    GraphLayout const* layout_;
    NeuronRange of_;
    std::size_t lowest_;
    std::size_t rows_;  ///< 1 for a sum
    std::vector<double> by_z_;
    std::vector<double> scaled_;
    std::vector<double> product_;
    ActingProducts products_;
};

/// How every neuron moves when the weights move along the gradients of some neurons: one forward pass for all of them.
///
/// Law     none: pass and adjoints are given, which may be those of another input.
/// Shape   one column for each row of the adjoints. The matrix of edge e moves by strengths[e], which is the product of
///         everything but by_z: rate, squared scale, and the inner product of the activations that its source has in the
///         two passes, where the same side acts; behind the edges by node the rate of its biases. Up to the node
///         `highest`. Nodes that are not kept are forgotten once no later one reads them.
/// Units   [z] / [rate].
/// Errors  none.
/// Source  the chain rule
class GraphTangents {
public:
    /// `kept` by node; none keeps all.
    GraphTangents(GraphLayout const& layout, std::size_t count, std::size_t highest, std::vector<char> kept = {});

    /// Calls `at` with each node while the h of its sources are there.
    void forward(GraphPass const& pass, GraphAdjoints const& along, std::span<double const> strengths,
                 std::function<void(std::size_t)> const& at = {});
    /// width x count of node v: of z, or of h.
    [[nodiscard]] std::span<double const> z(std::size_t v) const { return z_[v]; }
    [[nodiscard]] std::span<double const> h(std::size_t v) const { return h_[v]; }
    [[nodiscard]] double work() const;

private:
    using Numbers = std::vector<double>;

    [[nodiscard]] Numbers zeros(std::size_t v);
    void give_back(Numbers& numbers);
    void add_from_below(GraphPass const& pass, std::size_t e, double* z);

    GraphLayout const* layout_;
    std::size_t count_;
    std::size_t highest_;
    std::vector<char> kept_;
    std::vector<std::size_t> last_reader_;
    std::vector<Numbers> z_;
    std::vector<Numbers> h_;
    std::vector<Numbers> spare_;
    std::vector<double> scaled_;
    std::vector<double> product_;
    ActingProducts products_;
    std::vector<char> moves_;
};

}  // namespace isserlis::mlp
