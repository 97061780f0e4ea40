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

double most_bits_of(std::vector<double> const& factors) {
    double most = 0;
    for (double const factor : factors) most = std::max(most, bits_of(factor));
    return most;
}

double largest_square(std::vector<std::vector<double>> const& inputs) {
    double out = 0;
    for (auto const& x : inputs)
        for (double const entry : x) out = std::max(out, entry * entry);
    return out;
}

/// The range of the roots of these mean squares and of 1, in bits; what is 0 stays 0 in floats.
double range_of_roots(std::vector<double> const& squares) {
    double low = 0;
    double high = 0;
    for (double const square : squares) {
        if (square == 0) continue;
        low = std::min(low, std::log2(square) / 2);
        high = std::max(high, std::log2(square) / 2);
    }
    return high - low;
}

void require_range(double bits) {
    if (bits <= most_bits) return;
    throw UnsupportedError(
        "`precision` float: activations and gradients of this network come near the ends of the range of floats; leave "
        "it out, or scale variances, the input or rates towards 1",
        "precision");
}

}  // namespace

void require_float_range(NetworkModel const& model, std::vector<std::vector<double>> const& inputs,
                         std::vector<double> const& factors) {
    if (model.precision != Precision::float32) return;
    double const square = largest_square(inputs);
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
    require_range(2 * (forward.range() + backward.range()) + most_bits_of(factors));
}

void require_float_range(GraphModel const& model, std::vector<std::vector<double>> const& inputs,
                         std::vector<double> const& factors) {
    if (model.precision != Precision::float32) return;
    auto const flat = model.flat_graph();
    auto const& stage = flat.stages.front();
    auto const width = [&](std::size_t v) {
        return static_cast<double>(v == 0 ? flat.input_width : stage.nodes[v - 1].width);
    };
    auto const open = [&](std::size_t v) {  // the mean square of a gate
        if (v == 0 || !stage.nodes[v - 1].gate) return 1.0;
        auto const& gate = *stage.nodes[v - 1].gate;
        return (gate.negative * gate.negative + gate.positive * gate.positive) / 2;
    };
    auto const carried = [](auto const& edge, double neurons) {  // what an edge makes of a mean square
        return edge.kind == GraphEdge<double>::Kind::weight
                   ? edge.variance * edge.multiplier * edge.multiplier * neurons
                   : 1.0;
    };
    auto edges = stage.edges;
    std::vector<double> rates;
    std::vector<double> forward{largest_square(inputs)};
    for (auto const& node : stage.nodes) {
        forward.push_back(node.bias ? node.bias->variance : 0);
        if (node.bias) rates.push_back(node.bias->label_factor);
    }
    std::stable_sort(edges.begin(), edges.end(), [](auto const& a, auto const& b) { return a.to < b.to; });
    for (auto const& edge : edges) {
        forward[edge.to] += carried(edge, width(edge.from)) * open(edge.from) * forward[edge.from];
        rates.push_back(edge.label_factor);
    }
    std::vector<double> backward(forward.size(), 0);
    backward.back() = 1;
    std::stable_sort(edges.begin(), edges.end(), [](auto const& a, auto const& b) { return a.from > b.from; });
    for (auto const& edge : edges)
        backward[edge.from] += carried(edge, width(edge.to)) * open(edge.from) * backward[edge.to];
    require_range(2 * (range_of_roots(forward) + range_of_roots(backward)) + most_bits_of(rates) +
                  most_bits_of(factors));
}

}  // namespace isserlis::monte_carlo
