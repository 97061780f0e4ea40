// SPDX-License-Identifier: MIT
#include <isserlis/formula/dense_limit.hpp>

#include <isserlis/ring/gamma_quotient.hpp>

namespace isserlis {
namespace {

/// The network in intervals. Each E X^2/(E X)^2 is made of T_c(l) = 1 + c alpha^2/(n (l + alpha)^2).
struct DenseProducts {
    Interval alpha;
    Interval width;
    Interval one;

    DenseProducts(Integer const& n, Surd const& a, unsigned bits)
        : alpha(enclose(a, bits)), width(n, bits), one(1L, bits) {}

    /// alpha sqrt(c/n)
    [[nodiscard]] Interval turn(long c) const { return alpha * sqrt(Interval(c, one.bits()) / width); }
    /// 1 + c/n
    [[nodiscard]] Interval beside(long c) const { return one + Interval(c, one.bits()) / width; }
    /// prod_(l >= 1) T_5(l)
    [[nodiscard]] Interval rising() const { return gamma_quotient(one + alpha, turn(5)); }
    /// prod_(l >= 1) T_(-1)(l) = Gamma(1 + alpha)^2/(Gamma(1 + alpha - y) Gamma(1 + alpha + y)), y = alpha/sqrt(n), with
    /// arguments beyond 2, where log Gamma is read.
    [[nodiscard]] Interval falling() const {
        Interval const y = turn(1);
        Interval const first = one + alpha;
        Interval const second = first + one;
        Interval const third = second + one;
        Interval const shift =
            (first - y) * (first + y) * (second - y) * (second + y) / (first * first * second * second);
        Interval const logarithm = log_gamma(third);
        return shift * exp(logarithm + logarithm - log_gamma(third - y) - log_gamma(third + y));
    }
    /// prod_(l = 1 .. layers) T_c(l)
    [[nodiscard]] Interval first_layers(std::uint64_t layers, long c) const {
        Interval const square = Interval(c, one.bits()) * alpha * alpha / width;
        Interval out = one;
        Interval at = alpha;
        for (std::uint64_t l = 1; l <= layers; ++l) {
            at = at + one;
            out = out * (one + square / (at * at));
        }
        return out;
    }
};

}  // namespace

Interval dense_output_limit(Integer const& width, Surd const& alpha, unsigned bits) {
    DenseProducts const net(width, alpha, bits);
    return net.beside(5) * net.rising();
}

Interval dense_jacobian_limit(Integer const& width, Surd const& alpha, std::uint64_t k, unsigned bits) {
    DenseProducts const net(width, alpha, bits);
    Interval const three(3L, bits);
    Interval const q = net.beside(5);
    Interval const p = net.beside(-1);
    Interval const below = net.first_layers(k - 1, 5);
    Interval const rising = q * q / three * net.rising() / net.first_layers(k, 5);
    if (width == 1) return below * rising;  // p = 0
    Interval const falling = (p * p + p * p) / three * net.falling() / net.first_layers(k, -1);
    return below * (rising + falling);
}

Interval dense_last_jacobian_limit(Integer const& width, Surd const& alpha, unsigned bits) {
    DenseProducts const net(width, alpha, bits);
    return net.beside(1) * net.rising();
}

}  // namespace isserlis
