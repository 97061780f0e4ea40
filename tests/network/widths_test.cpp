// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>
#include <string>

using isserlis::parse_widths;
using isserlis::WidthItem;

namespace {

std::string message_of(std::string_view text) {
    try {
        (void)parse_widths(text);
    } catch (isserlis::Error const& e) {
        CHECK(e.argument() == "widths");
        return e.what();
    }
    return "no error";
}

bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

/// The message names the item and where it starts, counted from 1.
void refused(std::string_view text, std::string const& item, int character) {
    std::string const message = message_of(text);
    INFO("text: ", std::string(text), ", message: ", message);
    CHECK_THROWS_AS(parse_widths(text), isserlis::ParseError);
    CHECK(contains(message, "'" + item + "'"));
    CHECK(contains(message, "character " + std::to_string(character)));
}

}  // namespace

TEST_SUITE("network/widths") {
    // design.md, section 4: input first; `10:3` repeats, `n:L` repeats a symbolic number of times.
    TEST_CASE("numbers, symbols and repeats are read in order, with their places") {
        auto const items = parse_widths("784,n:L,10:3,d_out");
        REQUIRE(items.size() == 4);
        CHECK(items[0].width.text == "784");
        CHECK_FALSE(items[0].width.is_symbol);
        CHECK(items[0].count.text == "1");
        CHECK(items[1].width.text == "n");
        CHECK(items[1].width.is_symbol);
        CHECK(items[1].count.text == "L");
        CHECK(items[1].count.is_symbol);
        CHECK(items[1].position == 4);
        CHECK(items[2].count.text == "3");
        CHECK_FALSE(items[2].count.is_symbol);
        CHECK(items[3].width.text == "d_out");
        CHECK(items[3].position == 13);
    }

    TEST_CASE("a repeat alone is a network, and widths have no upper bound") {
        CHECK(parse_widths("10:2").size() == 1);
        CHECK(parse_widths("n:L").size() == 1);
        std::string const wide = "1" + std::string(100, '0');
        CHECK(parse_widths(wide + ",1").front().width.text == wide);
        CHECK(parse_widths("n,n").size() == 2);
        CHECK(parse_widths("1,1").size() == 2);
        CHECK(parse_widths("d0,n1,_x9,E_,e0").size() == 5);
    }

    TEST_CASE("empty text and a single width are refused with the way out") {
        CHECK_THROWS_AS(parse_widths(""), isserlis::ParseError);
        CHECK(contains(message_of(""), "empty"));
        for (auto const* text : {"5", "n", "10:1", "n:1"}) {
            CHECK_THROWS_AS(parse_widths(text), isserlis::ParseError);
            CHECK(contains(message_of(text), "'" + std::string(text) + "'"));
            CHECK(contains(message_of(text), "one width"));
        }
    }

    // The list of issue 2, "Bad input", each behind a good item so that the place is not the first character.
    TEST_CASE("every item that is no width is refused with itself and its place") {
        refused("2,0", "0", 3);
        refused("2,10:0,1", "10:0", 3);
        refused("2,-3", "-3", 3);
        refused("2,+3", "+3", 3);
        refused("2,1.5,1", "1.5", 3);
        refused("2,3/2,1", "3/2", 3);
        refused("2,10:,1", "10:", 3);
        refused("2,:3,1", ":3", 3);
        refused("2,:,1", ":", 3);
        refused("2,1e-3,1", "1e-3", 3);
        refused("2,1_,1", "1_", 3);
        refused("2,0e3,1", "0e3", 3);
        refused("12,010,1", "010", 4);
        refused("12,00", "00", 4);
        refused("2,10:03,1", "10:03", 3);
        refused("2,0x10,1", "0x10", 3);
        refused("2,10:3:2,1", "10:3:2", 3);
        refused("2,10:-1,1", "10:-1", 3);
        refused("2,10:1.5,1", "10:1.5", 3);
        refused("2, 3", " 3", 3);
        refused("2,3 ", "3 ", 3);
        refused("2,n-1,1", "n-1", 3);
        refused("2,2n,1", "2n", 3);
        refused("2,10*3,1", "10*3", 3);
        refused("2;3,1", "2;3", 1);
    }

    TEST_CASE("whole numbers with exponents and separators are numbers, and read as their digits") {
        auto const items = parse_widths("1_000,2.5e3:1e1,1E2");
        REQUIRE(items.size() == 3);
        CHECK(items[0].width.text == "1000");
        CHECK(items[1].width.text == "2500");
        CHECK(items[1].count.text == "10");
        CHECK(items[2].width.text == "100");
        CHECK_THROWS_AS(parse_widths("2,1e1000000000,1"), isserlis::UnsupportedError);
        CHECK_THROWS_AS(parse_widths("2,10:1e9,1"), isserlis::UnsupportedError);
    }

    TEST_CASE("brackets around the list and the words of variances are refused by name") {
        for (auto const* text : {"[2,10,1]", "(2,10,1)", "{2,10:3,1}"}) CHECK(contains(message_of(text), "brackets"));
        CHECK(contains(message_of("2,fan_in,1"), "`variance`"));
        CHECK_THROWS_AS(isserlis::check_symbol("fan_out", "--set"), isserlis::ParseError);
    }

    TEST_CASE("missing items are refused where they are missing") {
        refused(",2,3", "", 1);
        refused("2,,3", "", 3);
        refused("2,3,", "", 5);
        refused(",", "", 1);
    }

    // design.md, section 4, the whole list.
    TEST_CASE("symbols that mean something to an algebra system are refused with a suggestion, their item and place") {
        for (std::string const name :
             {"E", "I", "N", "O", "Q", "S", "e", "i", "pi", "beta", "gamma", "zeta", "lambda", "exp", "log", "sqrt"}) {
            std::string const message = message_of("2," + name + ",1");
            INFO(message);
            CHECK_THROWS_AS(parse_widths("2," + name + ",1"), isserlis::ParseError);
            CHECK(contains(message, "'" + name + "'"));
            CHECK(contains(message, name + "0"));
            CHECK(contains(message, "character 3"));
            CHECK_THROWS_AS(parse_widths("2,n:" + name + ",1"), isserlis::ParseError);
            CHECK_THROWS_AS(isserlis::check_symbol(name, "--set"), isserlis::ParseError);
        }
        CHECK_NOTHROW(isserlis::check_symbol("eta", "--set"));
    }

    TEST_CASE("control characters and invalid UTF-8 are refused and named by their codes, never echoed") {
        for (std::string const& bad : {std::string("2,\x01,1"), std::string("2,3\n,1"), std::string("2,\xff\xfe,1"),
                                       std::string("2,n\x7f,1"), std::string("2,\0,1", 5),
                                       std::string("2,\x1b"
                                                   "31m,1"),
                                       std::string("2,3\t")}) {
            CHECK_THROWS_AS(parse_widths(bad), isserlis::ParseError);
            std::string const message = message_of(bad);
            INFO(message);
            CHECK(contains(message, "\\x"));
            CHECK(contains(message, "character 3"));
            for (char const c : message) CHECK((c >= 0x20 && c < 0x7f));
        }
        std::string const visible = "2,\xe2\x88\x9e,1";  // what is no danger to a terminal stays as it is
        CHECK_THROWS_AS(parse_widths(visible), isserlis::ParseError);
        CHECK(contains(message_of(visible), "'\xe2\x88\x9e' at character 3"));
        for (std::string const& bad : {std::string("n\x01"), std::string(""), std::string("9n"), std::string("n-1")}) {
            CHECK_THROWS_AS(isserlis::check_symbol(bad, "--set"), isserlis::ParseError);
        }
    }

    TEST_CASE("repeats past the limit are an UnsupportedError with an estimate and the way out") {
        for (auto const* text : {"2,10:10000001,1", "2,10:1000000000000000000000000,1", "2,10:18446744073709551616,1",
                                 "2,10:9999999,10:9999999,1", "2,10:9223372036854775807,10:9223372036854775807,1"}) {
            INFO(text);
            CHECK_THROWS_AS(parse_widths(text), isserlis::UnsupportedError);
            std::string const message = message_of(text);
            CHECK(contains(message, "character"));
            CHECK(contains(message, "widths"));
            CHECK(contains(message, "n:L"));
        }
        // Both numbers of a message agree: the list, what stands before it counted, is longer than the limit.
        CHECK(contains(message_of("2,10:10000001,1"), "a list of 10000002 widths"));
        CHECK(contains(message_of("2,10:10000000,1"), "a list of 10000001 widths"));
        CHECK(contains(message_of("2,10:9999999,1"), "'1' at character 14 makes a list of 10000001 widths"));
        CHECK(contains(message_of("2,10:1000000000000000000000000,1"), "10^24"));
        CHECK_NOTHROW(parse_widths("2,10:9999998,1"));
        CHECK_THROWS_AS(parse_widths("2,10:9999999,1"), isserlis::UnsupportedError);
    }

    TEST_CASE("identifiers are ASCII letters, digits and underscores, no digit first") {
        for (auto const* good : {"n", "_", "N_0", "width2"}) CHECK(isserlis::is_identifier(good));
        for (auto const* bad : {"", "2", "2n", "n-1", "n ", " n", "n.m", "\xc3\xa9", "n\n"})
            CHECK_FALSE(isserlis::is_identifier(bad));
    }
}
