// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <isserlis/formula/loss_curve_squared.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/batch_step_sampler.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/ring/power.hpp>
#include <map>

#include "quantity/mup/sampled_steps.hpp"
#include "quantity/wired/linear_between_matrices.hpp"
#include "quantity/wired/meetings.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* gates_of_a_step =
    "`activation`: a step on several samples is served for linear units, `activation` linear; with gates one sample "
    "has it, by "
    "`input` or `input_squared_norm`, and isserlis mup the step on a file of inputs through one hidden ReLU layer";

// Words of a step: s is the sample where the change is read, k and l those of the two gradients.

/// How often the inputs of a word meet themselves and one another.
struct StepMeeting {
    unsigned ss = 0, sk = 0, sl = 0, kk = 0, kl = 0, ll = 0;

    explicit StepMeeting(Meetings const& meetings) {
        for (auto const& pair : meetings) {
            std::array<std::array<unsigned*, 3>, 3> const counts{{{&ss, &sk, &sl}, {&sk, &kk, &kl}, {&sl, &kl, &ll}}};
            ++*counts[pair[0]][pair[1]];
        }
    }
};

/// What strands leave at a sample s, averaged over the samples k and l of the gradients.
class LeftAtSamples {
public:
    explicit LeftAtSamples(StepSamples const& samples) : samples_(samples), size_(samples.names.size()) {
        auto const& g = samples.inputs;
        Surd const n = from_count<Surd>(size_);
        square_.assign(size_, std::vector<Surd>(size_, Surd(0)));
        for (std::size_t k = 0; k < size_; ++k) {
            for (std::size_t l = 0; l < size_; ++l)
                for (std::size_t q = 0; q < size_; ++q) square_[k][l] = square_[k][l] + g[k][q] * g[q][l] / n;
        }
        for (std::size_t k = 0; k < size_; ++k) {
            Surd sum(0);
            for (Surd const& x : g[k]) sum = sum + x;
            along_.push_back(sum / n);
        }
        if (samples.batch && *samples.batch != size_) share_ = Surd(own_share(*samples.batch, size_));
    }

    /// Of words with an output at k and l.
    [[nodiscard]] Surd of_outputs(StepMeeting const& of, std::size_t s) const {
        return mixed(of, s, of_outputs_apart(of, s), false);
    }
    /// Of words with a target there.
    [[nodiscard]] Surd of_targets(StepMeeting const& of, std::size_t s) const {
        Surd const& apart = of.kl == 1           ? samples_.target_cross
                            : of.sk + of.sl == 2 ? samples_.target_square[s]
                            : of.sk + of.sl == 1 ? samples_.target_along[s]
                                                 : samples_.target_mean;
        return mixed(of, s, apart, true);
    }

private:
    [[nodiscard]] Surd const& product(std::size_t k, std::size_t l) const { return samples_.inputs[k][l]; }

    /// A batch has one sample for k and l more often than two that are independent.
    [[nodiscard]] Surd mixed(StepMeeting const& of, std::size_t s, Surd const& apart, bool targets) const {
        Surd const own = power(product(s, s), of.ss);
        if (share_.is_zero()) return own * apart;
        Surd const one = mean([&](std::size_t k) {
            Surd const inputs = power(product(k, k), of.kk + of.kl + of.ll) * power(product(s, k), of.sk + of.sl);
            return targets ? Surd(samples_.target_norms[k] * inputs) : inputs;
        });
        return own * ((Surd(1) - share_) * apart + share_ * one);
    }

    [[nodiscard]] Surd of_outputs_apart(StepMeeting const& of, std::size_t s) const {
        if (of.kl == 2) return mean([&](std::size_t k) { return square_[k][k]; });
        if (of.kl == 0) return of_one(of.kk, of.sk, s) * of_one(of.ll, of.sl, s);
        // x_k.x_l with what is left of k and of l: nothing, or their product with s
        if (of.sk + of.sl == 0) return mean([&](std::size_t k) { return along_[k]; });
        if (of.sk + of.sl == 1) return mean([&](std::size_t k) { return along_[k] * product(s, k); });
        return mean([&](std::size_t k) { return product(s, k) * square_[s][k]; });
    }
    /// mean |x|^(2 own) (x.x_s)^with
    [[nodiscard]] Surd of_one(unsigned own, unsigned with, std::size_t s) const {
        if (own + with == 0) return Surd(1);
        if (own == 0 && with == 1) return along_[s];
        if (own == 0 && with == 2) return square_[s][s];
        return mean([&](std::size_t k) { return power(product(k, k), own) * power(product(s, k), with); });
    }
    template <class F>
    [[nodiscard]] Surd mean(F const& f) const {
        Surd sum(0);
        for (std::size_t k = 0; k < size_; ++k) sum = sum + f(k);
        return sum / from_count<Surd>(size_);
    }

    StepSamples const& samples_;
    std::size_t size_;
    std::vector<std::vector<Surd>> square_;  ///< mean over q of x_k.x_q x_q.x_l
    std::vector<Surd> along_;                ///< x_k . mean x
    Surd share_{0};
};

/// Means over the neurons of a node, at one sample or over all.
struct NodeMeans {
    Surd square{0}, a{0}, b{0}, covariance{0};

    [[nodiscard]] Surd change_square() const { return a + b; }
    [[nodiscard]] Surd updated_square() const { return square + Surd(2) * covariance + change_square(); }
};

using Terms = std::vector<MeetingTerm<Surd>>;

/// The words of a node, which no sample enters.
struct NodeTerms {
    NodeTerms(std::string const& node, NumericModel const& model) {
        std::string const z = "z{" + node + "}";
        std::string const s = z + "[i;m]@s ";
        std::string const t = z + "[i;n]@s ";
        square = meeting_terms(z + "[i]@s^2", model, {"s"}, {2});
        covariance = meeting_terms(z + "[i]@s " + s + "z[j;m]@k z[j]@k", model, {"s", "k"}, {2, 2});
        a = meeting_terms(s + "z[j;m]@k z[j]@k " + t + "z[o;n]@l z[o]@l", model, {"s", "k", "l"}, {2, 2, 2});
        b = meeting_terms(s + "z[1;m]@k " + t + "z[1;n]@l", model, {"s", "k", "l"}, {2, 1, 1});
    }
    Terms square, covariance, a, b;
};

Surd sum_of(Terms const& terms, auto const& left) {
    Surd out(0);
    for (auto const& [meetings, coefficient] : terms) out = out + coefficient * left(StepMeeting(meetings));
    return out;
}

std::vector<NodeMeans> means_of(NodeTerms const& terms, Surd const& width, LeftAtSamples const& left,
                                std::size_t size) {
    std::vector<NodeMeans> out;
    for (std::size_t s = 0; s < size; ++s) {
        auto const outputs = [&](StepMeeting const& of) { return left.of_outputs(of, s); };
        auto const targets = [&](StepMeeting const& of) { return left.of_targets(of, s); };
        out.push_back({.square = sum_of(terms.square, outputs) / width,
                       .a = sum_of(terms.a, outputs) / width,
                       .b = sum_of(terms.b, targets) / width,
                       .covariance = Surd(0) - sum_of(terms.covariance, outputs) / width});
    }
    return out;
}

NodeMeans averaged(std::vector<NodeMeans> const& all) {
    NodeMeans out;
    Surd const n = from_count<Surd>(all.size());
    for (auto const member : {&NodeMeans::square, &NodeMeans::a, &NodeMeans::b, &NodeMeans::covariance}) {
        for (auto const& x : all) out.*member = out.*member + x.*member;
        out.*member = out.*member / n;
    }
    return out;
}

}  // namespace

void add_wired_batch_steps(NumericModel const& model, StepSamples const& samples, std::optional<Integer> const& width,
                           Session const& session, Answer& answer) {
    require_linear_between_matrices(model.graph(), gates_of_a_step);
    auto const nodes = listed_nodes(model.graph(), session, answer);
    std::size_t const size = samples.names.size();
    answer.expect((6 + size) * nodes.size());
    answer.assume(
        "means over the neurons of a node and over all samples; sample_change_rms [k,..] is of sample k alone; E "
        "(Delta "
        "z_i)^2 = change_a + change_b, the parts of the outputs and of the targets");
    LeftAtSamples const left(samples);
    std::map<std::string, monte_carlo::BatchStepEstimates> sampled;
    if (session.samples) {
        require_sampled_steps(model, 6 * static_cast<double>(size), session);
        auto const all = monte_carlo::sample_batch_steps({.network = sampling_graph(model),
                                                          .inputs = samples.vectors,
                                                          .targets = samples.targets,
                                                          .half = true,
                                                          .batch = samples.batch},
                                                         *session.samples, session.seed, session.run_control());
        auto const flat = flattened(model.graph());
        for (std::size_t v = 0; v < all.size(); ++v) sampled[flat.stages.front().nodes[v].name] = all[v];
    }
    using monte_carlo::Estimate;
    for (auto const& node : nodes) {
        auto const at_samples = means_of(NodeTerms(node.name, model), node.width, left, size);
        auto const mean = averaged(at_samples);
        std::string const shown = width ? to_string(*width) : to_string(node.width);
        std::vector<std::string> const index{node.name, shown};
        auto const* seen = session.samples ? &sampled.at(node.name) : nullptr;
        auto const add = [&](char const* name, Surd const& exact, Estimate monte_carlo::BatchStepEstimates::*member) {
            add_known(name, index, Value(tidy(exact)), seen ? std::optional(seen->*member) : std::nullopt, answer);
        };
        auto const add_root = [&](char const* name, Surd const& square,
                                  Estimate monte_carlo::BatchStepEstimates::*member) {
            add_known(name, index, root(square, "a root of the second moment"),
                      seen ? std::optional(root_of(seen->*member)) : std::nullopt, answer);
        };
        using Seen = monte_carlo::BatchStepEstimates;
        add_root("preactivation_rms", mean.square, &Seen::square);
        add_root("change_rms", mean.change_square(), &Seen::change_square);
        add("change_a", mean.a, &Seen::of_outputs);
        add("change_b", mean.b, &Seen::of_targets);
        add("change_covariance", mean.covariance, &Seen::covariance);
        add_root("updated_rms", mean.updated_square(), &Seen::updated_square);
        for (std::size_t s = 0; s < size; ++s)
            add_known("sample_change_rms", {samples.names[s], node.name, shown},
                      root(at_samples[s].change_square(), "a root of the second moment"),
                      seen ? std::optional(root_of(seen->change_squares[s])) : std::nullopt, answer);
    }
}

}  // namespace isserlis::quantity
