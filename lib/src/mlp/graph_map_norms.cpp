// SPDX-License-Identifier: MIT
#include <isserlis/mlp/graph_map_norms.hpp>

#include <algorithm>
#include <isserlis/mlp/batch_product.hpp>
#include <limits>
#include <numeric>

namespace isserlis::mlp {
namespace {

constexpr std::size_t closed = std::numeric_limits<std::size_t>::max();

void transpose(std::size_t rows, std::size_t cols, double const* from, std::vector<double>& to) {
    to.resize(rows * cols);
    constexpr std::size_t tile = 16;  // a row of it fills two cache lines
    for (std::size_t i = 0; i < rows; i += tile)
        for (std::size_t j = 0; j < cols; j += tile)
            for (std::size_t p = i; p < std::min(i + tile, rows); ++p)
                for (std::size_t q = j; q < std::min(j + tile, cols); ++q) to[q * rows + p] = from[p * cols + q];
}

/// out += those rows of `from`, each times its factor.
template <class Picks>
void add_picked_rows(std::size_t columns, Picks const& picks, double const* from, double* out) {
    for (std::size_t r = 0; r < picks.size(); ++r) {
        auto const& [place, factor] = picks[r];
        if (place == closed) continue;
        for (std::size_t c = 0; c < columns; ++c) out[r * columns + c] += factor * from[place * columns + c];
    }
}

/// The same of columns.
template <class Picks>
void add_picked_columns(std::size_t rows, std::size_t inner, Picks const& picks, double const* from, double* out) {
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < picks.size(); ++c)
            if (picks[c].place != closed)
                out[r * picks.size() + c] += picks[c].factor * from[r * inner + picks[c].place];
}

}  // namespace

GraphMapNorms::GraphMapNorms(GraphLayout const& layout, std::size_t highest)
    : layout_(&layout), highest_(highest), nodes_(highest + 1) {
    for (auto const& edge : layout.edges())
        if (edge.to <= highest) nodes_[edge.from].last_reader = std::max(nodes_[edge.from].last_reader, edge.to);
    for (auto const& edge : layout.edges())
        if (edge.to <= highest && nodes_[edge.to].last_reader > 0) nodes_[edge.from].is_carried_on = true;
    auto const& top = layout.nodes()[highest];
    variances_.resize(top.first + top.width);
}

std::span<double const> GraphMapNorms::h(std::size_t v) const {
    auto const& node = layout_->nodes()[v];
    return std::span(variances_).subspan(node.first, node.width);
}

bool GraphMapNorms::is_source(std::size_t v, std::size_t w) const {
    auto const& incoming = layout_->nodes()[v].incoming;
    return std::any_of(incoming.begin(), incoming.end(), [&](std::size_t e) { return layout_->edges()[e].from == w; });
}

/// Does nothing else read them? Then covariances with them are needed for nothing.
bool GraphMapNorms::outlives_its_sources(std::size_t v) const {
    auto const& incoming = layout_->nodes()[v].incoming;
    return std::all_of(incoming.begin(), incoming.end(),
                       [&](std::size_t e) { return nodes_[layout_->edges()[e].from].last_reader <= v; });
}

/// Of nodes v that a later one reads, is the covariance with w needed?
bool GraphMapNorms::is_needed(std::size_t v, std::size_t w) const {
    if (is_source(v, w)) return !nodes_[v].is_carried_on || !outlives_its_sources(v);
    return nodes_[v].is_carried_on && nodes_[w].is_carried_on && nodes_[w].last_reader > v;
}

double GraphMapNorms::work() const {
    auto const open = [&](std::size_t v) {
        bool const half = layout_->has_gate(v) && layout_->nodes()[v].slope == 0;
        return static_cast<double>(layout_->nodes()[v].width) * (half ? 0.5 : 1.0);
    };
    double out = 0;
    for (std::size_t v = 1; v <= highest_; ++v) {
        if (nodes_[v].last_reader == 0) continue;
        bool const by_halves = nodes_[v].is_carried_on && outlives_its_sources(v);
        double with_sources = 0;  // columns of the covariances with weighted sources that this one meets
        for (std::size_t const e : layout_->nodes()[v].incoming) {
            auto const& edge = layout_->edges()[e];
            if (!edge.weighted || edge.from == 0) continue;
            double const entries = open(v) * open(edge.from);
            for (std::size_t w = 1; w < v; ++w)
                if (is_needed(v, w)) out += entries * open(w);
            with_sources += open(edge.from);
            if (by_halves)
                out += entries * (open(v) + with_sources);
            else
                out += entries * (nodes_[v].is_carried_on ? open(v) : 1);
        }
    }
    return out;
}

void GraphMapNorms::open_units(GraphPass const& pass, std::size_t v) {
    auto const& node = layout_->nodes()[v];
    auto& of = nodes_[v];
    of.open.clear();
    of.place.assign(node.width, closed);
    for (std::size_t i = 0; i < node.width; ++i) {
        if (pass.gates[node.first + i] == 0) continue;
        of.place[i] = of.open.size();
        of.open.push_back(i);
    }
}

/// What open units of v take from a skip: the place of the unit among the open ones of the source, and their gate.
std::vector<GraphMapNorms::Pick> GraphMapNorms::picked(GraphPass const& pass, std::size_t v,
                                                       GraphLayout::Edge const& edge) const {
    std::size_t const width = layout_->nodes()[edge.from].width;
    std::vector<Pick> out;
    for (std::size_t const i : nodes_[v].open) {
        bool const reached = i >= edge.part && i - edge.part < width;
        out.push_back({.place = reached ? nodes_[edge.from].place[i - edge.part] : closed,
                       .factor = pass.gates[layout_->nodes()[v].first + i]});
    }
    return out;
}

/// The derivatives of open units of the target by open units of the source.
GraphMapNorms::Numbers GraphMapNorms::acting_rows(GraphPass const& pass, std::size_t e) const {
    auto const& edge = layout_->edges()[e];
    auto const& rows = nodes_[edge.to].open;
    auto const& columns = nodes_[edge.from].open;
    std::size_t const width = layout_->nodes()[edge.from].width;
    double const* const gates = pass.gates.data() + layout_->nodes()[edge.to].first;
    Numbers out(rows.size() * columns.size());
    Numbers copy;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        double const factor = edge.scale * gates[rows[r]];
        double const* const row = pass.acting(edge.first + rows[r] * width, width, copy);
        for (std::size_t c = 0; c < columns.size(); ++c) out[r * columns.size() + c] = factor * row[columns[c]];
    }
    return out;
}

/// Of two nodes that move, open units of u by open units of w.
double const* GraphMapNorms::covariance(std::size_t u, std::size_t w) {
    if (u >= w) return nodes_[u].covariance[w].data();
    transpose(nodes_[w].open.size(), nodes_[u].open.size(), nodes_[w].covariance[u].data(), turned_);
    return turned_.data();
}

/// Cov(h^v, h^w) of a node below.
GraphMapNorms::Numbers GraphMapNorms::with_node(GraphPass const& pass, std::size_t v, std::size_t w) {
    auto const& node = layout_->nodes()[v];
    auto const& open = nodes_[v].open;
    std::size_t const columns = nodes_[w].open.size();
    Numbers out(open.size() * columns);
    for (std::size_t k = 0; k < node.incoming.size(); ++k) {
        auto const& edge = layout_->edges()[node.incoming[k]];
        auto const& from = nodes_[edge.from];
        if (!from.moves) continue;
        double const* const below = covariance(edge.from, w);
        if (edge.weighted) {
            add_batch_product({.rows = open.size(), .inner = from.open.size(), .columns = columns}, acting_[k].data(),
                              below, out.data());
            continue;
        }
        add_picked_rows(columns, picked(pass, v, edge), below, out.data());
    }
    return out;
}

/// Cov(h^v, h^v), once those with its sources are known.
GraphMapNorms::Numbers GraphMapNorms::with_itself(GraphPass const& pass, std::size_t v) {
    auto const& node = layout_->nodes()[v];
    auto const& open = nodes_[v].open;
    std::size_t const size = open.size();
    Numbers out(size * size);
    for (std::size_t k = 0; k < node.incoming.size(); ++k) {
        auto const& edge = layout_->edges()[node.incoming[k]];
        auto const& from = nodes_[edge.from];
        if (!from.moves) continue;
        auto const& with_source = with_[edge.from];
        std::size_t const inner = from.open.size();
        if (edge.weighted) {
            transpose(size, inner, acting_[k].data(), turned_);
            add_batch_product({.rows = size, .inner = inner, .columns = size}, with_source.data(), turned_.data(),
                              out.data());
            continue;
        }
        add_picked_columns(size, inner, picked(pass, v, edge), with_source.data(), out.data());
    }
    return out;
}

/// The same without those: with sources u and matrices W of gates and weights, the sum of W_e Cov(u_e, u_f) W_f^T over e
/// and f is a half, f before e and half of f = e, and its transpose. Skips come first, since they multiply nothing.
GraphMapNorms::Numbers GraphMapNorms::with_itself_by_halves(GraphPass const& pass, std::size_t v) {
    auto const& node = layout_->nodes()[v];
    auto const& open = nodes_[v].open;
    std::size_t const size = open.size();
    std::vector<std::size_t> order;
    for (bool const weighted : {false, true})
        for (std::size_t k = 0; k < node.incoming.size(); ++k) {
            auto const& edge = layout_->edges()[node.incoming[k]];
            if (edge.weighted == weighted && nodes_[edge.from].moves) order.push_back(k);
        }
    Numbers half(size * size);
    Numbers below;  // the sum of Cov(u_e, u_f) W_f^T
    for (std::size_t at = 0; at < order.size(); ++at) {
        auto const& edge = layout_->edges()[node.incoming[order[at]]];
        auto const& from = nodes_[edge.from];
        std::size_t const rows = from.open.size();
        below.assign(rows * size, 0.0);
        for (std::size_t other = at + 1; other-- > 0;) {
            auto const& other_edge = layout_->edges()[node.incoming[order[other]]];
            auto const& other_from = nodes_[other_edge.from];
            std::size_t const inner = other_from.open.size();
            double const* const with = covariance(edge.from, other_edge.from);
            if (other_edge.weighted) {
                transpose(size, inner, acting_[order[other]].data(), columns_);
                add_batch_product({.rows = rows, .inner = inner, .columns = size}, with, columns_.data(), below.data());
            } else {
                add_picked_columns(rows, inner, picked(pass, v, other_edge), with, below.data());
            }
            if (other == at)
                for (double& x : below) x /= 2;
        }
        if (edge.weighted) {
            add_batch_product({.rows = size, .inner = rows, .columns = size}, acting_[order[at]].data(), below.data(),
                              half.data());
            continue;
        }
        add_picked_rows(size, picked(pass, v, edge), below.data(), half.data());
    }
    transpose(size, size, half.data(), turned_);
    for (std::size_t i = 0; i < half.size(); ++i) half[i] += turned_[i];
    return half;
}

void GraphMapNorms::add_own_noise(GraphPass const& pass, std::size_t v, double strength, Numbers& own) {
    auto const& node = layout_->nodes()[v];
    auto const& open = nodes_[v].open;
    for (std::size_t r = 0; r < open.size(); ++r) {
        double const gate = pass.gates[node.first + open[r]];
        double& variance = own[r * open.size() + r];
        variance += strength * gate * gate;
        variances_[node.first + open[r]] = variance;
    }
}

/// The diagonal of that alone.
void GraphMapNorms::take_variances(GraphPass const& pass, std::size_t v, double strength) {
    auto const& node = layout_->nodes()[v];
    auto const& open = nodes_[v].open;
    std::vector<std::vector<Pick>> picks;
    for (std::size_t const e : node.incoming) {
        auto const& edge = layout_->edges()[e];
        picks.push_back(edge.weighted || !nodes_[edge.from].moves ? std::vector<Pick>() : picked(pass, v, edge));
    }
    for (std::size_t r = 0; r < open.size(); ++r) {
        double const gate = pass.gates[node.first + open[r]];
        double sum = strength * gate * gate;
        for (std::size_t k = 0; k < node.incoming.size(); ++k) {
            auto const& edge = layout_->edges()[node.incoming[k]];
            auto const& from = nodes_[edge.from];
            if (!from.moves) continue;
            std::size_t const inner = from.open.size();
            double const* const row = with_[edge.from].data() + r * inner;
            if (edge.weighted) {
                sum += std::inner_product(row, row + inner, acting_[k].data() + r * inner, 0.0);
                continue;
            }
            auto const& [place, factor] = picks[k][r];
            if (place != closed) sum += factor * row[place];
        }
        variances_[node.first + open[r]] = sum;
    }
}

void GraphMapNorms::forget_unread(std::size_t v) {
    for (std::size_t w = 1; w <= v; ++w) {
        if (nodes_[w].last_reader > v || nodes_[w].covariance.empty()) continue;
        nodes_[w].covariance.clear();
        for (std::size_t u = w + 1; u <= v; ++u)
            if (w < nodes_[u].covariance.size()) Numbers().swap(nodes_[u].covariance[w]);
    }
}

void GraphMapNorms::forward(GraphPass const& pass, std::span<double const> strengths) {
    std::fill(variances_.begin(), variances_.end(), 0.0);
    for (auto& node : nodes_) {
        node.moves = false;
        node.covariance.clear();
    }
    for (std::size_t v = 1; v <= highest_; ++v) {
        auto const& incoming = layout_->nodes()[v].incoming;
        auto& node = nodes_[v];
        node.moves = node.last_reader > 0 &&
                     (strengths[v] != 0 || std::any_of(incoming.begin(), incoming.end(), [&](std::size_t e) {
                          return nodes_[layout_->edges()[e].from].moves;
                      }));
        if (!node.moves) continue;
        open_units(pass, v);
        acting_.assign(incoming.size(), {});
        for (std::size_t k = 0; k < incoming.size(); ++k) {
            auto const& edge = layout_->edges()[incoming[k]];
            if (edge.weighted && nodes_[edge.from].moves) acting_[k] = acting_rows(pass, incoming[k]);
        }
        with_.assign(v, {});
        for (std::size_t w = 1; w < v; ++w)
            if (nodes_[w].moves && is_needed(v, w)) with_[w] = with_node(pass, v, w);
        if (node.is_carried_on) {
            auto own = outlives_its_sources(v) ? with_itself_by_halves(pass, v) : with_itself(pass, v);
            add_own_noise(pass, v, strengths[v], own);
            node.covariance = std::move(with_);
            node.covariance.push_back(std::move(own));
        } else {
            take_variances(pass, v, strengths[v]);
        }
        forget_unread(v);
    }
}

}  // namespace isserlis::mlp
