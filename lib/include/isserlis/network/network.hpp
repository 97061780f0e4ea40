// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/network/graph.hpp>
#include <isserlis/network/zoo.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace isserlis {

/// A network of any wiring, as a graph, and as the chain of layers that closed forms read where it is one. Both are
/// given together and stay in step.
template <class R, class Count>
class Network {
public:
    Network() = default;
    Network(FullyConnected<R, Count> chain, std::vector<std::optional<R>> const& orthogonal)
        : graph_(chain_graph(chain, orthogonal)), chain_(std::move(chain)) {}
    Network(FullyConnected<R, Count> chain) : graph_(chain_graph(chain)), chain_(std::move(chain)) {}
    Network(Graph<R, Count> graph) : graph_(std::move(graph)) {}

    [[nodiscard]] Graph<R, Count> const& graph() const { return graph_; }
    [[nodiscard]] bool is_chain() const { return chain_.has_value(); }

    /// Errors  UnsupportedError for a network that was given as a graph.
    [[nodiscard]] FullyConnected<R, Count> const& chain() const {
        if (!chain_)
            throw UnsupportedError("`network`: a closed form of fully connected (vanilla) networks is asked of another",
                                   "network");
        return *chain_;
    }

private:
    Graph<R, Count> graph_;
    std::optional<FullyConnected<R, Count>> chain_;
};

}  // namespace isserlis
