// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/gate_moments.hpp>
#include <isserlis/formula/product_moments.hpp>
#include <isserlis/formula/squared_norm.hpp>

// The strand engine against published values, and as the second leg of the formulas: it shares no code with them.

#include "plain_chain.hpp"

TEST_SUITE("strand/plain_chain") {
    namespace {

    using namespace plain;
    using plain::Bundle;
    using plain::StrandLabel;

    std::vector<Rational> gate(Rational const& slope, unsigned strands) {
        std::vector<Rational> out{Rational(1)};
        for (unsigned k = 1; k <= strands; ++k) out.push_back((Rational(1) + power(slope, k)) / Rational(2));
        return out;
    }

    /// Layers of a network with variance 2/fan_in and ReLU gates but for the last one.
    std::vector<StrandLayer<Rational>> he_relu(std::vector<int> const& widths, unsigned strands) {
        std::vector<StrandLayer<Rational>> out;
        for (std::size_t l = 1; l < widths.size(); ++l) {
            bool const hidden = l + 1 < widths.size();
            out.push_back({.width = Rational(widths[l]),
                           .variance = ratio(2, widths[l - 1]),
                           .gated = hidden,
                           .gate_moments = gate(Rational(0), strands)});
        }
        return out;
    }

    /// All strands read the same input of squared norm x2.
    std::vector<std::vector<Rational>> one_input(unsigned strands, Rational const& x2) {
        return std::vector<std::vector<Rational>>(strands, std::vector<Rational>(strands, x2));
    }

    Partition pairs(unsigned strands) {
        std::vector<unsigned> label(strands);
        for (unsigned i = 0; i < strands; ++i) label[i] = i / 2;
        return Partition(label);
    }

    }  // namespace

    // strands.md, section 5: ReLU, variance 2/fan-in, |x|^2 = n_0; strands A, B, C, D with labels mu, nu.
    TEST_CASE("the four parts of the squared Hessian norm have their tabulated values") {
        struct Row {
            std::vector<int> widths;
            Rational functional, target, cross, gauss_newton;
        };
        std::vector<Row> const rows = {
            {{2, 3, 1}, 16, 6, 8, ratio(152, 3)},
            {{2, 3, 4, 1}, ratio(460, 3), 26, ratio(238, 3), ratio(982, 3)},
            {{3, 2, 3, 2, 1}, ratio(2902, 3), 37, 725, ratio(5450, 3)},
        };
        for (auto const& row : rows) {
            auto value = [&](unsigned strands, std::vector<StrandLabel> labels) {
                return expectation(Bundle<Rational>{.outputs = pairs(strands),
                                                    .labels = std::move(labels),
                                                    .gram = one_input(strands, Rational(row.widths.front()))},
                                   he_relu(row.widths, strands));
            };
            CHECK(value(4, {{{0, 1}}, {{0, 1}}}) == row.functional);    // d2z d2z z z
            CHECK(value(2, {{{0, 1}}, {{0, 1}}}) == row.target);        // d2z d2z
            CHECK(value(4, {{{0, 1}}, {{0, 2}}}) == row.cross);         // d2z dz dz z
            CHECK(value(4, {{{0, 2}}, {{1, 3}}}) == row.gauss_newton);  // dz dz dz dz
        }
    }

    TEST_CASE("squared norms up to the fourth power agree with the closed form for every gate") {
        for (Rational const& slope : {Rational(0), Rational(1), ratio(1, 3)}) {
            FullyConnected<Rational, std::uint64_t> net{
                .layers = {{.fan_in = 2, .fan_out = 3, .count = 1, .variance = ratio(1, 2)},
                           {.fan_in = 3, .fan_out = 4, .count = 1, .variance = ratio(2, 3)},
                           {.fan_in = 4, .fan_out = 2, .count = 1, .variance = ratio(5, 4)}},
                .activation = {.kind = ActivationKind::leaky, .slope = slope}};
            for (Reading const reading : {Reading::preactivation, Reading::activation}) {
                auto const closed = relative_norm_moments(net, reading, 4);
                for (unsigned p = 1; p <= 4; ++p) {
                    std::vector<StrandLayer<Rational>> layers;
                    for (auto const& run : net.layers) {
                        layers.push_back({.width = run.fan_out,
                                          .variance = run.variance,
                                          .gated = true,
                                          .gate_moments = gate(slope, 2 * p)});
                    }
                    layers.back().gated = reading == Reading::activation;
                    Bundle<Rational> const bundle{.outputs = pairs(2 * p), .gram = one_input(2 * p, Rational(1))};
                    CHECK(expectation(bundle, layers) == closed[p]);
                }
            }
        }
    }

    TEST_CASE("the fourth power of the norm agrees with the recursion for any kurtosis") {
        for (Rational const& kurtosis : {Rational(1), ratio(9, 5), Rational(6)}) {
            for (Rational const& flatness : {ratio(1, 2), ratio(3, 4)}) {
                FullyConnected<Rational, std::uint64_t> net{.layers = {},
                                                            .activation = {.kind = ActivationKind::relu, .slope = 0}};
                std::vector<StrandLayer<Rational>> layers;
                for (auto const& [in, out] : {std::pair(2, 3), std::pair(3, 2), std::pair(2, 4)}) {
                    net.layers.push_back({.fan_in = in,
                                          .fan_out = out,
                                          .count = 1,
                                          .variance = 1,
                                          .law = {.kind = LawKind::kurtosis, .kurtosis_value = kurtosis}});
                    layers.push_back({.width = out,
                                      .variance = 1,
                                      .cumulants = {kurtosis - 3},
                                      .gated = true,
                                      .gate_moments = gate(0, 4)});
                }
                Bundle<Rational> const bundle{
                    .outputs = pairs(4), .gram = one_input(4, Rational(1)), .power_sums = {{{0, 1, 2, 3}, flatness}}};
                CHECK(expectation(bundle, layers) == relative_fourth_norm_moment(net, Reading::activation, flatness));
            }
        }
    }

    TEST_CASE("moments of products of matrices agree with Lemma A.6 for any fourth moments") {
        std::vector<Rational> const fourth = {Rational(1), ratio(9, 5), Rational(5)};
        std::vector<Rational> const inner = {Rational(2), Rational(3)};
        std::vector<ProductStep<Rational>> const steps = {
            {.inner_width = inner[0], .fourth_moment = fourth[1], .count = 1},
            {.inner_width = inner[1], .fourth_moment = fourth[2], .count = 1}};
        auto const expected = product_moments<Rational>(fourth[0], std::span<ProductStep<Rational> const>(steps));
        std::vector<StrandLayer<Rational>> layers;
        for (std::size_t q = 0; q < 3; ++q) {
            layers.push_back({.width = q < 2 ? inner[q] : Rational(1), .variance = 1, .cumulants = {fourth[q] - 3}});
        }
        // Entries b_ij: fixed output rows, one-hot inputs for the columns.
        auto entry = [&](std::vector<unsigned> const& rows, std::vector<unsigned> const& columns) {
            Bundle<Rational> bundle{.outputs = Partition(rows),
                                    .output_indices = Bundle<Rational>::Outputs::fixed,
                                    .gram = one_input(4, Rational(0))};
            for (unsigned a = 0; a < 4; ++a) {
                for (unsigned b = 0; b < 4; ++b) bundle.gram[a][b] = columns[a] == columns[b] ? 1 : 0;
            }
            bundle.power_sums[{0, 1, 2, 3}] = Partition(columns).block_count() == 1 ? 1 : 0;
            return expectation(bundle, layers);
        };
        CHECK(entry({0, 0, 0, 0}, {0, 0, 0, 0}) == expected.rho);
        CHECK(entry({0, 0, 1, 1}, {0, 0, 0, 0}) == expected.gamma);
        CHECK(entry({0, 0, 0, 0}, {0, 0, 1, 1}) == expected.nu);
        CHECK(entry({0, 0, 1, 1}, {0, 0, 1, 1}) == expected.tau);
        CHECK(entry({0, 0, 1, 1}, {0, 1, 0, 1}) == expected.eta);
    }

    TEST_CASE("what cannot be exact is refused") {
        auto const layers = he_relu({2, 3, 1}, 4);
        Bundle<Rational> odd{.outputs = pairs(4), .labels = {{{0, 1, 2}}}, .gram = one_input(4, Rational(1))};
        CHECK_THROWS_AS((void)expectation(odd, layers), UnsupportedError);
        auto gated = layers;
        gated.back().gated = true;
        Bundle<Rational> const apart{.outputs = Partition(std::vector<unsigned>{0, 1}),
                                     .output_indices = Bundle<Rational>::Outputs::fixed,
                                     .gram = one_input(2, Rational(1))};
        CHECK_THROWS_AS((void)expectation(apart, gated), UnsupportedError);  // E relu(z_1) relu(z_2) has a pi in it
        CHECK(expectation(apart, layers) == 0);                              // E z_1 z_2 = 0
        auto rademacher = layers;
        rademacher[0].cumulants = {Rational(-2)};
        Bundle<Rational> const missing{.outputs = pairs(4), .gram = one_input(4, Rational(1))};
        CHECK_THROWS_AS((void)expectation(missing, rademacher), DomainError);
        CHECK_THROWS_AS((void)all_partitions(9), UnsupportedError);
    }
}
