// SPDX-License-Identifier: MIT
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/monte_carlo/squared_norms.hpp>

#include <cmath>
#include <iostream>

// Two legs that share no code: a closed form, and 20000 drawn networks with a real input vector.
int main() {
    isserlis::FullyConnected<double, std::uint64_t> net;
    net.layers = isserlis::layers_between<double, std::uint64_t>({{2, 1}, {10, 3}, {1, 1}});
    isserlis::monte_carlo::NetworkModel model;
    model.widths = {2, 10, 10, 10, 1};
    model.input = {0.6, 0.8};
    for (auto& run : net.layers) run.variance = 2 / run.fan_in;
    for (std::size_t l = 1; l < model.widths.size(); ++l) {
        model.variances.push_back(2.0 / static_cast<double>(model.widths[l - 1]));
        model.laws.emplace_back();  // Gaussian
    }

    auto const exact = relative_norm_moments(net, isserlis::Reading::preactivation, 4);
    std::uint64_t const samples = 20000;
    auto const layers = isserlis::monte_carlo::squared_norms(model, samples, /*seed=*/1, /*preactivations=*/false,
                                                             /*max_power=*/2, std::nullopt);
    for (std::size_t p = 1; p <= 2; ++p) {
        double const mean = layers.back().raw[p - 1].mean;
        double const error = std::sqrt((exact[2 * p] - exact[p] * exact[p]) / static_cast<double>(samples));
        std::cout << "E q^" << p << ": exact " << exact[p]
                  << ", sampled within 5 standard errors: " << (std::abs(mean - exact[p]) < 5 * error ? "yes" : "no")
                  << '\n';
    }
}
