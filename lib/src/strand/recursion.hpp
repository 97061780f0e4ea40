// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/ring/add_product.hpp>
#include <isserlis/ring/composed.hpp>
#include <isserlis/ring/exp_polynomial.hpp>
#include <isserlis/ring/fractions.hpp>
#include <isserlis/strand/expectation.hpp>
#include <isserlis/strand/places.hpp>
#include <isserlis/strand/setting.hpp>
#include <isserlis/strand/symmetry.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "strand/depth_run.hpp"
#include "strand/flow.hpp"
#include "strand/input_ends.hpp"
#include "strand/node_rule.hpp"
#include "strand/node_shapes.hpp"
#include "strand/node_values.hpp"

namespace isserlis {

/// Carries the states of one bundle from the output of a network down to its input.
///
/// `F` says how numbers are carried: `Fractions` of a ring, or `PlainFractions`.
template <class F, class Count>
class Recursion {
public:
    using R = typename F::Value;
    using Element = typename F::Element;
    using Result = Expected<R, Count>;

    Recursion(NamedNetwork<R, Count> const& network, Bundle const& bundle,
              std::vector<std::set<EdgePlace>> const& restrictions, ObservableSetting<R> const& setting,
              RecursionOptions const& options, PathBudget& budget)
        : network_(network),
          graph_(network.graph()),
          bundle_(bundle),
          shapes_(network, bundle, restrictions),
          setting_(setting),
          options_(options),
          budget_(budget),
          late_(options.reduce ? ends_at_input(bundle) : std::vector<bool>(bundle.strands.size(), false)),
          states_(options.reduce ? without_ends_at_input(bundle) : bundle, options.reduce),
          fixed_(fixed_neurons(bundle)) {}

    [[nodiscard]] Result value() {
        check_inputs();
        StrandState start;
        for (unsigned s = 0; s < bundle_.strands.size(); ++s) {
            unsigned const letter = bundle_.strands[s].letter;
            start.position[s] = StrandState::waiting;
            start.part[s] = static_cast<std::uint8_t>(letter);
            start.pin[s] = pin_of(letter, bundle_, fixed_);
            if (states_.slots() == states_.strands()) continue;
            unsigned const end = states_.strands() + s;
            start.set_apart(end);
            if (!bundle_.strands[s].end_letter || late_[s]) continue;
            start.part[end] = static_cast<std::uint8_t>(*bundle_.strands[s].end_letter);
            start.pin[end] = pin_of(*bundle_.strands[s].end_letter, bundle_, fixed_);
        }
        if (options_.explain && options_.trace != nullptr)
            options_.trace->lines.push_back("strands a, b, .. of " + to_string(bundle_) + ":");
        Flow flow;
        flow.add(states_.number(start), Element(1), Element(1));
        Result out = down(std::move(flow), {}, graph_.stages.size());
        if (options_.trace != nullptr) {
            options_.trace->states += states_.size();
            options_.trace->unreduced_states += states_.unreduced_size();
            for (auto const& [shape, rule] : rules_) {
                options_.trace->transitions += rule->transition_count();
                options_.trace->orthogonal_pairs = std::max(options_.trace->orthogonal_pairs, rule->orthogonal_pairs());
            }
        }
        return out;
    }

private:
    using Denominators = typename F::Denominator;
    using Values = NodeValues<R>;
    using Number = typename Values::Number;
    using Flow = isserlis::Flow<F>;

    /// A node with numbers put in: the values of its rule's entries over one denominator.
    struct Step {
        NodeRule& rule;
        Values values;
        std::vector<Number> known{};  ///< the values of the entries met so far
        std::vector<Element> entries{};
        Element denominator = Element(1);
    };

    // ---- what may sit where

    /// Several inputs are served only where no gate is on the way; constants and gates do not mix.
    void check_inputs() const {
        std::set<unsigned> inputs;
        for (auto const& s : bundle_.strands) {
            if (!s.matrix) inputs.insert(s.input);
        }
        several_inputs_ = inputs.size() > 1;
        if (several_inputs_ && graph_.sides == WeightSides::independent) {
            throw UnsupportedError(
                "two inputs meet a concatenated ReLU: its gates at two inputs are in general correlated, and the "
                "expectation no finite sum of strands; use `activation` linear, or one input");
        }
        if (graph_.sides == WeightSides::tied) {
            for (auto const& label : bundle_.labels) {
                std::set<unsigned> carried;
                for (unsigned const s : label.strands) carried.insert(bundle_.strands[s].input);
                if (carried.size() > 1)
                    throw UnsupportedError("the label " + label.name +
                                           " meets two inputs in a concatenated ReLU, whose gates at two inputs are "
                                           "correlated; use `activation` linear, or one input");
            }
        }
    }

    // ---- one node

    NodeRule& rule_for(std::size_t b, std::size_t v) {
        NodeShape shape = shapes_.at(b, v);
        if (shape.gated && several_inputs_) {
            throw UnsupportedError(
                "two inputs meet the gated node " + shape.name +
                ": gates at two inputs are in general correlated, and the expectation no finite sum of strands; use "
                "`activation` linear, or one input. Through one hidden layer isserlis kernel has second "
                "moments, isserlis hessian and mup with a file of inputs the Hessian and one step; kernel has "
                "the limits of infinite width at any depth");
        }
        auto at = rules_.find(shape);
        if (at != rules_.end()) at->second->set_name(shape.name);
        if (at == rules_.end()) {
            auto rule = std::make_unique<NodeRule>(shape, bundle_, states_, budget_);
            at = rules_.emplace(std::move(shape), std::move(rule)).first;
        }
        return *at->second;
    }

    [[nodiscard]] std::vector<Step> steps_of(std::size_t b) {
        auto const& stage = graph_.stages[b];
        std::vector<Step> out;
        for (std::size_t v = stage.nodes.size(); v >= 1; --v) {
            auto const& node = stage.nodes[v - 1];
            std::vector<typename Values::Weights> into;
            for (auto const& edge : stage.edges) {
                if (edge.to != v) continue;
                into.push_back({.law = edge.law,
                                .orthogonal = edge.orthogonal,
                                .variance = Number(edge.variance),
                                .label_factor = Number(edge.label_factor),
                                .source = Number(network_.width({.stage = b, .node = edge.from}))});
            }
            if (auto const& bias = node.bias) {  // the weight of a neuron that is always 1
                static std::optional<R> const independent;
                into.push_back({.law = bias->law,
                                .orthogonal = independent,
                                .variance = Number(bias->variance),
                                .label_factor = Number(bias->label_factor),
                                .source = Number(1)});
            }
            out.push_back({.rule = rule_for(b, v),
                           .values = Values(network_.width({.stage = b, .node = v}), node, std::move(into), bundle_,
                                            setting_.constants)});
        }
        return out;
    }

    static void evaluate_entries(Step& step) {
        auto const& entries = step.rule.entries();
        if (step.known.size() == entries.size()) return;
        while (step.known.size() < entries.size())
            step.known.push_back(step.values.value(step.rule, entries[step.known.size()]));
        if constexpr (std::is_same_v<R, Rational>) {
            std::tie(step.entries, step.denominator) = over_common(step.known);
        } else {
            std::tie(step.entries, step.denominator) = F::over_common(step.known);
        }
    }

    void through(Step& step, Flow const& above, Flow& below) {
        for (unsigned const s : above.active) (void)step.rule.from(s);
        evaluate_entries(step);
        for (unsigned const s : above.active) {
            for (auto const& [to, entry] : step.rule.from(s)) below.add(to, above.values[s], step.entries[entry]);
        }
        explain(step, above);
    }

    static std::string text(Number const& value) {
        if constexpr (std::is_same_v<R, Rational>) {
            return isserlis::to_string(value.to_rational());
        } else if constexpr (std::is_floating_point_v<R>) {
            return std::to_string(value);
        } else {
            return isserlis::to_string(simplified(value));
        }
    }

    /// Every transition of a node, for as long as the text stays readable.
    void explain(Step& step, Flow const& above) {
        if (!options_.explain || options_.trace == nullptr || explained_.count(step.rule.shape().name) != 0) return;
        auto& lines = options_.trace->lines;
        if (lines.size() > most_explained) return;
        explained_.insert(step.rule.shape().name);
        lines.push_back("  node " + step.rule.shape().name + ", from what is tied above to what is tied below:");
        for (unsigned const s : above.active) {
            std::string line = "    " + to_string(states_.state(s), bundle_) + " ->";
            for (auto const& [to, entry] : step.rule.from(s)) {
                line += "  " + to_string(states_.state(to), bundle_) + ": " +
                        text(step.values.value(step.rule, step.rule.entries()[entry])) + ";";
            }
            line.pop_back();
            lines.push_back(std::move(line));
        }
    }

    /// The strands at the node below stage b + 1 are at the top of stage b; those that start in stage b wake up.
    unsigned entered(unsigned state, std::size_t b) {
        if (entered_stage_ != b) entered_.clear();
        entered_stage_ = b;
        if (entered_.size() <= state) entered_.resize(state + 1);
        if (entered_[state]) return *entered_[state];
        StrandState s = states_.state(state);
        auto const top = static_cast<std::uint8_t>(graph_.stages[b].nodes.size());
        for (unsigned k = 0; k < bundle_.strands.size(); ++k) {
            auto const& start = bundle_.strands[k].start;
            if (s.position[k] == StrandState::waiting) {
                if (start.stage == b && (start.node > 0 || b == 0))
                    s.position[k] = static_cast<std::uint8_t>(start.node);
            } else if (s.position[k] != StrandState::ended) {
                s.position[k] = top;
            }
        }
        return *(entered_[state] = states_.number(s));
    }

    /// One copy of stage b; the denominators are those of the steps.
    void through_stage(std::vector<Step>& steps, std::size_t b, Flow& flow) {
        spare_.clear();
        for (unsigned const s : flow.active) spare_.take(entered(s, b), flow.values[s]);
        for (auto& step : steps) {
            flow.clear();
            through(step, spare_, flow);
            std::swap(flow, spare_);
        }
        std::swap(flow, spare_);
    }

    // ---- many equal stages

    struct Transfer {
        TransferRows<F> rows;
        std::vector<Element> denominators;  ///< of one stage
    };

    /// The transfer of stage b on every state that can be reached from the active ones.
    Transfer transfer(std::vector<Step>& steps, std::size_t b, Flow const& from) {
        Transfer out;
        // Which states there are has to be known before the denominators are settled.
        std::vector<unsigned> order = from.active;
        std::set<unsigned> seen(order.begin(), order.end());
        for (std::size_t k = 0; k < order.size(); ++k) {
            std::vector<unsigned> level{entered(order[k], b)};
            for (auto& step : steps) {
                std::set<unsigned> next;
                for (unsigned const s : level) {
                    for (auto const& t : step.rule.from(s)) next.insert(t.to);
                }
                level.assign(next.begin(), next.end());
            }
            for (unsigned const s : level) {
                if (seen.insert(s).second) order.push_back(s);
            }
        }
        out.rows.resize(states_.size());
        for (unsigned const s : order) {
            Flow row;
            row.add(s, Element(1), Element(1));
            through_stage(steps, b, row);
            for (unsigned const t : row.active) {
                if (!(row.values[t] == Element(0))) out.rows[s].emplace_back(t, row.values[t]);
            }
        }
        for (auto const& step : steps) out.denominators.push_back(step.denominator);
        return out;
    }

    /// Through `count` copies of stage b, by repeated squaring where the copies are many and the states are few.
    Flow through_run(std::size_t b, std::uint64_t count, Flow flow, Denominators& denominators) {
        auto steps = steps_of(b);
        auto const copy_one = [&] {
            through_stage(steps, b, flow);
            for (auto const& step : steps) denominators.multiply(step.denominator, 1);
        };
        // A few copies one by one: most states show up in them.
        std::uint64_t done = 0;
        std::uint64_t const worth_it = 64 + 8 * bundle_.labels.size() * bundle_.strands.size();
        while (done < count && (count <= worth_it || done < 2)) {
            copy_one();
            ++done;
        }
        if (done == count) return flow;
        if (flow.active.size() > squaring_limit) {
            for (; done < count; ++done) copy_one();
            return flow;
        }
        Transfer power = transfer(steps, b, flow);
        for (auto const& d : power.denominators) denominators.multiply(d, count - done);
        using Rows = TransferRows<F>;
        return taken(
            std::move(power.rows), count - done, std::move(flow), 1,
            [](Rows const& rows, Flow const& f) { return times(f, rows); }, transfer_product<F>);
    }

    // ---- the whole way

    Result down(Flow flow, Denominators denominators, std::size_t stages) {
        for (std::size_t b = stages; b-- > 0;) {
            auto const& count = graph_.stages[b].count;
            if constexpr (std::is_same_v<Count, Exponent>) {
                if (!count.is_constant()) return symbolic_run(b, count, flow, denominators);
                flow = through_run(b, checked_count(numerator_of(count.constant())), std::move(flow), denominators);
            } else {
                flow = through_run(b, count, std::move(flow), denominators);
            }
        }
        return Result(at_input(flow, denominators));
    }

    Result symbolic_run(std::size_t b, Exponent const& count, Flow const& flow, Denominators const& denominators) {
        if constexpr (std::is_same_v<Element, Polynomial>) {
            auto steps = steps_of(b);
            Transfer const t = transfer(steps, b, flow);
            Polynomial whole(1);
            for (auto const& d : t.denominators) whole = whole * d;
            auto dense = [&](Flow const& f) {
                std::vector<Polynomial> out(t.rows.size());
                for (unsigned const s : f.active) out[s] = f.values[s];
                return out;
            };
            DepthPowers const depth(depth_factors(t.rows, dense(flow)), count);
            auto const& factors = depth.factors();
            if (options_.explain && options_.trace != nullptr) explain(b, t, whole, factors);
            if (options_.trace != nullptr) {
                auto const zeros = static_cast<std::size_t>(std::count_if(
                    factors.begin(), factors.end(), [](auto const& q) { return !q.product && q.trace.is_zero(); }));
                options_.trace->least_repeats = std::max(options_.trace->least_repeats, zeros);
            }
            return depth_run<F>(depth, t.rows, whole, flow, [&](Flow const& f) { return down(f, denominators, b); });
        } else {
            throw UnsupportedError(
                "symbolic depth needs weight variances without roots of symbols; give the depth a "
                "`value`, or another `scheme`");
        }
    }

    void explain(std::size_t b, Transfer const& t, Polynomial const& denominator,
                 std::vector<DepthFactor> const& factors) {
        auto& lines = options_.trace->lines;
        auto const text = [&](Polynomial const& p) {
            return to_string(RationalFunction(RationalFunction(p) / RationalFunction(denominator)).merged());
        };
        lines.push_back("repeated block at " + network_.name({.stage = b, .node = graph_.stages[b].nodes.size()}) +
                        ", transfer between states (rows to columns):");
        for (unsigned s = 0; s < t.rows.size(); ++s) {
            if (t.rows[s].empty()) continue;
            std::string line = "  " + to_string(states_.state(s), bundle_) + " ->";
            for (auto const& [to, x] : t.rows[s])
                line += "  " + to_string(states_.state(to), bundle_) + ": " + text(x) + ";";
            line.pop_back();
            lines.push_back(std::move(line));
        }
        std::string line = "  eigenvalues:";
        for (auto const& q : factors) {
            for (auto const& root : roots(q, denominator)) line += " " + to_string(root) + ",";
        }
        line.pop_back();
        lines.push_back(std::move(line));
    }

    /// All strands are at the input: stages become sums over its coordinates.
    R at_input(Flow const& flow, Denominators denominators) const {
        auto const all = static_cast<std::uint16_t>((1U << bundle_.labels.size()) - 1);
        bool const unfold = std::find(late_.begin(), late_.end(), true) != late_.end();
        auto const orbits = unfold ? states_.orbits() : std::vector<std::vector<StrandState const*>>{};
        InputEnds<R> const at_ends(bundle_, states_, setting_, graph_.input_width, late_, fixed_);
        std::vector<R> values;
        std::vector<unsigned> ends;
        for (unsigned const s : flow.active) {
            if (states_.state(s).placed != all || flow.values[s] == Element(0)) continue;
            values.push_back(at_ends.mean(unfold ? orbits[s] : std::vector{&states_.state(s)}));
            ends.push_back(s);
        }
        auto const [numerators, denominator] = F::over_common(values);
        Element total(0);
        for (std::size_t k = 0; k < ends.size(); ++k) detail::add_product(total, flow.values[ends[k]], numerators[k]);
        denominators.multiply(denominator, 1);
        return F::divided(total, denominators);
    }

    static constexpr std::size_t squaring_limit = 40;
    static constexpr std::size_t most_explained = 200;  ///< lines

    NamedNetwork<R, Count> const& network_;
    Graph<R, Count> const& graph_;
    Bundle const& bundle_;
    NodeShapes<R, Count> shapes_;
    ObservableSetting<R> const& setting_;
    RecursionOptions options_;
    PathBudget& budget_;
    std::vector<bool> late_;  ///< strands whose ends are tied at the input only
    StateTable states_;
    std::vector<std::uint64_t> fixed_;
    mutable bool several_inputs_ = false;
    std::map<NodeShape, std::unique_ptr<NodeRule>> rules_;
    std::set<std::string> explained_;  ///< nodes whose transitions have been listed
    Flow spare_;
    std::size_t entered_stage_ = 0;
    std::vector<std::optional<unsigned>> entered_;  ///< states at the top of `entered_stage_`, by those above it
};

}  // namespace isserlis
