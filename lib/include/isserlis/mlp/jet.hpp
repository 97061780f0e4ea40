// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

namespace isserlis::mlp {

/// A number with K infinitesimals e_1 .. e_K, e_k^2 = 0: f(w + e_1 + .. + e_K) carries every mixed derivative of f
/// once.
///
/// Law     none: exact algebra over doubles. Comparisons, and so gates, go by the real part alone.
/// Shape   coefficients[S] belongs to the product of the e_k with bit k - 1 of S set; [0] is the real part.
/// Units   those of the value, divided by those of the perturbed weights.
/// Errors  none.
/// Source  R[e_1, .., e_K] / (e_1^2, .., e_K^2); products run over subsets
template <unsigned K>
struct Jet {
    static constexpr std::size_t size = std::size_t{1} << K;
    std::array<double, size> coefficients{};

    Jet() = default;
    Jet(double real) { coefficients[0] = real; }  // NOLINT(google-explicit-constructor): a double is a jet

    /// e_k, 1 <= k <= K.
    [[nodiscard]] static Jet infinitesimal(unsigned k) {
        Jet out;
        out.coefficients[std::size_t{1} << (k - 1)] = 1;
        return out;
    }

    [[nodiscard]] double real() const { return coefficients[0]; }
    /// The coefficient of e_1 e_2 .. e_K: the mixed derivative of order K.
    [[nodiscard]] double top() const { return coefficients[size - 1]; }

    Jet& operator+=(Jet const& b) {
        for (std::size_t s = 0; s < size; ++s) coefficients[s] += b.coefficients[s];
        return *this;
    }
    Jet& operator-=(Jet const& b) {
        for (std::size_t s = 0; s < size; ++s) coefficients[s] -= b.coefficients[s];
        return *this;
    }
    Jet& operator*=(double b) {
        for (double& c : coefficients) c *= b;
        return *this;
    }
    /// *this += e_k * b, for 1 <= k <= K.
    void add_infinitesimal_times(unsigned k, Jet const& b) {
        std::size_t const bit = std::size_t{1} << (k - 1);
        for (std::size_t s = 0; s < size; ++s)
            if ((s & bit) == 0) coefficients[s | bit] += b.coefficients[s];
    }

    friend Jet operator+(Jet a, Jet const& b) { return a += b; }
    friend Jet operator-(Jet a, Jet const& b) { return a -= b; }
    friend Jet operator-(Jet a) { return a *= -1; }
    friend Jet operator*(Jet a, double b) { return a *= b; }
    friend Jet operator*(double a, Jet b) { return b *= a; }
    friend Jet operator*(Jet const& a, Jet const& b) {
        Jet out;
        for (std::size_t s = 0; s < size; ++s)
            for (std::size_t part = s;; part = (part - 1) & s) {
                out.coefficients[s] += a.coefficients[part] * b.coefficients[s ^ part];
                if (part == 0) break;
            }
        return out;
    }
    /// (a * b).top(), the only coefficient that a gradient needs.
    friend double top_of_product(Jet const& a, Jet const& b) {
        double out = 0;
        for (std::size_t s = 0; s < size; ++s) out += a.coefficients[s] * b.coefficients[size - 1 - s];
        return out;
    }

    friend bool operator==(Jet const& a, Jet const& b) { return a.real() == b.real(); }
    friend bool operator<(Jet const& a, Jet const& b) { return a.real() < b.real(); }
    friend bool operator>(Jet const& a, Jet const& b) { return a.real() > b.real(); }
    friend bool operator<=(Jet const& a, Jet const& b) { return a.real() <= b.real(); }
    friend bool operator>=(Jet const& a, Jet const& b) { return a.real() >= b.real(); }
};

}  // namespace isserlis::mlp
