// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/rational.hpp>

#include <cmath>
#include <vector>

namespace isserlis {

/// Numbers as a kernel needs them: doubles, of data in double.
struct DoubleKernels {
    using Data = double;
    using Number = double;
    [[nodiscard]] double of(double x) const { return x; }
    [[nodiscard]] double pi() const { return std::acos(-1.0); }
};

/// Rigorous enclosures of this precision, of rational data.
struct IntervalKernels {
    using Data = Rational;
    using Number = Interval;
    unsigned bits;
    [[nodiscard]] Interval of(Rational const& x) const { return {x, bits}; }
    [[nodiscard]] Interval pi() const { return isserlis::pi(bits); }
};

/// Two inputs x, y at the angle t, as far as kernels depend on them.
template <class Kernels>
struct InputPair {
    using Data = typename Kernels::Data;
    using Number = typename Kernels::Number;
    Data xx;         ///< |x|^2
    Data yy;         ///< |y|^2
    Data xy;         ///< x.y
    bool collinear;  ///< t is 0 or pi
    Number root;     ///< |x||y| sin t
    Number rest;     ///< pi - t
};

/// atan2(root, -inner) for root >= 0: pi minus the angle.
[[nodiscard]] Interval supplementary_angle(Interval const& root, Rational const& inner, unsigned bits);

/// The pair of these squared norms and this inner product. In double, angles below 1e-8 are lost to rounding; prefer
/// the vectors.
/// Errors  DomainError when no such vectors exist (xy^2 > xx yy).
[[nodiscard]] InputPair<IntervalKernels> input_pair(IntervalKernels kernels, Rational const& xx, Rational const& yy,
                                                    Rational const& xy);
[[nodiscard]] InputPair<DoubleKernels> input_pair(DoubleKernels kernels, double xx, double yy, double xy);

/// The pair of two vectors of one size.
[[nodiscard]] InputPair<IntervalKernels> input_pair(IntervalKernels kernels, std::vector<Rational> const& x,
                                                    std::vector<Rational> const& y);
[[nodiscard]] InputPair<DoubleKernels> input_pair(DoubleKernels kernels, std::vector<double> const& x,
                                                  std::vector<double> const& y);

/// E relu((G.x)(G.y)) = |x||y| kap1(t), kap1 = (sin t + (pi - t) cos t)/pi, G a standard Gaussian vector.
///
/// Law     exact. x.y at t = 0, 0 at t = pi, |x||y|/pi at a right angle.
/// Shape   any two inputs.
/// Units   those of x.y.
/// Errors  none.
/// Source  docs/formulas/crelu_kernels.md; [Hettinger 2019, Thm 4.15] has cos t in its place (docs/errata.md, H5).
template <class Kernels>
[[nodiscard]] typename Kernels::Number first_kernel(Kernels const& kernels, InputPair<Kernels> const& p) {
    return (p.root + p.rest * kernels.of(p.xy)) / kernels.pi();
}

/// E relu((G.x)(G.y))^2 = |x|^2 |y|^2 kap2(t), kap2 = (3 sin t cos t + (pi - t)(1 + 2 cos^2 t))/pi.
///
/// Law, Shape, Errors  those of `first_kernel`; 3 |x|^2|y|^2 at t = 0.
/// Source  docs/formulas/crelu_kernels.md
template <class Kernels>
[[nodiscard]] typename Kernels::Number second_kernel(Kernels const& kernels, InputPair<Kernels> const& p) {
    using Data = typename Kernels::Data;
    Data const polynomial = p.xx * p.yy + Data(2) * p.xy * p.xy;
    return (kernels.of(Data(Data(3) * p.xy)) * p.root + p.rest * kernels.of(polynomial)) / kernels.pi();
}

/// E relu(u_x u_y) relu(u_x u_z), u_v = G.v: twice the moment u_x^2 u_y u_z of a Gaussian vector over its positive
/// orthant, in closed form for any three inputs, in a plane or not.
///
/// Law     exact. second_kernel at y = z.
/// Shape   the pairs (x,y), (x,z), (y,z) of three inputs.
/// Errors  none.
/// Source  docs/formulas/crelu_kernels.md
template <class Kernels>
[[nodiscard]] typename Kernels::Number third_kernel(Kernels const& kernels, InputPair<Kernels> const& xy,
                                                    InputPair<Kernels> const& xz, InputPair<Kernels> const& yz) {
    using Data = typename Kernels::Data;
    using Number = typename Kernels::Number;
    auto const of = [&](Data const& d) { return kernels.of(d); };
    Data const& a = xy.xx;
    Data const& b = xy.yy;
    Data const& c = xz.yy;
    if (a == Data(0) || b == Data(0) || c == Data(0)) return of(Data(0));
    Data const along_y = xy.xy / b;
    Data const along_z = xz.xy / c;
    Number const orthant = xy.rest + xz.rest + yz.rest - kernels.pi();  // times 1/(4 pi): its probability
    Number const sum = orthant * of(Data(a * yz.xy + Data(2) * xy.xy * xz.xy)) +
                       xy.root * of(Data(Data(2) * xz.xy + along_y * yz.xy)) +
                       xz.root * of(Data(Data(2) * xy.xy + along_z * yz.xy)) +
                       yz.root * of(Data(a + along_y * xy.xy + along_z * xz.xy));
    return sum / (of(Data(2)) * kernels.pi());
}

}  // namespace isserlis
