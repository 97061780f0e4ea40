// SPDX-License-Identifier: MIT
#include "entry_tensor.hpp"

#include <algorithm>

namespace isserlis::monte_carlo::detail {

EntryFiller::EntryFiller(mlp::GraphLayout const& layout, EntryTensor const& tensor)
    : layout_(&layout), tensor_(tensor) {
    if (tensor.edge || tensor.node == 0) return;
    adjoints_.emplace(layout, mlp::NeuronRange{.node = tensor.node,
                                               .activated = tensor.activated,
                                               .first = 0,
                                               .count = layout.nodes()[tensor.node].width});
}

template <class T>
void EntryFiller::fill(mlp::GraphPass const& pass, std::vector<T> const& weights, std::span<double> out) {
    if (!tensor_.edge) return fill_jacobian(pass, out);
    auto const& edge = layout_->edges()[*tensor_.edge];
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = edge.scale * static_cast<double>(weights[edge.first + k]);
}

template void EntryFiller::fill(mlp::GraphPass const&, std::vector<float> const&, std::span<double>);
template void EntryFiller::fill(mlp::GraphPass const&, std::vector<double> const&, std::span<double>);

void EntryFiller::fill_jacobian(mlp::GraphPass const& pass, std::span<double> out) {
    std::fill(out.begin(), out.end(), 0.0);
    std::size_t const columns = layout_->nodes().front().width;
    std::size_t const rows = layout_->nodes()[tensor_.node].width;
    if (tensor_.node == 0) {
        for (std::size_t i = 0; i < rows; ++i) out[i * columns + i] = 1;
        return;
    }
    adjoints_->backward(pass);
    for (auto const& edge : layout_->edges()) {
        if (edge.from != 0 || edge.to > tensor_.node) continue;
        std::size_t const width = layout_->nodes()[edge.to].width;
        auto const by_z = adjoints_->by_z(edge.to);
        for (std::size_t r = 0; r < rows; ++r) {
            if (!edge.weighted) {
                for (std::size_t j = 0; j < columns; ++j) out[r * columns + j] += by_z[r * width + edge.part + j];
                continue;
            }
            for (std::size_t i = 0; i < width; ++i) {
                double const along = edge.scale * by_z[r * width + i];
                if (along == 0) continue;
                double const* const row = pass.acting(edge.first + i * columns, columns, row_);
                for (std::size_t j = 0; j < columns; ++j) out[r * columns + j] += along * row[j];
            }
        }
    }
}

double EntryFiller::work() const {
    if (!adjoints_) return 0;
    auto const& nodes = layout_->nodes();
    double out = adjoints_->work();
    for (auto const& edge : layout_->edges()) {
        if (edge.from != 0) continue;
        out += static_cast<double>(nodes[tensor_.node].width) * static_cast<double>(nodes.front().width) *
               (edge.weighted ? static_cast<double>(nodes[edge.to].width) : 1);
    }
    return out;
}

}  // namespace isserlis::monte_carlo::detail
