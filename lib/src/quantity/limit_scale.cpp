// SPDX-License-Identifier: MIT
#include "quantity/limit_scale.hpp"

#include <isserlis/error.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/ring/exponential_series.hpp>

namespace isserlis::quantity {
namespace {

constexpr char const* layer_symbol = "l";

LimitPath path_of(LimitScale const& scale) {
    using R = RationalFunction;
    R const t = R::symbol(place_symbol);
    if (scale.width.empty()) return {.scale = scale.depth, .multiples = {{scale.depth, R(1)}, {layer_symbol, t}}};
    R const b = R::symbol(ratio_symbol);
    LimitPath out = wide_and_deep(scale.width, scale.depth, b);
    out.multiples.emplace(layer_symbol, b * t);
    return out;
}

/// sqrt(x) of a limit or leading term.
Value root_of(Value const& x) {
    std::string const text = x.exact().value_or("");
    try {
        return sqrt(parse_rational_function(text, "limit").merged());
    } catch (UnsupportedError const&) {
        return Value::expression("sqrt(" + text + ")");
    }
}

Tendency tendency(ExpQuotient const& given, LimitScale const& scale) {
    if (scale.is_wide()) return tendency_of(given, scale.width);
    ExpQuotient const x = given.reduced();
    LimitPath const path = path_of(scale);
    JointLimit const above = joint_limit(x.numerator(), path, 0);
    if (x.is_polynomial()) return tendency_of(above, path.scale);
    return tendency_of(above, joint_limit(x.denominator(), path, 0), path.scale);
}

}  // namespace

std::vector<std::string> LimitScale::endless() const {
    if (is_wide()) return {width};
    if (width.empty()) return {depth, layer_symbol};
    return {width, depth, layer_symbol};
}

std::string LimitScale::meaning() const {
    if (is_wide()) return "limit of " + width + " to infinity, every other symbol fixed";
    std::string const layer = "; layer l is t*" + depth;
    if (width.empty())
        return "limit of " + depth + " to infinity, " + (has_wide_depth ? "in widths too" : "the widths fixed") + layer;
    return "limit of " + width + " and " + depth + " to infinity, " + depth + " = b*" + width + layer;
}

void state_limit(LimitScale const& scale, Answer& answer) {
    answer.assume(scale.meaning());
    if (scale.is_wide()) return;
    answer.declare({.symbol = place_symbol, .whole = false, .least = "0", .most = "1", .open = true},
                   SymbolRole::parameter);
}

namespace {

void add_limit(ExpQuotient const& x, bool is_square, LimitScale const& scale, LimitNames const& names,
               std::vector<std::string> const& index, char const* unchecked, Answer& answer) {
    try {
        auto found = tendency(x, scale);
        if (is_square) found.leading = root_of(found.leading);
        add_limit_rows(answer, names, index, found, scale.endless(), unchecked);
    } catch (UnsupportedError const& e) {
        answer.add(names.limit, index, Value::absent(reason(e)), {}, unchecked);
    }
}

}  // namespace

void add_limit_of(ExpQuotient const& x, LimitScale const& scale, LimitNames const& names,
                  std::vector<std::string> const& index, Answer& answer, char const* unchecked) {
    add_limit(x, false, scale, names, index, unchecked, answer);
}

void add_limit_of_root(ExpQuotient const& square, LimitScale const& scale, LimitNames const& names,
                       std::vector<std::string> const& index, Answer& answer) {
    add_limit(square, true, scale, names, index, not_sampled, answer);
}

void add_leading_of(ExpQuotient const& x, std::string const& width, std::string const& depth, std::string const& name,
                    Answer& answer) {
    try {
        bool in_depth = false;
        Value value = RationalFunction(0);
        if (stands_in_exponent(x, width)) {
            value = tendency_of(x, width).leading;
        } else {
            auto const leading = leading_term(x, width, depth);
            in_depth = leading.in_depth;
            value = leading.value;
        }
        answer.add_limit(name, {}, value, {width, in_depth ? depth : std::string()}, not_numeric);
        answer.assume(name + " as " + width + (in_depth ? " and then " + depth + " go" : " goes") + " to infinity");
    } catch (UnsupportedError const& e) {
        answer.add(name, {}, Value::absent(reason(e)), {}, not_numeric);
    }
}

}  // namespace isserlis::quantity
