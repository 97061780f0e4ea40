// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/report/duration.hpp>
#include <isserlis/report/quantities.hpp>
#include <string>
#include <vector>

using isserlis::find_quantity;
using isserlis::index_names;
using Names = std::vector<std::string>;

TEST_SUITE("report/index_names") {
    TEST_CASE("what counts layers, epochs, orders and networks") {
        CHECK(index_names(*find_quantity("ntk", "ntk_mean")).empty());
        CHECK(index_names(*find_quantity("norm", "squared_norm_moment")) == Names{"layer", "order"});
        CHECK(index_names(*find_quantity("moments", "tau")) == Names{"layer"});
        CHECK(index_names(*find_quantity("products", "phi")) == Names{"c", "d"});
        CHECK(index_names(*find_quantity("coord-check", "change_std")) == Names{"layer", "width"});
        CHECK(index_names(*find_quantity("train", "loss")) == Names{"epoch"});
        CHECK(index_names(*find_quantity("loss-curve", "slope")) == Names{"network"});
        CHECK(index_names(*find_quantity("expect", "series_coefficient")) == Names{"power"});
        CHECK(index_names(*find_quantity("jacobian", "jacobian_mean")) == Names{"layer", "matrix"});
        CHECK(index_names(*find_quantity("jacobian", "jacobian_quantile")) == Names{"share", "layer", "matrix"});
    }
}

TEST_SUITE("report/duration") {
    TEST_CASE("seconds, minutes, hours") {
        CHECK(isserlis::read_duration("90", "time") == 90);
        CHECK(isserlis::read_duration("90s", "time") == 90);
        CHECK(isserlis::read_duration("1.5m", "time") == 90);
        CHECK(isserlis::read_duration("1/2h", "time") == 1800);
        for (char const* bad : {"0", "-1s", "1e10", "s", "5x", ""})
            CHECK_THROWS_AS((void)isserlis::read_duration(bad, "time"), isserlis::Error);
    }
}
