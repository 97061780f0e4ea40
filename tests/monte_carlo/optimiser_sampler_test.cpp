// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <isserlis/error.hpp>
#include <isserlis/mlp/network.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/monte_carlo/optimiser_sampler.hpp>
#include <isserlis/monte_carlo/step_sampler.hpp>

#include <cmath>

TEST_SUITE("monte_carlo/optimiser_sampler") {
    using isserlis::StepRule;
    using isserlis::monte_carlo::apply_rule;
    using isserlis::monte_carlo::NetworkModel;
    using isserlis::monte_carlo::sample_first_steps;
    using isserlis::monte_carlo::sample_steps;
    using isserlis::monte_carlo::sample_whole_steps;

    namespace {

    NetworkModel small_model() {
        NetworkModel model;
        model.widths = {3, 4, 3, 2};
        model.input = {1, -2, 0.5};
        model.laws.assign(3, {});
        model.variances = {0.7, 0.5, 0.4};
        return model;
    }

    }  // namespace

    TEST_CASE("signs, whole norms and polar factors are those of their definitions") {
        std::vector<double> const column{0.3, -2, 0, 5};
        std::vector<double> const row{1, -0.5, 4};
        std::vector<double> matrix;
        for (double const c : column)
            for (double const r : row) matrix.push_back(c * r);
        std::vector<std::vector<double>> signs(1, matrix);
        apply_rule(StepRule::sign, signs);
        CHECK(signs[0] == std::vector<double>{1, -1, 1, -1, 1, -1, 0, 0, 0, 1, -1, 1});

        auto polar = std::vector{matrix, std::vector<double>{0, 0}};
        apply_rule(StepRule::orthogonal, polar);
        Eigen::Map<Eigen::Matrix<double, 4, 3, Eigen::RowMajor> const> const g(matrix.data());
        Eigen::JacobiSVD<Eigen::MatrixXd> const svd(g, Eigen::ComputeThinU | Eigen::ComputeThinV);
        Eigen::MatrixXd const expected = svd.matrixU().col(0) * svd.matrixV().col(0).transpose();
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 3; ++j)
                CHECK(polar[0][static_cast<std::size_t>(3 * i + j)] == doctest::Approx(expected(i, j)));
        CHECK(polar[1] == std::vector<double>{0, 0});

        std::vector<std::vector<double>> whole{{3, 0}, {0, -4}};
        apply_rule(StepRule::normalised, whole);
        CHECK(whole == std::vector<std::vector<double>>{{0.6, 0}, {0, -0.8}});
        apply_rule(StepRule::descent, whole);
        CHECK(whole == std::vector<std::vector<double>>{{0.6, 0}, {0, -0.8}});
    }

    TEST_CASE("descent is what the other sampler of steps does on the same networks") {
        std::vector<double> const rates{0.1, 0.2, 0.3};
        auto const here = sample_first_steps(small_model(), StepRule::descent, rates, 1, 200, 4);
        auto const there = sample_steps(small_model(), rates, 1, 200, 4);
        for (std::size_t l = 0; l < 3; ++l) {
            CHECK(here[l].square.mean == doctest::Approx(there[l].square.mean));
            CHECK(here[l].change_square.mean == doctest::Approx(there[l].change_square.mean));
            CHECK(here[l].change_absolute.mean == doctest::Approx(there[l].change_absolute.mean));
        }
        CHECK(here[0].own_square.mean == doctest::Approx(here[0].change_square.mean));
    }

    // A step of theta, W = scale theta, is one of W at scale^2 times the rate for descent, and scale times it for signs.
    TEST_CASE("scales are chain rules") {
        auto scaled = small_model();
        scaled.scales = {2, 0.5, 3};
        auto plain = small_model();
        for (std::size_t l = 0; l < 3; ++l) plain.variances[l] *= scaled.scales[l] * scaled.scales[l];
        for (auto const rule : {StepRule::descent, StepRule::sign}) {
            std::vector<double> const rates{0.1, 0.2, 0.3};
            std::vector<double> own = rates;
            for (std::size_t l = 0; l < 3; ++l)
                own[l] *= rule == StepRule::sign ? scaled.scales[l] : scaled.scales[l] * scaled.scales[l];
            auto const a = sample_first_steps(scaled, rule, rates, 1, 100, 9);
            auto const b = sample_first_steps(plain, rule, own, 1, 100, 9);
            for (std::size_t l = 0; l < 3; ++l)
                CHECK(a[l].change_square.mean == doctest::Approx(b[l].change_square.mean));
        }
    }

    // Two networks stepped by mlp::backward; the target is 0.
    TEST_CASE("whole steps are those of the engine") {
        auto const model = small_model();
        std::vector<double> const rates{0.05, 0.1, 0.2};
        isserlis::mlp::Vector<double> const x{{1, -2, 0.5}};
        std::vector<double> square(3, 0.0);
        for (std::uint64_t sample = 0; sample < 2; ++sample) {
            auto net = isserlis::monte_carlo::draw_network<double>(model, 8, sample);
            auto const before = isserlis::mlp::forward(net, x);
            for (int t = 0; t < 3; ++t) {
                auto const now = isserlis::mlp::forward(net, x);
                auto const gradient = isserlis::mlp::backward(net, x, now.activations.back());
                for (std::size_t l = 0; l < 3; ++l) net.layers[l].weights -= rates[l] * gradient[l].weights;
            }
            auto const after = isserlis::mlp::forward(net, x);
            for (std::size_t l = 0; l < 3; ++l) {
                auto const change = after.preactivations[l] - before.preactivations[l];
                square[l] += change.squaredNorm() / static_cast<double>(change.size()) / 2;
            }
        }
        auto const sampled = sample_whole_steps(model, StepRule::descent, rates, 0, 3, 2, 8);
        REQUIRE(sampled.size() == 3);
        for (std::size_t l = 0; l < 3; ++l)
            CHECK(sampled[2][l].change_square.mean == doctest::Approx(square[l]).epsilon(1e-10));
    }

    TEST_CASE("a small whole step is the first one, whatever the rule") {
        std::vector<double> const rates{1e-7, 2e-7, 3e-7};
        for (auto const rule : {StepRule::sign, StepRule::normalised, StepRule::orthogonal}) {
            auto const linear = sample_first_steps(small_model(), rule, rates, 1, 50, 2);
            auto const whole = sample_whole_steps(small_model(), rule, rates, 1, 1, 50, 2).front();
            for (std::size_t l = 0; l < 3; ++l) {
                CHECK(whole[l].change_square.mean == doctest::Approx(linear[l].change_square.mean).epsilon(1e-4));
                CHECK(whole[l].change_absolute.mean == doctest::Approx(linear[l].change_absolute.mean).epsilon(1e-4));
            }
        }
    }

    TEST_CASE("arguments that do not fit are named") {
        CHECK_THROWS_AS((void)sample_first_steps(small_model(), StepRule::sign, {1}, 1, 10, 1), isserlis::DomainError);
        CHECK_THROWS_AS((void)sample_whole_steps(small_model(), StepRule::sign, {1, 1, 1}, 1, 0, 10, 1),
                        isserlis::DomainError);
        auto gated = small_model();
        gated.gated_head = true;
        CHECK_THROWS_AS((void)sample_first_steps(gated, StepRule::sign, {1, 1, 1}, 1, 10, 1), isserlis::DomainError);
    }
}
