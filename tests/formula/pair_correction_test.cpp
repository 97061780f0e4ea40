// SPDX-License-Identifier: MIT
// Two inputs at order 1/n: by hand, by another program, at equal inputs, on drawn networks of growing width.
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

/// E sigma'(u) sigma'(v).
double derivative_mean(double s, double a, double c, double b) {
    double const angle = std::atan2(std::sqrt(std::max(0.0, a * b - c * c)), c);
    return (1 - s) * (1 - s) * (std::numbers::pi - angle) / (2 * std::numbers::pi) + s;
}

/// Q_xx, Q_xy and Q_yy that a layer leaves to the next one, and the mean of the tangent kernel there given the layer.
using State = std::array<double, 4>;
/// n E z_1 z_2 H_12 given the layer below: z_1 at x or y, z_2 at x or y.
using Exchange = std::array<std::array<double, 2>, 2>;

/// Derivatives of f by the first numbers of a state, by differences.
template <std::size_t N>
std::array<double, N> gradient(auto const& f, State const& at) {
    std::array<double, N> out{};
    for (std::size_t i = 0; i < N; ++i) {
        double const h = 1e-5 * at[0];
        State above = at;
        State below = at;
        above[i] += h;
        below[i] -= h;
        out[i] = (f(above) - f(below)) / (2 * h);
    }
    return out;
}

struct Layer {
    double s, w, b;

    /// The mean of the next one.
    [[nodiscard]] State next(State const& q, Exchange const& exchange = {}) const {
        double const g = (1 + s * s) / 2;
        auto const open = [this](State const& at) { return derivative_mean(s, at[0], at[1], at[2]); };
        double gates = open(q) * q[3];
        if (exchange != Exchange{}) {
            // E sigma'(u) sigma'(v) H_11 by parts: u W_1a W_1b differentiates twice.
            auto const by = gradient<3>(open, q);
            gates +=
                2 * by[0] * exchange[0][0] + by[1] * (exchange[0][1] + exchange[1][0]) + 2 * by[2] * exchange[1][1];
        }
        double const kernel = b + w * product_mean(s, q[0], q[1], q[2]);
        return {b + w * g * q[0], kernel, b + w * g * q[2], kernel + w * gates};
    }
};

/// Mean and standard error.
struct Drawn {
    double mean, error;
};

Drawn drawn(std::vector<double> const& values) {
    double sum = 0;
    double squares = 0;
    for (double const x : values) {
        sum += x;
        squares += x * x;
    }
    auto const count = static_cast<double>(values.size());
    return {sum / count, std::sqrt((squares / count - sum * sum / count / count) / count)};
}

/// n times what widths n r_1, .., n r_k and any further one add to E z(x) z(y) and to the mean tangent kernel of the layer
/// behind that: real layers of these widths are drawn with their tangent kernels H_ij, over the units of the one behind them
/// the means are known. What is of first order in the fluctuation of a layer has mean 0 and is taken off.
std::pair<Drawn, Drawn> drawn_corrections(Layer const& net, State const& first, std::vector<int> const& widths,
                                          double n, std::uint64_t networks) {
    std::size_t const layers = widths.size();
    std::vector<State> wide{first};
    for (std::size_t l = 0; l <= layers; ++l) wide.push_back(net.next(wide.back()));
    // Of the last covariance and tangent kernel by those behind layer l.
    std::vector<std::array<State, 2>> slopes(layers);
    for (std::size_t l = 0; l < layers; ++l)
        for (std::size_t k = 0; k < 2; ++k)
            slopes[l][k] = gradient<4>(
                [&](State q) {
                    for (std::size_t m = l; m < layers; ++m) q = net.next(q);
                    return q[1 + 2 * k];
                },
                wide[l + 1]);
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    std::array<std::vector<double>, 2> gaps;
    for (std::uint64_t i = 0; i < networks; ++i) {
        State q = first;
        Exchange exchange{};
        std::array<double, 2> linear{};
        std::vector<std::array<double, 2>> below;  // sigma of the layer below at x and y, and what its derivatives are
        std::vector<std::array<double, 2>> gates;
        std::vector<double> tangent;  // H_ab of it
        for (std::size_t l = 0; l < layers; ++l) {
            auto const width = static_cast<std::size_t>(widths[l]);
            std::vector<std::array<double, 2>> values(width);
            std::vector<std::array<double, 2>> open(width);
            std::vector<std::vector<double>> rows(width);
            double const deviation = std::sqrt(first[0]);
            double const along = first[1] / deviation;
            double const across = std::sqrt(std::max(0.0, first[2] - along * along));
            for (std::size_t j = 0; j < width; ++j) {
                std::array<double, 2> z{};
                if (l == 0) {
                    double const one = normal(random);
                    z = {deviation * one, along * one + across * normal(random)};
                } else {
                    z[0] = z[1] = std::sqrt(net.b) * normal(random);
                    double const scale = std::sqrt(net.w / static_cast<double>(below.size()));
                    for (auto const& h : below) {
                        double const weight = scale * normal(random);
                        rows[j].push_back(weight);
                        z[0] += weight * h[0];
                        z[1] += weight * h[1];
                    }
                }
                for (std::size_t at = 0; at < 2; ++at) {
                    open[j][at] = z[at] > 0 ? 1 : net.s;
                    values[j][at] = open[j][at] * z[at];
                }
            }
            // H_ij = delta_ij Q_xy + sum_ab W_ia W_jb sigma'_a(x) sigma'_b(y) H_ab.
            std::vector<double> next(width * width, 0.0);
            for (std::size_t j = 0; j < width; ++j) {
                next[j * width + j] = q[1];
                if (l == 0) continue;
                std::vector<double> left(below.size(), 0.0);
                for (std::size_t a = 0; a < below.size(); ++a) {
                    double const weight = rows[j][a] * gates[a][0];
                    for (std::size_t c = 0; c < below.size(); ++c) left[c] += weight * tangent[a * below.size() + c];
                }
                for (std::size_t c = 0; c < below.size(); ++c) left[c] *= gates[c][1];
                for (std::size_t k = 0; k < width; ++k)
                    for (std::size_t c = 0; c < below.size(); ++c) next[j * width + k] += left[c] * rows[k][c];
            }
            State const mean = net.next(q, exchange);
            double const share = net.w / static_cast<double>(width);
            q = {net.b, net.b, net.b, 0};
            exchange = {};
            for (std::size_t j = 0; j < width; ++j) {
                auto const [x, y] = values[j];
                q[0] += share * x * x;
                q[1] += share * x * y;
                q[2] += share * y * y;
                q[3] += share * open[j][0] * open[j][1] * next[j * width + j];
                for (std::size_t k = 0; k < width; ++k)
                    for (std::size_t m = 0; m < 2; ++m)
                        for (std::size_t p = 0; p < 2; ++p)
                            exchange[m][p] += share * share * values[j][m] * open[j][0] * values[k][p] * open[k][1] *
                                              next[j * width + k];
            }
            q[3] += q[1];
            for (std::size_t k = 0; k < 2; ++k)
                for (std::size_t m = 0; m < 4; ++m) linear[k] += slopes[l][k][m] * (q[m] - mean[m]);
            below = std::move(values);
            gates = std::move(open);
            tangent = std::move(next);
        }
        State const last = net.next(q, exchange);
        for (std::size_t k = 0; k < 2; ++k)
            gaps[k].push_back(n * (last[1 + 2 * k] - wide.back()[1 + 2 * k] - linear[k]));
    }
    return {drawn(gaps[0]), drawn(gaps[1])};
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
        CHECK(relu[1].tangent.is_zero());
        auto const linear = pair_corrections({.unit = Gate<Rational>::open(), .hidden_layers = 3},
                                             {.xx = 1, .xy = ratio(1, 2), .yy = 1}, {}, 100);
        CHECK(*linear[3].vertex.exact() == ratio(15, 4));
        CHECK(linear[3].kernel.is_zero());
        CHECK(linear[3].tangent.is_zero());
    }

    // K^l = 3^l (1, 1/2, 3); of normal z: Cov(z_x z_y, z_x z_y) = K_xx K_yy + K_xy^2, Cov(z_x^2, z_x z_y) = 2 K_xx K_xy and so on,
    // each over the relative width, and 3^2 times all of it goes on.
    TEST_CASE("all rows of linear networks of unlike widths by hand") {
        auto const last = pair_corrections({.unit = Gate<Rational>::open(), .weight_variance = 3, .hidden_layers = 2},
                                           {.xx = 1, .xy = ratio(1, 2), .yy = 3}, {ratio(1, 2), 4}, 100)
                              .back();
        CHECK(*last.vertex.exact() == ratio(85293, 16));      // 9 (9 * 58.5 + 263.25/4), 58.5 = 2 (27 + 9/4)
        CHECK(*last.vertex_x_xy.exact() == ratio(6561, 4));   // 9 (9 * 18 + 81/4)
        CHECK(*last.vertex_x_y.exact() == ratio(6561, 8));    // 9 (9 * 9 + 40.5/4)
        CHECK(*last.vertex_xy_y.exact() == ratio(19683, 4));  // 9 (9 * 54 + 243/4)
    }

    // V of |x|^2 = 2 is 4 times 20 a layer; y = 3 x.
    TEST_CASE("all rows of a multiple by hand") {
        WideNetwork const net{.unit = Gate<Rational>(), .weight_variance = 2, .hidden_layers = 3};
        auto const last = pair_corrections(net, {.xx = 2, .xy = 6, .yy = 18}, {}, 100).back();
        CHECK(*last.vertex.exact() == 9 * 240);
        CHECK(*last.vertex_x_xy.exact() == 3 * 240);
        CHECK(*last.vertex_x_y.exact() == 9 * 240);
        CHECK(*last.vertex_xy_y.exact() == 27 * 240);
        CHECK(*pair_corrections(net, {.xx = 2, .xy = 1, .yy = ratio(1, 2)}, {}, 100).back().vertex.exact() == 60);
    }

    // Cov of tanh(u) tanh(2u) with itself, u of variance 1, by the trapezoidal rule.
    TEST_CASE("a smooth unit at an input and its double") {
        double mean = 0;
        double square = 0;
        for (int k = -800; k <= 800; ++k) {
            double const u = k / 100.0;
            double const h = std::tanh(u) * std::tanh(2 * u);
            double const weight = std::exp(-u * u / 2) / std::sqrt(2 * std::numbers::pi) / 100;
            mean += weight * h;
            square += weight * h * h;
        }
        auto const layers = pair_corrections({.unit = SmoothUnit::tanh}, {.xx = 1, .xy = 2, .yy = 4}, {}, 100);
        CHECK(value(layers.back().vertex) == doctest::Approx(square - mean * mean).epsilon(1e-10));
    }

    // An even unit does not tell opposite inputs from equal ones. Where there are biases, or a unit is not odd, nothing
    // jumps at opposite inputs or at a right angle.
    TEST_CASE("inputs that are no exception for this unit") {
        WideNetwork const even{.unit = SmoothUnit::cos, .weight_variance = 2, .hidden_layers = 2};
        auto const single = width_corrections(even, 1, 160).back();
        auto const opposite = pair_corrections(even, {.xx = 1, .xy = -1, .yy = 1}, {}, 160).back();
        CHECK(value(opposite.vertex) == doctest::Approx(value(single.vertex)));
        CHECK(value(opposite.kernel) == doctest::Approx(value(single.kernel)));
        CHECK(value(opposite.vertex_x_xy) == doctest::Approx(value(single.vertex)));
        auto const goes_on = [](KernelUnit const& unit, Rational const& bias, Rational const& xy) {
            WideNetwork const net{.unit = unit, .weight_variance = 2, .bias_variance = bias, .hidden_layers = 2};
            auto const at = pair_corrections(net, {.xx = 1, .xy = xy, .yy = 1}, {}, 160).back();
            auto const beside =
                pair_corrections(net, {.xx = 1, .xy = xy + ratio(1, 1'000'000'000), .yy = 1}, {}, 160).back();
            for (auto const member : {&PairCorrection::vertex, &PairCorrection::kernel, &PairCorrection::tangent,
                                      &PairCorrection::vertex_x_xy, &PairCorrection::vertex_xy_y})
                CHECK(value(at.*member) == doctest::Approx(value(beside.*member)).epsilon(1e-4));
            CHECK_FALSE(at.kernel.is_zero());
        };
        goes_on(SmoothUnit::sin, ratio(1, 4), -1);
        goes_on(SmoothUnit::sin, 1, -1);
        goes_on(SmoothUnit::sin, ratio(1, 4), 0);
        goes_on(leaky(ratio(1, 5)), ratio(1, 4), -1);
        goes_on(SmoothUnit::cos, 0, 0);
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
            CHECK(value(half[l].tangent) == doctest::Approx(2 * value(one[l].tangent)).epsilon(1e-14));
            double sum = 0;
            double tangents = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                std::vector<Rational> widths(3, far);
                widths[k] = 1;
                auto const alone = pair_corrections(net, inputs, widths, 120)[l];
                sum += value(alone.kernel);
                tangents += value(alone.tangent);
            }
            CHECK(sum == doctest::Approx(value(one[l].kernel)).epsilon(1e-5));
            CHECK(tangents == doctest::Approx(value(one[l].tangent)).epsilon(1e-5));
        }
        auto const single = width_corrections(net, 1, 120, {ratio(1, 2), 1, 2});
        CHECK(value(single[1].vertex) == doctest::Approx(2 * value(width_corrections(net, 1, 120)[1].vertex)));
    }

    TEST_CASE("equal inputs have what one input has, and multiples by a number no correction") {
        for (Rational const& slope : {Rational(0), ratio(1, 3), Rational(1)}) {
            WideNetwork const net{
                .unit = leaky(slope), .weight_variance = 2, .bias_variance = ratio(1, 4), .hidden_layers = 4};
            Rational const half = ratio(1, 2);
            auto const pair = pair_corrections(net, {.xx = half, .xy = half, .yy = half}, {}, 200);
            auto const single = width_corrections(net, half, 200);
            for (std::size_t l = 0; l < pair.size(); ++l) {
                CHECK(value(pair[l].vertex) == doctest::Approx(value(single[l].vertex)).epsilon(1e-14));
                CHECK(pair[l].kernel.is_zero());
                CHECK(pair[l].tangent.is_zero());
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
            {ratio(1, 5), ratio(3, 2), ratio(1, 4), {.xx = 1, .xy = ratio(3, 5), .yy = 1}, {2, 1, 3}},
        };
        constexpr int n = 40;
        for (auto const& c : cases) {
            std::vector<Rational> relative(c.relative.begin(), c.relative.end());
            WideNetwork const net{
                .unit = leaky(c.slope), .weight_variance = c.w, .bias_variance = c.b, .hidden_layers = relative.size()};
            auto const exact = pair_corrections(net, c.inputs, relative, 120).back();
            auto const d = [](Rational const& x) { return x.convert_to<double>(); };
            std::vector<int> widths;
            for (int const r : c.relative) widths.push_back(n * r);
            widths.pop_back();  // over which the mean is known
            double const covariance = d(c.w * c.inputs.xy + c.b);
            State const first{d(c.w * c.inputs.xx + c.b), covariance, d(c.w * c.inputs.yy + c.b), covariance};
            auto const [kernel, tangent] =
                drawn_corrections({.s = d(c.slope), .w = d(c.w), .b = d(c.b)}, first, widths, n, 3'000);
            auto const agrees = [](Drawn const& seen, Enclosed const& of_order) {
                double const number = value(of_order);
                CAPTURE(number);
                CAPTURE(seen.mean);
                CAPTURE(seen.error);
                // Order 1/n^2 is left: some percent here.
                CHECK(std::abs(seen.mean - number) < 5 * seen.error + 0.05 * std::abs(number));
                CHECK(seen.error < 0.1 * std::abs(number));
            };
            agrees(kernel, exact.kernel);
            agrees(tangent, exact.tangent);
        }
    }

    // The means of sampled networks of 3 hidden layers, 5,000,000 each, that
    // docs/formulas/pair_correction.md tells: order 1/n^2 is left, a tenth of order 1/n at 20 units.
    TEST_CASE("the five million networks of a published run") {
        auto const input = [](char const* text) { return parse_rational(text, "input"); };
        std::vector<Rational> const x{input("-0.9895229339599609"), input("-0.5992491841316223")};
        std::vector<Rational> const y{input("-0.17877478897571564"), input("2.253682851791382")};
        auto const product = [](auto const& a, auto const& b) { return Rational((a[0] * b[0] + a[1] * b[1]) / 2); };
        InputGram const inputs{.xx = product(x, x), .xy = product(x, y), .yy = product(y, y)};
        struct Run {
            Rational slope;
            double n, mean, error;
        };
        std::vector<Run> const runs{{0, 20, 0.934726017, 0.001322795},
                                    {0, 80, 0.985440236, 0.001223079},
                                    {ratio(1, 10), 20, 0.636820058, 0.001321206},
                                    {ratio(1, 10), 80, 0.681075988, 0.001240337}};
        for (auto const& r : runs) {
            WideNetwork const net{.unit = leaky(r.slope), .weight_variance = 2, .hidden_layers = 3};
            // Its kernel is half of ours: the variance of the weights is no part of its derivatives.
            double const limit = value(wide_kernels(net, inputs, 120).back().tangent.uv) / 2;
            double const order = value(pair_corrections(net, inputs, {}, 120).back().tangent) / 2 / r.n;
            CAPTURE(r.n);
            CAPTURE(order);
            CHECK(std::abs(r.mean - limit - order) < 3 * r.error + std::abs(order) / 10 * (20 / r.n));
            CHECK(std::abs(r.mean - limit) > 10 * r.error);
        }
    }

    // tests/formula/references/pair_correction.py, w = 3/2, b = 1/4, relative widths 1, 2, 1/2, layer 4.
    TEST_CASE("eleven digits of another program, smooth units") {
        struct Known {
            SmoothUnit unit;
            std::array<double, 6> rows;  // V of x and xy, x and y, xy and xy, xy and y; G and T
        };
        std::vector<Known> const known = {
            {SmoothUnit::tanh,
             {0.274114283456, 0.111879446552, 0.645659717771, 0.2746048308887, 0.02929038820115, 0.1801149591539}},
            {SmoothUnit::sigmoid,
             {0.1510874012744, 0.1504777461872, 0.1511551485977, 0.1511957170299, -0.0007071590303017,
              -0.001837500295663}},
            {SmoothUnit::softplus,
             {36.60197491165, 35.82269657796, 38.48858249972, 42.99529933842, -0.05343749125524, 0.3089486110784}},
            {SmoothUnit::silu,
             {3.095580427362, 2.674933219839, 3.346797428425, 4.611557859545, 0.1103753109138, 0.7588773272094}},
            {SmoothUnit::gelu,
             {7.708182222881, 6.519557233845, 8.173174138613, 10.64095870974, -0.10824253288, 0.800982900162}},
            {SmoothUnit::elu,
             {14.12873022437, 9.715906616439, 18.02913877995, 17.99419954489, -0.001889650146128, 0.4582768033733}},
            {SmoothUnit::selu,
             {38.67764147845, 21.09131891838, 69.40760191548, 47.02958515546, 0.1655734541034, 1.019803830334}},
            {SmoothUnit::erf,
             {0.3349090504137, 0.1087978609069, 1.041385195147, 0.3341569307127, 0.06049914477291, 0.375247894428}},
            {SmoothUnit::sin,
             {0.2714438710407, 0.07067680041357, 0.8412642641053, 0.2711833487381, 0.08057586788152, 0.4405003907062}},
            {SmoothUnit::cos,
             {0.4357603853478, 0.1981651428783, 0.6539354692801, 0.4362018874456, 0.1171376042187, 0.6134716658995}},
        };
        for (auto const& k : known) {
            WideNetwork const net{
                .unit = k.unit, .weight_variance = ratio(3, 2), .bias_variance = ratio(1, 4), .hidden_layers = 3};
            auto const last =
                pair_corrections(net, {.xx = 1, .xy = ratio(1, 4), .yy = ratio(3, 2)}, {1, 2, ratio(1, 2)}, 230).back();
            CAPTURE(k.rows[2]);
            std::array<Enclosed, 6> const rows{last.vertex_x_xy, last.vertex_x_y, last.vertex,
                                               last.vertex_xy_y, last.kernel,     last.tangent};
            for (std::size_t i = 0; i < rows.size(); ++i) {
                CAPTURE(i);
                CHECK(value(rows[i]) == doctest::Approx(k.rows[i]).epsilon(1e-11));
            }
        }
    }

    // Of equal inputs all is what one input has. At a right angle an odd unit leaves nothing that is odd in y; opposite inputs
    // are one input by such a unit.
    TEST_CASE("smooth units at equal, opposite and orthogonal inputs") {
        for (SmoothUnit const unit : {SmoothUnit::tanh, SmoothUnit::sin, SmoothUnit::elu}) {
            WideNetwork const net{.unit = unit, .weight_variance = 2, .hidden_layers = 3};
            auto const single = width_corrections(net, 1, 160);
            auto const pair = pair_corrections(net, {.xx = 1, .xy = 1, .yy = 1}, {}, 160);
            for (std::size_t l = 0; l < pair.size(); ++l) {
                CHECK(value(pair[l].vertex) == value(single[l].vertex));
                CHECK(value(pair[l].kernel) == value(single[l].kernel));
                CHECK(value(pair[l].tangent) == value(single[l].tangent));
            }
            if (unit == SmoothUnit::elu) continue;
            auto const opposite = pair_corrections(net, {.xx = 1, .xy = -1, .yy = 1}, {}, 160).back();
            CHECK(value(opposite.kernel) == -value(single.back().kernel));
            CHECK(value(opposite.vertex_x_xy) == -value(single.back().vertex));
            auto const across = pair_corrections(net, {.xx = 1, .xy = 0, .yy = 2}, {}, 160).back();
            CHECK(across.kernel.is_zero());
            CHECK(across.tangent.is_zero());
            CHECK(across.vertex_xy_y.is_zero());
            CHECK_FALSE(across.vertex.is_zero());
            CHECK(wide_kernels(net, {.xx = 1, .xy = 0, .yy = 2}, 160).back().tangent.uv.is_zero());
        }
    }

    TEST_CASE("two inputs that are nearly one, by the recursion of pairs") {
        for (SmoothUnit const unit : {SmoothUnit::sin, SmoothUnit::elu}) {
            WideNetwork const net{.unit = unit, .weight_variance = 2, .hidden_layers = 3};
            auto const single = width_corrections(net, 1, 160).back();
            Rational const near = 1 - ratio(1, 1'000'000'000);
            auto const pair = pair_corrections(net, {.xx = 1, .xy = near, .yy = 1}, {}, 300).back();
            CHECK(value(pair.vertex) == doctest::Approx(value(single.vertex)).epsilon(1e-3));
            CHECK(value(pair.kernel) == doctest::Approx(value(single.kernel)).epsilon(1e-3));
            CHECK(value(pair.tangent) == doctest::Approx(value(single.tangent)).epsilon(1e-3));
        }
    }

    TEST_CASE("enclosures of smooth units contain those of twice the precision") {
        for (SmoothUnit const unit : {SmoothUnit::silu, SmoothUnit::selu, SmoothUnit::cos}) {
            WideNetwork const net{
                .unit = unit, .weight_variance = ratio(3, 2), .bias_variance = ratio(1, 4), .hidden_layers = 3};
            InputGram const inputs{.xx = 1, .xy = ratio(2, 3), .yy = 2};
            auto const wide = pair_corrections(net, inputs, {}, 130);
            auto const narrow = pair_corrections(net, inputs, {}, 260);
            for (std::size_t l = 0; l < wide.size(); ++l) {
                CHECK(contains(wide[l].vertex, narrow[l].vertex));
                CHECK(contains(wide[l].vertex_x_y, narrow[l].vertex_x_y));
                CHECK(contains(wide[l].kernel, narrow[l].kernel));
                CHECK(contains(wide[l].tangent, narrow[l].tangent));
            }
        }
        WideNetwork const large{.unit = SmoothUnit::gelu, .weight_variance = 200};
        CHECK_THROWS_AS((void)pair_corrections(large, {.xx = 1, .xy = 0, .yy = 1}, {}, 90), UnsupportedError);
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
            CHECK(contains(wide[l].tangent, narrow[l].tangent));
        }
        CHECK_THROWS_AS((void)pair_corrections(net, inputs, {1, 1}, 90), DomainError);
        CHECK_THROWS_WITH_AS((void)width_corrections(net, 1, 90, {1, 1, 1, 0}),
                             doctest::Contains("0; a width is positive"), DomainError);
        for (InputGram const& none : {InputGram{.xx = 0, .xy = 0, .yy = 0}, InputGram{.xx = 0, .xy = 0, .yy = 1},
                                      InputGram{.xx = 1, .xy = 0, .yy = 0}})
            for (Rational const& bias : {Rational(0), ratio(1, 4)})
                CHECK_THROWS_WITH_AS(
                    (void)pair_corrections({.unit = leaky(ratio(1, 5)), .bias_variance = bias}, none, {}, 90),
                    doctest::Contains("belong to no two inputs"), DomainError);
    }
}
