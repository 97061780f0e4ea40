// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>

#include <cstdint>

namespace isserlis::testing {

/// The integers modulo 2^61 - 1: exact values of any size at the price of a machine word, for second routes that go
/// from layer to layer.
class PrimeField {
public:
    PrimeField() = default;
    PrimeField(int x) : PrimeField(Rational(x)) {}  // NOLINT(google-explicit-constructor): a ring embeds the integers
    explicit PrimeField(Rational const& x) { *this = residue(numerator_of(x)) / residue(denominator_of(x)); }

    friend PrimeField operator+(PrimeField a, PrimeField b) { return of(a.value_ + b.value_); }
    friend PrimeField operator-(PrimeField a, PrimeField b) { return of(a.value_ + prime - b.value_); }
    friend PrimeField operator*(PrimeField a, PrimeField b) {
        __extension__ using Wide = unsigned __int128;
        return of(static_cast<std::uint64_t>(static_cast<Wide>(a.value_) * b.value_ % prime));
    }
    /// By Fermat: b^(p - 2) is 1/b.
    friend PrimeField operator/(PrimeField a, PrimeField b) {
        for (std::uint64_t e = prime - 2; e != 0; e /= 2) {
            if (e % 2 == 1) a = a * b;
            b = b * b;
        }
        return a;
    }
    friend bool operator==(PrimeField, PrimeField) = default;

private:
    static constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
    static PrimeField of(std::uint64_t x) {
        PrimeField out;
        out.value_ = x % prime;
        return out;
    }
    static PrimeField residue(Integer const& x) {
        Integer const p(prime);
        return of(static_cast<std::uint64_t>(Integer((x % p + p) % p)));
    }
    std::uint64_t value_ = 0;
};

}  // namespace isserlis::testing
