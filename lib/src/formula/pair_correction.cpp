// SPDX-License-Identifier: MIT
#include <array>
#include <isserlis/error.hpp>
#include <isserlis/formula/pair_correction.hpp>
#include <isserlis/formula/width_correction.hpp>
#include <optional>
#include <string>

namespace isserlis {
namespace {

constexpr std::size_t xx = 0;
constexpr std::size_t xy = 1;
constexpr std::size_t yy = 2;

using Numbers = std::array<Interval, 3>;
using Matrix3 = std::array<Numbers, 3>;

Matrix3 zeros(unsigned bits) {
    Numbers const row{Interval(bits), Interval(bits), Interval(bits)};
    return {row, row, row};
}

/// A gate at a pair (u, v) that is jointly normal, u of variance a, v of b, of covariance c.
class GatedPair {
public:
    /// `open` is the probability that both are positive, (pi - t)/(2 pi).
    GatedPair(Interval slope, PairCovariance const& pair, Interval open, unsigned bits)
        : bits_(bits),
          s_(std::move(slope)),
          a_(pair.uu.enclose(bits)),
          c_(pair.uv.enclose(bits)),
          b_(pair.vv.enclose(bits)),
          open_(std::move(open)),
          apart_(of(1) / of(2) - open_),
          two_pi_(of(2) * pi(bits)),
          r_(sine(a_ * b_ - c_ * c_)) {}

    /// Covariances of sigma(u)^2, sigma(u) sigma(v) and sigma(v)^2.
    [[nodiscard]] Matrix3 spreads() const {
        Interval const two = s_ * s_;
        Interval const square = (of(1) + two) / of(2);  // E sigma(u)^2 = square a
        Interval const fourth = of(3) * (of(1) + two * two) / of(2);
        Interval const product = value();
        Interval const both = both_squares();
        Matrix3 out = zeros(bits_);
        out[xx][xx] = (fourth - square * square) * a_ * a_;
        out[yy][yy] = (fourth - square * square) * b_ * b_;
        out[xy][xy] = both - product * product;
        out[xx][yy] = out[yy][xx] = both - square * square * a_ * b_;
        out[xx][xy] = out[xy][xx] = cube(a_, b_) - square * a_ * product;
        out[yy][xy] = out[xy][yy] = cube(b_, a_) - square * b_ * product;
        return out;
    }

    /// Derivatives of E sigma(u) sigma(v) by a, c and b.
    [[nodiscard]] Numbers slopes() const {
        Interval const angle = r_ / (of(2) * two_pi_);  // r/(4 pi)
        return {bent() * angle / a_, bent() * open_ + s_, bent() * angle / b_};
    }

    /// Second ones.
    [[nodiscard]] Matrix3 bends() const {
        Interval const k = bent() / (of(2) * two_pi_);  // (1 - s)^2/(4 pi)
        Interval const over = k / r_;
        Matrix3 out = zeros(bits_);
        out[xx][xx] = over * b_ / (of(2) * a_) - k * r_ / (a_ * a_);
        out[yy][yy] = over * a_ / (of(2) * b_) - k * r_ / (b_ * b_);
        out[xx][yy] = out[yy][xx] = over / of(2);
        out[xy][xy] = of(2) * over;
        out[xx][xy] = out[xy][xx] = of(0) - over * c_ / a_;
        out[yy][xy] = out[xy][yy] = of(0) - over * c_ / b_;
        return out;
    }

private:
    static Interval sine(Interval const& square) {
        if (mpfr_sgn(square.lower()) > 0) return sqrt(square);
        throw DomainError("pair_corrections: two inputs cannot be told apart in this precision", "gram");
    }
    [[nodiscard]] Interval of(long x) const { return {x, bits_}; }
    [[nodiscard]] Interval bent() const { return (of(1) - s_) * (of(1) - s_); }

    /// E sigma(u) sigma(v): (1 - s)^2 times that of ReLU, and s c.
    [[nodiscard]] Interval value() const { return bent() * (r_ / two_pi_ + open_ * c_) + s_ * c_; }
    /// E sigma(u)^2 sigma(v)^2, of the squares of both sides: with the angle t, and with pi - t.
    [[nodiscard]] Interval both_squares() const {
        Interval const two = s_ * s_;
        Interval const turning = of(3) * r_ * c_ / two_pi_;
        Interval const size = a_ * b_ + of(2) * c_ * c_;
        return (of(1) + two * two) * (turning + open_ * size) + of(2) * two * (apart_ * size - turning);
    }
    /// E sigma(u)^3 sigma(v), u of this variance and v of that.
    [[nodiscard]] Interval cube(Interval const& a, Interval const& b) const {
        Interval const two = s_ * s_;
        Interval const turning = (of(2) * a + c_ * c_ / b) * r_ / two_pi_;
        Interval const size = of(3) * a * c_;
        return (of(1) + two * two) * (turning + open_ * size) - (s_ + two * s_) * (turning - apart_ * size);
    }

    unsigned bits_;
    Interval s_, a_, c_, b_;
    Interval open_, apart_;  ///< t/(2 pi), with opposite signs
    Interval two_pi_;
    Interval r_;
};

/// The number by which x and y are multiples of one another in every layer; none where they are not.
std::optional<Rational> common_factor(WideNetwork const& network, InputGram const& g) {
    if (g.xy * g.xy != g.xx * g.yy) return std::nullopt;
    if (network.bias_variance != 0 && (g.xx != g.yy || g.xy < 0)) return std::nullopt;
    return Rational(g.xy / g.xx);
}

/// V is all there is of linear units, whose kernels are rational.
std::vector<PairCorrection> of_linear_units(WideNetwork const& network, std::vector<WideKernels> const& layers,
                                            std::vector<Rational> const& relative_widths) {
    Enclosed const square = Rational(network.weight_variance * network.weight_variance);
    std::vector<PairCorrection> out{{.vertex = 0, .kernel = 0}};
    for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
        PairCovariance const& k = layers[l].kernel;
        Enclosed const relative = relative_widths.empty() ? Rational(1) : relative_widths[l];
        out.push_back({.vertex = square * ((k.uu * k.vv + k.uv * k.uv) / relative + out.back().vertex), .kernel = 0});
    }
    return out;
}

}  // namespace

void require_relative_widths(WideNetwork const& network, std::vector<Rational> const& relative_widths) {
    if (!relative_widths.empty() && relative_widths.size() != network.hidden_layers)
        throw DomainError("`relative_widths`: " + std::to_string(relative_widths.size()) + " widths for " +
                              std::to_string(network.hidden_layers) + " hidden layers; one for each is required",
                          "relative_widths");
    for (auto const& r : relative_widths)
        if (r <= 0)
            throw DomainError("`relative_widths`: " + to_string(r) + "; a width is positive", "relative_widths");
}

std::vector<PairCorrection> pair_corrections(WideNetwork const& network, InputGram const& inputs,
                                             std::vector<Rational> const& relative_widths, unsigned bits) {
    require_relative_widths(network, relative_widths);
    auto const* gate = std::get_if<Gate<Rational>>(&network.unit);
    if (gate == nullptr)
        throw UnsupportedError("pair_corrections: relu, leaky and linear units are served at two inputs", "units");
    if (auto const factor = common_factor(network, inputs)) {
        if (*factor < 0)
            throw UnsupportedError("pair_corrections: inputs of opposite directions are not served", "gram");
        std::vector<PairCorrection> out;
        for (auto const& one : width_corrections(network, inputs.xx, bits, relative_widths))
            out.push_back({.vertex = Enclosed(Rational(*factor * *factor)) * one.vertex, .kernel = 0});
        return out;
    }
    auto const layers = wide_kernels(network, inputs, bits);
    if (gate->negative == 1) return of_linear_units(network, layers, relative_widths);
    Interval const slope(gate->negative, bits);
    Interval const one(1L, bits);
    Interval const w(network.weight_variance, bits);
    Interval const square = (one + slope * slope) / Interval(2L, bits);
    Matrix3 vertex = zeros(bits);  // n Cov of Q_xx, Q_xy and Q_yy
    Interval correction(bits);     // of Q_xy: those of Q_xx and Q_yy are 0
    std::vector<PairCorrection> out{{.vertex = 0, .kernel = 0}};
    for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
        PairCovariance const& pair = layers[l].kernel;
        Interval const bent = (one - slope) * (one - slope);
        Interval const open = (pair_means(network.unit, pair, bits).derivative.enclose(bits) - slope) / bent;
        GatedPair const means(slope, pair, open, bits);
        Numbers const none{Interval(bits), Interval(bits), Interval(bits)};
        Matrix3 jacobian{none, means.slopes(), none};
        jacobian[xx][xx] = jacobian[yy][yy] = square;
        Interval const relative(relative_widths.empty() ? Rational(1) : relative_widths[l], bits);
        Matrix3 next = means.spreads();
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                Interval sum = next[i][j] / relative;
                for (std::size_t k = 0; k < 3; ++k)
                    for (std::size_t m = 0; m < 3; ++m) sum = sum + jacobian[i][k] * vertex[k][m] * jacobian[j][m];
                next[i][j] = w * w * sum;
            }
        }
        if (l > 0) {
            Matrix3 const bends = means.bends();
            Interval sum = jacobian[xy][xy] * correction;
            for (std::size_t k = 0; k < 3; ++k)
                for (std::size_t m = 0; m < 3; ++m) sum = sum + bends[k][m] * vertex[k][m] / Interval(2L, bits);
            correction = w * sum;
        }
        vertex = next;
        out.push_back({.vertex = vertex[xy][xy], .kernel = l == 0 ? Enclosed(0) : Enclosed(correction)});
    }
    return out;
}

}  // namespace isserlis
