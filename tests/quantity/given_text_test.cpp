// SPDX-License-Identifier: MIT
// What stands behind `text:` is read as a file of that content.
#include <doctest/doctest.h>

#include <fstream>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <string>

#include "../cli/program.hpp"

using namespace isserlis;
using quantity::ask;

TEST_SUITE("quantity/given_text") {
    TEST_CASE("a text is read as a file is") {
        test::TemporaryDirectory const directory;
        auto const file = [&](std::string const& name, std::string const& content) {
            std::ofstream(directory / name.c_str()) << content;
            return std::string(directory / name.c_str());
        };
        std::string const net = R"({"nodes": [{"name": "x", "width": 2}, {"name": "y", "width": 3}],
                                    "edges": [{"from": "x", "to": "y", "variance": "1/4"}]})";
        for (auto const& path : {file("net.json", net), "text:" + net})
            CHECK(ask({"expect", {"z[i]^2"}, {{"network", {path}}}}).at("value").exact == "3/4");

        std::string const data = "x1,y1\n1,1\n3,0\n2,4\n";
        for (auto const& path : {file("data.csv", data), "text:" + data, std::string("text:x1,y1;1,1;3,0;2,4")}) {
            auto const curve =
                ask({"loss-curve",
                     {"2,1"},
                     {{"data", {path}}, {"gradient", {"random"}}, {"activation", {"linear"}}, {"variance", {"1"}}}});
            // E (W x - y)^2 = |x|^2 + y^2: (2 + 10 + 5 + 1 + 0 + 16)/3
            CHECK(curve.at("loss", {"1"}).exact == "34/3");
        }
        std::string const constants = R"({"constants": {"c": [2, 5]}})";
        for (auto const& path : {file("with.json", constants), "text:" + constants}) {
            auto const answer =
                ask({"expect", {"(c[i] z[i])^2", "1,2"}, {{"with", {path}}, {"activation", {"linear"}}}});
            CHECK(answer.at("value").exact == "29");  // 4 + 25
        }
    }

    TEST_CASE("messages name the text") {
        CHECK_THROWS_WITH_AS((void)ask({"form", {"A.12", "2,2,2"}, {{"with", {"text:{"}}}}),
                             doctest::Contains("`with`: 'text:{' is not JSON"), ParseError);
        CHECK_THROWS_WITH_AS((void)ask({"form", {"A.12", "2,2,2"}, {{"with", {"txt:{}"}}}}),
                             doctest::Contains("'txt:{}' is not a file that can be read"), ParseError);
    }
}
