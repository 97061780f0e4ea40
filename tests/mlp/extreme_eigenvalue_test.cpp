// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <isserlis/error.hpp>
#include <isserlis/mlp/extreme_eigenvalue.hpp>
#include <limits>
#include <random>

namespace {

using isserlis::mlp::ExtremeEigenvalue;
using isserlis::mlp::largest_by_modulus;
using isserlis::mlp::largest_by_value;
using isserlis::mlp::SymmetricOperator;

SymmetricOperator products(Eigen::MatrixXd const& h) {
    return {.size = h.rows(), .apply = [&h](double const* in, double* out) {
                Eigen::Map<Eigen::VectorXd>(out, h.rows()) = h * Eigen::Map<Eigen::VectorXd const>(in, h.rows());
            }};
}

struct Ends {
    ExtremeEigenvalue modulus, value;
};

Ends ends(Eigen::MatrixXd const& h) {
    auto const op = products(h);
    auto const modulus = largest_by_modulus(op);
    return {modulus, largest_by_value(op, modulus)};
}

/// With these eigenvalues, and the eigenvectors of a random rotation.
Eigen::MatrixXd rotated(Eigen::VectorXd const& eigenvalues, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    Eigen::Index const n = eigenvalues.size();
    Eigen::MatrixXd const draws = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(random); });
    Eigen::MatrixXd const q = Eigen::HouseholderQR<Eigen::MatrixXd>(draws).householderQ();
    Eigen::MatrixXd const out = q * eigenvalues.asDiagonal() * q.transpose();
    return (out + out.transpose()) / 2;
}

}  // namespace

TEST_SUITE("mlp/extreme_eigenvalue") {
    TEST_CASE("two by two by hand") {
        CHECK(ends((Eigen::MatrixXd(2, 2) << 2, 1, 1, 2).finished()).modulus.value == doctest::Approx(3));
        auto const indefinite = ends((Eigen::MatrixXd(2, 2) << -5, 0, 0, 3).finished());
        CHECK(indefinite.modulus.value == doctest::Approx(-5));
        CHECK(indefinite.value.value == doctest::Approx(3));
        CHECK(indefinite.value.residual < 1e-12);
    }

    TEST_CASE("the eigenvalues that a matrix was made with, of either sign, by Lanczos") {
        for (double const lowest : {-1.0, -7.0, 0.0}) {
            CAPTURE(lowest);
            Eigen::VectorXd eigenvalues = Eigen::VectorXd::LinSpaced(90, -0.5, 2);
            eigenvalues[0] = lowest;
            eigenvalues[89] = 4;
            auto const found = ends(rotated(eigenvalues, 5));
            CHECK(found.modulus.value == doctest::Approx(lowest == -7 ? -7 : 4).epsilon(1e-10));
            CHECK(found.value.value == doctest::Approx(4).epsilon(1e-10));
            CHECK(found.modulus.residual < 1e-7);
            CHECK(found.value.residual < 1e-7);
        }
    }

    // The image of H alone would show -1 as the largest.
    TEST_CASE("negative semidefinite: the largest by value is 0, where there is a null space") {
        Eigen::VectorXd eigenvalues = Eigen::VectorXd::Zero(50);
        eigenvalues.head(20) = Eigen::VectorXd::LinSpaced(20, -3, -1);
        auto const found = ends(rotated(eigenvalues, 6));
        CHECK(found.modulus.value == doctest::Approx(-3));
        CHECK(std::abs(found.value.value) < 1e-8);
    }

    TEST_CASE("the operator 0, small and large") {
        for (Eigen::Index const n : {3, 60}) {
            auto const found = ends(Eigen::MatrixXd::Zero(n, n));
            CHECK(found.modulus.value == 0);
            CHECK(found.value.value == 0);
        }
    }

    TEST_CASE("the residual bounds the distance to an eigenvalue") {
        Eigen::VectorXd const eigenvalues = Eigen::VectorXd::LinSpaced(120, 1, 1.05);  // close together
        Eigen::MatrixXd const h = rotated(eigenvalues, 7);
        auto const found = largest_by_modulus(products(h));
        Eigen::VectorXd const all = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(h).eigenvalues();
        CHECK((all.array() - found.value).abs().minCoeff() <= found.residual + 1e-14);
        CHECK(found.residual < 1e-7);
    }

    TEST_CASE("a product that is not finite is refused") {
        Eigen::MatrixXd h = Eigen::MatrixXd::Identity(3, 3);
        h(1, 1) = std::numeric_limits<double>::infinity();
        CHECK_THROWS_WITH_AS(static_cast<void>(largest_by_modulus(products(h))), doctest::Contains("not finite"),
                             isserlis::DomainError);
    }
}
