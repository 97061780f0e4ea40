// SPDX-License-Identifier: MIT
#include <isserlis/mlp/graph_adjoints.hpp>

#include <algorithm>
#include <utility>

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

GraphAdjoints::GraphAdjoints(GraphLayout const& layout, NeuronRange const& of, std::size_t lowest, bool summed)
    : layout_(&layout),
      of_(of),
      lowest_(std::min(std::max<std::size_t>(lowest, 1), of.node)),
      rows_(summed ? 1 : of.count) {
    std::size_t const end = first(of.node) + layout.nodes()[of.node].width;
    by_z_.resize(rows_ * (end - first(lowest_)));
}

std::span<double const> GraphAdjoints::by_z(std::size_t v) const {
    if (v > of_.node || v < lowest_ || v == 0) return {};
    return std::span(by_z_).subspan((first(v) - first(lowest_)) * rows_, layout_->nodes()[v].width * rows_);
}

double GraphAdjoints::work() const { return static_cast<double>(rows_) * entries_between(*layout_, lowest_, of_.node); }

void GraphAdjoints::backward(GraphPass const& pass) {
    std::fill(by_z_.begin(), by_z_.end(), 0.0);
    if (of_.node == 0) return;
    auto const& node = layout_->nodes()[of_.node];
    double* const top = block(of_.node);
    for (std::size_t r = 0; r < rows_; ++r) {
        std::size_t const i = of_.first + r;
        top[r * node.width + i] = of_.activated ? pass.gates[node.first + i] : 1;
    }
    pass_down(pass);
}

void GraphAdjoints::backward(GraphPass const& pass, std::span<double const> factors) {
    std::fill(by_z_.begin(), by_z_.end(), 0.0);
    if (of_.node == 0) return;
    auto const& node = layout_->nodes()[of_.node];
    double* const top = block(of_.node) + of_.first;
    for (std::size_t i = 0; i < of_.count; ++i)
        top[i] = factors[i] * (of_.activated ? pass.gates[node.first + of_.first + i] : 1);
    pass_down(pass);
}

/// From the node asked to the lowest.
void GraphAdjoints::pass_down(GraphPass const& pass) {
    auto const& nodes = layout_->nodes();
    for (std::size_t v = of_.node; v >= lowest_; --v) {
        auto const& node = nodes[v];
        if (v != of_.node && layout_->has_gate(v)) {
            double const* const gates = pass.gates.data() + node.first;
            for (std::size_t r = 0; r < rows_; ++r)
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
            for (std::size_t r = 0; r < rows_; ++r)
                add_multiple(1, from_above + r * node.width + edge.part, width, below + r * width);
        } else if (v == of_.node && rows_ == of_.count) {  // each row has one entry
            for (std::size_t r = 0; r < rows_; ++r) {
                std::size_t const i = of_.first + r;
                add_multiple(edge.scale * from_above[r * node.width + i],
                             pass.acting(edge.first + i * width, width, product_), width, below + r * width);
            }
        } else {
            double const* const rows = scaled(from_above, rows_ * node.width, edge.scale, scaled_);
            if (rows_ == 1) {
                product_.resize(width);
                products_.transposed_times(pass, edge.first, node.width, width, rows, product_.data());
                add_multiple(1, product_.data(), width, below);
            } else {
                products_.add_before({.rows = rows_, .inner = node.width, .columns = width}, rows, pass, edge.first,
                                     below);
            }
        }
    }
}

GraphTangents::GraphTangents(GraphLayout const& layout, std::size_t count, std::size_t highest, std::vector<char> kept)
    : layout_(&layout),
      count_(count),
      highest_(highest),
      kept_(std::move(kept)),
      last_reader_(highest + 1),
      z_(highest + 1),
      h_(highest + 1),
      moves_(highest + 1) {
    kept_.resize(highest + 1, kept_.empty() ? 1 : 0);
    for (auto const& edge : layout.edges())
        if (edge.to <= highest) last_reader_[edge.from] = std::max(last_reader_[edge.from], edge.to);
}

double GraphTangents::work() const { return static_cast<double>(count_) * entries_between(*layout_, 1, highest_); }

GraphTangents::Numbers GraphTangents::zeros(std::size_t v) {
    Numbers out;
    if (!spare_.empty()) {
        out = std::move(spare_.back());
        spare_.pop_back();
    }
    out.assign(layout_->nodes()[v].width * count_, 0.0);
    return out;
}

void GraphTangents::give_back(Numbers& numbers) {
    if (numbers.capacity() > 0) spare_.push_back(std::move(numbers));
    numbers = {};
}

/// z += what the source of an edge hands on.
void GraphTangents::add_from_below(GraphPass const& pass, std::size_t e, double* z) {
    auto const& edge = layout_->edges()[e];
    auto const below = h(edge.from);
    if (!edge.weighted) {
        add_multiple(1, below.data(), below.size(), z + edge.part * count_);
        return;
    }
    std::size_t const width = layout_->nodes()[edge.to].width;
    std::size_t const inner = layout_->nodes()[edge.from].width;
    double const* const columns = scaled(below.data(), below.size(), edge.scale, scaled_);
    if (count_ == 1) {
        product_.resize(width);
        products_.times(pass, edge.first, width, inner, columns, product_.data());
        add_multiple(1, product_.data(), width, z);
    } else {
        products_.add_times({.rows = width, .inner = inner, .columns = count_}, pass, edge.first, columns, z);
    }
}

void GraphTangents::forward(GraphPass const& pass, GraphAdjoints const& along, std::span<double const> strengths,
                            std::function<void(std::size_t)> const& at) {
    auto const& nodes = layout_->nodes();
    for (std::size_t v = 0; v <= highest_; ++v) {
        give_back(z_[v]);
        give_back(h_[v]);
    }
    moves_[0] = 0;
    z_[0] = zeros(0);
    h_[0] = zeros(0);
    for (std::size_t v = 1; v <= highest_; ++v) {
        auto const& node = nodes[v];
        if (at) at(v);
        z_[v] = zeros(v);
        double* const z = z_[v].data();
        double strength = strengths[layout_->edges().size() + v];
        moves_[v] = 0;
        for (std::size_t const e : node.incoming) {
            auto const& edge = layout_->edges()[e];
            if (edge.weighted) strength += strengths[e];
            if (moves_[edge.from] == 0) continue;
            moves_[v] = 1;
            add_from_below(pass, e, z);
        }
        auto const rows = along.by_z(v);
        if (strength != 0 && !rows.empty()) {
            moves_[v] = 1;
            for (std::size_t r = 0; r < count_; ++r)
                for (std::size_t i = 0; i < node.width; ++i) z[i * count_ + r] += strength * rows[r * node.width + i];
        }
        h_[v] = zeros(v);
        double* const h = h_[v].data();
        for (std::size_t i = 0; i < node.width; ++i)
            for (std::size_t r = 0; r < count_; ++r) h[i * count_ + r] = pass.gates[node.first + i] * z[i * count_ + r];
        if (kept_[v] == 0) give_back(z_[v]);
        for (std::size_t const e : node.incoming) {
            std::size_t const u = layout_->edges()[e].from;
            if (last_reader_[u] <= v && kept_[u] == 0) give_back(h_[u]);
        }
    }
}

}  // namespace isserlis::mlp
