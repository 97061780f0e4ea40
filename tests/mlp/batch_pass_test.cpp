// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <isserlis/error.hpp>
#include <isserlis/mlp/batch_pass.hpp>
#include <isserlis/mlp/data_loss.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "dot.hpp"
#include "graphs.hpp"
#include "json_matrix.hpp"

using isserlis::test::dot;

namespace {

using namespace isserlis::mlp;
using isserlis::DomainError;
using Json = nlohmann::json;
using Index = Eigen::Index;
using Numbers = std::vector<double>;

using isserlis::mlp::testing::matrix;

/// A case of tests/mlp/references/networks.py.
struct Reference {
    Json json;
    Architecture architecture;
    Moments<double> moments;
    Numbers parameters, direction;
    Examples<double> examples;

    explicit Reference(Json const& j)
        : json(j),
          architecture(wiring(j), traits(j)),
          parameters(j["parameters"].get<Numbers>()),
          direction(j["direction"].get<Numbers>()),
          examples{matrix(j["inputs"]), matrix(j["targets"])} {
        for (auto const& node : j["nodes"]) {
            for (double const m : node["mean"]) moments.mean.push_back(m);
            for (double const d : node["deviation"]) moments.deviation.push_back(d);
        }
    }

    [[nodiscard]] Objective goal() const { return objective(json["objective"].get<std::string>()).value(); }

    template <class T>
    [[nodiscard]] PassForm<T> form(Moments<T> const& given) const {
        PassForm<T> out;
        if (json["moments"]) out.moments = &given;
        if (architecture.has_dropout())
            out.dropout = [this](std::size_t node, std::span<T> kept) {
                auto const mask = matrix(json["nodes"][node]["mask"]);
                std::copy_n(mask.data(), mask.size(), kept.begin());
            };
        return out;
    }

private:
    static GraphLayout wiring(Json const& j) {
        std::vector<graphs::Node> nodes;
        std::vector<graphs::Edge> edges;
        for (std::size_t v = 1; v < j["nodes"].size(); ++v) {
            auto const& n = j["nodes"][v];
            nodes.push_back(graphs::node(std::to_string(v), n["width"], false));
            if (n["concatenation"]) nodes.back().kind = graphs::Node::Kind::concatenation;
        }
        for (auto const& e : j["edges"])
            edges.push_back(e["weighted"] ? graphs::weights("e" + std::to_string(edges.size()), e["from"], e["to"])
                                          : graphs::skip(e["from"], e["to"]));
        return GraphLayout(graphs::flat(j["nodes"][0]["width"], nodes, edges,
                                        j["sides"] ? graphs::ActivationKind::crelu : graphs::ActivationKind::linear));
    }
    static std::vector<NodeTraits> traits(Json const& j) {
        std::vector<NodeTraits> out;
        for (auto const& n : j["nodes"]) {
            Unit unit{.kind = unit_kind(n["unit"].get<std::string>()).value()};
            if (usual_constant(unit.kind)) unit.slope = n["slope"];
            out.push_back({.unit = unit,
                           .bias = n["bias"],
                           .batch_norm = n["batch_norm"],
                           .epsilon = n["epsilon"],
                           .softmax = n["softmax"],
                           .keep = n["keep"]});
        }
        return out;
    }
};

std::vector<Reference> const& references() {
    static std::vector<Reference> const all = [] {
        std::ifstream file(std::string(ISSERLIS_TEST_DATA) + "/mlp/references/networks.json");
        std::vector<Reference> out;
        for (auto const& j : Json::parse(file)) out.emplace_back(j);
        return out;
    }();
    return all;
}

/// The largest difference, by the largest entry of the reference.
double distance(auto const& values, auto const& reference) {
    double largest = 0;
    double apart = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        largest = std::max(largest, std::abs(reference[i]));
        apart = std::max(apart, std::abs(static_cast<double>(values[i]) - reference[i]));
    }
    return largest == 0 ? apart : apart / largest;
}

template <class T>
void compare(Reference const& reference, double tolerance) {
    CAPTURE(reference.json["name"].get<std::string>());
    std::vector<T> const parameters(reference.parameters.begin(), reference.parameters.end());
    std::vector<T> const direction(reference.direction.begin(), reference.direction.end());
    Examples<T> const examples{reference.examples.inputs.cast<T>(), reference.examples.targets};
    Moments<T> const moments{{reference.moments.mean.begin(), reference.moments.mean.end()},
                             {reference.moments.deviation.begin(), reference.moments.deviation.end()}};
    auto const form = reference.form<T>(moments);
    DataLoss<T> loss(reference.architecture, reference.goal());
    std::vector<T> gradient(parameters.size());
    std::vector<T> product(parameters.size());
    auto const value = loss.gradient(parameters, examples, gradient, form);
    loss.hessian_product(parameters, examples, direction, product, form);
    CHECK(value.loss == doctest::Approx(reference.json["loss"].get<double>()).epsilon(tolerance));
    CHECK(distance(gradient, reference.json["gradient"].get<Numbers>()) < tolerance);
    CHECK(distance(product, reference.json["product"].get<Numbers>()) < tolerance);
    BatchPass<T> pass(reference.architecture);
    auto const& outputs = pass.forward(parameters, examples.inputs, form);
    auto const expected = matrix(reference.json["outputs"]);
    CHECK((outputs.template cast<double>() - expected).cwiseAbs().maxCoeff() <
          tolerance * expected.cwiseAbs().maxCoeff());
}

Numbers normals(std::size_t count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    Numbers out(count);
    for (double& x : out) x = normal(random);
    return out;
}

Matrix<double> normal_matrix(Index rows, Index cols, unsigned seed) {
    auto const numbers = normals(static_cast<std::size_t>(rows * cols), seed);
    return Eigen::Map<Matrix<double> const>(numbers.data(), rows, cols);
}

Numbers moved(Numbers at, Numbers const& direction, double by) {
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += by * direction[i];
    return at;
}

}  // namespace

TEST_SUITE("mlp/batch_pass") {
    // tests/mlp/references/networks.py: PyTorch 1.13 in double; the Hessian product is autograd's, twice.
    TEST_CASE("outputs, loss, gradient and Hessian product are PyTorch's, in double and in float") {
        CHECK(references().size() == 23);
        for (auto const& reference : references()) {
            compare<double>(reference, 2e-13);
            compare<float>(reference, 2e-4);
        }
    }

    // Central differences with h = 1e-5: errors of h^2 and of 1e-16 / h.
    TEST_CASE("gradient and Hessian product are the central differences of loss and gradient") {
        for (auto const& reference : references()) {
            CAPTURE(reference.json["name"].get<std::string>());
            auto const form = reference.form<double>(reference.moments);
            DataLoss<double> loss(reference.architecture, reference.goal());
            auto const& at = reference.parameters;
            Numbers gradient(at.size());
            Numbers product(at.size());
            Numbers above(at.size());
            Numbers below(at.size());
            constexpr double h = 1e-5;
            double const up = loss.gradient(moved(at, reference.direction, h), reference.examples, above, form).loss;
            double const down = loss.gradient(moved(at, reference.direction, -h), reference.examples, below, form).loss;
            loss.gradient(at, reference.examples, gradient, form);
            loss.hessian_product(at, reference.examples, reference.direction, product, form);
            CHECK((up - down) / (2 * h) == doctest::Approx(dot(gradient, reference.direction)).epsilon(1e-6));
            Numbers difference(at.size());
            for (std::size_t i = 0; i < at.size(); ++i) difference[i] = (above[i] - below[i]) / (2 * h);
            CHECK(distance(difference, product) < 1e-6);
        }
    }

    // Any widths, unit, objective, batch norm or not; h = 1e-6, and units without kinks, so that differences are
    // smooth.
    TEST_CASE("property: the gradient is the central difference along any direction, and H is symmetric") {
        CHECK(rc::check([] {
            std::vector<std::size_t> widths;
            for (int layer = 0; layer < *rc::gen::inRange(2, 5); ++layer)
                widths.push_back(static_cast<std::size_t>(*rc::gen::inRange(1, 5)));
            auto const kind = *rc::gen::element(UnitKind::identity, UnitKind::sigmoid, UnitKind::tanh, UnitKind::arctan,
                                                UnitKind::softplus, UnitKind::swish, UnitKind::gelu);
            auto const goal = *rc::gen::element(Objective::squared, Objective::half_squared, Objective::cross_entropy,
                                                Objective::binary_cross_entropy);
            auto const plain = perceptron(widths, {.kind = kind}, {}, *rc::gen::arbitrary<bool>());
            auto traits = plain.traits();
            if (*rc::gen::arbitrary<bool>()) traits[1].batch_norm = true;
            Architecture const net(plain.wiring(), traits);
            auto const seed = *rc::gen::arbitrary<unsigned>();
            auto const samples = static_cast<Index>(*rc::gen::inRange(2, 7));
            Examples<double> examples{normal_matrix(static_cast<Index>(net.inputs()), samples, seed),
                                      Matrix<double>::Zero(static_cast<Index>(net.outputs()), samples)};
            examples.targets.row(0).setOnes();
            auto const at = normals(net.parameters(), seed + 1);
            auto const a = normals(net.parameters(), seed + 2);
            auto const b = normals(net.parameters(), seed + 3);
            DataLoss<double> loss(net, goal);
            Numbers gradient(at.size());
            Numbers by_a(at.size());
            Numbers by_b(at.size());
            loss.gradient(at, examples, gradient);
            loss.hessian_product(at, examples, a, by_a);
            loss.hessian_product(at, examples, b, by_b);
            constexpr double h = 1e-6;
            double const difference =
                (loss.value(moved(at, a, h), examples).loss - loss.value(moved(at, a, -h), examples).loss) / (2 * h);
            // Batch norm of nearly equal numbers bends sharply: the third derivative is bounded by its curvature.
            double const scale =
                1 + std::abs(loss.value(at, examples).loss) + std::sqrt(dot(by_a, by_a)) + std::sqrt(dot(by_b, by_b));
            RC_ASSERT(std::abs(difference - dot(gradient, a)) <= 1e-4 * scale);
            RC_ASSERT(std::abs(dot(a, by_b) - dot(b, by_a)) <= 1e-9 * scale * std::sqrt(dot(a, a) + dot(b, b)));
        }));
    }

    // Units without any curvature take the second order from the wiring alone.
    TEST_CASE("the Hessian of a crelu network is symmetric, P and N apart") {
        auto const& reference = *std::find_if(references().begin(), references().end(),
                                              [](Reference const& r) { return r.json["name"] == "crelu"; });
        DataLoss<double> loss(reference.architecture, reference.goal());
        auto const a = normals(reference.parameters.size(), 1);
        auto const b = normals(reference.parameters.size(), 2);
        Numbers by_a(a.size());
        Numbers by_b(a.size());
        loss.hessian_product(reference.parameters, reference.examples, a, by_a);
        loss.hessian_product(reference.parameters, reference.examples, b, by_b);
        CHECK(dot(a, by_b) == doctest::Approx(dot(b, by_a)).epsilon(1e-12));
        CHECK(std::abs(dot(a, by_b)) > 1e-3);
    }

    // z^1 = (1*2 - 3, 2) = (-1, 2), h^1 = (0, 2), z^2 = 4*0 + 5*2 + 6 = 16; dz^2/dW^2 = h^1, dz^2/db^1 = (0, 5).
    TEST_CASE("a ReLU network with biases by hand") {
        auto const net = perceptron({1, 2, 1}, {.kind = UnitKind::relu});
        Numbers const parameters{1, 2, 4, 5, -3, -2, 6};  // W^1, W^2, b^1, b^2
        BatchPass<double> pass(net);
        CHECK(pass.forward(parameters, Matrix<double>::Constant(1, 1, 2))(0, 0) == 16);
        Numbers gradient(7);
        pass.backward(Matrix<double>::Ones(1, 1), gradient);
        CHECK(gradient == Numbers{0, 10, 0, 2, 0, 5, 1});
    }

    // Half of each side at 0 [Hettinger 2019, Def 3.13]: d(output)/dx of P = 3, N = 1 is 2, so dW of below is 2 x.
    TEST_CASE("both sides of a concatenated ReLU have half a derivative at 0") {
        auto const net = perceptron({1, 1, 1}, {.kind = UnitKind::crelu}, {}, false);
        Numbers const parameters{0, 0, 3, 1};  // P^1, N^1, P^2, N^2
        BatchPass<double> pass(net);
        pass.forward(parameters, Matrix<double>::Constant(1, 1, 5));
        Numbers gradient(4);
        pass.backward(Matrix<double>::Ones(1, 1), gradient);
        CHECK(gradient == Numbers{10, 0, 0, 0});
    }

    TEST_CASE("unit parameters: the matrix is the scale of its edge times the weights") {
        GraphLayout const scaled(graphs::chain({3, 4, 2}), true);
        Architecture const a(scaled);
        Architecture const b{GraphLayout(graphs::chain({3, 4, 2}))};
        auto const theta = normals(a.parameters(), 3);
        Numbers weights = theta;
        for (auto const& edge : scaled.edges())
            for (std::size_t i = 0; i < scaled.entries(edge); ++i) weights[edge.first + i] *= edge.scale;
        auto const x = normal_matrix(3, 5, 4);
        BatchPass<double> with_scales(a);
        BatchPass<double> plain(b);
        auto const outputs = with_scales.forward(theta, x);
        CHECK((outputs - plain.forward(weights, x)).cwiseAbs().maxCoeff() < 1e-14);
        Numbers by_theta(theta.size());
        Numbers by_weights(theta.size());
        with_scales.backward(Matrix<double>::Ones(2, 5), by_theta);
        plain.backward(Matrix<double>::Ones(2, 5), by_weights);
        for (auto const& edge : scaled.edges())
            for (std::size_t i = 0; i < scaled.entries(edge); ++i)
                CHECK(by_theta[edge.first + i] ==
                      doctest::Approx(edge.scale * by_weights[edge.first + i]).epsilon(1e-12));
    }

    TEST_CASE("a sample alone has the bits that it has in a batch") {
        for (auto const& graph :
             {graphs::chain({3, 20, 9, 2}), graphs::chain({3, 20, 2}, graphs::ActivationKind::crelu),
              flattened(graphs::residual(3, 2)), graphs::dense(2)})
            for (bool const scaled : {false, true}) {
                Architecture const net{GraphLayout(graph, scaled)};
                auto const parameters = normals(net.parameters(), 3);
                auto const x = normal_matrix(static_cast<Index>(net.inputs()), 5, 4);
                auto const g = normal_matrix(static_cast<Index>(net.outputs()), 5, 5);
                BatchPass<double> batch(net);
                BatchPass<double> alone(net);
                batch.forward(parameters, x);
                batch.backward(g, {});
                for (Index k = 0; k < 5; ++k) {
                    CHECK(alone.forward(parameters, x.col(k)) == batch.outputs().col(k));
                    alone.backward(g.col(k), {});
                    for (std::size_t v = 1; v < net.traits().size(); ++v)
                        CHECK(alone.gradients_by_sums(v) == batch.gradients_by_sums(v).col(k));
                }
            }
    }

    // 0.3 - (0.1 + 0.2) is -5.6e-17 in double, and 0 but for rounding; in the second column z = 1.
    TEST_CASE("a tie becomes exactly 0, and its slope is decided") {
        auto const net = perceptron({2, 1, 1}, {.kind = UnitKind::relu}, {}, false);
        Numbers const weights{1, -1, 2};
        Matrix<double> const x{{0.3, 1}, {0.1 + 0.2, 0}};
        for (bool const open : {false, true}) {
            int asked = 0;
            TieBreak<double> const ties{1e-9, [&] {
                                            ++asked;
                                            return open;
                                        }};
            BatchPass<double> pass(net);
            CHECK(pass.forward(weights, x, {.moments = nullptr, .dropout = {}, .ties = &ties}) ==
                  Matrix<double>{{0, 2}});
            CHECK(pass.preactivations(1) == Matrix<double>{{0, 1}});
            CHECK(asked == 1);
            Numbers gradient(3);
            pass.backward(Matrix<double>{{1, 0}}, gradient);
            CHECK(gradient == (open ? Numbers{0.6, 2 * (0.1 + 0.2), 0} : Numbers{0, 0, 0}));
        }
    }

    // (5.47) over all 2^4 masks, each with its probability, against (5.48).
    TEST_CASE("the mean pre-activation over all masks of dropout is that without dropout") {
        constexpr double keep = 0.3;
        auto const plain = perceptron({3, 4, 2}, {.kind = UnitKind::tanh});
        auto traits = plain.traits();
        traits[1].keep = keep;
        Architecture const net(plain.wiring(), traits);
        auto const parameters = normals(net.parameters(), 5);
        auto const x = normal_matrix(3, 1, 6);
        BatchPass<double> pass(net);
        Matrix<double> mean = Matrix<double>::Zero(2, 1);
        for (unsigned mask = 0; mask < 16; ++mask) {
            PassForm<double> form;
            double probability = 1;
            for (unsigned i = 0; i < 4; ++i) probability *= (mask >> i & 1U) != 0 ? keep : 1 - keep;
            form.dropout = [mask](std::size_t, std::span<double> kept) {
                for (unsigned i = 0; i < 4; ++i) kept[i] = mask >> i & 1U;
            };
            mean += probability * pass.forward(parameters, x, form);
        }
        CHECK((mean - pass.forward(parameters, x)).cwiseAbs().maxCoeff() < 1e-14);
    }

    // [Liquet 2024, eq. (5.33)] and the text after (5.45): both the row and the column of a dropped neuron.
    TEST_CASE("the weights into and out of a dropped neuron have no gradient") {
        auto const plain = perceptron({3, 4, 2}, {.kind = UnitKind::tanh});
        auto traits = plain.traits();
        traits[1].keep = 0.5;
        Architecture const net(plain.wiring(), traits);
        BatchPass<double> pass(net);
        PassForm<double> form;
        form.dropout = [](std::size_t, std::span<double> kept) {
            std::fill(kept.begin(), kept.end(), 1.0);
            kept[2] = 0;
        };
        auto const parameters = normals(net.parameters(), 5);
        pass.forward(parameters, normal_matrix(3, 1, 6), form);
        Numbers gradient(net.parameters());
        pass.backward(Matrix<double>::Ones(2, 1), gradient);
        for (std::size_t i = 0; i < 4; ++i) {
            CHECK((gradient[3 * i] == 0) == (i == 2));       // W^1, row i
            CHECK((gradient[12 + i] == 0) == (i == 2));      // W^2, column i
            CHECK((gradient[12 + 8 + i] == 0) == (i == 2));  // b^1
        }
    }

    // (5.38) by hand: z = 0, 1, 5 has mean 2 and sigma^2 = 14/3.
    TEST_CASE("the moments of a batch are the book's, and its normalised values have mean 0 and variance 1") {
        auto plain = perceptron({1, 1}, {}, {}, false);
        auto traits = plain.traits();
        traits[1].batch_norm = true;
        traits[1].epsilon = 0;
        Architecture const net(plain.wiring(), traits);
        BatchPass<double> pass(net);
        Matrix<double> x(1, 3);
        x << 0, 1, 5;
        Numbers const parameters{1, 1, 0};
        auto const z = pass.forward(parameters, x);
        CHECK(pass.batch_moments().mean[0] == doctest::Approx(2));
        CHECK(pass.batch_moments().deviation[0] == doctest::Approx(std::sqrt(14.0 / 3)));
        CHECK(z.sum() == doctest::Approx(0).scale(1));
        CHECK(z.squaredNorm() == doctest::Approx(3));
        // z -> c z + d changes nothing at epsilon = 0.
        Matrix<double> const shifted = (3 * x.array() + 7).matrix();
        CHECK((pass.forward(parameters, shifted) - z).cwiseAbs().maxCoeff() < 1e-14);
    }

    TEST_CASE("calls out of order and sizes that clash are refused") {
        auto const net = perceptron({2, 3, 1}, {.kind = UnitKind::tanh});
        BatchPass<double> pass(net);
        Numbers const parameters(net.parameters());
        Numbers out(net.parameters());
        Matrix<double> const x = Matrix<double>::Ones(2, 4);
        Matrix<double> const g = Matrix<double>::Ones(1, 4);
        CHECK_THROWS_WITH_AS(pass.backward(g, out), "BatchPass: backward needs forward first", DomainError);
        CHECK_THROWS_AS(pass.forward_tangent(parameters), DomainError);
        CHECK_THROWS_AS(pass.forward(std::span(parameters).first(3), x), DomainError);
        CHECK_THROWS_AS(pass.forward(parameters, Matrix<double>::Ones(3, 4)), DomainError);
        CHECK_THROWS_AS(pass.forward(parameters, Matrix<double>(2, 0)), DomainError);
        pass.forward(parameters, x);
        CHECK_THROWS_AS(pass.backward_tangent(g, out), DomainError);
        CHECK_THROWS_AS(pass.backward(Matrix<double>::Ones(1, 3), out), DomainError);
        pass.backward(g, out);
        CHECK_THROWS_AS(pass.backward_tangent(g, out), DomainError);
        pass.forward_tangent(parameters);
        CHECK_NOTHROW(pass.backward_tangent(g, out));
    }

    TEST_CASE("batch norm of one sample is refused, but not in production") {
        auto const plain = perceptron({2, 1}, {});
        auto traits = plain.traits();
        traits[1].batch_norm = true;
        Architecture const net(plain.wiring(), traits);
        BatchPass<double> pass(net);
        auto const parameters = net.neutral_parameters();
        CHECK_THROWS_AS(pass.forward(parameters, Matrix<double>::Ones(2, 1)), DomainError);
        Moments<double> const moments{{0}, {1}};
        CHECK_NOTHROW(pass.forward(parameters, Matrix<double>::Ones(2, 1), {.moments = &moments, .dropout = {}}));
    }
}
