// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <isserlis/network/activation.hpp>
#include <isserlis/network/weight_law.hpp>
#include <vector>

namespace isserlis::monte_carlo {

/// What to do where a law with atoms can make the pre-activation of a gate exactly 0.
enum class TieRule {
    refuse,     ///< UnsupportedError
    fair_coin,  ///< a tied pre-activation is 0 and its gate a fair coin, as the gate theorem assumes
};

/// The number type of weights and activations; statistics are always kept in double.
enum class Precision { float32, float64 };

/// Throws UnsupportedError for float32, of what is sampled in doubles alone.
void require_doubles(Precision precision, char const* what);

/// A random vanilla network and its one input: all that is needed to draw it.
///
/// Law     entries of layer q are independent, symmetric, of law laws[q - 1] and variance variances[q - 1]; an untied
///         concatenated ReLU draws P and N independently from it, a tied one draws P and copies it. With `scales` the
///         entries are parameters theta and layer q acts as W = scales[q - 1] theta: derivatives, steps and sizes are
///         those of theta, as in the NTK parametrisation (variance 1, scale 1/sqrt(fan_in)).
/// Shape   widths d_0 .. d_n, n laws, n variances, d_0 inputs; no scales or n of them.
/// Units   variances in squared weight units; input in activation units.
/// Errors  see validate and require_decided_ties.
/// Source  [Hettinger 2019, Def 3.15, 4.1 and 4.8]
struct NetworkModel {
    std::vector<std::size_t> widths;
    Activation<double> activation;
    bool gated_head = false;
    std::vector<WeightLaw<double>> laws;
    std::vector<double> variances;
    std::vector<double> scales{};  ///< what multiplies a layer's parameters inside the network; none means 1
    std::vector<double> input;
    /// By weight layer, or none: where true, layer q is sqrt(max(widths[q - 1], widths[q]) variances[q - 1]) scales[q - 1]
    /// times the first rows, or columns, of a Haar-orthogonal matrix, in place of its law, which is Gaussian. Norms alone
    /// are sampled then.
    std::vector<bool> orthogonal{};
    /// Of the entries of each layer's biases; none means no biases. Norms alone are sampled then.
    std::vector<double> bias_variances{};
    WeightLaw<double> bias_law{};  ///< of all of them
    TieRule ties = TieRule::refuse;
    Precision precision = Precision::float64;

    [[nodiscard]] std::size_t depth() const { return widths.empty() ? 0 : widths.size() - 1; }
    /// Of layer q, 1 <= q <= n.
    [[nodiscard]] double scale(std::size_t layer) const { return scales.empty() ? 1 : scales[layer - 1]; }
    [[nodiscard]] bool is_orthogonal(std::size_t layer) const { return !orthogonal.empty() && orthogonal[layer - 1]; }
    [[nodiscard]] bool has_orthogonal() const {
        return std::find(orthogonal.begin(), orthogonal.end(), true) != orthogonal.end();
    }
    /// Does layer q, 1 <= q <= n, multiply its pre-activations by gates that are not all 1?
    [[nodiscard]] bool has_gates(std::size_t layer) const;

    /// Throws DomainError that names the clash: sizes, widths of 0, kurtosis below 1, numbers that are not finite; and
    /// UnsupportedError for orthogonal matrices and biases, which the samplers of norms alone know.
    void validate(bool norms_alone = false) const;
    /// Throws UnsupportedError when `ties` is refuse and the law of a gated layer has atoms.
    void require_decided_ties() const;
    /// Throws UnsupportedError when the law of a gated layer has atoms, whatever `ties` is.
    void require_no_ties() const;
};

/// |z| <= tie_tolerance * sum |w h| counts as 0: far above rounding, far below what a tie could be mistaken for.
template <class T>
inline constexpr T tie_tolerance = T(sizeof(T) == sizeof(float) ? 1e-4 : 1e-9);

}  // namespace isserlis::monte_carlo
