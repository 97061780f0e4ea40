// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <vector>

#include "question/batch_text.hpp"
#include "question/curve_data.hpp"
#include "question/model_text.hpp"
#include "question/with_file.hpp"

namespace isserlis::quantity {

/// What `loss-curve` is asked of samples that are known by their inner products.
struct GramCurve {
    ModelText typed;
    CurveDataText text;
    WithFile file;
    BatchText batch;
    std::vector<ModelText> networks;
};

/// Errors  ParseError, DomainError and UnsupportedError naming the parameter that does not go with them.
void complete_gram_curve(GramCurve& request, Session const& session);

/// Loss, slope, curvature and vertex of linear networks of any wiring, width and depth, by strands.
void add_gram_curves(GramCurve const& request, Session const& session, Bindings const& bindings, Answer& answer);

}  // namespace isserlis::quantity
