// SPDX-License-Identifier: MIT
#include <isserlis/mlp/network.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>

#include <cmath>
#include <iomanip>
#include <iostream>

// Where Theorem 4.6 of [Hettinger 2019] ends: concatenated ReLU, one sample x = (1, 1), output gradient 1.
// Without the scope, v_q E|dP_q|^2 and v_q E|dN_q|^2 would be one number for all layers; their sum is.
int main() {
    isserlis::monte_carlo::NetworkModel model;
    model.widths = {2, 10, 10, 10, 1};
    model.activation.kind = isserlis::ActivationKind::crelu_tied;
    model.input = {1, 1};
    for (std::size_t q = 1; q < model.widths.size(); ++q) {
        model.variances.push_back(1 / std::sqrt(static_cast<double>(model.widths[q - 1] * model.widths[q])));
        model.laws.emplace_back();  // Gaussian
    }
    isserlis::mlp::Vector<double> const x = isserlis::mlp::Vector<double>::Ones(2);
    isserlis::mlp::Vector<double> const g = isserlis::mlp::Vector<double>::Ones(1);

    std::vector<double> positive(model.depth()), negative(model.depth());
    std::uint64_t const samples = 20000;
    for (std::uint64_t i = 0; i < samples; ++i) {
        auto const net = isserlis::monte_carlo::draw_network<double>(model, /*seed=*/1, i);
        auto const gradient = isserlis::mlp::backward(net, x, g);
        for (std::size_t q = 0; q < model.depth(); ++q) {
            positive[q] += model.variances[q] * gradient[q].weights.squaredNorm() / static_cast<double>(samples);
            negative[q] += model.variances[q] * gradient[q].negative.squaredNorm() / static_cast<double>(samples);
        }
    }
    std::cout << std::fixed << std::setprecision(1);
    for (std::size_t q = 0; q < model.depth(); ++q)
        std::cout << "layer " << q + 1 << ": P " << positive[q] << ", N " << negative[q] << '\n';
}
