// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/report/duration.hpp>
#include <isserlis/report/index_names.hpp>
#include <isserlis/report/value.hpp>
#include <string>
#include <vector>

using isserlis::find_quantity;
using isserlis::index_names;
using isserlis::index_text;
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
        CHECK(index_names(*find_quantity("norm", "sample_squared_norm_mean")) == Names{"sample", "layer"});
        CHECK(index_names(*find_quantity("hessian", "block")) == Names{"layer", "layer"});
        CHECK(index_names(*find_quantity("jacobian", "jacobian_mean")) == Names{"layer", "matrix"});
        CHECK(index_names(*find_quantity("jacobian", "jacobian_quantile")) == Names{"share", "layer", "matrix"});
    }

    TEST_CASE("one name for what follows one another under it") {
        CHECK(index_text({}, {}).empty());
        CHECK(index_text({"layer", "matrix"}, {"2", "1"}) == "layer 2, matrix 1");
        CHECK(index_text({"sample", "sample", "unit"}, {"1", "2", "relu"}) == "samples 1,2, unit relu");
    }

    TEST_CASE("swept symbols come first, a power of a series last") {
        isserlis::Answer answer("norm", {.format = isserlis::Format::latex});
        answer.set_sweeps({"n"});
        answer.set_index_prefix({"4"});
        answer.add("squared_norm_moment", {"1", "2"}, isserlis::Value(isserlis::Surd(9)));
        answer.add("squared_norm_mean_series_coefficient", {"L + 1", "-1"}, isserlis::Value(isserlis::Surd(2)));
        CHECK(index_names(answer, answer.results()[0]) == Names{"n", "layer", "order"});
        CHECK(index_text(answer, answer.results()[0]) == "n = 4, layer 1, order 2");
        CHECK(index_text(answer, answer.results()[1]) == "n = 4, layer L + 1, power -1");
        CHECK(to_latex(answer).find("\\text{squared\\_norm\\_moment}_{n=4,1,2} &= 9") != std::string::npos);
        CHECK(to_cpp(answer).find("/// n = 4, layer 1, order 2\n/// 9\ninline double squared_norm_moment_4_1_2()") !=
              std::string::npos);
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
