// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/matrix_products.hpp>
#include <isserlis/verify/products.hpp>
#include <string>
#include <vector>

TEST_SUITE("verify/products") {
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

    // The power of a check says which threshold it has: an error of t (1 - 1/(4 nu)) standard errors is seen with probability
    // 1/2 (Abramowitz and Stegun 26.7.10), t = sampled_threshold + 51/6 skewness/sqrt(N) + 130/N. Of Gaussian entries
    // E b^(2k) is (2k - 1)!! prod m (m + 2) .. (m + 2k - 2), so that b^4 has the ratios e = E b^8/(E b^4)^2 and
    // f = E b^12/(E b^4)^3 and the skewness (f - 3 e + 2)/(e - 1)^1.5. Laplace's entries have (2k)!/2^k, of matrices a
    // quarter as wide.
    TEST_CASE("thresholds are those of the most skewed of what is sampled") {
        auto const half = [](std::uint64_t count, double e, double f) {
            auto const n = static_cast<double>(count);
            double const skewness = (f - 3 * e + 2) / std::pow(e - 1, 1.5);
            double const t = isserlis::sampled_threshold(count) + 8.5 * skewness / std::sqrt(n) + 130 / n;
            return 10 * t * (1 - 1 / (4 * (n - 1)));
        };
        auto const six = [&](std::vector<std::size_t> const& widths, WeightLaw<double> const& law, std::uint64_t count,
                             double e, double f) {
            Laws const laws(widths.size() + 1, law);
            auto const seen = check_product_moments(widths, laws, {1, 1, 1, 1, 1, 1}, count, 1, RunControl{}).value();
            std::vector<double> exact;
            for (auto const& c : seen) exact.push_back(half(count, e, f) * c.std_error);
            auto const checks = check_product_moments(widths, laws, exact, count, 1, RunControl{}).value();
            for (auto const& c : checks) CHECK(c.power.value() == doctest::Approx(0.5).epsilon(1e-8));
        };
        six({}, {.kind = LawKind::gaussian}, 1200, 105.0 / 9, 385);
        six({}, {.kind = LawKind::uniform}, 1200, 105.0 / 9, 385);
        six({}, {.kind = LawKind::laplace}, 1200, 70, 34650);
        six({10}, {.kind = LawKind::gaussian}, 2200, 105.0 / 9 * (14 * 16) / (10 * 12),
            385.0 * (14 * 16 * 18 * 20) / (10 * 10 * 12 * 12));
        six({10}, {.kind = LawKind::laplace}, 2200, 70.0 * (6 * 8) / (2 * 4),
            34650.0 * (6 * 8 * 10 * 12) / (2 * 2 * 4 * 4));
        six({3}, {.kind = LawKind::laplace}, 5000, 70.0 * (5 * 7) / (1 * 3),
            34650.0 * (5 * 7 * 9 * 11) / (1 * 1 * 3 * 3));
        // A kurtosis of 7/2 by Laplace's too, of matrices narrower by (7/6)^2: 7 for 10.
        six({10}, {.kind = LawKind::kurtosis, .kurtosis_value = 3.5}, 2200, 70.0 * (11 * 13) / (7 * 9),
            34650.0 * (11 * 13 * 15 * 17) / (7 * 7 * 9 * 9));
        // Above Laplace's kurtosis, 6, tails are not known: 100 standard errors.
        Laws const heavier(2, WeightLaw<double>{.kind = LawKind::kurtosis, .kurtosis_value = 6.5});
        std::vector<double> hundreds;
        auto const once = check_product_moments({10}, heavier, {1, 1, 1, 1, 1, 1}, 2200, 1, RunControl{}).value();
        for (auto const& c : once) hundreds.push_back(1000 * (1 - 1 / (4.0 * 2199)) * c.std_error);
        auto const twice = check_product_moments({10}, heavier, hundreds, 2200, 1, RunControl{}).value();
        for (auto const& c : twice) CHECK(c.power.value() == doctest::Approx(0.5).epsilon(1e-8));
        auto const seen = check_phi_psi({10}, 1, 1, 2200, 1, RunControl{}).value();
        double const errors =
            half(2200, 105.0 / 9 * (14 * 16) / (10 * 12), 385.0 * (14 * 16 * 18 * 20) / (10 * 10 * 12 * 12));
        auto const again =
            check_phi_psi({10}, errors * seen.phi.std_error, errors * seen.psi.std_error, 2200, 1, RunControl{});
        CHECK(again->phi.power.value() == doctest::Approx(0.5).epsilon(1e-8));
        CHECK(again->psi.power.value() == doctest::Approx(0.5).epsilon(1e-8));
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
