// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/graph_network.hpp>
#include <isserlis/monte_carlo/data_hessian_sampler.hpp>
#include <isserlis/monte_carlo/top_eigenvalue.hpp>
#include <isserlis/network/zoo.hpp>

using namespace isserlis::monte_carlo;

namespace {

/// Linear, of widths 2, 3, 2, 2.
GraphModel linear_network() {
    isserlis::FullyConnected<double, std::uint64_t> net;
    net.activation = {.kind = isserlis::ActivationKind::linear, .slope = 1};
    std::vector<double> const widths{2, 3, 2, 2};
    for (std::size_t l = 0; l + 1 < widths.size(); ++l)
        net.layers.push_back({.fan_in = widths[l],
                              .fan_out = widths[l + 1],
                              .count = 1,
                              .variance = 1 / widths[l],
                              .label_factor = 0.5 * static_cast<double>(l + 1)});
    return {.graph = isserlis::chain_graph(net)};
}

/// An output is linear in each weight: its derivatives are differences of values at 0 and 1.
struct Differences {
    isserlis::mlp::GraphLayout const& layout;
    std::vector<double> weights;
    std::vector<double> input;

    std::vector<double> outputs() const {
        isserlis::mlp::GraphPass pass;
        isserlis::mlp::forward(layout, std::span<double const>(weights), input, pass);
        return {pass.z.end() - 2, pass.z.end()};
    }
    std::vector<double> first(std::size_t p) {
        double const kept = weights[p];
        weights[p] = 1;
        auto out = outputs();
        weights[p] = 0;
        auto const low = outputs();
        weights[p] = kept;
        for (std::size_t i = 0; i < out.size(); ++i) out[i] -= low[i];
        return out;
    }
    std::vector<double> second(std::size_t p, std::size_t q) {
        if (p == q) return {0, 0};
        double const kept = weights[q];
        weights[q] = 1;
        auto out = first(p);
        weights[q] = 0;
        auto const low = first(p);
        weights[q] = kept;
        for (std::size_t i = 0; i < out.size(); ++i) out[i] -= low[i];
        return out;
    }
};

}  // namespace

TEST_SUITE("monte_carlo/data_hessian_sampler") {
    TEST_CASE("two networks' Hessians, entry by entry") {
        auto const model = linear_network();
        auto const flat = model.flat_graph();
        isserlis::mlp::GraphLayout const layout(flat);
        GraphCurveModel const data{
            .network = model, .inputs = {{3, -1}, {0.5, 2}}, .targets = {{1, 2}, {0, -1}}, .half = true};
        auto const sampled = sample_data_hessian(data, 2, 5);
        std::vector<double> const roots{std::sqrt(0.5), 1, std::sqrt(1.5)};
        double total = 0, gauss_newton = 0, functional = 0, cross = 0, target = 0;
        std::vector<std::vector<double>> blocks(3, std::vector<double>(3, 0.0));
        for (std::uint64_t sample = 0; sample < 2; ++sample) {
            std::vector<double> weights;
            draw_weights(flat, layout, 5, sample, weights);
            for (std::size_t p = 0; p < layout.size(); ++p) {
                for (std::size_t q = 0; q < layout.size(); ++q) {
                    std::size_t const k = layout.weights()[p].edge;
                    std::size_t const l = layout.weights()[q].edge;
                    double g = 0, f = 0, t = 0;
                    for (std::size_t s = 0; s < 2; ++s) {
                        Differences at{layout, weights, data.inputs[s]};
                        auto const z = at.outputs();
                        auto const by_p = at.first(p);
                        auto const by_q = at.first(q);
                        auto const by_both = at.second(p, q);
                        for (std::size_t i = 0; i < 2; ++i) {
                            g += roots[k] * roots[l] * by_p[i] * by_q[i] / 2;
                            f += roots[k] * roots[l] * z[i] * by_both[i] / 2;
                            t += roots[k] * roots[l] * data.targets[s][i] * by_both[i] / 2;
                        }
                    }
                    double const h = g + f - t;
                    total += h * h / 2;
                    gauss_newton += g * g / 2;
                    functional += f * f / 2;
                    cross += 2 * g * f / 2;
                    target += t * t / 2;
                    blocks[k][l] += h * h / 2;
                }
            }
        }
        CHECK(sampled.total.mean == doctest::Approx(total).epsilon(1e-12));
        CHECK(sampled.gauss_newton.mean == doctest::Approx(gauss_newton).epsilon(1e-12));
        CHECK(sampled.functional.mean == doctest::Approx(functional).epsilon(1e-12));
        CHECK(sampled.cross.mean == doctest::Approx(cross).epsilon(1e-12));
        CHECK(sampled.target.mean == doctest::Approx(target).epsilon(1e-12));
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t l = 0; l < 3; ++l)
                CHECK(sampled.blocks[k][l].mean == doctest::Approx(blocks[k][l]).epsilon(1e-12));
    }

    TEST_CASE("eigenvalues are those of the other sampler") {
        auto model = linear_network();
        auto const there = top_eigenvalues(model, {{3, -1}, {1, 2}}, 0, 300, 5);
        auto const here = sample_data_hessian(
            {.network = model, .inputs = {{3, -1}, {1, 2}}, .targets = {{0, 0}, {0, 0}}, .half = true}, 300, 5);
        CHECK(here.modulus.mean == doctest::Approx(there.modulus.mean));
        CHECK(here.reciprocal.mean == doctest::Approx(there.reciprocal.mean));
        CHECK(here.target.mean == 0);
        CHECK(here.without == 0);
    }

    TEST_CASE("a batch of one sample of two equal ones is both") {
        GraphCurveModel data{
            .network = linear_network(), .inputs = {{3, -1}, {3, -1}}, .targets = {{1, 2}, {1, 2}}, .half = true};
        auto const all = sample_data_hessian(data, 50, 5);
        data.batch = {.size = 1};
        auto const one = sample_data_hessian(data, 50, 5);
        CHECK(one.total.mean == doctest::Approx(all.total.mean));
        data.network.precision = Precision::float32;
        CHECK_THROWS_AS((void)sample_data_hessian(data, 50, 5), isserlis::UnsupportedError);
    }
}
