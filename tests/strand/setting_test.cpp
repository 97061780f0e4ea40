// SPDX-License-Identifier: MIT
#include <isserlis/strand/setting.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "graphs.hpp"

namespace {

using namespace graphs;
using Inputs = NetworkInputs<Rational>;
using Parts = std::vector<std::pair<std::vector<unsigned>, std::size_t>>;

std::string refusal(Inputs const& inputs, Parts const& parts) {
    try {
        return "no refusal, but " + to_string(inputs.product(parts));
    } catch (DomainError const& e) {
        return std::string(e.what()) + " (" + e.argument() + ")";
    }
}

bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_SUITE("strand/setting") {
    TEST_CASE("inputs by their coordinates") {
        Inputs inputs;
        inputs.vectors = {{1, 2}, {3, -1}};
        CHECK(inputs.part({0, 1}, 0) == 1);         // 3 - 2
        CHECK(inputs.part({0, 0, 1, 1}, 0) == 13);  // 9 + 4
        CHECK(inputs.part({0, 1}, 1) == 3);
        CHECK(inputs.part({0, 1}, 2) == -2);
        CHECK(inputs.part({}, 0) == 2);
        CHECK(inputs.product({{{0, 1}, 1}, {{0, 0}, 0}}) == 15);
        CHECK(inputs.product({}) == 1);
        CHECK(contains(refusal(inputs, {{{0, 1}, 3}}), "the input has no neuron 3"));
    }

    TEST_CASE("of a norm or a Gram matrix there are second moments, and a fourth of one input") {
        Inputs norm;
        norm.squared_norm = 5;
        CHECK(norm.part({0, 0}, 0) == 5);
        CHECK(contains(refusal(norm, {{{0, 0, 0, 0}, 0}}), "(input_fourth)"));
        CHECK(contains(refusal(norm, {{{0, 0}, 1}}), "coordinates of the input are needed (input)"));
        CHECK(contains(refusal(norm, {{{0, 0, 0, 0, 0, 0}, 0}}), "sum of x_j^6 over the input is needed"));
        norm.fourth = 17;
        CHECK(norm.part({0, 0, 0, 0}, 0) == 17);
        CHECK(contains(refusal(norm, {{{0, 0, 0}, 0}}), "sum of x_j^3"));
        Inputs gram;
        gram.gram = {{5, 1}, {1, 10}};
        CHECK(gram.part({0, 1}, 0) == 1);
        CHECK(gram.part({1, 1}, 0) == 10);
        // The fourth moment of one input says nothing of two.
        CHECK(contains(refusal(gram, {{{0, 0, 1, 1}, 0}}),
                       "sum of x_j^4 over the input is needed; give the input vector (input)"));
        gram.fourth = 17;
        CHECK(contains(refusal(gram, {{{0, 0, 1, 1}, 0}}),
                       "sum of x_j^4 over the input is needed; give the input vector (input)"));
    }

    TEST_CASE("inputs that are drawn together have means of products, in any order") {
        Inputs drawn;
        drawn.means = {{{{0, 0}}, 2}, {{{0, 0}, {0, 1}}, 7}};
        CHECK(drawn.product({{{0, 0}, 0}}) == 2);
        CHECK(drawn.product({{{1, 0}, 0}, {{0, 0}, 0}}) == 7);
        CHECK(contains(refusal(drawn, {{{1, 1}, 0}}), "a mean of products of inputs is not known"));
    }

    TEST_CASE("numbers with roots in the network or beside it") {
        auto const two = Surd(2);
        ObservableSetting<Surd> setting;
        setting.inputs.squared_norm = sqrt(Rational(2));
        auto const net = vanilla<Surd>({two, Surd(3), two});
        CHECK(expectation(parse_query("z[i]^2"), net, setting) == Surd(2) * sqrt(Rational(2)));  // 2 |x|^2
        using F = RationalFunction;
        F const n = F::symbol("n");
        ObservableSetting<F> symbols;
        symbols.inputs.squared_norm = sqrt(n);
        CHECK(expectation(parse_query("z[i]^2"), vanilla<F>({n, n, n}, {.gain = F(2)}), symbols) == F(2) * sqrt(n));
    }
}
