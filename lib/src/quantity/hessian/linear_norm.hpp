// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/hessian_norm.hpp>
#include <isserlis/ring/power.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "quantity/wired/linear_between_matrices.hpp"
#include "quantity/wired/meetings.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {

// E|H|_F^2 of the mean loss over samples, of linear networks of any wiring: words of strands at two samples k and l, summed over
// both. docs/formulas/mean_loss_hessian.md#data

/// Samples, and what weights that are not Gaussian ask of their coordinates.
template <class R>
struct HessianSamples {
    StepSamples<R> samples;
    std::vector<std::vector<R>> fourth;  ///< sum_j x_kj^2 x_lj^2; empty where coordinates are not known
};

/// Means of <H_k, H_l>, H_k the Hessian at a sample.
template <class R>
struct PairNorms {
    HessianNorm<R> apart;                             ///< over independent k and l: of the mean loss over all samples
    std::optional<HessianNorm<SampleNumber<R>>> one;  ///< over k = l; none in symbols where |y_k|^2 are not known

    /// Of the mean loss over a batch whose two samples are one in this share.
    [[nodiscard]] HessianNorm<SampleNumber<R>> mixed(R const& share) const {
        using Number = SampleNumber<R>;
        auto const mix = [&](R HessianNorm<R>::*of_pair, Number HessianNorm<Number>::*of_one) {
            Number const pairs(R((R(1) - share) * (apart.*of_pair)));
            return share == R(0) ? pairs : Number(pairs + share * ((*one).*of_one));
        };
        using Pair = HessianNorm<R>;
        using One = HessianNorm<Number>;
        return {.gauss_newton = mix(&Pair::gauss_newton, &One::gauss_newton),
                .functional = mix(&Pair::functional, &One::functional),
                .cross = mix(&Pair::cross, &One::cross),
                .target = mix(&Pair::target, &One::target)};
    }
};

/// What strands of two samples leave, averaged over both.
template <class R>
class LeftByPairs {
public:
    explicit LeftByPairs(HessianSamples<R> const& data) {
        auto const& x = data.samples.inputs;
        std::size_t const size = x.size();
        R const n = from_count<R>(size);
        R const pairs = n * n;
        for (std::size_t k = 0; k < size; ++k) {
            length_ = length_ + x[k][k] / n;
            one_square_ = one_square_ + x[k][k] * x[k][k] / n;
            for (R const& product : x[k]) {
                centre_ = centre_ + product / pairs;
                square_ = square_ + product * product / pairs;
            }
        }
        for (std::size_t k = 0; k < data.fourth.size(); ++k) {
            one_fourth_ = one_fourth_ + data.fourth[k][k] / n;
            for (R const& product : data.fourth[k]) fourth_ = fourth_ + product / pairs;
        }
        target_ = data.samples.target_mean;
        target_cross_ = data.samples.target_cross;
        auto const& norms = data.samples.target_norms;
        knows_targets_ = !norms.empty();
        for (std::size_t k = 0; k < norms.size(); ++k) {
            one_target_ = one_target_ + norms[k] / n;
            one_target_cross_ = one_target_cross_ + R(x[k][k] / n) * norms[k];
        }
    }

    /// Is E <H_k, H_k> known too?
    [[nodiscard]] bool knows_targets() const { return knows_targets_; }

    /// Of words with an output or its derivatives alone at each, or with y_k.y_l.
    [[nodiscard]] R apart(Meetings const& meetings, bool targets) const {
        auto const across = std::count(meetings.begin(), meetings.end(), std::vector<unsigned>{0, 1});
        if (targets) return across == 1 ? target_cross_ : target_;
        if (meetings.size() == 1 && meetings.front().size() == 4) return fourth_;
        if (across == 2) return square_;
        return across == 1 ? centre_ : power(length_, meetings.size());
    }
    [[nodiscard]] SampleNumber<R> one(Meetings const& meetings, bool targets) const {
        if (targets) return meetings.empty() ? one_target_ : one_target_cross_;
        if (meetings.size() == 1) return meetings.front().size() == 4 ? one_fourth_ : length_;
        return meetings.empty() ? R(1) : one_square_;
    }

private:
    R length_{0};                             ///< mean |x|^2
    R centre_{0};                             ///< |mean x|^2
    R square_{0};                             ///< mean (x_k.x_l)^2
    R fourth_{0};                             ///< mean sum_j x_kj^2 x_lj^2
    R target_{0};                             ///< |mean y|^2
    R target_cross_{0};                       ///< mean y_k.y_l x_k.x_l
    R one_square_{0};                         ///< mean |x|^4
    R one_fourth_{0};                         ///< mean sum_j x_j^4
    SampleNumber<R> one_target_{R(0)};        ///< mean |y|^2
    SampleNumber<R> one_target_cross_{R(0)};  ///< mean |y|^2 |x|^2
    bool knows_targets_ = false;
};

/// `where` restricts the labels m and n, to a block.
template <class R, class Count>
[[nodiscard]] PairNorms<R> linear_norms(Model<R, Count> const& model, LeftByPairs<R> const& left,
                                        std::string const& where = "") {
    struct Word {
        char const* query;
        unsigned strands;  ///< of each sample
        int factor;
        R HessianNorm<R>::*part;
        SampleNumber<R> HessianNorm<SampleNumber<R>>::*of_one;
    };
    using Norm = HessianNorm<R>;
    using One = HessianNorm<SampleNumber<R>>;
    std::array const words{Word{"z[i;m]@k z[i;n]@k z[j;m]@l z[j;n]@l", 2, 1, &Norm::gauss_newton, &One::gauss_newton},
                           Word{"z[i]@k z[i;m,n]@k z[j]@l z[j;m,n]@l", 2, 1, &Norm::functional, &One::functional},
                           Word{"z[i;m]@k z[i;n]@k z[j]@l z[j;m,n]@l", 2, 2, &Norm::cross, &One::cross},
                           Word{"z[1;m,n]@k z[1;m,n]@l", 1, 1, &Norm::target, &One::target}};
    bool const gaussian = has_gaussian_weights(model.graph());
    Norm const zero{R(0), R(0), R(0), R(0)};
    PairNorms<R> out{.apart = zero, .one = std::nullopt};
    if (left.knows_targets()) out.one = One{R(0), R(0), R(0), R(0)};
    for (auto const& word : words) {
        bool const targets = word.strands == 1;
        for (auto const& [meetings, coefficient] :
             meeting_terms(word.query + where, model, {"k", "l"}, {word.strands, word.strands}, gaussian)) {
            R const weight = R(word.factor) * coefficient;
            out.apart.*word.part = out.apart.*word.part + weight * left.apart(meetings, targets);
            if (out.one) (*out.one).*word.of_one = (*out.one).*word.of_one + weight * left.one(meetings, targets);
        }
    }
    return out;
}

}  // namespace isserlis::quantity
