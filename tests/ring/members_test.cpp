// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <isserlis/ring/members.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/surd.hpp>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

using isserlis::all_numbers;
using isserlis::converted;
using isserlis::lists_all_members;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::replaced;
using isserlis::Surd;

namespace {

template <class R>
struct Part {
    enum class Kind { plain, other };
    R a{};
    Kind kind = Kind::plain;
    std::array<R, 2> pair{};
    static constexpr auto members = std::tuple{&Part::a, &Part::kind, &Part::pair};
};

template <class R, class Count>
struct Whole {
    std::string name;
    std::vector<Part<R>> parts;
    std::optional<R> perhaps;
    std::map<std::string, std::vector<std::vector<R>>> tables;
    Count count{};
    bool flag = false;
    static constexpr auto members =
        std::tuple{&Whole::name, &Whole::parts, &Whole::perhaps, &Whole::tables, &Whole::count, &Whole::flag};
};

/// A second flag that fits into the padding, so that the size does not tell.
template <class R>
struct Forgetful {
    R a{};
    bool flag = false;
    bool forgotten = false;
    static constexpr auto members = std::tuple{&Forgetful::a, &Forgetful::flag};
};

template <class R>
struct Repetitive {
    R a{};
    R b{};
    static constexpr auto members = std::tuple{&Repetitive::a, &Repetitive::a};
};

using Count = std::uint64_t;

Whole<Surd, Count> example() {
    return {.name = "n",
            .parts = {{.a = 3, .kind = Part<Surd>::Kind::other, .pair = {Surd(1), Surd(2)}}},
            .perhaps = Surd(5),
            .tables = {{"k", {{Surd(7), Surd(8)}, {Surd(9)}}}},
            .count = 4,
            .flag = true};
}

}  // namespace

TEST_SUITE("ring/members") {
    TEST_CASE("a member that is not listed, or twice, is noticed") {
        static_assert(lists_all_members<Part<double>>());
        static_assert(lists_all_members<Part<Surd>>());
        static_assert(lists_all_members<Whole<Rational, Count>>());
        static_assert(!lists_all_members<Forgetful<double>>());
        static_assert(!lists_all_members<Forgetful<Rational>>());
        static_assert(sizeof(Forgetful<double>) == 2 * sizeof(double));
        static_assert(!lists_all_members<Repetitive<double>>());
    }

    TEST_CASE("every number is converted, and all else copied") {
        auto const out = converted<Rational>(example(), [](Surd const& x) { return x.to_rational() / 2; });
        static_assert(std::is_same_v<decltype(out), Whole<Rational, Count> const>);
        CHECK(out.name == "n");
        REQUIRE(out.parts.size() == 1);
        CHECK(out.parts[0].a == ratio(3, 2));
        CHECK(out.parts[0].kind == Part<Rational>::Kind::other);
        CHECK(out.parts[0].pair == std::array{ratio(1, 2), Rational(1)});
        CHECK(out.perhaps == ratio(5, 2));
        CHECK(out.tables.at("k") == std::vector<std::vector<Rational>>{{ratio(7, 2), Rational(4)}, {ratio(9, 2)}});
        CHECK(out.count == 4);
        CHECK(out.flag);

        Whole<Surd, Count> without = example();
        without.perhaps.reset();
        CHECK_FALSE(converted<Rational>(without, [](Surd const& x) { return x.to_rational(); }).perhaps);
    }

    TEST_CASE("numbers by themselves and in rows are converted") {
        CHECK(converted<Surd>(ratio(1, 2)) == Surd(ratio(1, 2)));
        CHECK(converted<Surd>(std::vector<std::vector<Rational>>{{1}, {2, 3}}) ==
              std::vector<std::vector<Surd>>{{1}, {2, 3}});
    }

    TEST_CASE("counts are replaced and numbers stay") {
        auto const out = replaced<Count, double>(example(), [](Count x) { return static_cast<double>(x) + 0.5; });
        static_assert(std::is_same_v<decltype(out), Whole<Surd, double> const>);
        CHECK(out.count == 4.5);
        CHECK(out.parts[0].a == Surd(3));
    }

    TEST_CASE("a predicate is asked of every number, wherever it stands") {
        auto const all_rational = [](auto const& x) {
            return all_numbers(x, [](Surd const& y) { return y.is_rational(); });
        };
        CHECK(all_rational(example()));
        Surd const root = sqrt(Surd(2));
        auto const with = [&](auto const& put) {
            auto out = example();
            put(out);
            return out;
        };
        CHECK_FALSE(all_rational(with([&](auto& x) { x.parts[0].a = root; })));
        CHECK_FALSE(all_rational(with([&](auto& x) { x.parts[0].pair[1] = root; })));
        CHECK_FALSE(all_rational(with([&](auto& x) { x.perhaps = root; })));
        CHECK_FALSE(all_rational(with([&](auto& x) { x.tables["k"][1][0] = root; })));
        CHECK_FALSE(all_rational(root));
    }
}
