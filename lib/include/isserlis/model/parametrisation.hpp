// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/surd.hpp>

#include <array>
#include <cstddef>
#include <string>

namespace isserlis {

/// Which rule a layer has: that of the input, of a matrix between hidden layers, or of the output.
enum class LayerKind { input, hidden, output };

/// The kind of weight layer `index` = 0, 1, .. of `layers`, of which there are at least two.
[[nodiscard]] constexpr LayerKind kind_of_layer(std::size_t index, std::size_t layers) {
    return index == 0 ? LayerKind::input : index + 1 == layers ? LayerKind::output : LayerKind::hidden;
}

/// Powers of the width n that a layer has: it acts as W = n^-A w, w of variance constant * n^(-2 B) is what is trained,
/// at the rate eta n^-C.
struct WidthExponents {
    Rational a;  ///< of the multiplier
    Rational b;  ///< of the variance
    Rational c;  ///< of the rate
};

/// An abc-parametrisation: how weights, their variances and their rates go with the width.
///
/// Law     n is the fan-in of a layer, in the input layer the fan-out, since the fan-in there is that of the data. The
///         constant is 1/(g2 n_0) in the input layer, 1/g2 in a hidden one, 1 at the output, g2 = (1 + s^2)/2 where a gate
///         follows the layer, else 1: what keeps E z^2 from layer to layer where A + B = 1/2. With `unit_parameters` its
///         root multiplies w, whose variance then is n^(-2 B) alone. The matrices of residual branches are hidden ones;
///         of plain ones, dense layers and edges of a graph those from the input are input layers, into the output output.
/// Source  [Yang 2021], with exponents of each layer for the rates as in [Yang 2022, Table 3].
struct Parametrisation {
    std::string name;  ///< as typed
    std::array<WidthExponents, 3> exponents;
    bool unit_parameters = false;

    [[nodiscard]] WidthExponents const& of(LayerKind kind) const { return exponents[static_cast<std::size_t>(kind)]; }
};

struct ParametrisationInfo {
    char const* name;
    char const* exponents;  ///< A,B,C, each one number or input:hidden:output
    bool unit_parameters;
    char const* source;
};

inline constexpr std::array<ParametrisationInfo, 4> parametrisations = {{
    {"standard", "0,0:1/2:1/2,0", false, "[Yang 2021, Table 1]"},
    {"ntk", "0:1/2:1/2,0,0", true, "[Jacot 2018, section 2]"},
    {"mean-field", "0:1/2:1,0,-1", true, "[Yang 2021, Table 1], deep: that of muP with unit parameters"},
    {"mup", "0,0:1/2:1,-1:0:1", false, "[Yang 2022, Table 3]"},
}};

/// The named one, or that of A,B,C; `parameter` is what errors are about.
/// Errors  ParseError for anything else; UnsupportedError for exponents beyond `largest_width_exponent`.
[[nodiscard]] Parametrisation parse_parametrisation(std::string const& text,
                                                    std::string const& parameter = "parametrisation");
inline constexpr int largest_width_exponent = 20;

/// "0:1/2:1", or "1/2" where all three are alike.
[[nodiscard]] std::string exponents_text(Parametrisation const& parametrisation, Rational WidthExponents::*which);

/// n^exponent for a positive n.
/// Errors  UnsupportedError where the result is no rational multiple of a square root, in symbols where it is no power
///         of whole exponents.
[[nodiscard]] double width_power(double n, Rational const& exponent);
[[nodiscard]] Surd width_power(Surd const& n, Rational const& exponent);
[[nodiscard]] RationalFunction width_power(RationalFunction const& n, Rational const& exponent);

/// One layer under a parametrisation, over any ring that has powers of widths.
template <class R>
class ParametrisedLayer {
public:
    /// `g2` is E of the squared slope of the gate behind the layer, 1 where none is; `alpha` multiplies the constant.
    ParametrisedLayer(Parametrisation const& parametrisation, LayerKind kind, R const& g2, R const& fan_in,
                      R const& fan_out, R const& alpha = R(1))
        : exponents_(parametrisation.of(kind)),
          unit_parameters_(parametrisation.unit_parameters),
          width_(kind == LayerKind::input ? fan_out : fan_in),
          constant_(alpha) {
        if (kind == LayerKind::input) constant_ = constant_ / (g2 * fan_in);
        if (kind == LayerKind::hidden) constant_ = constant_ / g2;
    }

    /// Of the entries of w, as they are drawn.
    [[nodiscard]] R parameter_variance() const {
        R const power = width_power(width_, -2 * exponents_.b);
        return unit_parameters_ ? power : R(constant_ * power);
    }
    /// The square of what multiplies w inside the network.
    [[nodiscard]] R squared_multiplier() const {
        R const power = width_power(width_, -2 * exponents_.a);
        return unit_parameters_ ? R(constant_ * power) : power;
    }
    [[nodiscard]] R rate() const { return width_power(width_, -exponents_.c); }

    // Both by one power, which may exist where those of its parts do not.

    /// Of the entries of W.
    [[nodiscard]] R weight_variance() const {
        return constant_ * width_power(width_, -2 * (exponents_.a + exponents_.b));
    }
    /// A pair of derivatives by w, times the rate, over the pair by W.
    [[nodiscard]] R label_factor() const {
        R const power = width_power(width_, -2 * exponents_.a - exponents_.c);
        return unit_parameters_ ? R(constant_ * power) : power;
    }

private:
    WidthExponents exponents_;
    bool unit_parameters_;
    R width_;
    R constant_;
};

}  // namespace isserlis
