// SPDX-License-Identifier: MIT
#pragma once
#include <mpfr.h>
#include <isserlis/ring/surd.hpp>

namespace isserlis {

/// Bits beyond those that are asked for, so that differences and a few roundings leave them.
inline constexpr unsigned guard_bits = 64;

/// Closed real interval with MPFR end points, rounded outwards: it contains the true value, always.
///
/// MPFR rounds every function below correctly in the direction asked, so each enclosure is rigorous by itself. The
/// precision is a member of each value: Boost's process-wide default precision is never touched.
class Interval {
public:
    explicit Interval(unsigned bits);  ///< [0, 0]
    Interval(Rational const& value, unsigned bits);
    Interval(Integer const& value, unsigned bits);
    Interval(long value, unsigned bits);
    Interval(Interval const& other);
    Interval(Interval&& other) noexcept;
    Interval& operator=(Interval other) noexcept;
    ~Interval();

    [[nodiscard]] unsigned bits() const { return static_cast<unsigned>(mpfr_get_prec(lower_)); }
    [[nodiscard]] mpfr_srcptr lower() const { return lower_; }
    [[nodiscard]] mpfr_srcptr upper() const { return upper_; }
    [[nodiscard]] bool contains_zero() const;

    friend Interval operator+(Interval const& a, Interval const& b);
    friend Interval operator-(Interval const& a, Interval const& b);
    friend Interval operator*(Interval const& a, Interval const& b);
    /// sum + a b, in place; at the precision of sum.
    friend void add_product(Interval& sum, Interval const& a, Interval const& b);
    /// Errors  DomainError when b contains 0.
    friend Interval operator/(Interval const& a, Interval const& b);

    /// Monotone increasing functions on their stated domains; DomainError outside.
    friend Interval sqrt(Interval const& x);  ///< x >= 0
    friend Interval log(Interval const& x);   ///< x > 0
    friend Interval exp(Interval const& x);
    friend Interval atan(Interval const& x);
    friend Interval digamma(Interval const& x);        ///< x > 0
    friend Interval log_gamma(Interval const& x);      ///< x >= 2, where it increases
    friend Interval erfc(Interval const& x);           ///< decreasing
    friend Interval positive_part(Interval const& x);  ///< max(x, 0)
    friend Interval pi(unsigned bits);
    /// x with both ends moved outwards by the upper end of `radius`.
    friend Interval widened(Interval const& x, Interval const& radius);

private:
    mpfr_t lower_;
    mpfr_t upper_;
};

[[nodiscard]] Interval pi(unsigned bits);
[[nodiscard]] Interval enclose(Surd const& x, unsigned bits);

}  // namespace isserlis
