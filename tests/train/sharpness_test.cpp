// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <fstream>
#include <isserlis/error.hpp>
#include <isserlis/train/initial.hpp>
#include <isserlis/train/sharpness.hpp>
#include <isserlis/train/train.hpp>
#include <nlohmann/json.hpp>
#include <random>

#include "../mlp/json_matrix.hpp"

namespace {

using namespace isserlis::train;
using namespace isserlis::mlp;
using Json = nlohmann::json;
using Index = Eigen::Index;
using Numbers = std::vector<double>;

Matrix<double> normals(std::mt19937_64& random, Index rows, Index cols) {
    std::normal_distribution<double> normal;
    return Matrix<double>::NullaryExpr(rows, cols, [&] { return normal(random); });
}

/// The Hessian by central differences of the gradient.
Eigen::MatrixXd difference_hessian(Architecture const& net, Objective objective, Examples<double> const& examples,
                                   Numbers const& at) {
    constexpr double h = 1e-5;
    auto const n = static_cast<Index>(at.size());
    Eigen::MatrixXd out(n, n);
    DataLoss<double> loss(net, objective);
    for (Index i = 0; i < n; ++i) {
        std::array<Eigen::VectorXd, 2> gradients{Eigen::VectorXd(n), Eigen::VectorXd(n)};
        for (std::size_t side = 0; side < 2; ++side) {
            Numbers moved = at;
            moved[static_cast<std::size_t>(i)] += side == 0 ? h : -h;
            loss.gradient(moved, examples, std::span<double>(gradients[side].data(), at.size()));
        }
        out.col(i) = (gradients[0] - gradients[1]) / (2 * h);
    }
    return (out + out.transpose()) / 2;
}

}  // namespace

TEST_SUITE("train/sharpness") {
    // tests/train/references/experiments.py: PyTorch 1.13, eigenvalues of the full Hessian.
    TEST_CASE("both ends of the spectrum are PyTorch's, with and without label factors") {
        std::ifstream file(std::string(ISSERLIS_TEST_DATA) + "/train/references/experiments.json");
        Json const reference = Json::parse(file);
        Examples<double> const examples{testing::matrix(reference["inputs"]), testing::matrix(reference["targets"])};
        auto const start = reference["start"].get<Numbers>();
        CHECK(reference["eigenvalues"].size() == 12);
        for (auto const& [key, ends] : reference["eigenvalues"].items()) {
            CAPTURE(key);
            auto const blank = key.find(' ');
            auto const net = perceptron({3, 5, 4}, {.kind = *unit_kind(key.substr(0, blank))});
            auto const goal = *objective(key.substr(blank + 1));
            for (std::size_t scaled = 0; scaled < 2; ++scaled) {
                double const low = ends[2 * scaled];
                double const high = ends[2 * scaled + 1];
                auto const found = sharpness(net, goal, examples, start, scaled == 0 ? Numbers{} : Numbers{0.25, 2});
                CHECK(found.top.value == doctest::Approx(high).epsilon(1e-10));
                CHECK(found.modulus.value == doctest::Approx(-low > high ? low : high).epsilon(1e-10));
                CHECK(found.top.residual < 1e-7 * high);
                CHECK(*found.stable_rate() == doctest::Approx(2 / high).epsilon(1e-10));
            }
        }
    }

    TEST_CASE("the dense eigenvalues of a Hessian by finite differences") {
        std::mt19937_64 random(3);
        for (auto const kind : {UnitKind::tanh, UnitKind::sigmoid, UnitKind::swish}) {
            auto const net = perceptron({2, 3, 2, 1}, {.kind = kind});
            Examples<double> const examples{normals(random, 2, 9), normals(random, 1, 9)};
            auto const start = initial_parameters<double>(net, variances_by_fan_in(net, 1), 4);
            auto const found = sharpness(net, Objective::half_squared, examples, start);
            Eigen::VectorXd const all = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(
                                            difference_hessian(net, Objective::half_squared, examples, start))
                                            .eigenvalues();
            CHECK(found.top.value == doctest::Approx(all.maxCoeff()).epsilon(1e-7));
            CHECK(std::abs(found.modulus.value) == doctest::Approx(all.cwiseAbs().maxCoeff()).epsilon(1e-7));
        }
    }

    // Half the squared error of a linear unit is a quadratic: descent falls below 2 / lambda_1 and diverges above.
    TEST_CASE("descent on a quadratic falls at 0.99 and diverges at 1.01 times the stable rate, by label factors too") {
        std::mt19937_64 random(8);
        Examples<double> const examples{normals(random, 4, 30), normals(random, 2, 30)};
        auto const wiring = perceptron({4, 3, 2}, {.kind = UnitKind::identity});
        // The first layer is frozen, so that the second sees a quadratic.
        auto const start = initial_parameters<double>(wiring, variances_by_fan_in(wiring, 1), 2);
        Numbers const factors{0, 0.3};
        auto const found = sharpness(wiring, Objective::half_squared, examples, start, factors);
        for (double const part : {0.99, 1.01}) {
            auto const run = train<double>(
                wiring, Objective::half_squared, examples, start,
                {.rate = part * *found.stable_rate(), .rate_factors = factors, .epochs = 6000, .history_every = 1000});
            auto const& rows = run.history;
            CHECK((part < 1 ? rows.back().loss < rows.front().loss : rows.back().loss > 1e6 * rows.front().loss));
        }
    }

    TEST_CASE("any number of threads gives the same bits") {
        std::mt19937_64 random(9);
        Examples<double> const examples{normals(random, 3, 700), normals(random, 1, 700)};
        auto const net = perceptron({3, 12, 1}, {.kind = UnitKind::gelu});
        auto const start = initial_parameters<double>(net, variances_by_fan_in(net, 1), 4);
        auto const one = sharpness(net, Objective::squared, examples, start, {}, 1);
        auto const three = sharpness(net, Objective::squared, examples, start, {}, 3);
        CHECK(one.top.value == three.top.value);
        CHECK(one.modulus.value == three.modulus.value);
    }

    TEST_CASE("what has no Hessian here is refused by name") {
        auto const plain = perceptron({2, 3, 1}, {.kind = UnitKind::tanh});
        Examples<double> const examples{Matrix<double>::Ones(2, 4), Matrix<double>::Ones(1, 4)};
        auto refused = [&](auto const& change) {
            auto traits = plain.traits();
            change(traits[1]);
            Architecture const net(plain.wiring(), traits);
            static_cast<void>(sharpness(net, Objective::squared, examples, net.neutral_parameters()));
        };
        CHECK_THROWS_WITH_AS(refused([](auto& t) { t.batch_norm = true; }), doctest::Contains("batch norm"),
                             isserlis::UnsupportedError);
        CHECK_THROWS_WITH_AS(refused([](auto& t) { t.keep = 0.5; }), doctest::Contains("dropout"),
                             isserlis::UnsupportedError);
        CHECK_THROWS_WITH_AS(refused([](auto& t) { t.unit.kind = UnitKind::step; }), doctest::Contains("step"),
                             isserlis::UnsupportedError);
        auto clashes = [&](Numbers const& at, Numbers const& factors, char const* message) {
            CHECK_THROWS_WITH_AS(static_cast<void>(sharpness(plain, Objective::squared, examples, at, factors)),
                                 doctest::Contains(message), isserlis::DomainError);
        };
        clashes(plain.neutral_parameters(), {1}, "1 label_factors");
        clashes(plain.neutral_parameters(), {1, -1}, "label_factors = -1");
        clashes({1, 2}, {}, "2 values for 13 parameters");
    }
}
