// SPDX-License-Identifier: MIT
// The leg of the float engine: items that give every weight, so that there is no expectation to take. Floating point is
// compared with the exact value to 1e-12.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/mlp/loss.hpp>
#include <isserlis/mlp/loss_derivative_sums.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <string>

#include "legs.hpp"
#include "vector_file.hpp"

using isserlis::ActivationKind;
using isserlis::LossKind;
using isserlis::mlp::LossDerivatives;
using isserlis::mlp::Matrix;
using isserlis::mlp::Network;
using isserlis::mlp::Samples;

namespace vectors {
namespace {

Matrix<double> rows_of(json const& rows) {
    std::vector<std::vector<double>> out;
    for (auto const& row : rows)
        for (out.emplace_back(); auto const& x : numbers(row)) out.back().push_back(x.convert_to<double>());
    return isserlis::mlp::columns(out).transpose();
}

void check(double value, json const& exact) {
    CHECK(value == doctest::Approx(number(exact).convert_to<double>()).epsilon(1e-12));
}

void check_pointwise(json const& item, bool second) {
    auto const& in = item["inputs"];
    Network<double> net{.activation = {.kind = ActivationKind::crelu}, .gated_head = false, .layers = {}};
    for (std::size_t q = 0; q < in["P"].size(); ++q)
        net.layers.push_back({.weights = rows_of(in["P"][q]), .negative = rows_of(in["N"][q])});
    Samples const samples{.inputs = rows_of(in["X"]).transpose(), .targets = rows_of(in["Y"]).transpose()};

    auto const at = loss_derivatives(net, samples, LossKind::squared);
    check(second ? at.curvature() : at.slope, item["exact"]);

    Matrix<double> outputs(samples.targets.rows(), samples.targets.cols());
    for (Eigen::Index k = 0; k < outputs.cols(); ++k)
        outputs.col(k) = forward(net, samples.inputs.col(k)).activations.back();
    isserlis::mlp::LossDerivativeSums const sums(
        net, samples.inputs, isserlis::mlp::derivatives_at(LossKind::squared, outputs, samples.targets));
    check(second ? sums.curvature_gamma() + sums.curvature_chi() : sums.slope(), item["exact"]);
}

/// F(w) = w'A w/2 with diagonal A is the half-squared error of a linear net with weights w: sample i is
/// sqrt(s A_ii) e_i and its target 0.
void check_greedy_rate(json const& item) {
    Matrix<double> const a = rows_of(item["inputs"]["A"]);
    REQUIRE(a.isDiagonal());
    auto const s = static_cast<double>(a.rows());
    Network<double> const net{.activation = {.kind = ActivationKind::linear},
                              .gated_head = false,
                              .layers = {{.weights = rows_of(json::array({item["inputs"]["x"]})), .negative = {}}}};
    Samples const samples{.inputs = (s * a).cwiseSqrt(), .targets = Matrix<double>::Zero(1, a.rows())};
    auto const at = loss_derivatives(net, samples, LossKind::half_squared);
    REQUIRE(isserlis::mlp::greedy_rate(at));
    check(*isserlis::mlp::greedy_rate(at), item["exact"]);
    CHECK(2 * *isserlis::mlp::greedy_rate_printed(at) == *isserlis::mlp::greedy_rate(at));
}

}  // namespace

bool run_hettinger_by_given_networks(json const& item) {
    std::string const id = item["id"];
    if (id == "GREEDY-quad") {
        check_greedy_rate(item);
        return true;
    }
    if (!item["inputs"].contains("P") || !item["inputs"].contains("N")) return false;
    std::string const quantity = item["quantity"];
    if (!starts_with(quantity, "d/dlambda L(0)") && !starts_with(quantity, "d2/dlambda2 L(0)")) return false;
    check_pointwise(item, starts_with(quantity, "d2"));
    return true;
}

}  // namespace vectors
