// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <isserlis/random/unit_weight.hpp>
#include <span>
#include <vector>

namespace isserlis::monte_carlo {

/// Draws random matrices row by row through one buffer, so that no matrix ever sits in memory.
///
/// Law     independent entries of mean 0, the given law and variance: UnitWeight's T times the deviation.
/// Shape   for_each_row(stream, rows, cols, f) calls f(row index, span of cols weights); a buffer holds many short
/// rows.
/// Units   weights.
/// Errors  those of UnitWeight.
/// Source  this library
template <class T>
class WeightRows {
public:
    WeightRows(WeightLaw<double> const& law, double variance)
        : law_(law), deviation_(static_cast<T>(std::sqrt(variance))) {}

    /// f(index of the first row, span of some whole rows).
    template <class F>
    void for_each_block(Stream& stream, std::size_t rows, std::size_t cols, F&& f) {
        std::size_t const rows_at_once = std::clamp<std::size_t>(buffer_weights / cols, 1, rows);
        weights_.resize(rows_at_once * cols);
        for (std::size_t first = 0; first < rows; first += rows_at_once) {
            std::size_t const drawn = std::min(rows_at_once, rows - first) * cols;
            auto const block = std::span(weights_).first(drawn);
            law_.fill(stream, block);
            for (T& w : block) w *= deviation_;
            f(first, std::span<T const>(block));
        }
    }

    template <class F>
    void for_each_row(Stream& stream, std::size_t rows, std::size_t cols, F&& f) {
        for_each_block(stream, rows, cols, [&](std::size_t first, std::span<T const> block) {
            for (std::size_t i = 0; i * cols < block.size(); ++i) f(first + i, block.subspan(i * cols, cols));
        });
    }

private:
    static constexpr std::size_t buffer_weights = 4096;

    UnitWeight law_;
    T deviation_;
    std::vector<T> weights_;
};

}  // namespace isserlis::monte_carlo
