// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <isserlis/mlp/network.hpp>
#include <isserlis/network/graph.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isserlis::mlp {

/// Where the neurons and the weights of a graph lie in flat arrays, the same for every network drawn on it.
///
/// Law     none.
/// Shape   a flat graph (one block, as flattened() returns it); node 0 is the input. A weight edge has fan_out rows of
///         fan_in weights; for a concatenated ReLU, tied or not, all of P and then all of N.
/// Units   none.
/// Errors  DomainError for widths that are no whole numbers or clash, edges out of order, a skip edge or a gate where
///         none can be; UnsupportedError for more than 2^28 weights or
///         2^24 neurons.
/// Source  this library
class GraphLayout {
public:
    struct Node {
        std::string name;
        std::size_t width = 0;
        std::size_t first = 0;  ///< its neuron 1 among all neurons
        bool concatenation = false;
        bool gated = false;
        double slope = 1;
        std::vector<std::size_t> incoming;                     ///< edges, in the order of the graph
        std::optional<std::size_t> first_bias = std::nullopt;  ///< of its biases, among all numbers drawn
    };
    struct Edge {
        std::string name;
        std::size_t from = 0;
        std::size_t to = 0;
        bool weighted = false;
        std::size_t first = 0;     ///< of W, or P, among all weights
        std::size_t negative = 0;  ///< first of N, if any
        std::size_t part = 0;      ///< first neuron of the target that a skip edge reaches
        double scale = 1;          ///< W is this times the weights, by which derivatives are
    };
    /// One entry of a matrix: it takes neuron `column` to neuron `row`.
    struct Weight {
        std::uint32_t row = 0;
        std::uint32_t column = 0;
        std::uint32_t edge = 0;
        bool negative = false;
    };

    /// With unit parameters a matrix is the root of its edge's variance times its weights, whatever its multiplier; else its
    /// multiplier times its weights.
    explicit GraphLayout(Graph<double, std::uint64_t> const& flat, bool unit_parameters = false);

    [[nodiscard]] std::vector<Node> const& nodes() const { return nodes_; }
    [[nodiscard]] std::vector<Edge> const& edges() const { return edges_; }
    /// How many weights a network has.
    [[nodiscard]] std::size_t size() const { return size_; }
    /// All weights, listed when they are first asked for: of a large network the list is twice as large as the network.
    [[nodiscard]] std::vector<Weight> const& weights() const;
    /// How many numbers a network has: its weights, and behind them the biases of the nodes that have some.
    [[nodiscard]] std::size_t drawn() const { return drawn_; }
    [[nodiscard]] std::size_t neurons() const { return neurons_; }
    [[nodiscard]] std::size_t output() const { return nodes_.size() - 1; }
    /// Has every weight edge two sides, P for relu(h) and N for min(h, 0)?
    [[nodiscard]] bool concatenated() const { return concatenated_; }
    [[nodiscard]] bool tied() const { return tied_; }
    [[nodiscard]] bool unit_parameters() const { return unit_parameters_; }
    /// Can a gate of this node be anything but 1?
    [[nodiscard]] bool has_gate(std::size_t node) const { return nodes_[node].gated && nodes_[node].slope != 1; }
    [[nodiscard]] std::size_t entries(Edge const& edge) const {
        return nodes_[edge.from].width * nodes_[edge.to].width;
    }

private:
    void add_node(GraphNode<double> const& node);
    void add_edge(GraphEdge<double> const& edge);
    void require_parts() const;
    void list_weights(std::vector<Weight>& out) const;

    struct Listed {
        std::once_flag once;
        std::vector<Weight> weights;
    };

    bool concatenated_;
    bool tied_;
    bool unit_parameters_;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    std::shared_ptr<Listed> listed_ = std::make_shared<Listed>();
    std::size_t size_ = 0;
    std::size_t neurons_ = 0;
    std::size_t drawn_ = 0;
};

/// One network at one input: all its values, and the linear maps that its gates have left of it.
struct GraphPass {
    std::vector<double> z;            ///< pre-activations by neuron; of the input and of a concatenation, h
    std::vector<double> h;            ///< activations
    std::vector<double> gates;        ///< h = gates * z
    std::vector<char> positive;       ///< is h > 0? Decides between P and N
    double const* weights = nullptr;  ///< those of the pass, which have to outlive it
    float const* floats = nullptr;    ///< in their place, of a network of floats
    std::vector<double> chosen;       ///< with P and N, at the place of P the entries that act

    /// The matrix that meets h, but for its scale, from the place of W or P on; of a network of doubles.
    [[nodiscard]] double const* acting(std::size_t place) const {
        return (chosen.empty() ? weights : chosen.data()) + place;
    }
    /// So many entries of it, of any network: floats are copied.
    [[nodiscard]] double const* acting(std::size_t place, std::size_t count, std::vector<double>& copy) const {
        if (floats == nullptr) return acting(place);
        copy.assign(floats + place, floats + place + count);
        return copy.data();
    }
    /// A weight or a bias.
    [[nodiscard]] double drawn(std::size_t place) const {
        return floats == nullptr ? weights[place] : static_cast<double>(floats[place]);
    }
};

/// Every value of the network with these weights at the input x.
///
/// Law     none: the weights are given, biases behind them. z = sum of W h + sum of skipped h + b, h = max(z, 0) + slope * min(z, 0) at a gated
///         node; with P and N, z = sum of P relu(h) + N min(h, 0) and h = z, and the input x is gated like any other.
/// Shape   as the layout; `out` is resized, so that one pass can serve many networks. A gate at 0 is `slope`.
/// Units   any.
/// Errors  DomainError when the number of weights and biases, or of inputs, is another one; UnsupportedError for floats
///         and a concatenated ReLU. Of floats W h is taken in float, and all else in double.
/// Source  [Hettinger 2019, Def 3.15 and 4.1], on a graph
void forward(GraphLayout const& layout, std::span<double const> weights, std::span<double const> x, GraphPass& out);
void forward(GraphLayout const& layout, std::span<float const> weights, std::span<double const> x, GraphPass& out);

/// The same with ties decided: a tied z becomes exactly 0, and its gate is 1 or `slope` as `ties.open` says.
void forward(GraphLayout const& layout, std::span<double const> weights, std::span<double const> x,
             TieBreak<double> const& ties, GraphPass& out);
void forward(GraphLayout const& layout, std::span<float const> weights, std::span<double const> x,
             TieBreak<double> const& ties, GraphPass& out);

}  // namespace isserlis::mlp
