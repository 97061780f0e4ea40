// SPDX-License-Identifier: MIT
#include "formula/crelu_curvature.hpp"

#include <isserlis/ring/members.hpp>

#include "pair_means.hpp"

namespace isserlis {
namespace {

/// Inputs known by their inner products, in enclosures.
class GramInputs {
public:
    /// Of a combination its coefficients.
    using Combination = std::vector<Enclosed>;

    GramInputs(InputGrams const& grams, IntervalKernels kernels) : grams_(grams), kernels_(kernels) {
        for (auto const& row : grams.inner) {
            inner_.emplace_back();
            for (auto const& x : row) inner_.back().emplace_back(kernels.of(x));
        }
    }

    [[nodiscard]] IntervalKernels kernels() const { return kernels_; }
    [[nodiscard]] Enclosed dot(std::size_t k, std::size_t l) const { return inner_[k][l]; }
    [[nodiscard]] Enclosed shared_signs(std::size_t k, std::size_t l) const {
        return kernels_.of(grams_.rectified[k][l]);
    }
    [[nodiscard]] InputPair<IntervalKernels> pair(std::size_t k, std::size_t l) const {
        auto const& inner = grams_.inner;
        return input_pair(kernels_, inner[k][k], inner[l][l], inner[k][l]);
    }
    [[nodiscard]] Combination combination(std::vector<Enclosed> const& weights) const { return weights; }
    [[nodiscard]] Enclosed dot(Combination const& sum, std::size_t k) const { return isserlis::dot(sum, inner_[k]); }

private:
    InputGrams const& grams_;
    IntervalKernels kernels_;
    Rows<Enclosed> inner_;
};

}  // namespace

double crelu_curvature_of_two_layers(std::vector<LayerRun<double, std::uint64_t>> const& layers,
                                     Rows<double> const& inputs, Rows<double> const& gradients,
                                     std::vector<Rows<double>> const& hessians) {
    loss_curve_detail::require_samples("inputs", inputs.size(), inputs.size());
    loss_curve_detail::require_columns("input", inputs, inputs.front().size());
    require_two_layers(layers, inputs.size(), gradients, hessians);
    auto const net = crelu_layers<double>(layers, [](double x) { return x; });
    return CReluCurvature<double, DoubleRows>(DoubleRows(inputs), gradients, hessians).mean(net);
}

Interval crelu_curvature_of_two_layers(std::vector<LayerRun<Surd, std::uint64_t>> const& layers,
                                       InputGrams const& inputs, Rows<Enclosed> const& gradients,
                                       std::vector<Rows<Enclosed>> const& hessians, unsigned bits) {
    require_grams(inputs, "gradients", gradients.size());
    require_two_layers(layers, inputs.inner.size(), gradients, hessians);
    IntervalKernels const kernels{bits + guard_bits};
    auto const net = crelu_layers<Enclosed>(layers, [&](Surd const& x) { return enclose(x, kernels.bits); });
    GramInputs const pairs(inputs, kernels);
    return CReluCurvature<Enclosed, GramInputs>(pairs, gradients, hessians).mean(net).enclose(kernels.bits);
}

}  // namespace isserlis
