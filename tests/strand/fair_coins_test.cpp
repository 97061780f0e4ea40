// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>

#include <vector>

#include "graphs.hpp"
#include "oracle.hpp"

// Gates as fair coins [Hanin 2018, Thm 3], on networks that have real gates.

namespace {

using namespace graphs;
using oracle::d;
using oracle::Model;
using oracle::sum_outputs;
using oracle::sum_weights;
using oracle::WeightPolynomial;

}  // namespace

TEST_SUITE("strand/fair_coins") {
    // All networks whose weights are plus or minus a number of
    // their own, so that no pre-activation is 0.
    TEST_CASE("gates of real ReLU networks act as fair coins") {
        struct Network {
            Net net;
            std::vector<int> x;
            Rational slope;
        };
        std::vector<Network> const networks = {
            {vanilla<Rational>({2, 2, 1}), {1, 2}, 0},
            {vanilla<Rational>({1, 2, 2, 1}), {1}, 0},
            {vanilla<Rational>({2, 2, 2}, {.slope = ratio(-1, 3)}), {1, 2}, ratio(-1, 3)},
            {residual<Rational, std::uint64_t>(1, 2, 2, 2, 1), {1}, 0},
            {densely_connected(1, {2, 1}, 1), {1}, 0},
            {biased(vanilla<Rational>({1, 2, 1, 1}), Rational(1)), {1}, 0},
            {biased(vanilla<Rational>({1, 1, 2}, {.slope = ratio(1, 2)}), Rational(1)), {1}, ratio(1, 2)},
        };
        int served = 0;
        for (auto const& [net, x, slope] : networks) {
            Model model(net, {x});
            std::vector<std::vector<int>> atoms;
            int next = 1;
            for (std::size_t k = 0; k < model.weights().size() + model.biases().size(); ++k) {
                atoms.push_back({-next, next});
                next = next * 2 + (k % 3 == 0 ? 1 : 0);
            }
            model.set_atoms(atoms);
            auto check = [&](WeightPolynomial const& p) {
                REQUIRE(!model.needs_absolute_moments(p));
                CHECK(model.mean(p) == model.mean_over_real_networks(p, slope));
                ++served;
            };
            auto const z2 = oracle::squared_norm(model);
            auto const ntk = oracle::trace_of_kernel(model);
            check(z2);
            check(z2 * z2);
            check(ntk);
            check(ntk * z2);
            check(sum_weights(model, [&](auto const& a) {
                return sum_weights(model, [&](auto const& b) { return power(d(d(z2, a), b), 2); });
            }));
            check(sum_weights(model, [&](auto const& a) {
                return sum_weights(model, [&](auto const& b) { return d(z2, a) * d(d(z2, a), b) * d(z2, b); });
            }));
        }
        CHECK(served == 42);
    }
}
