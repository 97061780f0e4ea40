// SPDX-License-Identifier: MIT
#include "target_law.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <string>

namespace isserlis::monte_carlo::detail {

TargetLaw::TargetLaw(double second_moment, double third_moment, std::optional<double> fourth_moment, unsigned degree) {
    double const square = second_moment * second_moment;
    double const skew = second_moment == 0 ? 0 : third_moment / second_moment;  // a - b
    double const least = square + second_moment * skew * skew;
    double const fourth = fourth_moment.value_or(least);
    if (!(second_moment >= 0) || !std::isfinite(square))
        throw DomainError("ObservableSettings: target_second_moment = " + std::to_string(second_moment) +
                              "; a finite number from 0 is required",
                          "target_second_moment");
    // A rounded fourth moment may fall a little short.
    if (!(fourth >= least * (1 - 1e-12)) || !std::isfinite(fourth))
        throw DomainError(
            "ObservableSettings: target_fourth_moment = " + std::to_string(fourth) +
                "; at least the square of the second moment, plus that of the third over the second, is required",
            "target_fourth_moment");
    if (second_moment == 0) {
        if (third_moment != 0)
            throw DomainError("ObservableSettings: target_third_moment = " + std::to_string(third_moment) +
                                  "; targets of second moment 0 are 0",
                              "target_third_moment");
        return;
    }
    if (degree > 5)
        throw UnsupportedError("`query`: the targets occur to the power " + std::to_string(degree) +
                                   "; their moments are known up to the fourth",
                               "query");
    if (degree > 3 && !fourth_moment)
        throw DomainError(
            "`query`: the targets occur to the power " + std::to_string(degree) + "; their fourth moment is needed",
            "target_fourth_moment");
    // c a b = E y^2, c a b (a - b) = E y^3, c a b ((a - b)^2 + a b) = E y^4 with c the chance that y is not 0.
    double const product = fourth / second_moment - skew * skew;
    double const root = std::sqrt(product + skew * skew / 4);
    above_ = root + skew / 2;
    below_ = root - skew / 2;
    chance_ = std::min(second_moment / product, 1.0);
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
        target = stream.uniform() < chance_ ? (above ? above_ : -below_) : 0;
    }
}

}  // namespace isserlis::monte_carlo::detail
