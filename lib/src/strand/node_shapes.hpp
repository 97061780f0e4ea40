// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/network/known.hpp>
#include <isserlis/strand/places.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "strand/node_rule.hpp"

namespace isserlis {

/// The shapes of a network's nodes as one bundle sees them: which strands start there, which labels and cumulants its
/// edges may carry, which labels may sit below.
template <class R, class Count>
class NodeShapes {
public:
    NodeShapes(NamedNetwork<R, Count> const& network, Bundle const& bundle,
               std::vector<std::set<EdgePlace>> const& restrictions)
        : network_(network), bundle_(bundle), restrictions_(restrictions) {
        auto const& stages = network.graph().stages;
        labels_below_.assign(1, 0);
        for (std::size_t b = 0; b < stages.size(); ++b) {
            labels_below_.push_back(
                static_cast<std::uint16_t>(labels_below_[b] | labels_in(b, stages[b].nodes.size() + 1)));
        }
    }

    /// Node v of stage b, counted from 1.
    ///
    /// Errors  UnsupportedError for weights that are not Gaussian under more strands than are served.
    [[nodiscard]] NodeShape at(std::size_t b, std::size_t v) const {
        auto const& stage = network_.graph().stages[b];
        auto const& node = stage.nodes[v - 1];
        NodeShape out;
        out.node = static_cast<unsigned>(v);
        out.concatenation = node.kind == GraphNode<R>::Kind::concatenation;
        out.gated = node.gate.has_value();
        out.name = network_.name({.stage = b, .node = v});
        bool const repeated = !(stage.count == Count(1));
        out.labels_below = labels_in(b, repeated ? stage.nodes.size() + 1 : v);
        out.labels_below = static_cast<std::uint16_t>(out.labels_below | labels_below_[b]);
        for (unsigned s = 0; s < bundle_.strands.size(); ++s) {
            if (bundle_.strands[s].start != NodePlace{.stage = b, .node = v}) continue;
            out.starts_here = static_cast<std::uint16_t>(out.starts_here | 1U << s);
            if (!bundle_.strands[s].activated)
                out.preactivated = static_cast<std::uint16_t>(out.preactivated | 1U << s);
        }
        out.constants = !bundle_.constants.empty() && network_.output() == NodePlace{.stage = b, .node = v};
        for (std::size_t e = 0; e < stage.edges.size(); ++e) {
            auto const& edge = stage.edges[e];
            if (edge.to != v) continue;
            NodeShape::Edge shape{.from = static_cast<unsigned>(edge.from),
                                  .skip = edge.kind == GraphEdge<R>::Kind::skip,
                                  .cumulants = 0,
                                  .labels = 0};
            if (!shape.skip) {
                shape.orthogonal = edge.orthogonal.has_value();
                if (shape.orthogonal)
                    check_orthogonal(edge, network_.width(network_.source({.stage = b, .edge = e})), node.width);
                shape.cumulants = cumulants_of(edge.law);
                for (unsigned l = 0; l < bundle_.labels.size(); ++l) {
                    if (allowed(l, b, e)) shape.labels = static_cast<std::uint16_t>(shape.labels | 1U << l);
                }
            }
            for (unsigned s = 0; s < bundle_.strands.size(); ++s) {
                if (bundle_.strands[s].matrix == EdgePlace{.stage = b, .edge = e})
                    shape.entries = static_cast<std::uint16_t>(shape.entries | 1U << s);
            }
            out.edges.push_back(shape);
        }
        if (node.bias)
            out.edges.push_back(
                {.bias = true, .cumulants = cumulants_of(node.bias->law), .labels = labels_of(*node.bias)});
        return out;
    }

private:
    [[nodiscard]] bool allowed(unsigned label, std::size_t stage, std::size_t edge) const {
        unsigned const r = bundle_.labels[label].restriction;
        return r == 0 || restrictions_[r - 1].count({.stage = stage, .edge = edge}) != 0;
    }

    /// Bit l: label l may sit on these biases. A place of a restriction means weights.
    [[nodiscard]] std::uint16_t labels_of(Bias<R> const& bias) const {
        std::uint16_t out = 0;
        if (bias.label_factor == R(0)) return out;
        for (unsigned l = 0; l < bundle_.labels.size(); ++l) {
            if (bundle_.labels[l].restriction == 0) out = static_cast<std::uint16_t>(out | 1U << l);
        }
        return out;
    }

    /// Bit l: label l may sit on a weight edge or bias of the stage that leads into a node below `node`.
    [[nodiscard]] std::uint16_t labels_in(std::size_t stage, std::size_t node) const {
        std::uint16_t out = 0;
        auto const& nodes = network_.graph().stages[stage].nodes;
        for (std::size_t v = 1; v < node && v <= nodes.size(); ++v) {
            if (nodes[v - 1].bias) out = static_cast<std::uint16_t>(out | labels_of(*nodes[v - 1].bias));
        }
        auto const& edges = network_.graph().stages[stage].edges;
        for (std::size_t e = 0; e < edges.size(); ++e) {
            if (edges[e].kind == GraphEdge<R>::Kind::skip || edges[e].to >= node) continue;
            for (unsigned l = 0; l < bundle_.labels.size(); ++l) {
                if (allowed(l, stage, e)) out = static_cast<std::uint16_t>(out | 1U << l);
            }
        }
        return out;
    }

    /// Errors  UnsupportedError where more strands meet an orthogonal matrix than are served, it is one of two of a layer,
    ///         or symbols leave open which of its sides is larger.
    void check_orthogonal(GraphEdge<R> const& edge, R const& fan_in, R const& fan_out) const {
        if (network_.graph().sides == WeightSides::independent)
            throw UnsupportedError(
                "`law` orthogonal: a concatenated ReLU with two orthogonal matrices in each layer is not served; "
                "`activation` crelu-tied, whose sides share a matrix, is",
                "law");
        if (*edge.orthogonal == R(0)) {
            throw UnsupportedError("`law` orthogonal: the formula depends on which of the widths " + shown(fan_in) +
                                       " and " + shown(fan_out) +
                                       " is larger; give them values by `set`, or equal names",
                                   "law");
        }
        if (bundle_.strands.size() <= max_orthogonal_strands) return;
        throw UnsupportedError("a term has " + std::to_string(bundle_.strands.size()) +
                               " strands; with orthogonal weights up to " + std::to_string(max_orthogonal_strands) +
                               " are served");
    }

    /// How many of the even cumulants beyond the variance are to be reckoned with.
    [[nodiscard]] unsigned cumulants_of(WeightLaw<R> const& law) const {
        auto const strands = static_cast<unsigned>(bundle_.strands.size());
        if (law.kind == LawKind::gaussian || strands < 4) return 0;
        if (strands > max_cumulant_strands) {
            throw UnsupportedError("a term has " + std::to_string(strands) +
                                   " strands; with weights that are neither Gaussian nor orthogonal up to " +
                                   std::to_string(max_cumulant_strands) + " are served");
        }
        auto const known = static_cast<unsigned>(relative_cumulants(law).size());
        unsigned const needed = strands / 2 - 1;
        if (law.kind == LawKind::kurtosis && needed > 1) {
            throw UnsupportedError("a term has " + std::to_string(strands) +
                                   " strands and needs the sixth moment of the weights; `kurtosis` gives the fourth, "
                                   "use `law`");
        }
        return std::min(known, needed);
    }

    NamedNetwork<R, Count> const& network_;
    Bundle const& bundle_;
    std::vector<std::set<EdgePlace>> const& restrictions_;
    std::vector<std::uint16_t> labels_below_;  ///< labels that may sit below each stage
};

}  // namespace isserlis
