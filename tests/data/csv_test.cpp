// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/data/csv.hpp>
#include <isserlis/error.hpp>

namespace {

using isserlis::DataSet;
using isserlis::parse_data_csv;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::Surd;
using Row = std::vector<Rational>;

void check_refused(std::string const& text, std::string const& message) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(parse_data_csv(text, "d.csv"), message.c_str(), isserlis::ParseError);
}

}  // namespace

TEST_SUITE("data/csv") {
    TEST_CASE("numbers are exact, and a constant feature 1 is appended") {
        auto const data = parse_data_csv("x1,x2,y1\n0.1,-2,3\n1/3,+.5,-7e-2\n1.25E+2,4.,0\n", "d.csv");
        CHECK(data.samples() == 3);
        CHECK(data.input_width() == 3);
        CHECK(data.output_width() == 1);
        CHECK(data.inputs[0] == Row{ratio(1, 10), -2, 1});
        CHECK(data.inputs[1] == Row{ratio(1, 3), ratio(1, 2), 1});
        CHECK(data.inputs[2] == Row{125, 4, 1});
        CHECK(data.squared_scales == Row{1, 1, 1});
        CHECK(exact_targets(data)[1][0] == Surd(ratio(-7, 100)));
        CHECK(input_doubles(data)[0] == std::vector<double>{0.1, -2, 1});
        CHECK(data.gradients.empty());
        CHECK(data.hessians.empty());
    }

    TEST_CASE("quotes, CRLF, comments, empty lines, blanks, a byte order mark and any order of columns") {
        auto const data = parse_data_csv(
            "\xEF\xBB\xBF# made by hand\r\n\"y1\" , x2,\"x1\"\r\n\r\n \"1\" ,2, 3\r\n# between\r\n\t4,\"5\",6",
            "d.csv");
        REQUIRE(data.samples() == 2);
        CHECK(data.inputs[0] == Row{3, 2, 1});
        CHECK(data.inputs[1] == Row{6, 5, 1});
        CHECK(target_doubles(data) == std::vector<std::vector<double>>{{1}, {4}});
        CHECK(data.place_of_target(1, 0) == "data 'd.csv', line 6, column 1 (y1)");
    }

    TEST_CASE("gradients and Hessians") {
        auto const data = parse_data_csv("x1,g2,g1,h1_1,h2_1,h2_2\n1,2,3,4,5,6\n", "d.csv");
        CHECK(data.output_width() == 2);
        CHECK(data.targets.empty());
        CHECK(data.gradients == std::vector<Row>{{3, 2}});
        CHECK(data.hessians[0] == std::vector<Row>{{4, 5}, {5, 6}});
        CHECK(gradient_doubles(data)[0] == std::vector<double>{3, 2});
        CHECK(hessian_doubles(data)[0][1] == std::vector<double>{5, 6});
        auto const both = parse_data_csv("x1,y1,g1,h1_1\n1,2,3,4\n", "d.csv");
        CHECK(both.hessians[0] == std::vector<Row>{{4}});
        auto const full = parse_data_csv("x1,y1,y2,h1_1,h1_2,h2_1,h2_2\n1,2,3,4,.5,1/2,0\n", "d.csv");
        CHECK(full.hessians[0] == std::vector<Row>{{4, ratio(1, 2)}, {ratio(1, 2), 0}});
    }

    TEST_CASE("what is wrong is named with file, line and column") {
        check_refused("", "data 'd.csv' is empty; a header such as x1,x2,y1 and one line a sample are needed");
        check_refused("# only\n\n",
                      "data 'd.csv' is empty; a header such as x1,x2,y1 and one line a sample are needed");
        check_refused("x1,y1\n", "data 'd.csv', line 1: the header is not followed by any sample");
        check_refused("x1,y1\n1,2\n3\n", "data 'd.csv', line 3: 1 field, but the header has 2");
        check_refused("x1,y1\n1,2,3\n", "data 'd.csv', line 2: 3 fields, but the header has 2");
        check_refused("x1,y1\n1,abc\n",
                      "data 'd.csv', line 2, column 2 (y1): 'abc' is not a number such as 3, -0.25, 1e-3 or 2/3");
        check_refused("x1,y1\n1,\n", "data 'd.csv', line 2, column 2 (y1): the field is empty; a number is needed");
        for (std::string const text : {"nan", "NaN", "inf", "-Inf", "+Infinity"})
            check_refused("# c\nx1,y1\n" + text + ",2\n",
                          "data 'd.csv', line 3, column 1 (x1): '" + text + "' is not a finite number");
        for (std::string const text : {"1/0", "1/", "--1", "1e", "1.2.3", ".", "1/2/3", "0x10", "1 2"})
            check_refused("x1,y1\n" + text + ",2\n", "data 'd.csv', line 2, column 1 (x1): '" + text +
                                                         "' is not a number such as 3, -0.25, 1e-3 or 2/3");
        check_refused("x1,x3,y1\n1,2,3\n", "data 'd.csv', line 1: there is no column x2, but there is x3");
        check_refused("y1\n1\n", "data 'd.csv', line 1: there is no column x1; features x1, x2, .. are needed");
        check_refused("x1\n1\n",
                      "data 'd.csv', line 1: there is no column y1; targets y1, y2, .. or gradients g1, g2, .. "
                      "are needed");
        check_refused("x1,y2\n1,1\n", "data 'd.csv', line 1: there is no column y1, but there is y2");
        check_refused("x1,y1,g1,g2\n1,1,1,1\n",
                      "data 'd.csv', line 1: there are 1 targets but 2 gradients; each output has one of both");
        check_refused("x1,y1,x1\n1,1,1\n", "data 'd.csv', line 1, column 3 (x1): the name occurs before, in column 1");
        for (std::string const name : {"z1", "x", "x0", "x01", "X1", "x1_1", "h1", "h1_", "y1.", "", "x1;y1"})
            check_refused("y1," + name + "\n1,1\n",
                          "data 'd.csv', line 1, column 2 (" + name + "): '" + name +
                              "' is no name of a column; known are x1, x2, .., y1, .., g1, .. and h1_1, h1_2, .., "
                              "separated by commas");
        check_refused("x1,y1,y2,h1_1,h1_2\n1,1,1,1,1\n",
                      "data 'd.csv', line 1: there is no column h2_2, but there are "
                      "others; all entries of one triangle are needed");
        check_refused("x1,y1,h1_1,h1_2\n1,1,1,1\n", "data 'd.csv', line 1, column 4 (h1_2): there are 1 outputs only");
        check_refused("x1,y1,y2,h1_1,h1_2,h2_1,h2_2\n1,2,3,4,5,6,7\n",
                      "data 'd.csv', line 2, column 6 (h2_1): the Hessian is not symmetric: h1_2 is 5");
        check_refused("x1,y1\n\"1,2\n",
                      "data 'd.csv', line 2, column 1 (x1): the quotation mark is not closed in the "
                      "same line");
        check_refused("x1,y1\n\"1\"0,2\n",
                      "data 'd.csv', line 2, column 1 (x1): there is text after the closing quotation mark");
        CHECK_THROWS_WITH_AS(parse_data_csv("x1,y1\n1,1e10001\n", "d.csv"),
                             "data 'd.csv', line 2, column 2 (y1): the exponent 10001 is beyond 10000",
                             isserlis::UnsupportedError);
        CHECK_THROWS_AS(parse_data_csv("x1,y1\n1,1e99999999999999999999\n", "d.csv"), isserlis::UnsupportedError);
    }

    TEST_CASE("the network's widths have to be those of the data") {
        auto const data = parse_data_csv("x1,x2,y1\n1,2,3\n", "d.csv");
        CHECK_NOTHROW(require_widths(data, 3, 1));
        CHECK_THROWS_WITH_AS(
            require_widths(data, 2, 1),
            "data 'd.csv' has 2 features and the constant one that is appended, so `widths` starts with "
            "3; here it starts with 2",
            isserlis::DomainError);
        CHECK_THROWS_WITH_AS(require_widths(data, 3, 4),
                             "data 'd.csv' has 1 target a sample, so `widths` ends with 1; here it ends with 4",
                             isserlis::DomainError);
    }
}
