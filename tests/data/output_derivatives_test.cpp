// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/data/built_in.hpp>
#include <isserlis/data/csv.hpp>
#include <isserlis/data/output_derivatives.hpp>
#include <isserlis/error.hpp>
#include <isserlis/mlp/loss.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>

#include <cmath>

namespace {

using isserlis::cosine_data;
using isserlis::Enclosed;
using isserlis::Interval;
using isserlis::LossKind;
using isserlis::output_derivatives;
using isserlis::parse_data_csv;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::Surd;
using Row = std::vector<Rational>;
using SurdRows = std::vector<std::vector<Surd>>;

}  // namespace

TEST_SUITE("data/output_derivatives") {
    // mlp/loss.hpp has the same derivatives in floating point, checked there by finite differences.
    TEST_CASE("exact derivatives are those of the float engine") {
        auto const data = parse_data_csv("x1,y1,y2\n1,0,1\n2,1,0\n", "d.csv");
        for (auto const& loss : isserlis::losses) {
            CAPTURE(loss.name);
            Row const output{ratio(1, 3), -2};
            auto const exact = output_derivatives(data, loss.kind, output);
            isserlis::mlp::Matrix<double> outputs(2, 2);
            for (Eigen::Index k = 0; k < 2; ++k)
                outputs.col(k) << output[0].convert_to<double>(), output[1].convert_to<double>();
            auto const real =
                isserlis::mlp::derivatives_at(loss.kind, outputs, isserlis::mlp::columns(target_doubles(data)));
            CHECK(isserlis::mlp::columns(gradient_doubles(data, exact)).isApprox(real.gradients, 1e-15));
            for (std::size_t k = 0; k < 2; ++k)
                CHECK(isserlis::mlp::columns(hessian_doubles(exact)[k]).isApprox(real.hessians[k], 1e-15));
        }
    }

    // By hand: at output 0, g = -2 y of squared error, softmax is 1/d, sigmoid 1/2.
    TEST_CASE("at the output 0") {
        auto const data = parse_data_csv("x1,y1\n1,1/3\n2,-2\n", "d.csv");
        auto const squared = output_derivatives(data, LossKind::squared, {0});
        CHECK(exact_gradients(data, squared) == std::vector<std::vector<Surd>>{{ratio(-2, 3)}, {4}});
        CHECK(exact_hessians(squared) == std::vector<SurdRows>{{{2}}});
        auto const board = parse_data_csv("x1,y1,y2,y3\n1,0,1,0\n", "d.csv");
        auto const categorical = output_derivatives(board, LossKind::cross_entropy, {5, 5, 5});
        CHECK(exact_gradients(board, categorical)[0] == std::vector<Surd>{ratio(1, 3), ratio(-2, 3), ratio(1, 3)});
        CHECK(exact_hessians(categorical)[0][0] == std::vector<Surd>{ratio(2, 9), ratio(-1, 9), ratio(-1, 9)});
        auto const binary = output_derivatives(board, LossKind::binary_cross_entropy, {0, 0, 0});
        CHECK(exact_gradients(board, binary)[0] == std::vector<Surd>{ratio(1, 2), ratio(-1, 2), ratio(1, 2)});
        CHECK(exact_hessians(binary)[0][1] == std::vector<Surd>{0, ratio(1, 4), 0});
    }

    TEST_CASE("targets that are no surds are enclosed") {
        auto const data = cosine_data();
        auto const at = output_derivatives(data, LossKind::half_squared, {1});
        CHECK_THROWS_AS(static_cast<void>(exact_gradients(data, at)), isserlis::UnsupportedError);
        auto const bounds = enclosed_gradients(data, at, 100);
        for (std::size_t k = 0; k < 16; ++k) {
            CHECK((bounds[k][0].enclose(100) + data.targets[k][0].enclose(100) - Interval(1L, 100)).contains_zero());
            CHECK(gradient_doubles(data, at)[k][0] ==
                  doctest::Approx(1 - data.targets[k][0].to_double()).epsilon(1e-15));
        }
    }

    TEST_CASE("what the data give comes first") {
        auto const all = parse_data_csv("x1,y1,g1,h1_1\n1,0.5,7,3\n", "d.csv");
        auto const given = output_derivatives(all, LossKind::cross_entropy, {9});
        CHECK(exact_gradients(all, given) == std::vector<std::vector<Surd>>{{7}});
        CHECK(exact_hessians(given) == std::vector<SurdRows>{{{3}}});
        auto const half = parse_data_csv("x1,g1\n1,7\n", "d.csv");
        auto const mixed = output_derivatives(half, LossKind::squared, {0});
        CHECK(enclosed_gradients(half, mixed, 60)[0][0] == Enclosed(7));
        CHECK(gradient_doubles(half, mixed) == std::vector<std::vector<double>>{{7}});
        CHECK(exact_hessians(mixed) == std::vector<SurdRows>{{{2}}});
        auto const other = parse_data_csv("x1,y1,h1_1\n1,1,5\n", "d.csv");
        auto const partly = output_derivatives(other, LossKind::squared, {0});
        CHECK(exact_gradients(other, partly) == std::vector<std::vector<Surd>>{{-2}});
        CHECK(exact_hessians(partly) == std::vector<SurdRows>{{{5}}});
    }

    TEST_CASE("what is not exact or does not fit is refused") {
        auto const data = parse_data_csv("x1,y1,y2\n1,0,1\n", "d.csv");
        CHECK_THROWS_AS(static_cast<void>(output_derivatives(data, LossKind::binary_cross_entropy, {1, 1000001})),
                        isserlis::UnsupportedError);
        auto const softmax = output_derivatives(data, LossKind::cross_entropy, {0, 1});
        CHECK_FALSE(softmax.is_exact());
        CHECK_THROWS_WITH_AS(static_cast<void>(exact_gradients(data, softmax)),
                             "`at_output`: a softmax is no sum of square roots", isserlis::UnsupportedError);
        CHECK_THROWS_WITH_AS(static_cast<void>(output_derivatives(data, LossKind::squared, {0})),
                             "`at_output`: it has 1 entries, data 'd.csv' has 2 a sample", isserlis::DomainError);
        auto const soft = parse_data_csv("x1,y1,y2\n1,0.5,0.5\n", "d.csv");
        CHECK_THROWS_AS(static_cast<void>(output_derivatives(soft, LossKind::cross_entropy, {0, 0})),
                        isserlis::DomainError);
    }

    // sigmoid(log-odds) by hand: at z, p = 1/(1 + e^-z); p - 1 = -e^-z/(1 + e^-z) is not 0 where p rounds to 1.
    TEST_CASE("gradients of cross-entropies keep their digits where they are tiny") {
        auto const data = parse_data_csv("x1,y1\n1,1\n2,0\n", "d.csv");
        auto const far = output_derivatives(data, LossKind::binary_cross_entropy, {100});
        auto const doubles = gradient_doubles(data, far);
        CHECK(doubles[0][0] == doctest::Approx(-std::exp(-100)).epsilon(1e-14));
        CHECK(doubles[1][0] == 1);
        CHECK(hessian_doubles(far)[1][0][0] == doctest::Approx(std::exp(-100)).epsilon(1e-14));
        CHECK_FALSE(enclosed_gradients(data, far, 64)[0][0].enclose(64).contains_zero());
    }

    TEST_CASE("enclosures hold those of higher precision; a shift of all outputs changes no softmax") {
        auto const data = parse_data_csv("x1,y1,y2,y3\n1,0,1,0\n", "d.csv");
        auto const at = output_derivatives(data, LossKind::cross_entropy, {0, ratio(1, 3), -2});
        auto const shifted = output_derivatives(data, LossKind::cross_entropy, {5, ratio(16, 3), 3});
        auto const narrow = enclosed_gradients(data, at, 200)[0];
        Interval sum(200);
        for (std::size_t j = 0; j < 3; ++j) {
            Interval const fine = narrow[j].enclose(200);
            Interval const coarse = enclosed_gradients(data, at, 40)[0][j].enclose(40);
            CHECK(mpfr_lessequal_p(coarse.lower(), fine.lower()) != 0);
            CHECK(mpfr_lessequal_p(fine.upper(), coarse.upper()) != 0);
            CHECK((fine - enclosed_gradients(data, shifted, 200)[0][j].enclose(200)).contains_zero());
            sum = sum + fine;
            auto const rows = enclosed_hessians(at, 200)[0];
            CHECK((rows[j][0] + rows[j][1] + rows[j][2]).enclose(200).contains_zero());  // softmax sums to 1
        }
        CHECK(sum.contains_zero());
    }
}
