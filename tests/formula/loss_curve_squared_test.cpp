// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/loss_curve_squared.hpp>
#include <isserlis/formula/scaling_factor.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "../ring/property.hpp"
#include "loss_curve_data.hpp"

using isserlis::converted;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Rows;
using isserlis::squared_loss_curve;
using isserlis::SquaredLossCurve;
using isserlis::Surd;
using isserlis::target_moments;
using isserlis::testing::proportional_layers;

namespace {

SquaredLossCurve<Surd> curve_of(std::vector<int> const& widths, Rows<Rational> const& inputs,
                                Rows<Rational> const& targets) {
    return squared_loss_curve(proportional_layers<Surd>(widths), converted<Surd>(target_moments(inputs, targets)));
}

/// Section 4.4 of the specification for one sample and one output, over rational layer factors.
SquaredLossCurve<Rational> one_sample(std::vector<int> const& widths, Rational const& x2, Rational const& y2) {
    std::size_t const n = widths.size() - 1;
    auto const layers = proportional_layers<Surd>(widths);
    auto product = [&](std::size_t first, std::size_t last, auto const& factor) {
        Rational out = 1;
        for (std::size_t q = first; q < last; ++q) out *= factor(Rational(widths[q]));
        return out;
    };
    auto const p = [](Rational const& d) { return Rational(1 + 2 / d); };
    auto const m = [](Rational const& d) { return Rational(1 - 1 / d); };
    auto const p4 = [](Rational const& d) { return Rational((1 + 2 / d) * (1 + 4 / d)); };
    auto const r = [](Rational const& d) { return Rational((1 + 2 / d) * (1 - 1 / d)); };
    Rational kappa2 = 1;
    kappa2 = kappa2 / (widths.front() * widths.back());
    Rational const prefactor = isserlis::sqrt(kappa2).to_rational();
    auto u = [&](std::size_t i) {
        return (Surd(prefactor) * isserlis::sqrt(Rational(widths[i - 1] * widths[i]))).to_rational();
    };
    SquaredLossCurve<Rational> out{.loss = prefactor * x2 + y2, .slope = 0, .curvature_chi = 0, .curvature_gamma = 0};
    for (std::size_t i = 1; i <= n; ++i) {
        out.slope -= 4 * u(i) * (prefactor * x2 * x2 * product(1, n, p) + y2 * x2);
        for (std::size_t j = 1; j <= n; ++j) {
            std::size_t const a = std::min(i, j);
            std::size_t const b = std::max(i, j);
            Rational const p4_out = product(1, a, p4) * product(b, n, p4);
            Rational const p_out = product(1, a, p) * product(b, n, p);
            out.curvature_chi +=
                8 * u(i) * u(j) *
                (prefactor * x2 * x2 * x2 * p4_out * (3 * product(a, b, p4) + 2 * product(a, b, r)) / 5 +
                 y2 * x2 * x2 * p_out * (product(a, b, p) + 2 * product(a, b, m)) / 3);
            if (j < i) {
                out.curvature_gamma += 48 * u(i) * u(j) *
                                       (prefactor * x2 * x2 * x2 * p4_out * (product(a, b, p4) - product(a, b, r)) / 5 +
                                        y2 * x2 * x2 * p_out * (product(a, b, p) - product(a, b, m)) / 3);
            }
        }
    }
    return out;
}

using DoubleLayers = std::vector<isserlis::LayerRun<double, std::uint64_t>>;

/// Loss, slope and the two parts of the curvature of networks of given weights, averaged by their law: four Gauss-Hermite
/// nodes a weight, exact up to degree 7; the curvature has degree 6 in one weight.
class EveryWeight {
public:
    EveryWeight(DoubleLayers layers, Rows<double> inputs, Rows<double> targets, bool one_sample)
        : layers_(std::move(layers)), inputs_(std::move(inputs)), targets_(std::move(targets)), one_(one_sample) {
        std::size_t count = 0;
        for (auto const& run : layers_) {
            begins_.push_back(count);
            count += static_cast<std::size_t>(run.fan_in * run.fan_out);
        }
        begins_.push_back(count);
    }

    [[nodiscard]] SquaredLossCurve<double> mean() const {
        double const root = std::sqrt(6.0);
        std::array<double, 4> const nodes{std::sqrt(3 - root), -std::sqrt(3 - root), std::sqrt(3 + root),
                                          -std::sqrt(3 + root)};
        std::vector<double> weights(begins_.back());
        SquaredLossCurve<double> out{.loss = 0, .slope = 0, .curvature_chi = 0, .curvature_gamma = 0};
        for (std::size_t code = 0; code < std::size_t{1} << (2 * weights.size()); ++code) {
            double probability = 1;
            for (std::size_t l = 0; l < layers_.size(); ++l) {
                for (std::size_t w = begins_[l]; w < begins_[l + 1]; ++w) {
                    std::size_t const node = code >> (2 * w) & 3U;
                    weights[w] = std::sqrt(layers_[l].variance) * nodes[node];
                    probability *= 1 / (4 * (3 + (node < 2 ? -root : root)));
                }
            }
            add(out, weights, probability);
        }
        return out;
    }

private:
    using Jet = std::array<double, 3>;  // by powers of the step

    /// The outputs where each weight moves by the step times `by`.
    [[nodiscard]] std::vector<Jet> outputs(std::vector<double> const& weights, std::vector<double> const& by,
                                           std::vector<double> const& input) const {
        std::vector<Jet> h;
        for (double const x : input) h.push_back({x, 0, 0});
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            std::vector<Jet> z(static_cast<std::size_t>(layers_[l].fan_out), Jet{});
            std::size_t w = begins_[l];
            for (auto& out : z) {
                for (auto const& in : h) {
                    for (std::size_t k = 0; k < 3; ++k) out[k] += weights[w] * in[k] + (k > 0 ? by[w] * in[k - 1] : 0);
                    ++w;
                }
            }
            h = z;
        }
        return h;
    }

    /// Minus the gradient of the samples' loss, weight by weight, times label factors.
    [[nodiscard]] std::vector<double> step(std::vector<double> const& weights,
                                           std::vector<std::size_t> const& samples) const {
        std::vector<double> out(weights.size(), 0);
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            for (std::size_t w = begins_[l]; w < begins_[l + 1]; ++w) {
                std::vector<double> unit(weights.size(), 0);
                unit[w] = 1;
                for (std::size_t const s : samples) {
                    auto const z = outputs(weights, unit, inputs_[s]);
                    for (std::size_t i = 0; i < z.size(); ++i)
                        out[w] -= 2 * (z[i][0] - targets_[s][i]) * z[i][1] * layers_[l].label_factor /
                                  static_cast<double>(samples.size());
                }
            }
        }
        return out;
    }

    void add(SquaredLossCurve<double>& out, std::vector<double> const& weights, double probability) const {
        std::vector<std::vector<std::size_t>> batches(1);
        for (std::size_t s = 0; s < inputs_.size(); ++s) {
            if (one_) batches.resize(inputs_.size());
            batches[one_ ? s : 0].push_back(s);
        }
        double const share = probability / static_cast<double>(batches.size() * inputs_.size());
        for (auto const& batch : batches) {
            auto const by = step(weights, batch);
            for (std::size_t s = 0; s < inputs_.size(); ++s) {
                auto const z = outputs(weights, by, inputs_[s]);
                for (std::size_t i = 0; i < z.size(); ++i) {
                    double const gap = z[i][0] - targets_[s][i];
                    out.loss += share * gap * gap;
                    out.slope += share * 2 * gap * z[i][1];
                    out.curvature_chi += share * 2 * z[i][1] * z[i][1];
                    out.curvature_gamma += share * 4 * gap * z[i][2];
                }
            }
        }
    }

    DoubleLayers layers_;
    Rows<double> inputs_;
    Rows<double> targets_;
    bool one_;
    std::vector<std::size_t> begins_;
};

}  // namespace

TEST_SUITE("formula/loss_curve_squared") {
    TEST_CASE("two outputs and three samples: real networks integrated over every weight") {
        Rows<double> const x{{1, 2}, {-1, 0.5}, {0.25, 3}};
        Rows<double> const y{{2, -1}, {0.5, 3}, {-1, 0.25}};
        auto const narrow = [](Rows<double> rows) {
            for (auto& row : rows) row.pop_back();
            return rows;
        };
        struct Case {
            std::vector<double> widths;
            Rows<double> inputs;
            Rows<double> targets;
        };
        for (auto const& c : {Case{{2, 2}, x, y}, Case{{2, 1, 2}, x, y}, Case{{1, 2, 2}, narrow(x), y},
                              Case{{2, 2, 1}, x, narrow(y)}, Case{{1, 1, 2, 1}, narrow(x), narrow(y)}}) {
            CAPTURE(c.widths);
            DoubleLayers layers;
            for (std::size_t l = 1; l < c.widths.size(); ++l) {
                layers.push_back({.fan_in = c.widths[l - 1],
                                  .fan_out = c.widths[l],
                                  .count = 1,
                                  .variance = 0.5 + 0.25 * static_cast<double>(l),
                                  .label_factor = 2.5 - 0.5 * static_cast<double>(l)});
            }
            auto const data = target_moments(c.inputs, c.targets);
            auto const own = isserlis::own_moments(c.inputs, c.targets);
            for (bool const one : {false, true}) {
                auto const exact = isserlis::batch_loss_curve(layers, data, own, one ? 1.0 : 0.0);
                auto const seen = EveryWeight(layers, c.inputs, c.targets, one).mean();
                CHECK(exact.loss == doctest::Approx(seen.loss).epsilon(1e-10));
                CHECK(exact.slope == doctest::Approx(seen.slope).epsilon(1e-10));
                CHECK(exact.curvature_chi == doctest::Approx(seen.curvature_chi).epsilon(1e-10));
                CHECK(exact.curvature_gamma == doctest::Approx(seen.curvature_gamma).epsilon(1e-10));
            }
        }
    }

    // m = (2, 1), Sigma = (5, 1; 1, 2), t = (3/2, -1/2), 2 Y = (7, 2; -1, -2); x.m = 4 and 6, |x|^2 = 5 and 9, y.t = 2 and 3.
    TEST_CASE("moments of means by hand") {
        Rows<Rational> const x{{1, 2}, {3, 0}};
        Rows<Rational> const y{{1, -1}, {2, 0}};
        auto centre = isserlis::centre_moments<Rational>(x, {{7, 2}, {-1, -2}}, {3, -1}, y);
        CHECK(centre == isserlis::CentreMoments<Rational>{.square = 5,
                                                          .sigma = 26,
                                                          .target = ratio(5, 2),
                                                          .cross = 13,
                                                          .own_square = 37,
                                                          .own_target = 16,
                                                          .own_target_cross = ratio(37, 2)});
        centre.own_target = centre.own_target_cross = 0;
        CHECK(isserlis::centre_moments<Rational>(x, {{7, 2}, {-1, -2}}, {3, -1}, {}) == centre);
        CHECK_THROWS_AS((void)isserlis::centre_moments<Rational>(x, {{7, 2}}, {3}, {{1}}), isserlis::DomainError);
        CHECK(target_moments(x, y).target == 3);
    }

    // Section 4.4: at n = 2, all widths 1 and x = 1, gamma is 144 + 48 y^2. E L = E (abx)^2 + y^2 = 1 + y^2.
    TEST_CASE("all widths 1, by hand") {
        auto const curve = curve_of({1, 1, 1}, {{1}}, {{5}});
        CHECK(curve.loss == Surd(26));
        CHECK(curve.curvature_gamma == Surd(144 + 48 * 25));
        // One layer: L = (ax - y)^2, E a^2 = 1; the step is a - lambda g x with g = 2(ax - y), so
        // L' = -x^2 g^2 = -4 x^2 (x^2 + y^2) and L'' = 2 x^4 g^2 = 8 x^4 (x^2 + y^2).
        auto const line = curve_of({1, 1}, {{2}}, {{3}});
        CHECK(line.loss == Surd(13));
        CHECK(line.slope == Surd(-4 * 4 * 13));
        CHECK(line.curvature_chi == Surd(8 * 16 * 13));
        CHECK(line.curvature_gamma == Surd(0));
    }

    // One layer, E a^2 = 1, samples (1, 1) and (2, 0): L'' = 2 p1 g^2, p1 = 5/2, g the mean over the batch of 2 x(ax - y).
    // Of one sample E g^2 = 4 x^2 (x^2 + y^2): mean (8 + 64)/2 = 36, L'' = 180; of both g = 5a - 1: 26, L'' = 130.
    TEST_CASE("a batch of one of two samples, by hand") {
        isserlis::Rows<Rational> const x{{1}, {2}};
        isserlis::Rows<Rational> const y{{1}, {0}};
        auto const layers = proportional_layers<Surd>({1, 1});
        auto const data = converted<Surd>(target_moments(x, y));
        auto const own = converted<Surd>(isserlis::own_moments(x, y));
        auto const of_batch = [&](std::uint64_t batch) {
            return isserlis::batch_loss_curve(layers, data, own, Surd(isserlis::own_share({.size = batch}, 2)));
        };
        CHECK(of_batch(1).curvature() == Surd(180));
        CHECK(of_batch(2).curvature() == Surd(130));
        CHECK(of_batch(2) == squared_loss_curve(layers, data));
        CHECK(of_batch(1).slope == of_batch(2).slope);
        CHECK(isserlis::own_share({.size = 2}, 4) == ratio(1, 3));  // (4 - 2)/(2 * 3)
        CHECK(isserlis::own_share({.size = 1}, 1) == 0);
        CHECK_THROWS_AS((void)isserlis::own_share({.size = 0}, 4), isserlis::DomainError);
        CHECK_THROWS_AS((void)isserlis::own_share({.size = 5}, 4), isserlis::DomainError);
    }

    // Of the 4^3 ordered draws of three from four, two given draws are one sample in 1/3 of those that the batch's mean pairs:
    // every pair of draws, enumerated.
    TEST_CASE("draws with replacement, enumerated") {
        std::array<int, 4> const g{3, -1, 0, 7};
        int square = 0;
        for (int draw = 0; draw < 64; ++draw) {
            int const sum = g[static_cast<std::size_t>(draw % 4)] + g[static_cast<std::size_t>(draw / 4 % 4)] +
                            g[static_cast<std::size_t>(draw / 16)];
            square += sum * sum;
        }
        auto const share = isserlis::own_share({.size = 3, .replacement = true}, 4);
        CHECK(share == ratio(1, 3));
        Rational const own = ratio(9 + 1 + 0 + 49, 4);
        Rational const apart = ratio(9 * 9, 16);
        CHECK(ratio(square, 64 * 9) == share * own + (1 - share) * apart);
        CHECK(isserlis::own_share({.size = 9, .replacement = true}, 4) == ratio(1, 9));
        CHECK_THROWS_AS((void)isserlis::own_share({.size = 0, .replacement = true}, 4), isserlis::DomainError);
    }

    TEST_CASE("equal samples make every batch the same") {
        isserlis::Rows<Rational> const x{{1, 2}, {1, 2}, {1, 2}};
        isserlis::Rows<Rational> const y{{3, -1}, {3, -1}, {3, -1}};
        auto const layers = proportional_layers<Surd>({2, 3, 2});
        auto const data = converted<Surd>(target_moments(x, y));
        auto const own = converted<Surd>(isserlis::own_moments(x, y));
        CHECK(isserlis::batch_loss_curve(layers, data, own, Surd(1)) == squared_loss_curve(layers, data));
    }

    TEST_CASE("one sample and one output: the closed forms") {
        for (auto const& widths : std::vector<std::vector<int>>{
                 {1, 1, 1}, {1, 4, 1}, {1, 4, 9, 4, 1}, {4, 4, 1, 4, 1}, {2, 8, 2, 8, 2, 2}}) {
            if (widths.back() != 1) continue;
            Rows<Rational> x{std::vector<Rational>(static_cast<std::size_t>(widths[0]), ratio(2, 3))};
            auto const curve = curve_of(widths, x, {{ratio(5, 2)}});
            auto const closed = one_sample(widths, isserlis::dot(x[0], x[0]), ratio(25, 4));
            CHECK(curve.loss == Surd(closed.loss));
            CHECK(curve.slope == Surd(closed.slope));
            CHECK(curve.curvature_chi == Surd(closed.curvature_chi));
            CHECK(curve.curvature_gamma == Surd(closed.curvature_gamma));
        }
    }

    TEST_CASE("the table of section 6") {
        isserlis::testing::CosGrid const grid;
        for (auto const& row : isserlis::testing::table_of_section_6()) {
            auto const layers = proportional_layers<double>(row.widths);
            double const s = isserlis::scaling_factor(layers).value();
            auto const one = squared_loss_curve(layers, target_moments<double>({{1, 1}}, {{0}}));
            CHECK(std::abs(one.parabola().vertex_rate() * s - row.squared_one) < 5e-4);
            auto const cos = squared_loss_curve(layers, target_moments<double>(grid.inputs, grid.targets));
            CHECK(std::abs(cos.parabola().vertex_rate() * s - row.squared_cos) < 5e-4);
            // Section 7, E7: 12 to 26 percent.
            double const share = cos.curvature_gamma / cos.curvature();
            CHECK(share > 0.115);
            CHECK(share < 0.265);
        }
        // Section 7, E6: the linear truth of 3x10.
        auto const cos = squared_loss_curve(proportional_layers<double>({2, 10, 10, 10, 1}),
                                            target_moments<double>(grid.inputs, grid.targets));
        CHECK(std::abs(cos.slope + 210.24) < 5e-3);
        CHECK(std::abs(cos.curvature() - 27482) < 0.5);
    }

    TEST_CASE("invariances: rotated inputs and targets, scaled data, E L' <= 0, gamma >= 0") {
        isserlis::testing::holds([] {
            auto widths = isserlis::testing::random_widths(2, 3);
            widths.back() = 2;
            std::size_t const samples = *rc::gen::inRange<std::size_t>(1, 4);
            auto const x = isserlis::testing::random_rows(samples, 2);
            auto const y = isserlis::testing::random_rows(samples, 2);
            auto const curve = curve_of(widths, x, y);
            RC_ASSERT(isserlis::sign(curve.slope) <= 0);
            RC_ASSERT(isserlis::sign(curve.curvature_chi) >= 0);
            RC_ASSERT(isserlis::sign(curve.loss) >= 0);
            RC_ASSERT(curve_of(widths, isserlis::testing::rotated(x), y) == curve);
            RC_ASSERT(curve_of(widths, x, isserlis::testing::rotated(y)) == curve);
            // z and y times c: L times c^2, the step's gradient by the weights too.
            auto const c = isserlis::testing::random_number();
            auto const scaled = curve_of(widths, isserlis::testing::times(c, x), isserlis::testing::times(c, y));
            Surd const c2(c * c);
            RC_ASSERT(scaled.loss == c2 * curve.loss);
            RC_ASSERT(scaled.slope == c2 * c2 * curve.slope);
            RC_ASSERT(scaled.curvature_chi == c2 * c2 * c2 * curve.curvature_chi);
            RC_ASSERT(scaled.curvature_gamma == c2 * c2 * c2 * curve.curvature_gamma);
        });
    }

    TEST_CASE("widths may be symbols, doubles agree") {
        auto const n = RationalFunction::symbol("n");
        auto const layers = isserlis::testing::proportional_between(std::vector<RationalFunction>{2, n, n, 1});
        auto const data = target_moments<Rational>({{1, 2}, {0, 1}}, {{1}, {2}});
        auto const formula = squared_loss_curve(layers, converted<RationalFunction>(data));
        auto const number = squared_loss_curve(proportional_layers<Surd>({2, 7, 7, 1}), converted<Surd>(data));
        CHECK(formula.loss.evaluate({{"n", 7}}) == number.loss);
        CHECK(formula.slope.evaluate({{"n", 7}}) == number.slope);
        CHECK(formula.curvature_chi.evaluate({{"n", 7}}) == number.curvature_chi);
        CHECK(formula.curvature_gamma.evaluate({{"n", 7}}) == number.curvature_gamma);
        auto const doubles = squared_loss_curve(proportional_layers<double>({2, 7, 7, 1}),
                                                target_moments<double>({{1, 2}, {0, 1}}, {{1}, {2}}));
        CHECK(doubles.curvature() ==
              doctest::Approx(mpfr_get_d(isserlis::enclose(number.curvature(), 80).lower(), MPFR_RNDN)).epsilon(1e-13));
    }

    TEST_CASE("half of the squared error is the loss scaled; other laws and unlike data are refused") {
        auto const curve = curve_of({2, 3, 1}, {{1, 2}}, {{1}});
        auto const half = curve.scaled(Surd(ratio(1, 2)));
        CHECK(half.loss == curve.loss / Surd(2));
        CHECK(half.slope == curve.slope / Surd(4));
        CHECK(half.curvature() == curve.curvature() / Surd(8));
        CHECK(half.parabola().vertex_rate() == Surd(2) * curve.parabola().vertex_rate());
        CHECK_THROWS_AS((void)target_moments<Rational>({{1, 2}}, {{1}, {2}}), isserlis::DomainError);
        CHECK_THROWS_AS((void)target_moments<Rational>({{1, 2}, {1}}, {{1}, {2}}), isserlis::DomainError);
        auto layers = proportional_layers<Surd>({2, 3, 1});
        layers[1].law = {.kind = isserlis::LawKind::kurtosis, .kurtosis_value = 3};
        auto const data = converted<Surd>(target_moments<Rational>({{1, 2}}, {{1}}));
        CHECK_THROWS_AS((void)squared_loss_curve(layers, data), isserlis::UnsupportedError);
    }
}
