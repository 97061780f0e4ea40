// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/crelu_kernels.hpp>
#include <isserlis/formula/loss_curve_crelu.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace isserlis {

/// The two layers of a curvature: a derivative by one has the other's variance and its own label factor.
template <class R>
struct CReluLayers {
    R v1, v2;
    R width;
};

/// Errors  UnsupportedError for another number of layers and other laws; DomainError for data that do not fit.
template <class R, class L>
void require_two_layers(std::vector<LayerRun<L, std::uint64_t>> const& layers, std::size_t samples,
                        Rows<R> const& gradients, std::vector<Rows<R>> const& hessians) {
    namespace detail = loss_curve_detail;
    detail::require_samples("gradients", gradients.size(), samples);
    detail::require_columns("gradient", gradients, gradients.front().size());
    std::uint64_t depth = 0;
    for (auto const& run : layers) depth += run.count;
    if (depth != 2) {
        throw UnsupportedError(
            "loss curve: the curvature of a crelu network with constant gradients has a closed form for 2 "
            "weight layers, not for " +
                std::to_string(depth),
            "widths");
    }
    detail::require_gaussian(layers, "means over concatenated ReLU networks are");
    std::size_t const outputs = gradients.front().size();
    if (hessians.size() != 1) detail::require_samples("Hessians", hessians.size(), gradients.size());
    for (auto const& h : hessians) {
        if (h.size() != outputs) {
            throw DomainError("loss curve: a Hessian has " + std::to_string(h.size()) + " rows; " +
                              std::to_string(outputs) + " are required, one for each output");
        }
        detail::require_columns("row of a Hessian", h, outputs);
        forms_detail::require_symmetric("loss curve", "a Hessian", h);
    }
}

/// `of` a number of a layer is the ring's.
template <class R, class L, class Of>
CReluLayers<R> crelu_layers(std::vector<LayerRun<L, std::uint64_t>> const& layers, Of const& of) {
    return {.v1 = of(L(layers.front().variance * layers.back().label_factor)),
            .v2 = of(L(layers.back().variance * layers.front().label_factor)),
            .width = of(layers.front().fan_out)};
}

/// The sum over triples of samples by pairs of them (docs/formulas/loss_curve_crelu.md), each of which is met once: what
/// is kept grows with the samples, not with their square.
///
/// `Inputs` are samples x^k: pairs of them, combinations sum_k c_k x^k, and products of these with samples.
template <class R, class Inputs>
class CReluCurvature {
public:
    CReluCurvature(Inputs const& inputs, Rows<R> const& gradients, std::vector<Rows<R>> const& hessians)
        : inputs_(inputs),
          kernels_(inputs.kernels()),
          samples_(gradients.size()),
          gradients_(gradients),
          hessians_(hessians),
          none_(gradients.front().size(), R(0)),
          a_(samples_, none_),
          b_(samples_, none_),
          weighted_(samples_, none_) {
        for (std::size_t i = 0; i < none_.size(); ++i) {
            std::vector<R> column;
            for (auto const& g : gradients) column.push_back(g[i]);
            auto const sum = inputs.combination(column);
            for (std::size_t k = 0; k < samples_; ++k) {
                if (i == 0) v_.emplace_back();
                v_[k].push_back(inputs.dot(sum, k));
            }
        }
        for (std::size_t k = 0; k < samples_; ++k) {
            auto const square = inputs.pair(k, k).xx;
            norms_.push_back(kernels_.of(square));
            inverses_.push_back(square == typename Kernels::Data(0) ? R(0) : R(R(1) / norms_.back()));
            of_v_.push_back(image(hessian(k), v_[k]));
            of_gradient_.push_back(image(hessian(k), gradients[k]));
            forms_.push_back(dot(gradients[k], of_v_[k]));
        }
        for (std::size_t l = 0; l < samples_; ++l) add_pairs(l);
    }

    [[nodiscard]] R mean(CReluLayers<R> const& net) const {
        auto const& [v1, v2, d] = net;
        R sum(0);
        for (std::size_t k = 0; k < samples_; ++k) {
            auto const& h = hessian(k);
            auto const hb = image(h, b_[k]);
            sum = sum + v2 * v2 * d * ((d + R(1)) * dot(a_[k], image(h, a_[k])) + trace(h) * dot(a_[k], a_[k])) +
                  R(2) * d * d * v1 * v2 * dot(a_[k], hb) + v1 * v1 * d * (d - R(1)) * dot(b_[k], hb);
        }
        R const s = kernels_.of(typename Kernels::Data(static_cast<int>(samples_)));
        return (sum + v1 * v1 * d * third_kernels()) / (s * s * s);
    }

private:
    using Kernels = std::decay_t<decltype(std::declval<Inputs const&>().kernels())>;
    using Vector = std::vector<R>;

    [[nodiscard]] bool shared() const { return hessians_.size() == 1; }
    [[nodiscard]] Rows<R> const& hessian(std::size_t k) const { return hessians_[shared() ? 0 : k]; }

    static void add(Vector& sum, R const& c, Vector const& x) {
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = sum[i] + c * x[i];
    }
    static Vector image(Rows<R> const& matrix, Vector const& x) {
        Vector out;
        for (auto const& row : matrix) out.push_back(dot(row, x));
        return out;
    }

    /// sum_j (x^k.x^j)(x^j.x^l) H_j g^l of any k, for one l.
    class Weighted {
    public:
        Weighted(CReluCurvature const& of, std::size_t l) : of_(of), l_(l) {
            Vector inner;
            for (std::size_t j = 0; j < of.samples_; ++j) inner.push_back(of.inputs_.dot(j, l));
            if (of.shared()) {
                sums_.push_back(of.inputs_.combination(inner));
                return;
            }
            Rows<R> weights(of.none_.size());
            for (std::size_t j = 0; j < of.samples_; ++j) {
                auto const at_j = image(of.hessian(j), of.gradients_[l]);
                for (std::size_t i = 0; i < weights.size(); ++i) weights[i].push_back(inner[j] * at_j[i]);
            }
            for (auto const& w : weights) sums_.push_back(of.inputs_.combination(w));
        }

        [[nodiscard]] Vector at(std::size_t k) const {
            Vector out;
            if (of_.shared()) {
                R const both = of_.inputs_.dot(sums_.front(), k);
                for (auto const& x : of_.of_gradient_[l_]) out.push_back(both * x);
            } else {
                for (auto const& sum : sums_) out.push_back(of_.inputs_.dot(sum, k));
            }
            return out;
        }

    private:
        CReluCurvature const& of_;
        std::size_t l_;
        std::vector<typename Inputs::Combination> sums_;
    };

    /// g_l'H_k v_l
    [[nodiscard]] R form(std::size_t k, std::size_t l) const {
        return shared() || k == l ? forms_[l] : dot(gradients_[l], image(hessian(k), v_[l]));
    }

    /// Pairs of l and samples up to it.
    void add_pairs(std::size_t l) {
        Weighted const at_l(*this, l);
        add(weighted_[l], inverses_[l], at_l.at(l));
        R sum(0);
        for (std::size_t k = 0; k <= l; ++k) {
            auto const pair = inputs_.pair(k, l);
            R const alpha = inputs_.shared_signs(k, l);
            R const kernel = first_kernel(kernels_, pair);
            add(a_[l], alpha, gradients_[k]);
            add(b_[l], kernel, gradients_[k]);
            R const mixed = dot(gradients_[k], at_l.at(k));
            R const form_kl = form(k, l);
            if (k == l) {
                sum = sum + R(pair.rest) * (norms_[l] * form_kl + mixed);
                continue;
            }
            add(a_[k], alpha, gradients_[l]);
            add(b_[k], kernel, gradients_[l]);
            R const form_lk = form(l, k);
            sum = sum + R(pair.rest) * (norms_[k] * form_kl + norms_[l] * form_lk + R(2) * mixed);
            if (pair.collinear) continue;
            sum = sum + R(pair.root) * (R(kernels_.of(pair.xy)) * (inverses_[l] * form_kl + inverses_[k] * form_lk) +
                                        dot(gradients_[k], weighted_[l]) + dot(gradients_[l], weighted_[k]));
        }
        angles_ = angles_ + sum;
    }

    /// sum_klm g_l'H_k g_m t3(k, l, m)
    [[nodiscard]] R third_kernels() const {
        Rows<R> by_norms(none_.size(), none_);
        for (std::size_t k = 0; k < samples_; ++k) {
            for (std::size_t i = 0; i < by_norms.size(); ++i) add(by_norms[i], norms_[k], hessian(k)[i]);
        }
        Rows<R> const s = loss_curve_detail::outer_sum(v_, gradients_);
        R plain(0);
        R halves(0);
        for (std::size_t k = 0; k < samples_; ++k) {
            plain = plain + R(2) * dot(b_[k], of_v_[k]) - dot(v_[k], of_v_[k]);
            halves = halves + dot(gradients_[k], image(by_norms, b_[k])) -
                     norms_[k] * loss_curve_detail::product_trace(hessian(k), s);
        }
        return plain + halves / R(2) + angles_ / R(kernels_.pi());
    }

    Inputs const& inputs_;
    Kernels kernels_;
    std::size_t samples_;
    Rows<R> const& gradients_;
    std::vector<Rows<R>> const& hessians_;
    Vector none_;
    Vector norms_;         ///< |x^k|^2
    Vector inverses_;      ///< 1/|x^k|^2, 0 where no pair has an angle
    Vector forms_;         ///< g_k'H_k v_k
    Rows<R> a_;            ///< sum_l alpha_kl g^l
    Rows<R> b_;            ///< sum_l |x^k||x^l| kap1 g^l
    Rows<R> v_;            ///< sum_l x^k.x^l g^l
    Rows<R> of_v_;         ///< H_k v^k
    Rows<R> of_gradient_;  ///< H_k g^k
    Rows<R> weighted_;     ///< sum_j (x^j.x^k)^2/|x^k|^2 H_j g^k
    R angles_ = R(0);      ///< pi times what is multiplied by angles or their sines
};

}  // namespace isserlis
