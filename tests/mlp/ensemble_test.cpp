// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/mlp/ensemble.hpp>

namespace {

using namespace isserlis::mlp;
using isserlis::DomainError;

}  // namespace

TEST_SUITE("mlp/ensemble") {
    // One unit w x + b at x = 2: 1, 8 and 0 by hand, of mean 3.
    TEST_CASE_TEMPLATE("the output of an ensemble is the mean of its members'", T, float, double) {
        auto const unit = perceptron({1, 1}, {});
        std::vector<std::vector<T>> const members{{0, 1}, {3, 2}, {-1, 2}};
        Matrix<T> const x{{2, 0}};
        CHECK(ensemble_outputs<T>(unit, members, x) == Matrix<T>{{3, T(5) / 3}});
        CHECK(ensemble_outputs<T>(unit, std::span(members).first(1), x) == Matrix<T>{{1, 1}});
        CHECK_THROWS_AS((void)ensemble_outputs<T>(unit, {}, x), DomainError);
    }

    // The mean of M variables with covariance C has the variance 1'C1/M^2, summed here entry by entry.
    TEST_CASE("the variance of the mean is that of its covariance matrix") {
        for (std::size_t const members : {1U, 2U, 5U})
            for (double const correlation : {-0.25, 0.0, 0.3, 1.0}) {
                double sum = 0;
                for (std::size_t i = 0; i < members; ++i)
                    for (std::size_t j = 0; j < members; ++j) sum += i == j ? 4 : 4 * correlation;
                CHECK(ensemble_variance(members, 4, correlation) ==
                      doctest::Approx(sum / static_cast<double>(members * members)).epsilon(1e-14));
            }
        // (5.50): at its bound the mean is certain; M independent members have an M-th of the variance.
        CHECK(ensemble_variance(5, 4, -0.25) == doctest::Approx(0));
        CHECK(ensemble_variance(5, 4, 0) == doctest::Approx(0.8));
    }

    TEST_CASE("correlations that cannot be are refused") {
        CHECK_THROWS_AS((void)ensemble_variance(0, 1, 0), DomainError);
        CHECK_THROWS_AS((void)ensemble_variance(3, -1, 0), DomainError);
        CHECK_THROWS_AS((void)ensemble_variance(3, 1, -0.51), DomainError);
        CHECK_THROWS_AS((void)ensemble_variance(3, 1, 1.01), DomainError);
    }
}
