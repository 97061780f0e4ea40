// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/mlp/batch_product.hpp>
#include <isserlis/mlp/graph_adjoints.hpp>
#include <isserlis/mlp/matrix_vector.hpp>

namespace isserlis::mlp {
namespace {

/// x times factor, copied only where that changes anything.
double const* scaled(double const* x, std::size_t size, double factor, std::vector<double>& copy) {
    if (factor == 1) return x;
    copy.resize(size);
    std::transform(x, x + size, copy.begin(), [factor](double v) { return factor * v; });
    return copy.data();
}

void add_multiple(double factor, double const* x, std::size_t size, double* to) {
    for (std::size_t j = 0; j < size; ++j) to[j] += factor * x[j];
}

double entries_between(GraphLayout const& layout, std::size_t lowest_source, std::size_t highest) {
    double out = 0;
    for (auto const& edge : layout.edges())
        if (edge.weighted && edge.from >= lowest_source && edge.to <= highest)
            out += static_cast<double>(layout.entries(edge));
    return out;
}

}  // namespace

GraphAdjoints::GraphAdjoints(GraphLayout const& layout, NeuronRange const& of, std::size_t lowest)
    : layout_(&layout), of_(of), lowest_(std::min(std::max<std::size_t>(lowest, 1), of.node)) {
    std::size_t const end = first(of.node) + layout.nodes()[of.node].width;
    by_z_.resize(of.count * (end - first(lowest_)));
}

std::span<double const> GraphAdjoints::by_z(std::size_t v) const {
    if (v > of_.node || v < lowest_ || v == 0) return {};
    return std::span(by_z_).subspan((first(v) - first(lowest_)) * of_.count, layout_->nodes()[v].width * of_.count);
}

double GraphAdjoints::work() const {
    return static_cast<double>(of_.count) * entries_between(*layout_, lowest_, of_.node);
}

void GraphAdjoints::backward(GraphPass const& pass) {
    std::fill(by_z_.begin(), by_z_.end(), 0.0);
    if (of_.node == 0) return;
    auto const& nodes = layout_->nodes();
    double* const top = block(of_.node);
    for (std::size_t r = 0; r < of_.count; ++r) {
        std::size_t const i = of_.first + r;
        top[r * nodes[of_.node].width + i] = of_.activated ? pass.gates[nodes[of_.node].first + i] : 1;
    }
    for (std::size_t v = of_.node; v >= lowest_; --v) {
        auto const& node = nodes[v];
        if (v != of_.node && layout_->has_gate(v)) {
            double const* const gates = pass.gates.data() + node.first;
            for (std::size_t r = 0; r < of_.count; ++r)
                for (std::size_t i = 0; i < node.width; ++i) block(v)[r * node.width + i] *= gates[i];
        }
        distribute(pass, v);
    }
}

/// Hands what has come to a node down to its sources, as derivatives by their h.
void GraphAdjoints::distribute(GraphPass const& pass, std::size_t v) {
    auto const& nodes = layout_->nodes();
    auto const& node = nodes[v];
    double const* const from_above = block(v);
    for (std::size_t const e : node.incoming) {
        auto const& edge = layout_->edges()[e];
        if (edge.from < lowest_) continue;
        std::size_t const width = nodes[edge.from].width;
        double* const below = block(edge.from);
        if (!edge.weighted) {
            for (std::size_t r = 0; r < of_.count; ++r)
                add_multiple(1, from_above + r * node.width + edge.part, width, below + r * width);
        } else if (v == of_.node) {  // each row has one entry
            for (std::size_t r = 0; r < of_.count; ++r) {
                std::size_t const i = of_.first + r;
                add_multiple(edge.scale * from_above[r * node.width + i], pass.acting(edge.first + i * width), width,
                             below + r * width);
            }
        } else {
            double const* const rows = scaled(from_above, of_.count * node.width, edge.scale, scaled_);
            if (of_.count == 1) {
                product_.resize(width);
                multiply_vector_transposed(node.width, width, pass.acting(edge.first), rows, product_.data());
                add_multiple(1, product_.data(), width, below);
            } else {
                add_batch_product({.rows = of_.count, .inner = node.width, .columns = width}, rows,
                                  pass.acting(edge.first), below);
            }
        }
    }
}

GraphTangents::GraphTangents(GraphLayout const& layout, std::size_t count, std::size_t highest)
    : layout_(&layout), count_(count), highest_(highest), moves_(highest + 1) {
    std::size_t const neurons = layout.nodes()[highest].first + layout.nodes()[highest].width;
    z_.resize(count * neurons);
    h_.resize(count * neurons);
}

std::span<double const> GraphTangents::z(std::size_t v) const {
    return std::span(z_).subspan(place(v), layout_->nodes()[v].width * count_);
}

std::span<double const> GraphTangents::h(std::size_t v) const {
    return std::span(h_).subspan(place(v), layout_->nodes()[v].width * count_);
}

double GraphTangents::work() const { return static_cast<double>(count_) * entries_between(*layout_, 1, highest_); }

void GraphTangents::forward(GraphPass const& pass, GraphAdjoints const& along, std::span<double const> strengths) {
    auto const& nodes = layout_->nodes();
    std::fill(z_.begin(), z_.end(), 0.0);
    moves_[0] = 0;
    for (std::size_t v = 1; v <= highest_; ++v) {
        auto const& node = nodes[v];
        double* const z = z_.data() + place(v);
        double strength = strengths[layout_->edges().size() + v];
        moves_[v] = 0;
        for (std::size_t const e : node.incoming) {
            auto const& edge = layout_->edges()[e];
            if (edge.weighted) strength += strengths[e];
            if (moves_[edge.from] == 0) continue;
            moves_[v] = 1;
            auto const below = h(edge.from);
            if (!edge.weighted) {
                add_multiple(1, below.data(), below.size(), z + edge.part * count_);
                continue;
            }
            double const* const columns = scaled(below.data(), below.size(), edge.scale, scaled_);
            std::size_t const inner = nodes[edge.from].width;
            if (count_ == 1) {
                product_.resize(node.width);
                multiply_vector(node.width, inner, pass.acting(edge.first), columns, product_.data());
                add_multiple(1, product_.data(), node.width, z);
            } else {
                add_batch_product({.rows = node.width, .inner = inner, .columns = count_}, pass.acting(edge.first),
                                  columns, z);
            }
        }
        auto const rows = along.by_z(v);
        if (strength != 0 && !rows.empty()) {
            moves_[v] = 1;
            for (std::size_t r = 0; r < count_; ++r)
                for (std::size_t i = 0; i < node.width; ++i) z[i * count_ + r] += strength * rows[r * node.width + i];
        }
        double* const h = h_.data() + place(v);
        for (std::size_t i = 0; i < node.width; ++i)
            for (std::size_t r = 0; r < count_; ++r) h[i * count_ + r] = pass.gates[node.first + i] * z[i * count_ + r];
    }
}

}  // namespace isserlis::mlp
