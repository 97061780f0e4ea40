// SPDX-License-Identifier: MIT
#include <isserlis/mlp/graph_derivatives.hpp>

#include <algorithm>

namespace isserlis::mlp {

template <unsigned K>
GraphDerivatives<K>::GraphDerivatives(GraphLayout const& layout)
    : layout_(&layout), h_(layout.neurons()), by_h_(layout.neurons()), by_z_(layout.neurons()) {}

template <unsigned K>
void GraphDerivatives<K>::begin(GraphPass const& pass) {
    pass_ = &pass;
    weights_ = layout_->weights().data();
    std::copy(pass.h.begin(), pass.h.end(), h_.begin());
    perturbed_from_ = layout_->nodes().size();
}

template <unsigned K>
void GraphDerivatives<K>::forward(std::array<std::size_t, K> const& perturbed) {
    perturbed_ = perturbed;
    auto const& nodes = layout_->nodes();
    std::size_t first = nodes.size();
    for (std::size_t const w : perturbed) first = std::min(first, layout_->edges()[weights_[w].edge].to);
    for (std::size_t v = perturbed_from_; v < first; ++v)
        std::copy_n(pass_->h.begin() + static_cast<std::ptrdiff_t>(nodes[v].first), nodes[v].width,
                    h_.begin() + static_cast<std::ptrdiff_t>(nodes[v].first));
    perturbed_from_ = first;
    for (std::size_t v = first; v < nodes.size(); ++v) compute(v);
}

/// The activations of a node from those below it.
template <unsigned K>
void GraphDerivatives<K>::compute(std::size_t v) {
    auto const& nodes = layout_->nodes();
    auto const& node = nodes[v];
    for (std::size_t i = 0; i < node.width; ++i)
        h_[node.first + i] = node.first_bias ? Scalar(pass_->drawn(*node.first_bias + i)) : Scalar();
    for (std::size_t const e : node.incoming) {
        auto const& edge = layout_->edges()[e];
        auto const& from = nodes[edge.from];
        Scalar const* const below = h_.data() + from.first;
        if (!edge.weighted) {
            for (std::size_t i = 0; i < from.width; ++i) h_[node.first + edge.part + i] += below[i];
            continue;
        }
        for (std::size_t i = 0; i < node.width; ++i) {
            if (pass_->gates[node.first + i] == 0) continue;
            double const* const row = pass_->acting(edge.first + i * from.width, from.width, row_);
            Scalar sum;
            for (std::size_t j = 0; j < from.width; ++j) sum += row[j] * below[j];
            sum *= edge.scale;
            h_[node.first + i] += sum;
        }
        for (unsigned k = 1; k <= K; ++k) {
            auto const& w = weights_[perturbed_[k - 1]];
            if (w.edge == e && acts(w)) h_[w.row].add_infinitesimal_times(k, edge.scale * h_[w.column]);
        }
    }
    for (std::size_t i = node.first; i < node.first + node.width; ++i) h_[i] *= pass_->gates[i];
}

template <unsigned K>
void GraphDerivatives<K>::backward(std::size_t node, bool activated, std::size_t neuron) {
    auto const& nodes = layout_->nodes();
    if (node != top_) std::fill(by_z_.begin(), by_z_.end(), Scalar());
    top_ = node;
    std::size_t const end = nodes[node].first + nodes[node].width;
    std::fill(by_h_.begin(), by_h_.begin() + static_cast<std::ptrdiff_t>(end), Scalar());
    std::size_t const start = nodes[node].first + neuron;
    by_h_[start] = 1;
    for (std::size_t v = node; v > 0; --v) {
        for (std::size_t i = nodes[v].first; i < nodes[v].first + nodes[v].width; ++i)
            by_z_[i] = by_h_[i] * pass_->gates[i];
        if (v == node && !activated) by_z_[start] = 1;
        distribute(v);
    }
}

/// Hands the adjoints of a node down to its sources.
template <unsigned K>
void GraphDerivatives<K>::distribute(std::size_t v) {
    auto const& nodes = layout_->nodes();
    auto const& node = nodes[v];
    for (std::size_t const e : node.incoming) {
        auto const& edge = layout_->edges()[e];
        if (edge.from == 0) continue;
        auto const& from = nodes[edge.from];
        Scalar* const below = by_h_.data() + from.first;
        if (!edge.weighted) {
            for (std::size_t i = 0; i < from.width; ++i) below[i] += by_z_[node.first + edge.part + i];
            continue;
        }
        for (std::size_t i = 0; i < node.width; ++i) {
            // A closed gate hands nothing down, unless this is the z that was asked for.
            Scalar const by_z = edge.scale * by_z_[node.first + i];  // by W h without its scale
            if (pass_->gates[node.first + i] == 0 && v != top_) continue;
            double const* const row = pass_->acting(edge.first + i * from.width, from.width, row_);
            for (std::size_t j = 0; j < from.width; ++j) below[j] += row[j] * by_z;
        }
        for (unsigned k = 1; k <= K; ++k) {
            auto const& w = weights_[perturbed_[k - 1]];
            if (w.edge == e && acts(w)) by_h_[w.column].add_infinitesimal_times(k, edge.scale * by_z_[w.row]);
        }
    }
}

template class GraphDerivatives<0>;
template class GraphDerivatives<1>;
template class GraphDerivatives<2>;
template class GraphDerivatives<3>;

}  // namespace isserlis::mlp
