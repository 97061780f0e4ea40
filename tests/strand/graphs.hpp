// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/graph.hpp>
#include <isserlis/observable/observable.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/strand/expectation.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/// Networks for the tests of the strand engine.
namespace graphs {

using namespace isserlis;
using Net = Graph<Rational, std::uint64_t>;

/// How the layers of a network look, besides their widths.
template <class R>
struct Style {
    R slope = R(0);  ///< of hidden gates: 0 for ReLU, 1 for a linear network
    bool gated_head = false;
    R gain = R(2);  ///< the variance is gain / fan_in
    WeightLaw<R> law{};
    R label_factor = R(1);
};

/// A node of `width` above the ones there are; a slope of 1 is no gate.
template <class R>
GraphNode<R> node(std::string name, R width, bool gated, R slope = R(0)) {
    return {.name = std::move(name),
            .width = std::move(width),
            .kind = GraphNode<R>::Kind::weighted,
            .gate = gated && !(slope == R(1)) ? std::optional(isserlis::Gate<R>{R(1), slope}) : std::nullopt};
}

template <class R>
GraphEdge<R> weight(std::string name, std::size_t from, std::size_t to, R variance, Style<R> const& style = {}) {
    return {.name = std::move(name),
            .from = from,
            .to = to,
            .kind = GraphEdge<R>::Kind::weight,
            .variance = std::move(variance),
            .law = style.law,
            .label_factor = style.label_factor};
}

template <class R>
GraphEdge<R> skip(std::string name, std::size_t from, std::size_t to) {
    return {.name = std::move(name),
            .from = from,
            .to = to,
            .kind = GraphEdge<R>::Kind::skip,
            .variance = R(0),
            .law = {},
            .label_factor = R(1)};
}

template <class R, class Count>
GraphStage<R, Count> dense(R const& fan_in, R const& fan_out, bool gated, Style<R> const& style, Count first,
                           Count count) {
    return {.nodes = {node<R>("", fan_out, gated, style.slope)},
            .edges = {weight<R>("", 0, 1, style.gain / fan_in, style)},
            .count = count,
            .numbered = true,
            .first = first};
}

/// A chain of layers 1, 2, .. of these widths, input first.
template <class R>
Graph<R, std::uint64_t> vanilla(std::vector<R> const& widths, Style<R> const& style = {}) {
    Graph<R, std::uint64_t> out{.input_name = "0", .input_width = widths.front(), .stages = {}};
    for (std::size_t l = 1; l < widths.size(); ++l) {
        bool const gated = l + 1 < widths.size() || style.gated_head;
        out.stages.push_back(dense<R, std::uint64_t>(widths[l - 1], widths[l], gated, style, l, 1));
    }
    return out;
}

/// n0, then `hidden` layers of n in a row (the first of them read n0), then the output: n0,n:L,n_out.
template <class R, class Count>
Graph<R, Count> repeated(R const& n0, R const& n, Count hidden, R const& outputs, Style<R> const& style = {}) {
    Graph<R, Count> out{.input_name = "0", .input_width = n0, .stages = {}};
    out.stages.push_back(dense<R, Count>(n0, n, true, style, Count(1), Count(1)));
    Count const more = hidden - Count(1);
    if (!(more == Count(0))) out.stages.push_back(dense<R, Count>(n, n, true, style, Count(2), more));
    out.stages.push_back(dense<R, Count>(n, outputs, style.gated_head, style, Count(hidden + Count(1)), Count(1)));
    return out;
}

/// `count` stages z = h + W2 relu(W1 h) of width n; branches of `layers` matrices, the last one linear.
template <class R, class Count>
Graph<R, Count> residual(R const& n, Count count, std::size_t layers, R const& inner, R const& last,
                         Style<R> const& style = {}) {
    GraphStage<R, Count> stage{.nodes = {}, .edges = {}, .count = count, .numbered = true, .first = Count(1)};
    for (std::size_t l = 1; l <= layers; ++l) {
        bool const hidden = l < layers;
        stage.nodes.push_back(node<R>(hidden ? "." + std::to_string(l) : "", n, hidden, style.slope));
        stage.edges.push_back(weight<R>("." + std::to_string(l), l - 1, l, (hidden ? inner : last) / n, style));
    }
    stage.edges.push_back(skip<R>(".skip", 0, layers));
    return {.input_name = "0", .input_width = n, .stages = {std::move(stage)}};
}

/// Layers that read all before them, by concatenation: c1 = (x, relu(W1 x)), .. ; the output is a linear layer.
inline Net concatenated(Rational const& n0, std::vector<Rational> const& growths, Rational const& outputs,
                        Style<Rational> const& style = {}) {
    GraphStage<Rational, std::uint64_t> stage{.nodes = {}, .edges = {}, .count = 1, .numbered = false, .first = 1};
    Rational width = n0;
    std::size_t below = 0;
    for (std::size_t l = 0; l < growths.size(); ++l) {
        std::string const number = std::to_string(l + 1);
        stage.nodes.push_back(node<Rational>("f" + number, growths[l], true, style.slope));
        std::size_t const here = stage.nodes.size();
        stage.edges.push_back(weight<Rational>("w" + number, below, here, style.gain / width, style));
        width += growths[l];
        stage.nodes.push_back({.name = "c" + number, .width = width, .kind = GraphNode<Rational>::Kind::concatenation});
        stage.edges.push_back(skip<Rational>("l" + number, below, here + 1));
        stage.edges.push_back(skip<Rational>("r" + number, here, here + 1));
        below = here + 1;
    }
    stage.nodes.push_back(node<Rational>("out", outputs, style.gated_head, style.slope));
    stage.edges.push_back(weight<Rational>("wout", below, stage.nodes.size(), style.gain / width, style));
    return {.input_name = "in", .input_width = n0, .stages = {std::move(stage)}};
}

/// The same function by one weight edge from every earlier node.
inline Net densely_connected(Rational const& n0, std::vector<Rational> const& growths, Rational const& outputs,
                             Style<Rational> const& style = {}) {
    GraphStage<Rational, std::uint64_t> stage{.nodes = {}, .edges = {}, .count = 1, .numbered = false, .first = 1};
    Rational width = n0;
    for (std::size_t l = 0; l <= growths.size(); ++l) {
        bool const head = l == growths.size();
        std::string const number = head ? "out" : std::to_string(l + 1);
        stage.nodes.push_back(node<Rational>((head ? "" : "f") + number, head ? outputs : growths[l],
                                             !head || style.gated_head, style.slope));
        for (std::size_t from = 0; from <= l; ++from) {
            stage.edges.push_back(
                weight<Rational>("w" + number + "." + std::to_string(from), from, l + 1, style.gain / width, style));
        }
        if (!head) width += growths[l];
    }
    return {.input_name = "in", .input_width = n0, .stages = {std::move(stage)}};
}

/// Which random graphs to draw.
struct RandomShape {
    int most_nodes = 4;
    int most_width = 2;
    bool gates = true;
    bool concatenations = true;
    bool laws = false;
    bool biases = false;
};

/// A random graph with several sources per node, parallel edges, skips into linear nodes and concatenations; `pick(a,
/// b)` draws a whole number from a to b.
inline Net random_graph(std::function<int(int, int)> const& pick, RandomShape const& shape = {}) {
    GraphStage<Rational, std::uint64_t> stage{.nodes = {}, .edges = {}, .count = 1, .numbered = false, .first = 1};
    int const n0 = pick(1, 2);
    std::vector<int> widths{n0};
    int const nodes = pick(1, shape.most_nodes);
    for (int v = 1; v <= nodes; ++v) {
        std::string const name(1, static_cast<char>('a' + v - 1));
        auto const to = static_cast<std::size_t>(v);
        if (shape.concatenations && v > 1 && v < nodes && pick(0, 4) == 0) {
            int width = 0;
            for (int part = 0; part < 2; ++part) {
                auto const from = static_cast<std::size_t>(pick(part == 0 ? v - 1 : 0, v - 1));
                stage.edges.push_back(skip<Rational>(name + std::to_string(part), from, to));
                width += widths[from];
            }
            stage.nodes.push_back({.name = name, .width = width, .kind = GraphNode<Rational>::Kind::concatenation});
            widths.push_back(width);
            continue;
        }
        int const width = pick(1, shape.most_width);
        bool const gated = shape.gates && pick(0, 2) != 0;
        Rational const slope = pick(0, 2) == 0 ? ratio(-1, 2) : Rational(0);
        int const sources = pick(1, 2);
        for (int k = 0; k < sources; ++k) {
            // The first edge comes from the node before, so that few nodes are idle.
            auto const from = static_cast<std::size_t>(k == 0 ? v - 1 : pick(0, v - 1));
            Style<Rational> style{.label_factor = pick(1, 2)};
            if (shape.laws) {
                constexpr LawKind kinds[] = {LawKind::gaussian, LawKind::uniform, LawKind::rademacher,
                                             LawKind::laplace};
                style.law.kind = kinds[pick(0, 3)];
            }
            stage.edges.push_back(weight<Rational>(name + std::to_string(k), from, to, ratio(pick(1, 3), 2), style));
        }
        for (int from = 0; !gated && from < v; ++from) {
            if (widths[static_cast<std::size_t>(from)] != width || pick(0, 2) != 0) continue;
            stage.edges.push_back(
                skip<Rational>(name + "s" + std::to_string(from), static_cast<std::size_t>(from), to));
        }
        stage.nodes.push_back(node<Rational>(name, width, gated, slope));
        if (shape.biases && pick(0, 2) != 0) {
            stage.nodes.back().bias = {.variance = ratio(pick(1, 3), 3)};
            if (shape.laws && pick(0, 1) == 1) stage.nodes.back().bias->law.kind = LawKind::laplace;
        }
        widths.push_back(width);
    }
    return {.input_name = "in", .input_width = n0, .stages = {std::move(stage)}};
}

/// The same network with Gaussian biases of this variance at every node that weights lead into.
template <class R, class Count>
Graph<R, Count> biased(Graph<R, Count> net, R const& variance, WeightLaw<R> const& law = {}) {
    for (auto& stage : net.stages) {
        for (auto& node : stage.nodes) {
            if (node.kind == GraphNode<R>::Kind::weighted) node.bias = {.variance = variance, .law = law};
        }
    }
    return net;
}

/// The engine's answer to a query at one input, exact.
inline Rational engine(std::string const& text, Net const& net, ObservableSetting<Rational> const& setting,
                       RecursionOptions const& options = {}) {
    return expectation(parse_query(text), net, setting, options);
}

/// One input with these coordinates.
inline ObservableSetting<Rational> at_input(std::vector<Rational> const& x) {
    ObservableSetting<Rational> out;
    out.inputs.names = {"x"};
    out.inputs.vectors = {x};
    return out;
}

}  // namespace graphs
