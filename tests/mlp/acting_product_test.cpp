// SPDX-License-Identifier: MIT
// Networks of floats beside the same weights in double: what one reverse pass, one forward pass and the norms of maps give.
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/mlp/acting_product.hpp>
#include <isserlis/mlp/graph_adjoints.hpp>
#include <isserlis/mlp/graph_derivatives.hpp>
#include <isserlis/mlp/graph_map_norms.hpp>
#include <isserlis/mlp/matrix_vector.hpp>

#include <algorithm>
#include <cmath>

#include "drawn_graphs.hpp"

namespace {

using isserlis::mlp::ActingProducts;
using isserlis::mlp::forward;
using isserlis::mlp::GraphAdjoints;
using isserlis::mlp::GraphDerivatives;
using isserlis::mlp::GraphLayout;
using isserlis::mlp::GraphMapNorms;
using isserlis::mlp::GraphPass;
using isserlis::mlp::GraphTangents;

/// A float has 24 bits; networks here have some ten products in a row.
constexpr double some_roundings = 1e-5;

void close(std::span<double const> in_float, std::span<double const> in_double) {
    REQUIRE(in_float.size() == in_double.size());
    double largest = 0;
    for (double const x : in_double) largest = std::max(largest, std::abs(x));
    for (std::size_t i = 0; i < in_double.size(); ++i)
        CHECK(std::abs(in_float[i] - in_double[i]) <= some_roundings * largest);
}

/// One network in both precisions, at one input.
struct Both {
    explicit Both(GraphLayout const& layout, unsigned seed) {
        auto const net = graphs::drawn(layout, seed);
        floats.assign(net.weights.begin(), net.weights.end());
        doubles.assign(floats.begin(), floats.end());
        forward(layout, std::span<float const>(floats), net.x, in_float);
        forward(layout, std::span<double const>(doubles), net.x, in_double);
    }

    std::vector<float> floats;
    std::vector<double> doubles;
    GraphPass in_float, in_double;
};

std::vector<graphs::Case> cases_with_one_side() {
    auto out = graphs::cases();
    std::erase_if(out, [](auto const& c) { return c.graph.sides != isserlis::WeightSides::one; });
    return out;
}

}  // namespace

TEST_SUITE("mlp/acting_product") {
    // 2^24 + 1 is no float: in float the sum of 2^24 and 1 is 2^24, in double it is not.
    TEST_CASE("products of floats are taken in float, those of doubles in double") {
        std::vector<float> const w{0x1p24F, 1};
        std::vector<double> const v{0x1p24, 1};
        std::vector<double> const ones{1, 1};
        GraphPass in_float, in_double;
        in_float.floats = w.data();
        in_double.weights = v.data();
        ActingProducts products;
        double out = 0;
        products.times(in_float, 0, 1, 2, ones.data(), &out);
        CHECK(out == 0x1p24);
        products.times(in_double, 0, 1, 2, ones.data(), &out);
        CHECK(out == 0x1p24 + 1);
        products.transposed_times(in_float, 0, 2, 1, ones.data(), &out);
        CHECK(out == 0x1p24);
        products.transposed_times(in_double, 0, 2, 1, ones.data(), &out);
        CHECK(out == 0x1p24 + 1);
        for (bool const before : {false, true}) {
            out = 0.5;
            before ? products.add_before({.rows = 1, .inner = 2, .columns = 1}, ones.data(), in_float, 0, &out)
                   : products.add_times({.rows = 1, .inner = 2, .columns = 1}, in_float, 0, ones.data(), &out);
            CHECK(out == 0x1p24 + 0.5);
            out = 0.5;
            before ? products.add_before({.rows = 1, .inner = 2, .columns = 1}, ones.data(), in_double, 0, &out)
                   : products.add_times({.rows = 1, .inner = 2, .columns = 1}, in_double, 0, ones.data(), &out);
            CHECK(out == 0x1p24 + 1.5);
        }
    }

    // Powers of two are exact: 1.5 * 2^k * (1, 1) has the sum 3 * 2^k, far outside of the range of floats as well.
    TEST_CASE("what floats multiply may be beyond their range") {
        std::vector<float> const w{1, 1};
        GraphPass pass;
        pass.floats = w.data();
        ActingProducts products;
        for (int const power : {-1000, -300, 0, 300, 1000}) {
            CAPTURE(power);
            double const sum = std::ldexp(3, power);
            std::vector<double> const x(2, std::ldexp(1.5, power));
            double out = 0;
            products.times(pass, 0, 1, 2, x.data(), &out);
            CHECK(out == sum);
            products.transposed_times(pass, 0, 2, 1, x.data(), &out);
            CHECK(out == sum);
            products.add_times({.rows = 1, .inner = 2, .columns = 1}, pass, 0, x.data(), &out);
            CHECK(out == 2 * sum);
            products.add_before({.rows = 1, .inner = 2, .columns = 1}, x.data(), pass, 0, &out);
            CHECK(out == 3 * sum);
        }
        std::vector<double> const none(2, 0);
        double out = 1;
        products.times(pass, 0, 1, 2, none.data(), &out);
        CHECK(out == 0);
    }

    // Small whole numbers have no rounding: W = (i + j) mod 5, x_j = j mod 3.
    TEST_CASE("products with vectors of floats are those of doubles, at every width around the lanes") {
        for (std::size_t rows = 1; rows <= 9; ++rows) {
            for (std::size_t cols = 1; cols <= 40; ++cols) {
                std::vector<float> w, x, out(std::max(rows, cols));
                for (std::size_t i = 0; i < rows; ++i)
                    for (std::size_t j = 0; j < cols; ++j) w.push_back(static_cast<float>((i + j) % 5));
                for (std::size_t j = 0; j < std::max(rows, cols); ++j) x.push_back(static_cast<float>(j % 3));
                isserlis::mlp::multiply_vector(rows, cols, w.data(), x.data(), out.data());
                for (std::size_t i = 0; i < rows; ++i) {
                    std::size_t sum = 0;
                    for (std::size_t j = 0; j < cols; ++j) sum += (i + j) % 5 * (j % 3);
                    CHECK(out[i] == static_cast<float>(sum));
                }
                isserlis::mlp::multiply_vector_transposed(rows, cols, w.data(), x.data(), out.data());
                for (std::size_t j = 0; j < cols; ++j) {
                    std::size_t sum = 0;
                    for (std::size_t i = 0; i < rows; ++i) sum += (i + j) % 5 * (i % 3);
                    CHECK(out[j] == static_cast<float>(sum));
                }
            }
        }
    }

    TEST_CASE("values, adjoints, tangents and norms of maps of floats are those of doubles but for rounding") {
        for (auto const& [name, graph] : cases_with_one_side()) {
            CAPTURE(name);
            for (bool const unit : {false, true}) {
                GraphLayout const layout(graph, unit);
                Both const net(layout, 8);
                close(net.in_float.z, net.in_double.z);
                CHECK(net.in_float.z != net.in_double.z);
                CHECK(net.in_float.gates == net.in_double.gates);
                std::size_t const top = layout.output();
                for (std::size_t const count : {std::size_t{1}, layout.nodes()[top].width}) {
                    for (bool const summed : {false, true}) {
                        isserlis::mlp::NeuronRange const of{.node = top, .activated = true, .first = 0, .count = count};
                        GraphAdjoints low(layout, of, 1, summed);
                        GraphAdjoints high(layout, of, 1, summed);
                        std::vector<double> const factors(count, 0.75);
                        summed ? low.backward(net.in_float, factors) : low.backward(net.in_float);
                        summed ? high.backward(net.in_double, factors) : high.backward(net.in_double);
                        for (std::size_t v = 1; v <= top; ++v) close(low.by_z(v), high.by_z(v));
                        std::vector<double> const strengths(layout.edges().size() + layout.nodes().size(), 0.5);
                        GraphTangents along_low(layout, low.rows(), top);
                        GraphTangents along_high(layout, high.rows(), top);
                        along_low.forward(net.in_float, low, strengths);
                        along_high.forward(net.in_double, high, strengths);
                        for (std::size_t v = 1; v <= top; ++v) close(along_low.z(v), along_high.z(v));
                    }
                }
                std::vector<double> const noise(layout.nodes().size(), 1);
                GraphMapNorms low(layout, top);
                GraphMapNorms high(layout, top);
                low.forward(net.in_float, noise);
                high.forward(net.in_double, noise);
                for (std::size_t v = 1; v < top; ++v) close(low.h(v), high.h(v));
                GraphDerivatives<1> by_two_low(layout);
                GraphDerivatives<1> by_two_high(layout);
                std::vector<double> low_numbers, high_numbers;
                for (std::size_t m = 0; m < layout.size(); ++m) {
                    for (auto* const one : {&by_two_low, &by_two_high}) {
                        one->begin(one == &by_two_low ? net.in_float : net.in_double);
                        one->forward({0});
                        one->backward(top, true, 0);
                        (one == &by_two_low ? low_numbers : high_numbers).push_back(one->derivative(m));
                    }
                }
                close(low_numbers, high_numbers);
            }
        }
    }

    TEST_CASE("two sides in floats are refused") {
        GraphLayout const layout(graphs::chain({2, 3, 1}, isserlis::ActivationKind::crelu));
        GraphPass pass;
        std::vector<float> const weights(layout.drawn(), 1);
        CHECK_THROWS_AS(forward(layout, std::span<float const>(weights), std::vector<double>{1, 1}, pass),
                        isserlis::UnsupportedError);
    }
}
