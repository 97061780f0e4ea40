// SPDX-License-Identifier: MIT
#include <isserlis/model/model.hpp>

#include <isserlis/report/value.hpp>

namespace isserlis {

std::optional<int> sign_of(Surd const& x) { return sign(x); }

std::optional<int> sign_of(RationalFunction const& x) { return known_sign(x); }

double to_double(Surd const& x) { return Value(x).to_double(); }
double to_double(RationalFunction const& x) { return Value(x).to_double(); }

}  // namespace isserlis
