// SPDX-License-Identifier: MIT
#include "formula/instances.hpp"

namespace isserlis {

ISSERLIS_FORMULA_INSTANCES(, Rational)
ISSERLIS_FORMULA_INSTANCES(, Surd)
ISSERLIS_FORMULA_INSTANCES(, RationalFunction)
template LabelPairs<RationalFunction> label_pairs(FullyConnected<RationalFunction, Exponent> const&,
                                                  RationalFunction const&);

}  // namespace isserlis
