// SPDX-License-Identifier: MIT
#include "target_law.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <string>

namespace isserlis::monte_carlo::detail {

TargetLaw::TargetLaw(MomentsOfTarget const& moments, unsigned degree) : mean_(moments.mean) {
    double const m = moments.mean;
    // A rounded moment may fall a little short of what the mean asks for.
    double const tolerance = 1e-12 * moments.second;
    double const excess = moments.second - m * m;
    double const second = m == 0 || std::abs(excess) > tolerance ? excess : 0;
    double const third = moments.third ? *moments.third - 3 * m * moments.second + 2 * m * m * m : 0;
    double const skew = second == 0 ? 0 : third / second;  // a - b
    double const least = second * second + second * skew * skew;
    double const fourth = moments.fourth ? *moments.fourth - 4 * m * third - 6 * m * m * second - m * m * m * m : least;
    if (!(second >= 0) || !std::isfinite(second * second))
        throw DomainError("ObservableSettings: target_second_moment = " + std::to_string(moments.second) +
                              "; a finite number from the square of the mean is required",
                          "target_second_moment");
    // So may a fourth one.
    double const slack = 1e-12 * std::max(least, moments.fourth.value_or(0));
    if (!(fourth >= least - slack) || !std::isfinite(fourth))
        throw DomainError("ObservableSettings: target_fourth_moment = " + std::to_string(moments.fourth.value_or(0)) +
                              "; about the mean, at least the square of the second moment, plus that of the third over "
                              "the second, is "
                              "required",
                          "target_fourth_moment");
    if (second == 0) {
        if (std::abs(third) > 1e-12 * std::abs(moments.third.value_or(0)))
            throw DomainError("ObservableSettings: target_third_moment = " + std::to_string(*moments.third) +
                                  "; targets of no variance are their mean",
                              "target_third_moment");
        return;
    }
    if (degree > 5)
        throw UnsupportedError("`query`: the targets occur to the power " + std::to_string(degree) +
                                   "; their moments are known up to the fourth",
                               "query");
    if (degree > 3 && !moments.fourth)
        throw DomainError(
            "`query`: the targets occur to the power " + std::to_string(degree) + "; their fourth moment is needed",
            "target_fourth_moment");
    // c a b = E w^2, c a b (a - b) = E w^3, c a b ((a - b)^2 + a b) = E w^4 with c the chance that w is not 0.
    double const product = (m == 0 ? fourth : std::max(fourth, least)) / second - skew * skew;
    double const root = std::sqrt(product + skew * skew / 4);
    above_ = root + skew / 2;
    below_ = root - skew / 2;
    chance_ = std::min(second / product, 1.0);
}

unsigned target_degree(ScopedSum const& sum) {
    unsigned highest = 0;
    for (auto const& term : sum.terms) {
        unsigned degree = 0;
        for (auto const& f : term.factors) {
            if (f.kind == ScopedFactor::Kind::target) degree += f.power;
            if (f.kind == ScopedFactor::Kind::bracket) degree += f.power * target_degree(*f.bracket);
            degree = std::min(degree, 1000U);  // far beyond all that is allowed
        }
        highest = std::max(highest, degree);
    }
    return highest;
}

void TargetLaw::draw(Stream& stream, std::span<double> y) const {
    for (double& target : y) {
        bool const above = above_ == below_ ? stream.sign() > 0 : stream.uniform() * (above_ + below_) < below_;
        target = mean_ + (stream.uniform() < chance_ ? (above ? above_ : -below_) : 0);
    }
}

}  // namespace isserlis::monte_carlo::detail
