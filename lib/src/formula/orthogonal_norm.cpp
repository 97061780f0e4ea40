// SPDX-License-Identifier: MIT
#include <isserlis/formula/orthogonal_norm.hpp>

#include <isserlis/network/check_layers.hpp>

#include <cmath>

namespace isserlis {
namespace {

/// rational + log_two log 2 + log(square)/2.
struct ClosedLog {
    Rational rational = 0;
    Rational log_two = 0;
    Surd square = Surd(1);
};

/// psi(k/2) + gamma.
ClosedLog half_digamma(int k) {
    ClosedLog out;
    if (k % 2 == 1) out.log_two = -2;
    for (int j = 2 - k % 2; j < k; j += 2) out.rational += ratio(2, j);
    return out;
}

/// psi(K/2) + gamma averaged over the number K of open units, given one or more.
ClosedLog relu_digamma(int n) {
    ClosedLog out;
    Integer choose = 1;
    Integer const alive = power(Integer(2), static_cast<std::uint64_t>(n)) - 1;
    ClosedLog odd = half_digamma(1);
    ClosedLog even = half_digamma(2);
    for (int k = 1; k <= n; ++k) {
        choose = choose * (n - k + 1) / k;
        auto& psi = k % 2 == 1 ? odd : even;
        Rational const weight = ratio(choose, alive);
        out.rational += weight * psi.rational;
        out.log_two += weight * psi.log_two;
        psi.rational += ratio(2, k);
    }
    return out;
}

/// E log(sum (gate_i u_i)^2) of the first n coordinates of a direction in m dimensions, where it is known in this form.
std::optional<ClosedLog> layer_log(Surd const& n, Surd const& m, Surd const& slope) {
    Surd const square = slope * slope;
    bool const plain = square == Surd(1);
    if (plain && n == m) return ClosedLog{};
    Surd const most(max_rational_log_width);
    if (sign(Surd(m - most)) > 0 || sign(Surd(n - most)) > 0) return std::nullopt;
    auto const whole = [](Surd const& x) { return static_cast<int>(numerator_of(x.to_rational())); };
    int const units = whole(n);
    if (!plain && !square.is_zero() && units > 2) return std::nullopt;
    ClosedLog out = square.is_zero() ? relu_digamma(units) : half_digamma(units);
    auto const less = half_digamma(whole(m));
    out.rational -= less.rational;
    out.log_two -= less.log_two;
    if (plain || square.is_zero()) return out;
    // One unit is open or has the slope s. Of two, both, none, or one: int log(cos^2 + s^2 sin^2) = 2 log((1 + s)/2).
    Surd const s = sign(slope) < 0 ? Surd(Surd(0) - slope) : slope;
    Surd const mixed = (Surd(1) + s) / Surd(2);
    out.square = units == 1 ? square : Surd(s * mixed * mixed);
    return out;
}

/// A ReLU layer has log 2 some whole number of times and 1/(2^n - 1) times more: the sum of these has to be half of a
/// whole number. False where it surely is not.
bool may_be_rational(FullyConnected<Surd, std::uint64_t> const& net, Reading reading) {
    if (!net.activation.gate().negative.is_zero()) return true;
    double sum = 0;
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto const& run = net.layers[i];
        bool const last = i + 1 == net.layers.size() && reading == Reading::preactivation;
        double const n = numerator_of(run.fan_out.to_rational()).convert_to<double>();
        if (n > max_rational_log_width) return false;
        sum += static_cast<double>(run.count - (last ? 1U : 0U)) / (std::exp2(n) - 1);
    }
    constexpr double rounding = 1e-9;
    if (sum > 0 && sum < 0.25) return false;
    return std::abs(2 * sum - std::round(2 * sum)) <= rounding * (1 + sum);
}

}  // namespace

Interval relative_orthogonal_log_norm_mean(FullyConnected<Surd, std::uint64_t> const& net,
                                           std::vector<std::optional<Surd>> const& larger, Reading reading,
                                           unsigned bits, LogMeanMemo& memo) {
    check_larger_widths(net, larger, "relative_orthogonal_log_norm_mean");
    unsigned const work = bits + 24;
    Interval sum = relative_log_norm_mean(net, reading, work, memo);
    for (std::size_t i = 0; i < larger.size(); ++i) {
        if (!larger[i]) continue;
        Integer const m = numerator_of(larger[i]->to_rational());
        Interval const direction = log(Interval(m, work)) - log_chi_square_mean(m, work);
        sum = sum + Interval(Integer(net.layers[i].count), work) * direction;
    }
    return sum;
}

std::optional<Rational> rational_orthogonal_log_norm_mean(FullyConnected<Surd, std::uint64_t> const& net,
                                                          std::vector<std::optional<Surd>> const& larger,
                                                          Reading reading, Surd const& squared_norm) {
    check_layers(net, "rational_orthogonal_log_norm_mean");
    check_larger_widths(net, larger, "rational_orthogonal_log_norm_mean");
    if (!may_be_rational(net, reading)) return std::nullopt;
    ClosedLog sum;
    std::vector<Surd> squares{squared_norm * squared_norm};
    std::vector<std::uint64_t> times{1};
    Surd const slope = net.activation.gate().negative;
    for (std::size_t i = 0; i < larger.size(); ++i) {
        if (!larger[i]) return std::nullopt;
        auto const& run = net.layers[i];
        Surd const scale = *larger[i] * run.variance;
        bool const last = i + 1 == larger.size() && reading == Reading::preactivation;
        for (bool const gated : {true, false}) {
            std::uint64_t const count = gated ? run.count - (last ? 1U : 0U) : last ? 1U : 0U;
            if (count == 0) continue;
            auto const layer = layer_log(run.fan_out, *larger[i], gated ? slope : Surd(1));
            if (!layer) return std::nullopt;
            sum.rational += Rational(count) * layer->rational;
            sum.log_two += Rational(count) * layer->log_two;
            squares.push_back(scale * scale * layer->square);
            times.push_back(count);
        }
    }
    Rational const twice = 2 * sum.log_two;
    if (!is_integer(twice)) return std::nullopt;
    // Far from 0 it is irrational; exact powers may be long.
    double logarithm = twice.convert_to<double>() * std::log(2.0);
    double size = std::abs(logarithm);
    for (std::size_t i = 0; i < squares.size(); ++i) {
        Interval const term = log(enclose(squares[i], 64)) * Interval(Integer(times[i]), 64);
        double const middle = mpfr_get_d(term.lower(), MPFR_RNDN);
        logarithm += middle;
        size += std::abs(middle);
    }
    constexpr double rounding = 1e-9;
    if (std::abs(logarithm) > rounding * (1 + size)) return std::nullopt;
    Surd product = twice < 0
                       ? Surd(ratio(Integer(1), power(Integer(2), static_cast<std::uint64_t>(-numerator_of(twice)))))
                       : Surd(power(Integer(2), static_cast<std::uint64_t>(numerator_of(twice))));
    for (std::size_t i = 0; i < squares.size(); ++i) product = product * power(squares[i], times[i]);
    return product == Surd(1) ? std::optional(sum.rational) : std::nullopt;
}

}  // namespace isserlis
