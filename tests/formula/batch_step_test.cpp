// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/batch_step.hpp>
#include <isserlis/formula/loss_curve_squared.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "hessian_networks.hpp"

using namespace isserlis;
using isserlis::testing::by_strands;
using isserlis::testing::over;
using isserlis::testing::raw_network;

namespace {

/// E y_k.y_l of two inputs.
template <class T>
std::vector<std::vector<T>> uncorrelated(T const& second) {
    return {{second, T(0)}, {T(0), second}};
}

}  // namespace

TEST_SUITE("formula/batch_step") {
    // By strands, which know one input: z{1}[i;m] z[j;m] z[j] with both labels in layer 1, whose weights move.
    TEST_CASE("one input is what strands give, and equal ones with other targets") {
        for (auto const& slope : {Rational(0), ratio(1, 4), Rational(1)}) {
            auto const net = raw_network({3, 4, 2}, slope);
            auto const one = *exact_batch_step(over<Surd>(net), {{5}}, {{Surd(3)}});
            REQUIRE(one.size() == 1);
            auto const a = by_strands(net, "z{1}[1;m] z[j;m] z[j] z{1}[1;n] z[k;n] z[k]", 5);
            auto const b = by_strands(net, "z{1}[1;m] z[j;m] z{1}[1;n] z[j;n]", 5);
            CHECK(one[0].a == Surd(a));
            CHECK(one[0].b == Surd(Rational(b * 3 / 2)));
            auto const equal = *exact_batch_step(over<Surd>(net), {{5, 5}, {5, 5}}, uncorrelated(Surd(3)));
            for (auto const& x : equal) {
                CHECK(x.a == one[0].a);
                CHECK(x.b == one[0].b / Surd(2));
            }
        }
    }

    TEST_CASE("one input behind biases that stay is what strands give") {
        auto net = raw_network({3, 4, 2}, ratio(1, 4));
        auto of_pairs = over<Surd>(net);
        for (std::size_t l = 0; l < 2; ++l) {
            Rational const variance = ratio(static_cast<int>(l) + 1, 5);
            net.layers[l].bias = Bias<Rational>{.variance = variance};
            of_pairs.layers[l].bias = Bias<Surd>{.variance = Surd(variance)};
        }
        auto const one = *exact_batch_step(of_pairs, {{5}}, {{Surd(3)}});
        CHECK(one[0].a == Surd(by_strands(net, "z{1}[1;m] z[j;m] z[j] z{1}[1;n] z[k;n] z[k]", 5)));
        CHECK(one[0].b == Surd(Rational(by_strands(net, "z{1}[1;m] z[j;m] z{1}[1;n] z[j;n]", 5) * 3 / 2)));
    }

    // Brute force: lower weights +-1, upper ones 0 or +-sqrt(3/2), of variance 1/2 and kurtosis 3, targets +-1. The
    // gradient by lower weights is the mean over inputs of g_a sum_i V_ia e_i x'.
    TEST_CASE("every network of a small discrete law, at three inputs") {
        using Vector = std::array<double, 2>;
        std::array<Vector, 3> const inputs{{{2, 1}, {1, -3}, {-1, 2}}};
        double const slope = 0.25;
        double const root = std::sqrt(1.5);
        auto const sign = [](unsigned bits, unsigned k) { return (bits >> k & 1U) != 0 ? 1.0 : -1.0; };
        auto const inner = [](Vector const& x, Vector const& y) { return x[0] * y[0] + x[1] * y[1]; };
        auto const gate = [&](double u) { return u > 0 ? 1 : slope; };
        std::array<double, 3> mean{};
        double total_weight = 0;
        for (unsigned lower = 0; lower < 16; ++lower) {
            for (unsigned upper = 0; upper < 81; ++upper) {
                std::array<double, 4> v{};
                double weight = 1;
                unsigned rest = upper;
                for (unsigned k = 0; k < 4; ++k, rest /= 3) {
                    v[k] = std::array<double, 3>{0, root, -root}[rest % 3];
                    weight *= rest % 3 == 0 ? 4 : 1;
                }
                for (unsigned targets = 0; targets < 64; ++targets) {
                    Vector change_of_row{};
                    for (unsigned k = 0; k < 3; ++k) {
                        Vector u{};
                        for (unsigned a = 0; a < 2; ++a)
                            u[a] = inner({sign(lower, 2 * a), sign(lower, 2 * a + 1)}, inputs[k]);
                        double back = 0;
                        for (unsigned i = 0; i < 2; ++i) {
                            double error = -sign(targets, 2 * k + i);
                            for (unsigned a = 0; a < 2; ++a) error += v[2 * i + a] * gate(u[a]) * u[a];
                            back += v[2 * i] * error;
                        }
                        for (unsigned m = 0; m < 2; ++m) change_of_row[m] -= 2 * gate(u[0]) * back * inputs[k][m] / 3;
                    }
                    for (unsigned k = 0; k < 3; ++k) {
                        double const moved = inner(change_of_row, inputs[k]);
                        mean[k] += weight * moved * moved;
                    }
                    total_weight += weight;
                }
            }
        }
        TwoLayers<double> const layers{.hidden = 2,
                                       .outputs = 2,
                                       .lower_variance = 1,
                                       .upper_variance = 0.5,
                                       .lower_factor = 2,
                                       .upper_factor = 1};
        std::array<double, 3> sum{};
        for (unsigned k = 0; k < 3; ++k) {
            for (unsigned l = 0; l < 3; ++l) {
                NeuronMoments<double> m{};
                for (unsigned row = 0; row < 4; ++row) {
                    double const u = inner({sign(row, 0), sign(row, 1)}, inputs[k]);
                    double const w = inner({sign(row, 0), sign(row, 1)}, inputs[l]);
                    double const both = gate(u) * gate(w);
                    m.gates += both / 4;
                    m.kernel += both * u * w / 4;
                    m.mixed += both * both * u * w / 4;
                }
                auto const x = error_product(layers, m, k == l ? 2.0 : 0.0);
                for (unsigned at = 0; at < 3; ++at)
                    sum[at] += 4 * inner(inputs[at], inputs[k]) * inner(inputs[at], inputs[l]) * x.change_squared() / 9;
            }
        }
        for (unsigned k = 0; k < 3; ++k) CHECK(sum[k] == doctest::Approx(mean[k] / total_weight).epsilon(1e-12));
    }

    // Inputs -2, 1 and 3 on a line with products of targets of rank 2: the double sum of each batch, and their mean.
    TEST_CASE("batches drawn from the inputs are the mean over all of them") {
        auto const net = over<Surd>(raw_network({1, 3, 2}, ratio(1, 4)));
        std::array<int, 3> const x{-2, 1, 3};
        std::vector<std::vector<Rational>> gram(3);
        std::vector<std::vector<Surd>> targets(3);
        for (std::size_t k = 0; k < 3; ++k) {
            for (std::size_t l = 0; l < 3; ++l) {
                gram[k].emplace_back(x[k] * x[l]);
                targets[k].emplace_back(static_cast<int>(1 + k * l));
            }
        }
        auto const at_its_first = [&](std::vector<std::size_t> const& batch) {
            std::vector<std::vector<Rational>> products;
            std::vector<std::vector<Surd>> of_targets;
            for (auto const k : batch) {
                products.emplace_back();
                of_targets.emplace_back();
                for (auto const l : batch) {
                    products.back().push_back(gram[k][l]);
                    of_targets.back().push_back(targets[k][l]);
                }
            }
            return exact_batch_step(net, products, of_targets)->front();
        };
        // On a line the change is proportional to the input.
        auto const at_first = [&](std::vector<std::size_t> const& batch) {
            Surd const scale(ratio(x[0] * x[0], x[batch.front()] * x[batch.front()]));
            return at_its_first(batch).change_squared() * scale;
        };
        auto const step = [&](std::uint64_t size) {
            return exact_batch_step(net, gram, targets, own_share({.size = size}, 3))->front().change_squared();
        };
        CHECK(step(3) == at_first({0, 1, 2}));
        CHECK(step(2) == (at_first({0, 1}) + at_first({0, 2}) + at_first({1, 2})) / Surd(3));
        CHECK(step(1) == (at_first({0}) + at_first({1}) + at_first({2})) / Surd(3));
    }

    TEST_CASE("targets of another number than the inputs are refused") {
        auto const net = over<Surd>(raw_network({1, 3, 2}, Rational(0)));
        CHECK_THROWS_AS((void)exact_batch_step(net, {{1}}, uncorrelated(Surd(1))), DomainError);
        CHECK_THROWS_AS((void)batch_step(net, {{1}}, uncorrelated(Enclosed(1)), 0, 64), DomainError);
    }

    TEST_CASE("enclosures are those of exact values and hold at twice the precision") {
        auto const net = over<Surd>(raw_network({2, 3, 2}, ratio(1, 4)));
        auto const targets = uncorrelated(Enclosed(3));
        auto const aligned = batch_step(net, {{1, -2}, {-2, 4}}, targets, 0, 64);
        auto const exact = *exact_batch_step(net, {{1, -2}, {-2, 4}}, uncorrelated(Surd(3)));
        for (std::size_t k = 0; k < 2; ++k) {
            REQUIRE(aligned[k].a.exact() != nullptr);
            CHECK(Surd(*aligned[k].a.exact()) == exact[k].a);
        }
        auto const rough = batch_step(net, {{1, 1}, {1, 3}}, targets, 0, 64)[1].change_squared().enclose(64);
        auto const fine = batch_step(net, {{1, 1}, {1, 3}}, targets, 0, 128)[1].change_squared().enclose(128);
        CHECK(mpfr_cmp(rough.lower(), fine.lower()) <= 0);
        CHECK(mpfr_cmp(rough.upper(), fine.upper()) >= 0);
        CHECK(mpfr_cmp(rough.lower(), rough.upper()) < 0);
        CHECK(exact_batch_step(net, {{1, 1}, {1, 3}}, uncorrelated(Surd(3))) == std::nullopt);
    }

    TEST_CASE("what is not closed is refused by name") {
        auto const deep = over<Surd>(raw_network({2, 3, 3, 1}, 0));
        CHECK_THROWS_WITH_AS((void)batch_step(deep, {{1}}, {{Enclosed(1)}}, 0, 64),
                             "batch_step: it is closed for one hidden layer", UnsupportedError);
    }
}
