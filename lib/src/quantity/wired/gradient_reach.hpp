// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/graph.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/surd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace isserlis::quantity {

/// The probability that the gradient by the output reaches a node of a flat graph, given that what its matrices read is not 0.
///
/// A gradient passes a node of ReLU units if one of them or more is open, and every other node. Given all that lies below,
/// gates are fair coins wherever some h that the node's matrices read is not 0, as it is above each open unit: a node of n
/// ReLU units passes with probability 1 - 2^-n, independently of the others. Weights have a density, so that what comes
/// together from several paths does not cancel.
class GradientReach {
public:
    explicit GradientReach(Graph<Surd, std::uint64_t> const& flat)
        : nodes_(flat.stages.front().nodes), above_(nodes_.size() + 1) {
        for (auto const& edge : flat.stages.front().edges) above_[edge.from].insert(edge.to);
        for (std::size_t v = nodes_.size(); v > 0; --v) {
            auto const leads = [&](std::vector<bool> const& where) {
                return std::any_of(above_[v].begin(), above_[v].end(), [&](std::size_t u) { return where[u - 1]; });
            };
            bool const output = v == nodes_.size();
            leads_up_[v - 1] = output || leads(leads_up_);
            certain_[v - 1] = output || (!can_close(v) && leads(certain_));
        }
    }

    /// Are these ReLU units, all of which may be closed?
    [[nodiscard]] bool can_close(std::size_t v) const {
        auto const& gate = nodes_[v - 1].gate;
        return gate && gate->negative.is_zero();
    }

    /// From what stands above node v, where one of its own units is open: a polynomial of open(u), the probability that
    /// node u passes. None where paths meet in too many ways.
    template <class N>
    [[nodiscard]] std::optional<N> above(std::size_t v, N const& none, N const& all, auto const& open) const {
        if (v == nodes_.size()) return all;
        N reached = none;
        std::map<std::set<std::size_t>, N> waiting;  // nodes that the gradient would come through, not yet looked at
        auto const add = [&](std::set<std::size_t> const& at, N const& probability) {
            if (at.empty()) return;
            if (std::any_of(at.begin(), at.end(), [&](std::size_t u) { return certain_[u - 1]; })) {
                reached = reached + probability;
                return;
            }
            auto const [known, fresh] = waiting.emplace(at, probability);
            if (!fresh) known->second = known->second + probability;
        };
        add(with_above({}, v), all);
        while (!waiting.empty()) {
            if (waiting.size() > most_states) return std::nullopt;
            auto const lowest = std::min_element(waiting.begin(), waiting.end(), [](auto const& a, auto const& b) {
                return *a.first.begin() < *b.first.begin();
            });
            std::size_t const u = *lowest->first.begin();
            auto const [at, probability] = *lowest;
            waiting.erase(lowest);
            auto rest = at;
            rest.erase(u);
            if (!can_close(u)) {
                add(with_above(rest, u), probability);
                continue;
            }
            N const passes = open(u);
            add(with_above(rest, u), probability * passes);
            add(rest, probability * (all - passes));
        }
        return reached;
    }

private:
    static constexpr std::size_t most_states = 4096;

    [[nodiscard]] std::set<std::size_t> with_above(std::set<std::size_t> at, std::size_t v) const {
        for (std::size_t const u : above_[v])
            if (leads_up_[u - 1]) at.insert(u);
        return at;
    }

    std::vector<GraphNode<Surd>> nodes_;
    std::vector<std::set<std::size_t>> above_;  ///< by node, 0 the input
    std::vector<bool> leads_up_ = std::vector<bool>(nodes_.size());
    std::vector<bool> certain_ = std::vector<bool>(nodes_.size());  ///< reached whatever the gates are
};

inline constexpr int most_exact_gates = 20;  ///< 2^-n of more ReLU units is known through enclosures

/// How likely node v, or one neuron of it, has a gradient, given that what its matrices read is not 0.
class NodeReach {
public:
    /// `flat` is kept by reference. None where paths meet in too many ways.
    static std::optional<NodeReach> of(std::shared_ptr<GradientReach const> const& reach,
                                       Graph<Surd, std::uint64_t> const& flat, std::size_t v, bool one_neuron) {
        NodeReach out(reach, v, one_neuron && reach->can_close(v));
        std::set<std::size_t> used;
        auto const any = reach->above(v, 0.0, 1.0, [&](std::size_t u) {
            used.insert(u);
            return 0.5;
        });
        if (!any) return std::nullopt;
        out.never_ = *any == 0;
        if (reach->can_close(v) && !out.halved_) used.insert(v);
        for (std::size_t const u : used) {
            out.units_[u] = numerator_of(flat.stages.front().nodes[u - 1].width.to_rational());
            out.all_units_ += out.units_[u];
        }
        return out;
    }

    [[nodiscard]] bool never() const { return never_; }
    [[nodiscard]] bool is_short() const { return all_units_ <= Integer(most_exact_gates); }
    [[nodiscard]] Surd exact() const {
        return probability(Surd(0), Surd(1), [&](std::size_t u) { return Surd(passes(u)); });
    }
    [[nodiscard]] Interval enclosed(unsigned bits) const {
        return probability(Interval(bits), Interval(1L, bits), [&](std::size_t u) {
            if (units_.at(u) <= Integer(bits)) return Interval(passes(u), bits);
            return widened(Interval(1L, bits), Interval(ratio(1, power(Integer(2), bits)), bits));
        });
    }

private:
    NodeReach(std::shared_ptr<GradientReach const> reach, std::size_t v, bool halved)
        : reach_(std::move(reach)), v_(v), halved_(halved) {}

    [[nodiscard]] Rational passes(std::size_t u) const {
        Integer const patterns = power(Integer(2), checked_count(units_.at(u)));
        return ratio(patterns - 1, patterns);
    }
    template <class N>
    [[nodiscard]] N probability(N const& none, N const& all, auto const& open) const {
        N const above = *reach_->above(v_, none, all, open);
        if (halved_) return above / (all + all);
        return reach_->can_close(v_) ? above * open(v_) : above;
    }

    std::shared_ptr<GradientReach const> reach_;
    std::size_t v_;
    bool halved_;  ///< by the gate of the one neuron
    bool never_ = false;
    std::map<std::size_t, Integer> units_;  ///< of the nodes that may be closed on the way
    Integer all_units_ = 0;
};

}  // namespace isserlis::quantity
