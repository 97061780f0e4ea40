// SPDX-License-Identifier: MIT
#include "quantity/jacobian/jacobian_rows.hpp"

#include <isserlis/error.hpp>
#include "question/spelling.hpp"

namespace isserlis::quantity {

Value shorter(Rational const& x) { return Surd(x); }
Value shorter(Surd const& x) { return x; }
Value shorter(RationalFunction const& x) {
    auto const merged = x.try_merged();
    return !merged || to_string(x).size() < to_string(*merged).size() ? x : *merged;
}

std::optional<Rational> larger_kurtosis(Rational const& kurtosis) { return std::max(kurtosis, Rational(3)); }
std::optional<Surd> larger_kurtosis(Surd const& kurtosis) { return sign(kurtosis - Surd(3)) < 0 ? Surd(3) : kurtosis; }
std::optional<RationalFunction> larger_kurtosis(RationalFunction const& kurtosis) {
    if (!kurtosis.is_numeric()) return std::nullopt;
    return RationalFunction(*larger_kurtosis(kurtosis.evaluate({})));
}

void require_feasible_places(std::size_t moves, std::string const& parameter) {
    constexpr std::size_t most = 200'000;
    if (moves <= most) return;
    throw UnsupportedError(named(parameter) + ": the indices asked for take " + std::to_string(moves) +
                               " passes through layers, of at most " + std::to_string(most) +
                               "; ask for one of them with `layer`",
                           parameter);
}

}  // namespace isserlis::quantity
