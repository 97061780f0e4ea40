// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/crelu_kernels.hpp>
#include <isserlis/formula/loss_curve_linear.hpp>
#include <isserlis/formula/quadratic_forms.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace isserlis {

/// Errors  UnsupportedError for another number of layers and other laws; DomainError for data that do not fit.
template <class R, class L>
void require_two_layers(std::vector<LayerRun<L, std::uint64_t>> const& layers, char const* network, std::size_t samples,
                        Rows<R> const& gradients, std::vector<Rows<R>> const& hessians) {
    namespace detail = loss_curve_detail;
    detail::require_samples("gradients", gradients.size(), samples);
    detail::require_columns("gradient", gradients, gradients.front().size());
    std::uint64_t depth = 0;
    for (auto const& run : layers) depth += run.count;
    if (depth != 2) {
        throw UnsupportedError("loss curve: the curvature of a " + std::string(network) +
                                   " network with constant gradients has a closed form for 2 weight layers, not for " +
                                   std::to_string(depth),
                               "widths");
    }
    detail::require_gaussian(layers, ("means over " + std::string(network) + " networks are").c_str());
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

/// What two layers are to their curvature: a derivative by one has the variance of the other and its own label factor.
template <class R>
struct LayerFactors {
    R v1, v2;
    R width;
};

/// `of` a number of a layer is the ring's.
template <class R, class L, class Of>
LayerFactors<R> layer_factors(std::vector<LayerRun<L, std::uint64_t>> const& layers, Of const& of) {
    return {.v1 = of(L(layers.front().variance * layers.back().label_factor)),
            .v2 = of(L(layers.back().variance * layers.front().label_factor)),
            .width = of(layers.front().fan_out)};
}

/// Samples x^k with gradients g^k and Hessians H_k, one for each or one for all, for sums over triples of them: what of a
/// triple is no product of inner products depends on a pair, so that each pair is met once, and what is kept grows with
/// the samples, not with their square.
///
/// `Inputs` are samples: pairs of them, combinations sum_k c_k x^k, and products of these with samples.
template <class R, class Inputs>
class PairedSamples {
public:
    using Kernels = std::decay_t<decltype(std::declval<Inputs const&>().kernels())>;
    using Vector = std::vector<R>;

    PairedSamples(Inputs const& samples, Rows<R> const& gradients, std::vector<Rows<R>> const& hessians)
        : inputs(samples),
          kernels(samples.kernels()),
          g(gradients),
          none(gradients.front().size(), R(0)),
          hessians_(hessians) {
        for (std::size_t i = 0; i < none.size(); ++i) {
            Vector column;
            for (auto const& row : g) column.push_back(row[i]);
            auto const sum = inputs.combination(column);
            for (std::size_t k = 0; k < size(); ++k) {
                if (i == 0) v.emplace_back();
                v[k].push_back(inputs.dot(sum, k));
            }
        }
        for (std::size_t k = 0; k < size(); ++k) {
            auto const square = inputs.pair(k, k).xx;
            norms.push_back(kernels.of(square));
            inverses.push_back(square == typename Kernels::Data(0) ? R(0) : R(R(1) / norms.back()));
            of_v.push_back(image(hessian(k), v[k]));
            of_gradient.push_back(image(hessian(k), g[k]));
            forms_.push_back(dot(g[k], of_v[k]));
        }
    }

    [[nodiscard]] std::size_t size() const { return g.size(); }
    [[nodiscard]] bool has_one_hessian() const { return hessians_.size() == 1; }
    [[nodiscard]] Rows<R> const& hessian(std::size_t k) const { return hessians_[has_one_hessian() ? 0 : k]; }
    [[nodiscard]] R cube_of_size() const {
        R const s = kernels.of(typename Kernels::Data(static_cast<int>(size())));
        return s * s * s;
    }

    static void add(Vector& sum, R const& c, Vector const& x) {
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = sum[i] + c * x[i];
    }
    static Vector image(Rows<R> const& matrix, Vector const& x) {
        Vector out;
        for (auto const& row : matrix) out.push_back(dot(row, x));
        return out;
    }

    /// g_l'H_k v_l
    [[nodiscard]] R form(std::size_t k, std::size_t l) const {
        return has_one_hessian() || k == l ? forms_[l] : dot(g[l], image(hessian(k), v[l]));
    }
    /// sum_k |x^k|^2 H_k
    [[nodiscard]] Rows<R> by_norms() const {
        Rows<R> out(none.size(), none);
        for (std::size_t k = 0; k < size(); ++k) {
            for (std::size_t i = 0; i < out.size(); ++i) add(out[i], norms[k], hessian(k)[i]);
        }
        return out;
    }
    /// sum_k |x^k|^2 tr(H_k sum_l v_l g_l')
    [[nodiscard]] R trace_by_norms() const {
        Rows<R> const s = loss_curve_detail::outer_sum(v, g);
        R out(0);
        for (std::size_t k = 0; k < size(); ++k) out = out + norms[k] * loss_curve_detail::product_trace(hessian(k), s);
        return out;
    }

    /// sum_j (x^k.x^j)(x^j.x^l) H_j g^l of any k, and the same of traces, for one l.
    class Met {
    public:
        Met(PairedSamples const& of, std::size_t l, bool with_traces) : of_(of), l_(l) {
            Vector inner;
            for (std::size_t j = 0; j < of.size(); ++j) inner.push_back(of.inputs.dot(j, l));
            if (of.has_one_hessian()) {
                sums_.push_back(of.inputs.combination(inner));
                return;
            }
            Rows<R> weights(of.none.size());
            for (std::size_t j = 0; j < of.size(); ++j) {
                auto const at_j = image(of.hessian(j), of.g[l]);
                for (std::size_t i = 0; i < weights.size(); ++i) weights[i].push_back(inner[j] * at_j[i]);
            }
            for (auto const& w : weights) sums_.push_back(of.inputs.combination(w));
            if (!with_traces) return;
            for (std::size_t j = 0; j < of.size(); ++j) inner[j] = inner[j] * trace(of.hessian(j));
            sums_.push_back(of.inputs.combination(inner));
        }

        [[nodiscard]] Vector images(std::size_t k) const {
            Vector out;
            if (of_.has_one_hessian()) {
                R const both = of_.inputs.dot(sums_.front(), k);
                for (auto const& x : of_.of_gradient[l_]) out.push_back(both * x);
            } else {
                for (std::size_t i = 0; i < of_.none.size(); ++i) out.push_back(of_.inputs.dot(sums_[i], k));
            }
            return out;
        }
        [[nodiscard]] R trace_sum(std::size_t k) const {
            R const sum = of_.inputs.dot(sums_.back(), k);
            return of_.has_one_hessian() ? R(sum * trace(of_.hessian(0))) : sum;
        }

    private:
        PairedSamples const& of_;
        std::size_t l_;
        std::vector<typename Inputs::Combination> sums_;
    };

    /// Calls visit(k, l, pair, met) for k <= l, a row l after the other. `shares[k]` is sum_j (x^j.x^k)^2/|x^k|^2 H_j g^k
    /// for all samples up to l.
    template <class Visit>
    void for_each(Rows<R>& shares, bool with_traces, Visit const& visit) const {
        shares.assign(size(), none);
        for (std::size_t l = 0; l < size(); ++l) {
            Met const met(*this, l, with_traces);
            add(shares[l], inverses[l], met.images(l));
            for (std::size_t k = 0; k <= l; ++k) visit(k, l, inputs.pair(k, l), met);
        }
    }

    Inputs const& inputs;
    Kernels kernels;
    Rows<R> const& g;
    Vector none;          ///< of outputs
    Vector norms;         ///< |x^k|^2
    Vector inverses;      ///< 1/|x^k|^2, 0 where no pair has an angle
    Rows<R> v;            ///< sum_l x^k.x^l g^l
    Rows<R> of_v;         ///< H_k v^k
    Rows<R> of_gradient;  ///< H_k g^k

private:
    std::vector<Rows<R>> const& hessians_;
    Vector forms_;  ///< g_k'H_k v_k
};

}  // namespace isserlis
