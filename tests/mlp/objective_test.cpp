// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/loss.hpp>
#include <isserlis/mlp/objective.hpp>
#include <limits>
#include <random>

#include "random_network.hpp"

namespace {

using namespace isserlis::mlp;
using isserlis::DomainError;
using isserlis::LossKind;
using isserlis::UnsupportedError;
using Index = Eigen::Index;

constexpr auto all = {Objective::squared, Objective::half_squared, Objective::cross_entropy,
                      Objective::binary_cross_entropy, Objective::hinge};
constexpr double infinity = std::numeric_limits<double>::infinity();

Matrix<double> column(std::initializer_list<double> entries) {
    Matrix<double> out(static_cast<Index>(entries.size()), 1);
    std::copy(entries.begin(), entries.end(), out.data());
    return out;
}

}  // namespace

TEST_SUITE("mlp/objective") {
    TEST_CASE("names are read back") {
        for (auto const o : all) CHECK(objective(name(o)) == o);
        CHECK(std::string(name(Objective::half_squared)) == "half-squared");
        CHECK_FALSE(objective("huber").has_value());
    }

    // max(0, 1 - y z) by hand: margins 1.5, 1 and -0.5, 0.
    TEST_CASE("hinge by hand, with derivative 0 at the kink") {
        auto const z = column({1.5, 1, 0.5, 0});
        auto const y = column({1, 1, -1, 1});
        CHECK(objective_sum(Objective::hinge, z, y) == 0 + 0 + 1.5 + 1);
        CHECK(objective_gradients(Objective::hinge, z, y) == column({0, 0, 1, -1}));
        CHECK(objective_hessian_products(Objective::hinge, z, column({1, 2, 3, 4})) == column({0, 0, 0, 0}));
        CHECK(objective_sum(Objective::hinge, column({infinity}), column({1})) == 0);
        CHECK(objective_gradients(Objective::hinge, column({infinity}), column({1}))(0, 0) == 0);
        CHECK(std::isnan(objective_sum(Objective::hinge, column({std::nan("")}), column({1}))));
        CHECK(std::isnan(objective_gradients(Objective::hinge, column({std::nan("")}), column({1}))(0, 0)));
    }

    // H u, where loss_hessian forms H.
    TEST_CASE("Hessian products are those of the matrix") {
        std::mt19937_64 random(3);
        auto const z = random_network::matrix(random, 4, 6);
        auto const u = random_network::matrix(random, 4, 6);
        for (auto const& [goal, kind] : {std::pair(Objective::squared, LossKind::squared),
                                         std::pair(Objective::half_squared, LossKind::half_squared),
                                         std::pair(Objective::cross_entropy, LossKind::cross_entropy),
                                         std::pair(Objective::binary_cross_entropy, LossKind::binary_cross_entropy)}) {
            auto const product = objective_hessian_products(goal, z, u);
            for (Index k = 0; k < 6; ++k)
                CHECK((product.col(k) - loss_hessian(kind, z.col(k)) * u.col(k)).cwiseAbs().maxCoeff() < 1e-14);
        }
    }

    // softmax(0, log 2, log 5) = (1, 2, 5) / 8.
    TEST_CASE("probabilities by hand, and far out") {
        auto const p = probabilities(Objective::cross_entropy, column({0, std::log(2), std::log(5)}));
        CHECK(p(0, 0) == doctest::Approx(0.125));
        CHECK(p(2, 0) == doctest::Approx(0.625));
        auto const far = probabilities(Objective::cross_entropy, column({-700, 0, -1e300}));
        CHECK(far(0, 0) == doctest::Approx(std::exp(-700)).epsilon(1e-12));
        CHECK(far(1, 0) == 1);
        CHECK(far(2, 0) == 0);
        auto const q = probabilities(Objective::binary_cross_entropy, column({-700, 0, 800, std::log(3)}));
        CHECK(q(0, 0) == doctest::Approx(std::exp(-700)).epsilon(1e-12));
        CHECK(q(1, 0) == 0.5);
        CHECK(q(2, 0) == 1);
        CHECK(q(3, 0) == doctest::Approx(0.75));
        CHECK_THROWS_AS(static_cast<void>(probabilities(Objective::hinge, p)), UnsupportedError);
    }

    TEST_CASE("predicted classes: the first of the most probable, or what is above the threshold") {
        Matrix<double> z(3, 2);
        z << 1, 4, 3, 4, 2, -1;
        CHECK(predicted_classes(Objective::cross_entropy, z)(0, 0) == 1);
        CHECK(predicted_classes(Objective::cross_entropy, z)(0, 1) == 0);
        auto const logits = column({-0.1, 0, 0.1, std::log(4) - 1e-9, std::log(4) + 1e-9});
        auto const half = predicted_classes(Objective::binary_cross_entropy, logits);
        CHECK(half.sum() == 3);
        CHECK(half(1, 0) == 0);
        auto const most = predicted_classes(Objective::binary_cross_entropy, logits, 0.8);
        CHECK(most.sum() == 1);
        CHECK(most(4, 0) == 1);
        CHECK_THROWS_AS(static_cast<void>(predicted_classes(Objective::binary_cross_entropy, logits, 1)), DomainError);
        CHECK_THROWS_AS(static_cast<void>(predicted_classes(Objective::cross_entropy, z, 0.5)), DomainError);
        CHECK_THROWS_AS(static_cast<void>(predicted_classes(Objective::squared, z)), UnsupportedError);
    }

    TEST_CASE("samples are right when every class is") {
        Matrix<double> z(2, 3);
        z << 1, 1, -1, -1, 2, -2;
        Matrix<double> y(2, 3);
        y << 1, 1, 0, 0, 0, 0;
        CHECK(count_right(Objective::binary_cross_entropy, z, y) == 2);
        Matrix<double> classes(2, 3);
        classes << 1, 1, 1, 0, 0, 0;
        CHECK(count_right(Objective::cross_entropy, z, classes) == 2);
        Matrix<double> const signs = (2 * y.array() - 1).matrix();
        CHECK(count_right(Objective::hinge, z, signs) == 2);
        CHECK_FALSE(count_right(Objective::squared, z, y).has_value());
        z(0, 0) = std::nan("");
        CHECK(count_right(Objective::binary_cross_entropy, z, y) == 1);
    }

    TEST_CASE("targets without meaning are refused by sample and entry") {
        CHECK_NOTHROW(require_targets(Objective::squared, column({-7})));
        CHECK_NOTHROW(require_targets(Objective::cross_entropy, column({0, 1})));
        CHECK_NOTHROW(require_targets(Objective::hinge, column({-1, 1})));
        CHECK_NOTHROW(require_targets(Objective::binary_cross_entropy, column({0, 1, 0.5})));
        CHECK_THROWS_WITH_AS(require_targets(Objective::hinge, column({1, 0})),
                             doctest::Contains("entry 2 of sample 1 is 0.000000; hinge requires -1 or 1"), DomainError);
        CHECK_THROWS_AS(require_targets(Objective::cross_entropy, column({1, 1})), DomainError);
        CHECK_THROWS_AS(require_targets(Objective::cross_entropy, column({2, -1})), DomainError);
        CHECK_THROWS_AS(require_targets(Objective::binary_cross_entropy, column({1.5})), DomainError);
        CHECK_THROWS_AS(require_targets(Objective::squared, column({infinity})), DomainError);
    }
}
