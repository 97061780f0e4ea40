// SPDX-License-Identifier: MIT
// Two inputs at order 1/n: by hand, at equal inputs, on drawn networks of growing width.
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/pair_correction.hpp>
#include <isserlis/formula/width_correction.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <random>

using namespace isserlis;

namespace {

Gate<Rational> leaky(Rational const& slope) { return {1, slope}; }

double value(Enclosed const& x) {
    Interval const within = x.enclose(100);
    return (mpfr_get_d(within.lower(), MPFR_RNDN) + mpfr_get_d(within.upper(), MPFR_RNDN)) / 2;
}

bool contains(Enclosed const& wide, Enclosed const& narrow) {
    Interval const x = wide.enclose(400);
    Interval const y = narrow.enclose(400);
    return mpfr_lessequal_p(x.lower(), y.lower()) != 0 && mpfr_lessequal_p(y.upper(), x.upper()) != 0;
}

/// E sigma(u) sigma(v) of a pair of these covariances.
double product_mean(double s, double a, double c, double b) {
    double const r = std::sqrt(std::max(0.0, a * b - c * c));
    double const angle = std::atan2(r, c);
    return (1 - s) * (1 - s) * (r + (std::numbers::pi - angle) * c) / (2 * std::numbers::pi) + s * c;
}

/// Of Q_xx, Q_xy and Q_yy.
using Triple = std::array<double, 3>;

struct Layer {
    double s, w, b;

    [[nodiscard]] double mean(Triple const& q) const { return product_mean(s, q[0], q[1], q[2]); }
    /// The mean of the next layer's.
    [[nodiscard]] Triple next(Triple const& q) const {
        double const g = (1 + s * s) / 2;
        return {b + w * g * q[0], b + w * mean(q), b + w * g * q[2]};
    }
    /// The derivatives of f, by differences.
    [[nodiscard]] static Triple gradient(auto const& f, Triple const& at) {
        Triple out{};
        for (std::size_t i = 0; i < 3; ++i) {
            double const h = 1e-5 * at[0];
            Triple above = at;
            Triple below = at;
            above[i] += h;
            below[i] -= h;
            out[i] = (f(above) - f(below)) / (2 * h);
        }
        return out;
    }
};

/// n times what widths n r_1, .., n r_k and any further one add to E z(x) z(y) of the layer behind that: real layers of these
/// widths are drawn, over the units of the one behind them the mean is known. What is of first order in the fluctuation of a
/// layer has mean 0 and is taken off. Mean and standard error.
std::pair<double, double> drawn_correction(Layer const& net, Triple const& first, std::vector<int> const& widths,
                                           double n, std::uint64_t networks) {
    std::vector<Triple> wide{first};
    for (std::size_t l = 0; l < widths.size(); ++l) wide.push_back(net.next(wide.back()));
    double const limit = net.mean(wide.back());
    std::vector<Triple> slopes(widths.size());
    Triple slope = Layer::gradient([&](Triple const& q) { return net.mean(q); }, wide.back());
    for (std::size_t l = widths.size(); l-- > 0;) {
        slopes[l] = slope;
        Triple below{};
        for (std::size_t i = 0; i < 3; ++i) {
            auto const row = Layer::gradient([&](Triple const& q) { return net.next(q)[i]; }, wide[l]);
            for (std::size_t k = 0; k < 3; ++k) below[k] += slope[i] * row[k];
        }
        slope = below;
    }
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    auto const unit = [&](double z) { return z > 0 ? z : net.s * z; };
    double sum = 0;
    double squares = 0;
    for (std::uint64_t i = 0; i < networks; ++i) {
        Triple q = first;
        double linear = 0;
        for (std::size_t l = 0; l < widths.size(); ++l) {
            double const deviation = std::sqrt(q[0]);
            double const along = q[1] / deviation;
            double const across = std::sqrt(std::max(0.0, q[2] - along * along));
            Triple sums{};
            for (int j = 0; j < widths[l]; ++j) {
                double const one = normal(random);
                double const x = unit(deviation * one);
                double const y = unit(along * one + across * normal(random));
                sums = {sums[0] + x * x, sums[1] + x * y, sums[2] + y * y};
            }
            Triple const mean = net.next(q);
            for (std::size_t k = 0; k < 3; ++k) {
                q[k] = net.b + net.w * sums[k] / widths[l];
                linear += slopes[l][k] * (q[k] - mean[k]);
            }
        }
        double const gap = n * net.w * (net.mean(q) - limit - linear);
        sum += gap;
        squares += gap * gap;
    }
    auto const count = static_cast<double>(networks);
    double const mean = sum / count;
    return {mean, std::sqrt((squares / count - mean * mean) / count)};
}

}  // namespace

TEST_SUITE("formula/pair_correction") {
    // ReLU, w = 2, x.y = 0, |x|^2 = |y|^2 = n_0: K^1 = (2, 0, 2), u and v independent. E relu(u)^2 = 1, E relu(u) relu(v) =
    // 1/pi, E relu(u)^2 relu(v)^2 = 1, so that V^2 = 4 (1 - 1/pi^2). Linear units, w = 1, of correlation 1/2: Var u v = 1 + 1/4
    // a layer, and G = 0.
    TEST_CASE("layer 2 of inputs at a right angle, and linear networks, by hand") {
        double const pi = std::numbers::pi;
        auto const relu =
            pair_corrections({.unit = Gate<Rational>(), .weight_variance = 2}, {.xx = 1, .xy = 0, .yy = 1}, {}, 100);
        REQUIRE(relu.size() == 2);
        CHECK(relu[0].vertex.is_zero());
        CHECK(value(relu[1].vertex) == doctest::Approx(4 * (1 - 1 / (pi * pi))).epsilon(1e-14));
        CHECK(relu[1].kernel.is_zero());
        auto const linear = pair_corrections({.unit = Gate<Rational>::open(), .hidden_layers = 3},
                                             {.xx = 1, .xy = ratio(1, 2), .yy = 1}, {}, 100);
        CHECK(*linear[3].vertex.exact() == ratio(15, 4));
        CHECK(linear[3].kernel.is_zero());
    }

    // Order 1/n is linear in the inverse widths: half the units make twice the fluctuation, and layers add up.
    TEST_CASE("fluctuations are those of each width") {
        WideNetwork const net{.unit = leaky(ratio(1, 5)),
                              .weight_variance = ratio(3, 2),
                              .bias_variance = ratio(1, 4),
                              .hidden_layers = 3};
        InputGram const inputs{.xx = 1, .xy = ratio(1, 3), .yy = 2};
        auto const one = pair_corrections(net, inputs, {}, 120);
        auto const half = pair_corrections(net, inputs, {ratio(1, 2), ratio(1, 2), ratio(1, 2)}, 120);
        Rational const far = 1'000'000;
        for (std::size_t l = 0; l < one.size(); ++l) {
            CHECK(value(half[l].vertex) == doctest::Approx(2 * value(one[l].vertex)).epsilon(1e-14));
            CHECK(value(half[l].kernel) == doctest::Approx(2 * value(one[l].kernel)).epsilon(1e-14));
            double sum = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                std::vector<Rational> widths(3, far);
                widths[k] = 1;
                sum += value(pair_corrections(net, inputs, widths, 120)[l].kernel);
            }
            CHECK(sum == doctest::Approx(value(one[l].kernel)).epsilon(1e-5));
        }
        auto const single = width_corrections(net, 1, 120, {ratio(1, 2), 1, 2});
        CHECK(value(single[1].vertex) == doctest::Approx(2 * value(width_corrections(net, 1, 120)[1].vertex)));
    }

    TEST_CASE("equal inputs have what one input has, and multiples by a number no correction") {
        for (Rational const& slope : {Rational(0), ratio(1, 3), Rational(1)}) {
            WideNetwork const net{
                .unit = leaky(slope), .weight_variance = 2, .bias_variance = ratio(1, 4), .hidden_layers = 4};
            auto const pair = pair_corrections(net, {.xx = 1, .xy = 1, .yy = 1}, {}, 200);
            auto const single = width_corrections(net, 1, 200);
            for (std::size_t l = 0; l < pair.size(); ++l) {
                CHECK(value(pair[l].vertex) == doctest::Approx(value(single[l].vertex)).epsilon(1e-14));
                CHECK(pair[l].kernel.is_zero());
            }
        }
        WideNetwork const plain{.unit = Gate<Rational>(), .weight_variance = 2, .hidden_layers = 3};
        CHECK(pair_corrections(plain, {.xx = 1, .xy = 3, .yy = 9}, {}, 200)[3].kernel.is_zero());
        // Rational, so that no digit of it is a tie: 9 times that of one input, V = 20 a layer.
        CHECK(*pair_corrections(plain, {.xx = 1, .xy = 3, .yy = 9}, {}, 200)[3].vertex.exact() == 9 * 60);
        CHECK_THROWS_AS((void)pair_corrections(plain, {.xx = 1, .xy = -3, .yy = 9}, {}, 200), UnsupportedError);
    }

    TEST_CASE("drawn networks, wide ones, with and without biases, of equal and unequal widths") {
        struct Case {
            Rational slope, w, b;
            InputGram inputs;
            std::vector<int> relative;
        };
        std::vector<Case> const cases{
            {0, 2, 0, {.xx = 1, .xy = ratio(1, 2), .yy = 1}, {1, 1}},
            {0, 2, 0, {.xx = 1, .xy = ratio(-1, 2), .yy = 2}, {1, 1, 1}},
            {ratio(1, 5), ratio(3, 2), ratio(1, 4), {.xx = 1, .xy = 0, .yy = 2}, {2, 1}},
            {ratio(1, 5), ratio(3, 2), ratio(1, 4), {.xx = 1, .xy = ratio(3, 5), .yy = 1}, {1, 3, 1}},
        };
        constexpr int n = 60;
        for (auto const& c : cases) {
            std::vector<Rational> relative(c.relative.begin(), c.relative.end());
            WideNetwork const net{
                .unit = leaky(c.slope), .weight_variance = c.w, .bias_variance = c.b, .hidden_layers = relative.size()};
            double const exact = value(pair_corrections(net, c.inputs, relative, 120).back().kernel);
            auto const d = [](Rational const& x) { return x.convert_to<double>(); };
            std::vector<int> widths;
            for (int const r : c.relative) widths.push_back(n * r);
            widths.pop_back();  // over which the mean is known
            Triple const first{d(c.w * c.inputs.xx + c.b), d(c.w * c.inputs.xy + c.b), d(c.w * c.inputs.yy + c.b)};
            auto const [mean, error] =
                drawn_correction({.s = d(c.slope), .w = d(c.w), .b = d(c.b)}, first, widths, n, 4'000);
            CAPTURE(exact);
            CAPTURE(mean);
            CAPTURE(error);
            // Order 1/n^2 is left: some percent here.
            CHECK(std::abs(mean - exact) < 5 * error + 0.05 * std::abs(exact));
            CHECK(error < 0.1 * std::abs(exact));
        }
    }

    TEST_CASE("enclosures contain those of twice the precision, errors") {
        WideNetwork const net{.unit = leaky(ratio(1, 5)),
                              .weight_variance = ratio(3, 2),
                              .bias_variance = ratio(1, 4),
                              .hidden_layers = 4};
        InputGram const inputs{.xx = 1, .xy = ratio(2, 3), .yy = 2};
        auto const wide = pair_corrections(net, inputs, {}, 90);
        auto const narrow = pair_corrections(net, inputs, {}, 180);
        for (std::size_t l = 0; l < wide.size(); ++l) {
            CHECK(contains(wide[l].vertex, narrow[l].vertex));
            CHECK(contains(wide[l].kernel, narrow[l].kernel));
        }
        CHECK_THROWS_AS((void)pair_corrections({.unit = SmoothUnit::erf}, inputs, {}, 90), UnsupportedError);
        CHECK_THROWS_AS((void)pair_corrections(net, inputs, {1, 1}, 90), DomainError);
        CHECK_THROWS_AS((void)width_corrections(net, 1, 90, {1, 1, 1, 0}), DomainError);
    }
}
