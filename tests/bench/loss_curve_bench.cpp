// SPDX-License-Identifier: MIT
// T3: the expected curvature of [Hettinger 2019, Thm 4.19] on square widths r^2, proportional scheme, s = 4 samples,
// one output.
#include <benchmark/benchmark.h>

#include <isserlis/formula/loss_curve_linear.hpp>
#include <isserlis/formula/loss_curve_squared.hpp>
#include <isserlis/ring/members.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "check_value.hpp"

namespace {

using namespace isserlis;

/// 1, r^2 .. , 1 with r from 2 to 30.
std::vector<int> widths(std::int64_t depth) {
    std::vector<int> out{1};
    for (std::int64_t l = 1; l < depth; ++l) {
        int const r = 2 + static_cast<int>((31 * l * l + 17 * l + 7) % 29);
        out.push_back(r * r);
    }
    out.push_back(1);
    return out;
}

template <class R>
std::vector<LayerRun<R, std::uint64_t>> layers(std::vector<int> const& d) {
    std::vector<LayerRun<R, std::uint64_t>> out;
    for (std::size_t q = 1; q < d.size(); ++q) {
        int const root = static_cast<int>(std::lround(std::sqrt(d[q - 1]) * std::sqrt(d[q])));
        out.push_back({.fan_in = R(d[q - 1]), .fan_out = R(d[q]), .count = 1, .variance = R(1) / R(root)});
    }
    return out;
}

template <class R>
GradientMoments<R> data() {
    auto const out = gradient_moments<Rational>({{1}, {2}, {-1}, {3}}, {{1}, {-2}, {1}, {2}}, {{{2}}});
    if constexpr (std::is_same_v<R, double>) {
        return {.trace = out.trace.convert_to<double>(),
                .q1 = out.q1.convert_to<double>(),
                .q2 = out.q2.convert_to<double>(),
                .q3 = out.q3.convert_to<double>(),
                .q4 = out.q4.convert_to<double>()};
    } else {
        return converted<R>(out);
    }
}

/// The coefficient of X_1a Z_bn in the bracket of Theorem 4.19, from phi = (2p + m)/3 and psi = (p - m)/3.
template <class R>
std::array<std::array<R, 2>, 2> bracket(GradientMoments<R> const& q) {
    R const third = R(1) / R(3);
    std::array<R, 2> const phi{R(2) * third, third};
    std::array<R, 2> const psi{third, R(0) - third};
    std::array<std::array<R, 2>, 2> out;
    for (std::size_t x = 0; x < 2; ++x) {
        for (std::size_t z = 0; z < 2; ++z)
            out[x][z] = phi[x] * (phi[z] * q.q1 + psi[z] * q.q2) + psi[x] * (phi[z] * q.q3 + psi[z] * q.q4);
    }
    return out;
}

/// The same O(n) sweep with running sums in R, as one would write it by hand.
template <class R>
R sweep(std::vector<LayerRun<R, std::uint64_t>> const& net, GradientMoments<R> const& q) {
    auto const weights = bracket(q);
    std::array<R, 2> prefix{R(1), R(1)};
    std::array<std::array<R, 2>, 2> one{};
    std::array<std::array<R, 2>, 2> total{};
    R kappa = R(1) / net.back().fan_out;
    for (auto const& run : net) kappa *= run.variance * run.fan_out;
    for (std::size_t l = 0; l < net.size(); ++l) {
        R const u = kappa / net[l].variance;
        std::array<R, 2> const width = l + 1 == net.size() ? std::array<R, 2>{R(1), R(1)}
                                                           : std::array<R, 2>{R((net[l].fan_out + 2) / net[l].fan_out),
                                                                              R((net[l].fan_out - 1) / net[l].fan_out)};
        for (std::size_t x = 0; x < 2; ++x) {
            R const both = u * (R(2) * (one[x][0] + R(2) * one[x][1]) / R(3) + u * prefix[x]);
            for (std::size_t z = 0; z < 2; ++z) {
                total[x][z] = (total[x][z] + both) * width[z];
                one[x][z] = (one[x][z] + u * prefix[x]) * width[z];
            }
        }
        for (std::size_t x = 0; x < 2; ++x) prefix[x] *= width[x];
    }
    R sum(0);
    for (std::size_t x = 0; x < 2; ++x) {
        for (std::size_t z = 0; z < 2; ++z) sum += weights[x][z] * total[x][z];
    }
    return sum;
}

/// The double sum over i and j, products from prefixes.
double double_sum(std::vector<LayerRun<double, std::uint64_t>> const& net, GradientMoments<double> const& q) {
    std::size_t const n = net.size();
    double kappa = 1 / net.back().fan_out;
    for (auto const& run : net) kappa *= run.variance * run.fan_out;
    std::vector<double> p{1};
    std::vector<double> m{1};
    for (std::size_t l = 0; l + 1 < n; ++l) {
        p.push_back(p.back() * (1 + 2 / net[l].fan_out));
        m.push_back(m.back() * (1 - 1 / net[l].fan_out));
    }
    auto phi = [](double x, double y) { return (2 * x + y) / 3; };
    auto psi = [](double x, double y) { return (x - y) / 3; };
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            std::size_t const a = std::min(i, j);
            std::size_t const b = std::max(i, j);
            double const p_in = p[b] / p[a];
            double const m_in = m[b] / m[a];
            double const p_out = p[n - 1] / p[b];
            double const m_out = m[n - 1] / m[b];
            sum += kappa / net[i].variance * kappa / net[j].variance * (p_in + 2 * m_in) / 3 *
                   (phi(p[a], m[a]) * (phi(p_out, m_out) * q.q1 + psi(p_out, m_out) * q.q2) +
                    psi(p[a], m[a]) * (phi(p_out, m_out) * q.q3 + psi(p_out, m_out) * q.q4));
        }
    }
    return sum;
}

void exact(benchmark::State& state) {
    auto const net = layers<Surd>(widths(state.range(0)));
    auto const q = data<Surd>();
    Surd value;
    for (auto _ : state) benchmark::DoNotOptimize(value = linear_loss_curve(net, q).curvature);
    bench::set_check(state, bench::residue(value.to_rational()));
}
void rational_sweep(benchmark::State& state) {
    auto const net = layers<Rational>(widths(state.range(0)));
    auto const q = data<Rational>();
    Rational value;
    for (auto _ : state) benchmark::DoNotOptimize(value = sweep(net, q));
    bench::set_check(state, bench::residue(value));
}
void exact_squared_error(benchmark::State& state) {
    auto const net = layers<Surd>(widths(state.range(0)));
    auto const q = converted<Surd>(target_moments<Rational>({{1}, {2}, {-1}, {3}}, {{1}, {-2}, {1}, {2}}));
    Surd value;
    for (auto _ : state) benchmark::DoNotOptimize(value = squared_loss_curve(net, q).curvature());
    bench::set_check(state, bench::residue(value.to_rational()));
}
void doubles(benchmark::State& state) {
    auto const net = layers<double>(widths(state.range(0)));
    auto const q = data<double>();
    double value = 0;
    for (auto _ : state) benchmark::DoNotOptimize(value = linear_loss_curve(net, q).curvature);
}
void doubles_double_sum(benchmark::State& state) {
    auto const net = layers<double>(widths(state.range(0)));
    auto const q = data<double>();
    double value = 0;
    for (auto _ : state) benchmark::DoNotOptimize(value = double_sum(net, q));
    double const ours = linear_loss_curve(net, q).curvature;
    bench::require(std::abs(value - ours) < 1e-9 * std::abs(ours), "the double sum is the sweep");
}
/// 5000 layers by argument samples of 10 inputs and 3 outputs: the data alone.
void samples(benchmark::State& state) {
    std::mt19937 engine(1);
    std::normal_distribution<double> normal;
    Rows<double> x(static_cast<std::size_t>(state.range(0)), std::vector<double>(10));
    Rows<double> g(x.size(), std::vector<double>(3));
    for (auto& row : x) {
        for (auto& v : row) v = normal(engine);
    }
    for (auto& row : g) {
        for (auto& v : row) v = normal(engine);
    }
    Rows<double> const h{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
    for (auto _ : state) benchmark::DoNotOptimize(gradient_moments<double>(x, g, {h}));
}

}  // namespace

BENCHMARK(exact)->Name("T3 curvature/isserlis")->ArgName("depth")->Arg(1000)->Arg(5000)->Arg(10000);
BENCHMARK(rational_sweep)->Name("T3 curvature/boost mpq sweep")->ArgName("depth")->Arg(1000);
BENCHMARK(rational_sweep)->Name("T3 curvature/boost mpq sweep")->ArgName("depth")->Arg(5000)->Iterations(1);
BENCHMARK(exact_squared_error)->Name("T3 squared/isserlis")->ArgName("depth")->Arg(1000)->Arg(5000);
BENCHMARK(doubles)->Name("T3 double/isserlis")->ArgName("depth")->Arg(1000)->Arg(10000);
BENCHMARK(doubles_double_sum)->Name("T3 double/n x n")->ArgName("depth")->Arg(1000);
BENCHMARK(samples)->Name("T3 samples/isserlis")->ArgName("samples")->Arg(1000)->Arg(10000);
