// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/coordinate_moments.hpp>
#include <isserlis/mlp/jet.hpp>
#include <isserlis/mlp/network.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/ring/decimal.hpp>

#include <cmath>
#include <numbers>

#include "hessian_networks.hpp"
#include "middle.hpp"
#include "mup_networks.hpp"

using isserlis::coordinate_change_means;
using isserlis::coordinate_moments;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Surd;
using isserlis::test::middle;
using isserlis::testing::mup_network;

namespace {

std::vector<std::vector<int>> const networks{{1, 1, 1},    {2, 3, 1},    {2, 3, 2},
                                             {2, 3, 2, 1}, {3, 2, 4, 3}, {1, 2, 1, 3, 2}};

isserlis::FullyConnected<Rational, std::uint64_t> network_of(std::vector<int> const& widths) {
    std::vector<Rational> rates;
    for (std::size_t l = 0; l + 1 < widths.size(); ++l) rates.push_back(ratio(static_cast<int>(l) + 2, 3));
    return mup_network(std::vector<Rational>(widths.begin(), widths.end()), rates);
}

std::vector<double> change_means(isserlis::FullyConnected<Rational, std::uint64_t> const& net, Rational const& square) {
    std::vector<double> out;
    for (auto const& mean : coordinate_change_means(isserlis::testing::over<Surd>(net), Surd(square), 64))
        out.push_back(middle(mean));
    return out;
}

/// z of every layer and its derivative along the step, on one drawn network: forward over the dual numbers w + e dw.
struct Step {
    std::vector<isserlis::mlp::Vector<double>> z;
    std::vector<isserlis::mlp::Vector<double>> change;
};

Step step_of(isserlis::mlp::Network<double> const& net, isserlis::mlp::Vector<double> const& x,
             isserlis::mlp::Vector<double> const& y, std::vector<double> const& rates) {
    using Dual = isserlis::mlp::Jet<1>;
    auto const pass = isserlis::mlp::forward(net, x);
    isserlis::mlp::Vector<double> const slope = pass.activations.back() - y;
    auto const gradient = isserlis::mlp::backward(net, x, slope);
    isserlis::mlp::Network<Dual> moved;
    moved.layers.resize(net.layers.size());
    for (std::size_t l = 0; l < net.layers.size(); ++l) {
        auto const& w = net.layers[l].weights;
        auto& into = moved.layers[l].weights;
        into.resize(w.rows(), w.cols());
        for (Eigen::Index i = 0; i < w.size(); ++i) {
            into.data()[i] = Dual(w.data()[i]);
            into.data()[i].coefficients[1] = -rates[l] * gradient[l].weights.data()[i];
        }
    }
    isserlis::mlp::Vector<Dual> start(x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) start[i] = Dual(x[i]);
    Step out{.z = pass.preactivations, .change = {}};
    for (std::size_t l = 0; l < net.layers.size(); ++l) {
        isserlis::mlp::Vector<Dual> z =
            isserlis::mlp::Vector<Dual>::Constant(moved.layers[l].weights.rows(), Dual(0.0));
        for (Eigen::Index i = 0; i < z.size(); ++i) {
            for (Eigen::Index j = 0; j < start.size(); ++j) z[i] += moved.layers[l].weights(i, j) * start[j];
        }
        isserlis::mlp::Vector<double> change(z.size());
        start.resize(z.size());
        for (Eigen::Index i = 0; i < z.size(); ++i) {
            change[i] = z[i].top();
            start[i] = z[i].real() > 0 ? z[i] : Dual(0.0);
        }
        out.change.push_back(change);
    }
    return out;
}

}  // namespace

TEST_SUITE("formula/coordinate_moments") {
    TEST_CASE("the second moments of every layer, the output too, equal the strand engine") {
        for (auto const& widths : networks) {
            auto const net = network_of(widths);
            Rational const target = ratio(5, 2);
            auto const layers = coordinate_moments(net, Rational(3), target);
            REQUIRE(layers.size() == net.layers.size());
            for (std::size_t l = 1; l <= layers.size(); ++l) {
                INFO("layer ", l, " of ", layers.size());
                std::string const z = l == layers.size() ? "z" : "z{" + std::to_string(l) + "}";
                Rational const n = net.layers[l - 1].fan_out;
                auto strands = [&](std::string const& query) {
                    return Rational(isserlis::testing::by_strands(net, query, 3) / n);
                };
                CHECK(layers[l - 1].square == strands(z + "[i]^2"));
                CHECK(layers[l - 1].covariance == -strands(z + "[i] " + z + "[i;m] z[j;m] z[j]"));
                // Equal targets of second moment E|y|^2/N, uncorrelated.
                Rational const of_target =
                    target / net.output_width() * strands(z + "[i;m] z[j;m] " + z + "[i;n] z[j;n]");
                CHECK(layers[l - 1].change_square ==
                      strands(z + "[i;m] z[j;m] z[j] " + z + "[i;n] z[k;n] z[k]") + of_target);
            }
        }
    }

    TEST_CASE("one layer by balanced products is that of the sweep, the output too") {
        for (auto const& widths : networks) {
            auto const net = network_of(widths);
            auto const layers = coordinate_moments(net, Rational(3), ratio(5, 2));
            for (std::size_t l = 1; l <= layers.size(); ++l)
                CHECK(isserlis::coordinate_moments_of_layer(net, Rational(3), ratio(5, 2), l) == layers[l - 1]);
        }
    }

    // By the recursion of the mean in a chain of single neurons, all of it on one quadrant: E z_l+ = (v/(2 pi))^(1/2)
    // for each layer, and the change of layer l is a sum over labels k of products with one cube: l E z+^3 E z+^(l-1).
    TEST_CASE("the mean of the change keeps its digits in a deep chain") {
        std::size_t const depth = 2000;
        auto const net = mup_network(std::vector<Rational>(depth + 2, 1), std::vector<Rational>{1});
        auto const means = coordinate_change_means(isserlis::testing::over<Surd>(net), Surd(1), 64);
        double const half = 1 / std::sqrt(std::numbers::pi);
        double const cube = 4 * half;  // 2 v times that, v = 2
        double expected = std::log(static_cast<double>(depth) * half) + static_cast<double>(depth - 1) * std::log(cube);
        // Layer k's label leaves w_k^1 and cubes all the others.
        isserlis::Interval const log_mean = log(isserlis::Interval(64) - means.back());
        CHECK(middle(log_mean) == doctest::Approx(expected).epsilon(1e-12));
        CHECK(mpfr_get_d(log_mean.upper(), MPFR_RNDN) - middle(log_mean) < 1e-15 * std::abs(expected));
    }

    // By hand: one hidden layer, Delta z_i = -h |x|^2 1(z_i > 0) sum_k w_ki (z_k - y_k), so that
    // E Delta z_i = -h |x|^2 N/n^2 E relu(z_i), and z_i has the variance v |x|^2.
    TEST_CASE("with one hidden layer the mean of the change is that of relu of a normal") {
        auto const net = mup_network(std::vector<Rational>{2, 3, 4}, std::vector<Rational>{ratio(2, 5), 1});
        auto const mean = change_means(net, 7);
        REQUIRE(mean.size() == 1);
        CHECK(mean[0] == doctest::Approx(-0.4 * 7 * 4.0 / 9 * std::sqrt(7 / (2 * std::numbers::pi))).epsilon(1e-15));
    }

    // By hand: widths 1,1,1,1. z2 = w2 relu(w1 x), z3 = w3 relu(z2). Only the quadrant w1, w2 > 0 (x > 0) is left, with
    // Delta z2 = -(w3^2 z2)(h2 w1^2 x^2 + h1 w2^2 x^2): E = -x^3 (h2 E w1^3 E w2 + h1 E w1 E w2^3) over positive parts,
    // E w3^2 = 1; E w+ = sqrt(v/(2 pi)), E w+^3 = 2 v sqrt(v/(2 pi)), v = 2.
    TEST_CASE("a chain of single neurons has the mean of its positive quadrant") {
        auto const net = mup_network(std::vector<Rational>{1, 1, 1, 1}, std::vector<Rational>{ratio(1, 3), 2, 1});
        auto const mean = change_means(net, 9);
        REQUIRE(mean.size() == 2);
        double const half = std::sqrt(2 / (2 * std::numbers::pi));
        CHECK(mean[1] == doctest::Approx(-27 * (1.0 / 3 + 2) * 4 * half * half).epsilon(1e-15));
    }

    // By hand, hidden layers of two neurons at x = 1: with h the coordinates of layer 1 and k of its gates open, the rows w_i
    // of W2 give z_i = |h| a_i, a_i along h, and k - 1 coordinates b_i across it, all of variance v = 1. So of layer 2
    // K_ij = t2 |h|^2 [i = j] + t1 (a_i a_j + b_i.b_j), and with A^2 the sum of a_i^2 over its m open gates
    //     E g^T K g/|g| = t2 E|h|^3 E A + t1 (E|h| E A^3 + E(k - 1)|h| E A), g its coordinates,
    //     E |g| tr K less that = (t2 E|h|^3 + t1 E(k - 1)|h|) E (m - 1) A.
    // A is chi_m: E A = s/2 + r/4, E A^3 = 2 s/2 + 3 r/4, E (m - 1) A = r/4, s = sqrt(2/pi), r = sqrt(pi/2).
    TEST_CASE("the mean of the change of a third hidden layer by hand") {
        using std::numbers::pi;
        double const t1 = 0.5, t2 = 3, t3 = 0.25;
        auto const net =
            mup_network(std::vector<Rational>{1, 2, 2, 5, 4}, std::vector<Rational>{ratio(1, 2), 3, ratio(1, 4), 7});
        auto const mean = change_means(net, 1);
        REQUIRE(mean.size() == 3);
        double const s = std::sqrt(2 / pi), r = std::sqrt(pi / 2);
        double const first = s / 2 + r / 4, third = s + 0.75 * r, others = r / 4;
        double const root = std::sqrt(2.0);  // layer 1 has the variance 2, the others 1
        double const length = root * first, cube = 2 * root * third, pairs = root * others;
        double const along = t2 * cube * first + t1 * (length * third + pairs * first);
        double const across = (t2 * cube + t1 * pairs) * others;
        // E relu(u) (t3 |g|^2 + w^T K w) of u = w.g; N/(n3 n3) = 4/25 of it reach the output and come back.
        double const expected = t3 * cube * third + 2 * along + across;
        CHECK(mean[2] == doctest::Approx(-4.0 / 25 / std::sqrt(2 * pi) * expected).epsilon(1e-14));
    }

    TEST_CASE("sampled networks have these means and second moments before and after the step") {
        std::vector<int> const widths{3, 4, 2, 5, 2};
        std::vector<Rational> const rates{ratio(1, 20), ratio(1, 15), ratio(1, 10), ratio(1, 40)};
        auto const net = mup_network(std::vector<Rational>(widths.begin(), widths.end()), rates);
        Rational const square = 4;
        auto const exact = coordinate_moments(net, square, Rational(2));
        auto const means = change_means(net, square);
        isserlis::monte_carlo::NetworkModel model;
        std::vector<double> h;
        model.widths.assign(widths.begin(), widths.end());
        for (auto const& run : net.layers) {
            model.variances.push_back(run.variance.convert_to<double>());
            model.laws.emplace_back();
            h.push_back(run.label_factor.convert_to<double>());
        }
        model.input = {2, 0, 0};
        isserlis::mlp::Vector<double> const x{{2, 0, 0}};
        isserlis::mlp::Vector<double> y{{1, -1}};
        std::size_t const layers = net.layers.size();
        std::vector<isserlis::monte_carlo::RunningVariance> mean(layers), updated(layers);
        for (std::uint64_t i = 0; i < 200000; ++i) {
            y = -y;  // of mean 0, for the output layer
            auto const step = step_of(isserlis::monte_carlo::draw_network<double>(model, 5, i), x, y, h);
            for (std::size_t l = 0; l < layers; ++l) {
                mean[l].push(step.change[l].mean());
                updated[l].push((step.z[l] + step.change[l]).squaredNorm() / static_cast<double>(widths[l + 1]));
            }
        }
        for (std::size_t l = 0; l < layers; ++l) {
            INFO("layer ", l + 1);
            double const of_mean = l + 1 < layers ? means[l] : 0;
            CHECK(std::abs(mean[l].mean() - of_mean) < 5 * mean[l].estimate().std_error);
            double const of_square = exact[l].updated_square().convert_to<double>();
            CHECK(std::abs(updated[l].mean() - of_square) < 5 * updated[l].estimate().std_error);
            CHECK(updated[l].estimate().std_error < 0.1 * of_square);
            if (l + 1 < layers) CHECK(mean[l].estimate().std_error < -0.05 * of_mean);
        }
    }

    TEST_CASE("widths as symbols and as numbers agree") {
        auto const n = RationalFunction::symbol("n");
        auto const formula =
            coordinate_moments(mup_network(std::vector<RationalFunction>{n, n, n, 1}, std::vector<RationalFunction>{1}),
                               n, RationalFunction(1));
        auto const number = coordinate_moments(mup_network(std::vector<Rational>{5, 5, 5, 1}, std::vector<Rational>{1}),
                                               Rational(5), Rational(1));
        for (std::size_t l = 0; l < number.size(); ++l) {
            CHECK(formula[l].covariance.evaluate({{"n", 5}}) == Surd(number[l].covariance));
            CHECK(formula[l].change_square.evaluate({{"n", 5}}) == Surd(number[l].change_square));
        }
    }

    TEST_CASE("networks that are not muP are refused") {
        auto net = network_of({2, 3, 2, 1});
        net.layers.back().variance = 1;
        CHECK_THROWS_AS((void)coordinate_moments(net, Rational(1), Rational(1)), isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)change_means(net, 1), isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)change_means(network_of({2, 1'000'001, 2, 1}), 1), isserlis::UnsupportedError);
        auto const served = network_of({2, 3, 2, 1});
        for (std::uint64_t const layer : {0U, 4U})
            CHECK_THROWS_WITH_AS((void)isserlis::coordinate_moments_of_layer(served, Rational(1), Rational(1), layer),
                                 doctest::Contains("; layers are 1 .. 3"), isserlis::DomainError);
    }

    // E |g| = sqrt(2/pi), E relu(g) = 1/sqrt(2 pi); of two neurons E |relu(g)| = E chi_K, K binomial over two coins:
    // 1/2 sqrt(2/pi) + 1/4 sqrt(pi/2).
    TEST_CASE("mean absolute values by hand") {
        using std::numbers::pi;
        auto const net = [](std::vector<int> const& widths) {
            return isserlis::testing::over<Surd>(mup_network(std::vector<Rational>(widths.begin(), widths.end()),
                                                             std::vector<Rational>(2, Rational(1))));
        };
        auto const one = isserlis::absolute_preactivation_means(net({1, 1, 1}), Surd(9), 64);
        REQUIRE(one.size() == 2);
        CHECK(middle(one[0]) == doctest::Approx(3 * 2 / std::sqrt(pi)));
        CHECK(middle(one[1]) == doctest::Approx(3 * std::sqrt(2.0) / pi));
        auto const two = isserlis::absolute_preactivation_means(net({1, 2, 1}), Surd(1), 64);
        double const length = std::sqrt(2.0) * (std::sqrt(2 / pi) / 2 + std::sqrt(pi / 2) / 4);  // E |h|
        CHECK(middle(two[1]) == doctest::Approx(std::sqrt(2 / pi) * 0.5 * length));
        // Of three: 3/8 E chi_1 + 3/8 E chi_2 + 1/8 E chi_3, E chi_3 = 2 sqrt(2/pi).
        auto const three = isserlis::absolute_preactivation_means(net({1, 3, 1}), Surd(1), 64);
        double const of_three = std::sqrt(2.0) * (5 * std::sqrt(2 / pi) + 3 * std::sqrt(pi / 2)) / 8;
        CHECK(middle(three[1]) == doctest::Approx(std::sqrt(2 / pi) / 3 * of_three));
        CHECK_THROWS_AS((void)isserlis::absolute_preactivation_means(
                            {.layers = net({1, 2, 1}).layers,
                             .activation = {.kind = isserlis::ActivationKind::linear, .slope = Surd(1)}},
                            Surd(1), 64),
                        isserlis::UnsupportedError);
    }
}
