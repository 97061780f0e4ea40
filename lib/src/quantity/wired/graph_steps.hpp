// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/first_step.hpp>
#include <isserlis/network/step_rule.hpp>
#include <isserlis/report/tidy.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quantity/observable_check.hpp"
#include "quantity/wired/gradient_reach.hpp"
#include "question/model.hpp"

namespace isserlis::quantity {

/// factor (radicand/pi)^(1/2), or factor radicand^(1/2)/pi: a product of mean sizes.
struct MeanProduct {
    Surd factor;
    Surd radicand;
    bool over_pi;
};

/// E S^2 of the size S by which the matrices into a node move each of its neurons that has a gradient, or all together.
struct StepSize {
    PiSum square{.plain = Surd(0), .over_pi = Surd(0)};
    std::vector<MeanProduct> products;

    [[nodiscard]] bool is_zero() const {
        return square.plain.is_zero() && square.over_pi.is_zero() && products.empty();
    }
    [[nodiscard]] bool is_surd() const { return square.over_pi.is_zero() && products.empty(); }
    [[nodiscard]] Interval enclosed(unsigned bits) const {
        Interval out = enclose(square, bits);
        for (auto const& x : products) {
            Interval const size =
                x.over_pi ? sqrt(enclose(x.radicand, bits)) / pi(bits) : sqrt(enclose(x.radicand, bits) / pi(bits));
            out = out + enclose(x.factor, bits) * size;
        }
        return out;
    }
};

/// E (Delta W h)_i^2: E S^2 times the probability of a gradient.
struct OwnSquare {
    StepSize size;
    NodeReach reach;

    [[nodiscard]] bool is_zero() const { return size.is_zero() || reach.never(); }
    /// The root.
    [[nodiscard]] Value rms() const { return rooted(1, false); }
    /// 1 over the root: the factor of its rates at which it is 1.
    [[nodiscard]] Value unit_rate() const {
        if (is_zero()) return Value::absent("no gradient reaches it");
        return rooted(1, true);
    }
    /// E |Delta W h| where S is a number and each neuron that has a gradient moves by it, and 1 over that where it is not 0.
    [[nodiscard]] Value mean_size() const { return rooted(2, false); }
    [[nodiscard]] Value inverse_mean_size() const { return rooted(2, true); }

private:
    [[nodiscard]] Value rooted(int powers, bool inverse) const {
        if (is_zero()) return Surd(0);
        if (size.is_surd() && reach.is_short()) {
            Surd const p = reach.exact();
            Surd const square = size.square.plain * (powers == 2 ? p * p : p);
            return root(inverse ? Surd(1) / square : square, "a root of the mean square");
        }
        return Value::certified(
            [at = *this, powers, inverse](unsigned bits) {
                unsigned const work = bits + guard_bits;
                Interval const p = at.reach.enclosed(work);
                Interval const square = at.size.enclosed(work) * (powers == 2 ? p * p : p);
                return sqrt(inverse ? Interval(1L, work) / square : square);
            },
            inverse       ? "1 over the root of the mean square"
            : powers == 2 ? "the step's size times the probability of a gradient"
                          : "a root of the mean square");
    }
};

/// A network of numbers, node by node, whose label factors are how far its matrices move in their direction.
class GraphSteps {
public:
    /// `model` is kept by reference.
    GraphSteps(NumericModel const& model, StepRule rule)
        : model_(model),
          rule_(rule),
          flat_(flattened(model.graph())),
          reach_(std::make_shared<GradientReach const>(flat_)) {
        auto const& edges = flat_.stages.front().edges;
        moves_.resize(nodes() + 1);
        into_.resize(nodes() + 1);
        for (std::size_t e = 0; e < edges.size(); ++e) into_[edges[e].to].push_back(e);
        for (std::size_t v = 1; v <= nodes(); ++v)
            moves_[v] = !matrices(v).empty() || any_into(v, [&](Edge const& edge) { return moves_[edge.from]; });
    }

    struct Matrix {
        std::size_t from;  ///< node, 0 the input
        Surd rate;
    };
    /// Those that lead into a node; its place among the nodes starts from 1.
    [[nodiscard]] std::vector<Matrix> matrices(std::size_t v) const {
        std::vector<Matrix> out;
        for (std::size_t const e : into_[v]) {
            auto const& edge = edge_at(e);
            if (edge.kind == Edge::Kind::weight)
                out.push_back({.from = edge.from, .rate = edge.label_factor / multiplier_squared(v)});
        }
        return out;
    }
    [[nodiscard]] std::size_t place_of(std::string const& name) const {
        auto const& all = flat_.stages.front().nodes;
        auto const at = std::find_if(all.begin(), all.end(), [&](auto const& node) { return node.name == name; });
        return static_cast<std::size_t>(at - all.begin()) + 1;
    }
    /// Of polar factors where lengths of one node's h tell it, of signs where sums of sizes do.
    [[nodiscard]] std::optional<OwnSquare> own(std::size_t v, std::vector<Matrix> const& matrices) const {
        if (rule_ == StepRule::normalised || !has_densities_) return std::nullopt;
        bool const signs = rule_ == StepRule::sign;
        auto const reach = NodeReach::of(reach_, flat_, v, signs);
        if (!reach) return std::nullopt;
        std::map<std::size_t, Surd> rates;  // of the nodes whose h they read
        for (auto const& w : matrices) {
            if (w.rate.is_zero()) continue;
            auto const read = signs ? parts_of(w.from) : std::vector<std::size_t>{w.from};
            for (std::size_t const part : read) {
                auto const [known, fresh] = rates.emplace(part, w.rate);
                if (!fresh) known->second = known->second + w.rate;
            }
        }
        auto const size = signs ? sum_of_sizes(v, rates) : length(v, rates);
        if (!size) return std::nullopt;
        return OwnSquare{.size = *size, .reach = *reach};
    }
    /// Does nothing below a node move?
    [[nodiscard]] bool rests_below(std::size_t v) const {
        return !any_into(v, [&](Edge const& edge) { return moves_[edge.from]; });
    }
    /// Does each neuron that has a gradient move by one and the same size, that of its matrices' step?
    [[nodiscard]] bool moves_alike(std::size_t v) const {
        bool const of_input = !any_into(v, [&](Edge const& edge) { return edge.from != 0; });
        return of_input && (rule_ == StepRule::sign || (rule_ == StepRule::orthogonal && node(v).width == Surd(1)));
    }
    /// The label factor of all matrices, where it is one.
    [[nodiscard]] std::optional<Surd> one_rate() const {
        std::optional<Surd> rate;
        for (std::size_t v = 1; v <= nodes(); ++v) {
            for (auto const& w : matrices(v)) {
                if (rate && *rate != w.rate) return std::nullopt;
                rate = w.rate;
            }
        }
        return rate;
    }
    /// E (Delta f)^2 of one output that all matrices move at the rate eta by the gradient over its norm: eta E K, K the kernel
    /// with the label factors of sgd in it, which are those of `model`.
    [[nodiscard]] std::optional<Surd> output_change_square(Surd const& eta) const {
        if (rule_ != StepRule::normalised || node(nodes()).width != Surd(1)) return std::nullopt;
        return times(eta, known_mean("z[1;m]^2"));
    }
    /// E z^2, the mean over the neurons of a node.
    [[nodiscard]] std::optional<Surd> preactivation_square(std::size_t v) const {
        return times(Surd(1) / node(v).width, known_mean("z{" + node(v).name + "}[i]^2"));
    }
    [[nodiscard]] std::size_t nodes() const { return flat_.stages.front().nodes.size(); }
    [[nodiscard]] bool is_output(std::size_t v) const { return v == nodes(); }
    [[nodiscard]] StepRule rule() const { return rule_; }

private:
    using Edge = GraphEdge<Surd>;

    [[nodiscard]] GraphNode<Surd> const& node(std::size_t v) const { return flat_.stages.front().nodes[v - 1]; }
    [[nodiscard]] Edge const& edge_at(std::size_t e) const { return flat_.stages.front().edges[e]; }
    [[nodiscard]] bool any_into(std::size_t v, auto const& is) const {
        return std::any_of(into_[v].begin(), into_[v].end(), [&](std::size_t e) { return is(edge_at(e)); });
    }
    /// m^2 beside the matrix that ends a residual branch.
    [[nodiscard]] Surd multiplier_squared(std::size_t v) const {
        auto const& m = model_.derivatives.branch_multiplier_squared;
        return m && any_into(v, [](Edge const& edge) { return edge.kind == Edge::Kind::skip; }) ? *m : Surd(1);
    }
    /// The nodes that a concatenation is made of, or the one node.
    [[nodiscard]] std::vector<std::size_t> parts_of(std::size_t v) const {
        if (v == 0 || node(v).kind != GraphNode<Surd>::Kind::concatenation) return {v};
        std::vector<std::size_t> out;
        for (std::size_t const e : into_[v])
            for (std::size_t const part : parts_of(edge_at(e).from)) out.push_back(part);
        return out;
    }
    /// None where strands are too many or meet in odd numbers.
    [[nodiscard]] std::optional<Surd> known_mean(std::string const& query) const {
        try {
            return exact_mean(query, model_);
        } catch (UnsupportedError const&) {
            return std::nullopt;
        }
    }
    [[nodiscard]] static std::optional<Surd> times(Surd const& factor, std::optional<Surd> const& x) {
        return x ? std::optional<Surd>(factor * *x) : std::nullopt;
    }
    /// E |h|^2 of a node.
    [[nodiscard]] std::optional<Surd> square_of(std::size_t v) const {
        return v == 0 ? model_.squared_norm : known_mean("h{" + node(v).name + "}[i]^2");
    }
    [[nodiscard]] Surd absolute_input() const {
        Surd out(0);
        for (auto const& x : model_.input) out = sign(x) < 0 ? out - x : out + x;
        return out;
    }

    /// (sum of rates |h|)^2/n_v, |h| of one node.
    [[nodiscard]] std::optional<StepSize> length(std::size_t v, std::map<std::size_t, Surd> const& rates) const {
        if (rates.empty()) return StepSize{};
        if (rates.size() > 1) return std::nullopt;
        auto const& [from, rate] = *rates.begin();
        auto const square = times(multiplier_squared(v) * rate * rate / node(v).width, square_of(from));
        if (!square) return std::nullopt;
        return StepSize{.square = {.plain = *square, .over_pi = Surd(0)}, .products = {}};
    }
    /// (sum of rates |h|_1)^2
    [[nodiscard]] std::optional<StepSize> sum_of_sizes(std::size_t v, std::map<std::size_t, Surd> const& rates) const {
        StepSize out;
        Surd const m2 = multiplier_squared(v);
        for (auto const& [from, rate] : rates) {
            auto const square = squared_size(from);
            if (!square) return std::nullopt;
            out.square.plain = out.square.plain + m2 * rate * rate * square->plain;
            out.square.over_pi = out.square.over_pi + m2 * rate * rate * square->over_pi;
        }
        for (auto a = rates.begin(); a != rates.end(); ++a) {
            for (auto b = std::next(a); b != rates.end(); ++b) {
                auto product = product_of_sizes(a->first, b->first);
                if (!product) return std::nullopt;
                product->factor = Surd(2) * m2 * a->second * b->second * product->factor;
                out.products.push_back(*product);
            }
        }
        return out;
    }
    /// Is z of a node a sum of Gaussian matrices times h, and of nothing else?
    [[nodiscard]] bool is_gaussian(std::size_t v) const {
        return !any_into(
            v, [](Edge const& edge) { return edge.kind != Edge::Kind::weight || edge.law.kind != LawKind::gaussian; });
    }
    /// 1 above 0 and |s| below: (1 + |s|)/2, and (1 + s^2)/2.
    [[nodiscard]] Surd mean_gate(std::size_t v) const {
        Surd const slope = node(v).gate ? node(v).gate->negative : Surd(1);
        return (Surd(1) + (sign(slope) < 0 ? Surd(0) - slope : slope)) / Surd(2);
    }
    [[nodiscard]] Surd mean_squared_gate(std::size_t v) const {
        Surd const slope = node(v).gate ? node(v).gate->negative : Surd(1);
        return (Surd(1) + slope * slope) / Surd(2);
    }
    /// E |h|_1^2: given what lies below, z_i are independent normals of one variance.
    [[nodiscard]] std::optional<PiSum> squared_size(std::size_t v) const {
        if (v == 0) return PiSum{.plain = absolute_input() * absolute_input(), .over_pi = Surd(0)};
        if (!is_gaussian(v)) return std::nullopt;
        auto const square = preactivation_square(v);
        if (!square) return std::nullopt;
        Surd const n = node(v).width;
        Surd const a = mean_gate(v);
        return PiSum{.plain = *square * n * mean_squared_gate(v),
                     .over_pi = Surd(2) * *square * n * (n - Surd(1)) * a * a};
    }
    /// E |h|_1 of a node whose z has a variance that is a number, factor (radicand/pi)^(1/2).
    [[nodiscard]] std::optional<MeanProduct> mean_size(std::size_t v) const {
        if (!is_gaussian(v) || any_into(v, [](Edge const& edge) { return edge.from != 0; })) return std::nullopt;
        Surd variance(0);
        for (std::size_t const e : into_[v]) variance = variance + edge_at(e).variance * model_.squared_norm;
        return MeanProduct{.factor = node(v).width * mean_gate(v), .radicand = Surd(2) * variance, .over_pi = false};
    }
    /// E |h|_1 |h'|_1 of two nodes, each the input or one that reads it alone, by its own matrices.
    [[nodiscard]] std::optional<MeanProduct> product_of_sizes(std::size_t a, std::size_t b) const {
        auto const of_b = mean_size(b);  // b is above a
        if (!of_b) return std::nullopt;
        if (a == 0)
            return MeanProduct{.factor = absolute_input() * of_b->factor, .radicand = of_b->radicand, .over_pi = false};
        auto const of_a = mean_size(a);
        if (!of_a) return std::nullopt;
        return MeanProduct{
            .factor = of_a->factor * of_b->factor, .radicand = of_a->radicand * of_b->radicand, .over_pi = true};
    }

    /// Sums of weights are 0 with probability 0.
    [[nodiscard]] bool densities() const {
        auto const& edges = flat_.stages.front().edges;
        return std::all_of(edges.begin(), edges.end(), [](Edge const& edge) {
            return edge.kind == Edge::Kind::skip || edge.law.kind == LawKind::gaussian ||
                   edge.law.kind == LawKind::uniform || edge.law.kind == LawKind::laplace;
        });
    }

    NumericModel const& model_;
    StepRule rule_;
    Graph<Surd, std::uint64_t> flat_;
    std::shared_ptr<GradientReach const> reach_;
    std::vector<std::vector<std::size_t>> into_;  ///< edges, by node
    std::vector<bool> moves_;                     ///< by node
    bool has_densities_ = densities();
};

}  // namespace isserlis::quantity
