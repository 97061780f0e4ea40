// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/matrix_products.hpp>
#include <isserlis/verify/products.hpp>
#include <string>
#include <vector>

using isserlis::Check;
using isserlis::check_phi_psi;
using isserlis::check_product_moments;
using isserlis::LawKind;
using isserlis::WeightLaw;
using isserlis::monte_carlo::RunControl;

namespace {

constexpr std::uint64_t samples = 100'000;
using Laws = std::vector<WeightLaw<double>>;

/// A_2 A_1 with inner width m = 10 and kurtoses r_1, r_2, by hand from spec/hettinger.md, section 1.
std::vector<double> two_matrices(double r1, double r2) {
    double const m = 10;
    double const pairs = m * (m - 1);
    return {m, m * r2 * r1 + 3 * pairs, m * r1 + pairs, m * r2 + pairs, m + pairs, m};
}

Laws const gaussian{{.kind = LawKind::gaussian}, {.kind = LawKind::gaussian}};

}  // namespace

TEST_SUITE("verify/products") {
    TEST_CASE("the six moments of two matrices agree, Gaussian and not") {
        for (std::uint64_t const seed : {1U, 2U}) {
            auto const checks = check_product_moments({10}, gaussian, two_matrices(3, 3), samples, seed, RunControl{});
            REQUIRE(checks);
            REQUIRE(checks->size() == 6);
            for (auto const& c : *checks) CHECK(c.verdict == Check::Verdict::agrees);
        }
        Laws const mixed{{.kind = LawKind::uniform}, {.kind = LawKind::laplace}};
        auto const checks = check_product_moments({10}, mixed, two_matrices(1.8, 6), samples, 1, RunControl{});
        REQUIRE(checks);
        for (auto const& c : *checks) CHECK(c.verdict == Check::Verdict::agrees);
    }

    TEST_CASE("each of the six can fail: one wrong value disagrees, the others do not") {
        for (std::size_t i = 0; i < 6; ++i) {
            for (double const factor : {0.7, 1.4}) {
                auto wrong = two_matrices(3, 3);
                wrong[i] *= factor;
                auto const checks = check_product_moments({10}, gaussian, wrong, samples, 1, RunControl{});
                REQUIRE(checks);
                for (std::size_t j = 0; j < 6; ++j) {
                    CAPTURE(i);
                    CAPTURE(j);
                    CHECK(((*checks)[j].verdict == Check::Verdict::disagrees) == (i == j));
                }
            }
        }
    }

    TEST_CASE("values that are mixed up disagree: row for column, and the law of one matrix for the other's") {
        Laws const mixed{{.kind = LawKind::rademacher}, {.kind = LawKind::laplace}};
        auto exact = two_matrices(1, 6);
        auto const right = check_product_moments({10}, mixed, exact, samples, 1, RunControl{});
        REQUIRE(right);
        for (auto const& c : *right) CHECK(c.verdict == Check::Verdict::agrees);
        std::swap(exact[2], exact[3]);
        auto const swapped = check_product_moments({10}, mixed, exact, samples, 1, RunControl{});
        CHECK((*swapped)[2].verdict == Check::Verdict::disagrees);
        CHECK((*swapped)[3].verdict == Check::Verdict::disagrees);
        // 330 and 360, of a skewed variable.
        auto const gauss = check_product_moments({10}, mixed, two_matrices(3, 3), 10 * samples, 1, RunControl{});
        CHECK((*gauss)[1].verdict == Check::Verdict::disagrees);
    }

    TEST_CASE("one matrix: E a^2, E a^4, 1, 1, 1, 0") {
        auto const checks =
            check_product_moments({}, {{.kind = LawKind::uniform}}, {1, 1.8, 1, 1, 1, 0}, samples, 1, RunControl{});
        REQUIRE(checks);
        for (auto const& c : *checks) CHECK(c.verdict == Check::Verdict::agrees);
        auto const wrong =
            check_product_moments({}, {{.kind = LawKind::uniform}}, {1, 3, 1, 1, 1, 0.5}, samples, 1, RunControl{});
        CHECK((*wrong)[1].verdict == Check::Verdict::disagrees);
        CHECK((*wrong)[5].verdict == Check::Verdict::disagrees);
    }

    TEST_CASE("tails too heavy for the samples leave nothing, rather than a verdict that means nothing") {
        CHECK_FALSE(check_product_moments({10}, gaussian, two_matrices(3, 3), 100, 1, RunControl{}));
        CHECK_FALSE(check_product_moments({1, 1, 1, 1}, Laws(5, WeightLaw<double>{}), {1, 1, 1, 1, 1, 1}, samples, 1,
                                          RunControl{}));
    }

    // E b^8/(E b^4)^2 = 105/9 without an inner width, 105/9 35/3 with one of 1: a hundred times that many samples.
    TEST_CASE("samples are enough from a hundred times the eighth moment's ratio on") {
        CHECK_FALSE(check_phi_psi({}, 1, 0, 1166, 1, RunControl{}));
        CHECK(check_phi_psi({}, 1, 0, 1167, 1, RunControl{}));
        CHECK_FALSE(check_phi_psi({1}, 1, 1, 13'611, 1, RunControl{}));
        CHECK(check_phi_psi({1}, 1, 1, 13'612, 1, RunControl{}));
    }

    // 2 x 10,000, 10,000 x 10,000, 10,000 x 2: 100,040,000 weights.
    TEST_CASE("a refusal counts the weights") {
        try {
            (void)check_phi_psi({10'000, 10'000}, 1, 0, 1'000'000'000, 1, RunControl{});
            FAIL("not refused");
        } catch (isserlis::UnsupportedError const& e) {
            CHECK(std::string(e.what()).find(" about 100040000 thousand million drawn weights") != std::string::npos);
        }
    }

    TEST_CASE("work without end is refused") {
        CHECK_THROWS_AS((void)check_product_moments({10'000, 10'000}, Laws(3, WeightLaw<double>{}), {1, 1, 1, 1, 1, 1},
                                                    1'000'000'000, 1, RunControl{}),
                        isserlis::UnsupportedError);
    }

    // Widths 10 and 5: p = 6/5 7/5 = 42/25, m = 9/10 4/5 = 18/25; phi = (2p + m)/3 = 34/25, psi = (p - m)/3 = 8/25.
    TEST_CASE("phi and psi agree, and each can fail") {
        auto const right = check_phi_psi({10, 5}, 34.0 / 25, 8.0 / 25, samples, 1, RunControl{});
        REQUIRE(right);
        CHECK(right->phi.verdict == Check::Verdict::agrees);
        CHECK(right->psi.verdict == Check::Verdict::agrees);
        for (double const factor : {0.85, 1.15}) {
            auto const phi = check_phi_psi({10, 5}, factor * 34.0 / 25, 8.0 / 25, samples, 1, RunControl{});
            CHECK(phi->phi.verdict == Check::Verdict::disagrees);
            CHECK(phi->psi.verdict == Check::Verdict::agrees);
            auto const psi = check_phi_psi({10, 5}, 34.0 / 25, factor * 8.0 / 25, samples, 1, RunControl{});
            CHECK(psi->phi.verdict == Check::Verdict::agrees);
            CHECK(psi->psi.verdict == Check::Verdict::disagrees);
        }
        auto const swapped = check_phi_psi({10, 5}, 8.0 / 25, 34.0 / 25, samples, 1, RunControl{});
        CHECK(swapped->phi.verdict == Check::Verdict::disagrees);
        CHECK(swapped->psi.verdict == Check::Verdict::disagrees);
    }

    TEST_CASE("phi is a sum of two means, and so is the bound of its error") {
        auto const checks = check_phi_psi({10, 5}, 34.0 / 25, 8.0 / 25, samples, 1, RunControl{});
        auto const seen = isserlis::monte_carlo::column_forms({10, 5}, samples, 1, RunControl{});
        REQUIRE(checks);
        CHECK(checks->phi.mean == seen.norms.mean + seen.dot.mean);
        CHECK(checks->phi.std_error == seen.norms.std_error + seen.dot.std_error);
        CHECK(checks->psi.std_error == seen.dot.std_error);
    }

    TEST_CASE("the empty product: phi = 1, psi = 0") {
        auto const checks = check_phi_psi({}, 1, 0, samples, 1, RunControl{});
        REQUIRE(checks);
        CHECK(checks->phi.verdict == Check::Verdict::agrees);
        CHECK(checks->psi.verdict == Check::Verdict::agrees);
        auto const wrong = check_phi_psi({}, 0.8, 0.2, samples, 1, RunControl{});
        CHECK(wrong->phi.verdict == Check::Verdict::disagrees);
        CHECK(wrong->psi.verdict == Check::Verdict::disagrees);
    }

    TEST_CASE("heavy tails leave phi and psi unchecked") {
        CHECK_FALSE(check_phi_psi({1, 1, 1, 1, 1}, 1, 1, samples, 1, RunControl{}));
    }
}
