// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/data/built_in.hpp>
#include <isserlis/data/csv.hpp>
#include <isserlis/data/distinct_samples.hpp>

#include <cmath>

using isserlis::cosine_data;
using isserlis::distinct_samples;
using isserlis::LossKind;
using isserlis::output_derivatives;
using isserlis::parse_data_csv;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::Surd;
using Row = std::vector<Rational>;
using SurdRows = std::vector<std::vector<Surd>>;

TEST_SUITE("data/distinct_samples") {
    // By hand: two of three samples at x = 1, so that sums count by 2/3.
    TEST_CASE("samples of equal inputs are one, with the sums of their derivatives") {
        auto const data = parse_data_csv("x1,g1,h1_1\n1,3,1\n2,5,4\n1,-1,3\n", "d.csv");
        auto const merged = distinct_samples(data, output_derivatives(data, LossKind::squared, {0}));
        CHECK(merged.data.inputs == std::vector<Row>{{1, 1}, {2, 1}});
        CHECK(exact_gradients(merged.data, merged.derivatives) == SurdRows{{ratio(4, 3)}, {ratio(10, 3)}});
        CHECK(exact_hessians(merged.derivatives) == std::vector<SurdRows>{{{ratio(8, 3)}}, {{ratio(8, 3)}}});
        CHECK(merged.data.output_width() == 1);
        auto const labels = parse_data_csv("x1,y1\n1,0\n1,1\n2,1\n", "d.csv");
        auto const at_zero = distinct_samples(labels, output_derivatives(labels, LossKind::binary_cross_entropy, {0}));
        CHECK(exact_gradients(at_zero.data, at_zero.derivatives) == SurdRows{{0}, {ratio(-1, 3)}});
        CHECK(exact_hessians(at_zero.derivatives) == std::vector<SurdRows>{{{ratio(1, 3)}}, {{ratio(1, 6)}}});
        auto const far = distinct_samples(labels, output_derivatives(labels, LossKind::binary_cross_entropy, {1}));
        double const p = 1 / (1 + std::exp(-1.0));
        CHECK(gradient_doubles(far.data, far.derivatives)[0][0] == doctest::Approx(2.0 / 3 * (2 * p - 1)));
        CHECK(hessian_doubles(far.derivatives)[0][0][0] == doctest::Approx(4.0 / 3 * p * (1 - p)));
        auto const different =
            distinct_samples(cosine_data(), output_derivatives(cosine_data(), LossKind::squared, {0}));
        CHECK(different.data.samples() == 16);
    }
}
