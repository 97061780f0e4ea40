// SPDX-License-Identifier: MIT
#include <isserlis/formula/two_layer_squared_slope.hpp>

#include "gram_inputs.hpp"
#include "pair_means.hpp"

namespace isserlis {
namespace {

using loss_curve_detail::require_columns;
using loss_curve_detail::require_samples;

/// Rows known by enclosures, as what multiplies inputs.
class EnclosedRows {
public:
    explicit EnclosedRows(Rows<Enclosed> const& rows) : rows_(rows) {}
    [[nodiscard]] Enclosed dot(std::size_t k, std::size_t l) const { return isserlis::dot(rows_[k], rows_[l]); }

private:
    Rows<Enclosed> const& rows_;
};

}  // namespace

SquaredGateMoments<double> squared_gate_moments(Rows<double> const& inputs, Rows<double> const& targets) {
    require_samples("targets", targets.size(), inputs.size());
    require_columns("row of inputs", inputs, inputs.front().size());
    require_columns("target", targets, targets.front().size());
    return squared_gate_means<double>(DoubleRows(inputs), DoubleRows(targets), [](double x) { return x; });
}

SquaredGateMoments<Interval> squared_gate_moments(Rows<Rational> const& inner, Rows<Enclosed> const& targets,
                                                  unsigned bits) {
    require_samples("targets", targets.size(), inner.size());
    require_columns("row of inputs", inner, inner.size());
    require_columns("target", targets, targets.front().size());
    IntervalKernels const kernels{bits + guard_bits};
    return squared_gate_means<Enclosed>(GramInputs(inner, inner, kernels), EnclosedRows(targets),
                                        [&](Enclosed const& x) { return x.enclose(kernels.bits); });
}

}  // namespace isserlis
