// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <fstream>
#include <isserlis/error.hpp>
#include <isserlis/train/linear_classifier.hpp>
#include <nlohmann/json.hpp>

#include "../mlp/json_matrix.hpp"

namespace {

using namespace isserlis::train;
using namespace isserlis::mlp;
using Json = nlohmann::json;

/// Temperature and distress of an O-ring, 23 flights [Dalal 1989]; by two outputs where there are classes.
Examples<double> o_ring_flights(bool classes) {
    constexpr std::array temperatures = {66, 70, 69, 68, 67, 72, 73, 70, 57, 63, 70, 78,
                                         67, 53, 67, 75, 70, 81, 76, 79, 75, 76, 58};
    constexpr std::array distress = {0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1};
    Examples<double> out{Matrix<double>(1, 23), Matrix<double>::Zero(classes ? 2 : 1, 23)};
    for (std::size_t k = 0; k < distress.size(); ++k) {
        auto const column = static_cast<Eigen::Index>(k);
        out.inputs(0, column) = temperatures[k];
        if (classes) {
            out.targets(distress[k], column) = 1;
        } else {
            out.targets(0, column) = distress[k];
        }
    }
    return out;
}

}  // namespace

TEST_SUITE("train/linear_classifier") {
    // Published: 15.0429 - 0.2322 temperature, deviance 20.315 [Dalal 1989]; more digits by Newton's method in numpy.
    TEST_CASE("logistic regression on the 23 O-ring flights") {
        auto const fit = linear_classifier(Objective::binary_cross_entropy, o_ring_flights(false));
        CHECK(fit.converged);
        CHECK(fit.gradient_norm <= 1e-6);
        CHECK(fit.parameters[0] == doctest::Approx(-0.23216274).epsilon(1e-6));
        CHECK(fit.parameters[1] == doctest::Approx(15.04290165).epsilon(1e-6));
        CHECK(46 * fit.loss == doctest::Approx(20.3151927).epsilon(1e-8));
        CHECK(fit.accuracy == 20.0 / 23);
        CHECK_FALSE(fit.validation_accuracy.has_value());
    }

    TEST_CASE("softmax over two classes is the same regression, though its logits move freely") {
        auto const flights = o_ring_flights(true);
        auto const fit = linear_classifier(Objective::cross_entropy, flights, &flights);
        CHECK(fit.converged);
        CHECK(fit.parameters[1] - fit.parameters[0] == doctest::Approx(-0.23216274).epsilon(1e-6));
        CHECK(46 * fit.loss == doctest::Approx(20.3151927).epsilon(1e-8));
        CHECK(*fit.validation_accuracy == fit.accuracy);
    }

    // tests/train/references/experiments.py: Newton's method on PyTorch's Hessian.
    TEST_CASE("the loss and accuracy of PyTorch's softmax regression of four classes") {
        std::ifstream file(std::string(ISSERLIS_TEST_DATA) + "/train/references/experiments.json");
        Json const reference = Json::parse(file);
        Examples<double> examples{testing::matrix(reference["inputs"]), testing::matrix(reference["targets"])};
        auto const fit = linear_classifier(Objective::cross_entropy, examples, nullptr, {.tolerance = 1e-10});
        CHECK(fit.converged);
        CHECK(fit.loss == doctest::Approx(reference["regression"]["loss"].get<double>()).epsilon(1e-13));
        CHECK(fit.accuracy == reference["regression"]["accuracy"].get<double>());
        // A constant feature in place of the bias is the same model.
        examples.inputs.conservativeResize(4, Eigen::NoChange);
        examples.inputs.row(3).setOnes();
        auto const constant = linear_classifier(Objective::cross_entropy, examples, nullptr, {.bias = false});
        CHECK(constant.loss == doctest::Approx(fit.loss).epsilon(1e-10));
    }

    TEST_CASE("classes that a line separates are all right, and the loss goes to 0") {
        Examples<double> examples{Matrix<double>(1, 4), Matrix<double>::Zero(2, 4)};
        examples.inputs << -3, -1, 1, 2;
        for (Eigen::Index k = 0; k < 4; ++k) examples.targets(k < 2 ? 0 : 1, k) = 1;
        auto const fit = linear_classifier(Objective::cross_entropy, examples);
        CHECK(fit.converged);
        CHECK(fit.accuracy == 1);
        CHECK(fit.loss < 1e-5);
    }

    TEST_CASE("what stops short of the tolerance says so, and other objectives are refused") {
        auto const fit = linear_classifier(Objective::binary_cross_entropy, o_ring_flights(false), nullptr,
                                           {.tolerance = 1e-9, .most = 1});
        CHECK_FALSE(fit.converged);
        CHECK(fit.gradient_norm > 1e-9);
        CHECK_THROWS_WITH_AS(static_cast<void>(linear_classifier(Objective::hinge, o_ring_flights(false))),
                             doctest::Contains("hinge"), isserlis::UnsupportedError);
    }
}
