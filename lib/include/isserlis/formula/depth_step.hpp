// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/residual_step.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/rational.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace isserlis {

/// Second moments of y^L, the last layer of L residual blocks y^k = y^(k-1) + m F(y^(k-1)) between plain matrices, and of
/// its change in a step, as a function of the depth and of s = m^2.
///
/// Law     that of ResidualStep. The rates are those of the matrices themselves, beside which m stands.
/// Shape   three blocks: a first matrix, one residual block, whose count does not enter, and a last matrix.
/// Units   E (Delta y_i)^2 is quadratic in a common factor of all rates.
/// Errors  those of ResidualStep; DomainError for other stages.
/// Source  docs/formulas/depth_step.md
class DepthStep {
public:
    DepthStep(SteppedNetwork<Rational> net, Rational square, Rational target_second);

    /// E (y_i^L)^2 and E (Delta y_i^L)^2.
    struct Moments {
        Rational square;
        Rational change_square;
    };
    /// Exact: digits grow with the depth.
    [[nodiscard]] Moments at(std::uint64_t depth, Rational const& s) const;

    /// Enclosures of them; the latter grows with s.
    [[nodiscard]] Interval square(std::uint64_t depth, Rational const& s, unsigned bits) const;
    [[nodiscard]] Interval change_square(std::uint64_t depth, Rational const& s, unsigned bits) const;

    /// Their limits as L goes to infinity with s = t/L: exponential functions of t.
    [[nodiscard]] Interval square_limit(Rational const& t, unsigned bits) const;
    [[nodiscard]] Interval change_square_limit(Rational const& t, unsigned bits) const;

    /// An enclosure of the s at which E (Delta y_i^L)^2 is `change`; no wider than 2^-bits times it.
    /// Errors  DomainError for a change that no s up to `most` makes.
    [[nodiscard]] Interval scale_of_change(std::uint64_t depth, Rational const& change, Rational const& most,
                                           unsigned bits) const;

    /// E|y^k|^6/E|y^(k-1)|^6, what E (Delta y_i^L)^2 grows by from stage to stage in the end.
    [[nodiscard]] Rational growth(Rational const& s) const;
    /// mu of E|F(y)|^2 = mu |y|^2.
    [[nodiscard]] Rational const& gain() const { return gain_; }

private:
    /// The matrix of a stage, a polynomial in s, and what the first matrix makes of the input.
    template <std::size_t K>
    struct Powers {
        static constexpr std::size_t size = pairing_detail::invariant_count<K>;
        std::vector<Matrix<Rational, size>> by_power;  ///< of s, from 0 on
        std::array<Rational, size> start;
    };
    template <std::size_t K>
    [[nodiscard]] Powers<K> powers() const;
    [[nodiscard]] Interval weighted(std::vector<Interval> const& four, std::vector<Interval> const& six,
                                    unsigned bits) const;

    SteppedNetwork<Rational> net_;
    Rational square_;
    Rational first_square_;  ///< E (y_i^0)^2
    Rational gain_;
    Powers<2> fours_;
    Powers<3> sixes_;
    Rational of_four_;                ///< what E tr Q^2 counts in E (Delta y_i)^2,
    std::array<Rational, 2> of_six_;  ///< E tr Y tr Q^2 and E tr Y Q^2
};

}  // namespace isserlis
