// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/monte_carlo/network_model.hpp>
#include <isserlis/network/graph.hpp>
#include <vector>

namespace isserlis::mlp {
class GraphLayout;  // the caller includes mlp/graph_network.hpp; this header stays free of Eigen
}

namespace isserlis::monte_carlo {

/// A random network on a graph of layers: all that is needed to draw its weights.
///
/// Law     entries of edge e are independent, symmetric, of its law and variance (those of an orthogonal edge a multiple of a
///         semi-orthogonal matrix), and so are biases; an untied concatenated ReLU draws P
///         and N independently from it, a tied one draws P and copies it. With unit parameters those entries are
///         drawn of variance 1, the network multiplies them by the root of the edge's variance, and derivatives are by
///         them: the NTK parametrisation.
/// Shape   any graph of numbers; repeated blocks are written out when networks are drawn.
/// Units   variances in squared weight units.
/// Errors  see flat_graph and require_decided_ties.
/// Source  this library
struct GraphModel {
    Graph<double, std::uint64_t> graph;
    TieRule ties = TieRule::refuse;
    bool unit_parameters = false;
    Precision precision = Precision::float64;  ///< of weights, and of their products with activations and gradients

    /// The graph with every repeat written out.
    /// Errors  DomainError for variances that are negative or not finite and kurtoses below 1; UnsupportedError for
    ///         more than 2^20 nodes, and for a concatenated ReLU with two orthogonal matrices in each layer.
    [[nodiscard]] Graph<double, std::uint64_t> flat_graph() const;
};

/// Does an edge with atoms lead into a node with a gate, so that its pre-activation can be exactly 0? Or is a bias that is
/// 0 differentiated by, where dead layers make it so?
[[nodiscard]] bool gates_can_tie(Graph<double, std::uint64_t> const& flat);

/// Throws UnsupportedError that names the edge when `ties` is refuse and an edge with atoms leads into a node with a gate.
void require_decided_ties(Graph<double, std::uint64_t> const& flat, TieRule ties);

/// The same whatever `ties` is.
void require_no_ties(Graph<double, std::uint64_t> const& flat);

/// The weights and biases of the network that belongs to (seed, sample), in the order of the layout.
///
/// Law     the model's. Weights are drawn edge by edge, P before N, row by row, and after them biases node by node: on
///         a chain of layers the weights are those of draw_network, of the same number type.
/// Shape   as many as the layout of the flat graph draws.
/// Units   weights have the edges' variances; 1 with unit parameters.
/// Errors  none beyond those of flat_graph.
/// Source  this library
void draw_weights(Graph<double, std::uint64_t> const& flat, mlp::GraphLayout const& layout, std::uint64_t seed,
                  std::uint64_t sample, std::vector<double>& weights);
void draw_weights(Graph<double, std::uint64_t> const& flat, mlp::GraphLayout const& layout, std::uint64_t seed,
                  std::uint64_t sample, std::vector<float>& weights);

}  // namespace isserlis::monte_carlo
