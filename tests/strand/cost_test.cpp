// SPDX-License-Identifier: MIT
#include "strand/cost.hpp"

#include <doctest/doctest.h>

#include <string>

#include "graphs.hpp"

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

    // Ten strands in five pairs: 945 states over 5! 2^5 symmetries are less than one. With a label on a pair there are
    // 2 * 4! 2^4 = 768, with labels on two pairs (2 * 2^2) * (3! 2^3) = 384.
    TEST_CASE("steps: states up to symmetries, times pairings, places of labels and sources") {
        CHECK(steps_through_layer(bundle_of("(z[i]^2)^4"), 5) == 0);
        CHECK(steps_through_layer(bundle_of("(z[i]^2)^5"), 1) == 945);
        CHECK(steps_through_layer(bundle_of("(z[i]^2)^5"), 2) == 945 * 1024);
        CHECK(steps_through_layer(bundle_of("z[i;m]^2 (z[j]^2)^4"), 1) == 945.0 / 768 * 945 * 3);
        CHECK(steps_through_layer(bundle_of("z[i;m]^2 z[j;n]^2 (z[k]^2)^3"), 1) == 945.0 / 384 * 945 * 9);
        // Entries of the first matrix meet all that comes down from above, and entries of another matrix never.
        CHECK(steps_through_layer(bundle_of("(z[i]^2)^4 norm2(W1)"), 1) == 945);
        CHECK(steps_through_layer(bundle_of("norm2(W2)^2 norm2(W1)^3"), 1) == 15);
    }
}
