// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <isserlis/data/csv.hpp>
#include <isserlis/data/data_set.hpp>
#include <isserlis/error.hpp>
#include <isserlis/float_data/table.hpp>

namespace {

using isserlis::float_data::parse_float_csv;

void refused(std::string const& text, char const* message) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(static_cast<void>(parse_float_csv<double>(text, "d.csv")), doctest::Contains(message),
                         isserlis::ParseError);
}

}  // namespace

TEST_SUITE("float_data/table") {
    TEST_CASE("the file of docs/data.md, without a constant feature") {
        auto const data = parse_float_csv<double>(
            "# hours, temperature; yield\nx1,x2,y1\n0.5,1/3,2\n-1,2e-2,0.25\r\n\n3,\"4\",1", "f");
        CHECK(data.features() == 2);
        CHECK(data.samples() == 3);
        CHECK(data.inputs(1, 0) == 1.0 / 3);
        CHECK(data.inputs(1, 1) == 0.02);
        CHECK(data.inputs(1, 2) == 4);
        CHECK(data.inputs(0, 1) == -1);
        CHECK(data.targets(0, 1) == 0.25);
        CHECK(data.labels.empty());
    }

    TEST_CASE("labels, columns in any order, in float") {
        auto const data = parse_float_csv<float>("\xEF\xBB\xBFx2, label ,x1\n+1, 2 ,.5\n0,0,1\n", "f");
        CHECK(data.labels == std::vector<std::uint32_t>{2, 0});
        CHECK(data.classes == 3);
        CHECK(data.inputs(0, 0) == 0.5F);
        CHECK(data.inputs(1, 0) == 1.0F);
        CHECK(data.targets.size() == 0);
    }

    TEST_CASE("what is wrong is named by line and column") {
        refused("", "data 'd.csv' is empty");
        refused("x1,label\n", "line 1: the header is not followed by any sample");
        refused("x1\n1\n", "line 1: there is no column y1 and no label");
        refused("x1,y1,label\n1,2,3\n", "line 1: there are targets y1, .. and a label");
        refused("y1\n1\n", "line 1: there is no column x1");
        refused("x1,x3,y1\n1,2,3\n", "line 1: there is no column x2, but there is x3");
        refused("x1,x1,y1\n1,2,3\n", "line 1, column 2 (x1): the name occurs before, in column 1");
        refused("x1,z,y1\n", "line 1, column 2 (z): 'z' is no name of a column");
        refused("x1,x01,y1\n", "'x01' is no name");
        refused("x1,y1\n1\n", "line 2: 1 field, but the header has 2");
        refused("x1,y1\n1,2,3\n", "line 2: 3 fields, but the header has 2");
        refused("x1,y1\n1,\n", "line 2, column 2 (y1): the field is empty");
        refused("x1,y1\n#\n1,n/a\n", "line 3, column 2 (y1): 'n/a' is not a number such as 3");
        refused("x1,y1\n1,1.5.2\n", "is not a number");
        refused("x1,y1\n1,0x10\n", "is not a number");
        refused("x1,y1\n1,inf\n", "is not a finite number");
        refused("x1,y1\n1,nan\n", "is not a finite number");
        refused("x1,y1\n1,1e999\n", "outside the range of double");
        refused("x1,y1\n1,1/0\n", "divides by 0");
        refused("x1,y1\n1,1/-2\n", "is not a number");
        refused("x1,y1\n\"1,2\n", "quotation mark is not closed");
        refused("x1,y1\n\"1\"2,2\n", "text after the closing quotation mark");
        refused("x1,label\n1,1.5\n", "line 2, column 2 (label): '1.5' is no class");
        refused("x1,label\n1,-1\n", "'-1' is no class");
        CHECK_THROWS_WITH_AS(static_cast<void>(parse_float_csv<double>("x1,label\n1,10000\n", "d")),
                             doctest::Contains("'10000' is a class beyond 9999"), isserlis::UnsupportedError);
    }

    TEST_CASE("property: numbers are those of the exact reader, rounded") {
        rc::check("two readers that share no code", [] {
            auto const samples = *rc::gen::inRange(1, 6);
            std::string text = "x1,x2,y1\n";
            for (int k = 0; k < samples; ++k) {
                for (int i = 0; i < 3; ++i) {
                    auto const whole = *rc::gen::inRange(-100000, 100000);
                    auto const exponent = *rc::gen::inRange(-30, 30);
                    auto const below = *rc::gen::inRange(1, 1000);
                    text += i > 0 ? "," : "";
                    text += *rc::gen::arbitrary<bool>() ? std::to_string(whole) + "e" + std::to_string(exponent)
                                                        : std::to_string(whole) + "/" + std::to_string(below);
                }
                text += "\n";
            }
            auto const data = parse_float_csv<double>(text, "p");
            auto const exact = isserlis::parse_data_csv(text, "p");
            auto const inputs = isserlis::input_doubles(exact);
            auto const targets = isserlis::target_doubles(exact);
            for (int k = 0; k < samples; ++k) {
                auto const at = static_cast<std::size_t>(k);
                RC_ASSERT(data.inputs(0, k) == inputs[at][0]);
                RC_ASSERT(data.inputs(1, k) == inputs[at][1]);
                RC_ASSERT(data.targets(0, k) == targets[at][0]);
            }
        });
    }

    TEST_CASE("property: no bytes do worse than an error") {
        rc::check("any text", [](std::string const& text) {
            try {
                static_cast<void>(parse_float_csv<double>("x1,label\n" + text, "p"));
            } catch (isserlis::Error const&) {
            }
        });
    }
}
