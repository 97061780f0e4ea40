// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/branch_multiplier.hpp>
#include <isserlis/network/check_graph.hpp>
#include <isserlis/network/zoo.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "question/model_weights.hpp"

namespace isserlis::quantity {

/// Widths from files are numbers from 1, or formulas.
inline void require_natural(Surd const& x, std::string const& what, char const* parameter = "network") {
    if (x.is_rational() && is_integer(x.to_rational()) && x.to_rational() >= 1) return;
    throw DomainError(named(what) + " = " + printable(to_string(x)) + "; a whole number from 1 is required", parameter);
}
inline void require_natural(RationalFunction const& x, std::string const& what, char const* parameter = "network") {
    if (x.is_numeric()) require_natural(x.evaluate({}), what, parameter);
}

inline std::uint64_t layer_count(std::vector<LayerRun<Surd, std::uint64_t>> const& runs) {
    std::uint64_t layers = 0;
    for (auto const& run : runs) layers += run.count;
    return layers;
}
inline std::uint64_t layer_count(std::vector<LayerRun<RationalFunction, Exponent>> const& runs) {
    Exponent layers;
    for (auto const& run : runs) layers = layers + run.count;
    if (!layers.is_constant()) {
        throw UnsupportedError("dense networks and lists with one entry per layer need a depth in numbers, not " +
                                   to_string(layers) + " layers",
                               "widths");
    }
    return checked_count(numerator_of(layers.constant()));
}
inline std::uint64_t whole(std::uint64_t count) { return count; }
inline std::uint64_t whole(Exponent const& count) { return checked_count(numerator_of(count.constant())); }

/// One run per layer, for lists.
template <class R, class Count>
std::vector<LayerRun<R, Count>> single_layers(std::vector<LayerRun<R, Count>> const& runs) {
    std::vector<LayerRun<R, Count>> out;
    for (auto const& run : runs) {
        for (std::uint64_t i = 0; i < whole(run.count); ++i) {
            out.push_back(run);
            out.back().count = Count(1);
        }
    }
    return out;
}

/// The networks of a ModelText.
template <class Kind>
class ModelWirings : public ModelWeights<Kind> {
public:
    using Base = ModelWeights<Kind>;
    using R = typename Base::R;
    using Count = typename Kind::Count;
    using Base::Base;

protected:
    using Base::bias_at;
    using Base::bias_entry;
    using Base::bias_of;
    using Base::entry;
    using Base::for_each_list;
    using Base::label_factor;
    using Base::label_factor_of;
    using Base::law_at;
    using Base::law_of_kurtosis;
    using Base::layers;
    using Base::parametrised;
    using Base::require_positive;
    using Base::squared_multiplier;
    using Base::text_;
    using Base::value;
    using Base::variance_of;
    using Base::variance_value;

    [[nodiscard]] FullyConnected<R, Count> vanilla() const {
        FullyConnected<R, Count> net;
        net.layers = layers();
        net.activation = activation_;
        net.gated_head = text_.gated_head;
        for_each_list([&](std::size_t entries, std::string const& parameter) {
            auto const count = layer_count(net.layers);
            if (count != entries) {
                throw DomainError(named(parameter) + ": " + std::to_string(entries) + " values for " +
                                      std::to_string(count) + " weight layers; give one for all or one for each",
                                  parameter);
            }
            net.layers = single_layers(net.layers);
        });
        if (text_.scheme == Scheme::mean_field && !(net.layers.back().count == Count(1))) {
            // The output layer has a variance of its own: a run by itself.
            auto head = net.layers.back();
            net.layers.back().count = head.count - Count(1);
            head.count = Count(1);
            net.layers.push_back(head);
        }
        if (text_.parametrisation) part_ends(net.layers);
        for (std::size_t i = 0; i < net.layers.size(); ++i) {
            auto& run = net.layers[i];
            run.law = law_at(i);
            run.bias = bias_at(i, run.fan_in, run.fan_out);
            if (text_.parametrisation) {
                auto const weights = parametrised(kind_of_layer(i, net.layers.size()), i, activation_.gate().moment(2),
                                                  run.fan_in, run.fan_out);
                run.variance = weights.variance;
                run.label_factor = weights.label_factor;
                continue;
            }
            run.variance = variance_of(i, activation_.gate(), run.fan_in, run.fan_out, i + 1 == net.layers.size());
            run.label_factor = label_factor(i, run.variance);
            if (text_.effective) run.label_factor = run.label_factor / run.fan_in;
        }
        return net;
    }

    /// Makes the first and the last layer runs by themselves, which have rules of their own.
    static void part_ends(std::vector<LayerRun<R, Count>>& runs) {
        if (runs.size() == 1 && runs.front().count == Count(1)) refuse_one_layer();
        auto const part = [&](std::size_t at, bool first) {
            if (runs[at].count == Count(1)) return;
            if (!is_constant_count(runs[at].count))
                throw UnsupportedError(
                    "`parametrisation`: the input and the output layer have rules of their own; list "
                    "them beside the repeated ones, such as n,n:L,n",
                    "widths");
            auto end = runs[at];
            runs[at].count = runs[at].count - Count(1);
            end.count = Count(1);
            runs.insert(runs.begin() + static_cast<std::ptrdiff_t>(first ? at : at + 1), end);
        };
        part(runs.size() - 1, false);
        part(0, true);
    }
    [[noreturn]] static void refuse_one_layer() {
        throw DomainError("`parametrisation`: a network of one weight layer has no width; list a hidden layer too",
                          "widths");
    }
    static bool is_constant_count(std::uint64_t) { return true; }
    static bool is_constant_count(Exponent const& count) { return count.is_constant(); }

    /// Takes the first or the last layer off.
    static LayerRun<R, Count> taken_off(std::vector<LayerRun<R, Count>>& runs, bool first) {
        if (runs.empty())
            throw ParseError(
                "`widths`: between two plain matrices a residual network lists d_0, y^0..y^L and the output, such as "
                "2,10:4,1",
                "widths");
        auto& run = first ? runs.front() : runs.back();
        LayerRun<R, Count> out = run;
        out.count = Count(1);
        if (!(run.count == Count(1))) {
            run.count = run.count - Count(1);
        } else if (first) {
            runs.erase(runs.begin());
        } else {
            runs.pop_back();
        }
        return out;
    }
    /// Are the widths equal where the first and the last one are left out, and are there several?
    static bool is_equal_between_ends(std::vector<LayerRun<R, Count>> runs) {
        for (bool const first : {true, false}) {
            if (runs.empty()) return false;
            (void)taken_off(runs, first);
        }
        return !runs.empty() && std::all_of(runs.begin(), runs.end(), [&](auto const& run) {
            return run.fan_in == runs.front().fan_in && run.fan_out == run.fan_in;
        });
    }
    /// A plain matrix at either end, the first or the last of each list: no gate before or after it.
    [[nodiscard]] BranchMatrix<R> plain_matrix(LayerRun<R, Count> const& run, bool is_last) const {
        auto at = [&](std::vector<Expression> const& list) { return is_last && !list.empty() ? list.size() - 1 : 0; };
        auto const kind = is_last ? LayerKind::output : LayerKind::input;
        auto const weights = weights_of(at, kind, Gate<R>::open(), run.fan_in, run.fan_out, false);
        return {.width = run.fan_out,
                .variance = weights.variance,
                .law = law_at(at(text_.kurtoses)),
                .label_factor = weights.label_factor,
                .bias = bias_at(bias_entry(at), run.fan_in, run.fan_out)};
    }
    /// Of a matrix of a residual or dense network, where `at` says which entry of a list is its own.
    [[nodiscard]] typename Base::Weights weights_of(auto const& at, LayerKind kind, Gate<R> const& gate,
                                                    R const& fan_in, R const& fan_out, bool is_scaled) const {
        std::size_t const factor = at(text_.label_factors);
        if (text_.parametrisation) return parametrised(kind, factor, gate.moment(2), fan_in, fan_out, is_scaled);
        R const variance =
            variance_of(at(text_.variances), gate, fan_in, fan_out, kind == LayerKind::output, is_scaled);
        return {.variance = variance, .label_factor = label_factor(factor, variance)};
    }

    /// Every list has one entry for all matrices, one for each matrix of a branch, or one for each matrix; plain
    /// matrices come first and last.
    [[nodiscard]] Graph<R, Count> residual() const {
        auto runs = layers();
        std::vector<LayerRun<R, Count>> plain;
        if (text_.projections) {
            plain.push_back(taken_off(runs, true));
            plain.push_back(taken_off(runs, false));
            if (runs.empty()) (void)taken_off(runs, true);
        }
        R const width = runs.front().fan_in;
        for (auto const& run : runs) {
            if (run.fan_out == width) continue;
            throw DomainError(
                "`widths`: a residual network lists y^0..y^L, which have equal widths; here are " + to_string(width) +
                    " and " + to_string(run.fan_out) +
                    (is_equal_between_ends(layers())
                         ? "; with `projections`, where a command has it, they are d_0, y^0..y^L and the output"
                         : ""),
                "widths");
        }
        std::size_t const matrices = text_.branch_matrices;
        std::size_t const before = plain.empty() ? 0 : 1;
        std::string const and_plain = plain.empty() ? "" : " and the two plain ones";
        bool each = false;
        for_each_list([&](std::size_t entries, std::string const& parameter) {
            if (entries == matrices + 2 * before) return;
            auto const blocks = layer_count(runs);
            if (blocks * matrices + 2 * before != entries) {
                throw DomainError(
                    named(parameter) + ": " + std::to_string(entries) + " values; give one for all, " +
                        std::to_string(matrices + 2 * before) + " for the matrices of a branch" + and_plain +
                        (blocks == 1 ? std::string()
                                     : ", or " + std::to_string(blocks * matrices + 2 * before) +
                                           " for all matrices of " + std::to_string(blocks) + " blocks" + and_plain),
                    parameter);
            }
            each = true;
        });
        auto branch = [&](std::size_t block) {
            std::vector<BranchMatrix<R>> out;
            R fan_in = width;
            for (std::size_t j = 0; j < matrices; ++j) {
                bool const last = j + 1 == matrices;
                auto at = [&](std::vector<Expression> const& list) {
                    return before + (list.size() == matrices + 2 * before ? j : block * matrices + j);
                };
                // No gate follows the last matrix of a branch.
                Gate<R> const none = Gate<R>::open();
                bool const ungated = last && !activation_.is_concatenated();
                R fan_out = width;
                if (!last && !text_.branch_widths.empty()) {
                    fan_out = entry(text_.branch_widths, j, "branch_widths");
                    require_natural(fan_out, "branch_widths", "branch_widths");
                }
                auto const weights =
                    weights_of(at, LayerKind::hidden, ungated ? none : activation_.gate(), fan_in, fan_out, true);
                out.push_back({.width = fan_out,
                               .variance = weights.variance,
                               .law = law_at(at(text_.kurtoses)),
                               .label_factor = weights.label_factor,
                               .bias = bias_at(bias_entry(at), fan_in, fan_out)});
                fan_in = fan_out;
            }
            return out;
        };
        std::vector<std::pair<std::vector<BranchMatrix<R>>, Count>> branches;
        if (each) {
            for (std::size_t k = 0; k < layer_count(runs); ++k) branches.emplace_back(branch(k), Count(1));
        } else {
            Count blocks = runs.front().count;
            for (std::size_t k = 1; k < runs.size(); ++k) blocks = blocks + runs[k].count;
            branches.emplace_back(branch(0), blocks);
        }
        auto graph = residual_graph<R, Count>(width, activation_, branches);
        if (text_.multiplier) multiply_branches(graph, squared_multiplier());
        if (plain.empty()) return graph;
        return between_matrices(graph, plain.front().fan_in, plain_matrix(plain.front(), false),
                                plain_matrix(plain.back(), true));
    }

    [[nodiscard]] Graph<R, Count> dense() const {
        auto const runs = single_layers(checked_depth(layers()));
        if (text_.parametrisation && runs.size() == 1) refuse_one_layer();
        for_each_list([&](std::size_t entries, std::string const& parameter) {
            if (entries == runs.size()) return;
            throw DomainError(named(parameter) + ": " + std::to_string(entries) + " values for " +
                                  std::to_string(runs.size()) + " dense layers; give one for all or one for each",
                              parameter);
        });
        std::vector<BranchMatrix<R>> out;
        R fan_in(0);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            bool const starts_here = i == 1 && text_.first_source == 1;
            fan_in = starts_here ? runs[i].fan_in : fan_in + runs[i].fan_in;
            auto const kind = i + 1 == runs.size() ? LayerKind::output : kind_of_layer(i, runs.size());
            auto const weights =
                weights_of([i](auto const&) { return i; }, kind, activation_.gate(), fan_in, runs[i].fan_out, true);
            out.push_back({.width = runs[i].fan_out,
                           .variance = weights.variance,
                           .law = law_at(i),
                           .label_factor = weights.label_factor,
                           .bias = bias_at(i, fan_in, runs[i].fan_out)});
        }
        return dense_graph<R, Count>(runs.front().fan_in, activation_, text_.gated_head, out, text_.first_source);
    }

    /// A dense network grows with each layer, so that no two blocks are equal.
    static std::vector<LayerRun<R, Count>> checked_depth(std::vector<LayerRun<R, Count>> runs) {
        constexpr std::uint64_t most = 10'000;
        if (layer_count(runs) > most)
            throw UnsupportedError("`widths`: " + std::to_string(layer_count(runs)) +
                                       " layers; dense networks are served up to " + std::to_string(most),
                                   "widths");
        return runs;
    }

    [[nodiscard]] Graph<R, Count> from_file() const {
        auto const& file = text_.file;
        auto width_of = [&](std::size_t v) {
            R const out = value(file.nodes[v].width, "network");
            require_natural(out, "`network`: the width of node \"" + file.nodes[v].name + "\"");
            return out;
        };
        Graph<R, Count> out;
        out.input_name = file.nodes.front().name;
        out.input_width = width_of(0);
        GraphStage<R, Count> stage;
        stage.numbered = false;
        std::vector<R> fan_in(file.nodes.size(), R(0));
        std::vector<R> of_input = fan_in;  // the part of it that edges from the input read
        for (auto const& e : file.edges) {
            if (e.skip) continue;
            fan_in[e.to] = fan_in[e.to] + width_of(e.from);
            if (e.from == 0) of_input[e.to] = of_input[e.to] + width_of(e.from);
        }
        for (std::size_t v = 1; v < file.nodes.size(); ++v) {
            auto const& node = file.nodes[v];
            auto& out_node = stage.nodes.emplace_back(linear_node(width_of(v), node.name));
            if (node.concatenation) out_node.kind = GraphNode<R>::Kind::concatenation;
            out_node.bias = bias_of(node.bias_variance, node.bias_law, R(0), fan_in[v], out_node.width, "network",
                                    "`network`: the bias variance of node \"" + node.name + "\"");
            if (!node.gated) continue;
            out_node.gate = Gate<R>{};
            if (node.slope) out_node.gate->negative = value(*node.slope, "network");
        }
        for (auto const& e : file.edges) {
            GraphEdge<R> edge{.name = e.name, .from = e.from, .to = e.to};
            if (e.skip) {
                edge.kind = GraphEdge<R>::Kind::skip;
            } else {
                std::string const of_edge = " of edge \"" + e.name + "\"";
                auto const gate = stage.nodes[e.to - 1].gate.value_or(Gate<R>::open());
                R const& rows = stage.nodes[e.to - 1].width;
                edge.label_factor = label_factor_of(e);
                if (text_.parametrisation) {
                    bool const reads_input = e.from == 0;
                    bool const leads_out = e.to + 1 == file.nodes.size();
                    auto const kind = reads_input ? LayerKind::input
                                      : leads_out ? LayerKind::output
                                                  : LayerKind::hidden;
                    ParametrisedLayer<R> const layer(*text_.parametrisation, kind, gate.moment(2),
                                                     reads_input ? of_input[e.to] : R(fan_in[e.to] - of_input[e.to]),
                                                     rows);
                    edge.variance = layer.weight_variance();
                    edge.label_factor = edge.label_factor * layer.label_factor();
                } else {
                    edge.variance = e.variance ? variance_value(*e.variance, fan_in[e.to], rows, "network")
                                               : weight_variance(Scheme::he, gate, fan_in[e.to], R(1), false);
                }
                require_positive(edge.variance, "`network`: the variance" + of_edge);
                if (e.kurtosis)
                    edge.law = law_of_kurtosis(value(*e.kurtosis, "network"), "`network`: the kurtosis" + of_edge);
                if (e.law) edge.law.kind = *e.law;
            }
            stage.edges.push_back(std::move(edge));
        }
        out.stages = {std::move(stage)};
        check_graph(out, "network");
        return out;
    }

    Activation<R> activation_;
};

}  // namespace isserlis::quantity
