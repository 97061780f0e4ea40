// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/strand/expansion.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "graphs.hpp"
#include "oracle.hpp"

// The strand engine against brute force: polynomials in weights, gates and targets (oracle.hpp), exactly.

namespace {

using namespace graphs;
using oracle::d;
using oracle::kernel;
using oracle::Model;
using oracle::squared_norm;
using oracle::sum_outputs;
using oracle::sum_weights;
using oracle::trace_of_kernel;
using oracle::WeightPolynomial;

constexpr int w_values[] = {2, -1, 3};
constexpr int p_values[3][3] = {{1, 2, 0}, {2, -3, 1}, {0, 1, 2}};

/// A query, and the same written out by hand for a model.
struct Case {
    char const* text;
    Rational (*by_hand)(Model const&);
};

/// Observables of degree at most 4 in the outputs, valid for any graph with one input.
Case const cases[] = {
    {"z[i]^2", [](Model const& m) { return m.mean(squared_norm(m)); }},
    {"(z[i]^2)^2", [](Model const& m) { return m.mean(power(squared_norm(m), 2)); }},
    {"z[i]^4", [](Model const& m) { return m.mean(sum_outputs(m, [&](auto i) { return power(m.z(i), 4); })); }},
    {"3/2*z[1]^2 - 2", [](Model const& m) { return Rational(ratio(3, 2) * m.mean(power(m.z(0), 2)) - 2); }},
    {"z[1]^2 z[i]^2", [](Model const& m) { return m.mean(power(m.z(0), 2), squared_norm(m)); }},
    {"z[i;m]^2", [](Model const& m) { return m.mean(trace_of_kernel(m)); }},
    {"(z[i;m]^2)^2", [](Model const& m) { return m.mean(trace_of_kernel(m), trace_of_kernel(m)); }},
    {"z[i;m]^2 z[j]^2", [](Model const& m) { return m.mean(trace_of_kernel(m), squared_norm(m)); }},
    {"(z[i;m] z[j;m])^2",
     [](Model const& m) {
         Rational sum = 0;
         for (std::size_t i = 0; i < m.outputs(); ++i) {
             for (std::size_t j = 0; j < m.outputs(); ++j) sum += m.mean(kernel(m, i, j), kernel(m, i, j));
         }
         return sum;
     }},
    {"z[i] z[j] z[i;m] z[j;m]",
     [](Model const& m) {
         WeightPolynomial sum;
         for (std::size_t i = 0; i < m.outputs(); ++i) {
             for (std::size_t j = 0; j < m.outputs(); ++j) sum += m.z(i) * m.z(j) * kernel(m, i, j);
         }
         return m.mean(sum);
     }},
    {"z[i;m,n]^2",
     [](Model const& m) {
         return m.mean(sum_weights(m, [&](auto const& a) {
             return sum_weights(m, [&](auto const& b) {
                 return sum_outputs(m, [&](auto i) { return power(d(d(m.z(i), a), b), 2); });
             });
         }));
     }},
    {"z[i;m,n] z[i;m] z[j;n] z[j]",
     [](Model const& m) {
         return m.mean(sum_weights(m, [&](auto const& a) {
             return sum_weights(m, [&](auto const& b) {
                 return sum_outputs(m, [&](auto i) { return d(d(m.z(i), a), b) * d(m.z(i), a); }) *
                        sum_outputs(m, [&](auto j) { return d(m.z(j), b) * m.z(j); });
             });
         }));
     }},
    {"(z[i;m] z[i;n])^2",
     [](Model const& m) {
         return m.mean(sum_weights(m, [&](auto const& a) {
             return sum_weights(m, [&](auto const& b) {
                 return power(sum_outputs(m, [&](auto i) { return d(m.z(i), a) * d(m.z(i), b); }), 2);
             });
         }));
     }},
    {"(D[m,n] loss)^2",
     [](Model const& m) {
         WeightPolynomial const l = m.twice_loss();
         return Rational(m.mean(sum_weights(m, [&](auto const& a) {
             return sum_weights(m, [&](auto const& b) { return power(d(d(l, a), b), 2); });
         })) / 4);
     }},
    {"D[m,m] loss",
     [](Model const& m) {
         WeightPolynomial const l = m.twice_loss();
         // Of the two places of the weight each brings its factor, but a label is placed once.
         return Rational(m.mean(sum_weights(m, [&](auto const& a) { return d(d(l, a), a); })) / 2);
     }},
    {"(D[m,m] loss)^2",
     [](Model const& m) {
         WeightPolynomial const l = m.twice_loss();
         WeightPolynomial const trace = sum_weights(m, [&](auto const& a) { return d(d(l, a), a); });
         return Rational(m.mean(trace, trace) / 4);
     }},
    {"-(D[m] loss)^2",
     [](Model const& m) {
         WeightPolynomial const l = m.twice_loss();
         return Rational(-m.mean(sum_weights(m, [&](auto const& a) { return power(d(l, a), 2); })) / 4);
     }},
    {"loss", [](Model const& m) { return Rational(m.mean(m.twice_loss()) / 2); }},
    {"loss^2", [](Model const& m) { return Rational(m.mean(m.twice_loss(), m.twice_loss()) / 4); }},
    {"y[i]^2 y[1]^2 + y[1]^4 + y[i]^4 + (y[i]^2)^2",
     [](Model const& m) {
         auto const y2 = sum_outputs(m, [&](auto i) { return power(m.y(i), 2); });
         auto const y4 = sum_outputs(m, [&](auto i) { return power(m.y(i), 4); });
         return m.mean(y2 * power(m.y(0), 2) + power(m.y(0), 4) + y4 + y2 * y2);
     }},
    {"(z[i] y[i])^2 y[1]^2 + (z[i] - y[i])^4",
     [](Model const& m) {
         auto const zy = sum_outputs(m, [&](auto i) { return m.z(i) * m.y(i); });
         auto const fourth = sum_outputs(m, [&](auto i) { return power(m.z(i) - m.y(i), 4); });
         return m.mean(power(zy * m.y(0), 2) + fourth);
     }},
    {"(w[i] z[i])^2",
     [](Model const& m) {
         return m.mean(power(sum_outputs(m, [&](auto i) { return m.z(i) * WeightPolynomial(w_values[i]); }), 2));
     }},
    {"(w[i] z[i])^2 z[j] P[j,k] z[k]",
     [](Model const& m) {
         auto const wz = sum_outputs(m, [&](auto i) { return m.z(i) * WeightPolynomial(w_values[i]); });
         auto const zpz = sum_outputs(m, [&](auto i) {
             return sum_outputs(m, [&](auto j) { return m.z(i) * m.z(j) * WeightPolynomial(p_values[i][j]); });
         });
         return m.mean(wz * wz, zpz);
     }},
    {"(z[i] - w[i])^2",
     [](Model const& m) {
         return m.mean(sum_outputs(m, [&](auto i) { return power(m.z(i) - WeightPolynomial(w_values[i]), 2); }));
     }},
    {"z[i;m] P[i,j] z[j;m] w[1]",
     [](Model const& m) {
         return m.mean(sum_outputs(m, [&](auto i) {
             return sum_outputs(
                 m, [&](auto j) { return kernel(m, i, j) * WeightPolynomial(p_values[i][j] * w_values[0]); });
         }));
     }},
    {"(z[i;m] (D[m] loss))^2",
     [](Model const& m) {
         WeightPolynomial const l = m.twice_loss();
         return Rational(m.mean(sum_outputs(m, [&](auto i) {
             return power(sum_weights(m, [&](auto const& a) { return d(m.z(i), a) * d(l, a); }), 2);
         })) / 4);
     }},
    {"z[i] z[i;m,n] (D[m] loss) z[j;n] z[j]",
     [](Model const& m) {
         WeightPolynomial const l = m.twice_loss();
         return Rational(m.mean(sum_weights(m, [&](auto const& a) {
             return sum_weights(m, [&](auto const& b) {
                 auto const f = sum_outputs(m, [&](auto i) { return m.z(i) * d(d(m.z(i), a), b); });
                 auto const g = sum_outputs(m, [&](auto j) { return d(m.z(j), b) * m.z(j); });
                 return f.is_zero() ? f : f * d(l, a) * g;
             });
         })) / 2);
     }},
    {"(D[m] loss) (D[m,n] loss) (D[n] loss)",
     [](Model const& m) {
         WeightPolynomial const l = m.twice_loss();
         Rational sum = 0;
         for (auto const& a : m.weights()) {
             for (auto const& b : m.weights()) {
                 Rational const factor = a.label_factor * b.label_factor;
                 sum += factor * m.mean(d(d(l, a), b), d(l, a) * d(l, b));
             }
         }
         return Rational(sum / 8);
     }},
};

/// Constants are served where all strands leave the output by weights.
std::vector<std::string> const with_constants = {"(w[i] z[i])^2", "(w[i] z[i])^2 z[j] P[j,k] z[k]", "(z[i] - w[i])^2",
                                                 "z[i;m] P[i,j] z[j;m] w[1]", "w[1] z[1] w[i] z[i]"};

/// Those that go beyond four strands.
std::vector<std::string> const six_strands = {"(z[i;m] (D[m] loss))^2", "z[i] z[i;m,n] (D[m] loss) z[j;n] z[j]",
                                              "(D[m] loss) (D[m,n] loss) (D[n] loss)"};

ObservableSetting<Rational> setting_for(std::vector<int> const& x, std::size_t outputs) {
    std::vector<Rational> coordinates(x.begin(), x.end());
    auto out = at_input(coordinates);
    out.target_second = ratio(3, 2);
    out.target_fourth = ratio(7, 5);
    std::vector<Rational> w;
    std::vector<std::vector<Rational>> p;
    for (std::size_t i = 0; i < outputs; ++i) {
        w.emplace_back(w_values[i]);
        p.emplace_back();
        for (std::size_t j = 0; j < outputs; ++j) p.back().emplace_back(p_values[i][j]);
    }
    out.constants = {{"w", {w}}, {"P", p}};
    return out;
}

/// Those with products of three targets at one output.
std::vector<std::string> const three_targets = {"loss^2", "(z[i] y[i])^2 y[1]^2 + (z[i] - y[i])^4",
                                                "(D[m] loss) (D[m,n] loss) (D[n] loss)"};

bool skips_into_output(Net const& net) {
    auto const& last = net.stages.back();
    return std::any_of(last.edges.begin(), last.edges.end(), [&](auto const& e) {
        return e.to == last.nodes.size() && e.kind == GraphEdge<Rational>::Kind::skip;
    });
}

/// Without a skip into the output its odd moments vanish, and those of the targets must not matter: here E y^3 = 7.
Model model_for(Net const& net, std::vector<int> const& x) { return Model(net, {x}, ratio(3, 2), ratio(7, 5), 7); }

/// All hand-coded observables whose degree the oracle can reach on this graph.
void check_all(Net const& net, std::vector<int> const& x, std::vector<std::string> const& without = {}) {
    Model const model = model_for(net, x);
    auto setting = setting_for(x, model.outputs());
    setting.target_third = Rational(7) * Rational(Integer(model.outputs()));
    for (auto const& c : cases) {
        std::string const text = c.text;
        if (std::find(without.begin(), without.end(), text) != without.end()) continue;
        CAPTURE(text);
        // Three targets may leave an odd number of outputs, and gates below them an odd number of visits.
        bool const odd = skips_into_output(net) &&
                         std::find(three_targets.begin(), three_targets.end(), text) != three_targets.end();
        Rational value;
        try {
            value = engine(text, net, setting);
        } catch (UnsupportedError const& e) {
            std::string const why = e.what();
            CAPTURE(why);
            CHECK(odd);
            continue;
        }
        CHECK(value == c.by_hand(model));
    }
}

Style<Rational> styled(Rational const& slope, LawKind law = LawKind::gaussian, int label_factor = 1) {
    return {.slope = slope, .law = {.kind = law}, .label_factor = label_factor};
}

}  // namespace

TEST_SUITE("strand/oracle") {
    TEST_CASE("one layer is as brute force finds it") {
        check_all(vanilla<Rational>({2, 2}), {1, -2});
        check_all(vanilla<Rational>({2, 3}, styled(0, LawKind::laplace, 3)), {2, 1});
    }

    TEST_CASE("chains of ReLU, leaky and linear layers are as brute force finds them") {
        check_all(vanilla<Rational>({2, 2, 1}), {1, 2});
        check_all(vanilla<Rational>({1, 2, 2}), {2});
        check_all(vanilla<Rational>({1, 2, 2, 1}), {1});
        check_all(vanilla<Rational>({2, 3, 1}, styled(ratio(-1, 2))), {1, 1});
        check_all(vanilla<Rational>({2, 2, 2}, styled(1)), {2, 1});
    }

    TEST_CASE("label factors multiply each summed pair of derivatives") {
        auto net = vanilla<Rational>({2, 2, 1});
        net.stages[0].edges[0].label_factor = 2;
        net.stages[1].edges[0].label_factor = 3;
        check_all(net, {1, 1});
    }

    TEST_CASE("weights that are not Gaussian bring in their cumulants") {
        for (LawKind const law : {LawKind::uniform, LawKind::rademacher, LawKind::laplace}) {
            check_all(vanilla<Rational>({2, 2, 1}, styled(0, law)), {1, 2});
            check_all(vanilla<Rational>({2, 2, 2}, styled(ratio(1, 3), law)), {1, 1});
        }
        // Known by its kurtosis alone: observables of four outputs.
        auto net = vanilla<Rational>({2, 2, 1});
        for (auto& stage : net.stages) stage.edges[0].law = {.kind = LawKind::kurtosis, .kurtosis_value = ratio(7, 2)};
        check_all(net, {2, 1}, six_strands);
        // One weight of variance 2 at x = 1.
        auto const four = vanilla<Rational>({1, 1}, {.law = {.kind = LawKind::kurtosis, .kurtosis_value = 4}});
        CHECK(engine("z[1]^4", four, at_input({1})) == 16);
    }

    // Of j = 1, E W_11 z_1^3 = 3 v^2 x_1 |x|^2 with v = 1; of j = 2 nothing.
    TEST_CASE("a letter that meets a fixed neuron keeps it below") {
        CHECK(engine("J[1,j] z[j] z[1]^2", vanilla<Rational>({2, 2}), at_input({1, 2})) == 15);
    }

    TEST_CASE("networks with biases are as brute force finds them") {
        check_all(biased(vanilla<Rational>({2, 2}), ratio(1, 2)), {1, -2});
        check_all(biased(vanilla<Rational>({1, 2, 1}), ratio(2, 3)), {2});
        check_all(biased(vanilla<Rational>({1, 1, 2, 1}), Rational(3)), {1});
        check_all(biased(vanilla<Rational>({2, 1, 1}, styled(ratio(-1, 2), LawKind::uniform)), Rational(1),
                         {.kind = LawKind::rademacher}),
                  {1, 1});
        check_all(biased(residual<Rational, std::uint64_t>(1, 1, 2, 2, 1), ratio(1, 3)), {1}, with_constants);
        check_all(biased(concatenated(1, {1}, 1), ratio(1, 2)), {2});
        // Derivatives by biases too.
        for (auto net :
             {biased(vanilla<Rational>({1, 2, 1}), ratio(2, 3)), biased(vanilla<Rational>({1, 1, 1}), Rational(0)),
              biased(vanilla<Rational>({2, 1, 2}, styled(0, LawKind::uniform, 2)), Rational(1)),
              biased(concatenated(1, {1}, 1), ratio(1, 2))}) {
            for (auto& stage : net.stages) {
                for (auto& node : stage.nodes) {
                    if (node.bias) node.bias->label_factor = 3;
                }
            }
            check_all(net, std::vector<int>(net.input_width == 1 ? 1 : 2, 2));
        }
        // Biases of one layer alone, where the other has none.
        auto net = vanilla<Rational>({2, 2, 1});
        net.stages[0].nodes[0].bias = {.variance = 2};
        check_all(net, {1, 1});
    }

    // One layer z_i = w_i x + b_i at |x|^2 = 5: sum_i (|x|^2 + f), f the label factor of biases; a place means its weights.
    TEST_CASE("labels sit on biases where they count and where no place is named") {
        for (int const factor : {0, 1, 2}) {
            auto net = biased(vanilla<Rational>({2, 2}), ratio(1, 2));
            net.stages[0].nodes[0].bias->label_factor = factor;
            CHECK(engine("z[i;m]^2", net, at_input({1, 2})) == 10 + 2 * factor);
            CHECK(engine("z[i;m]^2 where m in 1", net, at_input({1, 2})) == 10);
            CHECK(engine("z[i;m]^2 z[j;n]^2 where m in 1", net, at_input({1, 2})) == 10 * (10 + 2 * factor));
        }
        // z = w (x + b) at x = 1, both of variance 1: E (dz/dw)^2 = 1 + 1 and E (dz/db)^2 = 1.
        Net shifted{.input_name = "in", .input_width = 1, .stages = {{.nodes = {}, .edges = {}, .count = 1}}};
        auto& stage = shifted.stages.front();
        stage.numbered = false;
        stage.nodes = {node<Rational>("a", 1, false), node<Rational>("out", 1, false)};
        stage.nodes[0].bias = {.variance = 1};
        stage.nodes[0].bias->label_factor = 1;
        stage.edges = {skip<Rational>("s", 0, 1), weight<Rational>("w", 1, 2, 1)};
        auto two_stages = shifted;
        two_stages.stages.push_back(two_stages.stages[0]);
        two_stages.stages[0].nodes.pop_back();
        two_stages.stages[0].edges.pop_back();
        two_stages.stages[1].nodes = {node<Rational>("out", 1, false)};
        two_stages.stages[1].edges = {weight<Rational>("w", 0, 1, 1)};
        for (auto const* net : {&shifted, &two_stages}) {
            CHECK(engine("z[i;m]^2", *net, at_input({1})) == 3);
            CHECK(engine("z[i;m]^2 where m in w", *net, at_input({1})) == 2);
            // E (u^2 + w^2) w^2 u^2 with u = x + b, E u^4 = 10.
            CHECK(engine("z[i;m]^2 z[j]^2", *net, at_input({1})) == 10 + 3 * 2);
        }
    }

    TEST_CASE("residual networks are as brute force finds them") {
        check_all(residual<Rational, std::uint64_t>(1, 2, 2, 2, 1), {1}, with_constants);
        check_all(residual<Rational, std::uint64_t>(2, 1, 2, 2, 1), {1, -1}, with_constants);
        check_all(residual<Rational, std::uint64_t>(1, 3, 1, 2, 1), {2}, with_constants);
        check_all(residual<Rational, std::uint64_t>(1, 2, 2, 3, 1, styled(ratio(1, 2), LawKind::uniform, 2)), {1},
                  with_constants);
    }

    TEST_CASE("densely connected networks are as brute force finds them") {
        check_all(concatenated(1, {1, 2}, 1), {2});
        check_all(concatenated(2, {1, 1}, 1), {1, 2});
        check_all(densely_connected(2, {1, 1}, 1), {1, 2});
        check_all(densely_connected(1, {2, 1}, 2, styled(ratio(-1, 2), LawKind::rademacher)), {1});
    }

    TEST_CASE("a concatenation is the same as one edge from each of its parts") {
        auto const setting = setting_for({1, 2}, 2);
        for (auto const& c : cases) {
            std::string const text = c.text;
            CAPTURE(text);
            CHECK(engine(text, concatenated(2, {3, 2}, 2), setting) ==
                  engine(text, densely_connected(2, {3, 2}, 2), setting));
        }
    }

    TEST_CASE("a gated head is as brute force finds it") {
        for (Rational const& slope : {Rational(0), ratio(1, 3)}) {
            Style<Rational> style{.slope = slope, .gated_head = true};
            for (auto const& net : {vanilla<Rational>({2, 2}, style), vanilla<Rational>({1, 2, 2}, style)}) {
                std::vector<int> const x = net.input_width == 1 ? std::vector{2} : std::vector{1, 2};
                auto const model = model_for(net, x);
                auto const setting = setting_for(x, 2);
                auto h2 = sum_outputs(model, [&](auto i) { return power(model.h(model.output(), i), 2); });
                auto zh = sum_outputs(model, [&](auto i) { return model.z(i) * model.h(model.output(), i); });
                CHECK(engine("h[i]^2", net, setting) == model.mean(h2));
                CHECK(engine("(h[i]^2)^2", net, setting) == model.mean(h2, h2));
                CHECK(engine("z[i] h[i]", net, setting) == model.mean(zh));
                CHECK(engine("(z[i] h[i])^2 h[1]^2", net, setting) ==
                      model.mean(zh * zh, power(model.h(model.output(), 0), 2)));
                auto const kernel_of_h = sum_weights(model, [&](auto const& w) {
                    return sum_outputs(model, [&](auto i) { return power(d(model.h(model.output(), i), w), 2); });
                });
                CHECK(engine("(h[i;m]^2) h[j]^2", net, setting) == model.mean(kernel_of_h, h2));
                CHECK(engine("(z[i]^2)^2", net, setting) == model.mean(squared_norm(model), squared_norm(model)));
            }
        }
    }

    TEST_CASE("restricted labels run over the weights of their places") {
        auto const net = residual<Rational, std::uint64_t>(1, 2, 2, 2, 1, styled(0, LawKind::gaussian, 2));
        auto const model = model_for(net, {1});
        auto const setting = setting_for({1}, 1);
        auto kernel_of = [&](std::vector<std::string> const& edges) {
            WeightPolynomial out;
            for (auto const& w : model.weights(
                     [&](std::string const& e) { return std::find(edges.begin(), edges.end(), e) != edges.end(); })) {
                out += power(d(model.z(0), w), 2) * WeightPolynomial(w.label_factor);
            }
            return out;
        };
        auto const first = kernel_of({"1.1"});
        auto const stage_two = kernel_of({"2.1", "2.2"});
        auto const range = kernel_of({"1.2", "2.1"});
        CHECK(engine("z[;m]^2 where m in 1.1", net, setting) == model.mean(first));
        CHECK(engine("(z[;m]^2)^2 where m in 1.1", net, setting) == model.mean(first, first));
        CHECK(engine("z[;m]^2 z[;n]^2 where m in 1.1, n in 2", net, setting) == model.mean(first, stage_two));
        CHECK(engine("z[;m]^2 z[;n]^2 where n in 1.2..2.1", net, setting) ==
              model.mean(range, kernel_of({"1.1", "1.2", "2.1", "2.2"})));
        CHECK(engine("(z[;m] z[;n])^2 where m in 1.1, n in 1.1", net, setting) == model.mean(first, first));
        WeightPolynomial hessian;
        for (auto const& a : model.weights([](std::string const& e) { return e == "1.1"; })) {
            for (auto const& b : model.weights([](std::string const& e) { return e == "2.2"; })) {
                hessian += power(d(d(model.z(0), a), b), 2) * WeightPolynomial(4);
            }
        }
        CHECK(engine("z[;m,n]^2 where m in 1.1, n in 2.2", net, setting) == model.mean(hessian));
    }

    TEST_CASE("several inputs of a linear network are as brute force finds them") {
        for (auto const& net :
             {vanilla<Rational>({2, 2, 2}, styled(1)), vanilla<Rational>({2, 2, 1}, styled(1, LawKind::laplace)),
              densely_connected(2, {2}, 1, styled(1))}) {
            Model const model(net, {{1, 2}, {-1, 1}});
            ObservableSetting<Rational> setting;
            setting.inputs.names = {"a", "b"};
            setting.inputs.vectors = {{1, 2}, {-1, 1}};
            auto z = [&](std::size_t i, std::size_t input) -> WeightPolynomial const& {
                return model.z(model.output(), i, input);
            };
            auto const ab = sum_outputs(model, [&](auto i) { return z(i, 0) * z(i, 1); });
            auto const aa = sum_outputs(model, [&](auto i) { return z(i, 0) * z(i, 0); });
            auto const bb = sum_outputs(model, [&](auto i) { return z(i, 1) * z(i, 1); });
            auto const ntk = sum_weights(model, [&](auto const& w) {
                return sum_outputs(model, [&](auto i) { return d(z(i, 0), w) * d(z(i, 1), w); });
            });
            CHECK(engine("z[i]@a z[i]@b", net, setting) == model.mean(ab));
            CHECK(engine("(z[i]@a z[i]@b)^2", net, setting) == model.mean(ab, ab));
            CHECK(engine("z[i]@a^2 z[j]@b^2", net, setting) == model.mean(aa, bb));
            CHECK(engine("z[i] z[i;m]@a z[j;m]@b z[j]@b", net, setting) ==
                  model.mean(sum_weights(model, [&](auto const& w) {
                      return sum_outputs(model, [&](auto i) { return z(i, 0) * d(z(i, 0), w); }) *
                             sum_outputs(model, [&](auto j) { return z(j, 1) * d(z(j, 1), w); });
                  })));
            CHECK(engine("(z[i;m]@a z[i;m]@b)^2", net, setting) == model.mean(ntk, ntk));
            // A Gram matrix says the same where no four weights are one.
            if (net.stages[0].edges[0].law.kind != LawKind::gaussian) continue;
            setting.inputs.vectors.clear();
            setting.inputs.gram = {{5, 1}, {1, 2}};
            CHECK(engine("(z[i;m]@a z[i;m]@b)^2", net, setting) == model.mean(ntk, ntk));
        }
    }

    TEST_CASE("the squared norm alone is enough at one input of a Gaussian network") {
        auto const net = vanilla<Rational>({2, 2, 1});
        ObservableSetting<Rational> norm_only;
        norm_only.inputs.names = {"x"};
        norm_only.inputs.squared_norm = 5;
        CHECK(engine("(z[i]^2)^2", net, norm_only) == engine("(z[i]^2)^2", net, at_input({1, 2})));
        CHECK(engine("(D[m,n] loss)^2", net, norm_only) == engine("(D[m,n] loss)^2", net, at_input({1, 2})));
    }

    // The odd moments of this output do not vanish: x itself is a part of z, and E z y^3 = x E y^3.
    TEST_CASE("with a skip into the output, third moments of the targets enter") {
        auto const net = residual<Rational, std::uint64_t>(1, 1, 2, 2, 1);
        Model const model(net, {{2}}, 1, 3, 7);
        auto setting = at_input({2});
        setting.target_fourth = 3;
        CHECK(model.mean(power(model.y(0), 3) * model.z(0)) == 14);
        CHECK_THROWS_AS((void)engine("z y^3", net, setting), isserlis::OddTargetsError);
        CHECK_THROWS_AS((void)engine("loss^2", net, setting), isserlis::OddTargetsError);
        setting.target_third = 7;
        CHECK(engine("z y^3", net, setting) == 14);
        CHECK(engine("y^3", net, setting) == 7);
        CHECK(engine("y", net, setting) == 0);
        CHECK(engine("loss^2", net, setting) == model.mean(power(model.twice_loss(), 2)) / 4);
        CHECK_THROWS_AS((void)engine("z y^5", net, setting), UnsupportedError);
    }

    // Two outputs share sum_i E y_i^3 = 7; different ones do not meet.
    TEST_CASE("third moments of several targets") {
        auto const net = vanilla<Rational>({1, 2});
        auto setting = at_input({1});
        setting.target_third = 7;
        CHECK(engine("y[i]^3", net, setting) == 7);
        CHECK(engine("y[1]^3", net, setting) == ratio(7, 2));
        CHECK(engine("y[1]^2 y[2]", net, setting) == 0);
        CHECK(engine("z[j]^2 y[i]^3", net, setting) == 7 * engine("z[j]^2", net, setting));
        CHECK(engine("z[i] y[i]^3", net, setting) == 0);
    }

    TEST_CASE("constants without outputs are contracted too") {
        auto const net = vanilla<Rational>({1, 2, 3});
        auto const setting = setting_for({1}, 3);
        CHECK(engine("w[i]^2", net, setting) == 14);  // 4 + 1 + 9
        CHECK(engine("(w[i]^2)^2", net, setting) == 196);
        CHECK(engine("w[i] P[i,j] w[j]", net, setting) == 5);  // P w = (0, 10, 5)
        CHECK(engine("P[i,i]", net, setting) == 0);
        CHECK(engine("w[2]", net, setting) == -1);
        CHECK(engine("w[1] - w[2]", net, setting) == 3);
        CHECK(engine("w[i]^2 - w[1]^2", net, setting) == 10);
        CHECK(engine("w[i]^2 w[j]^2 - w[i]^4", net, setting) == 98);  // 196 - (16 + 1 + 81)
        CHECK(engine("w[2] z[1]^2 - w[3] z[1]^2", net, setting) == -4 * engine("z[1]^2", net, setting));
        CHECK(engine("(w[i]^2 - w[1]^2) z[1]^2", net, setting) == 10 * engine("z[1]^2", net, setting));
        CHECK(engine("(P[i,j] w[j] - 2*w[i])^2", net, setting) == 161);  // P w = (0, 10, 5), less (4, -2, 6)
        CHECK(engine("w[1] w[2] P[3,3] z[1]^2", net, setting) == -4 * engine("z[1]^2", net, setting));
        CHECK(engine("w[i]^2 z{1}[j]^2", net, setting) == 14 * engine("z{1}[j]^2", net, setting));
        CHECK(engine("w[i]^2 z{1}[2]^2", net, setting) == 14 * engine("z{1}[2]^2", net, setting));
        CHECK(engine("w[2] w[i]^2 z{1}[2]^2", net, setting) == -14 * engine("z{1}[2]^2", net, setting));
    }

    TEST_CASE("a constant at a neuron of another layer is refused") {
        auto const net = vanilla<Rational>({1, 2, 2});
        CHECK_THROWS_AS((void)engine("w[i] z{1}[i]^2", net, setting_for({1}, 2)), UnsupportedError);
        // Nor is a letter that the output shares with another layer, next to constants, summed twice.
        auto const linear = vanilla<Rational>({1, 2, 2}, styled(1));
        auto const setting = setting_for({1}, 2);
        // The right value is 4 E z{1}[i]^2 z{2}[i]^2; a refusal will do.
        auto const alone = engine("z{1}[i]^2 z{2}[i]^2", linear, setting);
        try {
            Rational const value = engine("w[1]^2 z{1}[i]^2 z{2}[i]^2", linear, setting);
            CHECK(value == 4 * alone);
        } catch (UnsupportedError const& e) {
            CHECK(std::string(e.what()).find("constants") != std::string::npos);
        }
    }

    TEST_CASE("a letter at layers of different widths is refused") {
        auto const net = vanilla<Rational>({1, 3, 2}, styled(1));
        CHECK_THROWS_AS((void)engine("z{1}[i]^2 z{2}[i]^2", net, at_input({1})), Error);
        CHECK_THROWS_AS((void)engine("z{1}[i]^2 y[i]^2", net, at_input({1})), Error);
        CHECK_THROWS_AS((void)engine("z{1}[i] y[i] z{1}[j] y[j]", net, at_input({1})), Error);
        auto const square = vanilla<Rational>({1, 2, 2}, styled(1));
        CHECK(engine("z{1}[i]^2 y[i]^2", square, at_input({1})) == 2);  // 2 * 2 * 1/2
    }

    TEST_CASE("a fixed neuron has one number in layers of different widths") {
        auto const net = vanilla<Rational>({1, 3, 2}, styled(1));
        Model const model(net, {{1}});
        CHECK(engine("z{1}[1]^2 z{2}[1]^2", net, at_input({1})) ==
              model.mean(power(model.z(1, 0), 2), power(model.z(2, 0), 2)));
    }
}
