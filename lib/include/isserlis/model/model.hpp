// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/model/parametrisation.hpp>
#include <isserlis/monte_carlo/network_model.hpp>
#include <isserlis/network/network.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace isserlis {

using Numeric = FullyConnected<Surd, std::uint64_t>;
using Symbolic = FullyConnected<RationalFunction, Exponent>;

/// By what the network is differentiated, as it was asked. The sampled leg makes scales and label factors of it by itself; the
/// exact one has the label factors of `net` and `graph`, into which all of it is worked.
template <class R>
struct DerivativeText {
    bool unit_parameters = false;  ///< of the NTK parametrisation: by theta of W = sqrt(variance) theta
    bool over_fan_in = false;      ///< what `factors` lists is divided by the fan-in
    std::vector<R> factors;        ///< one for all matrices, for each matrix of a branch, or for each; none means 1
    std::optional<Parametrisation> parametrisation{};  ///< its rates come to the factors
    std::optional<R> alpha{};                          ///< multiplies the constants of the parametrisation
    std::optional<R> branch_multiplier_squared{};      ///< m^2 of residual blocks y + m F(y): by the matrices of F
};

/// What a value must be, of which symbols leave open whether it is.
template <class R>
struct Requirement {
    R value;
    bool strict;  ///< above 0, else at least 0
};

/// A model with values: what formulas are evaluated on.
template <class R, class Count>
struct Model {
    Network<R, Count> network;
    R squared_norm = R(1);    ///< |x|^2
    std::optional<R> fourth;  ///< sum x_i^4, when it is known
    R target_second = R(1);   ///< E|y|^2
    std::optional<R> target_third;
    std::optional<R> target_fourth;
    R data_scale = R(1);   ///< c of standardised data
    std::vector<R> input;  ///< the coordinates, when they are given
    DerivativeText<R> derivatives;
    /// By run of a vanilla network: its weight matrices are sqrt(max(fan-in, fan-out) variance) times Haar semi-orthogonal
    /// ones, in place of their law, which is Gaussian. Empty where none are.
    std::vector<bool> orthogonal;
    monte_carlo::TieRule ties = monte_carlo::TieRule::refuse;
    monte_carlo::Precision precision = monte_carlo::Precision::float64;  ///< of what is sampled
    std::vector<Requirement<R>> requirements;                            ///< of the symbols: none in numbers

    [[nodiscard]] Graph<R, Count> const& graph() const { return network.graph(); }
    /// The layers of a vanilla network.
    /// Errors  UnsupportedError for another.
    [[nodiscard]] FullyConnected<R, Count> const& net() const { return network.chain(); }

    /// Every weight of a vanilla network is known to be Gaussian, but for orthogonal matrices.
    [[nodiscard]] bool is_gaussian() const {
        for (auto const& run : net().layers) {
            if (run.law.kind != LawKind::gaussian) return false;
        }
        return true;
    }
};

using NumericModel = Model<Surd, std::uint64_t>;
using SymbolicModel = Model<RationalFunction, Exponent>;

/// A fully connected network with an input of |x|^2 = 1, targets of E|y|^2 = 1, and plain derivatives.
template <class R, class Count>
[[nodiscard]] Model<R, Count> model_of(FullyConnected<R, Count> net) {
    Model<R, Count> out;
    out.network = std::move(net);
    return out;
}

/// The sign of a number, and that of a formula where all its terms agree: symbols are positive. None elsewhere.
[[nodiscard]] std::optional<int> sign_of(Surd const& x);
[[nodiscard]] std::optional<int> sign_of(RationalFunction const& x);

/// The larger of two widths, which are at least 1; none where symbols leave open which it is.
template <class R>
[[nodiscard]] std::optional<R> larger_width(R const& fan_in, R const& fan_out) {
    auto const sign = sign_of(R(fan_in - fan_out));
    if (fan_in == fan_out || (sign && *sign >= 0) || fan_out == R(1)) return fan_in;
    if (sign || fan_in == R(1)) return fan_out;
    return std::nullopt;
}

/// Digits of an element of either ring, for messages and tables of doubles.
[[nodiscard]] double to_double(Surd const& x);
[[nodiscard]] double to_double(RationalFunction const& x);

}  // namespace isserlis
