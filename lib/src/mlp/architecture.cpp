// SPDX-License-Identifier: MIT
#include <isserlis/mlp/architecture.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <utility>

namespace isserlis::mlp {
namespace {

std::vector<NodeTraits> gates_as_units(GraphLayout const& wiring) {
    std::vector<NodeTraits> out;
    for (std::size_t v = 0; v < wiring.nodes().size(); ++v) {
        auto const& node = wiring.nodes()[v];
        NodeTraits traits;
        traits.bias = node.first_bias.has_value();
        if (wiring.concatenated() && !node.concatenation) {
            traits.unit.kind = UnitKind::crelu;
        } else if (wiring.has_gate(v)) {
            traits.unit =
                node.slope == 0 ? Unit{.kind = UnitKind::relu} : Unit{.kind = UnitKind::leaky, .slope = node.slope};
        }
        out.push_back(traits);
    }
    return out;
}

bool is_gate(Unit const& unit, double slope) {
    return (unit.kind == UnitKind::relu && slope == 0) || (unit.kind == UnitKind::leaky && unit.constant() == slope);
}

[[noreturn]] void refuse(GraphLayout::Node const& node, std::string const& what) {
    throw DomainError("architecture: node " + printable(node.name) + " " + what, "traits");
}

}  // namespace

char const* name(ParameterKind kind) {
    switch (kind) {
        case ParameterKind::weight: return "weight";
        case ParameterKind::bias: return "bias";
        case ParameterKind::gain: return "gain";
        case ParameterKind::shift: return "shift";
        case ParameterKind::slope: return "slope";
    }
    return "";
}

Architecture::Architecture(GraphLayout wiring, std::vector<NodeTraits> traits)
    : wiring_(std::move(wiring)), traits_(std::move(traits)) {
    require_traits();
    add_ranges();
}

Architecture::Architecture(GraphLayout wiring) : wiring_(std::move(wiring)), traits_(gates_as_units(wiring_)) {
    add_ranges();
}

void Architecture::require_traits() const {
    auto const& nodes = wiring_.nodes();
    if (traits_.size() != nodes.size())
        throw DomainError("architecture: traits of " + std::to_string(traits_.size()) + " nodes for " +
                              std::to_string(nodes.size()) + ", the input included; they must agree",
                          "traits");
    for (std::size_t v = 0; v < nodes.size(); ++v) {
        auto const& node = nodes[v];
        auto const& [unit, bias, batch_norm, epsilon, softmax, keep] = traits_[v];
        bool const plain = unit.kind == UnitKind::identity || (v == 0 && unit.kind == UnitKind::crelu);
        if ((v == 0 || node.concatenation) && (!plain || bias || batch_norm || softmax))
            refuse(node, "is no sum of edges and takes no unit, bias, batch norm or softmax");
        if (node.concatenation && keep != 1)
            refuse(node, "is a concatenation: dropout goes to the nodes it is made of");
        if (!(keep > 0 && keep <= 1))
            refuse(node, "has keep = " + std::to_string(keep) + "; more than 0 and at most 1");
        if (softmax && unit.kind != UnitKind::identity && unit.kind != UnitKind::crelu)
            refuse(node, std::string("has softmax over the unit ") + name(unit.kind) + "; it takes logits");
        if (v == wiring_.output() && keep != 1) refuse(node, "is the output, which is never dropped");
        if (!(epsilon >= 0) || !std::isfinite(epsilon)) refuse(node, "has a negative epsilon");
        if (!std::isfinite(unit.constant())) refuse(node, "has a unit whose constant is not finite");
        if (unit.slope && !usual_constant(unit.kind))
            refuse(node, std::string("has a constant for the unit ") + name(unit.kind) + ", which takes none");
        if (wiring_.has_gate(v) && !is_gate(unit, node.slope))
            refuse(node, std::string("has a gate in the graph, but the unit ") + name(unit.kind));
        if (wiring_.concatenated() && !node.concatenation && unit.kind != UnitKind::crelu)
            refuse(node, std::string("is of a graph with sides P and N, but has the unit ") + name(unit.kind) +
                             "; crelu is required");
        if (!wiring_.concatenated() && unit.kind == UnitKind::crelu)
            refuse(node, "has the unit crelu, but the graph has no sides P and N");
    }
}

void Architecture::add_ranges() {
    places_.resize(traits_.size());
    auto add = [this](ParameterKind kind, std::string const& name, std::size_t node, std::size_t size) {
        ranges_.push_back({.kind = kind, .name = name, .node = node, .first = parameters_, .size = size});
        if (kind != ParameterKind::weight) places_[node][static_cast<std::size_t>(kind)] = ranges_.size();
        parameters_ += size;
    };
    for (auto const& edge : wiring_.edges())
        if (edge.weighted)
            add(ParameterKind::weight, edge.name, edge.to, wiring_.entries(edge) * (wiring_.concatenated() ? 2 : 1));
    for (std::size_t v = 0; v < traits_.size(); ++v) {
        auto const& node = wiring_.nodes()[v];
        first_normed_.push_back(normed_neurons_);
        if (traits_[v].bias) add(ParameterKind::bias, node.name, v, node.width);
        if (traits_[v].batch_norm) {
            add(ParameterKind::gain, node.name, v, node.width);
            add(ParameterKind::shift, node.name, v, node.width);
            normed_neurons_ += node.width;
        }
        if (traits_[v].unit.has_trained_slope()) add(ParameterKind::slope, node.name, v, 1);
    }
}

ParameterRange const* Architecture::range(std::size_t node, ParameterKind kind) const {
    std::size_t const place = places_[node][static_cast<std::size_t>(kind)];
    return place == 0 ? nullptr : &ranges_[place - 1];
}

bool Architecture::has_dropout() const {
    return std::any_of(traits_.begin(), traits_.end(), [](NodeTraits const& t) { return t.keep < 1; });
}

std::vector<double> Architecture::neutral_parameters() const {
    std::vector<double> out(parameters_, 0.0);
    for (auto const& r : ranges_) {
        auto const begin = out.begin() + static_cast<std::ptrdiff_t>(r.first);
        switch (r.kind) {
            case ParameterKind::weight:
            case ParameterKind::bias:
            case ParameterKind::shift: break;
            case ParameterKind::gain: std::fill_n(begin, r.size, 1.0); break;
            case ParameterKind::slope: *begin = traits_[r.node].unit.constant(); break;
        }
    }
    return out;
}

Architecture perceptron(std::vector<std::size_t> const& widths, Unit const& hidden, Unit const& head, bool bias,
                        std::vector<double> const& scales) {
    if (widths.size() < 2)
        throw DomainError("perceptron: " + std::to_string(widths.size()) + " widths; at least 2 are required",
                          "widths");
    if (!scales.empty() && (scales.size() + 1 != widths.size() ||
                            !std::all_of(scales.begin(), scales.end(), [](double s) { return s > 0; })))
        throw DomainError("perceptron: " + std::to_string(scales.size()) + " scales for " +
                              std::to_string(widths.size() - 1) + " layers; give a positive one for each, or none",
                          "scales");
    bool const sides = hidden.kind == UnitKind::crelu;
    if (sides && head.kind != UnitKind::identity && head.kind != UnitKind::crelu)
        throw DomainError(std::string("perceptron: a head of ") + name(head.kind) +
                              " over crelu; every node of such a network is crelu",
                          "head");
    Graph<double, std::uint64_t> graph;
    graph.input_width = static_cast<double>(widths.front());
    if (sides) graph.sides = WeightSides::independent;
    auto& stage = graph.stages.emplace_back();
    stage.numbered = false;
    std::vector<NodeTraits> traits(1);
    if (sides) traits[0].unit.kind = UnitKind::crelu;
    for (std::size_t q = 1; q < widths.size(); ++q) {
        std::string const layer = std::to_string(q);
        stage.nodes.push_back({.name = layer, .width = static_cast<double>(widths[q])});
        stage.edges.push_back({.name = layer, .from = q - 1, .to = q});
        if (!scales.empty()) stage.edges.back().variance = scales[q - 1] * scales[q - 1];  // the layout takes the root
        traits.push_back({.unit = sides || q + 1 < widths.size() ? hidden : head, .bias = bias});
    }
    return {GraphLayout(graph, !scales.empty()), std::move(traits)};
}

}  // namespace isserlis::mlp
