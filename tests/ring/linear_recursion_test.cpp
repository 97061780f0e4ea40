// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/ring/linear_recursion.hpp>

#include "property.hpp"
#include "random_elements.hpp"

using isserlis::Integer;
using isserlis::LinearStep;
using isserlis::Matrix2;
using isserlis::Vector2;
using isserlis::testing::any_int;
using isserlis::testing::holds;

namespace {

std::vector<LinearStep<Integer>> any_steps(int most, int most_repeats) {
    std::vector<LinearStep<Integer>> steps;
    int const size = any_int(0, most);
    for (int i = 0; i < size; ++i) {
        steps.push_back({.matrix = {.a = any_int(-3, 3), .b = any_int(-3, 3), .c = any_int(-3, 3), .d = any_int(-3, 3)},
                         .count = static_cast<std::uint64_t>(any_int(0, most_repeats))});
    }
    return steps;
}

/// Entries of every size around a machine word, of either sign.
Integer any_entry() {
    Integer const word = isserlis::power(Integer(2), 64);
    switch (any_int(0, 9)) {
        case 0: return -any_int(0, 5);
        case 1: return word - any_int(0, 2);
        case 2: return word + any_int(0, 2);
        case 3: return isserlis::power(Integer(2), 63) + any_int(-1, 1);
        case 4: return isserlis::power(Integer(2), 32) + any_int(-1, 1);
        case 5: return 0;
        default: return any_int(0, 1'000'000);
    }
}

/// (a x + b y, c x + d y), written out once more.
Vector2<Integer> walked(std::vector<LinearStep<Integer>> const& steps, Vector2<Integer> v) {
    for (auto const& s : steps) {
        for (std::uint64_t i = 0; i < s.count; ++i) {
            Integer const x = s.matrix.a * v.first + s.matrix.b * v.second;
            Integer const y = s.matrix.c * v.first + s.matrix.d * v.second;
            v = {.first = x, .second = y};
        }
    }
    return v;
}

}  // namespace

TEST_SUITE("ring/linear_recursion") {
    TEST_CASE("the tree and the walk give the same vectors, whatever the steps and repeats") {
        holds([] {
            auto const steps = any_steps(20, 15);
            Vector2<Integer> const u{any_int(-9, 9), any_int(-9, 9)};
            Vector2<Integer> const v{any_int(-9, 9), any_int(-9, 9)};
            for (bool const tree : {false, true}) {
                std::array<Vector2<Integer>, 2> state{u, v};
                apply(steps, std::span<Vector2<Integer>>(state), tree);
                RC_ASSERT(state[0].first == walked(steps, u).first);
                RC_ASSERT(state[0].second == walked(steps, u).second);
                RC_ASSERT(state[1].first == walked(steps, v).first);
                RC_ASSERT(state[1].second == walked(steps, v).second);
            }
        });
    }

    // Leaves of the tree run in machine words: no entry may be cut off at 2^64, and no sign lost.
    TEST_CASE("entries around the size of a machine word change nothing") {
        holds([] {
            std::vector<LinearStep<Integer>> steps;
            bool const small = any_int(0, 1) == 0;
            auto entry = [small] { return small ? Integer(any_int(0, 3)) : any_entry(); };
            for (int i = any_int(1, 200); i > 0; --i) {
                steps.push_back({.matrix = {.a = entry(), .b = entry(), .c = entry(), .d = entry()},
                                 .count = static_cast<std::uint64_t>(any_int(0, 9) == 0 ? any_int(0, 12) : 1)});
            }
            Vector2<Integer> const v{any_entry(), any_entry()};
            std::array<Vector2<Integer>, 1> state{v};
            apply(steps, std::span<Vector2<Integer>>(state), true);
            RC_ASSERT(state[0].first == walked(steps, v).first);
            RC_ASSERT(state[0].second == walked(steps, v).second);
        });
    }

    // Fibonacci numbers: F(300) from OEIS A000045 by its doubling identity F(2k) = F(k)(2F(k+1) - F(k)).
    TEST_CASE("a long run of one step is the power of its matrix") {
        std::vector<LinearStep<Integer>> const steps = {{.matrix = {.a = 1, .b = 1, .c = 1, .d = 0}, .count = 300}};
        std::vector<LinearStep<Integer>> const half = {{.matrix = {.a = 1, .b = 1, .c = 1, .d = 0}, .count = 150}};
        std::array<Vector2<Integer>, 1> all{Vector2<Integer>{1, 0}};
        std::array<Vector2<Integer>, 1> middle{Vector2<Integer>{1, 0}};
        apply(steps, std::span<Vector2<Integer>>(all), true);
        apply(half, std::span<Vector2<Integer>>(middle), true);
        Integer const f = middle[0].second;
        Integer const g = middle[0].first;
        CHECK(all[0].second == f * (2 * g - f));
        CHECK(f > 0);
    }

    TEST_CASE("matrices multiply from the left: the first step acts first") {
        Matrix2<int> const a{1, 2, 3, 4};
        Matrix2<int> const b{0, 1, 1, 0};
        auto const product = a * b;
        CHECK(product.a == 2);
        CHECK(product.b == 1);
        CHECK(product.c == 4);
        CHECK(product.d == 3);
        std::vector<LinearStep<int>> const steps = {{.matrix = a, .count = 1}, {.matrix = b, .count = 1}};
        std::array<Vector2<int>, 1> state{Vector2<int>{1, 1}};
        apply(steps, std::span<Vector2<int>>(state), false);
        CHECK(state[0].first == 7);
        CHECK(state[0].second == 3);
    }

    TEST_CASE("no steps change nothing") {
        std::array<Vector2<int>, 1> state{Vector2<int>{5, 6}};
        apply(std::vector<LinearStep<int>>{}, std::span<Vector2<int>>(state), true);
        CHECK(state[0].first == 5);
        CHECK(state[0].second == 6);
    }
}
