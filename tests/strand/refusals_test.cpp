// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>

#include <string>

#include "graphs.hpp"

// What is no finite sum of strands is refused, with the strand and the node at which it fails; never a wrong number.

namespace {

using namespace graphs;

std::string refusal(std::string const& text, Net const& net, ObservableSetting<Rational> const& setting) {
    try {
        Rational const value = engine(text, net, setting);
        return "no refusal, but " + to_string(value);
    } catch (UnsupportedError const& e) {
        return e.what();
    }
}
std::string mistake(std::string const& text, Net const& net, ObservableSetting<Rational> const& setting) {
    try {
        Rational const value = engine(text, net, setting);
        return "no mistake, but " + to_string(value);
    } catch (DomainError const& e) {
        return e.what();
    }
}

/// Checks that a text has all the parts.
void says(std::string const& text, std::vector<std::string> const& parts) {
    for (auto const& part : parts) {
        CAPTURE(text);
        CAPTURE(part);
        CHECK(text.find(part) != std::string::npos);
    }
}

ObservableSetting<Rational> two_inputs() {
    ObservableSetting<Rational> out;
    out.inputs.names = {"a", "b"};
    out.inputs.vectors = {{1, 2}, {3, -1}};
    return out;
}

}  // namespace

TEST_SUITE("strand/refusals") {
    // E relu(z) = sqrt(c |x|^2 / (2 pi)).
    // Weights w_a of variance 2 into two neurons, then rows W_1, W_2 of variance 1, at x = 1: the sum over a of
    // E W_1a^2 W_2a^2 E[w_a^2; w_a > 0] = 1. A cube beside z_1 leaves E[w_a; w_a > 0], and two cubes have it for one a or two.
    TEST_CASE("a row that a label ties is visited by what ties it above") {
        auto const net = vanilla<Rational>({1, 2, 2});
        CHECK(engine("z[1;m] z[2;m] z[1] z[2]", net, at_input({1})) == 2);
        says(refusal("z[1;m]^3 z[1]", net, at_input({1})), {"node 1 is gated", "odd"});
        says(refusal("z[1;m]^3 z[1] z[2;n]^3 z[2]", net, at_input({1})), {"node 1 is gated", "odd"});
    }

    TEST_CASE("an odd number of visits of a gated row is refused with its node and strand") {
        auto const net = vanilla<Rational>({2, 3, 2});
        auto const setting = at_input({1, 2});
        says(refusal("h{1}[1]", net, setting), {"node 1 ", "1 strand ", "strand 1 of h[1]", "odd", "not rational"});
        says(refusal("h{1}[1]^3", net, setting), {"node 1 ", "3 strands"});
        says(refusal("h{1}[1] h{1}[2] z[i]^2", net, setting), {"node 1 "});
        says(refusal("h{1}[i] z{1}[1] z{1}[2] h{1}[i]", net, setting), {"node 1 "});
        says(refusal("h{1}[1;m] z[j;m] z[j]", net, setting), {"node 1 "});
        auto const head = vanilla<Rational>({2, 3, 2}, {.gated_head = true});
        says(refusal("h[1]", head, setting), {"node 2 ", "strand 1 of h[1]"});
        says(refusal("h[1] h[2]", head, setting), {"node 2 "});
        CHECK(engine("z[1]", net, setting) == 0);
        CHECK(engine("z[1] z[2]", net, setting) == 0);
        CHECK(engine("z[1]^3 z[2]", net, setting) == 0);
        // Where the gate's node is deeper the refusal names that one.
        says(refusal("h{2}[1]", vanilla<Rational>({2, 3, 2, 1}), setting), {"node 2 "});
    }

    TEST_CASE("an odd number of visits behind a skip is refused") {
        // z = h + W2 relu(W1 h) twice: E z[i] at the output has E relu of the first stage in it only if paired rows
        // are odd there; its mean is x.
        auto const net = residual<Rational, std::uint64_t>(2, 2, 2, 2, 1);
        CHECK(engine("z[1]", net, at_input({3, 5})) == 3);
        CHECK(engine("z[1] z[2]", net, at_input({3, 5})) == 15);
        // With a last node that reads the gated one directly, there is an odd row.
        Net direct{.input_name = "in", .input_width = 1, .stages = {{.nodes = {}, .edges = {}, .count = 1}}};
        auto& stage = direct.stages.front();
        stage.numbered = false;
        stage.nodes = {node<Rational>("a", 1, true), node<Rational>("b", 1, false)};
        stage.edges = {weight<Rational>("w1", 0, 1, 1), weight<Rational>("w2", 0, 2, 1), skip<Rational>("s", 1, 2)};
        says(refusal("z[1]", direct, at_input({1})), {"node a "});
        CHECK(engine("z[1]^2", direct, at_input({1})) == ratio(3, 2));  // E relu(w1)^2 + E w2^2
    }

    // a = relu(w x), b = v x + a: a fixed neuron of b comes down to that of a by the skip, where both are one row. At x = 1
    // with w and v of variance 1: E b a = E a^2 = 1/2, and E b^2 a^2 = E a^4 + E v^2 E a^2 = 3/2 + 1/2.
    TEST_CASE("strands that come to one fixed neuron from different nodes are one row") {
        Net direct{.input_name = "in", .input_width = 1, .stages = {{.nodes = {}, .edges = {}, .count = 1}}};
        auto& stage = direct.stages.front();
        stage.numbered = false;
        stage.nodes = {node<Rational>("a", 2, true), node<Rational>("b", 2, false)};
        stage.edges = {weight<Rational>("w1", 0, 1, 1), weight<Rational>("w2", 0, 2, 1), skip<Rational>("s", 1, 2)};
        for (std::string const i : {"1", "2"}) {
            CHECK(engine("z{b}[" + i + "] h{a}[" + i + "]", direct, at_input({1})) == ratio(1, 2));
            CHECK(engine("h{a}[" + i + "] z{b}[" + i + "]", direct, at_input({1})) == ratio(1, 2));
            CHECK(engine("z{b}[" + i + "]^2 h{a}[" + i + "]^2", direct, at_input({1})) == 2);
        }
        // Different neurons are independent: E b_1^2 E a_2^2 = (1/2 + 1) 1/2.
        CHECK(engine("z{b}[1]^2 h{a}[2]^2", direct, at_input({1})) == ratio(3, 4));
        says(refusal("z{b}[1] h{a}[2]", direct, at_input({1})), {"node a "});
    }

    TEST_CASE("a letter that a gate or a concatenation shares with a lower node is refused") {
        auto const square = vanilla<Rational>({2, 2, 2});
        says(refusal("h{1}[i]^2 h{0}[i]^2", square, at_input({1, 2})),
             {"node 1: strand 1 of h[i] h[i] h[i] h[i] shares its neuron with strand 4 at another node"});
        says(refusal("h{0}[i]^2 h{1}[i]^2", square, at_input({1, 2})),
             {"node 1: strand 3 of h[i] h[i] h[i] h[i] shares its neuron with strand 2 at another node"});
        Net joined{.input_name = "in", .input_width = 2, .stages = {{.nodes = {}, .edges = {}, .count = 1}}};
        auto& stage = joined.stages.front();
        stage.numbered = false;
        stage.nodes = {{.name = "c", .width = 2, .kind = GraphNode<Rational>::Kind::concatenation},
                       node<Rational>("out", 2, false)};
        stage.edges = {skip<Rational>("part", 0, 1), weight<Rational>("w", 1, 2, 1)};
        auto const x = at_input({1, 2});
        says(refusal("z{c}[i] h{in}[i]", joined, x),
             {"node c: strand 1 of z[i] h[i] shares its neuron with strand 2 at another"});
        says(refusal("h{in}[i] z{c}[i]", joined, x),
             {"node c: strand 2 of h[i] z[i] shares its neuron with strand 1 at another"});
        says(refusal("J{c}[i,i]", joined, x),
             {"node c: strand 1 of J[i,i] shares its neuron with strand 1 at another"});
        says(refusal("z{c}[1]^2", joined, x), {"node c: a fixed neuron of a concatenation is not served"});
        CHECK(engine("z{c}[i]^2 z[1]^2", joined, x) == 25);
    }

    TEST_CASE("two inputs that meet a gate are refused") {
        says(refusal("z[i]@a z[i]@b", vanilla<Rational>({2, 3, 2}), two_inputs()), {"two inputs", "node 1"});
        says(refusal("z[i;m]@a z[i;m]@b", vanilla<Rational>({2, 3, 2}), two_inputs()), {"two inputs", "node 1"});
        // A bundle whose strands all have one input is served.
        CHECK(engine("z[i]@a^2 - z[j]@b^2", vanilla<Rational>({2, 3, 2}), two_inputs()) == -10);  // 2 (5 - 10)
        // Two inputs through linear layers are served; there is no gate.
        CHECK(engine("z[i]@a z[i]@b", vanilla<Rational>({2, 3, 2}, {.slope = 1, .gain = 1}), two_inputs()) == 1);
        // Targets and losses belong to the first input.
        CHECK(engine("z[i] z[i]@b", vanilla<Rational>({2, 2}), two_inputs()) == 2);
    }

    // At one input every neuron of a layer passes one of its two sides, whose weights are all alike: a linear network. Sides that
    // share a matrix W have W (relu(z) - relu(-z)) = W z at all inputs.
    TEST_CASE("two inputs of a concatenated ReLU are refused") {
        auto const linear = vanilla<Rational>({2, 3, 2}, {.slope = 1, .gain = 1});
        auto apart = linear;
        apart.sides = WeightSides::independent;
        auto tied = linear;
        tied.sides = WeightSides::tied;
        auto const setting = two_inputs();
        says(refusal("z[i]@a z[i]@b", apart, setting), {"two inputs meet a concatenated ReLU"});
        says(refusal("z[i;m]@a z[i;m]@b", tied, setting), {"the label m meets two inputs in a concatenated ReLU"});
        for (auto const* net : {&apart, &tied}) {
            CHECK(engine("z[i]@b^2", *net, setting) == engine("z[i]@b^2", linear, setting));
            CHECK(engine("z[i;m]@b^2", *net, setting) == engine("z[i;m]@b^2", linear, setting));
            says(refusal("norm2(W1)", *net, setting), {"W1 is P or N"});
        }
        CHECK(engine("z[i]@a z[i]@b", tied, setting) == 1);  // 2 (1/3) 3 (1/2) (3 - 2)
        CHECK(engine("z[i;m]@a^2 z[j]@b^2", tied, setting) == engine("z[i;m]@a^2 z[j]@b^2", linear, setting));
        for (auto* net : {&apart, &tied}) net->stages[1].edges[0].orthogonal = Rational(3);
        says(refusal("z[i]^2", apart, setting), {"two orthogonal matrices in each layer"});
        CHECK(engine("z[i]^2", tied, setting) == engine("z[i]^2", linear, setting));
    }

    TEST_CASE("a label on a skip edge is refused") {
        auto const net = residual<Rational, std::uint64_t>(2, 2, 2, 2, 1);
        says(refusal("z[i;m]^2 where m in 1.skip", net, at_input({1, 1})), {"'1.skip' is a skip edge"});
        says(refusal("z[i;m]^2 where m in l1", concatenated(2, {1}, 1), at_input({1, 1})), {"'l1' is a skip edge"});
    }

    TEST_CASE("more strands than are served are refused") {
        auto const net = vanilla<Rational>({2, 3, 2});
        says(refusal("(z[i]^2)^7", net, at_input({1, 2})), {"14 strands", "up to 12"});
        auto const square = vanilla<Rational>({4, 4, 4});
        auto const one = at_input({1, 0, 0, 0});
        says(
            refusal("J[i,j] J[k,j] J[k,l] J[m,l] J[m,n] J[o,n] J[o,p] J[p,q] J[q,r] J[r,s] J[s,t] J[t,i]", square, one),
            {"12 strands", "1e+09 steps a layer", "up to 1e+08"});
        says(
            refusal("J[i,j] J[j,k] J[k,l] J[l,m] J[m,n] J[n,o] J[o,p] J[p,q] J[q,r] J[r,s] J[s,t] J[t,i]", square, one),
            {"12 strands that end where others begin", "1.1e+08 states", "up to 1e+06"});
        auto const uniform = vanilla<Rational>({2, 3, 2}, {.law = {.kind = LawKind::uniform}});
        says(refusal("(z[i]^2)^4", uniform, at_input({1, 2})), {"8 strands", "up to 6"});
        auto const kurtosis =
            vanilla<Rational>({2, 3, 2}, {.law = {.kind = LawKind::kurtosis, .kurtosis_value = ratio(5, 2)}});
        says(refusal("(z[i]^2)^3", kurtosis, at_input({1, 2})), {"6 strands", "sixth moment"});
    }

    // At width 1, d^7 z/dw_1 .. dw_7 = x, and the labels are the weights in 7! ways.
    TEST_CASE("more labels than strands are served, and more than bits are refused") {
        auto const line = vanilla<Rational>({1, 1, 1, 1, 1, 1, 1, 1}, {.slope = 1});
        CHECK(engine("(z[;a,b,c,d,e,f,g]^2)^2", line, at_input({1})) == Rational(5040 * 5040));
        says(refusal("((z[;a,b,c,d,e]^2)^2)^2", line, at_input({1})), {"20 labels", "up to 16"});
    }

    TEST_CASE("names that do not exist are told with those that do") {
        auto const net = vanilla<Rational>({2, 3, 4, 2});
        says(mistake("z{7}[1]^2", net, at_input({1, 2})), {"no node '7'", "0, 1, 2, 3"});
        says(mistake("z{1.1}[1]^2", net, at_input({1, 2})), {"no node '1.1'"});
        says(mistake("z[i;m]^2 where m in 7", net, at_input({1, 2})), {"no weights called '7'", "1, 2, 3"});
        says(mistake("z[i;m]^2 where m in 0", net, at_input({1, 2})), {"no weights called '0'"});
        says(mistake("z[i;m]^2 where m in 3..2", net, at_input({1, 2})), {"3..2", "downwards"});
        says(mistake("z[i]@c^2", net, at_input({1, 2})), {"'c'"});
        says(mistake("a z[i]^2", net, at_input({1, 2})), {"'a'"});
        auto const dense = densely_connected(2, {1}, 1);
        says(mistake("z[i;m]^2 where m in w1", dense, at_input({1, 2})), {"no mistake"});  // w1.0 is w1's only part
        says(mistake("z[i;m]^2 where m in w2", dense, at_input({1, 2})), {"no weights called 'w2'", "w1.0"});
    }

    TEST_CASE("moments that are not given are asked for") {
        auto const net = vanilla<Rational>({2, 3, 2}, {.law = {.kind = LawKind::rademacher}});
        ObservableSetting<Rational> norm;
        norm.inputs.names = {"x"};
        norm.inputs.squared_norm = 5;
        says(mistake("(z[i]^2)^2", net, norm), {"x_i^4", "`input_fourth`"});
        norm.inputs.fourth = 17;
        CHECK(engine("(z[i]^2)^2", net, norm) == engine("(z[i]^2)^2", net, at_input({1, 2})));
        says(mistake("(z[i]^2)^3", net, norm), {"x_j^6"});
        says(mistake("loss^2", net, at_input({1, 2})), {"fourth moment of the targets"});
        ObservableSetting<Rational> nothing;
        nothing.inputs.names = {"x"};
        says(mistake("z[i]^2", net, nothing), {"x_j^2"});
        says(mistake("h{0}[1]^2", net, norm), {"coordinates of the input"});
        says(mistake("h{0}[3]^2", net, at_input({1, 2})), {"no neuron 3"});
    }

    TEST_CASE("constants are served at ungated outputs that all strands leave by weights") {
        auto const net = residual<Rational, std::uint64_t>(2, 1, 2, 2, 1);
        auto setting = at_input({1, 2});
        setting.constants = {{"w", {{Rational(2), Rational(-1)}}}};
        says(refusal("(w[i] z[i])^2", net, setting), {"constants"});
        auto const head = vanilla<Rational>({2, 3, 2}, {.gated_head = true});
        says(refusal("w[i]^2 h[i]^2", head, setting), {"constants"});
        auto const square = vanilla<Rational>({2, 2, 2});
        for (std::string const text :
             {"w[1] z{1}[i] z{1}[1] z[i] z[1]", "w[1] z[i] z[1] z{1}[1] z{1}[i]", "w[1] z{1}[i]^2 z[i]^2"})
            says(refusal(text, square, setting), {"node 2: constants are served where no output shares its letter"});
        says(refusal("w[i] W2[1,i] z[1]", square, setting), {"'w' meets the lower end of a matrix"});
        // sum_i w_i E W2[i,1]^2 h_1^2 = (2 - 1) (1 5/2) and the same with a letter in place of 1.
        CHECK(engine("w[i] W2[i,1]^2 h{1}[1]^2", square, setting) == ratio(5, 2));
        CHECK(engine("w[i] W2[i,k]^2 h{1}[k]^2", square, setting) == 5);
    }
}
