// SPDX-License-Identifier: MIT
#pragma once
#include "quantity/expression/expect_setting.hpp"
#include "quantity/known_answer.hpp"

namespace isserlis::quantity {

/// The tests that commands write with `emit_test`; nothing without the parameter. Each is of one network in numbers.
///
/// Errors  those of `emit_test`; ParseError and UnsupportedError for parameters that ask for something else.
void emit_norm_test(NumericModel const& model, NormReading const& reading, Session const& session, Answer& answer);
void emit_init_test(NumericModel const& model, Session const& session, Answer& answer);
void emit_jacobian_test(NumericModel const& model, ModelText const& text, Session const& session, Answer& answer);
void emit_steps_test(NumericModel const& model, Session const& session, Answer& answer);
void emit_expectation_test(ExpectRequest const& request, NumericModel const& model, ObservableSetting<Surd> setting,
                           Session const& session, Answer& answer);

}  // namespace isserlis::quantity
