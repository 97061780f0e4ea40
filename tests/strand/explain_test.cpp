// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "graphs.hpp"

// The steps that --explain prints, by hand.

namespace {

using namespace graphs;
using F = RationalFunction;
using Lines = std::vector<std::string>;

RecursionTrace traced(std::string const& text, Net const& net, std::vector<Rational> const& x) {
    RecursionTrace out;
    (void)engine(text, net, at_input(x), {.explain = true, .trace = &out});
    return out;
}

RecursionTrace traced(std::string const& text, Graph<F, Exponent> const& net) {
    RecursionTrace out;
    ObservableSetting<F> setting;
    setting.inputs.squared_norm = F(1);
    setting.inputs.fourth = F(1);
    (void)expectation(parse_query(text), net, setting, {.explain = true, .trace = &out});
    return out;
}

}  // namespace

TEST_SUITE("strand/explain") {
    // 2,3,2 with ReLU: W1 has the variance 1 and W2 2/3; a gate is open half the time.
    TEST_CASE("the transitions of a chain") {
        auto const net = vanilla<Rational>({2, 3, 2});
        // Two neurons times 2/3; three times 1/2 times 1.
        auto const square = traced("z[i]^2", net, {1, 2});
        CHECK(square.lines == Lines{"strands a, b, .. of z[i] z[i]:",
                                    "  node 2, from what is tied above to what is tied below:", "    ab ->  ab: 4/3",
                                    "  node 1, from what is tied above to what is tied below:", "    ab ->  ab: 3/2"});
        CHECK(square.transitions == 2);
        CHECK(square.orthogonal_pairs == 0);
        CHECK(square.least_repeats == 0);
        // The label takes the place of a variance.
        auto const kernel = traced("z[i;m]^2", net, {1, 2});
        CHECK(kernel.lines ==
              Lines{"strands a, b, .. of z[i;m1] z[i;m1]:", "  node 2, from what is tied above to what is tied below:",
                    "    ab ->  ab: 4/3;  ab m1: 2", "  node 1, from what is tied above to what is tied below:",
                    "    ab ->  ab m1: 3/2", "    ab m1 ->  ab m1: 3/2"});
        CHECK(kernel.transitions == 4);
        // Three pairings of one neuron's four weights, times two neurons, times 4/9. Then 3 * 2 pairs of neurons, both open
        // in 1/4, and 3 neurons open in 1/2 with three pairings.
        CHECK(traced("z[i]^4", net, {1, 2}).lines[2] == "    abcd ->  ab|cd: 8/3");
        CHECK(traced("z[i]^4", net, {1, 2}).lines[4] == "    ab|cd ->  ab|cd: 6");
        // W2[1,j]^2 h_j^2 and z_1^2: any of three neurons j open in 1/2; at j = 1 two more pairings.
        auto const fixed = traced("J[1,1]^2 z{1}[1]^2", net, {1, 2});
        CHECK(fixed.lines[0] == "strands a, b, .. of J[1,1] J[1,1] z[1] z[1]:");
        CHECK(fixed.lines[2] == "    ab|cd ->  ab|cd: 2/3");
        CHECK(fixed.lines[4] == "    ab|cd ->  ab|cd: 3/2;  ac|bd: 1");
        // sum_ij W_ij^2 is 6 beside 3/2 |x|^2, and two more pairings of each open row are 3 |x|^2; entries end here.
        CHECK(traced("norm2(W1) z[i]^2", net, {1, 2}).lines.back() == "    ab|cd ->  cd: 12");
    }

    // E tr(W)^2 for W of variance 1: both rows are one, and the two entries of the diagonal are counted at the input.
    TEST_CASE("ends of Jacobians have no name of their own") {
        auto const trace = traced("tr(J)^2", vanilla<Rational>({2, 2}), {1, 2});
        CHECK(trace.lines == Lines{"strands a, b, .. of J[i,i] J[j,j]:",
                                   "  node 1, from what is tied above to what is tied below:", "    a|b ->  ab: 1"});
    }

    TEST_CASE("a word of matrices has transitions where they are asked for") {
        RecursionTrace out;
        (void)engine("norm2(J)", vanilla<Rational>({2, 2}, {.slope = 1}), at_input({1, 2}),
                     {.explain = true, .trace = &out, .least_word_steps = 0});
        CHECK(out.lines.size() == 3);
    }

    TEST_CASE("transitions of floating-point numbers") {
        ObservableSetting<double> setting;
        setting.inputs.squared_norm = 5.0;
        RecursionTrace trace;
        (void)expectation(parse_query("z[i]^2"), vanilla<double>({2, 3, 2}), setting,
                          {.explain = true, .trace = &trace});
        REQUIRE(trace.lines.size() == 5);
        CHECK(trace.lines[4] == "    ab ->  ab: 1.500000");
    }

    TEST_CASE("lines are told where they are asked for") {
        RecursionTrace trace;
        (void)engine("z[i]^2", vanilla<Rational>({2, 3, 2}), at_input({1, 2}), {.trace = &trace});
        CHECK(trace.lines.empty());
        CHECK(trace.states > 0);
        // Without a place for them there are none.
        CHECK(engine("z[i]^2", vanilla<Rational>({2, 3, 2}), at_input({1, 2}), {.explain = true}) == 10);
        auto const net = repeated<F, Exponent>(F(2), F(2), Exponent::symbol("L"), F(1));
        ObservableSetting<F> setting;
        setting.inputs.squared_norm = F(1);
        CHECK(expectation(parse_query("z[i]^2"), net, setting, {.explain = true}).formula() == F(1));
    }

    // n,n:L,1 with ReLU, variances 2/n: n neurons, half of them open, keep |h|^2, and a label takes the place of 2/n. For
    // |h|^4: n (n - 1) pairs of neurons both open in 1/4, and n neurons open in 1/2 with three pairings, times 4/n^2.
    TEST_CASE("the transfer of a repeated block and its eigenvalues") {
        F const n = F::symbol("n");
        auto const net = repeated<F, Exponent>(n, n, Exponent::symbol("L"), F(1));
        std::string const tied = ", from what is tied above to what is tied below:";
        CHECK(traced("z[i]^2", net).lines ==
              Lines{"strands a, b, .. of z[1] z[1]:", "  node L + 1" + tied, "    ab ->  ab: 2/n", "  node 2" + tied,
                    "    ab ->  ab: 1", "repeated block at 2, transfer between states (rows to columns):",
                    "  ab ->  ab: 1", "  eigenvalues: 1", "  node 1" + tied, "    ab ->  ab: 1"});
        auto const kernel = traced("z[i;m]^2", net);
        CHECK(Lines(kernel.lines.begin() + 2, kernel.lines.begin() + 9) ==
              Lines{"    ab ->  ab: 2/n;  ab m1: 1", "  node 2" + tied, "    ab ->  ab: 1;  ab m1: n/2",
                    "repeated block at 2, transfer between states (rows to columns):", "  ab ->  ab: 1;  ab m1: n/2",
                    "  ab m1 ->  ab m1: 1", "  eigenvalues: 1, 1"});
        auto const fourth = traced("(z[i]^2)^2", net);
        CHECK(fourth.lines[2] == "    abcd ->  ab|cd: 12/n^2");
        CHECK(fourth.lines[7] == "  eigenvalues: (n + 5)/n");
        CHECK(fourth.least_repeats == 0);
    }

    TEST_CASE("a long explanation ends") {
        auto const trace = traced("z[i]^2", vanilla<Rational>(std::vector<Rational>(150, Rational(1))), {1});
        CHECK(trace.lines.size() > 200);
        CHECK(trace.lines.size() < 210);
        CHECK(trace.lines.back() == "    ab ->  ab: 1");
    }
}
