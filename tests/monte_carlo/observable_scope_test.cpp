// SPDX-License-Identifier: MIT
// Every query on one drawn network beside sums written out by hand over its values, gradients and Hessians.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <isserlis/error.hpp>
#include <isserlis/mlp/graph_derivatives.hpp>
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/monte_carlo/observable_sampler.hpp>

#include "../mlp/graphs.hpp"

namespace {

using isserlis::DomainError;
using isserlis::parse_query;
using isserlis::UnsupportedError;
using isserlis::mlp::GraphDerivatives;
using isserlis::mlp::GraphLayout;
using isserlis::mlp::GraphPass;
using isserlis::monte_carlo::draw_weights;
using isserlis::monte_carlo::GraphModel;
using isserlis::monte_carlo::ObservableSampler;
using isserlis::monte_carlo::ObservableSettings;

constexpr std::uint64_t seed = 5;
constexpr std::uint64_t sample = 3;

/// A leaky net of widths 2, 3, 4, 3, one draw of it, and all its derivatives as dense arrays.
class OneNet {
public:
    OneNet() : model_{.graph = graphs::chain({2, 3, 4, 3}, isserlis::ActivationKind::leaky)} {
        auto& edges = model_.graph.stages[0].edges;
        for (std::size_t e = 0; e < 3; ++e) edges[e].label_factor = 1 + 0.5 * static_cast<double>(e);
        settings_.inputs = {{"", {0.7, -1.1}}, {"a", {0.2, 0.9}}};
        settings_.parameters = {{"t", 1.5}};
        settings_.vectors = {{"w", {0.5, -2, 3}}, {"u", {1, 2, 3, 4}}};
        settings_.matrices = {{"P", {{1, 2, 3}, {2, -5, 0.5}, {3, 0.5, 2}}}};
        settings_.target_fourth_moment = 2;
        layout_ = std::make_unique<GraphLayout>(model_.graph);
        draw_weights(model_.graph, *layout_, seed, sample, weights_);
        forward(*layout_, weights_, settings_.inputs[""], pass_);
        count = weights_.size();
        GraphDerivatives<0> first(*layout_);
        GraphDerivatives<1> second(*layout_);
        first.begin(pass_);
        second.begin(pass_);
        for (std::size_t i = 0; i < 3; ++i) {
            z.push_back(pass_.z[layout_->nodes()[3].first + i]);
            first.backward(3, false, i);
            for (std::size_t m = 0; m < count; ++m) {
                gradient[i].push_back(first.derivative(m));
                second.forward({m});
                second.backward(3, false, i);
                for (std::size_t n = 0; n < count; ++n) hessian[i].push_back(second.derivative(n));
            }
            y.push_back(query("y[" + std::to_string(i + 1) + "]"));
        }
        for (auto const& w : layout_->weights()) factor.push_back(1 + 0.5 * static_cast<double>(w.edge));
    }

    [[nodiscard]] double query(std::string const& text) const {
        return ObservableSampler(model_, parse_query(text), settings_)(seed, sample);
    }
    [[nodiscard]] double inner(std::size_t node, bool activated, std::size_t neuron) const {
        return (activated ? pass_.h : pass_.z)[layout_->nodes()[node].first + neuron];
    }
    [[nodiscard]] std::size_t edge(std::size_t weight) const { return layout_->weights()[weight].edge; }
    [[nodiscard]] double d(std::size_t i, std::size_t m) const { return gradient[i][m]; }
    [[nodiscard]] double dd(std::size_t i, std::size_t m, std::size_t n) const { return hessian[i][m * count + n]; }
    /// Derivatives of the loss.
    [[nodiscard]] double loss(std::size_t m) const {
        double out = 0;
        for (std::size_t i = 0; i < 3; ++i) out += (z[i] - y[i]) * d(i, m);
        return out;
    }
    [[nodiscard]] double loss(std::size_t m, std::size_t n) const {
        double out = 0;
        for (std::size_t i = 0; i < 3; ++i) out += (z[i] - y[i]) * dd(i, m, n) + d(i, m) * d(i, n);
        return out;
    }
    /// Sum over outputs, and over weights with their factors.
    static double over_outputs(std::function<double(std::size_t)> const& f) { return f(0) + f(1) + f(2); }
    [[nodiscard]] double over_weights(std::function<double(std::size_t)> const& f) const {
        double out = 0;
        for (std::size_t m = 0; m < count; ++m) out += factor[m] * f(m);
        return out;
    }

    std::size_t count = 0;
    std::vector<double> z;
    std::vector<double> y;
    std::vector<double> factor;
    std::array<std::vector<double>, 3> gradient;
    std::array<std::vector<double>, 3> hessian;

private:
    GraphModel model_;
    ObservableSettings settings_;
    std::unique_ptr<GraphLayout> layout_;
    std::vector<double> weights_;
    GraphPass pass_;
};

OneNet const& net() {
    static OneNet const one;
    return one;
}

double over_outputs(std::function<double(std::size_t)> const& f) { return OneNet::over_outputs(f); }
double over_weights(std::function<double(std::size_t)> const& f) { return net().over_weights(f); }

void agree(std::string const& text, double expected) {
    CAPTURE(text);
    CHECK(expected != 0);
    CHECK(net().query(text) == doctest::Approx(expected).epsilon(1e-10));
}

}  // namespace

TEST_SUITE("monte_carlo/observable_scope") {
    TEST_CASE("letters are summed where they meet, brackets bind, powers rename") {
        auto const& z = net().z;
        double const norm = over_outputs([&](auto i) { return z[i] * z[i]; });
        double const fourth = over_outputs([&](auto i) { return std::pow(z[i], 4); });
        agree("z[i]^2", norm);
        agree("z[i] z[i]", norm);
        agree("(z[i]^2)^2", norm * norm);
        agree("z[i]^4", fourth);
        agree("z[i]^2 z[j]^2", norm * norm);
        agree("z[i]^2 z[i]^2", fourth);
        agree("(z[i]^2) (z[i]^2)", norm * norm);
        agree("(z[i]^2) z[i]^2", norm * norm);
        agree("(z[i])^2", norm);
        agree("(z[i] z[j])^2", norm * norm);
        agree("(z[i] z[j]) z[i] z[j]", norm * norm);
        agree("((z[i]^2)^2)^2", std::pow(norm, 4));
        agree("(z[i]^3) (z[j]^2)", over_outputs([&](auto i) { return std::pow(z[i], 3); }) * norm);
        agree("(z[i]^2 - w[i] z[i])^3", std::pow(norm - over_outputs([&](auto i) {
                                                     return z[i] * std::vector{0.5, -2.0, 3.0}[i];
                                                 }),
                                                 3));
        agree("z[1] z[2]^2", z[0] * z[1] * z[1]);
        agree("z[1]^0 z[2]", z[1]);
        agree("-z[i]^2/4 + 3/2 t z[3]", -norm / 4 + 1.5 * 1.5 * z[2]);
        agree("(z[i] + w[i])^2", over_outputs([&](auto i) {
                  return std::pow(z[i] + std::vector{0.5, -2.0, 3.0}[i], 2);
              }));
    }

    TEST_CASE("constants, targets and inner nodes") {
        auto const& z = net().z;
        auto const& y = net().y;
        double const w[] = {0.5, -2, 3};
        double const u[] = {1, 2, 3, 4};
        double const p[3][3] = {{1, 2, 3}, {2, -5, 0.5}, {3, 0.5, 2}};
        agree("w[i] P[i,j] z[i] z[j]",
              over_outputs([&](auto i) { return over_outputs([&](auto j) { return w[i] * p[i][j] * z[i] * z[j]; }); }));
        // Seven and eight factors, multiplied out in an order that is not searched in full.
        double trace = 0;
        for (int i = 0; i < 3; ++i) {
            double column[3] = {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
            for (int power = 0; power < 7; ++power) {
                double next[3];
                for (int r = 0; r < 3; ++r) next[r] = p[r][0] * column[0] + p[r][1] * column[1] + p[r][2] * column[2];
                std::copy(next, next + 3, column);
            }
            trace += column[i];
        }
        agree("P[a,b] P[b,c] P[c,d] P[d,e] P[e,f] P[f,g] P[g,a]", trace);
        agree("z[a] w[a] z[b] w[b] z[c] w[c] z[d] w[d]",
              std::pow(over_outputs([&](auto i) { return w[i] * z[i]; }), 4));
        agree("P[i,i]", 1 - 5 + 2);
        agree("P[i,i] z[i]", over_outputs([&](auto i) { return p[i][i] * z[i]; }));
        agree("(P[i,i]) z[2]", -2 * z[1]);
        agree("P[2,i] z[i]", over_outputs([&](auto i) { return p[1][i] * z[i]; }));
        agree("P[i,j]^2 w[3]",
              over_outputs([&](auto i) { return over_outputs([&](auto j) { return 3 * p[i][j] * p[i][j]; }); }));
        agree("z[i] (z[i] - y[i])", over_outputs([&](auto i) { return z[i] * (z[i] - y[i]); }));
        agree("loss", 0.5 * over_outputs([&](auto i) { return std::pow(z[i] - y[i], 2); }));
        agree("loss^2 + loss", [&] {
            double const loss = 0.5 * over_outputs([&](auto i) { return std::pow(z[i] - y[i], 2); });
            return loss * loss + loss;
        }());
        double inner = 0;
        for (std::size_t i = 0; i < 3; ++i) inner += net().inner(1, true, i) * net().inner(1, true, i);
        agree("h{1}[i]^2", inner);
        inner = 0;
        for (std::size_t i = 0; i < 4; ++i) inner += u[i] * net().inner(2, false, i) * net().inner(2, true, i);
        agree("u[i] z{2}[i] h{2}[i]", inner);
        agree("h{0}[i]^2", 0.49 + 1.21);
        agree("z{0}[1] h[2]", 0.7 * z[1]);
        agree("z{3}[2]", z[1]);
    }

    TEST_CASE("labels are summed with their factor once, where they meet") {
        double ntk = 0;
        double ntk_squared = 0;
        double one_norm = 0;
        over_outputs([&](auto i) {
            double const kii = over_weights([&](auto m) { return net().d(i, m) * net().d(i, m); });
            ntk += kii;
            over_outputs([&](auto j) {
                double const kij = over_weights([&](auto m) { return net().d(i, m) * net().d(j, m); });
                ntk_squared += kij * kij;
                one_norm += net().z[i] * net().z[j] * kij;
                return 0.0;
            });
            return 0.0;
        });
        agree("z[i;m]^2", ntk);
        agree("(z[i;m]^2)^2", ntk * ntk);
        agree("(z[i;m] z[j;m])^2", ntk_squared);
        agree("z[i;m] z[j;m] z[i;n] z[j;n]", ntk_squared);
        agree("z[i;m] z[j;m] z[i] z[j]", one_norm);
        agree("(z[i;m] z[i])^2", one_norm);
        agree("z[i;m]^2 z[j]^2 - (z[i;m] z[i])^2",
              ntk * over_outputs([&](auto i) { return net().z[i] * net().z[i]; }) - one_norm);
        agree("z[i;m]^4",
              over_outputs([&](auto i) { return over_weights([&](auto m) { return std::pow(net().d(i, m), 4); }); }));
        agree("z[1;m] z[2;m] z[3;m]",
              over_weights([&](auto m) { return net().d(0, m) * net().d(1, m) * net().d(2, m); }));
        agree("z[i;m,n]^2", over_outputs([&](auto i) {
                  return over_weights(
                      [&](auto m) { return over_weights([&](auto n) { return std::pow(net().dd(i, m, n), 2); }); });
              }));
        agree("z[2;m,n] z[2;n,k] z[2;k,m]", over_weights([&](auto m) {
                  return over_weights([&](auto n) {
                      return over_weights(
                          [&](auto k) { return net().dd(1, m, n) * net().dd(1, n, k) * net().dd(1, k, m); });
                  });
              }));
        CHECK(net().query("z[i;m,m] z[i]") == 0);
        CHECK(net().query("z{0}[i;m]^2") == 0);
    }

    TEST_CASE("restrictions: one place, ranges, and a range of one edge") {
        auto const over = [](std::size_t first, std::size_t last) {
            return over_outputs([&](auto i) {
                return over_weights([&](auto m) {
                    return net().edge(m) < first || net().edge(m) > last ? 0 : net().d(i, m) * net().d(i, m);
                });
            });
        };
        agree("z[i;m]^2 where m in 1", over(0, 0));
        agree("z[i;m]^2 where m in 2..3", over(1, 2));
        agree("z[i;m]^2 where m in 1 .. 3", over(0, 2));
        agree("z[i;m]^2 z[i;n]^2 where m in 1, n in 3", over_outputs([&](auto i) {
                  double first = 0;
                  double last = 0;
                  for (std::size_t m = 0; m < net().count; ++m) {
                      if (net().edge(m) == 0) first += net().factor[m] * net().d(i, m) * net().d(i, m);
                      if (net().edge(m) == 2) last += net().factor[m] * net().d(i, m) * net().d(i, m);
                  }
                  return first * last;
              }));
        agree("z[1;m,n]^2 where n in 2", over_weights([&](auto m) {
                  return over_weights([&](auto n) { return net().edge(n) == 1 ? std::pow(net().dd(0, m, n), 2) : 0; });
              }));
        // By hand: dz^1_i / dW_ij = x_j, three times |x|^2 = 1.7, the factor of edge 1 is 1.
        agree("z{1}[i;m]^2 where m in 1", 3 * 1.7);
        agree("z{1}[i;m]^2", 3 * 1.7);
    }

    TEST_CASE("derivatives of losses and of brackets, by the product rule") {
        double slope = 0;
        double curvature = 0;
        double frobenius = 0;
        slope = over_weights([&](auto m) { return std::pow(net().loss(m), 2); });
        curvature = over_weights([&](auto m) {
            return over_weights([&](auto n) { return net().loss(m) * net().loss(m, n) * net().loss(n); });
        });
        frobenius =
            over_weights([&](auto m) { return over_weights([&](auto n) { return std::pow(net().loss(m, n), 2); }); });
        agree("(D[m] loss)^2", slope);
        agree("-(D[m] loss)^2", -slope);
        agree("(D[m] loss)(D[m,n] loss)(D[n] loss)", curvature);
        agree("(D[m,n] loss)^2", frobenius);
        agree("((D[m,n] loss)^2)^2", frobenius * frobenius);
        agree("D[m,n] loss D[n,m] loss", frobenius);
        agree("(D[m] D[n] loss)^2", frobenius);
        agree("(D[m] (D[n] loss))^2", frobenius);
        agree("(D[m] D[n] (z[i]^2/2 - y[i] z[i]))^2", frobenius);
        agree("(D[m,n] (1/2 (z[i] - y[i]) (z[i] - y[i])))^2", frobenius);
        agree("(D[m] (w[i] z[i]))^2", over_weights([&](auto m) {
                  return std::pow(0.5 * net().d(0, m) - 2 * net().d(1, m) + 3 * net().d(2, m), 2);
              }));
        agree("z[1;m] D[m] (z[i]^3)", over_weights([&](auto m) {
                  return net().d(0, m) *
                         over_outputs([&](auto i) { return 3 * std::pow(net().z[i], 2) * net().d(i, m); });
              }));
        agree("z[1;m] D[m] ((z[i]^2)^3)", over_weights([&](auto m) {
                  double const norm = over_outputs([&](auto i) { return std::pow(net().z[i], 2); });
                  return net().d(0, m) * 3 * norm * norm *
                         over_outputs([&](auto i) { return 2 * net().z[i] * net().d(i, m); });
              }));
        // The m inside is summed there; the one of D is another.
        agree("z[1;m] D[m] (z[2;m]^2)", over_weights([&](auto m) {
                  return net().d(0, m) * over_weights([&](auto n) { return 2 * net().d(1, n) * net().dd(1, n, m); });
              }));
        // The m inside is free and meets the one of D and a third outside.
        agree("z[1;m] D[m] (z[2;m] z[3])",
              over_weights([&](auto m) { return net().d(0, m) * net().d(1, m) * net().d(2, m); }));
        agree("D[m] (z[2;m] z[3])", over_weights([&](auto m) { return net().d(1, m) * net().d(2, m); }));
        agree("D[m] z[1] D[m] z[2]", over_weights([&](auto m) { return net().d(0, m) * net().d(1, m); }));
        agree("D[m] z[1;n] z[2;m,n]", over_weights([&](auto m) {
                  return over_weights([&](auto n) { return net().dd(0, m, n) * net().dd(1, m, n); });
              }));
        CHECK(net().query("D[m] y[1] D[m] z[1]") == 0);
        CHECK(net().query("(D[m] (y[i]^2 + 3))^2") == 0);
    }

    TEST_CASE("a bracket whose terms have different free letters is multiplied out") {
        auto const& z = net().z;
        double const w[] = {0.5, -2, 3};
        double const norm = over_outputs([&](auto i) { return z[i] * z[i]; });
        agree("(z[i]^2 + w[i]) z[i]^2", norm * norm + over_outputs([&](auto i) { return w[i] * z[i] * z[i]; }));
        agree("(t + w[i])^2 z[i]^2", over_outputs([&](auto i) { return std::pow(1.5 + w[i], 2) * z[i] * z[i]; }));
        agree("((t + w[i]) w[i]) z[i]^2", 1.5 * over_outputs([&](auto i) { return w[i] * z[i] * z[i]; }) +
                                              over_outputs([&](auto i) { return w[i] * w[i]; }) * norm);
        agree(
            "(t + w[i] + w[j])^3 z[i]^2 z[j]^2", over_outputs([&](auto i) {
                return over_outputs([&](auto j) { return std::pow(1.5 + w[i] + w[j], 3) * z[i] * z[i] * z[j] * z[j]; });
            }));
        CHECK(net().query("(1 + 2 + 3)^5") == 7776);
        CHECK(net().query("((((((z[1])^99)^99)^99)^99)^99)^0") == 1);
        CHECK(net().query("((((((z[1] - z[1] + 1)^99)^99)^99)^99)^99)^99") == 1);
        CHECK_THROWS_AS((void)net().query("(t + w[i]) z[i]"), DomainError);
        CHECK_THROWS_AS((void)net().query("(t + w[i])^2"), DomainError);
    }

    TEST_CASE("several inputs are several passes through one network") {
        double const cross = net().query("z[i] z[i]@a");
        double const sum = net().query("(z[i] + z[i]@a)^2");
        CHECK(sum == doctest::Approx(net().query("z[i]^2") + 2 * cross + net().query("z[i]@a^2")));
        CHECK(net().query("h{0}[1]@a") == 0.2);
        CHECK(net().query("(z[i;m] z[i;m]@a) - (z[i;m]@a z[i;m])") == 0);
        CHECK(net().query("z[i;m] z[i;m]@a") != 0);
    }

    TEST_CASE("what is wrong is named") {
        auto const says = [](std::string const& text, std::string const& words) {
            CAPTURE(text);
            try {
                (void)net().query(text);
                FAIL("accepted");
            } catch (DomainError const& error) {
                CAPTURE(error.what());
                CHECK(std::string(error.what()).find(words) != std::string::npos);
            }
        };
        says("z[i]", "'i'");
        says("z[1;m]", "'m'");
        says("z[i;m]^2 z[j]", "'j'");
        says("(z[i]^2) z[i]", "'i'");
        says("D[m] y[1]", "'m'");
        says("z", "3 neurons");
        says("y^2", "3 neurons");
        says("z[4]", "no neuron 4");
        says("z[i] u[i]", "'i' runs over");
        says("v[i] z[i]", "vector v");
        says("w[i,j] z[i] z[j]", "matrix w");
        says("s z[1]", "parameter s");
        says("z{7}[1]", "node '7'");
        says("z[1]@b", "@b");
        says("z[i;m]^2 where m in 4", "'4'");
        says("z[i;m]^2 where m in 1..x", "'x'");
        says("z[i;m]^2 where m in 3..1", "empty");
        says("z[i;m]^2 where m in 1, m in 2", "twice");
        CHECK_THROWS_AS((void)net().query("loss^3"), UnsupportedError);
        CHECK_THROWS_AS((void)net().query("z[1;a,b,c,d,e]^2"), UnsupportedError);
        CHECK_THROWS_AS((void)net().query("(1+t+w[i]+w[j]+w[k]+w[l])^20"), UnsupportedError);
    }
}
