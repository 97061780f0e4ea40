// SPDX-License-Identifier: MIT
#include <isserlis/mlp/unit.hpp>

#include <cmath>
#include <numbers>

#include "activated.hpp"
#include "named.hpp"

namespace isserlis::mlp {
namespace {

using DoubleJet = UnitJet<double>;

/// A product whose limit is 0 where one factor has become 0, whatever the other is.
double vanishing(double small, double z) { return small == 0 && !std::isnan(z) ? 0 : small * z; }

/// sigmoid(z) and 1 - sigmoid(z), each to full precision, from e^-|z|.
struct Sigmoid {
    double value;
    double complement;
    explicit Sigmoid(double z) {
        double const e = std::exp(-std::abs(z));
        value = (z < 0 ? e : 1) / (1 + e);
        complement = (z < 0 ? 1 : e) / (1 + e);
    }
    [[nodiscard]] double first() const { return value * complement; }
    /// complement - value is -tanh(z / 2).
    [[nodiscard]] double second(double z) const { return -first() * std::tanh(z / 2); }
};

DoubleJet sigmoid_jet(double z) {
    Sigmoid const s(z);
    return {s.value, s.first(), s.second(z)};
}

DoubleJet hyperbolic_tangent_jet(double z) {
    double const e = std::exp(-2 * std::abs(z));
    double const first = 4 * e / ((1 + e) * (1 + e));
    double const value = std::tanh(z);
    return {value, first, -2 * value * first};
}

DoubleJet arctan_jet(double z) {
    double const value = std::atan(z);
    if (std::abs(z) <= 1) {
        double const first = 1 / (1 + z * z);
        return {value, first, -2 * z * first * first};
    }
    double const r = 1 / z;
    double const by_z = r / (1 + r * r);  // z times the derivative
    return {value, r * by_z, -2 * by_z * (r * by_z)};
}

DoubleJet softsign_jet(double z) {
    double const size = std::abs(z);
    double const sign = z == 0 ? 0 : std::copysign(1.0, z);
    double const reciprocal = 1 / (1 + size);
    double const value = size <= 1 ? z * reciprocal : std::copysign(1 / (1 + 1 / size), z);
    double const first = reciprocal * reciprocal;
    return {value, first, std::isnan(z) ? z : -2 * sign * first * reciprocal};
}

DoubleJet softplus_jet(double z) {
    Sigmoid const s(z);
    double const value = (z > 0 ? z : 0) + std::log1p(std::exp(-std::abs(z)));
    return {value, s.value, s.first()};
}

DoubleJet exponential_jet(double z, double alpha, double scale) {
    if (z > 0) return {scale * z, scale, 0};
    double const slope = scale * alpha * std::exp(z);
    return {scale * alpha * std::expm1(z), slope, slope};
}

/// [Klambauer 2017], more digits than a double has.
constexpr double selu_alpha = 1.6732632423543772848;
constexpr double selu_scale = 1.0507009873554804934;

DoubleJet swish_jet(double z) {
    Sigmoid const s(z);
    double const first = s.first();
    return {vanishing(s.value, z), vanishing(s.value, 1 + vanishing(s.complement, z)),
            vanishing(first, 2 - vanishing(std::tanh(z / 2), z))};
}

/// e^(-z^2/2), whose exponent is rounded: that costs z^2/2 units in the last place, and its first order is put back.
double bell(double z) {
    double const square = z * z;
    return std::exp(-square / 2) * (1 - std::fma(z, z, -square) / 2);
}

/// Rounding the argument of erfc costs as much; the term of first order is put back.
DoubleJet gelu_jet(double z) {
    constexpr double far = 40;  // bell(far) is 0
    if (std::abs(z) > far) return {z > 0 ? z : 0, z > 0 ? 1.0 : 0.0, 0};
    constexpr double root = std::numbers::sqrt2;
    constexpr double root_rest = -9.667293313452913e-17;  // sqrt(2) - root
    double const x = -z / root;
    double const rest = (std::fma(-x, root, -z) - x * root_rest) / root;
    double const density = bell(z) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
    double const probability = std::erfc(x) / 2 - rest * density * root;
    return {vanishing(probability, z), probability + vanishing(density, z), vanishing(density, 2 - z * z)};
}

DoubleJet erf_jet(double z) {
    constexpr double far = 30;  // e^(-far^2) is 0
    if (std::abs(z) > far) return {std::copysign(1.0, z), 0, 0};
    double const square = z * z;
    double const first = 2 * std::numbers::inv_sqrtpi * std::exp(-square) * (1 - std::fma(z, z, -square));
    return {std::erf(z), first, -2 * z * first};
}

DoubleJet sin_jet(double z) {
    double const value = std::sin(z);
    return {value, std::cos(z), -value};
}

DoubleJet cos_jet(double z) {
    double const value = std::cos(z);
    return {value, -std::sin(z), -value};
}

template <class T>
UnitJet<T> rounded(DoubleJet const& jet) {
    return {static_cast<T>(jet.value), static_cast<T>(jet.first), static_cast<T>(jet.second)};
}

template <class T>
UnitJet<T> gated(T z, T slope) {
    T const gate = z > T(0) ? T(1) : slope;
    return {activated(gate, z), std::isnan(z) ? z : gate, T(0)};
}

}  // namespace

char const* name(UnitKind kind) {
    switch (kind) {
        case UnitKind::identity: return "identity";
        case UnitKind::relu: return "relu";
        case UnitKind::leaky: return "leaky";
        case UnitKind::crelu: return "crelu";
        case UnitKind::step: return "step";
        case UnitKind::sigmoid: return "sigmoid";
        case UnitKind::tanh: return "tanh";
        case UnitKind::prelu: return "prelu";
        case UnitKind::arctan: return "arctan";
        case UnitKind::softsign: return "softsign";
        case UnitKind::softplus: return "softplus";
        case UnitKind::elu: return "elu";
        case UnitKind::selu: return "selu";
        case UnitKind::swish: return "swish";
        case UnitKind::gelu: return "gelu";
        case UnitKind::erf: return "erf";
        case UnitKind::sin: return "sin";
        case UnitKind::cos: return "cos";
    }
    return "";
}

std::vector<std::string> unit_names() {
    std::vector<std::string> out;
    for (int k = 0; *name(static_cast<UnitKind>(k)) != '\0'; ++k) out.emplace_back(name(static_cast<UnitKind>(k)));
    return out;
}

std::optional<UnitKind> unit_kind(std::string_view wanted) { return named<UnitKind>(wanted); }

std::optional<double> usual_constant(UnitKind kind) {
    switch (kind) {
        case UnitKind::leaky: return 0.01;
        case UnitKind::prelu: return 0.25;
        case UnitKind::elu: return 1;
        case UnitKind::identity:
        case UnitKind::relu:
        case UnitKind::crelu:
        case UnitKind::step:
        case UnitKind::sigmoid:
        case UnitKind::tanh:
        case UnitKind::arctan:
        case UnitKind::softsign:
        case UnitKind::softplus:
        case UnitKind::selu:
        case UnitKind::swish:
        case UnitKind::gelu:
        case UnitKind::erf:
        case UnitKind::sin:
        case UnitKind::cos: break;
    }
    return std::nullopt;
}

double Unit::constant() const { return slope.value_or(usual_constant(kind).value_or(0)); }

bool is_curved(UnitKind kind) {
    switch (kind) {
        case UnitKind::identity:
        case UnitKind::relu:
        case UnitKind::leaky:
        case UnitKind::crelu:
        case UnitKind::step:
        case UnitKind::prelu: return false;
        case UnitKind::sigmoid:
        case UnitKind::tanh:
        case UnitKind::arctan:
        case UnitKind::softsign:
        case UnitKind::softplus:
        case UnitKind::elu:
        case UnitKind::selu:
        case UnitKind::swish:
        case UnitKind::gelu:
        case UnitKind::erf:
        case UnitKind::sin:
        case UnitKind::cos: return true;
    }
    return true;
}

template <class T>
void unit_jets(Unit const& unit, std::size_t count, T const* z, T* value, T* first, T* second) {
    auto fill = [&](auto const& jet) {
        for (std::size_t i = 0; i < count; ++i) {
            UnitJet<T> const at = jet(z[i]);
            value[i] = at.value;
            first[i] = at.first;
            if (second != nullptr) second[i] = at.second;
        }
    };
    auto const slope = static_cast<T>(unit.constant());
    switch (unit.kind) {
        case UnitKind::identity:
        case UnitKind::crelu: return fill([](T x) { return UnitJet<T>{x, T(1), T(0)}; });
        case UnitKind::relu: return fill([](T x) { return gated(x, T(0)); });
        case UnitKind::leaky:
        case UnitKind::prelu: return fill([slope](T x) { return gated(x, slope); });
        case UnitKind::step:
            return fill([](T x) { return UnitJet<T>{std::isnan(x) ? x : T(x < T(0) ? -1 : 1), T(0), T(0)}; });
        case UnitKind::sigmoid: return fill([](T x) { return rounded<T>(sigmoid_jet(x)); });
        case UnitKind::tanh: return fill([](T x) { return rounded<T>(hyperbolic_tangent_jet(x)); });
        case UnitKind::arctan: return fill([](T x) { return rounded<T>(arctan_jet(x)); });
        case UnitKind::softsign: return fill([](T x) { return rounded<T>(softsign_jet(x)); });
        case UnitKind::softplus: return fill([](T x) { return rounded<T>(softplus_jet(x)); });
        case UnitKind::elu: {
            double const alpha = unit.constant();
            return fill([alpha](T x) { return rounded<T>(exponential_jet(x, alpha, 1)); });
        }
        case UnitKind::selu: return fill([](T x) { return rounded<T>(exponential_jet(x, selu_alpha, selu_scale)); });
        case UnitKind::swish: return fill([](T x) { return rounded<T>(swish_jet(x)); });
        case UnitKind::gelu: return fill([](T x) { return rounded<T>(gelu_jet(x)); });
        case UnitKind::erf: return fill([](T x) { return rounded<T>(erf_jet(x)); });
        case UnitKind::sin: return fill([](T x) { return rounded<T>(sin_jet(x)); });
        case UnitKind::cos: return fill([](T x) { return rounded<T>(cos_jet(x)); });
    }
}

template <class T>
UnitJet<T> unit_jet(Unit const& unit, T z) {
    UnitJet<T> out;
    unit_jets(unit, 1, &z, &out.value, &out.first, &out.second);
    return out;
}

template UnitJet<float> unit_jet(Unit const&, float);
template UnitJet<double> unit_jet(Unit const&, double);
template void unit_jets(Unit const&, std::size_t, float const*, float*, float*, float*);
template void unit_jets(Unit const&, std::size_t, double const*, double*, double*, double*);

}  // namespace isserlis::mlp
