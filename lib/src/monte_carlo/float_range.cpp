// SPDX-License-Identifier: MIT
#include "float_range.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>

namespace isserlis::monte_carlo {
namespace {

constexpr double most_bits = 100;  ///< of the 126 that floats have on either side of 1

/// The range of sums of steps, which begin at `at`, in bits.
class Walk {
public:
    explicit Walk(double at) : at_(at), low_(std::min(at, 0.0)), high_(std::max(at, 0.0)) {}
    void step(double bits) {
        at_ += bits;
        low_ = std::min(low_, at_);
        high_ = std::max(high_, at_);
    }
    [[nodiscard]] double range() const { return high_ - low_; }

private:
    double at_, low_, high_;
};

double bits_of(double factor) { return factor == 0 ? 0 : std::abs(std::log2(std::abs(factor))); }

}  // namespace

void require_float_range(NetworkModel const& model, std::vector<std::vector<double>> const& inputs,
                         std::vector<double> const& factors) {
    if (model.precision != Precision::float32) return;
    double square = 0;
    for (auto const& x : inputs)
        for (double const entry : x) square = std::max(square, entry * entry);
    Walk forward(square == 0 ? 0 : std::log2(square) / 2);
    Walk backward(0);
    double const slope = model.activation.gate().negative;
    double const open = model.activation.is_concatenated() ? 1 : (1 + slope * slope) / 2;
    for (std::size_t q = 1; q <= model.depth(); ++q) {
        double const scale = model.scale(q);
        double const variance = model.variances[q - 1] * scale * scale * (model.has_gates(q) ? open : 1);
        if (variance == 0) continue;
        forward.step(std::log2(variance * static_cast<double>(model.widths[q - 1])) / 2);
        backward.step(std::log2(variance * static_cast<double>(model.widths[q])) / 2);
    }
    double bits = 2 * (forward.range() + backward.range());
    double most = 0;
    for (double const factor : factors) most = std::max(most, bits_of(factor));
    if (bits += most; bits <= most_bits) return;
    throw UnsupportedError(
        "`precision` float: activations and gradients of this network come near the ends of the range of floats; leave "
        "it out, or scale variances, the input or rates towards 1",
        "precision");
}

}  // namespace isserlis::monte_carlo
