// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <isserlis/mlp/graph_network.hpp>
#include <isserlis/mlp/unit.hpp>
#include <span>
#include <string>
#include <vector>

namespace isserlis::mlp {

/// What a node does to the sum of its edges, in this order; a node of the plainest kind passes it on.
struct NodeTraits {
    Unit unit{};
    bool bias = false;
    bool batch_norm = false;
    double epsilon = 1e-5;  ///< of batch norm, added to the variance
    bool softmax = false;   ///< after the unit, over the neurons of the node: (5.18)
    double keep = 1;        ///< the probability with which dropout keeps an activation
};

enum class ParameterKind {
    weight,  ///< W, or P and then N
    bias,
    gain,   ///< gamma of batch norm
    shift,  ///< beta of batch norm
    slope,  ///< of prelu
};

[[nodiscard]] char const* name(ParameterKind kind);

/// Parameters that belong together, in the flat vector of all.
struct ParameterRange {
    ParameterKind kind = ParameterKind::weight;
    std::string name;      ///< of the edge, or of the node
    std::size_t node = 0;  ///< the node that they are part of or lead into: what a rate by layer goes by
    std::size_t first = 0;
    std::size_t size = 0;
};

/// A network without numbers: the wiring of a graph, what each node does, and where each parameter lies.
///
/// Law     none.
/// Shape   `traits` has one entry for each node of the layout, the input (node 0) included. Parameters: all weights in
///         the order of the layout, then node by node bias, gain, shift (one for each neuron) and slope (one).
/// Units   none.
/// Errors  DomainError, which names the node: for traits that are not as many as nodes; for anything but dropout at the
///         input; for anything at all at a concatenation, which only strings activations together; for a unit other
///         than the gate that the graph gives; for crelu without sides P and N, or another unit with them; softmax over
///         another unit than identity or crelu; keep outside
///         (0, 1] or below 1 at the output; a negative epsilon; a constant that is not finite, or of a unit that takes
///         none.
/// Source  [Liquet 2024, eqs. (5.2), (5.40), (5.47)]; sides P and N [Hettinger 2019, Def 3.13]
class Architecture {
public:
    Architecture(GraphLayout wiring, std::vector<NodeTraits> traits);
    /// Units and biases by the graph: no batch norm, no dropout.
    explicit Architecture(GraphLayout wiring);

    [[nodiscard]] GraphLayout const& wiring() const { return wiring_; }
    [[nodiscard]] std::vector<NodeTraits> const& traits() const { return traits_; }
    [[nodiscard]] std::vector<ParameterRange> const& ranges() const { return ranges_; }
    [[nodiscard]] std::size_t parameters() const { return parameters_; }
    [[nodiscard]] std::size_t inputs() const { return wiring_.nodes().front().width; }
    [[nodiscard]] std::size_t outputs() const { return wiring_.nodes().back().width; }
    /// The range of this kind at a node (not for weights), or null.
    [[nodiscard]] ParameterRange const* range(std::size_t node, ParameterKind kind) const;
    /// Among the neurons with batch norm, the first of this node's; their number.
    [[nodiscard]] std::size_t first_normed(std::size_t node) const { return first_normed_[node]; }
    [[nodiscard]] std::size_t normed_neurons() const { return normed_neurons_; }
    [[nodiscard]] bool has_batch_norm() const { return normed_neurons_ != 0; }
    [[nodiscard]] bool has_dropout() const;

    /// Weights, biases and shifts 0, gains 1, slopes where they begin.
    [[nodiscard]] std::vector<double> neutral_parameters() const;

private:
    void require_traits() const;
    void add_ranges();

    GraphLayout wiring_;
    std::vector<NodeTraits> traits_;
    std::vector<ParameterRange> ranges_;
    std::vector<std::array<std::size_t, 5>> places_;  ///< of a node's ranges by kind, from 1; 0 for none
    std::vector<std::size_t> first_normed_;
    std::size_t normed_neurons_ = 0;
    std::size_t parameters_ = 0;
};

/// A fully connected network d_0 .. d_n: `hidden` units in layers 1 .. n - 1, `head` in layer n (crelu everywhere, if
/// hidden is crelu). `scales` are positive, one for each layer, or none for 1: W is the scale times the weights.
///
/// Errors  DomainError for fewer than 2 widths, a width of 0, a head of other units over crelu, or other scales.
/// Source  [Liquet 2024, eqs. (5.1) to (5.6)]
[[nodiscard]] Architecture perceptron(std::vector<std::size_t> const& widths, Unit const& hidden, Unit const& head = {},
                                      bool bias = true, std::vector<double> const& scales = {});

/// The unit that a homogeneous activation is.
template <class T>
[[nodiscard]] Unit unit_of(Activation<T> const& activation);

/// A chain of layers without biases on the layout of all, and its weights there.
/// Errors  DomainError when there is no layer, sizes clash, or scales are not as many as layers.
template <class T>
[[nodiscard]] Architecture architecture_of(Network<T> const& net);
template <class T>
[[nodiscard]] std::vector<T> parameters_of(Network<T> const& net);

}  // namespace isserlis::mlp
