// SPDX-License-Identifier: MIT
#include "target_law.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <string>

namespace isserlis::monte_carlo::detail {

TargetLaw::TargetLaw(double second_moment, std::optional<double> fourth_moment, unsigned degree) {
    double const square = second_moment * second_moment;
    double const fourth = fourth_moment.value_or(square);
    if (!(second_moment >= 0) || !std::isfinite(square))
        throw DomainError("ObservableSettings: target_second_moment = " + std::to_string(second_moment) +
                              "; a finite number from 0 is required",
                          "target_second_moment");
    // A rounded fourth moment may fall a little short.
    if (!(fourth >= square * (1 - 1e-12)) || !std::isfinite(fourth))
        throw DomainError("ObservableSettings: target_fourth_moment = " + std::to_string(fourth) +
                              "; at least the square of the second moment is required",
                          "target_fourth_moment");
    if (second_moment == 0) return;
    if (degree > 5)
        throw UnsupportedError("`query`: the targets occur to the power " + std::to_string(degree) +
                                   "; their moments are known up to the fourth",
                               "query");
    if (degree > 3 && !fourth_moment)
        throw DomainError(
            "`query`: the targets occur to the power " + std::to_string(degree) + "; their fourth moment is needed",
            "target_fourth_moment");
    size_ = std::sqrt(fourth / second_moment);
    chance_ = std::min(square / fourth, 1.0);
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
        double const sign = stream.sign();
        target = stream.uniform() < chance_ ? sign * size_ : 0;
    }
}

}  // namespace isserlis::monte_carlo::detail
