// SPDX-License-Identifier: MIT
#include "strand/flow.hpp"

#include <doctest/doctest.h>

#include <isserlis/ring/fractions.hpp>
#include <isserlis/ring/rational.hpp>

#include <vector>

using namespace isserlis;

TEST_SUITE("strand/flow") {
    namespace {

    using F = Fractions<Rational>;
    using Element = F::Element;

    Element value(Flow<F> const& flow, unsigned state) {
        return state < flow.values.size() ? flow.values[state] : Element(0);
    }

    }  // namespace

    TEST_CASE("what comes to one state is added up") {
        Flow<F> flow;
        flow.add(3, Element(2), Element(5));
        flow.add(0, Element(1), Element(4));
        flow.add(3, Element(3), Element(7));
        CHECK(flow.active == std::vector<unsigned>{3, 0});
        CHECK(value(flow, 3) == 31);
        CHECK(value(flow, 0) == 4);
        CHECK(value(flow, 1) == 0);
        Element x(11);
        flow.take(3, x);
        CHECK(value(flow, 3) == 42);
        Element y(6);
        flow.take(5, y);
        CHECK(value(flow, 5) == 6);
        CHECK(flow.active == std::vector<unsigned>{3, 0, 5});
        flow.clear();
        CHECK(flow.active.empty());
        Element z(8);
        flow.take(3, z);
        CHECK(value(flow, 3) == 8);
        CHECK(value(flow, 0) == 0);
        CHECK(flow.active == std::vector<unsigned>{3});
    }

    // (1, 2) A = (7, 10) with A = {{1, 2}, {3, 4}}, and A^2 = {{7, 10}, {15, 22}}.
    TEST_CASE("transfers are matrices, from rows to columns") {
        TransferRows<F> const a = {{{0, Element(1)}, {1, Element(2)}}, {{0, Element(3)}, {1, Element(4)}}};
        Flow<F> flow;
        flow.add(0, Element(1), Element(1));
        flow.add(1, Element(1), Element(2));
        auto const once = times(flow, a);
        CHECK(value(once, 0) == 7);
        CHECK(value(once, 1) == 10);
        auto const twice = times(flow, transfer_product<F>(a, a));
        CHECK(value(twice, 0) == 37);
        CHECK(value(twice, 1) == 54);
    }
}
