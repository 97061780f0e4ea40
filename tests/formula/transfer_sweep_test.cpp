// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/transfer_sweep.hpp>

#include <vector>

#include "jacobian_networks.hpp"

using namespace isserlis;
using isserlis::testing::AnyNetwork;

namespace {

/// A carried state as numbers.
template <class N>
TransferState<typename N::Value> numbers(CarriedState<N> const& state) {
    auto whole = state.extra;
    whole.multiply(state.mean);
    whole.multiply(state.mean);
    return {.mean = N::divided(state.numerators.mean, state.mean),
            .squared = N::divided(state.numerators.squared, whole),
            .crossed = N::divided(state.numerators.crossed, whole),
            .diagonal = N::divided(state.numerators.diagonal, whole)};
}

template <class N, class F>
void agrees_with_single_moves(F const& convert, std::uint64_t repeats) {
    using R = typename N::Value;
    AnyNetwork any(3);
    for (int round = 0; round < 10; ++round) {
        std::vector<TransferMove<R>> moves;
        for (int i = 0; i < 4; ++i) {
            auto const layer = weight_move<R>(R(any.any(1, 4)), convert(any.variance()), convert(any.variance()));
            moves.push_back(gate_move(Gate<R>{R(1), convert(ratio(any.any(0, 2), 2))}) * layer);
        }
        auto plain = input_state<R>(convert(ratio(3, 2)), convert(ratio(5, 7)));
        auto const start = carried<N>(plain);
        CHECK(numbers<N>(start) == plain);
        std::vector<CarriedMove<N>> carriers;
        for (auto const& m : moves) carriers.push_back(carried<N>(m));
        std::vector<TransferStep<N>> steps;
        for (auto const& m : carriers) steps.push_back({.move = &m, .count = repeats});
        for (auto const& m : moves) {
            for (std::uint64_t i = 0; i < repeats; ++i) plain = m * plain;
        }
        CHECK(numbers<N>(after<N>(steps, start)) == plain);
    }
}

}  // namespace

TEST_SUITE("formula/transfer_sweep") {
    // The expected values are the moves of transfer_moves.hpp, applied one by one in the field itself.
    TEST_CASE("numerators over known denominators give the same states, by steps and by trees") {
        auto const same = [](Rational const& x) { return x; };
        agrees_with_single_moves<Fractions<Rational>>(same, 1);
        agrees_with_single_moves<Fractions<Rational>>(same, 7);
        auto const surd = [](Rational const& x) { return Surd(x) * sqrt(Surd(2)); };
        agrees_with_single_moves<Fractions<Surd>>(surd, 2);
        auto const formula = [](Rational const& x) { return RationalFunction(x) / RationalFunction::symbol("n"); };
        agrees_with_single_moves<Fractions<RationalFunction>>(formula, 1);
    }

    TEST_CASE("no steps leave the state alone") {
        auto const start = carried<Fractions<Rational>>(input_state<Rational>(ratio(1, 3), 1));
        std::vector<TransferStep<Fractions<Rational>>> const none;
        CHECK(numbers<Fractions<Rational>>(after<Fractions<Rational>>(none, start)) ==
              input_state<Rational>(ratio(1, 3), 1));
    }

    // A product of more denominators than are cancelled one by one.
    TEST_CASE("many different denominators are divided by once") {
        std::vector<CarriedMove<Fractions<Rational>>> carriers;
        auto plain = input_state<Rational>(1, 1);
        for (int i = 1; i <= 40; ++i) {
            auto const move = weight_move<Rational>(2, ratio(1, i), 3);
            carriers.push_back(carried<Fractions<Rational>>(move));
            plain = move * plain;
        }
        std::vector<TransferStep<Fractions<Rational>>> steps;
        for (auto const& m : carriers) steps.push_back({.move = &m});
        auto const start = carried<Fractions<Rational>>(input_state<Rational>(1, 1));
        CHECK(numbers<Fractions<Rational>>(after<Fractions<Rational>>(steps, start)) == plain);
    }
}
