// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/gate_moments.hpp>
#include <isserlis/formula/standardised_moments.hpp>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"

using isserlis::central_moment;
using isserlis::kurtosis;
using isserlis::power;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::skewness;
using isserlis::Surd;
using isserlis::testing::any_int;
using isserlis::testing::holds;

namespace {

template <class R>
isserlis::Gate<R> of_slope(R const& slope) {
    return {R(1), slope};
}

/// A law on a few numbers.
struct Law {
    std::vector<std::pair<Rational, Rational>> atoms;  // value, probability

    [[nodiscard]] Rational mean_of(Rational const& around, unsigned k) const {
        Rational sum = 0;
        for (auto const& [value, probability] : atoms) sum += probability * power(Rational(value - around), k);
        return sum;
    }
    [[nodiscard]] std::vector<Rational> raw(unsigned order) const {
        std::vector<Rational> out;
        for (unsigned k = 0; k <= order; ++k) out.push_back(mean_of(0, k));
        return out;
    }
};

Law any_law() {
    Law law;
    Rational total = 0;
    for (int i = any_int(2, 5); i > 0; --i) {
        law.atoms.emplace_back(isserlis::testing::any_rational(), isserlis::testing::positive_rational());
        total += law.atoms.back().second;
    }
    for (auto& [value, probability] : law.atoms) probability /= total;
    return law;
}

template <class R>
std::vector<R> numbers(std::initializer_list<int> values) {
    return {values.begin(), values.end()};
}

}  // namespace

TEST_SUITE("formula/standardised_moments") {
    // P(0) = 1/2, P(1) = P(3) = 1/4 by hand: mean 1, central moments 3/2, 3/2, 9/2.
    TEST_CASE("a law on three points, by hand") {
        Law const law{.atoms = {{0, ratio(1, 2)}, {1, ratio(1, 4)}, {3, ratio(1, 4)}}};
        auto const raw = law.raw(4);
        CHECK(central_moment(raw, 0) == Rational(1));
        CHECK(central_moment(raw, 1) == Rational(0));
        CHECK(central_moment(raw, 2) == ratio(3, 2));
        CHECK(central_moment(raw, 3) == ratio(3, 2));
        CHECK(central_moment(raw, 4) == ratio(9, 2));
        CHECK(kurtosis(raw) == Rational(2));
        std::vector<Surd> const surds(raw.begin(), raw.end());
        CHECK(skewness(surds) == isserlis::sqrt(ratio(2, 3)));
    }

    // Textbook: exponential law has raw moments k!, skewness 2, kurtosis 9; a normal 0 and 3; chi^2_1 sqrt 8 and 15.
    TEST_CASE_TEMPLATE("the exponential law, the normal and the chi-square", R, double, Surd, RationalFunction) {
        CHECK(skewness(numbers<R>({1, 1, 2, 6, 24})) == R(2));
        CHECK(kurtosis(numbers<R>({1, 1, 2, 6, 24})) == R(9));
        CHECK(skewness(numbers<R>({1, 0, 1, 0, 3})) == R(0));
        CHECK(kurtosis(numbers<R>({1, 0, 1, 0, 3})) == R(3));
        R const skew = skewness(numbers<R>({1, 1, 3, 15, 105}));
        if constexpr (std::is_floating_point_v<R>) {
            CHECK(skew == doctest::Approx(std::sqrt(8.0)));
        } else {
            CHECK(skew * skew == R(8));
        }
        CHECK(kurtosis(numbers<R>({1, 1, 3, 15, 105})) == R(15));
    }

    TEST_CASE("central moments of every order equal averages of powers of deviations") {
        holds([] {
            Law const law = any_law();
            auto const raw = law.raw(12);
            for (unsigned k = 0; k <= 12; ++k) RC_ASSERT(central_moment(raw, k) == law.mean_of(raw[1], k));
            Rational const variance = law.mean_of(raw[1], 2);
            if (variance == 0) return;
            RC_ASSERT(kurtosis(raw) == law.mean_of(raw[1], 4) / (variance * variance));
            RC_ASSERT(kurtosis(raw) >= Rational(1));
            std::vector<Surd> const surds(raw.begin(), raw.end());
            Surd const skew = skewness(surds);
            RC_ASSERT(skew * skew == Surd(power(law.mean_of(raw[1], 3), 2) / power(variance, 3)));
            RC_ASSERT(sign(skew) == law.mean_of(raw[1], 3).sign());
        });
    }

    // A fair coin on 0 and 1 deviates by 1/2 always: every even central moment of order k is 2^-k.
    TEST_CASE("orders up to 40 do not overflow their binomials") {
        std::vector<Rational> raw(41, ratio(1, 2));
        raw[0] = 1;
        for (unsigned k = 2; k <= 40; k += 2) {
            INFO("k = ", k);
            CHECK(central_moment(raw, k) == power(ratio(1, 2), k));
        }
    }

    // Standardised moments do not see location or scale.
    TEST_CASE("shifting and scaling changes neither skewness nor kurtosis") {
        holds([] {
            Law const law = any_law();
            RC_PRE(law.mean_of(law.raw(1)[1], 2) != 0);
            Rational const scale = isserlis::testing::positive_rational();
            Rational const shift = isserlis::testing::any_rational();
            Law moved = law;
            for (auto& [value, probability] : moved.atoms) value = scale * value + shift;
            RC_ASSERT(kurtosis(moved.raw(4)) == kurtosis(law.raw(4)));
            auto surds = [](std::vector<Rational> const& raw) { return std::vector<Surd>(raw.begin(), raw.end()); };
            RC_ASSERT(skewness(surds(moved.raw(4))) == skewness(surds(law.raw(4))));
        });
    }

    TEST_CASE("a constant has neither: DomainError") {
        CHECK_THROWS_AS(kurtosis(numbers<Rational>({1, 5, 25, 125, 625})), isserlis::DomainError);
        CHECK_THROWS_AS(skewness(numbers<Surd>({1, 5, 25, 125, 625})), isserlis::DomainError);
        CHECK_THROWS_AS((void)skewness(numbers<double>({1, 5, 25, 125, 625})), isserlis::DomainError);
        auto const c = RationalFunction::symbol("c");
        CHECK_THROWS_AS(kurtosis(std::vector<RationalFunction>{1, c, c * c, power(c, 3), power(c, 4)}),
                        isserlis::DomainError);
    }

    // Chi-square with n degrees: skewness sqrt(8/n), kurtosis 3 + 12/n; normal in the limit.
    TEST_CASE("symbolic skewness and kurtosis of a chi-square are the textbook's, and numbers put in agree") {
        auto const n = RationalFunction::symbol("n");
        auto const raw = isserlis::gated_chi_square_moments(n, of_slope(RationalFunction(1)), 4);
        CHECK(skewness(raw) == sqrt(8 / n));
        CHECK(kurtosis(raw) == 3 + 12 / n);
        auto const relu = isserlis::gated_chi_square_moments(n, of_slope(RationalFunction(0)), 4);
        auto const skew = skewness(relu);
        auto const kurt = kurtosis(relu);
        holds([&] {
            Rational const width = any_int(1, 200);
            auto const numeric = isserlis::gated_chi_square_moments(width, of_slope(Rational(0)), 4);
            std::vector<Surd> const surds(numeric.begin(), numeric.end());
            RC_ASSERT(skew.evaluate({{"n", width}}) == skewness(surds));
            RC_ASSERT(kurt.evaluate({{"n", width}}) == Surd(kurtosis(numeric)));
        });
        double const wide = kurtosis(isserlis::gated_chi_square_moments(1e4, of_slope(0.0), 4));
        CHECK(wide == doctest::Approx(3).epsilon(0.01));
    }
}
