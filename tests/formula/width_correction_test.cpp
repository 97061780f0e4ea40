// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/formula/width_correction.hpp>
#include <isserlis/mlp/unit.hpp>
#include <isserlis/ring/decimal.hpp>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "middle.hpp"

using isserlis::test::middle;
using namespace isserlis;

TEST_SUITE("formula/width_correction") {
    namespace {

    bool contains(Enclosed const& wide, Enclosed const& narrow) {
        Interval const x = wide.enclose(400);
        Interval const y = narrow.enclose(400);
        return mpfr_lessequal_p(x.lower(), y.lower()) != 0 && mpfr_lessequal_p(y.upper(), x.upper()) != 0;
    }

    /// The variance Q that the units of a layer leave to the next one, and the mean of the tangent kernel there given the layer.
    using State = std::array<double, 2>;

    struct Layer {
        mlp::Unit unit;
        double w, b;

        /// The mean over z of this variance, by Simpson's rule on both sides of 0.
        [[nodiscard]] double mean(auto const& f, double variance) const {
            constexpr int panels = 40;
            constexpr double step = 8.0 / (2 * panels);
            double sum = 0;
            for (int side = -1; side <= 1; side += 2) {
                for (int k = 0; k <= 2 * panels; ++k) {
                    double const u = side * (k == 0 ? 1e-12 : k * step);
                    double const weight = k == 0 || k == 2 * panels ? 1 : k % 2 == 1 ? 4 : 2;
                    sum += weight * std::exp(-u * u / 2) * f(mlp::unit_jet(unit, std::sqrt(variance) * u));
                }
            }
            return sum * step / 3 / std::sqrt(2 * std::numbers::pi);
        }
        [[nodiscard]] double gates(double variance) const {
            return mean([](auto const& jet) { return jet.first * jet.first; }, variance);
        }
        /// The mean of the next one; `exchange` is E z_1 z_2 H_12 given the layer below.
        [[nodiscard]] State next(State const& q, double exchange = 0) const {
            double const kernel = b + w * mean([](auto const& jet) { return jet.value * jet.value; }, q[0]);
            double open = gates(q[0]) * q[1];
            if (exchange != 0) {
                double const h = 1e-4 * q[0];
                open += exchange * (gates(q[0] + h) - gates(q[0] - h)) / h;
            }
            return {kernel, kernel + w * open};
        }
    };

    /// n times what two layers of n units and any third one add to the mean tangent kernel behind them: networks are drawn with
    /// their tangent kernels H_ij, what is of first order in the fluctuation of a layer has mean 0 and is taken off. Mean and
    /// standard error.
    std::pair<double, double> drawn_tangent(Layer const& net, double first, std::size_t n, int networks) {
        std::array<State, 4> wide{State{first, first}};
        for (std::size_t l = 0; l < 3; ++l) wide[l + 1] = net.next(wide[l]);
        std::array<State, 2> slopes{};  // of the last tangent kernel by the state behind layer l
        for (std::size_t l = 0; l < 2; ++l) {
            for (std::size_t i = 0; i < 2; ++i) {
                double const h = 1e-4 * first;
                auto const last = [&](double shift) {
                    State q = wide[l + 1];
                    q[i] += shift;
                    for (std::size_t m = l; m < 2; ++m) q = net.next(q);
                    return q[1];
                };
                slopes[l][i] = (last(h) - last(-h)) / (2 * h);
            }
        }
        std::mt19937_64 random(3);  // NOLINT(cert-msc51-cpp,cert-msc32-c): the same networks each time
        std::normal_distribution<double> normal;
        double const share = net.w / static_cast<double>(n);
        double sum = 0;
        double squares = 0;
        for (int s = 0; s < networks; ++s) {
            std::vector<mlp::UnitJet<double>> units;
            for (std::size_t j = 0; j < n; ++j)
                units.push_back(mlp::unit_jet(net.unit, std::sqrt(first) * normal(random)));
            std::vector<double> tangent(n * n, 0.0);
            for (std::size_t j = 0; j < n; ++j) tangent[j * n + j] = first;
            State q{first, first};
            double exchange = 0;
            double linear = 0;
            for (std::size_t l = 0; l < 2; ++l) {
                State const mean = net.next(q, exchange);
                q = {net.b, 0};
                exchange = 0;
                for (std::size_t j = 0; j < n; ++j) {
                    q[0] += share * units[j].value * units[j].value;
                    q[1] += share * units[j].first * units[j].first * tangent[j * n + j];
                    for (std::size_t k = 0; k < n; ++k)
                        exchange += share * share * units[j].value * units[j].first * units[k].value * units[k].first *
                                    tangent[j * n + k];
                }
                q[1] += q[0];
                for (std::size_t i = 0; i < 2; ++i) linear += slopes[l][i] * (q[i] - mean[i]);
                if (l == 1) break;
                // The next layer, and H_ij = delta_ij Q + sum_a W_ia W_ja sigma'_a^2 H_aa of the diagonal one below.
                std::vector<double> weights(n * n);
                for (double& x : weights) x = std::sqrt(share) * normal(random);
                std::vector<mlp::UnitJet<double>> next;
                std::vector<double> above(n * n, 0.0);
                for (std::size_t i = 0; i < n; ++i) {
                    double z = std::sqrt(net.b) * normal(random);
                    for (std::size_t a = 0; a < n; ++a) z += weights[i * n + a] * units[a].value;
                    next.push_back(mlp::unit_jet(net.unit, z));
                    above[i * n + i] = q[0];
                    for (std::size_t j = 0; j < n; ++j)
                        for (std::size_t a = 0; a < n; ++a)
                            above[i * n + j] +=
                                weights[i * n + a] * weights[j * n + a] * units[a].first * units[a].first * first;
                }
                units = std::move(next);
                tangent = std::move(above);
            }
            double const gap = static_cast<double>(n) * (net.next(q, exchange)[1] - wide[3][1] - linear);
            sum += gap;
            squares += gap * gap;
        }
        double const mean = sum / networks;
        return {mean, std::sqrt((squares / networks - mean * mean) / networks)};
    }

    }  // namespace

    // docs/formulas/width_correction.md: 20 a layer; a linear unit 2 K^2 a layer, E z^4 = 3 K^2 (1 + 2/n)^l. Theta^l = 2 l, and
    // with E sigma^2 sigma'^2 = 1, E sigma^2 = 1, E sigma'^2 = 1/2: F' = 8 l + F, D' = 20 l + 4 l + D.
    TEST_CASE("ReLU and linear networks by hand") {
        auto const relu =
            width_corrections({.unit = Gate<Rational>(), .weight_variance = 2, .hidden_layers = 5}, 1, 100);
        REQUIRE(relu.size() == 6);
        for (std::size_t l = 0; l < 6; ++l) {
            CHECK(*relu[l].vertex.exact() == Rational(20 * static_cast<int>(l)));
            CHECK(relu[l].kernel.is_zero());
            CHECK(relu[l].tangent.is_zero());
            CHECK(*relu[l].tangent_exchange.exact() == Rational(4 * static_cast<int>(l * (l + 1))));
            CHECK(*relu[l].tangent_vertex.exact() == Rational(12 * static_cast<int>(l * (l + 1))));
        }
        auto const linear = width_corrections({.unit = Gate<Rational>::open(), .hidden_layers = 3}, 3, 100);
        CHECK(*linear[3].vertex.exact() == 54);
    }

    // Layers of c_1 n and c_2 n units: each adds its part over its own factor, so that parts of two runs make up a third, and all
    // behind the first layer alone is its part over c_1.
    TEST_CASE("layers of unlike widths add up") {
        WideNetwork const net{
            .unit = SmoothUnit::tanh, .weight_variance = 2, .bias_variance = ratio(1, 3), .hidden_layers = 2};
        auto const of = [&](int first, int second) {
            return width_corrections(net, 1, 100, {Rational(first), Rational(second)});
        };
        auto const equal = of(1, 1);
        auto const lower = of(3, 1);
        auto const upper = of(1, 3);
        auto const both = of(3, 3);
        auto const plain = width_corrections(net, 1, 100);
        for (auto const member : {&WidthCorrection::vertex, &WidthCorrection::kernel, &WidthCorrection::tangent,
                                  &WidthCorrection::tangent_vertex, &WidthCorrection::tangent_exchange}) {
            auto const at = [&](auto const& out, std::size_t layer) { return middle(out[layer].*member); };
            CHECK(at(plain, 2) == doctest::Approx(at(equal, 2)).epsilon(1e-13));
            CHECK(at(equal, 1) == doctest::Approx(3 * at(lower, 1)).epsilon(1e-13));
            CHECK(at(equal, 1) == doctest::Approx(at(upper, 1)).epsilon(1e-13));
            CHECK(at(equal, 2) == doctest::Approx(3 * at(both, 2)).epsilon(1e-13));
            CHECK(at(lower, 2) + at(upper, 2) == doctest::Approx(at(equal, 2) + at(both, 2)).epsilon(1e-13));
        }
    }

    // tests/formula/references/width_correction.py, w = 3/2, b = 1/4, |x|^2 = n_0, layer 4.
    TEST_CASE("twelve digits of another program") {
        struct Known {
            SmoothUnit unit;
            char const* vertex;
            char const* kernel;
            char const* tangent;
        };
        std::vector<Known> const known = {
            {SmoothUnit::tanh, "0.226624661451", "-0.0512936305361", "-0.0650988014462"},
            {SmoothUnit::sigmoid, "0.0760244385837", "-0.00148934793001", "-0.00398729648175"},
            {SmoothUnit::softplus, "26.0112431895", "0.150194379279", "1.19331177253"},
            {SmoothUnit::silu, "3.94588144967", "0.512161395322", "2.48122211505"},
            {SmoothUnit::gelu, "9.44996933425", "0.247347528598", "1.08719612403"},
            {SmoothUnit::elu, "19.2511541880", "-0.328282671174", "-1.38322447085"},
            {SmoothUnit::selu, "61.9937902381", "-0.779185512028", "-3.03105484353"},
            {SmoothUnit::erf, "0.295393126886", "-0.0586021949789", "-0.0131042994165"},
            {SmoothUnit::sin, "0.283534669765", "-0.0859528938522", "-0.148176724802"},
            {SmoothUnit::cos, "0.282201616723", "0.0381254287213", "0.157479387081"},
        };
        for (auto const& k : known) {
            CAPTURE(k.vertex);
            WideNetwork const net{.unit = k.unit,
                                  .weight_variance = ratio(Integer(3), Integer(2)),
                                  .bias_variance = ratio(Integer(1), Integer(4)),
                                  .hidden_layers = 3};
            auto const digits = [&](Enclosed WidthCorrection::*member) {
                return decimal(
                    [&](unsigned bits) {
                        return (width_corrections(net, 1, bits + 64).back().*member).enclose(bits + 64);
                    },
                    12);
            };
            CHECK(digits(&WidthCorrection::vertex) == k.vertex);
            CHECK(digits(&WidthCorrection::kernel) == k.kernel);
            CHECK(digits(&WidthCorrection::tangent) == k.tangent);
            auto const wide = width_corrections(net, 1, 90);
            auto const narrow = width_corrections(net, 1, 180);
            for (std::size_t l = 0; l < wide.size(); ++l) {
                CHECK(contains(wide[l].vertex, narrow[l].vertex));
                CHECK(contains(wide[l].kernel, narrow[l].kernel));
                CHECK(contains(wide[l].tangent, narrow[l].tangent));
                CHECK(contains(wide[l].tangent_vertex, narrow[l].tangent_vertex));
                CHECK(contains(wide[l].tangent_exchange, narrow[l].tangent_exchange));
            }
        }
    }

    // [Guillen 2025, figure 2] draws the first order of GELU networks of 3 hidden layers at an input of 4 coordinates, weights
    // of variance 1.98305826/fan_in: read off its curve at 11 widths 1.4144 (10) beside 1.7493, of Theta/w.
    TEST_CASE("the tangent kernel of GELU networks that a figure shows") {
        Rational const w = ratio(198305826, 100000000);
        WideNetwork const net{.unit = SmoothUnit::gelu, .weight_variance = w, .hidden_layers = 3};
        Rational const square = ratio(6340051557, 10000000000);  // of the input printed with it
        auto const at = [&](Enclosed const& x) {
            return mpfr_get_d((x / Enclosed(w)).enclose(100).lower(), MPFR_RNDN);
        };
        CHECK(std::abs(at(width_corrections(net, square, 100).back().tangent) - 1.4144) < 0.001);
        auto const wide = wide_kernels(net, {.xx = square, .xy = square, .yy = square}, 100);
        CHECK(std::abs(at(wide.back().tangent.uu) - 1.7493) < 0.0002);
    }

    TEST_CASE("the tangent kernel of drawn networks of smooth units") {
        struct Case {
            SmoothUnit unit;
            char const* sampled;
            int w;
        };
        for (auto const& c : {Case{SmoothUnit::tanh, "tanh", 4}, Case{SmoothUnit::silu, "swish", 2},
                              Case{SmoothUnit::selu, "selu", 2}}) {
            CAPTURE(c.sampled);
            WideNetwork const net{
                .unit = c.unit, .weight_variance = c.w, .bias_variance = ratio(1, 10), .hidden_layers = 3};
            double const exact = middle(width_corrections(net, 1, 100).back().tangent);
            Layer const layer{.unit = {.kind = *mlp::unit_kind(c.sampled)}, .w = 1.0 * c.w, .b = 0.1};
            auto const [mean, error] = drawn_tangent(layer, c.w + 0.1, 40, 1500);
            CAPTURE(exact);
            CAPTURE(mean);
            CAPTURE(error);
            // Order 1/n^2 is left: some percent here.
            CHECK(std::abs(mean - exact) < 5 * error + 0.05 * std::abs(exact));
            CHECK(error < 0.1 * std::abs(exact));
        }
    }

    TEST_CASE("what is out of reach is refused") {
        CHECK_THROWS_AS((void)width_corrections({.unit = SmoothUnit::erf, .weight_variance = 20000}, 1, 100),
                        UnsupportedError);
        CHECK_THROWS_AS((void)width_corrections({.unit = SmoothUnit::erf, .weight_variance = 0}, 1, 100), DomainError);
        CHECK_NOTHROW((void)width_corrections({.unit = SmoothUnit::sin}, 10000, 100));
        CHECK_THROWS_AS((void)width_corrections({.unit = SmoothUnit::sin}, 10001, 100), UnsupportedError);
    }
}
