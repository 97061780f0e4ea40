// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/polynomial.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace isserlis::detail {

/// A polynomial in unnamed variables x_0 .. x_{k-1}; who made it knows what it is.
class PolynomialHandle {
public:
    PolynomialHandle() = default;
    PolynomialHandle(PolynomialHandle const&) = delete;
    PolynomialHandle& operator=(PolynomialHandle const&) = delete;
    virtual ~PolynomialHandle() = default;
};

using Handle = std::shared_ptr<PolynomialHandle const>;

/// What `Polynomial` needs of a computer algebra library. Linking FLINT costs more than half of the start-up time that
/// a query may take, so the implementation lives in a shared object of its own that is opened on first use.
/// All handles of one call are over the same number of variables.
class PolynomialBackend {
public:
    virtual ~PolynomialBackend() = default;
    virtual Handle constant(std::size_t variables, Integer const& value) const = 0;
    virtual Handle generator(std::size_t variables, std::size_t index) const = 0;
    virtual Handle add(Handle const& a, Handle const& b) const = 0;
    virtual Handle subtract(Handle const& a, Handle const& b) const = 0;
    virtual Handle multiply(Handle const& a, Handle const& b) const = 0;
    /// Entries of a 2 x 2 step and how often it is taken.
    struct Step {
        Handle a;
        Handle b;
        Handle c;
        Handle d;
        std::uint64_t count;
    };
    /// (x, y) carried through the steps, in place: fresh polynomials would cost as much as the arithmetic.
    virtual std::pair<Handle, Handle> carry(std::vector<Step> const& steps, Handle const& x, Handle const& y) const = 0;
    virtual Handle scale(Handle const& a, Integer const& c) const = 0;
    virtual Handle power(Handle const& a, std::uint64_t exponent) const = 0;
    virtual std::optional<Handle> divide_exactly(Handle const& a, Handle const& b) const = 0;
    virtual Handle gcd(Handle const& a, Handle const& b) const = 0;
    struct Factors {
        Integer constant;
        std::vector<std::pair<Handle, std::uint64_t>> factors;
    };
    virtual Factors factor(Handle const& a) const = 0;
    virtual Integer content(Handle const& a) const = 0;
    virtual bool equal(Handle const& a, Handle const& b) const = 0;
    virtual std::optional<Integer> as_constant(Handle const& a) const = 0;
    virtual std::size_t length(Handle const& a) const = 0;
    /// Of the first monomials that differ: by exponents, then by coefficients; both are of one length. Negative where a
    /// comes first.
    virtual int compare(Handle const& a, Handle const& b) const = 0;
    virtual std::vector<std::uint64_t> degrees(Handle const& a) const = 0;
    virtual std::size_t coefficient_bits(Handle const& a) const = 0;
    virtual std::vector<Polynomial::Monomial> monomials(Handle const& a) const = 0;
    virtual std::vector<std::pair<Integer, std::uint64_t>> factor(Integer const& n) const = 0;
    /// Exponents are indexed by variable; equal monomials add up.
    virtual Handle from_monomials(std::size_t variables, std::vector<Polynomial::Monomial> const& monomials) const = 0;
};

/// Errors  UnsupportedError when the shared object cannot be opened.
PolynomialBackend const& polynomial_backend();

}  // namespace isserlis::detail

/// The one symbol that the FLINT shared object exports.
extern "C" isserlis::detail::PolynomialBackend const* isserlis_flint_polynomials();
