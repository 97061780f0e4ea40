// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/loss_curve_squared.hpp>
#include <isserlis/ring/power.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "quantity/wired/meetings.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {

// One step on samples, at a node of a linear network. Words of strands: s is the sample where the change is read, k and l
// those of the two gradients. docs/formulas/coordinate_moments.md#several-samples

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
template <class R>
class LeftAtSamples {
public:
    explicit LeftAtSamples(StepSamples<R> const& samples) : samples_(samples), size_(samples.names.size()) {
        auto const& g = samples.inputs;
        R const n = from_count<R>(size_);
        square_.assign(size_, std::vector<R>(size_, R(0)));
        for (std::size_t k = 0; k < size_; ++k) {
            for (std::size_t l = 0; l < size_; ++l)
                for (std::size_t q = 0; q < size_; ++q) square_[k][l] = square_[k][l] + g[k][q] * g[q][l] / n;
        }
        for (std::size_t k = 0; k < size_; ++k) {
            R sum(0);
            for (R const& x : g[k]) sum = sum + x;
            along_.push_back(sum / n);
        }
        if (samples.batch) share_ = R(Surd(own_share(*samples.batch, size_)));
    }

    [[nodiscard]] std::size_t size() const { return size_; }

    /// Of words with an output at k and l.
    [[nodiscard]] R of_outputs(StepMeeting const& of, std::size_t s) const {
        return mixed(of, s, of_outputs_apart(of, s), false);
    }
    /// Of words with a target there.
    [[nodiscard]] R of_targets(StepMeeting const& of, std::size_t s) const {
        R const& apart = of.kl == 1           ? samples_.target_cross
                         : of.sk + of.sl == 2 ? samples_.target_square[s]
                         : of.sk + of.sl == 1 ? samples_.target_along[s]
                                              : samples_.target_mean;
        return mixed(of, s, apart, true);
    }
    /// Of words with the target of output j at k, and nothing at l.
    [[nodiscard]] R of_target(StepMeeting const& of, std::size_t s, std::size_t j) const {
        return of.sk == 1 ? samples_.targets_at[s][j] : samples_.mean_target[j];
    }

private:
    [[nodiscard]] R const& product(std::size_t k, std::size_t l) const { return samples_.inputs[k][l]; }

    /// A batch has one sample for k and l more often than two that are independent.
    [[nodiscard]] R mixed(StepMeeting const& of, std::size_t s, R const& apart, bool targets) const {
        R const own = power(product(s, s), of.ss);
        if (share_ == R(0)) return own * apart;
        R const one = mean([&](std::size_t k) {
            R const inputs = power(product(k, k), of.kk + of.kl + of.ll) * power(product(s, k), of.sk + of.sl);
            return targets ? R(samples_.target_norms[k] * inputs) : inputs;
        });
        return own * ((R(1) - share_) * apart + share_ * one);
    }

    [[nodiscard]] R of_outputs_apart(StepMeeting const& of, std::size_t s) const {
        if (of.kl == 2) return mean([&](std::size_t k) { return square_[k][k]; });
        if (of.kl == 0) return of_one(of.kk, of.sk, s) * of_one(of.ll, of.sl, s);
        // x_k.x_l with what is left of k and of l: nothing, or their product with s
        if (of.sk + of.sl == 0) return mean([&](std::size_t k) { return along_[k]; });
        if (of.sk + of.sl == 1) return mean([&](std::size_t k) { return R(along_[k] * product(s, k)); });
        return mean([&](std::size_t k) { return R(product(s, k) * square_[s][k]); });
    }
    /// mean |x|^(2 own) (x.x_s)^with
    [[nodiscard]] R of_one(unsigned own, unsigned with, std::size_t s) const {
        if (own + with == 0) return R(1);
        if (own == 0 && with == 1) return along_[s];
        if (own == 0 && with == 2) return square_[s][s];
        return mean([&](std::size_t k) { return R(power(product(k, k), own) * power(product(s, k), with)); });
    }
    template <class F>
    [[nodiscard]] R mean(F const& f) const {
        R sum(0);
        for (std::size_t k = 0; k < size_; ++k) sum = sum + f(k);
        return sum / from_count<R>(size_);
    }

    StepSamples<R> const& samples_;
    std::size_t size_;
    std::vector<std::vector<R>> square_;  ///< mean over q of x_k.x_q x_q.x_l
    std::vector<R> along_;                ///< x_k . mean x
    R share_{0};
};

template <class R>
using StepTerms = std::vector<MeetingTerm<R>>;

/// The words of a node, each summed over its neurons; no sample enters.
template <class R, class Count>
class NodeWords {
public:
    NodeWords(std::string const& node, Model<R, Count> const& model) : z_("z{" + node + "}"), model_(model) {}

    /// z_i^2
    [[nodiscard]] StepTerms<R> square() const { return meeting_terms(z_ + "[i]@s^2", model_, {"s"}, {2}); }
    /// -z_i Delta z_i
    [[nodiscard]] StepTerms<R> covariance() const {
        return meeting_terms(z_ + "[i]@s " + z_ + "[i;m]@s z[j;m]@k z[j]@k", model_, {"s", "k"}, {2, 2});
    }
    /// (Delta z_i)^2 of targets 0
    [[nodiscard]] StepTerms<R> of_outputs() const {
        return meeting_terms(z_ + "[i;m]@s z[j;m]@k z[j]@k " + z_ + "[i;n]@s z[o;n]@l z[o]@l", model_, {"s", "k", "l"},
                             {2, 2, 2});
    }
    /// The rest of it over y_k.y_l
    [[nodiscard]] StepTerms<R> of_targets() const {
        return meeting_terms(z_ + "[i;m]@s z[1;m]@k " + z_ + "[i;n]@s z[1;n]@l", model_, {"s", "k", "l"}, {2, 1, 1});
    }

private:
    std::string z_;
    Model<R, Count> const& model_;
};

template <class R>
[[nodiscard]] R sum_of(StepTerms<R> const& terms, auto const& left) {
    R out(0);
    for (auto const& [meetings, coefficient] : terms) out = out + coefficient * left(StepMeeting(meetings));
    return out;
}

/// The mean over the neurons of a node at each sample, of words with outputs or targets.
template <class R>
[[nodiscard]] std::vector<R> at_samples(StepTerms<R> const& terms, R const& width, LeftAtSamples<R> const& left,
                                        bool targets = false) {
    std::vector<R> out;
    for (std::size_t s = 0; s < left.size(); ++s) {
        R const sum = sum_of(
            terms, [&](StepMeeting const& of) { return targets ? left.of_targets(of, s) : left.of_outputs(of, s); });
        out.push_back(sum / width);
    }
    return out;
}

/// The mean change of each output at each sample: z's own part is odd in the first matrices and all biases, what is left is
/// mean E K(x_s, x_k) y_k.
/// Shape   samples by outputs; empty where targets are known by their products.
template <class R, class Count>
[[nodiscard]] std::vector<std::vector<R>> mean_output_changes(Model<R, Count> const& model,
                                                              StepSamples<R> const& samples,
                                                              LeftAtSamples<R> const& left) {
    std::vector<std::vector<R>> out;
    if (samples.targets_at.empty()) return out;
    auto const kernel = meeting_terms("z[1;m]@s z[1;m]@k", model, {"s", "k"}, {1, 1});
    for (std::size_t s = 0; s < left.size(); ++s) {
        out.emplace_back();
        for (std::size_t j = 0; j < samples.mean_target.size(); ++j)
            out.back().push_back(sum_of(kernel, [&](StepMeeting const& of) { return left.of_target(of, s, j); }));
    }
    return out;
}

/// The mean over all samples.
template <class R>
[[nodiscard]] R averaged(std::vector<R> const& all) {
    R out(0);
    for (auto const& x : all) out = out + x;
    return out / from_count<R>(all.size());
}

}  // namespace isserlis::quantity
