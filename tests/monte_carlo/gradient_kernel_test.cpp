// SPDX-License-Identifier: MIT
// Observables that are sampled by block norms, beside sums over all weights of the same network.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <isserlis/mlp/graph_derivatives.hpp>
#include <isserlis/monte_carlo/observable_sampler.hpp>

#include "../mlp/drawn_graphs.hpp"

TEST_SUITE("monte_carlo/gradient_kernel") {
    namespace {

    using isserlis::parse_query;
    using isserlis::Query;
    using isserlis::mlp::GraphLayout;
    using isserlis::mlp::GraphPass;
    using isserlis::monte_carlo::GraphModel;
    using isserlis::monte_carlo::ObservableSampler;
    using isserlis::monte_carlo::ObservableSettings;

    constexpr std::uint64_t seed = 4;
    constexpr std::uint64_t sample = 11;

    /// Outputs and gradients at two inputs, by one reverse pass each.
    struct Differentiated {
        std::vector<double> z;
        std::vector<std::vector<double>> by_weight;
    };

    Differentiated differentiated(GraphModel const& model, std::vector<double> const& x, std::size_t node) {
        auto const flat = model.flat_graph();
        GraphLayout const layout(flat, model.unit_parameters);
        std::vector<double> weights;
        isserlis::monte_carlo::draw_weights(flat, layout, seed, sample, weights);
        GraphPass pass;
        isserlis::mlp::forward(layout, weights, x, pass);
        isserlis::mlp::GraphDerivatives<0> derivatives(layout);
        derivatives.begin(pass);
        derivatives.forward({});
        Differentiated out;
        auto const& at = layout.nodes()[node];
        for (std::size_t i = 0; i < at.width; ++i) {
            out.z.push_back(pass.z[at.first + i]);
            derivatives.backward(node, false, i);
            out.by_weight.emplace_back();
            for (std::size_t m = 0; m < weights.size(); ++m) out.by_weight.back().push_back(derivatives.derivative(m));
        }
        return out;
    }

    /// With a label factor of its own for each matrix.
    GraphModel model_of(graphs::Graph graph, bool unit) {
        double factor = 0.5;
        for (auto& edge : graph.stages[0].edges) edge.label_factor = factor += 0.25;
        return {.graph = graph, .ties = {}, .unit_parameters = unit};
    }

    }  // namespace

    TEST_CASE("pairs of gradients in graphs of every kind, at one input and at two") {
        for (auto const& [name, graph] : graphs::cases()) {
            CAPTURE(name);
            for (bool const unit : {false, true}) {
                auto const model = model_of(graph, unit);
                GraphLayout const layout(model.flat_graph(), unit);
                ObservableSettings settings;
                auto const one = graphs::drawn(layout, 1).x;
                auto const two = graphs::drawn(layout, 2).x;
                settings.inputs = {{"", one}, {"b", two}};
                std::size_t const top = layout.output();
                auto const a = differentiated(model, one, top);
                auto const b = differentiated(model, two, top);
                std::size_t const n = a.z.size();
                auto const k = [&](Differentiated const& x, std::size_t i, Differentiated const& y, std::size_t j) {
                    double sum = 0;
                    for (std::size_t m = 0; m < x.by_weight[i].size(); ++m)
                        sum += model.graph.stages[0].edges[layout.weights()[m].edge].label_factor * x.by_weight[i][m] *
                               y.by_weight[j][m];
                    return sum;
                };
                auto const total = [&](std::function<double(std::size_t, std::size_t)> const& f) {
                    double sum = 0;
                    for (std::size_t i = 0; i < n; ++i)
                        for (std::size_t j = 0; j < n; ++j) sum += f(i, j);
                    return sum;
                };
                auto const trace = [&](auto const& f) {
                    return total([&](std::size_t i, std::size_t j) { return i == j ? f(i) : 0.0; });
                };
                double const trace_of_k = trace([&](std::size_t i) { return k(a, i, a, i); });
                std::vector<std::pair<std::string, double>> const rows{
                    {"z[1;m]^2", k(a, 0, a, 0)},
                    {"z[1;m]^2 z[1;n]^2", std::pow(k(a, 0, a, 0), 2)},
                    {"z[i;m]^2", trace_of_k},
                    {"(z[i;m]^2)^2", trace_of_k * trace_of_k},
                    {"z[i;m] z[j;m] z[i;n] z[j;n]", total([&](auto i, auto j) { return std::pow(k(a, i, a, j), 2); })},
                    {"z[i;m] z[i;m]@b", trace([&](std::size_t i) { return k(a, i, b, i); })},
                    {"z[i;m] z[j;m]@b z[i] z[j]@b",
                     total([&](auto i, auto j) { return k(a, i, b, j) * a.z[i] * b.z[j]; })},
                    {"(z[i] z[i;m])^2", total([&](auto i, auto j) { return k(a, i, a, j) * a.z[i] * a.z[j]; })},
                    {"z[1;m] (z[j;m]@b z[j] - 2 z[1;m])",
                     total([&](auto i, auto j) { return i == 0 ? k(a, 0, b, j) * a.z[j] : 0.0; }) - 2 * k(a, 0, a, 0)},
                    {"((z[i;m] z[i]@b)^2 + z[i]^2)^2",
                     std::pow(total([&](auto i, auto j) { return k(a, i, a, j) * b.z[i] * b.z[j]; }) +
                                  trace([&](std::size_t i) { return a.z[i] * a.z[i]; }),
                              2)}};
                std::vector<Query> queries;
                for (auto const& [text, value] : rows) {
                    CAPTURE(text);
                    queries.push_back(parse_query(text));
                    ObservableSampler alone(model, queries.back(), settings);
                    CHECK(alone(seed, sample) == doctest::Approx(value).epsilon(1e-9));
                }
                ObservableSampler together(model, queries, settings);
                auto const values = together.values(seed, sample);
                for (std::size_t q = 0; q < rows.size(); ++q)
                    CHECK(values[q] == doctest::Approx(rows[q].second).epsilon(1e-9));
            }
        }
    }

    // A wide layer moves along the gradients of a narrow output; the dense tensors of both are small enough here.
    TEST_CASE("a hidden layer beside the output, with places and the parts of a concatenated ReLU") {
        for (auto const kind : {isserlis::ActivationKind::relu, isserlis::ActivationKind::crelu}) {
            auto const model = model_of(graphs::chain({3, 9, 8, 2}, kind), false);
            GraphLayout const layout(model.flat_graph());
            ObservableSettings settings;
            settings.inputs[""] = graphs::drawn(layout, 3).x;
            auto const hidden = differentiated(model, settings.inputs[""], 2);
            auto const output = differentiated(model, settings.inputs[""], 3);
            for (bool const p_alone : {false, true}) {
                settings.labels_of_p_alone = p_alone;
                for (std::string const place : {"", "1", "2"}) {
                    CAPTURE(place);
                    double moves = 0;
                    double squares = 0;
                    for (std::size_t i = 0; i < hidden.z.size(); ++i) {
                        double along = 0;
                        for (std::size_t j = 0; j < output.z.size(); ++j) {
                            double k = 0;
                            for (std::size_t m = 0; m < layout.size(); ++m) {
                                auto const& w = layout.weights()[m];
                                auto const& edge = model.graph.stages[0].edges[w.edge];
                                if ((!place.empty() && edge.name != place) || (p_alone && w.negative)) continue;
                                k += edge.label_factor * hidden.by_weight[i][m] * output.by_weight[j][m];
                            }
                            along += k * output.z[j];
                            squares += k * k;
                        }
                        moves += along * along;
                    }
                    std::string const at = place.empty() ? "" : " where m in " + place + ", n in " + place;
                    auto const value = [&](std::string const& query) {
                        return ObservableSampler(model, parse_query(query + at), settings)(seed, sample);
                    };
                    CHECK(value("z{2}[i;m] z[j;m] z[j] z{2}[i;n] z[k;n] z[k]") == doctest::Approx(moves).epsilon(1e-9));
                    CHECK(value("z[j;m] z{2}[i;m] z{2}[i;n] z[j;n]") == doctest::Approx(squares).epsilon(1e-9));
                }
            }
        }
    }

    TEST_CASE("networks whose tensors over all weights would not fit are sampled") {
        GraphModel const model{.graph = graphs::chain({64, 256, 256, 4})};
        ObservableSettings settings;
        settings.inputs[""] = std::vector<double>(64, 1);
        // The dense tensor of z{2} would have 21 million numbers.
        ObservableSampler const sampler(
            model, {parse_query("z{2}[i;m]^2"), parse_query("z{2}[i;m] z[j;m] z[j] z{2}[i;n] z[k;n] z[k]")}, settings);
        auto const mean = isserlis::monte_carlo::sample_observables(sampler, 50, 1);
        // By W^2, 256 rows of |h^1|^2, whose mean is 256; by W^1, |x|^2 = 64 times the 256 rows of 256 squares of mean
        // 2/256, half of whose gates are open.
        CHECK(mean[0].mean == doctest::Approx(256 * 256 + 64 * 256).epsilon(0.03));
        CHECK(mean[1].mean > 0);
    }
}
