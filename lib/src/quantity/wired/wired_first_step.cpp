// SPDX-License-Identifier: MIT
#include "quantity/wired/wired_first_step.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/graph_step_sampler.hpp>
#include <isserlis/report/tidy.hpp>
#include <optional>
#include <string>
#include <vector>

#include "quantity/mup/sampled_steps.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

using monte_carlo::Estimate;

constexpr int most_exact_gates = 20;  ///< 2^-n of more ReLU units is known through enclosures

/// E (Delta W h)_i^2 at rate 1: `square` times the probability that each of these gate layers has an open gate.
struct OwnSquare {
    Surd square;
    std::vector<Integer> gates;

    /// factor times the root, or the root of the inverse.
    [[nodiscard]] Value root_of(Surd const& factor, bool inverse) const {
        Integer units = 0;
        for (auto const& n : gates) units += n;
        Surd const scaled = factor * factor * (inverse ? Surd(1) / square : square);
        if (units <= Integer(most_exact_gates)) {
            Surd alive(1);
            for (auto const& n : gates) alive = alive * (Surd(1) - Surd(1) / Surd(power(Integer(2), checked_count(n))));
            return root(inverse ? Surd(scaled / alive) : Surd(scaled * alive), "a root of the mean square");
        }
        return Value::certified(
            [scaled, inverse, layers = gates](unsigned bits) {
                unsigned const work = bits + guard_bits;
                Interval alive(1L, work);
                for (auto const& n : layers)
                    alive = alive * (Interval(1L, work) -
                                     Interval(ratio(Integer(1), power(Integer(2), checked_count(n))), work));
                Interval const x = enclose(scaled, work);
                return sqrt(inverse ? x / alive : x * alive);
            },
            inverse ? "1 over the root of the mean square" : "a root of the mean square");
    }
};

/// factor/x
std::optional<Estimate> inverse_of(Estimate const& x, double factor) {
    if (!(x.mean > 0)) return std::nullopt;
    return Estimate{
        .mean = factor / x.mean, .std_error = factor * x.std_error / (x.mean * x.mean), .samples = x.samples};
}

/// A residual network of numbers, its matrices one by one.
class ResidualSteps {
public:
    ResidualSteps(NumericModel const& model, StepRule rule)
        : model_(model), rule_(rule), flat_(flattened(model.graph())) {}

    struct Matrix {
        std::size_t from, to;  ///< nodes, 0 the input
        Surd multiplier_squared;
        Surd rate;
    };
    /// The one that leads into a node; its place among the nodes starts from 1.
    [[nodiscard]] Matrix into(std::size_t v) const {
        auto const& edges = flat_.stages.front().edges;
        auto const leads = [&](GraphEdge<Surd> const& edge, bool weighted) {
            return edge.to == v && (edge.kind == GraphEdge<Surd>::Kind::weight) == weighted;
        };
        auto const at = std::find_if(edges.begin(), edges.end(), [&](auto const& edge) { return leads(edge, true); });
        bool const last = std::any_of(edges.begin(), edges.end(), [&](auto const& edge) { return leads(edge, false); });
        auto const& m = model_.derivatives.branch_multiplier_squared;
        Surd const beside = last && m ? *m : Surd(1);
        return {.from = at->from, .to = v, .multiplier_squared = beside, .rate = at->label_factor / beside};
    }
    [[nodiscard]] std::size_t place_of(std::string const& name) const {
        auto const& nodes = flat_.stages.front().nodes;
        auto const at = std::find_if(nodes.begin(), nodes.end(), [&](auto const& node) { return node.name == name; });
        return static_cast<std::size_t>(at - nodes.begin()) + 1;
    }
    /// Known of polar factors, which go by lengths, and of signs at the input.
    [[nodiscard]] std::optional<OwnSquare> own(Matrix const& w) const {
        GraphNode<Surd> const& target = node(w.to);
        if (rule_ == StepRule::orthogonal)
            return OwnSquare{.square = w.multiplier_squared * square_below(w.from) / target.width,
                             .gates = gates_from(w.to)};
        if (rule_ != StepRule::sign || w.from != 0) return std::nullopt;
        Surd sum(0);
        for (auto const& x : model_.input) sum = sign(x) < 0 ? sum - x : sum + x;
        OwnSquare out{.square = w.multiplier_squared * sum * sum, .gates = gates_from(w.to)};
        if (!out.gates.empty()) {  // of a neuron whose own gate is open
            out.square = out.square / Surd(2);
            out.gates.erase(out.gates.begin());
        }
        return out;
    }
    /// E (Delta f)^2 of one output that all matrices move at one rate by the gradient over its norm: rate^2 E K.
    [[nodiscard]] std::optional<Surd> output_change_square() const {
        std::size_t const nodes = flat_.stages.front().nodes.size();
        if (rule_ != StepRule::normalised || node(nodes).width != Surd(1)) return std::nullopt;
        Surd const rate = into(1).rate;
        for (std::size_t v = 2; v <= nodes; ++v)
            if (into(v).rate != rate) return std::nullopt;
        return rate * exact_mean("z[1;m]^2", model_);
    }
    [[nodiscard]] bool is_output(std::size_t v) const { return v == flat_.stages.front().nodes.size(); }

private:
    [[nodiscard]] GraphNode<Surd> const& node(std::size_t v) const { return flat_.stages.front().nodes[v - 1]; }
    /// E |h|^2 of a node.
    [[nodiscard]] Surd square_below(std::size_t v) const {
        return v == 0 ? model_.squared_norm : exact_mean("h{" + node(v).name + "}[i]^2", model_);
    }
    /// The widths of the ReLU layers from a node up to the end of its branch: gradients reach the node if each of them has
    /// an open gate. Beyond that end there is the skip.
    [[nodiscard]] std::vector<Integer> gates_from(std::size_t v) const {
        std::vector<Integer> out;
        while (node(v).gate) {
            if (node(v).gate->negative.is_zero()) out.push_back(numerator_of(node(v).width.to_rational()));
            auto const& edges = flat_.stages.front().edges;
            v = std::find_if(edges.begin(), edges.end(), [&](auto const& edge) { return edge.from == v; })->to;
        }
        return out;
    }

    NumericModel const& model_;
    StepRule rule_;
    Graph<Surd, std::uint64_t> flat_;
};

}  // namespace

void add_wired_first_step(StepRule rule, NumericModel const& model, std::optional<Integer> const& width,
                          Session const& session, Answer& answer) {
    if (sign(model.squared_norm) <= 0)
        throw DomainError("`input`: |x|^2 is 0; a step of this size needs an input that is not 0", "input");
    auto const listed = listed_nodes(model.graph(), session, answer);
    ResidualSteps const steps(model, rule);
    std::vector<monte_carlo::FirstStepEstimates> sampled;
    if (session.samples) {
        require_sampled_steps(model, 4, session);
        auto const inputs = static_cast<std::size_t>(to_double(model.graph().input_width));
        sampled = monte_carlo::sample_graph_first_steps(sampling_graph(model), sampling_input(model, inputs), rule,
                                                        target_of(model), *session.samples, session.seed,
                                                        session.run_control());
    }
    answer.expect(5 * listed.size());
    for (auto const& at : listed) {
        std::vector<std::string> const index{at.name, width ? to_string(*width) : to_string(at.width)};
        std::size_t const v = steps.place_of(at.name);
        auto const* seen = sampled.empty() ? nullptr : &sampled[v - 1];
        auto const rms = [&](Estimate monte_carlo::FirstStepEstimates::*square) {
            return seen == nullptr ? std::nullopt : std::optional(root_of(seen->*square));
        };
        auto const matrix = steps.into(v);
        Surd const square = exact_mean("z{" + at.name + "}[i]^2", model) / at.width;
        add_known("preactivation_rms", index, root(square, "a root of the second moment"),
                  rms(&monte_carlo::FirstStepEstimates::square), answer);
        auto const own = steps.own(matrix);
        std::optional<Value> own_root;
        if (own) own_root = matrix.rate.is_zero() ? Value(Surd(0)) : own->root_of(matrix.rate, false);
        add_known("own_change_rms", index, own_root, rms(&monte_carlo::FirstStepEstimates::own_square), answer);
        if (own) {
            answer.add("unit_rate", index, own->root_of(Surd(1), true), {},
                       "the rate over own_change_rms, which is checked");
        } else if (rule != StepRule::normalised && !matrix.rate.is_zero()) {
            std::optional<Estimate> drawn;
            if (seen != nullptr) drawn = inverse_of(root_of(seen->own_square), to_double(matrix.rate));
            add_known("unit_rate", index, std::nullopt, drawn, answer);
        }
        // Nothing below the first matrix moves.
        std::optional<Value> change = matrix.from == 0 && v == 1 ? own_root : std::nullopt;
        if (steps.is_output(v)) {
            if (auto const known = steps.output_change_square()) change = root(*known, "a root of the second moment");
        }
        add_known("change_rms", index, change, rms(&monte_carlo::FirstStepEstimates::change_square), answer);
        // There signs make every coordinate move by as much.
        bool const alike = rule == StepRule::sign && change && own && own->gates.empty() && !steps.is_output(v);
        add_known("change_absolute_mean", index, alike ? own_root : std::nullopt,
                  seen == nullptr ? std::nullopt : std::optional(seen->change_absolute), answer);
    }
}

}  // namespace isserlis::quantity
