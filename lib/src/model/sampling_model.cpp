// SPDX-License-Identifier: MIT
#include <isserlis/model/sampling_model.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/network/branch_multiplier.hpp>
#include <isserlis/random/unit_weight.hpp>
#include <isserlis/ring/members.hpp>

namespace isserlis {
namespace {

constexpr std::size_t largest_sampled_width = 100'000;

template <class T>
auto in_doubles(T const& numbers) {
    return converted<double>(numbers, [](Surd const& x) { return to_double(x); });
}

std::size_t checked_width(Surd const& w) {
    Integer const n = numerator_of(w.to_rational());
    if (n > largest_sampled_width) {
        throw UnsupportedError("`check`: a width of " + to_string(n) + " is too large to be sampled; the limit is " +
                                   std::to_string(largest_sampled_width),
                               "check");
    }
    return static_cast<std::size_t>(n);
}

/// The factor of matrix `i` that reads `fan_in` neurons.
double sampling_factor(DerivativeText<Surd> const& typed, std::size_t i, double fan_in) {
    double out = 1;
    if (!typed.factors.empty()) out = to_double(typed.factors[typed.factors.size() == 1 ? 0 : i]);
    return typed.over_fan_in ? out / fan_in : out;
}

/// A layer under the parametrisation, in doubles: powers of widths, none of the exact side's.
ParametrisedLayer<double> sampled_layer(DerivativeText<Surd> const& typed, LayerKind kind, double g2, double fan_in,
                                        double fan_out, bool is_scaled) {
    return {*typed.parametrisation, kind, g2, fan_in, fan_out, typed.alpha && is_scaled ? to_double(*typed.alpha) : 1};
}
ParametrisedLayer<double> sampled_layer(NumericModel const& model, std::size_t index, std::size_t layers, double fan_in,
                                        double fan_out) {
    double const g2 = to_double(model.net().activation.gate().moment(2));
    return sampled_layer(model.derivatives, kind_of_layer(index, layers), g2, fan_in, fan_out, true);
}

/// How many neurons the weights into node `to` of a stage read, those of the input or those of all other nodes.
double neurons_read(GraphStage<double, std::uint64_t> const& stage, std::size_t to, double below, bool below_is_input,
                    bool of_input) {
    double out = 0;
    for (auto const& edge : stage.edges) {
        if (edge.to != to || edge.kind != GraphEdge<double>::Kind::weight) continue;
        if ((edge.from == 0 && below_is_input) != of_input) continue;
        out += edge.from == 0 ? below : stage.nodes[edge.from - 1].width;
    }
    return out;
}

/// Variances, multipliers and rates, in place of what the exact side has for them: of the matrices of residual branches
/// those of hidden layers, of the others by where they stand. The m of residual blocks stays.
void parametrise(DerivativeText<Surd> const& typed, Graph<double, std::uint64_t>& graph) {
    if (!typed.parametrisation) return;
    auto const is_branch = [](auto& stage) { return stage.numbered && last_of_branch(stage) != nullptr; };
    bool const residual = std::any_of(graph.stages.begin(), graph.stages.end(), is_branch);
    double below = graph.input_width;
    for (auto& stage : graph.stages) {
        bool const branch = is_branch(stage);
        bool const first = &stage == &graph.stages.front();
        bool const last = &stage == &graph.stages.back();
        for (auto& edge : stage.edges) {
            if (edge.kind != GraphEdge<double>::Kind::weight) continue;
            auto const& above = stage.nodes[edge.to - 1];
            double const g2 = above.gate ? above.gate->moment(2) : 1;
            bool const reads_input = first && edge.from == 0;
            auto kind = LayerKind::hidden;
            if (!branch && reads_input) kind = LayerKind::input;
            if (!branch && !reads_input && last && edge.to == stage.nodes.size()) kind = LayerKind::output;
            double const fan_in = neurons_read(stage, edge.to, below, first, reads_input);
            auto const layer = sampled_layer(typed, kind, g2, fan_in, above.width, branch || !residual);
            edge.variance = layer.parameter_variance();
            edge.multiplier *= std::sqrt(layer.squared_multiplier());
            edge.label_factor *= layer.rate();
        }
        below = stage.nodes.back().width;
    }
}

/// m of residual blocks, which the exact side has in the variances of branches, stands beside what is drawn.
void part_multiplier(DerivativeText<Surd> const& typed, Graph<double, std::uint64_t>& graph) {
    if (!typed.branch_multiplier_squared || typed.unit_parameters) return;
    double const s = to_double(*typed.branch_multiplier_squared);
    for (auto& stage : graph.stages) {
        auto* const last = last_of_branch(stage);
        if (last == nullptr) continue;
        last->variance /= s;
        last->multiplier = std::sqrt(s);
    }
}

/// Each weight edge's own factor, in order.
void read_factors(DerivativeText<Surd> const& typed, Graph<double, std::uint64_t>& graph) {
    std::size_t next = 0;
    double below = graph.input_width;
    for (auto& stage : graph.stages) {
        for (auto& edge : stage.edges) {
            if (edge.kind != GraphEdge<double>::Kind::weight) continue;
            edge.label_factor =
                sampling_factor(typed, next++, edge.from == 0 ? below : stage.nodes[edge.from - 1].width);
        }
        below = stage.nodes.back().width;
    }
}

constexpr double least_variance = 0x1p-120;  ///< whose weights are floats that are far from the ends of their range

/// Errors  UnsupportedError where networks are asked in float and are drawn in double alone.
void require_precision(NumericModel const& model, bool of_graph) {
    if (model.precision == monte_carlo::Precision::float64) return;
    auto const refuse = [](std::string const& what) {
        throw UnsupportedError("`precision` float: " + what + " sampled in double; leave it out", "precision");
    };
    bool const orthogonal = std::find(model.orthogonal.begin(), model.orthogonal.end(), true) != model.orthogonal.end();
    auto const is_discrete = [](WeightLaw<Surd> const& law) { return has_atoms(in_doubles(law)); };
    constexpr char const* of_atoms = "laws with atoms, of which sums may be equal but for rounding, are";
    auto const& graph = model.graph();
    if (of_graph && graph.sides != WeightSides::one) refuse("derivatives of a concatenated ReLU network are");
    for (auto const& stage : graph.stages) {
        for (auto const& edge : stage.edges) {
            if (edge.kind != GraphEdge<Surd>::Kind::weight) continue;
            if (edge.orthogonal || orthogonal) refuse("orthogonal matrices are");
            if (is_discrete(edge.law)) refuse(of_atoms);
            double const variance = to_double(edge.variance);
            if (variance != 0 && !(variance >= least_variance && variance <= 1 / least_variance))
                refuse("weights of a variance below 2^-120 or above 2^120 are");
        }
        for (auto const& node : stage.nodes)
            if (node.bias && !node.bias->variance.is_zero() && is_discrete(node.bias->law)) refuse(of_atoms);
    }
}

}  // namespace

std::vector<double> sampling_input(NumericModel const& model, std::size_t d) {
    std::vector<double> out;
    if (!model.input.empty()) {
        for (auto const& x : model.input) out.push_back(to_double(x));
        return out;
    }
    double const square = to_double(model.squared_norm);
    out.assign(d, std::sqrt(square / static_cast<double>(d)));
    if (!model.fourth || d == 1) return out;
    // One coordinate a, the others b: t = a^2 solves t^2 + (square - t)^2/(d - 1) = fourth, with the larger root.
    double const fourth = to_double(*model.fourth);
    double const n = static_cast<double>(d);
    double const spread = std::sqrt(std::max(0.0, (n - 1) * (n * fourth - square * square)));
    double const t = (square + spread) / n;
    out.assign(d, std::sqrt(std::max(0.0, (square - t) / (n - 1))));
    out[0] = std::sqrt(t);
    return out;
}

monte_carlo::GraphModel sampling_graph(NumericModel const& model) {
    constexpr std::uint64_t most_stages = 100'000;
    (void)checked_width(model.graph().input_width);
    std::uint64_t stages = 0;
    for (auto const& stage : model.graph().stages) {
        stages += stage.count;
        for (auto const& node : stage.nodes) (void)checked_width(node.width);
    }
    if (stages > most_stages)
        throw UnsupportedError("`check`: more than " + std::to_string(most_stages) + " layers are not sampled",
                               "check");
    require_precision(model, true);
    monte_carlo::GraphModel out{.graph = in_doubles(model.graph()),
                                .ties = model.ties,
                                .unit_parameters = model.derivatives.unit_parameters,
                                .precision = model.precision};
    part_multiplier(model.derivatives, out.graph);
    read_factors(model.derivatives, out.graph);
    parametrise(model.derivatives, out.graph);
    return out;
}

monte_carlo::NetworkModel sampling_model(NumericModel const& model) {
    require_precision(model, false);
    monte_carlo::NetworkModel out;
    auto const& net = model.net();
    std::uint64_t layers = 0;
    for (auto const& run : net.layers) layers += run.count;
    if (layers > 100'000) throw UnsupportedError("`check`: more than 100000 layers are not sampled", "check");
    out.widths.push_back(checked_width(net.input_width()));
    for (std::size_t r = 0; r < net.layers.size(); ++r) {
        auto const& run = net.layers[r];
        if (!model.orthogonal.empty()) out.orthogonal.insert(out.orthogonal.end(), run.count, model.orthogonal[r]);
        for (std::uint64_t i = 0; i < run.count; ++i) {
            out.widths.push_back(checked_width(run.fan_out));
            if (model.derivatives.parametrisation) {
                auto const layer =
                    sampled_layer(model, out.variances.size(), layers, to_double(run.fan_in), to_double(run.fan_out));
                out.variances.push_back(layer.parameter_variance());
                out.scales.push_back(std::sqrt(layer.squared_multiplier()));
            } else {
                double const variance = to_double(run.variance);
                out.variances.push_back(model.derivatives.unit_parameters ? 1 : variance);
                if (model.derivatives.unit_parameters) out.scales.push_back(std::sqrt(variance));
            }
            out.laws.push_back(in_doubles(run.law));
        }
    }
    for (auto const& run : net.layers) {
        double const variance = run.bias ? to_double(run.bias->variance) : 0;
        out.bias_variances.insert(out.bias_variances.end(), run.count, variance);
        if (run.bias) out.bias_law = in_doubles(run.bias->law);
    }
    if (std::all_of(out.bias_variances.begin(), out.bias_variances.end(), [](double v) { return v == 0; }))
        out.bias_variances.clear();
    out.activation = in_doubles(net.activation);
    out.gated_head = net.gated_head;
    out.ties = model.ties;
    out.precision = model.precision;
    out.input = sampling_input(model, out.widths.front());
    return out;
}

std::vector<double> sampling_factors(NumericModel const& model) {
    std::vector<double> out;
    std::size_t layers = 0;
    for (auto const& run : model.net().layers) layers += run.count;
    for (auto const& run : model.net().layers) {
        double const fan_in = to_double(run.fan_in);
        for (std::uint64_t i = 0; i < run.count; ++i) {
            double factor = sampling_factor(model.derivatives, out.size(), fan_in);
            if (model.derivatives.parametrisation)
                factor *= sampled_layer(model, out.size(), layers, fan_in, to_double(run.fan_out)).rate();
            out.push_back(factor);
        }
    }
    return out;
}

}  // namespace isserlis
