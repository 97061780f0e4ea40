// SPDX-License-Identifier: MIT
// kernel at every two samples of a data set.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

char const* const three_samples = "x1,y1\n1/2,1\n-1,1/4\n3/2,-2\n";

}  // namespace

TEST_SUITE("cli/kernel_data") {
    // x = (1/2, 1), (-1, 1), (3/2, 1): halves of their products.
    TEST_CASE("pairs are those of two inputs") {
        Files const file;
        std::string const data = " --data " + file("three.csv", three_samples);
        std::map<std::pair<int, int>, std::string> const products{
            {{1, 2}, "5/8,1/4,1"}, {{1, 3}, "5/8,7/8,13/8"}, {{2, 3}, "1,-1/4,13/8"}};
        for (std::string const net :
             {"relu linear leaky:-1/3 --depth 2 --bias-variance 1/7", "gelu --weight-variance 3/2"}) {
            CAPTURE(net);
            auto const all = ask(words("kernel " + net + data), 60);
            for (auto const& [pair, gram] : products) {
                auto const two = ask(words("kernel " + net + " --gram=" + gram), 60);
                for (auto const& index : two.indices("kernel")) {
                    auto const [k, l] = pair;
                    Json const here{k, l, index[0], index[1]};
                    for (char const* name : {"kernel", "kernel_correlation", "tangent_kernel"}) {
                        CAPTURE(name);
                        CHECK(all.result(name, here)["exact"] == two.result(name, index)["exact"]);
                        CHECK(all.result(name, here)["decimal"] == two.result(name, index)["decimal"]);
                    }
                    Json const first{k, k, index[0], index[1]};
                    Json const second{l, l, index[0], index[1]};
                    CHECK(all.result("kernel", first)["decimal"] == two.result("kernel_x", index)["decimal"]);
                    CHECK(all.result("kernel", second)["decimal"] == two.result("kernel_y", index)["decimal"]);
                    CHECK(all.result("tangent_kernel", first)["decimal"] ==
                          two.result("tangent_kernel_x", index)["decimal"]);
                    CHECK(all.result("tangent_kernel", second)["decimal"] ==
                          two.result("tangent_kernel_y", index)["decimal"]);
                    CHECK_FALSE(all.has("kernel_correlation", first));
                }
            }
            CHECK(all.names() == std::set<std::string>{"kernel", "kernel_correlation", "tangent_kernel"});
            CHECK(all.text_of("warnings").find("columns y") != std::string::npos);
        }
    }

    TEST_CASE("beside networks that read the samples") {
        Files const file;
        auto const answer =
            ask(words("kernel relu --weight-variance 2 --bias-variance 1/3 --depth 2 --check 4000 --data " +
                      file("three.csv", three_samples)),
                60);
        int agreed = 0;
        for (auto const& result : answer.json["results"]) {
            if (!result["check"].is_object()) continue;
            CHECK(result["index"][2] != 3);
            CHECK(result["check"]["verdict"] != "disagrees");
            agreed += result["check"]["verdict"] == "agrees" ? 1 : 0;
        }
        CHECK(agreed > 12);  // of 24
        CHECK(answer.text_of("assumptions").find("networks end at layer 1 or 2") != std::string::npos);
    }

    TEST_CASE("equal samples are one input, and one layer is listed") {
        Files const file;
        std::string const data = " --data " + file("equal.csv", "x1,y1\n1,2\n1,3\n");
        auto const answer = ask("kernel erf relu --layer 2" + data);
        CHECK(answer.exact("kernel_correlation", Json{1, 2, 2, "erf"}) == "1");
        CHECK(answer.result("kernel", Json{1, 2, 2, "erf"})["decimal"] ==
              answer.result("kernel", Json{1, 1, 2, "erf"})["decimal"]);
        CHECK(answer.exact("tangent_kernel", Json{1, 2, 2, "relu"}) == "1");
        CHECK(answer.indices("kernel").size() == 6);
        auto const standardised = ask("kernel relu --standardize --data " + file("three.csv", three_samples));
        CHECK(standardised.text_of("assumptions").find("standardised") != std::string::npos);
    }

    TEST_CASE("what is not served is refused by name") {
        Files const file;
        std::string const data = " --data " + file("three.csv", three_samples);
        refuses("kernel relu --gram 1,0,1" + data, "--gram is for two inputs");
        refuses("kernel relu --relative-widths 1" + data, "--relative-widths is for two inputs");
        refuses("kernel relu --standardize", "--standardize");
        refuses("kernel relu --data none.csv", "none.csv");
        refuses("kernel relu --data cos --size 101", "101 samples; up to 100", 3);
        refuses("kernel tanh --depth 3 --data checkerboard", "for fewer samples", 3);
    }
}
