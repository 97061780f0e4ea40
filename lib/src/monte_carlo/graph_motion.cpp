// SPDX-License-Identifier: MIT
#include "graph_motion.hpp"

#include <isserlis/mlp/matrix_vector.hpp>

namespace isserlis::monte_carlo {

void GraphMotion::forward(mlp::GraphPass const& pass, std::vector<std::vector<double>> const& moves) {
    own_.assign(layout_->neurons(), 0);
    change_.assign(layout_->neurons(), 0);
    below_.assign(layout_->neurons(), 0);
    for (std::size_t v = 1; v < layout_->nodes().size(); ++v) {
        auto const& node = layout_->nodes()[v];
        for (std::size_t const e : node.incoming) {
            auto const& edge = layout_->edges()[e];
            auto const& from = layout_->nodes()[edge.from];
            if (edge.weighted) {
                add_product(edge, moves[e].data(), pass.h.data() + from.first, own_);
                add_product(edge, pass.acting(edge.first), below_.data() + from.first, change_);
            } else {
                for (std::size_t i = 0; i < from.width; ++i)
                    change_[node.first + edge.part + i] += below_[from.first + i];
            }
        }
        for (std::size_t i = node.first; i < node.first + node.width; ++i) {
            change_[i] += own_[i];
            below_[i] = pass.gates[i] * change_[i];
        }
    }
}

void GraphMotion::add_product(mlp::GraphLayout::Edge const& edge, double const* matrix, double const* x,
                              std::vector<double>& to) {
    auto const& target = layout_->nodes()[edge.to];
    product_.resize(target.width);
    mlp::multiply_vector(target.width, layout_->nodes()[edge.from].width, matrix, x, product_.data());
    for (std::size_t i = 0; i < target.width; ++i) to[target.first + i] += edge.scale * product_[i];
}

}  // namespace isserlis::monte_carlo
