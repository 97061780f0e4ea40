// SPDX-License-Identifier: MIT
// The formulas that several rooms use over the same rings, compiled once.
#pragma once
#include <isserlis/formula/label_pairs.hpp>
#include <isserlis/formula/mup_step.hpp>
#include <isserlis/formula/y_functionals.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstdint>
#include <vector>

#define ISSERLIS_FORMULA_INSTANCES(EXTERN, R)                                                                       \
    EXTERN template LabelPairs<R> label_pairs(FullyConnected<R, std::uint64_t> const&, R const&);                   \
    EXTERN template std::vector<YFunctionals<R>> y_functionals(FullyConnected<R, std::uint64_t> const&, R const&);  \
    EXTERN template YFunctionals<R> y_functionals_of_layer(FullyConnected<R, std::uint64_t> const&, R const&,       \
                                                           std::uint64_t);                                          \
    EXTERN template std::vector<MupLayer<R>> mup_step(FullyConnected<R, std::uint64_t> const&, R const&, R const&); \
    EXTERN template MupLayer<R> mup_step_of_layer(FullyConnected<R, std::uint64_t> const&, R const&, R const&,      \
                                                  std::uint64_t);

namespace isserlis {

ISSERLIS_FORMULA_INSTANCES(extern, Rational)
ISSERLIS_FORMULA_INSTANCES(extern, Surd)
ISSERLIS_FORMULA_INSTANCES(extern, RationalFunction)
extern template LabelPairs<RationalFunction> label_pairs(FullyConnected<RationalFunction, Exponent> const&,
                                                         RationalFunction const&);

}  // namespace isserlis
