// SPDX-License-Identifier: MIT
#include <isserlis/formula/log_squared_norm.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>

namespace isserlis {
namespace {

/// A double is a dyadic rational, exactly.
Rational dyadic(double x) {
    Rational out;
    mpq_set_d(out.backend().data(), x);
    return out;
}

void require_served_width(Integer const& n) {
    if (n > max_log_norm_width) {
        throw UnsupportedError("log_squared_norm_mean: width = " + to_string(n) + "; widths up to " +
                                   std::to_string(max_log_norm_width) + " are served, the sum has one term per unit",
                               "widths");
    }
}

/// E log of the gated chi-square of so many units.
Interval const& unit_mean(Surd const& width, Surd const& slope_squared, unsigned bits, LogMeanMemo& memo) {
    Integer const n = numerator_of(width.to_rational());
    std::tuple const key(n, to_string(slope_squared), bits);
    auto at = memo.find(key);
    if (at == memo.end()) {
        Interval const mean = slope_squared == Surd(1)  ? log_chi_square_mean(n, bits)
                              : slope_squared.is_zero() ? log_relu_chi_square_mean(n, bits)
                                                        : log_leaky_chi_square_mean(n, slope_squared, bits);
        at = memo.emplace(key, mean).first;
    }
    return at->second;
}

/// sum over all layers of log v, and over the hidden ones of E log of their gated chi-squares.
Interval hidden_log_mean(FullyConnected<Surd, std::uint64_t> const& net, unsigned bits, LogMeanMemo& memo) {
    Surd const slope = net.activation.gate().negative;
    Surd const hidden = slope * slope;
    Interval sum(bits);
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto const& run = net.layers[i];
        Integer const count = run.count;
        sum = sum + Interval(count, bits) * log(enclose(run.variance, bits));
        Integer const gated = i + 1 == net.layers.size() ? Integer(count - 1) : count;
        if (gated > 0) sum = sum + Interval(gated, bits) * unit_mean(run.fan_out, hidden, bits, memo);
    }
    return sum;
}

}  // namespace

Interval log_chi_square_mean(Integer const& n, unsigned bits) {
    return log(Interval(2L, bits)) + digamma(Interval(ratio(n, Integer(2)), bits));
}

Interval log_relu_chi_square_mean(Integer const& n, unsigned bits) {
    require_served_width(n);
    auto const width = static_cast<unsigned long>(n);
    // The binomial weights are carried by ratios: each step loses a rounding, hence the extra bits.
    unsigned const work = bits + 64 + static_cast<unsigned>(mpz_sizeinbase(n.backend().data(), 2));
    // psi(k/2) by psi(y + 1) = psi(y) + 1/y, for odd and even k apart.
    Interval odd = digamma(Interval(ratio(1, 2), work));
    Interval even = digamma(Interval(1L, work));
    Interval weight(n, work);  // C(n, k), starting at k = 1
    Interval sum(work);
    for (unsigned long k = 1; k <= width; ++k) {
        Interval& psi = k % 2 == 1 ? odd : even;
        sum = sum + weight * psi;
        psi = psi + Interval(ratio(Integer(2), Integer(k)), work);
        weight = weight * Interval(ratio(Integer(width - k), Integer(k + 1)), work);
    }
    Integer const alive = power(Integer(2), width) - 1;
    return log(Interval(2L, work)) + sum / Interval(alive, work);
}

Interval log_leaky_chi_square_mean(Integer const& n, Surd const& slope_squared, unsigned bits) {
    require_served_width(n);
    if (sign(slope_squared) <= 0) {
        throw DomainError("log_leaky_chi_square_mean: s^2 = " + to_string(slope_squared) + "; it has to be positive");
    }
    unsigned const work = bits + 64 + 2 * static_cast<unsigned>(mpz_sizeinbase(n.backend().data(), 2));
    Interval const one(1L, work);
    Interval const two(2L, work);
    Interval const count(n, work);
    Interval const s2 = enclose(slope_squared, work);
    // Bounds in doubles, rounded up generously; they only choose the step and the range, and enter the error below.
    double const width = mpfr_get_d(count.upper(), MPFR_RNDU);
    double const square = mpfr_get_d(s2.upper(), MPFR_RNDU);
    double const least_square = mpfr_get_d(s2.lower(), MPFR_RNDD);
    if (!(least_square > 1e-200 && square < 1e200)) {
        throw UnsupportedError("log_leaky_chi_square_mean: s^2 = " + to_string(slope_squared) +
                               "; squares of slopes from 1e-200 to 1e200 are served");
    }
    double const slope_bound = 1.001 + 1.001 * width * (1 + square) / 2;
    double const log_c = std::max(0.0, std::log((1 + 1 / std::sqrt(least_square)) / std::sqrt(8.0)) + 1e-6);
    double const strip_integral = slope_bound + 0.6 + 2 * log_c + 2 / width + 1;
    double const target = (bits + 8) * 0.6931472;  // nats

    double const strip = 3.14159 / 3;
    double const step =
        std::ldexp(std::floor(std::ldexp(2 * 3.14159 * strip / (target + std::log(2 * strip_integral)), 20)), -20);
    double const left = target + std::log(2 * slope_bound) + 2;
    double const right = std::max(2 * log_c + 2 * (target + 2) / width + 2, std::log(target + 10) + 1);
    long const first = -static_cast<long>(left / step) - 1;
    long const last = static_cast<long>(right / step) + 1;

    Interval const h(dyadic(step), work);
    Interval sum(work);
    for (long k = first; k <= last; ++k) {
        Interval const t = exp(Interval(k, work) * h);
        Interval const phi = (one / sqrt(one + two * t) + one / sqrt(one + two * s2 * t)) / two;
        sum = sum + exp(Interval(work) - t) - exp(count * log(phi));
    }
    sum = sum * h;
    // Three errors: the rule's, and the two tails, which are geometric series beyond first and last.
    auto bound = [&](double log_value) { return exp(Interval(dyadic(log_value + 0.01), work)); };
    double const y_first = static_cast<double>(first) * step;
    double const y_last = static_cast<double>(last) * step;
    Interval error = bound(std::log(2.1 * strip_integral) - 2 * 3.14159 * strip / step);
    error = error + bound(std::log(slope_bound) + y_first + std::log(step / (1 - std::exp(-step))));
    error = error + bound(width * (log_c - y_last / 2) + std::log(step / (1 - std::exp(-step * width / 2))));
    error = error + bound(-std::exp(y_last) / 2 + std::log(2.0));
    return widened(sum, error);
}

Interval relative_log_norm_mean(FullyConnected<Surd, std::uint64_t> const& net, Reading reading, unsigned bits) {
    LogMeanMemo memo;
    return relative_log_norm_mean(net, reading, bits, memo);
}

Interval relative_log_norm_mean(FullyConnected<Surd, std::uint64_t> const& net, Reading reading, unsigned bits,
                                LogMeanMemo& memo) {
    check_layers(net, "relative_log_norm_mean");
    Surd const slope = net.activation.gate().negative;
    unsigned const work = bits + 24;
    Surd const read = reading == Reading::activation ? slope * slope : Surd(1);
    return hidden_log_mean(net, work, memo) + unit_mean(net.output_width(), read, work, memo);
}

Interval relative_log_jacobian_mean(FullyConnected<Surd, std::uint64_t> const& net, unsigned bits, LogMeanMemo& memo) {
    check_layers(net, "relative_log_jacobian_mean");
    if (net.output_width() != Surd(1)) {
        throw DomainError("relative_log_jacobian_mean: " + to_string(net.output_width()) +
                              " outputs; of more than one the norm is no product of layers",
                          "widths");
    }
    unsigned const work = bits + 24;
    Interval const sum = hidden_log_mean(net, work, memo);
    Surd const slope = net.activation.gate().negative;
    if (!net.gated_head || slope.is_zero() || slope * slope == Surd(1)) return sum;
    return sum + log(enclose(Surd(slope * slope), work)) / Interval(2L, work);  // the head's gate is a fair coin
}

}  // namespace isserlis
