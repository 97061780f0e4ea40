// SPDX-License-Identifier: MIT
// T7: sampled checks at real sizes beside what they cannot do without, the drawing of the same weights and the products
// of whole matrices that their definitions take; and the drawing alone.
#include <benchmark/benchmark.h>

#include <cmath>
#include <isserlis/mlp/batch_product.hpp>
#include <isserlis/monte_carlo/hessian_norm_sampler.hpp>
#include <isserlis/monte_carlo/loss_curve_sampler.hpp>
#include <isserlis/monte_carlo/norm_sampler.hpp>
#include <isserlis/monte_carlo/observable_sampler.hpp>
#include <isserlis/random/stream.hpp>

#include "check_value.hpp"

namespace {

using namespace isserlis;
using namespace isserlis::monte_carlo;

std::vector<std::size_t> const widths{784, 512, 512, 512, 512, 512, 10};
constexpr std::size_t blocks = 29;  ///< of two matrices, between plain ones: 784,512:30,10
constexpr std::size_t residual_width = 512;
constexpr std::size_t outputs = 10;
constexpr std::size_t data_samples = 16;
constexpr std::uint64_t networks = 4;
constexpr std::size_t normals = std::size_t{1} << 20U;

std::size_t most_weights() { return widths[0] * widths[1]; }  ///< of one matrix

/// The widths between which the matrices of the residual network lead, as a chain has them.
std::vector<std::size_t> residual_chain() {
    std::vector<std::size_t> out{widths.front()};
    out.insert(out.end(), 2 * blocks + 1, residual_width);
    out.push_back(outputs);
    return out;
}

/// Draws the weights and takes one pass forward and `back` of them back, as products of matrices.
void draw_and_multiply(benchmark::State& state, std::vector<std::size_t> const& through, std::size_t back) {
    std::vector<double> weights(most_weights());
    std::vector<double> columns(through[0] * std::max<std::size_t>(back, 1), 1.0);
    std::vector<double> out(through[0] * std::max<std::size_t>(back, 1));
    std::uint64_t seed = 1;
    for (auto _ : state) {
        for (std::uint64_t sample = 0; sample < networks; ++sample) {
            Stream stream(seed, sample);
            for (std::size_t q = 1; q < through.size(); ++q) {
                std::span<double> const layer(weights.data(), through[q] * through[q - 1]);
                stream.fill_normal(layer);
                mlp::add_batch_product({.rows = 1, .inner = through[q], .columns = through[q - 1]}, columns.data(),
                                       layer.data(), out.data());
                if (back > 0 && q > 1)
                    mlp::add_batch_product({.rows = back, .inner = through[q], .columns = through[q - 1]},
                                           columns.data(), layer.data(), out.data());
            }
        }
        benchmark::DoNotOptimize(out.data());
        ++seed;
    }
    bench::set_check(state, networks);
}

/// Draws the weights, and takes the products of all pairs of hidden layers, of which half the neurons are open.
void draw_and_map(benchmark::State& state) {
    constexpr std::size_t open = 256;
    constexpr int products = 6;  // from one of the five hidden layers to one two or more above it
    std::vector<double> weights(most_weights());
    std::vector<double> columns(widths[0] * outputs, 1.0);
    std::vector<double> out(widths[0] * outputs);
    std::vector<double> map(open * open);
    std::uint64_t seed = 1;
    for (auto _ : state) {
        for (std::uint64_t sample = 0; sample < networks; ++sample) {
            Stream stream(seed, sample);
            for (std::size_t q = 1; q < widths.size(); ++q) {
                stream.fill_normal(std::span<double>(weights.data(), widths[q] * widths[q - 1]));
                for (std::size_t const rows : {std::size_t{1}, outputs})
                    mlp::add_batch_product({.rows = rows, .inner = widths[q], .columns = widths[q - 1]}, columns.data(),
                                           weights.data(), out.data());
            }
            for (int k = 0; k < products; ++k)
                mlp::add_batch_product({.rows = open, .inner = open, .columns = open}, weights.data(),
                                       weights.data() + open * open, map.data());
        }
        benchmark::DoNotOptimize(map.data());
        ++seed;
    }
    bench::set_check(state, networks);
}

/// Draws the weights of the residual network, and takes what covariances meet in each block of which half the inner
/// neurons are open: W1 by (y, y) and from the right, W2 by (h, h) from the right, and W2 by that and (h, y); and the
/// passes for all outputs.
void draw_and_carry(benchmark::State& state) {
    constexpr std::size_t open = residual_width / 2;
    constexpr mlp::ProductShape in_a_block[] = {{open, residual_width, residual_width},
                                                {open, residual_width, open},
                                                {open, open, residual_width},
                                                {residual_width, open, residual_width}};
    auto const through = residual_chain();
    std::vector<double> weights(most_weights());
    std::vector<double> columns(widths[0] * outputs, 1.0);
    std::vector<double> out(widths[0] * outputs);
    std::vector<double> map(residual_width * residual_width);
    std::vector<double> carried(residual_width * residual_width);
    std::uint64_t seed = 1;
    for (auto _ : state) {
        for (std::uint64_t sample = 0; sample < networks; ++sample) {
            Stream stream(seed, sample);
            for (std::size_t q = 1; q < through.size(); ++q) {
                stream.fill_normal(std::span<double>(weights.data(), through[q] * through[q - 1]));
                for (std::size_t const rows : {std::size_t{1}, outputs, outputs})  // forward, back, along
                    mlp::add_batch_product({.rows = rows, .inner = through[q], .columns = through[q - 1]},
                                           columns.data(), weights.data(), out.data());
            }
            for (std::size_t k = 0; k < blocks; ++k)
                for (auto const& shape : in_a_block)
                    mlp::add_batch_product(shape, weights.data(), map.data(), carried.data());
        }
        benchmark::DoNotOptimize(carried.data());
        ++seed;
    }
    bench::set_check(state, networks);
}

/// Draws the weights, and takes all samples of data forward, back and along the step.
void draw_and_step(benchmark::State& state) {
    std::vector<double> weights(most_weights());
    std::vector<double> columns(widths[0] * data_samples, 1.0);
    std::vector<double> out(widths[0] * data_samples);
    std::uint64_t seed = 1;
    for (auto _ : state) {
        for (std::uint64_t sample = 0; sample < networks; ++sample) {
            Stream stream(seed, sample);
            for (std::size_t q = 1; q < widths.size(); ++q) {
                stream.fill_normal(std::span<double>(weights.data(), widths[q] * widths[q - 1]));
                for (int pass = 0; pass < 3; ++pass)
                    mlp::add_batch_product({.rows = data_samples, .inner = widths[q], .columns = widths[q - 1]},
                                           columns.data(), weights.data(), out.data());
            }
        }
        benchmark::DoNotOptimize(out.data());
        ++seed;
    }
    bench::set_check(state, networks);
}

NetworkModel chain() {
    NetworkModel model;
    model.widths = widths;
    model.activation = {.kind = ActivationKind::relu};
    model.laws.assign(widths.size() - 1, {.kind = LawKind::gaussian});
    for (std::size_t q = 0; q + 1 < widths.size(); ++q) model.variances.push_back(2 / static_cast<double>(widths[q]));
    model.input.assign(widths[0], 1.0 / 28);
    return model;
}

GraphModel network() {
    Graph<double, std::uint64_t> graph;
    graph.input_width = static_cast<double>(widths[0]);
    graph.stages.resize(1);
    graph.stages[0].numbered = false;
    for (std::size_t q = 1; q < widths.size(); ++q) {
        GraphNode<double> node;
        node.name = std::to_string(q);
        node.width = static_cast<double>(widths[q]);
        if (q + 1 < widths.size()) node.gate = Gate<double>{};
        GraphEdge<double> edge;
        edge.name = node.name;
        edge.from = q - 1;
        edge.to = q;
        edge.variance = 2 / static_cast<double>(widths[q - 1]);
        graph.stages[0].nodes.push_back(node);
        graph.stages[0].edges.push_back(edge);
    }
    return {.graph = graph};
}

/// y^k = y^(k-1) + W_(k.2) relu(W_(k.1) y^(k-1)) between two plain matrices.
GraphModel residual_network() {
    Graph<double, std::uint64_t> graph;
    graph.input_width = static_cast<double>(widths[0]);
    graph.stages.resize(1);
    graph.stages[0].numbered = false;
    auto& [nodes, edges, count, numbered, first] = graph.stages[0];
    auto const add = [&](std::string const& name, std::size_t width, std::size_t from, double variance, bool gated) {
        GraphNode<double> node;
        node.name = name;
        node.width = static_cast<double>(width);
        if (gated) node.gate = Gate<double>{};
        nodes.push_back(node);
        GraphEdge<double> edge;
        edge.name = name;
        edge.from = from;
        edge.to = nodes.size();
        edge.variance = variance;
        edges.push_back(edge);
        return nodes.size();
    };
    std::size_t at = add("in", residual_width, 0, 1.0 / static_cast<double>(widths[0]), false);
    for (std::size_t k = 1; k <= blocks; ++k) {
        std::size_t const below = at;
        at = add(std::to_string(k) + ".1", residual_width, below, 2.0 / residual_width, true);
        at = add(std::to_string(k), residual_width, at, 1.0 / (residual_width * blocks), false);
        GraphEdge<double> skip;
        skip.from = below;
        skip.to = at;
        skip.kind = GraphEdge<double>::Kind::skip;
        edges.push_back(skip);
    }
    add("out", outputs, at, 1.0 / residual_width, false);
    return {.graph = graph};
}

void sample(benchmark::State& state, GraphModel const& model, std::vector<std::string> const& texts) {
    ObservableSettings settings;
    settings.inputs[""] = std::vector<double>(widths[0], 1.0 / 28);
    std::vector<Query> queries;
    for (auto const& text : texts) queries.push_back(parse_query(text));
    ObservableSampler sampler(model, queries, settings);
    std::uint64_t seed = 1;
    for (auto _ : state) {
        for (std::uint64_t k = 0; k < networks; ++k) benchmark::DoNotOptimize(sampler.values(seed, k).data());
        ++seed;
    }
    bench::set_check(state, networks);
}

void ntk(benchmark::State& state, GraphModel const& model) {
    sample(state, model,
           {"z[1;m]^2", "z[1;m]^2 z[1;n]^2", "z[i;m]^2", "z[i;m]^2 z[j;n]^2", "z[i;m] z[j;m] z[i;n] z[j;n]"});
}

/// Of these nodes.
void mup(benchmark::State& state, GraphModel const& model, std::vector<std::string> const& nodes) {
    std::vector<std::string> queries;
    for (auto const& node : nodes) {
        std::string const z = "z{" + node + "}";
        queries.push_back(z + "[i;m] z[j;m] z[j] " + z + "[i;n] z[k;n] z[k]");
        queries.push_back(z + "[i;m] z[j;m] " + z + "[i;n] z[j;n]");
    }
    sample(state, model, queries);
}

/// The ends of all blocks.
std::vector<std::string> block_ends() {
    std::vector<std::string> out;
    for (std::size_t k = 1; k <= blocks; ++k) out.push_back(std::to_string(k));
    return out;
}

/// |z|^2 of each end of a block.
void residual_norms(benchmark::State& state) {
    std::vector<std::string> queries;
    for (auto const& node : block_ends()) queries.push_back("z{" + node + "}[i]^2");
    sample(state, residual_network(), queries);
}

/// The Jacobian by each matrix.
void jacobians(benchmark::State& state, GraphModel const& model) {
    std::vector<std::string> queries;
    for (auto const& edge : model.graph.stages[0].edges)
        if (!edge.name.empty()) queries.push_back("z[i;m]^2 where m in " + edge.name);
    sample(state, model, queries);
}

void hessians(benchmark::State& state) {
    HessianNormSampler sampler(chain(), {});
    std::uint64_t seed = 1;
    for (auto _ : state) {
        for (std::uint64_t k = 0; k < networks; ++k) benchmark::DoNotOptimize(sampler(seed, k).data());
        ++seed;
    }
    bench::set_check(state, networks);
}

void norms(benchmark::State& state) {
    NetworkModel const model = chain();
    NormSampler<double> sampler(model, false);
    std::uint64_t seed = 1;
    for (auto _ : state) {
        for (std::uint64_t k = 0; k < networks; ++k) benchmark::DoNotOptimize(sampler(seed, k).data());
        ++seed;
    }
    bench::set_check(state, networks);
}

void loss_curve(benchmark::State& state) {
    LossCurveModel model{.network = chain(), .inputs = {}, .targets = {}, .given = {}};
    for (std::size_t k = 0; k < data_samples; ++k) {
        model.inputs.emplace_back(widths.front(), static_cast<double>(k + 1) / 100);
        model.targets.emplace_back(widths.back(), static_cast<double>(k));
    }
    std::uint64_t seed = 1;
    for (auto _ : state) benchmark::DoNotOptimize(sample_loss_curve(model, networks, seed++, {}).plain.slope.mean);
    bench::set_check(state, networks);
}

/// By AVX2, or what a machine without it has.
template <class T>
void draw(benchmark::State& state) {
    auto const names = normal_kernel_names();
    std::size_t const kernel = names.size() == 3 ? 1 : 0;
    std::vector<T> out(normals);
    for (auto _ : state) {
        fill_normal(kernel, 1, 1, std::span<T>(out));
        benchmark::DoNotOptimize(out.data());
    }
    bench::set_check(state, normals);
}

}  // namespace

BENCHMARK(norms)->Name("T7 norm/isserlis/784,512:5,10");
BENCHMARK_CAPTURE(draw_and_multiply, forward, widths, std::size_t{0})->Name("T7 norm/drawing, products/784,512:5,10");
BENCHMARK_CAPTURE(ntk, chain, network())->Name("T7 ntk/isserlis/784,512:5,10");
BENCHMARK_CAPTURE(draw_and_multiply, back, widths, outputs)->Name("T7 ntk/drawing, products/784,512:5,10");
BENCHMARK_CAPTURE(jacobians, chain, network())->Name("T7 jacobian/isserlis/784,512:5,10");
BENCHMARK_CAPTURE(draw_and_multiply, back, widths, outputs)->Name("T7 jacobian/drawing, products/784,512:5,10");
BENCHMARK(hessians)->Name("T7 hessian/isserlis/784,512:5,10");
BENCHMARK(draw_and_map)->Name("T7 hessian/drawing, products/784,512:5,10");
BENCHMARK_CAPTURE(mup, chain, network(), std::vector<std::string>{"1", "2", "3", "4", "5"})
    ->Name("T7 mup/isserlis/784,512:5,10");
BENCHMARK_CAPTURE(draw_and_multiply, both, widths, 2 * outputs)->Name("T7 mup/drawing, products/784,512:5,10");
BENCHMARK(loss_curve)->Name("T7 loss-curve/isserlis/784,512:5,10");
BENCHMARK(draw_and_step)->Name("T7 loss-curve/drawing, products/784,512:5,10");
BENCHMARK_CAPTURE(ntk, residual, residual_network())->Name("T7 ntk/isserlis/512:30 residual");
BENCHMARK_CAPTURE(draw_and_multiply, back, residual_chain(), outputs)->Name("T7 ntk/drawing, products/512:30 residual");
BENCHMARK_CAPTURE(jacobians, residual, residual_network())->Name("T7 jacobian/isserlis/512:30 residual");
BENCHMARK_CAPTURE(draw_and_multiply, back, residual_chain(), outputs)
    ->Name("T7 jacobian/drawing, products/512:30 residual");
BENCHMARK(residual_norms)->Name("T7 norm/isserlis/512:30 residual");
BENCHMARK_CAPTURE(draw_and_multiply, forward, residual_chain(), std::size_t{0})
    ->Name("T7 norm/drawing, products/512:30 residual");
BENCHMARK_CAPTURE(sample, hessian, residual_network(),
                  {"z[i;m] z[i;n] z[j;m] z[j;n]", "z[i;m,n] z[i] z[j;m,n] z[j]", "z[i;m] z[i;n] z[j;m,n] z[j]",
                   "z[i;m,n]^2", "(D[m,n] loss)^2"})
    ->Name("T7 hessian/isserlis/512:30 residual");
BENCHMARK(draw_and_carry)->Name("T7 hessian/drawing, products/512:30 residual");
BENCHMARK_CAPTURE(mup, residual, residual_network(), block_ends())->Name("T7 mup/isserlis/512:30 residual");
BENCHMARK_CAPTURE(draw_and_multiply, both, residual_chain(), 2 * outputs)
    ->Name("T7 mup/drawing, products/512:30 residual");
BENCHMARK_CAPTURE(sample, curve, residual_network(),
                  {"loss", "(D[m] loss)^2", "D[m] loss D[m,n] loss D[n] loss", "D[m] loss z[j;m] z[j;n] D[n] loss"})
    ->Name("T7 loss-curve/isserlis/512:30 residual");
BENCHMARK_CAPTURE(draw_and_multiply, both, residual_chain(), outputs + 1)
    ->Name("T7 loss-curve/drawing, products/512:30 residual");
BENCHMARK(draw<double>)->Name("T7 normals/isserlis/2^20 by avx2");
BENCHMARK(draw<float>)->Name("T7 normals in float/isserlis/2^20 by avx2");
