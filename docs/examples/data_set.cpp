// SPDX-License-Identifier: MIT
#include <isserlis/data/csv.hpp>
#include <isserlis/data/standardise.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/monte_carlo/loss_curve_sampler.hpp>
#include <isserlis/monte_carlo/one_step_loss.hpp>

#include <cmath>
#include <iostream>

using namespace isserlis;

int main() {
    DataSet const raw = parse_data_csv("x1,x2,y1\n0.5,1/3,2\n-1,2e-2,0.25\n3,\"4\",1\n", "yield.csv");
    DataSet const data = standardised(raw, 1);
    auto const inner_products = gram(data);
    std::cout << "x^1.x^2 = " << to_string(inner_products[0][1]) << '\n';

    // Concatenated ReLU, the same positive and negative weights at the start, updated separately.
    monte_carlo::LossCurveModel model;
    model.network.widths = {data.input_width(), 10, 10, 1};
    model.network.activation.kind = ActivationKind::crelu_tied;
    for (std::size_t q = 1; q < model.network.widths.size(); ++q) {
        auto const fans = static_cast<double>(model.network.widths[q - 1] * model.network.widths[q]);
        model.network.variances.push_back(1 / std::sqrt(fans));
        model.network.laws.emplace_back();  // Gaussian
    }
    model.inputs = input_doubles(data);
    model.targets = target_doubles(data);

    auto const sampled = monte_carlo::sample_loss_curve(model, /*samples=*/4000, /*seed=*/1);
    auto const vertex = monte_carlo::vertex_rate(sampled.plain);
    auto const lowest = monte_carlo::minimise_one_step_loss(model, vertex->mean, 1000, /*seed=*/1);
    std::cout << "the mean loss starts downwards: " << (sampled.plain.slope.mean < 0 ? "yes" : "no") << '\n';
    std::cout << "its vertex lies below the best single step: " << (vertex->mean < lowest.rate.mean ? "yes" : "no")
              << '\n';

    // One network of these, its own greedy rate, and the loss after that step.
    auto const net = monte_carlo::draw_network<double>(model.network_with_input(), /*seed=*/1, /*sample=*/0);
    mlp::Samples const samples{.inputs = mlp::columns(model.inputs), .targets = mlp::columns(model.targets)};
    auto const at = mlp::loss_derivatives(net, samples, LossKind::squared);
    double const after = mlp::loss_after_step(net, samples, LossKind::squared, *mlp::greedy_rate(at));
    std::cout << "a greedy step lowers its loss: " << (after < *at.loss ? "yes" : "no") << '\n';
}
