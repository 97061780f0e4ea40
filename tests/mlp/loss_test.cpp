// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/loss.hpp>
#include <limits>
#include <random>

namespace {

using isserlis::LossKind;
using isserlis::mlp::loss_gradient;
using isserlis::mlp::loss_hessian;
using isserlis::mlp::loss_hessian_form;
using isserlis::mlp::loss_value;
using isserlis::mlp::Matrix;
using isserlis::mlp::Vector;
using V = Vector<double>;

V random_vector(std::mt19937_64& random, Eigen::Index size) {
    std::normal_distribution<double> normal;
    return V::NullaryExpr(size, [&] { return 2 * normal(random); });
}

V target_for(LossKind kind, std::mt19937_64& random, Eigen::Index size) {
    if (kind == LossKind::cross_entropy) return V::Unit(size, static_cast<Eigen::Index>(random() % 3));
    if (kind == LossKind::binary_cross_entropy) return V::NullaryExpr(size, [&] { return double(random() % 2); });
    return random_vector(random, size);
}

}  // namespace

TEST_SUITE("mlp/loss") {
    // By hand: z - y = (1, -2, 2), squared norm 9.
    TEST_CASE("squared errors") {
        V const z{{2, 0, 1}};
        V const y{{1, 2, -1}};
        CHECK(loss_value(LossKind::squared, z, y) == 9);
        CHECK(loss_value(LossKind::half_squared, z, y) == 4.5);
        CHECK(loss_gradient(LossKind::squared, z, y) == V{{2, -4, 4}});
        CHECK(loss_gradient(LossKind::half_squared, z, y) == V{{1, -2, 2}});
        CHECK(loss_hessian(LossKind::squared, z) == 2 * Matrix<double>::Identity(3, 3));
        CHECK(loss_hessian(LossKind::half_squared, z) == Matrix<double>::Identity(3, 3));
    }

    // [Hettinger 2019, Def 3.18] with z = (log 1, log 2, log 5): softmax (1, 2, 5)/8, loss log 8 - log 2 = log 4.
    TEST_CASE("cross-entropy at a softmax of (1, 2, 5)/8") {
        V const z{{0, std::log(2.0), std::log(5.0)}};
        V const y{{0, 1, 0}};
        CHECK(loss_value(LossKind::cross_entropy, z, y) == doctest::Approx(std::log(4.0)).epsilon(1e-15));
        CHECK(loss_gradient(LossKind::cross_entropy, z, y).isApprox(V{{0.125, -0.75, 0.625}}, 1e-15));
        Matrix<double> const expected{{7, -2, -5}, {-2, 12, -10}, {-5, -10, 15}};
        CHECK(loss_hessian(LossKind::cross_entropy, z).isApprox(expected / 64, 1e-14));
    }

    // Sigmoid of log 3 is 3/4.
    TEST_CASE("binary cross-entropy at a probability of 3/4") {
        V const z = V::Constant(1, std::log(3.0));
        CHECK(loss_value(LossKind::binary_cross_entropy, z, V::Ones(1)) == doctest::Approx(std::log(4.0 / 3)));
        CHECK(loss_value(LossKind::binary_cross_entropy, z, V::Zero(1)) == doctest::Approx(std::log(4.0)));
        CHECK(loss_gradient(LossKind::binary_cross_entropy, z, V::Ones(1))[0] == doctest::Approx(-0.25));
        CHECK(loss_hessian(LossKind::binary_cross_entropy, z)(0, 0) == doctest::Approx(0.1875));
    }

    TEST_CASE("gradients and Hessians agree with central differences") {
        std::mt19937_64 random(1);
        for (auto const& loss : isserlis::losses) {
            CAPTURE(loss.name);
            for (int trial = 0; trial < 20; ++trial) {
                V const z = random_vector(random, 3);
                V const y = target_for(loss.kind, random, 3);
                V const u = random_vector(random, 3);
                double const h = 1e-5;
                double const by_value =
                    (loss_value(loss.kind, z + h * u, y) - loss_value(loss.kind, z - h * u, y)) / (2 * h);
                V const gradient = loss_gradient(loss.kind, z, y);
                CHECK(by_value == doctest::Approx(gradient.dot(u)).epsilon(1e-8));
                V const by_gradient =
                    (loss_gradient(loss.kind, z + h * u, y) - loss_gradient(loss.kind, z - h * u, y)) / (2 * h);
                Matrix<double> const hessian = loss_hessian(loss.kind, z);
                CHECK((by_gradient - hessian * u).norm() < 1e-8);
                CHECK(hessian == hessian.transpose());
                CHECK(loss_hessian_form(loss.kind, z, u) == doctest::Approx(u.dot(hessian * u)).epsilon(1e-12));
            }
        }
    }

    // softplus(-z) = e^-z (1 - e^-z/2 + ..): at 50 the relative error of e^-50 is below 1e-21, and 800 underflows to 0.
    TEST_CASE("far from zero nothing overflows and nothing small is lost") {
        double const tiny = std::exp(-50.0);
        V const z{{50, 0}};
        V const y{{1, 0}};
        CHECK(loss_value(LossKind::cross_entropy, z, y) == doctest::Approx(tiny).epsilon(1e-14));
        CHECK(loss_gradient(LossKind::cross_entropy, z, y).isApprox(V{{-tiny, tiny}}, 1e-14));
        CHECK(loss_hessian(LossKind::cross_entropy, z)(0, 0) == doctest::Approx(tiny).epsilon(1e-14));
        CHECK(loss_hessian_form(LossKind::cross_entropy, z, V{{1, 3}}) == doctest::Approx(4 * tiny).epsilon(1e-14));
        V const one = V::Constant(1, 50);
        CHECK(loss_value(LossKind::binary_cross_entropy, one, V::Ones(1)) == doctest::Approx(tiny).epsilon(1e-14));
        CHECK(loss_gradient(LossKind::binary_cross_entropy, -one, V::Zero(1))[0] ==
              doctest::Approx(tiny).epsilon(1e-14));
        for (double const sign : {1.0, -1.0})
            for (auto const kind : {LossKind::cross_entropy, LossKind::binary_cross_entropy}) {
                V const far{{sign * 1e308, 0}};
                CHECK(loss_value(kind, far, V{{sign > 0 ? 1.0 : 0.0, sign > 0 ? 0.0 : 1.0}}) <= 1);
                CHECK(loss_gradient(kind, far, y).allFinite());
                CHECK(loss_hessian(kind, far).allFinite());
            }
    }

    // The limits, each of which exists: the class asked for has the probability 1/2, 1 or 0.
    TEST_CASE("logits at infinity, or so far apart that their difference is, have the loss of the limit") {
        double const infinite = std::numeric_limits<double>::infinity();
        auto const cross = [](V const& z, V const& y) { return loss_value(LossKind::cross_entropy, z, y); };
        auto const binary = [](double z, double y) {
            return loss_value(LossKind::binary_cross_entropy, V{{z}}, V{{y}});
        };
        V const first{{1, 0, 0}};
        CHECK(cross(V{{0, -infinite, 0}}, first) == doctest::Approx(std::log(2.0)));
        CHECK(cross(V{{1e308, -1e308, 0}}, first) == 0);
        CHECK(cross(V{{infinite, 0, 1}}, first) == 0);
        CHECK(cross(V{{0, infinite, 1}}, first) == infinite);
        CHECK(cross(V{{-infinite, 0, 1}}, first) == infinite);
        CHECK(cross(V{{-1e308, 1e308, 0}}, first) == infinite);  // 2e308, which is beyond double
        CHECK(binary(infinite, 1) == 0);
        CHECK(binary(-infinite, 0) == 0);
        CHECK(binary(infinite, 0) == infinite);
        CHECK(binary(-infinite, 1) == infinite);
        CHECK(binary(1e308, 1) == 0);
        V const gradient = loss_gradient(LossKind::cross_entropy, V{{0, -infinite, 0}}, first);
        CHECK(gradient == V{{-0.5, 0, 0.5}});
        // Where there is no limit there is no number.
        CHECK(std::isnan(cross(V{{infinite, infinite, 0}}, first)));
        CHECK(std::isnan(binary(std::nan(""), 1)));
    }

    TEST_CASE("a batch is the mean over its columns") {
        std::mt19937_64 random(2);
        for (auto const& loss : isserlis::losses) {
            Matrix<double> z(3, 4), y(3, 4), u(3, 4), gradients;
            double value = 0, form = 0;
            for (Eigen::Index k = 0; k < 4; ++k) {
                z.col(k) = random_vector(random, 3);
                y.col(k) = target_for(loss.kind, random, 3);
                u.col(k) = random_vector(random, 3);
                value += loss_value(loss.kind, z.col(k), y.col(k)) / 4;
                form += loss_hessian_form(loss.kind, z.col(k), u.col(k)) / 4;
            }
            CHECK(isserlis::mlp::mean_loss(loss.kind, z, y) == doctest::Approx(value).epsilon(1e-14));
            CHECK(isserlis::mlp::mean_hessian_form(loss.kind, z, u) == doctest::Approx(form).epsilon(1e-14));
            isserlis::mlp::loss_gradients(loss.kind, z, y, gradients);
            for (Eigen::Index k = 0; k < 4; ++k)
                CHECK(gradients.col(k) == loss_gradient(loss.kind, z.col(k), y.col(k)));
        }
    }

    TEST_CASE("sizes that differ are refused") {
        CHECK_THROWS_WITH_AS(static_cast<void>(loss_value(LossKind::squared, V::Zero(2), V::Zero(3))),
                             "loss_value: the output has 2 entries, the target 3; they must agree",
                             isserlis::DomainError);
        CHECK_THROWS_AS(static_cast<void>(loss_gradient(LossKind::squared, V::Zero(2), V::Zero(3))),
                        isserlis::DomainError);
    }
}
