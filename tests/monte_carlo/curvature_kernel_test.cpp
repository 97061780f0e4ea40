// SPDX-License-Identifier: MIT
// Observables with second derivatives that are sampled without a tensor over pairs of weights, beside sums over all pairs
// on the same network, by jets.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <isserlis/error.hpp>
#include <isserlis/mlp/graph_derivatives.hpp>
#include <isserlis/monte_carlo/observable_sampler.hpp>
#include <isserlis/strand/expectation.hpp>

#include "../mlp/drawn_graphs.hpp"

TEST_SUITE("monte_carlo/curvature_kernel") {
    namespace {

    using isserlis::parse_query;
    using isserlis::mlp::GraphDerivatives;
    using isserlis::mlp::GraphLayout;
    using isserlis::mlp::GraphPass;
    using isserlis::monte_carlo::GraphModel;
    using isserlis::monte_carlo::ObservableSampler;
    using isserlis::monte_carlo::ObservableSettings;

    constexpr std::uint64_t seed = 5;
    constexpr std::uint64_t sample = 3;

    /// All derivatives of a node's neurons up to the second, at one input.
    struct Derivatives {
        std::vector<double> z;
        std::vector<std::vector<double>> first;                ///< by neuron and weight
        std::vector<std::vector<std::vector<double>>> second;  ///< by neuron and two weights
    };

    Derivatives derivatives(GraphModel const& model, std::vector<double> const& x, std::size_t node) {
        auto const flat = model.flat_graph();
        GraphLayout const layout(flat, model.unit_parameters);
        std::vector<double> weights;
        isserlis::monte_carlo::draw_weights(flat, layout, seed, sample, weights);
        GraphPass pass;
        isserlis::mlp::forward(layout, weights, x, pass);
        Derivatives out;
        auto const& at = layout.nodes()[node];
        GraphDerivatives<0> once(layout);
        GraphDerivatives<1> twice(layout);
        once.begin(pass);
        once.forward({});
        for (std::size_t i = 0; i < at.width; ++i) {
            out.z.push_back(pass.z[at.first + i]);
            once.backward(node, false, i);
            out.first.emplace_back();
            for (std::size_t m = 0; m < layout.size(); ++m) out.first[i].push_back(once.derivative(m));
            out.second.emplace_back(layout.size());
        }
        twice.begin(pass);
        for (std::size_t m = 0; m < layout.size(); ++m) {
            twice.forward({m});
            for (std::size_t i = 0; i < at.width; ++i) {
                twice.backward(node, false, i);
                for (std::size_t n = 0; n < layout.size(); ++n) out.second[i][m].push_back(twice.derivative(n));
            }
        }
        return out;
    }

    /// Sums over pairs of weights, each with the label factor of its matrix, or 0 outside the set.
    struct Sums {
        std::vector<double> m, n;

        [[nodiscard]] double bend(Derivatives const& a, std::size_t i, Derivatives const& b, std::size_t j,
                                  Derivatives const& c, std::size_t k) const {
            return over_pairs(
                [&](std::size_t p, std::size_t q) { return a.first[i][p] * b.second[j][p][q] * c.first[k][q]; });
        }
        [[nodiscard]] double square(Derivatives const& a, std::size_t i, std::size_t j) const {
            return over_pairs([&](std::size_t p, std::size_t q) { return a.second[i][p][q] * a.second[j][p][q]; });
        }
        [[nodiscard]] double kernels(Derivatives const& a, std::size_t i, std::size_t j) const {
            return over_pairs([&](std::size_t p, std::size_t q) {
                return a.first[i][p] * a.first[i][q] * a.first[j][p] * a.first[j][q];
            });
        }

    private:
        [[nodiscard]] double over_pairs(std::function<double(std::size_t, std::size_t)> const& f) const {
            double out = 0;
            for (std::size_t p = 0; p < m.size(); ++p)
                for (std::size_t q = 0; q < n.size(); ++q)
                    if (m[p] * n[q] != 0) out += m[p] * n[q] * f(p, q);
            return out;
        }
    };

    ObservableSettings at(std::vector<double> const& input) {
        ObservableSettings out;
        out.inputs[""] = input;
        return out;
    }

    GraphModel with_factors(graphs::Graph graph, bool unit) {
        double factor = 0.5;
        for (auto& edge : graph.stages[0].edges) edge.label_factor = factor += 0.25;
        return {.graph = graph, .ties = {}, .unit_parameters = unit};
    }

    /// By weight, 0 where the label does not run.
    std::vector<double> factors(GraphModel const& model, GraphLayout const& layout, std::string const& place,
                                bool p_alone) {
        std::vector<double> out;
        for (auto const& w : layout.weights()) {
            auto const& edge = model.graph.stages[0].edges[w.edge];
            bool const in = (place.empty() || edge.name == place) && !(p_alone && w.negative);
            out.push_back(in ? edge.label_factor : 0);
        }
        return out;
    }

    double total(std::size_t n, std::function<double(std::size_t, std::size_t)> const& f) {
        double out = 0;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) out += f(i, j);
        return out;
    }

    }  // namespace

    TEST_CASE("sums over pairs of weights in graphs of every kind, over all and over one matrix each") {
        for (auto const& [name, graph] : graphs::cases()) {
            CAPTURE(name);
            for (bool const unit : {false, true}) {
                auto const model = with_factors(graph, unit);
                GraphLayout const layout(model.flat_graph(), unit);
                auto const d = derivatives(model, graphs::drawn(layout, 1).x, layout.output());
                ObservableSettings settings = at(graphs::drawn(layout, 1).x);
                settings.target_second_moment = 0;
                std::size_t const n = d.z.size();
                std::vector<std::string> places{""};
                for (auto const& edge : layout.edges())
                    if (edge.weighted) places.push_back(edge.name);
                for (bool const p_alone : {false, layout.concatenated()}) {
                    settings.labels_of_p_alone = p_alone;
                    for (auto const& first : places) {
                        for (auto const& second : places) {
                            if (first.empty() != second.empty()) continue;
                            CAPTURE(first);
                            CAPTURE(second);
                            std::string const where = first.empty() ? "" : " where m in " + first + ", n in " + second;
                            Sums const sums{factors(model, layout, first, p_alone),
                                            factors(model, layout, second, p_alone)};
                            auto const expect = [&](std::string const& query, double value) {
                                CAPTURE(query);
                                ObservableSampler sampler(model, parse_query(query + where), settings);
                                CHECK(sampler(seed, sample) == doctest::Approx(value).epsilon(1e-9));
                            };
                            auto const square = [&](std::size_t i, std::size_t j) { return sums.square(d, i, j); };
                            auto const bent = [&](std::size_t i, std::size_t j) { return sums.bend(d, i, d, j, d, i); };
                            double const targets =
                                total(n, [&](std::size_t i, std::size_t j) { return i == j ? square(i, j) : 0.0; });
                            double const functional =
                                total(n, [&](std::size_t i, std::size_t j) { return d.z[i] * d.z[j] * square(i, j); });
                            double const cross =
                                total(n, [&](std::size_t i, std::size_t j) { return d.z[j] * bent(i, j); });
                            double const newton =
                                total(n, [&](std::size_t i, std::size_t j) { return sums.kernels(d, i, j); });
                            expect("z[i;m,n]^2", targets);
                            expect("z[1;m,n]^2", square(0, 0));
                            expect("z[i;m,n] z[i] z[j;m,n] z[j]", functional);
                            expect("(z[i;n,m] z[j;m,n])^1 z[i] z[j]", functional);
                            expect("z[i;m] z[i;n] z[j;m,n] z[j]", cross);
                            expect("z[1;m] z[1;n,m] z[1;n]", bent(0, 0));
                            expect("(D[m,n] loss)^2", newton + 2 * cross + functional);
                            double curvature = 0;
                            for (std::size_t i = 0; i < n; ++i)
                                curvature += total(n, [&](std::size_t j, std::size_t k) {
                                    return d.z[i] * d.z[j] * d.z[k] * sums.bend(d, i, d, j, d, k);
                                });
                            expect("z[i] z[i;m] z[j] z[j;m,n] z[k;n] z[k]", curvature);
                            expect("D[m] loss D[m,n] loss D[n] loss - D[m] loss z[j;m] z[j;n] D[n] loss", curvature);
                        }
                    }
                }
            }
        }
    }

    TEST_CASE("gradients at other inputs than the second derivative's, and of hidden neurons") {
        for (auto const& [name, graph] : graphs::cases()) {
            CAPTURE(name);
            auto const model = with_factors(graph, false);
            GraphLayout const layout(model.flat_graph());
            ObservableSettings settings;
            std::vector<Derivatives> by_input;
            for (unsigned k = 1; k <= 3; ++k) {
                auto const x = graphs::drawn(layout, k).x;
                settings.inputs[k == 1 ? "" : k == 2 ? "b" : "c"] = x;
                by_input.push_back(derivatives(model, x, layout.output()));
            }
            auto const& all = factors(model, layout, "", false);
            Sums const sums{all, all};
            std::size_t const n = by_input[0].z.size();
            double bent = 0;
            double open = 0;
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t j = 0; j < n; ++j) {
                    for (std::size_t k = 0; k < n; ++k)
                        bent += by_input[0].z[i] * by_input[1].z[j] * by_input[2].z[k] *
                                sums.bend(by_input[0], i, by_input[1], j, by_input[2], k);
                    open += std::pow(sums.bend(by_input[0], i, by_input[1], j, by_input[2], i), 2);
                }
            }
            auto const value = [&](std::string const& query) {
                return ObservableSampler(model, parse_query(query), settings)(seed, sample);
            };
            CHECK(value("z[i] z[i;m] z[j]@b z[j;m,n]@b z[k;n]@c z[k]@c") == doctest::Approx(bent).epsilon(1e-9));
            CHECK(
                value("(z[1;m] z[1;m,n]@b z[1;n]@c)^2") ==
                doctest::Approx(std::pow(sums.bend(by_input[0], 0, by_input[1], 0, by_input[2], 0), 2)).epsilon(1e-9));
            CHECK(value("z[i;m] z[j;m,n]@b z[i;n]@c z[i;o] z[j;o,p]@b z[i;p]@c") ==
                  doctest::Approx(open).epsilon(1e-9));
            std::size_t const hidden = 2;
            auto const below = derivatives(model, settings.inputs[""], hidden);
            double const mixed = sums.bend(below, 0, by_input[0], 0, below, 0);
            std::string const z = "z{" + layout.nodes()[hidden].name + "}";
            if (layout.nodes()[hidden].concatenation) continue;
            CHECK(value(z + "[1;m] z[1;m,n] " + z + "[1;n]") == doctest::Approx(mixed).epsilon(1e-9));
        }
    }

    // Biases are b_v ~ N(0, variance), their derivatives those by a weight from a neuron that is always 1.
    TEST_CASE("labels that run over biases too") {
        auto graph = graphs::chain({3, 4, 3, 2});
        for (std::size_t v = 0; v < 3; ++v) {
            isserlis::Bias<double> bias;
            bias.variance = 0.5;
            bias.label_factor = 0.75 + static_cast<double>(v);
            graph.stages[0].nodes[v].bias = bias;
        }
        GraphModel const model{.graph = graph};
        ObservableSettings const settings = at({0.5, -1, 2});
        // By finite differences of real networks: the loss's gradient is exactly linear along each weight within a gate
        // pattern, so that central differences of it are derivatives.
        auto const value = [&](std::string const& query) {
            return ObservableSampler(model, parse_query(query), settings)(seed, sample);
        };
        auto const flat = model.flat_graph();
        GraphLayout const layout(flat);
        std::vector<double> drawn;
        isserlis::monte_carlo::draw_weights(flat, layout, seed, sample, drawn);
        auto const output = [&](std::vector<double> const& numbers, std::size_t i) {
            GraphPass pass;
            isserlis::mlp::forward(layout, numbers, settings.inputs.at(""), pass);
            return pass.z[layout.nodes().back().first + i];
        };
        std::vector<double> factor;
        for (auto const& w : layout.weights()) factor.push_back(flat.stages[0].edges[w.edge].label_factor);
        for (auto const& node : flat.stages[0].nodes)
            factor.insert(factor.end(), static_cast<std::size_t>(node.width), node.bias->label_factor);
        REQUIRE(factor.size() == drawn.size());
        constexpr double step = 1e-3;
        double squares = 0;
        double bent = 0;
        auto const first = [&](std::size_t i, std::size_t p) {
            auto up = drawn;
            auto down = drawn;
            up[p] += step;
            down[p] -= step;
            return (output(up, i) - output(down, i)) / (2 * step);
        };
        for (std::size_t p = 0; p < drawn.size(); ++p) {
            for (std::size_t q = 0; q < drawn.size(); ++q) {
                for (std::size_t i = 0; i < 2; ++i) {
                    double mixed = 0;
                    for (int const a : {-1, 1}) {
                        for (int const b : {-1, 1}) {
                            auto moved = drawn;
                            moved[p] += a * step;
                            moved[q] += b * step;
                            mixed += a * b * output(moved, i) / (4 * step * step);
                        }
                    }
                    squares += factor[p] * factor[q] * mixed * mixed;
                    if (i == 0) bent += factor[p] * factor[q] * first(0, p) * mixed * first(0, q);
                }
            }
        }
        CHECK(squares > 1);
        CHECK(value("z[i;m,n]^2") == doctest::Approx(squares).epsilon(1e-6));
        CHECK(value("z[1;m] z[1;m,n] z[1;n]") == doctest::Approx(bent).epsilon(1e-6));
    }

    // Many outputs, whose three letters would make a tensor of 2 million numbers.
    TEST_CASE("gradients of the loss are summed over outputs before they are taken back") {
        GraphModel const model{.graph = graphs::chain({4, 6, 128})};
        ObservableSettings const settings = at({1, -1, 2, 0.5});
        ObservableSampler sampler(model, parse_query("D[m] loss D[m,n] loss D[n] loss"), settings);
        CHECK(std::isfinite(sampler(seed, sample)));
        CHECK(sampler.work_per_sample() < 1e5);
    }

    // The tensors over pairs of weights of 512-wide residual networks would have 10^14 numbers. The exact means are those
    // of the strand engine.
    TEST_CASE("Hessians and curvatures of wide residual networks are sampled beside their exact means") {
        auto graph = flattened(graphs::residual(64, 3));
        GraphModel const model{.graph = graph};
        ObservableSettings const settings = at(std::vector<double>(64, 0.125));
        isserlis::ObservableSetting<double> setting;
        setting.inputs.squared_norm = 1;
        setting.target_second = 64;
        std::vector<isserlis::Query> queries;
        std::vector<std::string> const texts{"(D[m,n] loss)^2", "z[i;m,n]^2", "z[i;m] z[i;n] z[j;m,n] z[j]",
                                             "z[i] z[i;m] z[j] z[j;m,n] z[k;n] z[k]"};
        for (auto const& text : texts) queries.push_back(parse_query(text));
        auto const sampled =
            isserlis::monte_carlo::sample_observables(ObservableSampler(model, queries, settings), 40, 7);
        for (std::size_t k = 0; k < texts.size(); ++k) {
            CAPTURE(texts[k]);
            double const mean = isserlis::expectation(queries[k], graph, setting);
            CHECK(std::abs(sampled[k].mean - mean) < 5 * sampled[k].std_error);
            CHECK(sampled[k].std_error < 0.2 * std::abs(mean));
        }
    }
}
