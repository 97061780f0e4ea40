// SPDX-License-Identifier: MIT
// The leg of sampling, for the items of concatenated ReLU networks at several samples: P = N at the start, updated
// separately. Sampled means are compared within 5 standard errors.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/monte_carlo/loss_curve_sampler.hpp>
#include <string>

#include "legs.hpp"
#include "vector_file.hpp"

using isserlis::monte_carlo::Estimate;
using isserlis::monte_carlo::LossCurveModel;

namespace vectors {
namespace {

std::vector<std::vector<double>> doubles_of(json const& rows) {
    std::vector<std::vector<double>> out;
    for (auto const& row : rows)
        for (out.emplace_back(); auto const& x : numbers(row)) out.back().push_back(x.convert_to<double>());
    return out;
}

LossCurveModel model_of(json const& in) {
    LossCurveModel model;
    model.network.widths = in["d"].get<std::vector<std::size_t>>();
    model.network.activation.kind = isserlis::ActivationKind::crelu_tied;
    for (std::size_t q = 1; q < model.network.widths.size(); ++q) {
        model.network.variances.push_back(
            1 / std::sqrt(static_cast<double>(model.network.widths[q] * model.network.widths[q - 1])));
        model.network.laws.emplace_back();  // Gaussian
    }
    model.inputs = doubles_of(in["X"]);
    if (in.contains("Y")) model.targets = doubles_of(in["Y"]);
    if (!in.contains("grad")) return model;
    REQUIRE(in["H"] == "2 for every sample");
    model.given = {.gradients = doubles_of(in["grad"]), .hessians = {}};
    std::size_t const d = model.network.widths.back();
    std::vector<std::vector<double>> hessian(d, std::vector<double>(d));
    for (std::size_t i = 0; i < d; ++i) hessian[i][i] = 2;
    model.given->hessians.assign(model.inputs.size(), hessian);
    return model;
}

void check(Estimate const& sampled, json const& exact) {
    double const value = exact.is_string() ? std::stod(exact.get<std::string>()) : exact.get<double>();
    CAPTURE(value);
    CAPTURE(sampled.mean);
    CAPTURE(sampled.std_error);
    CHECK(std::abs(sampled.mean - value) <= 5 * sampled.std_error);
    CHECK(sampled.std_error < 0.05 * std::abs(value));
}

}  // namespace

bool run_hettinger_by_sampling(json const& item) {
    std::string const id = item["id"];
    if (!starts_with(id, "CRELU-") || !item["inputs"].contains("X")) return false;
    auto const at = sample_loss_curve(model_of(item["inputs"]), 40'000, 1).plain;
    auto const& exact = item["exact"];
    if (starts_with(id, "CRELU-C1") || starts_with(id, "CRELU-SQ1")) {
        check(at.slope, exact);
    } else if (starts_with(id, "CRELU-C2")) {
        check(at.curvature, exact);
    } else if (starts_with(id, "CRELU-SQ2")) {
        check(at.curvature, exact.at(0));
        check(at.curvature_chi, exact.at(1));
        check(at.curvature_gamma, exact.at(2));
    } else {
        return false;
    }
    return true;
}

}  // namespace vectors
