// SPDX-License-Identifier: MIT
#include "strand/cost.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "graphs.hpp"

#include <isserlis/error.hpp>
#include <isserlis/strand/expectation.hpp>
#include <isserlis/strand/query_terms.hpp>

namespace {

using namespace isserlis;

Bundle bundle_of(std::string const& text) {
    auto const net = graphs::vanilla<Surd>({Surd(2), Surd(2), Surd(2)});
    auto const terms = query_terms(parse_query(text), net, ObservableSetting<Surd>{});
    REQUIRE(terms.size() == 1);
    return terms.front().bundle;
}

}  // namespace

// What messages say about states and steps, from the pairings of 2k strands, (2k - 1)!!.
TEST_SUITE("strand/cost") {
    TEST_CASE("states of a layer: what pairings tie, times what letters tie that begin and end") {
        CHECK(states_of_layer(bundle_of("z[i]^2")) == 1);
        CHECK(states_of_layer(bundle_of("(z[i]^2)^5")) == 945);
        CHECK(states_of_layer(bundle_of("norm2(J)^5")) == 945);
        // Entries of a matrix do not pass a layer together with what comes down.
        CHECK(states_of_layer(bundle_of("(z[i]^2)^3 norm2(W1)^2")) == 15);
        // All four letters begin and end: 1, 2, 4, 10 ways to pair up to 4 of them, but no more than pairings.
        CHECK(states_of_layer(bundle_of("tr(J^4)")) == 3 * 3);
        CHECK(states_of_layer(bundle_of("tr(J^6)")) == 15 * 15);
        // Two letters that begin and end: 2 ways.
        CHECK(states_of_layer(bundle_of("tr(J^2) (z[i]^2)^3")) == 105 * 2);
    }

    TEST_CASE("ways through a node: each pair takes one of the matrices, each strand one of the skips") {
        CHECK(ways_through_node(0, {}) == 1);
        CHECK(ways_through_node(4, {.weights = 1}) == 3);
        CHECK(ways_through_node(4, {.weights = 2}) == 3 * 4);
        CHECK(ways_through_node(3, {.weights = 1}) == 0);
        // 4 strands by a matrix or a skip: no pair, one of 6 pairs, one of 3 pairings. With two skips 16 + 6 * 4 + 3.
        CHECK(ways_through_node(4, {.weights = 1, .skips = 1}) == 10);
        CHECK(ways_through_node(4, {.weights = 1, .skips = 2}) == 43);
        CHECK(ways_through_node(5, {.weights = 0, .skips = 2}) == 32);
    }

    // Ten strands in five pairs: 945 states over 5! 2^5 symmetries are less than one. With a label on a pair there are
    // 2 * 4! 2^4 = 768, with labels on two pairs (2 * 2^2) * (3! 2^3) = 384.
    TEST_CASE("steps: states up to symmetries, times ways through a node and places of labels") {
        CHECK(steps_through_layer(bundle_of("(z[i]^2)^4"), {}) == 0);
        CHECK(steps_through_layer(bundle_of("(z[i]^2)^4"), {.weights = 5}) == 0);
        CHECK(steps_through_layer(bundle_of("(z[i]^2)^4"), {.weights = 6}) == 105 * 1296);
        CHECK(steps_through_layer(bundle_of("(z[i]^2)^5"), {}) == 945);
        CHECK(steps_through_layer(bundle_of("(z[i]^2)^5"), {.weights = 2}) == 945 * 32);
        CHECK(steps_through_layer(bundle_of("z[i;m]^2 (z[j]^2)^4"), {}) == 945.0 / 768 * 945 * 3);
        CHECK(steps_through_layer(bundle_of("z[i;m]^2 z[j;n]^2 (z[k]^2)^3"), {}) == 945.0 / 384 * 945 * 9);
        // Entries of the first matrix meet all that comes down from above, and entries of another matrix never.
        CHECK(steps_through_layer(bundle_of("(z[i]^2)^4 norm2(W1)"), {}) == 945);
        CHECK(steps_through_layer(bundle_of("norm2(W2)^2 norm2(W1)^3"), {}) == 15);
        // The entry of one matrix meets eight strands, not the other entry: pairings of an odd number are those of one less.
        CHECK(steps_through_layer(bundle_of("(z[i]^2)^4 W1[1,1] W2[1,1]"), {}) == 105);
    }

    // Ten strands by a matrix or a bias: 945 pairings of either kind each, and the states are one up to symmetries.
    TEST_CASE("the dearest node is found by matrices and biases, skips apart") {
        auto net = graphs::vanilla<Surd>({Surd(2), Surd(2)});
        net.stages[0].nodes[0].bias = Bias<Surd>{.variance = Surd(1)};
        ObservableSetting<Surd> setting;
        setting.inputs.squared_norm = Surd(1);
        auto const mean = [&](double most) {
            return expectation(parse_query("(z[i]^2)^5"), net, setting, {.most_steps = most});
        };
        CHECK_NOTHROW((void)mean(945 * 32));
        CHECK_THROWS_AS((void)mean(945 * 32 - 1), UnsupportedError);
    }

    TEST_CASE("a budget is told in two digits") {
        PathBudget budget(1.26);
        budget.spend();
        CHECK_THROWS_WITH_AS(budget.spend(), "`query`: more than 1.3 ways through layers would have to be tried",
                             UnsupportedError);
    }

    // Four strands through two matrices: 3 pairings of the outputs leave 2 states up to symmetries, of 3 pairings each.
    TEST_CASE("ways are counted as they are tried") {
        auto const net = graphs::vanilla<Surd>({Surd(2), Surd(2), Surd(2)});
        auto const mean = [&](double most) {
            ObservableSetting<Surd> setting;
            setting.inputs.squared_norm = Surd(1);
            return expectation(parse_query("(z[i]^2)^2"), net, setting, {.most_paths = most});
        };
        Surd const all = mean(std::numeric_limits<double>::infinity());
        double enough = 1;
        while (enough < 100) {
            try {
                Surd const within = mean(enough);
                CHECK(within == all);
                break;
            } catch (UnsupportedError const& e) {
                CHECK(std::string(e.what()).find("ways through layers") != std::string::npos);
                ++enough;
            }
        }
        CHECK(enough == 9);
    }
}
