// SPDX-License-Identifier: MIT
// T1: the five moments of a product of matrices with E a^4 = 9/5 [Hettinger 2019, Lemma A.6], inner widths
// 2 + (31 r^2 + 17 r + 7) mod 999, depth 10 to 10^5.
#include <boost/multiprecision/gmp.hpp>

#include "check_value.hpp"

namespace {

using namespace isserlis;
using boost::multiprecision::mpq_rational;

std::uint64_t width(std::uint64_t r) { return 2 + (31 * r * r + 17 * r + 7) % 999; }

ProductMoments<Rational> by_the_library(std::vector<ProductStep<Rational>> const& steps) {
    return product_moments<Rational>(ratio(9, 5), std::span<ProductStep<Rational> const>(steps));
}

std::vector<ProductStep<Rational>> steps_of(std::uint64_t depth) {
    std::vector<ProductStep<Rational>> out;
    for (std::uint64_t r = 1; r < depth; ++r) out.push_back({.inner_width = width(r), .fourth_moment = ratio(9, 5)});
    return out;
}

/// The recursion as printed, over a type that takes a gcd for each operation.
std::array<mpq_rational, 5> as_printed(std::uint64_t depth) {
    mpq_rational const rho_1 = mpq_rational(9) / 5;
    mpq_rational rho = rho_1;
    mpq_rational gamma = 1;
    mpq_rational nu = 1;
    mpq_rational tau = 1;
    mpq_rational eta = 0;
    for (std::uint64_t r = 1; r < depth; ++r) {
        mpq_rational const m = width(r);
        mpq_rational const mm = m * (m - 1);
        mpq_rational const next_rho = m * rho_1 * rho + 3 * mm * gamma;
        mpq_rational const next_nu = m * rho_1 * nu + mm * tau + 2 * mm * eta;
        gamma = m * rho + mm * gamma;
        tau = m * nu + mm * tau;
        eta = m * nu + mm * eta;
        rho = next_rho;
        nu = next_nu;
    }
    return {rho, gamma, nu, tau, eta};
}

/// The same times 5^depth (rho) and 5^(depth - 1) (the others): no gcd, but the operands grow one step at a time.
std::array<Integer, 5> over_known_denominators(std::uint64_t depth) {
    Integer rho = 9;
    Integer gamma = 1;
    Integer nu = 1;
    Integer tau = 1;
    Integer eta = 0;
    for (std::uint64_t r = 1; r < depth; ++r) {
        std::uint64_t const m = width(r);
        std::uint64_t const k = m - 1;
        Integer next_rho = (rho * 9 + gamma * (75 * k)) * m;
        Integer next_nu = (nu * 9 + (tau + eta * 2) * (5 * k)) * m;
        gamma = (rho + gamma * (5 * k)) * m;
        tau = (nu + tau * k) * (5 * m);
        eta = (nu + eta * k) * (5 * m);
        rho = std::move(next_rho);
        nu = std::move(next_nu);
    }
    return {rho, gamma, nu, tau, eta};
}

/// rho + 2 gamma + 3 nu + 4 tau + 5 eta modulo the prime, by the printed recursion in residues: right at any depth.
Integer expected_residue(std::uint64_t depth) {
    Integer const& p = bench::prime();
    Integer const rho_1 = bench::residue(ratio(9, 5));
    std::array<Integer, 5> x{rho_1, 1, 1, 1, 0};
    for (std::uint64_t r = 1; r < depth; ++r) {
        Integer const m = width(r);
        Integer const mm = m * (m - 1);
        x = {(m * rho_1 * x[0] + 3 * mm * x[1]) % p, (m * x[0] + mm * x[1]) % p,
             (m * rho_1 * x[2] + mm * (x[3] + 2 * x[4])) % p, (m * x[2] + mm * x[3]) % p, (m * x[2] + mm * x[4]) % p};
    }
    return (x[0] + 2 * x[1] + 3 * x[2] + 4 * x[3] + 5 * x[4]) % p;
}

std::uint64_t depth_of(benchmark::State const& state) { return static_cast<std::uint64_t>(state.range(0)); }

void library(benchmark::State& state) {
    auto const steps = steps_of(depth_of(state));
    ProductMoments<Rational> out;
    for (auto _ : state) benchmark::DoNotOptimize(out = by_the_library(steps));
    bench::require(bench::residue(out) == expected_residue(depth_of(state)),
                   "product_moments is the printed recursion");
    bench::set_check(state, bench::residue(out));
}

void boost_rational(benchmark::State& state) {
    std::array<mpq_rational, 5> out;
    for (auto _ : state) benchmark::DoNotOptimize(out = as_printed(depth_of(state)));
    auto const ours = by_the_library(steps_of(depth_of(state)));
    bool const equal = ours.rho == Rational(out[0]) && ours.gamma == Rational(out[1]) && ours.nu == Rational(out[2]) &&
                       ours.tau == Rational(out[3]) && ours.eta == Rational(out[4]);
    bench::require(equal, "product_moments equals the recursion over mpq_rational");
    bench::set_check(state, bench::residue(ours));
}

void integer_loop(benchmark::State& state) {
    std::array<Integer, 5> out;
    for (auto _ : state) benchmark::DoNotOptimize(out = over_known_denominators(depth_of(state)));
    auto const ours = by_the_library(steps_of(depth_of(state)));
    Integer const den = power(Integer(5), depth_of(state) - 1);
    bool const equal = ours.rho == ratio(out[0], Integer(5 * den)) && ours.gamma == ratio(out[1], den) &&
                       ours.nu == ratio(out[2], den) && ours.tau == ratio(out[3], den) &&
                       ours.eta == ratio(out[4], den);
    bench::require(equal, "product_moments equals the integer loop");
    bench::set_check(state, bench::residue(ours));
}

}  // namespace

BENCHMARK(library)->Name("T1/isserlis")->ArgName("depth")->RangeMultiplier(10)->Range(10, 100'000);
BENCHMARK(boost_rational)->Name("T1/boost mpq_rational")->ArgName("depth")->RangeMultiplier(10)->Range(10, 1000);
BENCHMARK(boost_rational)->Name("T1/boost mpq_rational")->ArgName("depth")->Arg(10'000)->Iterations(1);
BENCHMARK(integer_loop)->Name("T1/integer loop")->ArgName("depth")->RangeMultiplier(10)->Range(10, 10'000);
