// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <isserlis/monte_carlo/network_model.hpp>
#include <isserlis/random/unit_weight.hpp>
#include <span>
#include <vector>

namespace isserlis::monte_carlo::detail {

/// The weights of one network after another in one array: those of draw_network, layer after layer, row by row.
/// Without the part N of a concatenated ReLU.
class ChainWeights {
public:
    explicit ChainWeights(NetworkModel const& model) {
        for (std::size_t q = 1; q <= model.depth(); ++q) {
            laws_.emplace_back(model.laws[q - 1]);
            deviations_.push_back(std::sqrt(model.variances[q - 1]));
            firsts_.push_back(size_);
            size_ += model.widths[q] * model.widths[q - 1];
        }
        firsts_.push_back(size_);
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    /// Where layer q = 1 .. n begins.
    [[nodiscard]] std::size_t first(std::size_t layer) const { return firsts_[layer - 1]; }

    template <class T>
    void draw(std::uint64_t seed, std::uint64_t sample, std::span<T> weights) const {
        Stream stream(seed, sample);
        for (std::size_t q = 0; q < laws_.size(); ++q) {
            auto const layer = weights.subspan(firsts_[q], firsts_[q + 1] - firsts_[q]);
            laws_[q].fill(stream, layer);
            for (T& w : layer) w *= static_cast<T>(deviations_[q]);
        }
    }

private:
    std::vector<UnitWeight> laws_;
    std::vector<double> deviations_;
    std::vector<std::size_t> firsts_;
    std::size_t size_ = 0;
};

}  // namespace isserlis::monte_carlo::detail
