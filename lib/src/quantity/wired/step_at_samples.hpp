// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/loss_curve_squared.hpp>
#include <isserlis/ring/power.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <type_traits>
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
        R const own = power(product(s, s), of.ss);
        R const apart = of_outputs_apart(of, s);
        if (share_ == R(0)) return own * apart;
        R const one = mean([&](std::size_t k) { return of_one_sample(of, s, k); });
        return own * ((R(1) - share_) * apart + share_ * one);
    }
    /// Of words with a target there.
    [[nodiscard]] SampleNumber<R> of_targets(StepMeeting const& of, std::size_t s) const {
        R const& apart = of.kl == 1           ? samples_.target_cross
                         : of.sk + of.sl == 2 ? samples_.target_square[s]
                         : of.sk + of.sl == 1 ? samples_.target_along[s]
                                              : samples_.target_mean;
        R const own = power(product(s, s), of.ss);
        if (share_ == R(0)) return R(own * apart);
        SampleNumber<R> one(R(0));
        for (std::size_t k = 0; k < size_; ++k) one = one + of_one_sample(of, s, k) * samples_.target_norms[k];
        R const each = own * share_ / from_count<R>(size_);
        return SampleNumber<R>(R(own * (R(1) - share_) * apart)) + each * one;
    }
    /// Of words with the target of output j at k, and nothing at l.
    [[nodiscard]] R of_target(StepMeeting const& of, std::size_t s, std::size_t j) const {
        return of.sk == 1 ? samples_.targets_at[s][j] : samples_.mean_target[j];
    }

private:
    [[nodiscard]] R const& product(std::size_t k, std::size_t l) const { return samples_.inputs[k][l]; }

    /// Of inputs where k and l are one sample, which they are in a batch more often than two that are independent.
    [[nodiscard]] R of_one_sample(StepMeeting const& of, std::size_t s, std::size_t k) const {
        return power(product(k, k), of.kk + of.kl + of.ll) * power(product(s, k), of.sk + of.sl);
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

/// An observable of a node, summed over its neurons, at samples that `names` lists, each with so many strands.
struct StepWord {
    std::string query;
    std::vector<std::string> names;
    std::vector<unsigned> strands;
    bool has_targets = false;  ///< at k and l, else outputs
};

/// The words of a node; no sample enters.
class NodeWords {
public:
    explicit NodeWords(std::string const& node) : z_("z{" + node + "}") {}

    /// z_i^2
    [[nodiscard]] StepWord square() const { return {.query = z_ + "[i]@s^2", .names = {"s"}, .strands = {2}}; }
    /// -z_i Delta z_i
    [[nodiscard]] StepWord covariance() const {
        return {.query = z_ + "[i]@s " + z_ + "[i;m]@s z[j;m]@k z[j]@k", .names = {"s", "k"}, .strands = {2, 2}};
    }
    /// (Delta z_i)^2 of targets 0
    [[nodiscard]] StepWord of_outputs() const {
        return {.query = z_ + "[i;m]@s z[j;m]@k z[j]@k " + z_ + "[i;n]@s z[o;n]@l z[o]@l",
                .names = {"s", "k", "l"},
                .strands = {2, 2, 2}};
    }
    /// The rest of it over y_k.y_l
    [[nodiscard]] StepWord of_targets() const {
        return {.query = z_ + "[i;m]@s z[1;m]@k " + z_ + "[i;n]@s z[1;n]@l",
                .names = {"s", "k", "l"},
                .strands = {2, 1, 1},
                .has_targets = true};
    }

private:
    std::string z_;
};

/// What the strands of a word leave at sample s.
template <class R>
[[nodiscard]] SampleNumber<R> left_by(StepWord const& word, Meetings const& meetings, LeftAtSamples<R> const& left,
                                      std::size_t s) {
    StepMeeting const of(meetings);
    return word.has_targets ? left.of_targets(of, s) : SampleNumber<R>(left.of_outputs(of, s));
}

/// The mean over the neurons of a node at each sample.
template <class R, class Count>
[[nodiscard]] std::vector<SampleNumber<R>> at_samples(StepWord const& word, R const& width,
                                                      Model<R, Count> const& model, LeftAtSamples<R> const& left) {
    auto const terms = meeting_terms(word.query, model, word.names, word.strands);
    std::vector<SampleNumber<R>> out;
    for (std::size_t s = 0; s < left.size(); ++s) {
        SampleNumber<R> sum(R(0));
        for (auto const& [meetings, coefficient] : terms) sum = sum + coefficient * left_by(word, meetings, left, s);
        out.push_back(sum / width);
    }
    return out;
}

/// The mean over all samples.
template <class N>
[[nodiscard]] N averaged(std::vector<N> const& all) {
    using Field = std::conditional_t<std::is_same_v<N, TargetForm>, Surd, N>;
    N out(Field(0));
    for (auto const& x : all) out = out + x;
    return out / from_count<Field>(all.size());
}

/// The mean over the neurons and over the samples; in symbols a sum of powers in the depth.
template <class R, class Count>
[[nodiscard]] std::conditional_t<std::is_same_v<R, Surd>, TargetForm, ExpPolynomial> mean_over_samples(
    StepWord const& word, R const& width, Model<R, Count> const& model, LeftAtSamples<R> const& left) {
    std::map<Meetings, SampleNumber<R>> all;
    for (auto const& meetings : meetings_of(word.strands, has_biases(model.graph()), true)) {
        std::vector<SampleNumber<R>> each;
        for (std::size_t s = 0; s < left.size(); ++s) each.push_back(left_by(word, meetings, left, s));
        all.emplace(meetings, averaged(each) / width);
    }
    InputMeans<R> means;
    for (auto const& [meetings, x] : all) {
        if constexpr (std::is_same_v<R, Surd>) {
            if (x.exact() == nullptr) return averaged(at_samples(word, width, model, left));
            means[meetings] = *x.exact();
        } else {
            means[meetings] = x;
        }
    }
    return mean_by_powers(word.query, model, word.names, means);
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
        for (std::size_t j = 0; j < samples.mean_target.size(); ++j) {
            out.back().push_back(R(0));
            for (auto const& [meetings, coefficient] : kernel)
                out.back().back() = out.back().back() + coefficient * left.of_target(StepMeeting(meetings), s, j);
        }
    }
    return out;
}

}  // namespace isserlis::quantity
