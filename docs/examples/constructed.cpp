// SPDX-License-Identifier: MIT
#include <isserlis/mlp/ensemble.hpp>
#include <isserlis/mlp/objective.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

// Networks that chapter 5 of [Liquet 2024] writes down rather than trains.
namespace {

using namespace isserlis::mlp;
using Numbers = std::vector<double>;

/// (5.11) through r points as in Figure 5.2: a ReLU unit for each interval, its weight the change of slope there.
void interpolate(std::size_t r) {
    auto const f = [](double x) { return std::cos(2 * std::cos(x * x) + (x - 1) * (x - 1) / 4) + x / 2 + 1; };
    std::size_t const units = r - 1;
    double const width = 4.0 / static_cast<double>(units);
    auto const u = [&](std::size_t i) { return width * static_cast<double>(i); };
    auto const slope = [&](std::size_t i) { return (f(u(i + 1)) - f(u(i))) / width; };
    auto const net = perceptron({1, units, 1}, {.kind = UnitKind::relu, .slope = {}});
    Numbers at = net.neutral_parameters();
    for (std::size_t i = 0; i < units; ++i) {
        at[i] = 1;
        at[units + i] = slope(i) - (i == 0 ? 0 : slope(i - 1));
        at[net.range(1, ParameterKind::bias)->first + i] = -u(i);
    }
    at[net.range(2, ParameterKind::bias)->first] = f(0);
    Matrix<double> x(1, 4001);
    for (Eigen::Index k = 0; k < x.cols(); ++k) x(0, k) = 0.001 * static_cast<double>(k);
    auto const y = network_outputs<double>(net, at, x);
    double off_line = 0;
    double off_f = 0;
    for (Eigen::Index k = 0; k < x.cols(); ++k) {
        std::size_t const i = std::min(static_cast<std::size_t>(x(0, k) / width), units - 1);
        off_line = std::max(off_line, std::abs(y(0, k) - f(u(i)) - slope(i) * (x(0, k) - u(i))));
        off_f = std::max(off_f, std::abs(y(0, k) - f(x(0, k))));
    }
    std::printf("interpolation, r = %zu: %zu parameters, %s the lines, up to %.3f off f\n", r, net.parameters(),
                off_line < 1e-12 ? "on" : "off", off_f);
}

/// (5.13): four softplus units multiply, up to a relative error of -lambda^2 |x|^2 / 12.
void multiply(double lambda) {
    auto const gate = perceptron({2, 4, 1}, {.kind = UnitKind::softplus, .slope = {}}, {}, /*bias=*/false);
    double const l = lambda, mu = 1 / (l * l);  // 1 / (4 lambda^2 sigma''(0)), sigma''(0) = 1/4
    auto const product = network_outputs<double>(gate, Numbers{l, l, -l, -l, l, -l, -l, l, mu, mu, -mu, -mu},
                                                 Matrix<double>{{1.5}, {-0.5}});
    std::printf("gate, lambda = %.2f: 1.5 times -0.5 is %.6f; its relative error over lambda^2 is %.4f\n", lambda,
                product(0, 0), (product(0, 0) / -0.75 - 1) / (l * l));
}

/// (5.27): ReLU, tanh, sigmoid and identity in a chain, and (5.28) by hand against the pass back.
void unroll() {
    auto const wiring = perceptron({2, 1, 1, 1, 1}, {}, {}, /*bias=*/false);
    auto traits = wiring.traits();
    traits[1].unit.kind = UnitKind::relu;
    traits[2].unit.kind = UnitKind::tanh;
    traits[3].unit.kind = UnitKind::sigmoid;
    Architecture const net(wiring.wiring(), traits);
    Numbers const theta{0.8, -0.3, 1.2, 0.7, 2};
    Examples<double> const one{Matrix<double>{{1}, {2}}, Matrix<double>{{0.5}}};
    Numbers gradient(theta.size());
    DataLoss<double>(net, Objective::half_squared).gradient(theta, one, gradient);
    double const a1 = 0.8 - 0.6, a2 = std::tanh(1.2 * a1), a3 = 1 / (1 + std::exp(-0.7 * a2));
    double const by_a3 = (2 * a3 - 0.5) * 2, by_a2 = by_a3 * 0.7 * a3 * (1 - a3);
    double const by_a1 = by_a2 * 1.2 * (1 - a2 * a2);
    Numbers const by_hand{by_a1 * 1, by_a1 * 2, by_a2 * a1 * (1 - a2 * a2), by_a3 * a2 * a3 * (1 - a3), by_a3 / 2 * a3};
    double apart = 0;
    for (std::size_t i = 0; i < theta.size(); ++i) apart = std::max(apart, std::abs(gradient[i] - by_hand[i]));
    std::printf("unrolled: the gradient by theta^[2] is %.6f, all are (5.28)'s: %s\n", gradient[2],
                apart < 1e-14 ? "yes" : "no");
}

/// (5.34), (5.35): with W = w I in all 30 layers y is w^30 x, and its derivative by z of the first layer w^29.
void power(double w) {
    auto const net = perceptron(std::vector<std::size_t>(31, 2), {}, {}, /*bias=*/false);
    Numbers at(net.parameters());
    for (std::size_t l = 0; l < 30; ++l) at[4 * l] = at[4 * l + 3] = w;
    BatchPass<double> pass(net);
    Matrix<double> const y = pass.forward(at, Matrix<double>{{1}, {2}});
    Numbers gradient(net.parameters());
    pass.backward(Matrix<double>{{1}, {0}}, gradient);
    std::printf("products, w = %.1f: y_1 = %.6g, dy_1/dz_1 of layer 1 is %.6g\n", w, y(0, 0),
                pass.gradients_by_sums(1)(0, 0));
}

}  // namespace

int main() {
    for (std::size_t const r : {10U, 30U}) interpolate(r);
    for (double const lambda : {0.2, 0.1, 0.05}) multiply(lambda);
    unroll();
    for (double const w : {0.5, 1.0, 1.5}) power(w);

    // (5.49), (5.52): the mean of three units, and what it does to the variance.
    std::vector<Numbers> const members{{0, 1}, {3, 2}, {-1, 2}};  // weight and bias
    std::printf("ensemble: 1, 8 and 0 at x = 2 have the mean %g; a variance of 1 with correlation 0.4 becomes %.2f\n",
                ensemble_outputs<double>(perceptron({1, 1}, {}), members, Matrix<double>{{2}})(0, 0),
                ensemble_variance(3, 1, 0.4));
}
