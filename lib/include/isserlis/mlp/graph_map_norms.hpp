// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <isserlis/mlp/graph_network.hpp>
#include <span>
#include <vector>

namespace isserlis::mlp {

/// Squared norms of the maps from pre-activations to the activations above them, summed over where the maps begin: for
/// each neuron j the sum over nodes v of strength_v |dh_j/dz^v|^2. That is the variance of h_j when every z^v moves by
/// independent noise of variance strength_v, and covariances go from node to node: many beginnings cost what one does.
///
/// Law     none: a pass is given, and its gates are kept.
/// Shape   one number a neuron, of nodes that an edge leads away from, to none above `highest`. Covariances are kept for
///         pairs of nodes that later ones read, over open gates. The buffers are those of one thread.
/// Units   [strength] [h]^2 / [z]^2.
/// Errors  none.
/// Source  the chain rule; Cov(A x) = A Cov(x) A^T
class GraphMapNorms {
public:
    GraphMapNorms(GraphLayout const& layout, std::size_t highest);

    /// Strengths by node, from 0 on; one of 0 begins nothing.
    void forward(GraphPass const& pass, std::span<double const> strengths);
    /// One number for each neuron of node v.
    [[nodiscard]] std::span<double const> h(std::size_t v) const;
    /// Multiplications and additions of one pass, with half of the ReLU gates closed; at most, since where the maps
    /// begin is not known.
    [[nodiscard]] double work() const;

private:
    using Numbers = std::vector<double>;

    struct Node {
        std::size_t last_reader = 0;      ///< the last node that an edge leads to; 0 for none
        bool is_carried_on = false;       ///< a reader has readers: more than the variances is needed
        bool moves = false;               ///< in this pass
        std::vector<std::size_t> open;    ///< units whose gate is not 0
        std::vector<std::size_t> place;   ///< of a unit among them; beyond them if closed
        std::vector<Numbers> covariance;  ///< with each node up to this one that is still read, by open units of both
    };

    /// What a unit takes from a skip.
    struct Pick {
        std::size_t place;
        double factor;
    };

    void open_units(GraphPass const& pass, std::size_t v);
    [[nodiscard]] std::vector<Pick> picked(GraphPass const& pass, std::size_t v, GraphLayout::Edge const& edge) const;
    [[nodiscard]] Numbers acting_rows(GraphPass const& pass, std::size_t e) const;
    [[nodiscard]] double const* covariance(std::size_t u, std::size_t w);
    [[nodiscard]] Numbers with_node(GraphPass const& pass, std::size_t v, std::size_t w);
    void take_variances(GraphPass const& pass, std::size_t v, double strength);
    [[nodiscard]] Numbers with_itself(GraphPass const& pass, std::size_t v);
    [[nodiscard]] Numbers with_itself_by_halves(GraphPass const& pass, std::size_t v);
    void add_own_noise(GraphPass const& pass, std::size_t v, double strength, Numbers& own);
    void forget_unread(std::size_t v);
    [[nodiscard]] bool is_source(std::size_t v, std::size_t w) const;
    [[nodiscard]] bool is_needed(std::size_t v, std::size_t w) const;
    [[nodiscard]] bool outlives_its_sources(std::size_t v) const;

    GraphLayout const* layout_;
    std::size_t highest_;
    std::vector<Node> nodes_;
    Numbers variances_;  ///< of all neurons
    std::vector<Numbers>
        acting_;                 ///< of each edge into the node at hand, gates times W by open units; of moving sources
    std::vector<Numbers> with_;  ///< covariances of the node at hand with those below
    Numbers turned_;
    Numbers columns_;
};

}  // namespace isserlis::mlp
