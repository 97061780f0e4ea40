// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <isserlis/error.hpp>
#include <isserlis/mlp/folded.hpp>
#include <isserlis/train/initial.hpp>
#include <isserlis/train/train.hpp>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <set>

#include "../mlp/json_matrix.hpp"

namespace {

using namespace isserlis::train;
using namespace isserlis::mlp;
using isserlis::DomainError;
using Json = nlohmann::json;
using Index = Eigen::Index;
using Numbers = std::vector<double>;

using isserlis::mlp::testing::matrix;

Matrix<double> normals(std::mt19937_64& random, Index rows, Index cols) {
    std::normal_distribution<double> normal;
    return Matrix<double>::NullaryExpr(rows, cols, [&] { return normal(random); });
}

/// Temperature in Fahrenheit and whether an O-ring was in distress, 23 flights before the Challenger.
/// The data of S. Dalal, E. Fowlkes and B. Hoadley, Journal of the American Statistical Association 84 (1989) 945-957.
Examples<double> o_rings() {
    constexpr std::array<std::array<int, 2>, 23> flights = {
        {{66, 0}, {70, 1}, {69, 0}, {68, 0}, {67, 0}, {72, 0}, {73, 0}, {70, 0}, {57, 1}, {63, 1}, {70, 1}, {78, 0},
         {67, 0}, {53, 1}, {67, 0}, {75, 0}, {70, 0}, {81, 0}, {76, 0}, {79, 0}, {75, 1}, {76, 0}, {58, 1}}};
    Examples<double> out{Matrix<double>(1, 23), Matrix<double>(1, 23)};
    for (std::size_t k = 0; k < flights.size(); ++k) {
        out.inputs(0, static_cast<Index>(k)) = flights[k][0];
        out.targets(0, static_cast<Index>(k)) = flights[k][1];
    }
    return out;
}

/// Two noisy moons of points, in classes 0 and 1 as one output.
Examples<double> two_groups(Index samples, unsigned seed) {
    std::mt19937_64 random(seed);
    Examples<double> out{normals(random, 2, samples), Matrix<double>(1, samples)};
    for (Index k = 0; k < samples; ++k) {
        out.targets(0, k) = k % 2 == 0 ? 1 : 0;
        out.inputs(0, k) += k % 2 == 0 ? 1.5 : -1.5;
    }
    return out;
}

double distance(Numbers const& a, Numbers const& b) {
    double out = 0;
    for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
    return out;
}

}  // namespace

TEST_SUITE("train/train") {
    // tests/train/references/optimisers.py: PyTorch 1.13 in double, ten full-batch steps.
    TEST_CASE("ten steps of every optimiser, clipping and schedule are PyTorch's") {
        std::ifstream file(std::string(ISSERLIS_TEST_DATA) + "/train/references/optimisers.json");
        Json const reference = Json::parse(file);
        auto const net = perceptron({2, 4, 3}, {.kind = UnitKind::tanh});
        Examples<double> const examples{matrix(reference["inputs"]), matrix(reference["targets"])};
        auto const start = reference["start"].get<Numbers>();
        TrainingOptions const descent{.rate = 0.5, .epochs = 10};
        TrainingOptions const adam{
            .optimiser = Optimiser::adam, .rate = 0.05, .beta1 = 0.8, .beta2 = 0.99, .epsilon = 1e-6, .epochs = 10};
        auto with = [](TrainingOptions options, auto const& change) {
            change(options);
            return options;
        };
        std::map<std::string, TrainingOptions> const cases = {
            {"descent", descent},
            {"descent with decay", with(descent, [](auto& o) { o.weight_decay = 0.1; })},
            {"momentum", with(descent,
                              [](auto& o) {
                                  o.optimiser = Optimiser::momentum;
                                  o.rate = 0.2;
                              })},
            {"rmsprop",
             {.optimiser = Optimiser::rmsprop, .rate = 0.02, .smoothing = 0.95, .epsilon = 1e-6, .epochs = 10}},
            {"adam", adam},
            {"adam with decay", with(adam, [](auto& o) { o.weight_decay = 0.1; })},
            {"penalties", with(descent,
                               [](auto& o) {
                                   o.l1 = 0.01;
                                   o.l2 = 0.02;
                               })},
            {"coordinate", with(descent,
                                [](auto& o) {
                                    o.clipping = Clipping::coordinate;
                                    o.clip = 0.05;
                                })},
            {"norm", with(descent,
                          [](auto& o) {
                              o.clipping = Clipping::norm;
                              o.clip = 0.1;
                          })},
            {"fixed-norm", with(descent,
                                [](auto& o) {
                                    o.clipping = Clipping::fixed_norm;
                                    o.clip = 0.1;
                                })},
            {"drop", with(descent,
                          [](auto& o) {
                              o.schedule = Schedule::drop;
                              o.drop_factor = 0.3;
                              o.drop_every = 3;
                          })},
            {"inverse", with(descent,
                             [](auto& o) {
                                 o.schedule = Schedule::inverse;
                                 o.inverse_slope = 0.2;
                             })},
            {"frozen first layer", with(adam,
                                        [](auto& o) {
                                            o.rate_factors = {0, 1};
                                        })},
        };
        CHECK(reference["cases"].size() == cases.size());
        for (auto const& [name, options] : cases) {
            CAPTURE(name);
            auto const trained = train<double>(net, Objective::cross_entropy, examples, start, options);
            CHECK(distance(trained.parameters, reference["cases"][name].get<Numbers>()) < 1e-12);
            CHECK(distance(trained.parameters, start) > 1e-3);
            auto const in_float =
                train<float>(net, Objective::cross_entropy, {examples.inputs.cast<float>(), examples.targets},
                             {start.begin(), start.end()}, options);
            CHECK(distance({in_float.parameters.begin(), in_float.parameters.end()}, trained.parameters) < 1e-4);
        }
    }

    // Published with the data: coefficients 15.0429 and -0.2322, residual deviance 20.315 (twice the summed loss).
    TEST_CASE("logistic regression on the 23 O-ring flights") {
        auto examples = o_rings();
        double const mean = examples.inputs.mean();
        examples.inputs.array() -= mean;
        double const deviation = std::sqrt(examples.inputs.squaredNorm() / 23);
        examples.inputs /= deviation;
        auto const net = perceptron({1, 1}, {});
        auto const trained = train<double>(net, Objective::binary_cross_entropy, examples, {0, 0},
                                           {.rate = 4, .epochs = 3000, .history_every = 3000});
        double const slope = trained.parameters[0] / deviation;
        CHECK(trained.parameters[1] - slope * mean == doctest::Approx(15.0429).epsilon(1e-5));
        CHECK(slope == doctest::Approx(-0.2322).epsilon(2e-4));
        CHECK(2 * 23 * trained.history.back().loss == doctest::Approx(20.315).epsilon(2e-5));
        CHECK(*trained.history.back().gradient_norm < 1e-12);
        CHECK(trained.history.back().accuracy.has_value());
    }

    // Half the mean squared error of a linear unit is a quadratic with Hessian X X'/n.
    TEST_CASE("on a quadratic descent falls at 0.99 and diverges at 1.01 times 2 / lambda_1") {
        std::mt19937_64 random(1);
        Examples<double> const examples{normals(random, 3, 20), normals(random, 1, 20)};
        auto const net = perceptron({3, 1}, {}, {}, false);
        Eigen::MatrixXd const hessian = examples.inputs * examples.inputs.transpose() / 20;
        double const top = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(hessian).eigenvalues()[2];
        Matrix<double> by_products(3, 3);
        DataLoss<double> loss(net, Objective::half_squared);
        for (Index i = 0; i < 3; ++i) {
            Numbers unit(3);
            unit[static_cast<std::size_t>(i)] = 1;
            loss.hessian_product(Numbers{0, 0, 0}, examples, unit, {by_products.row(i).data(), 3});
        }
        CHECK((by_products - hessian).cwiseAbs().maxCoeff() < 1e-14);
        auto run = [&](double factor, std::uint64_t epochs) {
            return train<double>(net, Objective::half_squared, examples, {2, -1, 1},
                                 {.rate = factor * 2 / top, .epochs = epochs});
        };
        auto const falls = run(0.99, 500).history;
        for (std::size_t e = 1; e < falls.size(); ++e) CHECK(falls[e].loss <= falls[e - 1].loss * (1 + 1e-14));
        CHECK(*falls.back().gradient_norm < 1e-3 * *falls.front().gradient_norm);
        auto const rises = run(1.01, 500);
        CHECK(rises.stop == Stop::epochs);
        CHECK(rises.history.back().loss > 1e3 * rises.history.front().loss);
        // |w| grows by 1.02 a step and its square, the loss, leaves double after about log(1e308) / (2 log 1.02) steps.
        auto const ends = run(1.01, 100000);
        CHECK(ends.stop == Stop::diverged);
        REQUIRE(ends.diverged_at.has_value());
        CHECK(*ends.diverged_at > 15000);
        CHECK(*ends.diverged_at < 19000);
        CHECK(ends.history.back().steps == *ends.diverged_at);
    }

    // (5.53) on half the mean squared error: 0 = X (X'w - y')/n + k w.
    TEST_CASE("weight decay ends at ridge regression's closed form") {
        std::mt19937_64 random(2);
        Examples<double> const examples{normals(random, 3, 20), normals(random, 1, 20)};
        auto const net = perceptron({3, 1}, {}, {}, false);
        constexpr double decay = 0.3;
        Eigen::MatrixXd const normal_matrix =
            examples.inputs * examples.inputs.transpose() / 20 + decay * Eigen::MatrixXd::Identity(3, 3);
        Eigen::VectorXd const ridge = normal_matrix.ldlt().solve(examples.inputs * examples.targets.transpose() / 20);
        for (Numbers const& start : {Numbers{0, 0, 0}, Numbers{5, -5, 3}}) {
            auto const by_decay = train<double>(net, Objective::half_squared, examples, start,
                                                {.rate = 0.3, .weight_decay = decay, .epochs = 500});
            auto const by_penalty = train<double>(net, Objective::half_squared, examples, start,
                                                  {.rate = 0.3, .l2 = decay / 2, .epochs = 500});
            for (std::size_t i = 0; i < 3; ++i) {
                CHECK(by_decay.parameters[i] == doctest::Approx(ridge[static_cast<Index>(i)]).epsilon(1e-12));
                CHECK(by_penalty.parameters[i] == doctest::Approx(ridge[static_cast<Index>(i)]).epsilon(1e-12));
            }
        }
    }

    TEST_CASE("seed and options decide everything; threads decide nothing") {
        auto const examples = two_groups(700, 3);
        auto const plain = perceptron({2, 6, 1}, {.kind = UnitKind::gelu});
        auto traits = plain.traits();
        traits[1].keep = 0.7;
        for (bool const dropout : {false, true}) {
            Architecture const net(plain.wiring(), dropout ? traits : plain.traits());
            auto const start = initial_parameters<double>(net, variances_by_fan_in(net, 2), 9);
            TrainingOptions options{.optimiser = Optimiser::adam, .epochs = 3, .batch_size = 300, .seed = 5};
            auto const first = train<double>(net, Objective::binary_cross_entropy, examples, start, options);
            options.threads = 3;
            auto const again = train<double>(net, Objective::binary_cross_entropy, examples, start, options);
            CHECK(first.parameters == again.parameters);
            CHECK(first.history.size() == 4);
            for (std::size_t e = 0; e < 4; ++e) {
                CHECK(first.history[e].loss == again.history[e].loss);
                CHECK(first.history[e].steps == 3 * e);
            }
            options.seed = 6;
            CHECK(train<double>(net, Objective::binary_cross_entropy, examples, start, options).parameters !=
                  first.parameters);
        }
    }

    TEST_CASE("an epoch's order is a permutation, and epochs and seeds have others") {
        auto const order = sample_order(50, 1, 0);
        CHECK(std::set<std::size_t>(order.begin(), order.end()).size() == 50);
        CHECK(*std::max_element(order.begin(), order.end()) == 49);
        CHECK(sample_order(50, 1, 0) == order);
        CHECK(sample_order(50, 1, 1) != order);
        CHECK(sample_order(50, 2, 0) != order);
        CHECK(sample_order(1, 1, 0) == std::vector<std::size_t>{0});
    }

    // Six orders of three samples: 1000 each of 6000, within 5 standard deviations of 28.9.
    TEST_CASE("every order is equally likely") {
        std::map<std::vector<std::size_t>, int> counts;
        for (std::uint64_t epoch = 0; epoch < 6000; ++epoch) ++counts[sample_order(3, 77, epoch)];
        CHECK(counts.size() == 6);
        for (auto const& [order, count] : counts) CHECK(std::abs(count - 1000) < 145);
    }

    TEST_CASE("stops at accuracy and out of patience") {
        auto const examples = two_groups(100, 4);
        auto const net = perceptron({2, 1}, {});
        TrainingOptions options{.rate = 0.5, .epochs = 500, .accuracy = 0.9};
        auto const accurate = train<double>(net, Objective::binary_cross_entropy, examples, {-0.5, 0, 0}, options);
        CHECK(accurate.stop == Stop::accuracy);
        CHECK(*accurate.history.back().accuracy >= 0.9);
        for (std::size_t e = 0; e + 1 < accurate.history.size(); ++e) CHECK(*accurate.history[e].accuracy < 0.9);
        // Validation of turned labels rises from the start: patience ends the run after its epochs.
        auto turned = examples;
        turned.targets = (1 - turned.targets.array()).matrix();
        options.accuracy.reset();
        options.patience = 7;
        auto const tired = train<double>(net, Objective::binary_cross_entropy, examples, {0, 0, 0}, options, &turned);
        CHECK(tired.stop == Stop::patience);
        CHECK(tired.history.back().epoch == 7);
        CHECK(*tired.history[3].validation_loss > *tired.history[0].validation_loss);
        CHECK(*tired.history[3].validation_accuracy == doctest::Approx(1 - *tired.history[3].accuracy));
    }

    TEST_CASE("rows are those of the parameters, and on_row sees each of them") {
        auto const examples = two_groups(40, 5);
        auto const net = perceptron({2, 3, 1}, {.kind = UnitKind::tanh});
        auto const start = initial_parameters<double>(net, variances_by_fan_in(net, 1), 1);
        TrainingOptions const options{.rate = 0.1, .l2 = 0.01, .epochs = 10, .history_every = 4};
        std::vector<std::uint64_t> epochs;
        auto const trained = train<double>(net, Objective::binary_cross_entropy, examples, start, options, nullptr,
                                           [&](HistoryRow const& row) { epochs.push_back(row.epoch); });
        CHECK(epochs == std::vector<std::uint64_t>{0, 4, 8, 10});
        CHECK(trained.history.size() == 4);
        DataLoss<double> loss(net, Objective::binary_cross_entropy);
        auto const value = loss.value(trained.parameters, examples);
        CHECK(trained.history.back().loss == value.loss);
        CHECK(*trained.history.back().accuracy == static_cast<double>(*value.right) / 40);
        double squares = 0;
        for (std::size_t i = 0; i < 9; ++i) squares += trained.parameters[i] * trained.parameters[i];
        CHECK(trained.history.back().penalty == doctest::Approx(0.01 * squares));
        CHECK_FALSE(trained.history.back().validation_loss.has_value());
    }

    // mu <- 0.9 * 0 + 0.1 * 2 and sigma <- 0.9 * 1 + 0.1 sqrt(14/3), for z = 0, 1, 5. PyTorch would smooth the
    // unbiased variance, 0.9 + 0.1 * 7 = 1.6; the square of this sigma is 1.2455.
    TEST_CASE("the moments of production are smoothed as the book has it, and folding them in changes nothing") {
        auto const plain = perceptron({1, 1}, {}, {}, false);
        auto traits = plain.traits();
        traits[1].batch_norm = true;
        Architecture const net(plain.wiring(), traits);
        Examples<double> examples{Matrix<double>(1, 3), Matrix<double>::Zero(1, 3)};
        examples.inputs << 0, 1, 5;
        auto const trained = train<double>(net, Objective::squared, examples, {1, 1, 0}, {.rate = 0, .epochs = 1});
        CHECK(trained.moments.mean[0] == doctest::Approx(0.2));
        CHECK(trained.moments.deviation[0] * trained.moments.deviation[0] == doctest::Approx(1.2455).epsilon(1e-4));

        std::mt19937_64 random(6);
        auto const bare = perceptron({3, 5, 4, 2}, {.kind = UnitKind::prelu, .slope = 0.2});
        auto all = bare.traits();
        for (std::size_t v = 1; v < 4; ++v) all[v].batch_norm = true;
        all[2].bias = false;
        all[1].keep = 0.8;
        Architecture const normed(bare.wiring(), all);
        Examples<double> const data{normals(random, 3, 60), normals(random, 2, 60)};
        auto const run = train<double>(normed, Objective::squared, data,
                                       initial_parameters<double>(normed, variances_by_fan_in(normed, 2), 2),
                                       {.rate = 0.05, .epochs = 20, .batch_size = 16, .seed = 3});
        CHECK(run.history.back().loss < run.history.front().loss);
        auto const production = network_outputs<double>(normed, run.parameters, data.inputs, &run.moments);
        auto const fold = folded(normed, run.parameters, run.moments);
        CHECK_FALSE(fold.architecture.has_batch_norm());
        CHECK_FALSE(fold.architecture.has_dropout());
        auto const outputs = network_outputs<double>(fold.architecture, fold.parameters, data.inputs);
        CHECK((outputs - production).cwiseAbs().maxCoeff() < 1e-12);
    }

    TEST_CASE("a run that leaves the numbers says after which step, and keeps its parameters") {
        auto const examples = two_groups(20, 7);
        auto const net = perceptron({2, 4, 1}, {.kind = UnitKind::relu});
        Examples<double> const wide{examples.inputs, examples.targets};
        auto const start = initial_parameters<double>(net, variances_by_fan_in(net, 2), 3);
        auto const run = train<double>(net, Objective::squared, wide, start, {.rate = 1e60, .epochs = 50});
        CHECK(run.stop == Stop::diverged);
        REQUIRE(run.diverged_at.has_value());
        CHECK(*run.diverged_at > 0);
        CHECK(*run.diverged_at < 50);
        CHECK(run.history.back().steps == *run.diverged_at);
        CHECK_FALSE(std::isfinite(run.history.back().loss + *run.history.back().gradient_norm));
        auto const calm = train<double>(net, Objective::squared, wide, start, {.rate = 0.01, .epochs = 50});
        CHECK_FALSE(calm.diverged_at.has_value());
    }

    TEST_CASE("what does not fit is refused by name") {
        auto const examples = two_groups(10, 8);
        auto const net = perceptron({2, 1}, {});
        auto run = [&](Architecture const& a, Objective goal, Examples<double> const& e, Numbers const& start,
                       TrainingOptions const& options = {}) {
            static_cast<void>(train<double>(a, goal, e, start, options));
        };
        Numbers const start{0, 0, 0};
        CHECK_THROWS_WITH_AS(run(net, Objective::hinge, examples, start), doctest::Contains("-1 or 1"), DomainError);
        CHECK_THROWS_WITH_AS(run(net, Objective::squared, examples, {0, 0}), doctest::Contains("2 start values for 3"),
                             DomainError);
        CHECK_THROWS_WITH_AS(run(net, Objective::squared, examples, start, {.accuracy = 0.5}),
                             doctest::Contains("squared has none"), DomainError);
        auto infinite = examples;
        infinite.inputs(1, 4) = std::numeric_limits<double>::infinity();
        CHECK_THROWS_WITH_AS(run(net, Objective::squared, infinite, start), doctest::Contains("sample 5"), DomainError);
        CHECK_THROWS_AS(run(perceptron({3, 1}, {}), Objective::squared, examples, {0, 0, 0, 0}), DomainError);
        auto traits = net.traits();
        traits[1].batch_norm = true;
        Architecture const normed(net.wiring(), traits);
        CHECK_THROWS_WITH_AS(run(normed, Objective::squared, examples, normed.neutral_parameters(), {.batch_size = 3}),
                             doctest::Contains("leave a batch of 1 sample"), DomainError);
        CHECK_NOTHROW(run(normed, Objective::squared, examples, normed.neutral_parameters(), {.batch_size = 4}));
        auto const steps = perceptron({2, 3, 1}, {.kind = UnitKind::step});
        CHECK_THROWS_WITH_AS(run(steps, Objective::squared, examples, steps.neutral_parameters()),
                             doctest::Contains("step units"), isserlis::UnsupportedError);
    }

    // [Hettinger 2019, section 2.1]: a support vector machine is one unit under the hinge loss.
    TEST_CASE("a hinge separates what can be separated") {
        auto examples = two_groups(40, 9);
        for (Index k = 0; k < 40; ++k) {
            examples.targets(0, k) = 2 * examples.targets(0, k) - 1;
            examples.inputs(0, k) = 2 * examples.targets(0, k) + 0.3 * examples.inputs(0, k);
        }
        auto const run =
            train<double>(perceptron({2, 1}, {}), Objective::hinge, examples, {0, 0, 0}, {.rate = 0.5, .epochs = 200});
        CHECK(*run.history.back().accuracy == 1);
        CHECK(run.history.back().loss < 0.01);
    }
}
