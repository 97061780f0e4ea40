// SPDX-License-Identifier: MIT
#include "formula/sample_balls.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "formula/crelu_curvature.hpp"
#include "formula/gate_curvature.hpp"
#include "formula/pair_means.hpp"

namespace isserlis {
namespace {

constexpr std::size_t lanes = 4;
constexpr int steps_to_pi = 512;

/// The angles j pi/512 with their cosines and sines.
struct Directions {
    std::array<Ball, steps_to_pi + 1> angle, cosine, sine;
    Ball pi;

    Directions() : pi(isserlis::pi(192)) {
        for (int j = 0; j <= steps_to_pi; ++j) {
            auto const at = static_cast<std::size_t>(j);
            angle[at] = pi * Ball(j) * Ball(1.0 / steps_to_pi);
            cosine[at] = of(mpfr_cos, j);
            sine[at] = of(mpfr_sin, j);
        }
    }

private:
    /// Of a number up to 1 that MPFR rounds to 160 bits at an angle with an error below 2^-150.
    template <class Function>
    static Ball of(Function const& function, int j) {
        mpfr_t x;
        mpfr_init2(x, 160);
        mpfr_const_pi(x, MPFR_RNDN);
        mpfr_mul_si(x, x, j, MPFR_RNDN);
        mpfr_div_si(x, x, steps_to_pi, MPFR_RNDN);
        function(x, x, MPFR_RNDN);
        double const high = mpfr_get_d(x, MPFR_RNDN);
        mpfr_sub_d(x, x, high, MPFR_RNDN);
        double const low = mpfr_get_d(x, MPFR_RNDN);
        mpfr_clear(x);
        return (Ball(high) + Ball(low)).give_or_take(0x1p-106);
    }
};

Directions const& directions() {
    static Directions const all;
    return all;
}

Rows<Ball> checked(char const* what, Rows<Interval> const& rows, std::size_t samples) {
    loss_curve_detail::require_samples(what, rows.size(), samples);
    loss_curve_detail::require_columns(what, rows, rows.front().size());
    return converted<Ball>(rows, [](Interval const& x) { return Ball(x); });
}

Rows<Ball> transposed(Rows<Ball> const& rows) {
    Rows<Ball> out(rows.front().size());
    for (auto const& row : rows) {
        for (std::size_t r = 0; r < row.size(); ++r) out[r].push_back(row[r]);
    }
    return out;
}

Ball ball_of_surd(Surd const& x) { return Ball(enclose(x, 192)); }
Ball ball_of_enclosed(Enclosed const& x) { return Ball(x.enclose(192)); }

/// atan t = t - t^3/3 + .., |t| <= 1/128
Ball arctangent(Ball const& t) {
    static Ball const third = Ball(1) / Ball(3);
    static Ball const fifth = Ball(1) / Ball(5);
    Ball const square = t * t;
    double const s = square.high();
    double const size = square.most();
    // (t^7/7 - t^9/9 + ..)/t^5 in double: t^2 times 2^-50 and what follows t^13.
    double const rest = s * (1.0 / 7 - s * (1.0 / 9 - s * (1.0 / 11 - s / 13)));
    Ball const tail = Ball(rest).give_or_take(0x1p-50 * size + square.radius() + size * size * size * size * size);
    return t - t * square * (third - square * (fifth - tail));
}

}  // namespace

Ball const& BallKernels::pi() const { return directions().pi; }

Ball angle_of(Ball const& x, Ball const& y) {
    auto const& known = directions();
    double const near = std::atan2(y.high(), x.high()) * (steps_to_pi / known.pi.high());
    Ball const half = known.pi * Ball(0.5);
    if (!(near >= 0)) return half.give_or_take(half.most());
    auto const j = static_cast<std::size_t>(std::min(std::lround(near), long{steps_to_pi}));
    Ball const& cosine = known.cosine[j];
    Ball const& sine = known.sine[j];
    Ball const t = (y * cosine - x * sine) / (x * cosine + y * sine);
    if (!(t.most() <= 1.0 / 128)) return half.give_or_take(half.most());
    return known.angle[j] + arctangent(t);
}

BallRows::BallRows(Rows<Ball> const& rows)
    : columns_(rows.front().size()), padded_((columns_ + lanes - 1) / lanes * lanes) {
    auto const entries = rows.size() * padded_;
    for (auto* part : {&high_, &low_, &upper_, &lower_}) part->assign(entries, 0);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        double error = 0;
        double size = 0;
        for (std::size_t r = 0; r < columns_; ++r) {
            Ball const& x = rows[k][r];
            std::size_t const at = k * padded_ + r;
            high_[at] = x.high();
            low_[at] = x.low();
            std::tie(upper_[at], lower_[at]) = Ball::halves(x.high());
            error += x.radius();
            size = std::hypot(size, x.high());  // whose squares do not underflow
        }
        constexpr double up = 1 + 0x1p-30;
        errors_.push_back(error * up);
        norms_.push_back(size * up + errors_.back());
    }
    for (std::size_t k = 0; k < rows.size(); ++k) squares_.push_back(dot(k, k));
}

BallRows::BallRows(char const* what, Rows<Interval> const& rows, std::size_t samples)
    : BallRows(checked(what, rows, samples)) {}

/// The products p + e of two rows, those that `keep` p, are added as p = s + t and the rest in one double: of its 4 n
/// sums and products none exceeds (n + 8) u |x||y|.
template <class Keep>
Ball BallRows::sum(BallRows const& a, std::size_t k, BallRows const& b, std::size_t l, Keep const& keep) {
    if (a.norms_[k] == 0 || b.norms_[l] == 0) return 0;
    double const size = a.norms_[k] * b.norms_[l];
    std::size_t const padded = a.padded_;
    std::array<double, lanes> s{};
    std::array<double, lanes> c{};
    std::size_t const row_k = k * padded;
    std::size_t const row_l = l * padded;
    for (std::size_t r = 0; r < padded; r += lanes) {
        double const* const x = &a.high_[row_k + r];
        double const* const y = &b.high_[row_l + r];
        double const* const x_low = &a.low_[row_k + r];
        double const* const y_low = &b.low_[row_l + r];
        double const* const x1 = &a.upper_[row_k + r];
        double const* const y1 = &b.upper_[row_l + r];
        double const* const x2 = &a.lower_[row_k + r];
        double const* const y2 = &b.lower_[row_l + r];
        for (std::size_t j = 0; j < lanes; ++j) {
            double const product = x[j] * y[j];
            double const left = ((x1[j] * y1[j] - product) + x1[j] * y2[j] + x2[j] * y1[j]) + x2[j] * y2[j] +
                                (x[j] * y_low[j] + x_low[j] * y[j]);
            double const p = keep(product) ? product : 0;
            double const e = keep(product) ? left : 0;
            double const sum = s[j] + p;
            double const of_p = sum - s[j];
            c[j] += ((s[j] - (sum - of_p)) + (p - of_p)) + e;
            s[j] = sum;
        }
    }
    double rest = c[0];
    double sum = s[0];
    for (std::size_t j = 1; j < lanes; ++j) {
        auto const [high, low] = Ball::two_sum(sum, s[j]);
        sum = high;
        rest += low + c[j];
    }
    auto const terms = static_cast<double>(padded / lanes) + 8;
    double const rounding = 4 * terms * terms * 0x1p-106 * size;
    double const of_entries = a.norms_[k] * b.errors_[l] + a.errors_[k] * b.norms_[l];
    return (Ball(sum) + Ball(rest)).give_or_take(rounding + of_entries + 0x1p-900);
}

Ball BallRows::dot(std::size_t k, std::size_t l) const { return isserlis::dot(*this, k, *this, l); }

Ball dot(BallRows const& a, std::size_t k, BallRows const& b, std::size_t l) {
    return BallRows::sum(a, k, b, l, [](double) { return true; });
}

Ball BallRows::shared_signs(std::size_t k, std::size_t l) const {
    return sum(*this, k, *this, l, [](double product) { return product > 0; });
}

InputPair<BallKernels> BallRows::pair(std::size_t k, std::size_t l) const {
    Ball const& xx = squares_[k];
    Ball const& yy = squares_[l];
    Ball const xy = k == l ? xx : dot(k, l);
    if (k == l || columns_ == 1) {
        Ball const pi = BallKernels{}.pi();
        Ball const half = pi * Ball(0.5);
        Ball const rest = k != l && xy.contains_zero() && !xy.is_zero() ? half.give_or_take(half.most())
                          : xy.high() > 0                               ? pi
                                                                        : Ball(0);
        return {.xx = xx, .yy = yy, .xy = xy, .collinear = true, .root = 0, .rest = rest};
    }
    if (xx.is_zero() || yy.is_zero()) return {.xx = xx, .yy = yy, .xy = 0, .collinear = true, .root = 0, .rest = 0};
    Ball const root = sqrt(xx * yy - xy * xy);
    return {.xx = xx, .yy = yy, .xy = xy, .collinear = false, .root = root, .rest = angle_of(-xy, root)};
}

BallInputs::BallInputs(Rows<Interval> const& inputs)
    : samples_("inputs", inputs, inputs.size()), columns_(transposed(checked("inputs", inputs, inputs.size()))) {}

BallRows BallInputs::combination(std::vector<Ball> const& weights) const {
    BallRows const row(Rows<Ball>{weights});
    std::vector<Ball> out;
    for (std::size_t r = 0; r < columns_.size(); ++r) out.push_back(isserlis::dot(row, 0, columns_, r));
    return BallRows(Rows<Ball>{out});
}

Ball BallInputs::dot(Combination const& sum, std::size_t k) const { return isserlis::dot(sum, 0, samples_, k); }

GateMoments<Interval> gate_moments(Rows<Interval> const& inputs, Rows<Interval> const& gradients) {
    auto const m =
        gate_means<Ball>(BallRows("inputs", inputs, inputs.size()), BallRows("gradients", gradients, inputs.size()));
    return {.kernel = m.kernel.enclose(), .gates = m.gates.enclose(), .inner = m.inner.enclose()};
}

SquaredGateMoments<Interval> squared_gate_moments(Rows<Interval> const& inputs, Rows<Interval> const& targets) {
    return squared_gate_means<Ball>(BallRows("inputs", inputs, inputs.size()),
                                    BallRows("targets", targets, inputs.size()),
                                    [](Ball const& x) { return x.enclose(); });
}

CReluGradientMoments<Interval> crelu_gradient_moments(Rows<Interval> const& inputs, Rows<Interval> const& gradients) {
    auto const m = crelu_gradient_means<Ball>(BallRows("inputs", inputs, inputs.size()),
                                              BallRows("gradients", gradients, inputs.size()));
    return {.first = m.first.enclose(), .later = m.later.enclose()};
}

CReluTargetMoments<Interval> crelu_target_moments(Rows<Interval> const& inputs, Rows<Interval> const& targets) {
    auto const m = crelu_target_means<Ball>(BallRows("inputs", inputs, inputs.size()),
                                            BallRows("targets", targets, inputs.size()));
    return {.first_inputs = m.first_inputs.enclose(),
            .first_targets = m.first_targets.enclose(),
            .kernel_inputs = m.kernel_inputs.enclose(),
            .kernel_squares = m.kernel_squares.enclose(),
            .kernel_targets = m.kernel_targets.enclose()};
}

Interval crelu_curvature_of_two_layers(std::vector<LayerRun<Surd, std::uint64_t>> const& layers,
                                       Rows<Interval> const& inputs, Rows<Enclosed> const& gradients,
                                       std::vector<Rows<Enclosed>> const& hessians) {
    BallInputs const samples(inputs);
    require_two_layers(layers, "crelu", inputs.size(), gradients, hessians);
    auto const g = converted<Ball>(gradients, ball_of_enclosed);
    auto const h = converted<Ball>(hessians, ball_of_enclosed);
    return crelu_curvature(PairedSamples<Ball, BallInputs>(samples, g, h), layer_factors<Ball>(layers, ball_of_surd))
        .enclose();
}

Interval two_layer_curvature(std::vector<LayerRun<Surd, std::uint64_t>> const& layers,
                             Activation<Surd> const& activation, Rows<Interval> const& inputs,
                             Rows<Enclosed> const& gradients, std::vector<Rows<Enclosed>> const& hessians) {
    BallInputs const samples(inputs);
    require_two_gated_layers(layers, activation, inputs.size(), gradients, hessians);
    auto const g = converted<Ball>(gradients, ball_of_enclosed);
    auto const h = converted<Ball>(hessians, ball_of_enclosed);
    return gate_curvature(PairedSamples<Ball, BallInputs>(samples, g, h), layer_factors<Ball>(layers, ball_of_surd),
                          ball_of_surd(activation.gate().negative))
        .enclose();
}

}  // namespace isserlis
