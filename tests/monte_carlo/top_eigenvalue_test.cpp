// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>

#include <isserlis/error.hpp>
#include <isserlis/mlp/hessian_product.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/monte_carlo/top_eigenvalue.hpp>
#include <isserlis/network/zoo.hpp>

#include <cmath>

namespace {

namespace mlp = isserlis::mlp;
using isserlis::monte_carlo::NetworkModel;
using isserlis::monte_carlo::top_eigenvalue;
using isserlis::monte_carlo::top_eigenvalues;

NetworkModel he_model(std::vector<std::size_t> const& widths) {
    NetworkModel model;
    model.widths = widths;
    model.laws.assign(widths.size() - 1, {});
    for (std::size_t l = 0; l + 1 < widths.size(); ++l) model.variances.push_back(2.0 / static_cast<double>(widths[l]));
    model.input.assign(widths.front(), 1.0);
    return model;
}

/// One drawn network with inputs and targets of ones.
struct Drawn {
    mlp::Architecture net;
    std::vector<double> weights, factors;
    mlp::Examples<double> examples;

    Drawn(NetworkModel const& model, std::uint64_t sample, Eigen::Index inputs = 1)
        : net(mlp::perceptron(model.widths, {.kind = mlp::UnitKind::relu}, {}, false, model.scales)),
          weights(mlp::parameters_of(isserlis::monte_carlo::draw_network<double>(model, 9, sample))),
          factors(model.depth(), 1.0),
          examples{mlp::Matrix<double>::Ones(static_cast<Eigen::Index>(model.widths.front()), inputs),
                   mlp::Matrix<double>::Ones(static_cast<Eigen::Index>(model.widths.back()), inputs)} {}
    [[nodiscard]] double top() const { return top_eigenvalue(net, examples, weights, factors); }
};

double by_all_eigenvalues(Drawn const& drawn) {
    mlp::LossHessian hessian(drawn.net, mlp::Objective::half_squared, drawn.examples, drawn.weights, drawn.factors);
    auto const size = static_cast<Eigen::Index>(hessian.parameters());
    Eigen::MatrixXd matrix(size, size);
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(size);
    for (Eigen::Index i = 0; i < size; ++i) {
        unit[i] = 1;
        hessian.apply(unit.data(), matrix.col(i).data());
        unit[i] = 0;
    }
    CHECK((matrix - matrix.transpose()).norm() <= 1e-12 * matrix.norm());
    Eigen::VectorXd const values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix).eigenvalues();
    return std::max(std::abs(values[0]), std::abs(values[values.size() - 1]));
}

}  // namespace

TEST_SUITE("monte_carlo/top_eigenvalue") {
    TEST_CASE("Lanczos and the dense solver find the largest of all eigenvalues") {
        for (auto const& widths : std::vector<std::vector<std::size_t>>{{2, 3, 1}, {4, 8, 8, 1}, {5, 6, 7, 3}}) {
            auto model = he_model(widths);
            for (std::size_t l = 0; l < model.depth(); ++l) model.scales.push_back(0.6 + 0.3 * static_cast<double>(l));
            for (std::uint64_t sample = 0; sample < 20; ++sample) {
                Drawn drawn(model, sample);
                drawn.factors.front() = 0.3;
                CHECK(std::abs(drawn.top()) == doctest::Approx(by_all_eigenvalues(drawn)).epsilon(1e-7));
            }
        }
    }

    // Two equal Hessians have their own mean; the formula has E|H|_F^2 = 33 for 1,3,1 with unit variances.
    TEST_CASE("the mean over inputs is taken, and |H g|^2 has the mean of the squared norm") {
        auto const model = he_model({4, 8, 8, 1});
        CHECK(Drawn(model, 7, 2).top() == doctest::Approx(Drawn(model, 7).top()).epsilon(1e-7));
        auto small = he_model({1, 3, 1});
        small.variances = {1, 1};
        auto const tops = top_eigenvalues(small, {{1}}, {1, 1}, 1, 100000, 4);
        CHECK(std::abs(tops.squared_norm.mean - 33) < 5 * tops.squared_norm.std_error);
        CHECK(tops.squared_norm.std_error < 2);
    }

    // 1 - (1 - 2^-1) = 1/2 of these networks are dead: their Hessian is 0.
    TEST_CASE("dead networks have the eigenvalue 0 and no reciprocal") {
        for (auto const& widths : std::vector<std::vector<std::size_t>>{{2, 1, 1}, {50, 1, 1}}) {
            auto const tops = top_eigenvalues(he_model(widths), {he_model(widths).input}, {1, 1}, 1, 400, 4);
            CHECK(tops.without > 150);
            CHECK(tops.without < 250);
            CHECK(tops.reciprocal.samples == 400 - tops.without);
            CHECK(tops.modulus.samples == 400);
        }
    }

    // draw_weights has the weights of draw_network on a chain.
    TEST_CASE("a chain as a graph has its eigenvalues, with rates and scales") {
        auto model = he_model({3, 5, 4, 2});
        model.scales = {0.5, 2, 1.5};
        std::vector<double> const rates{0.3, 1, 2};
        isserlis::FullyConnected<double, std::uint64_t> net;
        for (std::size_t l = 0; l + 1 < model.widths.size(); ++l)
            net.layers.push_back({.fan_in = static_cast<double>(model.widths[l]),
                                  .fan_out = static_cast<double>(model.widths[l + 1]),
                                  .count = 1,
                                  .variance = model.variances[l],
                                  .label_factor = rates[l]});
        isserlis::monte_carlo::GraphModel graph{.graph = isserlis::chain_graph(net)};
        for (std::size_t l = 0; l < model.scales.size(); ++l)
            graph.graph.stages[l].edges[0].multiplier = model.scales[l];
        auto const of_chain = top_eigenvalues(model, {{1, 2, 3}}, rates, 0.5, 60, 4);
        auto const of_graph = top_eigenvalues(graph, {{1, 2, 3}}, 0.5, 60, 4);
        CHECK(of_graph.modulus.mean == doctest::Approx(of_chain.modulus.mean).epsilon(1e-6));
        CHECK(of_graph.modulus.std_error == doctest::Approx(of_chain.modulus.std_error).epsilon(1e-6));
        // Each by random vectors of its own: of the weights, and of their rows and columns.
        double const errors = std::hypot(of_graph.squared_norm.std_error, of_chain.squared_norm.std_error);
        CHECK(std::abs(of_graph.squared_norm.mean - of_chain.squared_norm.mean) < 5 * errors);
        CHECK(of_graph.negative == of_chain.negative);
        // Two matrices that lead into one node by different rates.
        auto& stage = graph.graph.stages[1];
        stage.edges.push_back(stage.edges.front());
        stage.edges.back().name = "second";
        stage.edges.back().label_factor = 7;
        CHECK_THROWS_AS((void)top_eigenvalues(graph, {{1, 2, 3}}, 0.5, 2, 4), isserlis::UnsupportedError);
    }

    TEST_CASE("the answer does not depend on the number of threads") {
        isserlis::monte_carlo::RunControl control;
        auto const tops = [&](unsigned threads) {
            control.threads = threads;
            return top_eigenvalues(he_model({4, 6, 6, 1}), {{1, 2, 3, 4}, {0, 0, 1, 0}}, {1, 1, 1}, 1, 50, 4, control);
        };
        auto const one = tops(1);
        auto const two = tops(2);
        CHECK(one.modulus.mean == two.modulus.mean);
        CHECK(one.reciprocal.std_error == two.reciprocal.std_error);
    }
}
