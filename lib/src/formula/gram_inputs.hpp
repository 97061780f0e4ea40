// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/crelu_kernels.hpp>
#include <isserlis/formula/quadratic_forms.hpp>
#include <isserlis/ring/enclosed.hpp>

#include <cstddef>
#include <vector>

namespace isserlis {

/// Inputs known by their inner products, in enclosures; `rectified` is read where the first layer is a concatenated ReLU.
class GramInputs {
public:
    /// Of a combination its coefficients.
    using Combination = std::vector<Enclosed>;

    GramInputs(Rows<Rational> const& inner, Rows<Rational> const& rectified, IntervalKernels kernels)
        : inner_(inner), rectified_(rectified), kernels_(kernels) {
        for (auto const& row : inner) {
            enclosed_.emplace_back();
            for (auto const& x : row) enclosed_.back().emplace_back(kernels.of(x));
        }
    }

    [[nodiscard]] IntervalKernels kernels() const { return kernels_; }
    [[nodiscard]] std::size_t size() const { return inner_.size(); }
    [[nodiscard]] Enclosed dot(std::size_t k, std::size_t l) const { return enclosed_[k][l]; }
    [[nodiscard]] Enclosed shared_signs(std::size_t k, std::size_t l) const { return kernels_.of(rectified_[k][l]); }
    [[nodiscard]] InputPair<IntervalKernels> pair(std::size_t k, std::size_t l) const {
        return input_pair(kernels_, inner_[k][k], inner_[l][l], inner_[k][l]);
    }
    [[nodiscard]] Combination combination(std::vector<Enclosed> const& weights) const { return weights; }
    [[nodiscard]] Enclosed dot(Combination const& sum, std::size_t k) const { return isserlis::dot(sum, enclosed_[k]); }

private:
    Rows<Rational> const& inner_;
    Rows<Rational> const& rectified_;
    IntervalKernels kernels_;
    Rows<Enclosed> enclosed_;
};

}  // namespace isserlis
