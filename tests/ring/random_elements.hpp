// SPDX-License-Identifier: MIT
#pragma once
#include <rapidcheck.h>

#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/surd.hpp>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

// RapidCheck prints counterexamples through operator<<, found where the type is.
namespace isserlis {

inline void showValue(Surd const& x, std::ostream& out) { out << to_string(x); }
inline void showValue(RationalFunction const& x, std::ostream& out) { out << to_string(x); }

}  // namespace isserlis

namespace isserlis::testing {

/// From `low` to `high`, both included, all equally likely from the first run on.
[[nodiscard]] inline int any_int(int low, int high) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1));
}

[[nodiscard]] inline Integer integer_of_digits(int digits) {
    Integer out = any_int(1, 9);
    for (int i = 1; i < digits; ++i) out = out * 10 + any_int(0, 9);
    return out;
}

[[nodiscard]] inline Rational any_rational() { return ratio(any_int(-12, 12), any_int(1, 9)); }
[[nodiscard]] inline Rational positive_rational() { return ratio(any_int(1, 12), any_int(1, 9)); }

/// Up to three terms with radicands below 31; any value is possible, 0 included.
[[nodiscard]] inline Surd any_surd(int most_terms = 3) {
    Surd out;
    int const terms = any_int(0, most_terms);
    for (int i = 0; i < terms; ++i) out = out + Surd::monomial(any_rational(), Integer(any_int(1, 30)));
    return out;
}

/// A formula as a tree, kept apart from the rings that evaluate it.
struct Tree {
    enum class Kind {
        number,
        symbol,
        root_of_symbol,
        root_of_integer,
        root_of_sum,
        sum,
        difference,
        product,
        quotient,
        power
    };
    Kind kind = Kind::number;
    Rational number;     ///< `number`; the radicand; what is added under `root_of_sum`; the exponent of `power`
    std::string symbol;  ///< `symbol`, `root_of_symbol`, `root_of_sum`
    std::vector<Tree> operands;
};

inline std::string to_string(Tree const& e) {
    using K = Tree::Kind;
    auto two = [&](char const* op) { return "(" + to_string(e.operands[0]) + op + to_string(e.operands[1]) + ")"; };
    switch (e.kind) {
        case K::number: return isserlis::to_string(e.number);
        case K::symbol: return e.symbol;
        case K::root_of_symbol: return "sqrt(" + e.symbol + ")";
        case K::root_of_integer: return "sqrt(" + isserlis::to_string(e.number) + ")";
        case K::root_of_sum: return "sqrt(" + e.symbol + "+" + isserlis::to_string(e.number) + ")";
        case K::sum: return two(" + ");
        case K::difference: return two(" - ");
        case K::product: return two(" * ");
        case K::quotient: return two(" / ");
        case K::power: return "(" + to_string(e.operands[0]) + ")^" + isserlis::to_string(e.number);
    }
    return {};
}

inline void showValue(Tree const& e, std::ostream& out) { out << to_string(e); }

/// Which leaves a random expression may have.
enum class Leaves { rational, roots_of_symbols, all_roots };

[[nodiscard]] inline Tree any_leaf(Leaves leaves) {
    using K = Tree::Kind;
    static char const* const names[] = {"m", "n"};
    std::string const name = names[any_int(0, 1)];
    int const choice = any_int(0, leaves == Leaves::rational ? 4 : leaves == Leaves::roots_of_symbols ? 6 : 10);
    if (choice < 2) return {.kind = K::number, .number = any_rational(), .symbol = {}, .operands = {}};
    if (choice < 5) return {.kind = K::symbol, .number = 0, .symbol = name, .operands = {}};
    if (choice < 7) return {.kind = K::root_of_symbol, .number = 0, .symbol = name, .operands = {}};
    if (choice < 9) return {.kind = K::root_of_integer, .number = any_int(2, 12), .symbol = {}, .operands = {}};
    // Few of them, so that the same one meets itself.
    return {.kind = K::root_of_sum, .number = any_int(1, 2), .symbol = "n", .operands = {}};
}

[[nodiscard]] inline Tree any_tree(int depth, Leaves leaves) {
    using K = Tree::Kind;
    int const choice = depth == 0 ? 0 : any_int(0, 9);
    if (choice == 0) return any_leaf(leaves);
    if (choice == 9) {
        return {.kind = K::power, .number = any_int(0, 3), .symbol = {}, .operands = {any_tree(depth - 1, leaves)}};
    }
    K const kind = choice < 4 ? K::sum : choice < 6 ? K::difference : choice < 8 ? K::product : K::quotient;
    return {.kind = kind,
            .number = 0,
            .symbol = {},
            .operands = {any_tree(depth - 1, leaves), any_tree(depth - 1, leaves)}};
}

/// Evaluates the tree over a ring, given what its symbols are there.
template <class R>
[[nodiscard]] R evaluated(Tree const& e, std::map<std::string, R> const& symbols) {
    using K = Tree::Kind;
    auto at = [&](std::size_t i) { return evaluated<R>(e.operands[i], symbols); };
    switch (e.kind) {
        case K::number: return R(e.number);
        case K::symbol: return symbols.at(e.symbol);
        case K::root_of_symbol: return sqrt(symbols.at(e.symbol));
        case K::root_of_integer: return sqrt(R(e.number));
        case K::root_of_sum: return sqrt(R(symbols.at(e.symbol) + R(e.number)));
        case K::sum: return at(0) + at(1);
        case K::difference: return at(0) - at(1);
        case K::product: return at(0) * at(1);
        case K::quotient: return at(0) / at(1);
        case K::power: return power(at(0), static_cast<std::uint64_t>(numerator_of(e.number)));
    }
    return R(0);
}

}  // namespace isserlis::testing
