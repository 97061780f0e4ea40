// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/network/activation.hpp>
#include <isserlis/network/weight_law.hpp>

#include <array>
#include <cmath>
#include <concepts>
#include <string>

namespace isserlis {

/// Published rules for the variance of a weight. g2 = (1 + s^2)/2 is what a gate of slope s keeps of a square.
enum class Scheme { proportional, he, xavier, xavier_average, lecun_uniform, mean_field, standard, ntk, pytorch };

struct SchemeInfo {
    Scheme scheme;
    char const* name;
    char const* variance;  ///< the rule, in words a reader can check
    char const* source;
};

inline constexpr std::array<SchemeInfo, 9> schemes = {{
    {Scheme::proportional, "proportional", "1/sqrt(fan_in*fan_out)", "[Hettinger 2019, Def 4.8]"},
    {Scheme::he, "he", "1/(g2*fan_in), g2 = (1 + s^2)/2: 2/fan_in for ReLU", "[He 2015, eq. (10), (15)]"},
    {Scheme::xavier, "xavier", "1/fan_in", "[Liquet 2024, section 5.5]"},
    {Scheme::xavier_average, "xavier-average", "2/(fan_in + fan_out)", "[Glorot 2010, eq. (12)]"},
    {Scheme::lecun_uniform, "lecun-uniform", "1/fan_in, uniform on [-sqrt(3/fan_in), sqrt(3/fan_in)]",
     "[LeCun 2012, eq. (16)]"},
    {Scheme::mean_field, "mean-field", "1/(g2*fan_in), and 1/fan_in^2 in the last layer; g2 = (1 + s^2)/2",
     "[Jelassi 2023, section 1]"},
    {Scheme::standard, "standard", "1/fan_in, derivatives taken in the entries themselves",
     "[Sohl-Dickstein 2020, section 2]"},
    {Scheme::ntk, "ntk", "1/fan_in: W = theta/sqrt(fan_in), derivatives are by theta, whose entries have variance 1",
     "[Jacot 2018, section 2]"},
    {Scheme::pytorch, "pytorch",
     "1/(3*fan_in), uniform on [-1/sqrt(fan_in), 1/sqrt(fan_in)]: torch.nn.Linear, whose biases have the same law",
     "[PyTorch 2024, torch.nn.Linear]"},
}};

[[nodiscard]] constexpr SchemeInfo const& info(Scheme scheme) {
    for (auto const& s : schemes) {
        if (s.scheme == scheme) return s;
    }
    return schemes.front();
}

/// Are derivatives by parameters of variance 1, which the network scales, and not by the weights?
[[nodiscard]] constexpr bool has_unit_parameters(Scheme scheme) { return scheme == Scheme::ntk; }

/// The scheme that belongs to an activation when none is named.
[[nodiscard]] constexpr Scheme default_scheme(ActivationKind kind) {
    if (sides_of(kind) != WeightSides::one) return Scheme::proportional;
    return has_gate(kind) ? Scheme::he : Scheme::xavier;
}

/// The law that a scheme fixes by its definition; Gaussian for the others.
[[nodiscard]] constexpr LawKind law_of(Scheme scheme) {
    bool const uniform = scheme == Scheme::lecun_uniform || scheme == Scheme::pytorch;
    return uniform ? LawKind::uniform : LawKind::gaussian;
}

/// Does the scheme draw biases too, of the law and the variance of its weights? Those of the others are 0.
[[nodiscard]] constexpr bool draws_biases(Scheme scheme) { return scheme == Scheme::pytorch; }

/// Entry variance of one weight layer under a scheme.
///
/// Shape   the layer is fan_out x fan_in; `is_last` marks the output layer.
/// Units   squared weights; pure widths in.
/// Errors  UnsupportedError when the number type R has no square root (proportional over the rationals).
/// Source  see `schemes`.
template <class R>
[[nodiscard]] R weight_variance(Scheme scheme, Gate<R> const& gate, R const& fan_in, R const& fan_out, bool is_last) {
    R const g2 = gate.moment(2);
    switch (scheme) {
        case Scheme::proportional: {
            using std::sqrt;
            if constexpr (requires {
                              { sqrt(fan_in) } -> std::convertible_to<R>;
                          }) {
                return R(1) / (sqrt(fan_in) * sqrt(fan_out));
            } else {
                throw UnsupportedError("weight_variance: the proportional scheme has square roots; use surds");
            }
        }
        case Scheme::he: return R(1) / (g2 * fan_in);
        case Scheme::xavier:
        case Scheme::lecun_uniform:
        case Scheme::standard:
        case Scheme::ntk: return R(1) / fan_in;
        case Scheme::pytorch: return R(1) / (R(3) * fan_in);
        case Scheme::xavier_average: return R(2) / (fan_in + fan_out);
        case Scheme::mean_field: return is_last ? R(1) / (fan_in * fan_in) : R(1) / (g2 * fan_in);
    }
    return R(0);
}

template <class R>
[[nodiscard]] R weight_variance(Scheme scheme, Activation<R> const& activation, R const& fan_in, R const& fan_out,
                                bool is_last) {
    return weight_variance(scheme, activation.gate(), fan_in, fan_out, is_last);
}

}  // namespace isserlis
