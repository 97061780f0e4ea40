// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "graphs.hpp"
#include "plain_chain.hpp"

using namespace graphs;

TEST_SUITE("strand/reduction") {
    // States that a symmetry of the bundle exchanges are one: with and without this reduction, and in a recursion over all
    // set partitions (plain_chain.hpp), the values are equal.

    namespace {

    /// A chain as plain_chain.hpp wants it.
    std::vector<plain::StrandLayer<Rational>> plain_layers(Net const& net, unsigned strands) {
        std::vector<plain::StrandLayer<Rational>> out;
        for (auto const& stage : net.stages) {
            auto const& node = stage.nodes.front();
            auto const& edge = stage.edges.front();
            plain::StrandLayer<Rational> layer{.width = node.width,
                                               .variance = edge.variance,
                                               .cumulants = {},
                                               .label_factor = edge.label_factor,
                                               .gated = node.gate.has_value(),
                                               .gate_moments = {Rational(1)}};
            for (unsigned k = 1; k <= strands; ++k)
                layer.gate_moments.push_back((Rational(1) + power(node.gate ? node.gate->negative : Rational(1), k)) /
                                             Rational(2));
            out.push_back(std::move(layer));
        }
        return out;
    }

    struct Case {
        std::string text;
        std::vector<unsigned> outputs;              ///< letters of the strands
        std::vector<std::vector<unsigned>> labels;  ///< strands of each
    };

    std::vector<Case> const cases = {
        {"(z[i]^2)^2", {0, 0, 1, 1}, {}},
        {"(z[i;m]^2)^2", {0, 0, 1, 1}, {{0, 1}, {2, 3}}},
        {"(z[i;m] z[i;n])^2", {0, 0, 1, 1}, {{0, 2}, {1, 3}}},
        {"z[i;m,n]^2 z[j]^2", {0, 0, 1, 1}, {{0, 1}, {0, 1}}},
        {"z[i;m,n] z[i;m] z[j;n] z[j]", {0, 0, 1, 1}, {{0, 1}, {0, 2}}},
        {"z[i]^4", {0, 0, 0, 0}, {}},
        {"z[i;m,n,o]^2", {0, 0}, {{0, 1}, {0, 1}, {0, 1}}},
        {"(z[i]^2)^3", {0, 0, 1, 1, 2, 2}, {}},
        {"(z[i;m]^2)^3", {0, 0, 1, 1, 2, 2}, {{0, 1}, {2, 3}, {4, 5}}},
        {"z[i;m,n]^2 z[j;o]^2 z[k]^2", {0, 0, 1, 1, 2, 2}, {{0, 1}, {0, 1}, {2, 3}}},
        {"z[i;m,n] z[i;m] z[j;n] z[j] z[k;o]^2", {0, 0, 1, 1, 2, 2}, {{0, 1}, {0, 2}, {4, 5}}},
        {"z[i;m]^4 z[j]^2", {0, 0, 0, 0, 1, 1}, {{0, 1, 2, 3}}},
        {"(z[i]^2)^4", {0, 0, 1, 1, 2, 2, 3, 3}, {}},
        {"(z[i;m]^2)^2 (z[i]^2)^2", {0, 0, 1, 1, 2, 2, 3, 3}, {{0, 1}, {2, 3}}},
    };

    }  // namespace

    TEST_CASE("reduced and unreduced recursions and all set partitions agree on chains") {
        struct Chain {
            std::vector<Rational> widths;
            Rational slope;
            bool gated_head;
        };
        for (auto const& [widths, slope, gated_head] :
             {Chain{{2, 3, 2}, 0, false}, Chain{{2, 2, 3, 2}, ratio(-1, 2), false}, Chain{{2, 4, 3}, 1, false},
              Chain{{2, 3, 5, 3}, 0, true}}) {
            auto net = vanilla<Rational>(widths, {.slope = slope, .gated_head = gated_head});
            net.stages[1].edges[0].label_factor = ratio(2, 3);
            for (auto const& c : cases) {
                auto const strands = static_cast<unsigned>(c.outputs.size());
                if (strands == 8 && widths.size() > 3) continue;
                CAPTURE(c.text);
                std::string text = c.text;
                if (gated_head) std::replace(text.begin(), text.end(), 'z', 'h');
                plain::Bundle<Rational> bundle{
                    .outputs = plain::Partition(c.outputs),
                    .labels = {},
                    .gram = std::vector<std::vector<Rational>>(strands, std::vector<Rational>(strands, Rational(5)))};
                for (auto const& l : c.labels) bundle.labels.push_back({.strands = l});
                // A label on four strands ties them where a power sum of the input comes in.
                bundle.power_sums[{0, 1, 2, 3}] = 17;
                Rational const expected = plain::expectation(bundle, plain_layers(net, strands));
                auto const setting = at_input({1, 2});
                CHECK(engine(text, net, setting) == expected);
                CHECK(engine(text, net, setting, {.reduce = false}) == expected);
            }
        }
    }

    TEST_CASE("the reduction changes no value where there are skips, several sources, constants and fixed neurons") {
        auto setting = at_input({1, 2});
        setting.target_fourth = 2;
        setting.constants = {{"w", {{Rational(2), Rational(-1)}}}};
        auto const dense = densely_connected(2, {2, 1}, 2);
        auto const res = residual<Rational, std::uint64_t>(2, 3, 2, 2, 1);
        for (std::string const text : {"(D[m,n] loss)^2", "(z[i;m] z[j;m])^2", "z[1]^2 z[2]^2 z[i]^2",
                                       "z[i;m,n] z[i;m] z[j;n] z[j] z[k]^2", "z[1;m] z[2;m] z[1;n] z[2;n]"}) {
            CAPTURE(text);
            CHECK(engine(text, dense, setting) == engine(text, dense, setting, {.reduce = false}));
            CHECK(engine(text, res, setting) == engine(text, res, setting, {.reduce = false}));
        }
        for (std::string const text : {"(w[i] z[i])^4", "(w[i] z[i])^2 z[j]^2", "(z[i;m] w[i])^2 z[2]^2"}) {
            CAPTURE(text);
            CHECK(engine(text, dense, setting) == engine(text, dense, setting, {.reduce = false}));
        }
    }

    TEST_CASE("orbits stand for the states of the whole recursion, entries of matrices among them") {
        for (std::string const text :
             {"W1[1,1]^2 W1[1,2]^2 z[i]^2", "W1[1,1]^2 W1[2,2]^2 W2[1,1]^2", "(W2[1,1] W1[1,2])^2 z[i]^2",
              "norm2(W1)^2 z[i]^2", "W1[i,1]^2 W1[j,2]^2 W2[1,2]^2", "tr(W1 W1^T W2^T W2) z[i]^2",
              "W1[1,j]^3 z{1}[1] W1[2,1]^2", "z[1]^2 z[2]^2 h{1}[1]^2", "z[i;m]^2 W1[1,2]^2 W2[2,1]^2"}) {
            CAPTURE(text);
            for (auto const& net : {vanilla<Rational>({2, 3, 2}), vanilla<Rational>({2, 2, 2}, {.slope = 1})}) {
                RecursionTrace reduced;
                RecursionTrace whole;
                auto const setting = at_input({1, 2});
                CHECK(engine(text, net, setting, {.trace = &reduced}) ==
                      engine(text, net, setting, {.reduce = false, .trace = &whole}));
                CHECK(reduced.unreduced_states == whole.states);
                CHECK(whole.unreduced_states == whole.states);
                CHECK(reduced.states <= whole.states);
            }
        }
    }

    // 15 pairings times 4 sets of labels, one by one through 200 layers; in the reduced recursion they are few, and powers of the
    // transfer are taken.
    TEST_CASE("many states through many layers") {
        auto const net = repeated<Rational, std::uint64_t>(2, 2, 200, 2);
        RecursionTrace whole;
        auto const every =
            engine("z[i;m]^2 z[j;n]^2 z[k]^2", net, at_input({1, 2}), {.reduce = false, .trace = &whole});
        CHECK(whole.states > 60);
        CHECK(engine("z[i;m]^2 z[j;n]^2 z[k]^2", net, at_input({1, 2})) == every);
    }

    // 105 pairings times 16 sets of labels are 1680 states at each node; of these, orbits remain. The products of two
    // of the three parts of the squared Hessian norm of a scalar network.
    TEST_CASE("eight strands with four labels need few states") {
        std::vector<std::string> const parts = {"z[;m,n]^2 z^2", "z[;m,n] z[;m] z[;n] z", "z[;m]^2 z[;n]^2"};
        auto const net = repeated<Rational, std::uint64_t>(2, 3, 5, 1);
        std::vector<std::size_t> orbits;
        for (std::size_t a = 0; a < parts.size(); ++a) {
            for (std::size_t b = a; b < parts.size(); ++b) {
                std::string second = parts[b];
                for (auto& c : second) c = c == 'm' ? 'o' : c == 'n' ? 'p' : c;
                std::string text = parts[a];
                text += " " + second;
                CAPTURE(text);
                RecursionTrace reduced;
                RecursionTrace whole;
                auto const setting = at_input({1, 2});
                CHECK(engine(text, net, setting, {.trace = &reduced}) ==
                      engine(text, net, setting, {.reduce = false, .trace = &whole}));
                // At a node and below it, and twice at the start.
                CHECK(whole.states == 2 * 1680 + 2);
                CHECK(reduced.unreduced_states == whole.states);
                orbits.push_back((reduced.states - 2) / 2);
            }
        }
        // Measured on a prototype before the engine was built: 33 to 180 orbits.
        std::sort(orbits.begin(), orbits.end());
        CHECK(orbits.front() == 33);
        CHECK(orbits.back() == 180);
    }
}
