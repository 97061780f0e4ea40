// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/matrix_products.hpp>

#include "within_five.hpp"

using isserlis::test::check_within_five;

TEST_SUITE("monte_carlo/matrix_products") {
    namespace {

    using isserlis::LawKind;
    using isserlis::WeightLaw;
    using isserlis::monte_carlo::column_forms;
    using isserlis::monte_carlo::Estimate;
    using isserlis::monte_carlo::product_moments;

    constexpr WeightLaw<double> gaussian{.kind = LawKind::gaussian};
    constexpr WeightLaw<double> rademacher{.kind = LawKind::rademacher};

    }  // namespace

    // One Gaussian matrix by hand, E b^2 = 1, 3, 15, 105 for powers 2 to 8. Variances of the averages over indices:
    // b^2: 2/4; b^4: (105 - 9)/4; b^2 b'^2: (9 - 1)/2 for each pair of columns, rows or diagonals; eta: 1.
    TEST_CASE("a single Gaussian matrix has moments 1, 3, 1, 1, 1, 0") {
        auto const moments = product_moments({7, 5}, {gaussian}, 20'000, 1);
        check_within_five(moments.second, 1, 0.5);
        check_within_five(moments.rho, 3, 24);
        check_within_five(moments.gamma, 1, 4);
        check_within_five(moments.nu, 1, 4);
        check_within_five(moments.tau, 1, 4);
        check_within_five(moments.eta, 0, 1);
    }

    // A 2 x 2 matrix of signs times another, over all 2^8 equally likely choices.
    TEST_CASE("two Rademacher matrices agree with the enumeration of all 256 sign patterns") {
        std::array<double, 6> mean{};
        std::array<double, 6> square{};
        for (unsigned pattern = 0; pattern < 256; ++pattern) {
            auto const sign = [pattern](unsigned bit) { return ((pattern >> bit) & 1U) != 0 ? 1.0 : -1.0; };
            auto const b = [&](unsigned i, unsigned j) {
                return sign(2 * i) * sign(4 + j) + sign(2 * i + 1) * sign(6 + j);
            };
            auto const s = [&](unsigned i, unsigned j) { return b(i, j) * b(i, j); };
            std::array<double, 6> const value{
                (s(0, 0) + s(0, 1) + s(1, 0) + s(1, 1)) / 4,
                (s(0, 0) * s(0, 0) + s(0, 1) * s(0, 1) + s(1, 0) * s(1, 0) + s(1, 1) * s(1, 1)) / 4,
                (s(0, 0) * s(1, 0) + s(0, 1) * s(1, 1)) / 2,
                (s(0, 0) * s(0, 1) + s(1, 0) * s(1, 1)) / 2,
                (s(0, 0) * s(1, 1) + s(0, 1) * s(1, 0)) / 2,
                b(0, 0) * b(0, 1) * b(1, 0) * b(1, 1)};
            for (std::size_t k = 0; k < 6; ++k) {
                mean[k] += value[k] / 256;
                square[k] += value[k] * value[k] / 256;
            }
        }
        // The recursion of hettinger.md, section 1, at m = 2, rho_1 = 1: 2, 8, 4, 4, 4, 2 by hand.
        CHECK(mean == std::array<double, 6>{2, 8, 4, 4, 4, 2});
        auto const moments = product_moments({2, 2, 2}, {rademacher, rademacher}, 20'000, 2);
        std::array const sampled{moments.second, moments.rho, moments.gamma, moments.nu, moments.tau, moments.eta};
        for (std::size_t k = 0; k < 6; ++k) check_within_five(sampled[k], mean[k], square[k] - mean[k] * mean[k]);
    }

    // b_ij = sum_r e_ir g_rj over 3 r, signs e and Gaussians g. By hand E b^2 = 3, rho = 3 3 + 3 6 = 27; one column
    // shares its g: gamma = 3 3 + 6 = 15; one row shares its signs, which g ignores: nu = 3 + 6 = 9; tau = 9, eta = 3.
    // With the laws the other way round gamma would be 9 and nu 15.
    TEST_CASE("each matrix has a law of its own, the first at the input side") {
        auto const moments = product_moments({1, 3, 1}, {gaussian, rademacher}, 20'000, 3);
        auto const z = [](Estimate const& e, double exact) { return std::abs(e.mean - exact) / e.std_error; };
        CHECK(z(moments.second, 3) < 5);
        CHECK(z(moments.rho, 27) < 5);
        CHECK(z(moments.gamma, 15) < 5);
        CHECK(z(moments.nu, 9) < 5);
        CHECK(z(moments.tau, 9) < 5);
        CHECK(z(moments.eta, 3) < 5);
    }

    // Gaussian closed form over inner widths 3 and 4: Q+ = 3 5 4 6 = 360, Q- = 3 2 4 3 = 72; rho = 3 Q+,
    // gamma = nu = Q+, tau = (Q+ + 2 Q-)/3 = 168, eta = (Q+ - Q-)/3 = 96.
    TEST_CASE("three Gaussian matrices agree with the closed form") {
        auto const moments = product_moments({5, 3, 4, 1}, {gaussian, gaussian, gaussian}, 20'000, 4);
        auto const z = [](Estimate const& e, double exact) { return std::abs(e.mean - exact) / e.std_error; };
        CHECK(z(moments.second, 12) < 5);
        CHECK(z(moments.rho, 1080) < 5);
        CHECK(z(moments.gamma, 360) < 5);
        CHECK(z(moments.nu, 360) < 5);
        CHECK(z(moments.tau, 168) < 5);
        CHECK(z(moments.eta, 96) < 5);
    }

    // One layer of width d: |Be|^2 = chi^2_d / d, so E of the product is 1 with variance (1 + 2/d)^2 - 1; given one
    // column u.v / d is normal, so its square has mean 1/d and fourth power 3 d (d+2) / d^4.
    TEST_CASE("the column forms of one matrix are 1 and 1/d") {
        constexpr double d = 4;
        auto const forms = column_forms({4}, 20'000, 5);
        check_within_five(forms.norms, 1, (1 + 2 / d) * (1 + 2 / d) - 1);
        check_within_five(forms.dot, 1 / d, 3 * (d + 2) / (d * d * d) - 1 / (d * d));
    }

    // p = (1+2/2)(1+2/5) = 14/5, m = (1-1/2)(1-1/5) = 2/5: phi - psi = (p + 2m)/3 = 6/5, psi = (p - m)/3 = 4/5.
    TEST_CASE("the column forms of two matrices are (p + 2m)/3 and (p - m)/3") {
        auto const forms = column_forms({2, 5}, 20'000, 6);
        CHECK(std::abs(forms.norms.mean - 1.2) < 5 * forms.norms.std_error);
        CHECK(std::abs(forms.dot.mean - 0.8) < 5 * forms.dot.std_error);
    }

    TEST_CASE("no matrix at all is the identity") {
        auto const forms = column_forms({}, 10, 7);
        CHECK(forms.norms.mean == 1);
        CHECK(forms.norms.std_error == 0);
        CHECK(forms.dot.mean == 0);
        CHECK(forms.dot.std_error == 0);
    }

    TEST_CASE("a seed gives the same bits in 1, 2 and 5 threads") {
        auto const one = product_moments({2, 3, 2}, {gaussian, rademacher}, 3001, 8);
        auto const form = column_forms({3, 3}, 3001, 8);
        for (unsigned const threads : {2U, 5U}) {
            auto const many =
                product_moments({2, 3, 2}, {gaussian, rademacher}, 3001, 8, {.threads = threads, .progress = {}});
            CHECK(many.rho.mean == one.rho.mean);
            CHECK(many.eta.std_error == one.eta.std_error);
            CHECK(column_forms({3, 3}, 3001, 8, {.threads = threads, .progress = {}}).dot.mean == form.dot.mean);
        }
    }

    TEST_CASE("impossible shapes, laws and values are refused") {
        CHECK_THROWS_AS((void)product_moments({2}, {}, 10, 1), isserlis::DomainError);
        CHECK_THROWS_AS((void)product_moments({2, 0, 2}, {gaussian, gaussian}, 10, 1), isserlis::DomainError);
        CHECK_THROWS_AS((void)product_moments({2, 2, 2}, {gaussian}, 10, 1), isserlis::DomainError);
        CHECK_THROWS_AS((void)product_moments({2, 2}, {gaussian}, 1, 1), isserlis::DomainError);
        CHECK_THROWS_AS((void)product_moments({2, 2}, {{.kind = LawKind::kurtosis, .kurtosis_value = 0.5}}, 10, 1),
                        isserlis::DomainError);
        CHECK_THROWS_AS((void)column_forms({2, 0}, 10, 1), isserlis::DomainError);
        CHECK_THROWS_AS((void)product_moments(std::vector<std::size_t>(301, 20), std::vector(300, gaussian), 2, 1),
                        isserlis::UnsupportedError);
    }
}
