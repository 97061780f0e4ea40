// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/network/graph.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/surd.hpp>
#include <isserlis/strand/setting.hpp>
#include <isserlis/words/weingarten.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ring/word_fraction.hpp"
#include "strand/node_rule.hpp"

namespace isserlis {

/// Even cumulants of a weight beyond its variance, relative to powers of it: k4 / c^2 and k6 / c^3.
template <class R>
[[nodiscard]] std::vector<R> relative_cumulants(WeightLaw<R> const& law) {
    R const fourth = law.kurtosis() - R(3);
    switch (law.kind) {
        case LawKind::gaussian: return {};
        case LawKind::uniform: return {fourth, R(48) / R(7)};
        case LawKind::rademacher: return {fourth, R(16)};
        case LawKind::laplace: return {fourth, R(30)};
        case LawKind::kurtosis: break;
    }
    if (fourth == R(0)) return {};  // known up to the fourth moment only, which is that of a Gaussian
    return {fourth};
}

/// The factors of a NodeRule at one node: its width, gate and weights put in.
template <class R>
class NodeValues {
public:
    /// What the few small numbers of one node are worked out in.
    using Number = std::conditional_t<std::is_same_v<R, Rational>, WordFraction, R>;

    /// What goes into the node by one edge, or by its bias.
    struct Weights {
        WeightLaw<R> const& law;
        std::optional<R> const& orthogonal;  ///< as `GraphEdge::orthogonal`
        Number variance;
        Number label_factor;
        Number source;  ///< the width that the edge comes from
    };

    NodeValues(R const& width, GraphNode<R> const& node, std::vector<Weights> into, Bundle const& bundle,
               std::map<std::string, ConstantValue<R>> const& constants)
        : width_(width),
          gate_(node.gate ? Gate<Number>(Number(node.gate->positive), Number(node.gate->negative))
                          : Gate<Number>::open()),
          into_(std::move(into)),
          bundle_(bundle),
          constants_(constants) {}

    [[nodiscard]] Number value(NodeFactor const& factor) {
        Number out = factor.letters.empty() ? index_sum(factor) : Number(contraction(factor.letters));
        for (std::size_t e = 0; e < into_.size(); ++e) {
            auto const& p = factor.edges[e];
            auto const& edge = into_[e];
            unsigned const powers = p.variance + 2U * p.fourth + 3U * p.sixth;
            if (powers > 0) out = out * variance_power(e, powers);
            if (p.coset_type > 0) out = out * weingarten(e, p.variance)[p.coset_type - 1U];
            if (p.ends > 0) out = out * power(edge.source, p.ends);
            if (p.labels > 0 && !(edge.label_factor == Number(1))) out = out * power(edge.label_factor, p.labels);
            if (p.fourth + p.sixth == 0) continue;
            auto const cumulants = relative_cumulants(edge.law);
            if (p.fourth > 0) out = out * power(Number(cumulants.at(0)), p.fourth);
            if (p.sixth > 0) out = out * power(Number(cumulants.at(1)), p.sixth);
        }
        return out;
    }

    [[nodiscard]] Number value(NodeRule const& rule, NodeRule::Entry const& entry) {
        Number sum(0);
        for (auto const& [factor, times] : entry) {
            if (known_.size() <= factor) known_.resize(rule.factors().size());
            auto& v = known_[factor];
            if (!v) v = value(rule.factors()[factor]);
            if (entry.size() == 1 && times == 1) return *v;
            sum = sum + (times == 1 ? *v : Number(*v * number(times)));
        }
        return sum;
    }

    /// Sum over the outputs of the product of the constants, letters of one group taking one neuron.
    R contraction(NodeFactor::Groups const& group_of) const {
        std::size_t groups = 0;
        for (auto const g : group_of)
            groups = g == NodeFactor::elsewhere ? groups : std::max<std::size_t>(groups, g + 1U);
        std::vector<std::size_t> fixed(groups, 0);
        for (std::size_t l = 0; l < group_of.size(); ++l) {
            auto const neuron = static_cast<std::size_t>(bundle_.letters[l]);
            if (neuron == 0 || group_of[l] == NodeFactor::elsewhere) continue;
            auto& at = fixed[group_of[l]];
            if (at != 0 && at != neuron) return R(0);
            at = neuron;
        }
        std::size_t const size = constants_.at(bundle_.constants.front().name).front().size();
        constexpr double most = 5e7;
        if (std::pow(static_cast<double>(size), static_cast<double>(groups)) > most)
            throw UnsupportedError("constants of " + std::to_string(size) + " outputs at " + std::to_string(groups) +
                                   " letters: too many terms to contract");
        std::vector<std::size_t> neuron(groups, 0);
        auto sum_from = [&](auto const& self, std::size_t g, R const& product) -> R {
            if (g == groups) return product;
            R sum(0);
            for (std::size_t t = fixed[g] == 0 ? 0 : fixed[g] - 1; t < (fixed[g] == 0 ? size : fixed[g]); ++t) {
                neuron[g] = t;
                R next = product;
                // Constants whose letters have all got their neurons now.
                for (auto const& c : bundle_.constants) {
                    std::size_t last = 0;
                    for (unsigned const l : c.letters) last = std::max<std::size_t>(last, group_of[l]);
                    if (last != g) continue;
                    auto const& rows = constants_.at(c.name);
                    next = next * (c.letters.size() == 1
                                       ? rows[0][neuron[group_of[c.letters[0]]]]
                                       : rows[neuron[group_of[c.letters[0]]]][neuron[group_of[c.letters[1]]]]);
                }
                if (!(next == R(0))) sum = sum + self(self, g + 1, next);
            }
            return sum;
        };
        return sum_from(sum_from, 0, R(1));
    }

private:
    static Number number(std::uint64_t count) {
        if constexpr (std::is_same_v<Number, WordFraction>) {
            if (count < 1ULL << 63U) return WordFraction(static_cast<std::int64_t>(count));
        }
        return Number(from_count<R>(count));
    }

    /// Sum over the neurons of the node: n for each group without a gate; with one, groups may share a neuron and its
    /// gate, so that the sum runs over the partitions of the groups into different neurons.
    Number index_sum(NodeFactor const& f) {
        bool const plain =
            f.fixed.empty() && std::all_of(f.summed.begin(), f.summed.end(), [](auto g) { return g == 0; });
        if (plain) return power(width_, f.summed.size());
        auto const [at, fresh] = sums_.try_emplace(std::pair(f.summed, f.fixed), Number(0));
        if (!fresh) return at->second;
        Number sum(0);
        for (auto const& [passing, times] : ways_to_share(f)) {
            Number product = different_neurons(f.fixed.size(), passing.size());
            for (auto const k : passing) product = product * gate_moment(k);
            if (times != 1) product = product * number(times);
            sum = sum + product;
        }
        return at->second = std::move(sum);
    }

    /// How many strands pass each of the different neurons that the groups take, in order, and in how many ways.
    using Shares = std::vector<std::pair<NodeFactor::Groups, std::uint64_t>>;

    /// Each summed group joins a neuron that is there, the fixed ones first, or takes a new one.
    static Shares ways_to_share(NodeFactor const& f) {
        Shares out{{f.fixed, 1}};
        for (auto const group : f.summed) {
            Shares next;
            auto const add = [&](NodeFactor::Groups passing, std::uint64_t times) {
                std::sort(passing.begin(), passing.end());
                auto const same =
                    std::find_if(next.begin(), next.end(), [&](auto const& other) { return other.first == passing; });
                if (same == next.end())
                    next.emplace_back(std::move(passing), times);
                else
                    same->second += times;
            };
            for (auto const& [passing, times] : out) {
                for (std::size_t k = 0; k < passing.size(); ++k) {
                    auto joined = passing;
                    joined[k] = static_cast<std::uint8_t>(joined[k] + group);
                    add(std::move(joined), times);
                }
                auto apart = passing;
                apart.push_back(group);
                add(std::move(apart), times);
            }
            out = std::move(next);
        }
        return out;
    }

    /// The ways to choose different neurons beside `fixed` ones, to have `all` with them: (n - fixed) (n - fixed - 1) ..
    Number const& different_neurons(std::size_t fixed, std::size_t all) {
        if (choices_.size() <= fixed) choices_.resize(fixed + 1, {Number(1)});
        auto& choices = choices_[fixed];
        for (std::size_t taken = fixed + choices.size() - 1; taken < all; ++taken)
            choices.push_back(choices.back() * (width_ - number(taken)));
        return choices[all - fixed];
    }

    Number const& variance_power(std::size_t edge, unsigned exponent) {
        if (variances_.size() <= edge) variances_.resize(edge + 1, {Number(1)});
        auto& powers = variances_[edge];
        while (powers.size() <= exponent) powers.push_back(powers.back() * into_[edge].variance);
        return powers[exponent];
    }

    /// m^k Wg of an orthogonal m x m matrix, by coset types: exact at whole numbers, a formula for m >= k.
    std::vector<Number> const& weingarten(std::size_t edge, unsigned pairs) {
        auto& out = weingarten_[{edge, pairs}];
        if (!out.empty()) return out;
        R const& side = *into_[edge].orthogonal;
        R const scale = power(side, pairs);
        auto const add = [&](auto const& functions) {
            for (Rational const& x : functions) {
                if constexpr (std::is_same_v<R, double>) {
                    out.push_back(scale * x.convert_to<double>());
                } else {
                    out.push_back(Number(scale * R(x)));
                }
            }
        };
        if constexpr (std::is_same_v<R, RationalFunction>) {
            if (!side.is_numeric()) {
                for (auto const& x : words::orthogonal_weingarten(pairs, side)) out.push_back((scale * x).merged());
                return out;
            }
            add(words::orthogonal_weingarten(pairs, numerator_of(side.evaluate({}).to_rational())));
        } else if constexpr (std::is_same_v<R, Surd>) {
            add(words::orthogonal_weingarten(pairs, numerator_of(side.to_rational())));
        } else {
            add(words::orthogonal_weingarten(pairs, numerator_of(Rational(side))));
        }
        return out;
    }

    /// E g^k.
    Number const& gate_moment(unsigned k) {
        if (moments_.size() <= k) moments_.resize(k + 1);
        if (!moments_[k]) moments_[k] = k == 0 ? Number(1) : gate_.moment(k);
        return *moments_[k];
    }

    Number width_;
    Gate<Number> gate_;
    std::vector<Weights> into_;
    Bundle const& bundle_;
    std::map<std::string, ConstantValue<R>> const& constants_;
    std::vector<std::optional<Number>> known_;  ///< by the rule's factors
    std::map<std::pair<NodeFactor::Groups, NodeFactor::Groups>, Number> sums_;
    std::vector<std::optional<Number>> moments_;
    std::map<std::pair<std::size_t, unsigned>, std::vector<Number>> weingarten_;
    std::vector<std::vector<Number>> choices_;    ///< of different neurons beside so many fixed ones
    std::vector<std::vector<Number>> variances_;  ///< powers of each edge's, from 0
};

}  // namespace isserlis
