// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <isserlis/network/activation.hpp>
#include <isserlis/ring/rational.hpp>
#include <vector>

#include "enumeration.hpp"

// Real networks over every assignment of their weights: they multiply by a weight and apply max(0, z). No gate is
// drawn.
namespace isserlis::testing {

/// A small network whose weights run through a discrete law, layer by layer.
template <class T>
struct RealNetwork {
    std::vector<int> widths;
    ActivationKind kind = ActivationKind::relu;
    T slope{};
    bool gated_head = false;
    std::vector<T> input;

    /// Weights of one sign branch in one layer, counted.
    [[nodiscard]] std::size_t weights_in(std::size_t layer) const {
        auto const one = static_cast<std::size_t>(widths[layer]) * static_cast<std::size_t>(widths[layer + 1]);
        return kind == ActivationKind::crelu ? 2 * one : one;
    }
    [[nodiscard]] std::size_t layers() const { return widths.size() - 1; }

    /// |v|^2 of the output for given weights; `ties` counts pre-activations 0 of gated units with a non-zero input.
    template <class Weights>
    [[nodiscard]] T squared_norm(Weights const& weights, int& ties) const {
        std::vector<T> h = input;
        auto next = weights.begin();
        for (std::size_t l = 0; l < layers(); ++l) {
            auto const rows = static_cast<std::size_t>(widths[l + 1]);
            bool const alive = !is_zero(h);
            auto const positive = next;
            auto const negative =
                kind == ActivationKind::crelu ? next + static_cast<std::ptrdiff_t>(rows * h.size()) : next;
            std::vector<T> z(rows, T(0));
            for (std::size_t i = 0; i < rows; ++i) {
                for (std::size_t j = 0; j < h.size(); ++j) {
                    auto const at = static_cast<std::ptrdiff_t>(i * h.size() + j);
                    bool const concatenated = kind == ActivationKind::crelu || kind == ActivationKind::crelu_tied;
                    if (!concatenated) {
                        z[i] += T(positive[at]) * h[j];
                    } else if (h[j] > T(0)) {
                        z[i] += T(positive[at]) * h[j];  // P relu(h)
                    } else {
                        z[i] -= T(negative[at]) * (T(0) - h[j]);  // - N relu(-h)
                    }
                }
            }
            next += static_cast<std::ptrdiff_t>(weights_in(l));
            bool const last = l + 1 == layers();
            bool const gated = (kind == ActivationKind::relu || kind == ActivationKind::leaky) && (!last || gated_head);
            if (gated) {
                for (auto& x : z) {
                    if (x == T(0) && alive) ++ties;
                    if (x < T(0)) x = kind == ActivationKind::relu ? T(0) : T(slope * x);
                }
            }
            h = std::move(z);
        }
        T sum = T(0);
        for (auto const& x : h) sum += x * x;
        return sum;
    }

private:
    static bool is_zero(std::vector<T> const& v) {
        for (auto const& x : v) {
            if (x != T(0)) return false;
        }
        return true;
    }
};

struct EnumeratedNorm {
    Rational mean;    ///< E |v|^2 for unit variances
    Rational square;  ///< E |v|^4 for unit variances
    int ties = 0;
};

/// Averages over all weights; `laws` has one law per layer. Slopes have to be whole numbers, so that integers suffice.
[[nodiscard]] inline EnumeratedNorm enumerated_norm(RealNetwork<std::int64_t> const& net,
                                                    std::vector<DiscreteLaw> const& laws) {
    std::vector<DiscreteLaw> all;
    Integer total = 1;
    Rational variance = 1;
    for (std::size_t l = 0; l < net.layers(); ++l) {
        all.insert(all.end(), net.weights_in(l), laws[l]);
        variance *= laws[l].moment(2);
    }
    for (auto const& law : all) total *= law.total();
    std::int64_t mean = 0;
    std::int64_t square = 0;
    EnumeratedNorm out;
    for_each_assignment(all, [&](std::vector<int> const& weights, std::int64_t weight) {
        std::int64_t const norm = net.squared_norm(weights, out.ties);
        mean += weight * norm;
        square += weight * norm * norm;
    });
    out.mean = quotient(ratio(Integer(mean), total), variance);
    out.square = quotient(ratio(Integer(square), total), variance * variance);
    return out;
}

}  // namespace isserlis::testing
