// SPDX-License-Identifier: MIT
#include "quantity/mup/mup_deep.hpp"

#include <isserlis/error.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/limit_rows.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/ring/exponential_series.hpp>

#include "quantity/chain_models.hpp"
#include "quantity/endless_depth.hpp"
#include "quantity/mup/mup_text.hpp"
#include "quantity/mup/unmoved.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"

namespace isserlis::quantity {
namespace {

/// 1/sqrt of the change as the width goes to infinity, where that has a limit.
void add_rate_limit(ExpPolynomial const& change, SymbolicModel const& model, Answer& answer) {
    auto const deep = depth_symbols(model.net());
    if (!deep) return;
    try {
        ExpQuotient const x(change);
        if (stands_in_exponent(x, deep->width)) {
            auto const limit = tendency_of(x, deep->width);
            if (limit.course != JointLimit::Course::finite) return;
            answer.add_limit("mup_rate_limit", {},
                             Value::expression("1/sqrt(" + limit.leading.exact().value_or("") + ")"), {deep->width},
                             not_numeric);
        } else {
            auto const series = series_at_infinity(x, deep->width, 0);
            if (series.coefficients.empty() || series.leading != 0) return;
            answer.add_limit("mup_rate_limit", {}, over_root(1, series.coefficients.front().merged(), rate_form),
                             {deep->width}, not_numeric);
        }
        answer.assume("mup_rate_limit as " + deep->width + " goes to infinity" + beside_depth(*deep));
    } catch (UnsupportedError const& e) {
        answer.add("mup_rate_limit", {}, Value::absent(reason(e)), {}, not_numeric);
    }
}

}  // namespace

void add_deep_step(SymbolicModel const& model, Session const& session, Answer& answer) {
    std::string const layer = asked_hidden_layer(model, session, answer).name;
    std::string const z = "z{" + layer + "}[1";
    RationalFunction const target = model.target_second / model.net().output_width();
    auto const a = exact_mean_by_powers(z + ";m] z[j;m] z[j] " + z + ";n] z[k;n] z[k]", model);
    auto const b = exact_mean_by_powers(z + ";m] z[j;m] " + z + ";n] z[j;n]", model) * target;
    auto const change = a + b;
    answer.add("mup_change_squared", {layer}, tidy(change), {}, not_numeric);
    answer.add("mup_a", {layer}, tidy(a), {}, not_numeric);
    answer.add("mup_b", {layer}, tidy(b), {}, not_numeric);
    answer.add("preactivation_fourth_mean", {layer}, tidy(exact_mean_by_powers(z + "]^4", model)), {}, not_numeric);
    answer.warn(
        "at symbolic depth the change of one layer is printed; `layer` K prints that of layer K, a letter of any");
    if (session.layer) return;
    if (change.terms().empty()) {
        answer.add("mup_learning_rate", {}, unmoved(), {}, not_numeric);
        return;
    }
    answer.add("mup_learning_rate", {}, Value::expression("1/sqrt(" + to_string(change) + ")"), {}, not_numeric);
    answer.assume(
        "mup_learning_rate multiplies the rates given (default 1): then E (Delta z_i^(L))^2 = 1 at the last "
        "hidden layer");
    add_rate_limit(change, model, answer);
    auto const total = change.formula();
    add_leading_term("mup_leading_term", total, model.net(), answer);
    add_wide_limit({.limit = "mup_wide_limit", .leading = "mup_wide_leading"}, total, model.net(), answer);
    add_double_limit({.limit = "mup_double_limit", .leading = "mup_double_leading"}, total, model.net(), answer);
}

}  // namespace isserlis::quantity
