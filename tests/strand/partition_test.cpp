// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <set>

#include "partition.hpp"

using plain::all_partitions;
using plain::join;
using plain::Partition;

TEST_SUITE("strand/partition") {
    // Bell numbers, OEIS A000110.
    TEST_CASE("there are as many partitions as the Bell numbers say, all different") {
        std::size_t const bell[] = {1, 1, 2, 5, 15, 52, 203, 877, 4140};
        for (unsigned size = 0; size <= 8; ++size) {
            auto const all = all_partitions(size);
            CHECK(all.size() == bell[size]);
            CHECK(std::set<Partition>(all.begin(), all.end()).size() == bell[size]);
        }
    }

    TEST_CASE("the join ties what either ties, and is the least such partition") {
        Partition const a({0, 0, 1, 1, 2, 2});
        Partition const b({0, 1, 1, 2, 3, 4});
        CHECK(join(a, b) == Partition({0, 0, 0, 0, 1, 1}));
        for (auto const& p : all_partitions(4)) {
            for (auto const& q : all_partitions(4)) {
                auto const j = join(p, q);
                CHECK(j == join(q, p));
                CHECK(p.refines(j));
                CHECK(q.refines(j));
                for (auto const& other : all_partitions(4)) {
                    if (p.refines(other) && q.refines(other)) CHECK(j.refines(other));
                }
            }
        }
    }

    TEST_CASE("blocks print by their strands") { CHECK(to_string(Partition({0, 1, 0, 1})) == "02|13"); }
}
