// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace isserlis {

namespace detail {
class PolynomialHandle;
}

/// Multivariate polynomial with integer coefficients over named variables, always expanded (FLINT).
///
/// Variables are found by name: polynomials in different variables combine over the union of both sets. Constants need
/// neither variables nor FLINT, which is loaded on the first use of a variable.
class Polynomial {
public:
    using Variables = std::shared_ptr<std::vector<std::string> const>;
    struct Monomial {
        Integer coefficient;
        std::vector<std::uint64_t> exponents;  ///< one per variable, in the order of `variables()`
    };
    struct Factorization;

    Polynomial() = default;
    Polynomial(int value) : constant_(value) {}  // NOLINT(google-explicit-constructor): a ring embeds the integers
    Polynomial(Integer value) : constant_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
    static Polynomial variable(std::string const& name);
    /// The sum of the monomials over `variables`, in any order; repeated variables and monomials add up.
    static Polynomial from_monomials(std::vector<std::string> const& variables, std::vector<Monomial> const& monomials);

    [[nodiscard]] bool is_constant() const { return handle_ == nullptr; }
    [[nodiscard]] bool is_zero() const { return is_constant() && constant_.is_zero(); }
    /// The value of a constant polynomial.
    [[nodiscard]] Integer const& constant() const { return constant_; }
    /// Sorted names; may include variables that have cancelled.
    [[nodiscard]] std::vector<std::string> const& variables() const;
    [[nodiscard]] std::size_t length() const;  ///< number of monomials
    /// By decreasing total degree, then lexicographically.
    [[nodiscard]] std::vector<Monomial> monomials() const;
    /// The degree in each of `variables()`.
    [[nodiscard]] std::vector<std::uint64_t> degrees() const;
    /// Bits of the largest coefficient.
    [[nodiscard]] std::size_t coefficient_bits() const;
    /// A total order, 0 where a and b are equal: by length, names, and the first monomials that differ.
    friend int compare(Polynomial const& a, Polynomial const& b);

    friend Polynomial operator+(Polynomial const& a, Polynomial const& b);
    friend Polynomial operator-(Polynomial const& a, Polynomial const& b);
    /// Errors  UnsupportedError when the product, expanded, would take more than 125 MB, or minutes.
    friend Polynomial operator*(Polynomial const& a, Polynomial const& b);
    friend bool operator==(Polynomial const& a, Polynomial const& b);
    /// Entries of a 2 x 2 step (a b; c d), owned by the caller, and how often it is taken.
    struct Step {
        Polynomial const* a;
        Polynomial const* b;
        Polynomial const* c;
        Polynomial const* d;
        std::uint64_t count;
    };
    /// (x, y) carried through the steps, the first one first: (x, y) <- (a x + b y, c x + d y).
    static std::pair<Polynomial, Polynomial> carry(std::vector<Step> const& steps, Polynomial const& x,
                                                   Polynomial const& y);
    friend Polynomial power(Polynomial const& base, std::uint64_t exponent);
    /// a / b when b divides a.
    /// Errors  DomainError when b is 0.
    friend std::optional<Polynomial> divide_exactly(Polynomial const& a, Polynomial const& b);
    friend Polynomial gcd(Polynomial const& a, Polynomial const& b);
    /// Irreducible factors over the integers, each primitive with a positive leading coefficient; beyond a degree of
    /// 2000 in a symbol the polynomial itself, primitive.
    friend Factorization factor(Polynomial const& a);
    /// Greatest common divisor of the coefficients, with the sign of the leading one; 0 for 0.
    [[nodiscard]] Integer content() const;

private:
    using Handle = std::shared_ptr<detail::PolynomialHandle const>;
    Polynomial(Variables variables, Handle handle);
    static std::pair<Polynomial, Polynomial> over_common_variables(Polynomial const& a, Polynomial const& b);
    [[nodiscard]] Polynomial over(Variables const& wider) const;

    Integer constant_;     // when handle_ is null
    Variables variables_;  // interned: equal lists are the same object
    Handle handle_;
};

struct Polynomial::Factorization {
    struct Factor {
        Polynomial base;
        std::uint64_t multiplicity;
    };
    Integer constant;
    std::vector<Factor> factors;
};

int compare(Polynomial const& a, Polynomial const& b);
Polynomial power(Polynomial const& base, std::uint64_t exponent);
std::optional<Polynomial> divide_exactly(Polynomial const& a, Polynomial const& b);
Polynomial gcd(Polynomial const& a, Polynomial const& b);
Polynomial::Factorization factor(Polynomial const& a);

/// Prime factors of an integer above 1, with their multiplicities (FLINT). Meant for up to about a hundred bits.
[[nodiscard]] std::vector<std::pair<Integer, std::uint64_t>> factor(Integer const& n);

}  // namespace isserlis
