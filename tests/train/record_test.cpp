// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <bit>
#include <isserlis/error.hpp>
#include <isserlis/train/record.hpp>
#include <limits>

namespace {

using namespace isserlis::train;
using Limits = std::numeric_limits<double>;

Record example() {
    Record out{.kind = "test-rows", .run = 0xfeedU};
    out.add("limits", std::vector<double>{Limits::max(), Limits::denorm_min(), -0.0, Limits::infinity(), 0.1});
    out.add("empty", std::vector<double>{});
    out.add("pair", std::vector<double>{-1, 3e-300});
    return out;
}

}  // namespace

TEST_SUITE("train/record") {
    TEST_CASE("every bit comes back") {
        Record const out = parse_record(record_text(example()), "test-rows", 0xfeedU, "here");
        REQUIRE(out.rows.size() == 3);
        Record const before = example();
        for (std::size_t k = 0; k < 3; ++k) {
            auto const& wanted = before.rows[k];
            CHECK(out.rows[k].key == wanted.key);
            REQUIRE(out.rows[k].numbers.size() == wanted.numbers.size());
            for (std::size_t i = 0; i < wanted.numbers.size(); ++i)
                CHECK(std::bit_cast<std::uint64_t>(out.rows[k].numbers[i]) ==
                      std::bit_cast<std::uint64_t>(wanted.numbers[i]));
        }
    }

    TEST_CASE("a text that is cut short anywhere, or has any byte changed, is refused") {
        std::string const text = record_text(example());
        auto const read = [](std::string const& t) {
            static_cast<void>(parse_record(t, "test-rows", 0xfeedU, "here"));
        };
        for (std::size_t i = 0; i < text.size(); ++i) {
            CAPTURE(i);
            CHECK_THROWS_AS(read(text.substr(0, i)), isserlis::Error);
            std::string changed = text;
            changed[i] = static_cast<char>(changed[i] ^ 1);
            CHECK_THROWS_AS(read(changed), isserlis::Error);
        }
        CHECK_THROWS_AS(read(text + "more\n"), isserlis::ParseError);
        CHECK_NOTHROW(read(text));
    }

    TEST_CASE("messages name the place and what is wrong") {
        std::string const text = record_text(example());
        CHECK_THROWS_WITH_AS(static_cast<void>(parse_record("x1,y1\n", "test-rows", 1, "f.txt")),
                             "f.txt: no test-rows file of isserlis; its first line should be 'isserlis test-rows 1'",
                             isserlis::ParseError);
        CHECK_THROWS_WITH_AS(static_cast<void>(parse_record(text, "test-rows", 1, "f.txt")),
                             doctest::Contains("f.txt: it was left by another run"), isserlis::DomainError);
        std::string later = text;
        later.replace(later.find(" 1\n"), 3, " 2\n");
        CHECK_THROWS_WITH_AS(static_cast<void>(parse_record(later, "test-rows", 0xfeedU, "f.txt")),
                             doctest::Contains("version '2'"), isserlis::UnsupportedError);
        CHECK_THROWS_WITH_AS(static_cast<void>(example().only("triple", "f.txt")),
                             doctest::Contains("'triple' is missing"), isserlis::ParseError);
    }

    // FNV-1a of "a" and a byte 0, by hand: ((basis ^ 0x61) p ^ 0) p.
    TEST_CASE("fingerprints") {
        Fingerprint a;
        a.add("a");
        std::uint64_t const prime = 0x100000001b3U;
        CHECK(a.value() == ((0xcbf29ce484222325U ^ 0x61U) * prime) * prime);
        Fingerprint zero;
        Fingerprint negative_zero;
        zero.add(0.0);
        negative_zero.add(-0.0);
        CHECK(zero.value() != negative_zero.value());
    }
}
