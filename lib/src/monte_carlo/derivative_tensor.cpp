// SPDX-License-Identifier: MIT
#include "derivative_tensor.hpp"

#include <algorithm>
#include <numeric>

namespace isserlis::monte_carlo::detail {

DerivativeFiller::DerivativeFiller(mlp::GraphLayout const& layout)
    : layout_(&layout), first_(layout), second_(layout), third_(layout), fourth_(layout), alive_(highest_derivative) {}

void DerivativeFiller::fill(DerivativeTensor const& tensor, mlp::GraphPass const& pass, std::span<double> out) {
    switch (tensor.by.size()) {
        case 0: {
            auto const& values = tensor.activated ? pass.h : pass.z;
            auto const from =
                values.begin() + static_cast<std::ptrdiff_t>(layout_->nodes()[tensor.node].first + tensor.first);
            std::copy_n(from, tensor.count, out.begin());
            return;
        }
        case 1: return fill<0>(first_, tensor, pass, out);
        case 2: return fill<1>(second_, tensor, pass, out);
        case 3: return fill<2>(third_, tensor, pass, out);
        default: return fill<3>(fourth_, tensor, pass, out);
    }
}

template <unsigned K>
void DerivativeFiller::fill(mlp::GraphDerivatives<K>& derivatives, DerivativeTensor const& tensor,
                            mlp::GraphPass const& pass, std::span<double> out) {
    std::fill(out.begin(), out.end(), 0.0);
    auto const& weights = layout_->weights();
    auto const& node = layout_->nodes()[tensor.node];
    std::size_t const end = node.first + node.width;
    for (std::size_t k = 0; k <= K; ++k) {
        alive_[k].clear();
        for (std::size_t place = 0; place < tensor.by[k]->size(); ++place) {
            auto const& w = weights[(*tensor.by[k])[place]];
            bool const asked = !tensor.activated && w.row >= node.first && w.row < end;
            bool const side = !layout_->concatenated() || (pass.positive[w.column] != 0) != w.negative;
            if (w.row < end && side && pass.gates[w.column] != 0 && (asked || pass.gates[w.row] != 0))
                alive_[k].push_back(place);
        }
    }
    derivatives.begin(pass);
    std::array<std::size_t, K> chosen{};
    fill_rows<K>(derivatives, tensor, out, chosen, 0);
}

/// All choices of weights for by[k] .. by[K - 1], given those before.
template <unsigned K>
void DerivativeFiller::fill_rows(mlp::GraphDerivatives<K>& derivatives, DerivativeTensor const& tensor,
                                 std::span<double> out, std::array<std::size_t, K>& chosen, unsigned k) {
    if (k == K) return fill_row<K>(derivatives, tensor, out, chosen);
    auto const& weights = layout_->weights();
    auto const edge = [&](unsigned l, std::size_t place) { return weights[(*tensor.by[l])[place]].edge; };
    for (std::size_t const place : alive_[k]) {
        if (k > 0 && tensor.by[k] == tensor.by[k - 1] && place <= chosen[k - 1]) continue;
        bool repeated = false;
        for (unsigned l = 0; l < k; ++l) repeated = repeated || edge(l, chosen[l]) == edge(k, place);
        if (repeated) continue;
        chosen[k] = place;
        fill_rows<K>(derivatives, tensor, out, chosen, k + 1);
    }
}

template <unsigned K>
void DerivativeFiller::fill_row(mlp::GraphDerivatives<K>& derivatives, DerivativeTensor const& tensor,
                                std::span<double> out, std::array<std::size_t, K> const& chosen) {
    std::array<std::size_t, K> perturbed{};
    for (unsigned k = 0; k < K; ++k) perturbed[k] = (*tensor.by[k])[chosen[k]];
    derivatives.forward(perturbed);
    auto const& last = *tensor.by[K];
    row_.assign(last.size(), 0);
    for (std::size_t i = 0; i < tensor.count; ++i) {
        derivatives.backward(tensor.node, tensor.activated, tensor.first + i);
        for (std::size_t const place : alive_[K]) row_[place] = derivatives.derivative(last[place]);
        // The same derivatives in every order of equal sets.
        std::array<unsigned, K> order{};
        std::iota(order.begin(), order.end(), 0U);
        do {
            std::size_t row = i;
            bool equal = true;
            for (unsigned k = 0; k < K; ++k) {
                equal = equal && tensor.by[order[k]] == tensor.by[k];
                row = row * tensor.by[k]->size() + chosen[order[k]];
            }
            if (equal)
                std::copy(row_.begin(), row_.end(), out.begin() + static_cast<std::ptrdiff_t>(row * last.size()));
        } while (std::next_permutation(order.begin(), order.end()));
    }
}

double work_of(mlp::GraphLayout const& layout, DerivativeTensor const& tensor) {
    if (tensor.by.empty()) return static_cast<double>(tensor.count);
    // How likely a neuron's gate is open: half of all ReLU gates are.
    std::vector<double> open;
    for (std::size_t v = 0; v < layout.nodes().size(); ++v)
        open.insert(open.end(), layout.nodes()[v].width,
                    layout.has_gate(v) && layout.nodes()[v].slope == 0 ? 0.5 : 1.0);
    auto const& all = layout.weights();
    auto const alive = [&](std::vector<std::size_t> const& weights) {
        double out = 0;
        for (std::size_t const place : weights) {
            auto const& w = all[place];
            out += open[w.row] * open[w.column] * (layout.concatenated() ? 0.5 : 1.0);
        }
        return out;
    };
    double one_way = static_cast<double>(layout.neurons());
    for (auto const& w : all) one_way += w.negative ? 0 : open[w.row];
    double passes = 1;
    double equal = 0;
    for (std::size_t k = 0; k + 1 < tensor.by.size(); ++k) {
        equal = k > 0 && tensor.by[k] == tensor.by[k - 1] ? equal + 1 : 1;
        // Sorted choices of equal sets, and a jet of twice the size.
        passes *= 2 * alive(*tensor.by[k]) / equal;
    }
    return passes * (one_way + static_cast<double>(tensor.count) * (one_way + alive(*tensor.by.back())));
}

}  // namespace isserlis::monte_carlo::detail
