// SPDX-License-Identifier: MIT
#include "quantity/normalised_gradients.hpp"

#include <isserlis/formula/normalised_gradient.hpp>
#include <isserlis/loss_curve/curve_number.hpp>
#include <isserlis/monte_carlo/normalised_gradients.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/heavy_tails.hpp>

#include <algorithm>
#include <optional>
#include <string>

#include "quantity/unchecked.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* no_gradient_form = "no exact form; `check` N samples it";

/// N of so few entries before the branches is constant where it has a derivative: the skips alone hand the gradient down.
bool is_handed_by_skips(NumericModel const& model, NormalisedRequest const& request) {
    int const constant_up_to = request.by == Normalisation::rms ? 1 : 2;
    return starts_at_input(model) && request.placement == Placement::before &&
           model.graph().input_width.to_rational() <= constant_up_to;
}

/// What layer `place` of so many makes of a gradient, where it is known.
std::optional<Value> known_gradient(NumericModel const& model, NormalisedRequest const& request, std::size_t place,
                                    std::size_t layers) {
    if (is_handed_by_skips(model, request)) return Surd(0);
    if (!model.network.is_chain() || request.by != Normalisation::rms) return std::nullopt;
    Surd const slope = model.net().activation.gate().negative;
    bool const served = slope.is_zero() || slope * slope == Surd(1);
    if (!served || place + 1 >= layers) return std::nullopt;
    return Value::certified([net = model.net(), square = model.squared_norm,
                             place](unsigned bits) { return rms_gradient_log_ratio(net, place, square, bits); },
                            "digamma sums over the active units of the layer and of the one below");
}

void add_rows(NumericModel const& model, NormalisedRequest const& request,
              std::vector<Section<Surd, std::uint64_t>> const& parts,
              std::vector<Section<Surd, std::uint64_t>> const& all, Session const& session, Answer& answer) {
    std::vector<monte_carlo::Estimate> seen;
    if (session.samples) {
        auto const sampled = sampled_model(model, request);
        require_feasible(3 * sampled.weights(), *session.samples, session.run_control());
        require_memory(sampled.weights(), session.run_control());
        seen = monte_carlo::normalised_gradients(sampled, *session.samples, session.seed, session.run_control());
        if (auto const left_out = *session.samples - seen.front().samples; left_out > 0)
            answer.assume("gradients: " + std::to_string(left_out) + " of " + std::to_string(*session.samples) +
                          " sampled networks have fewer active units, and are left out");
    }
    for (auto const& part : parts) {
        std::size_t place = 1;
        while (all[place - 1].label != part.label) ++place;
        if (part.head || part.label == "out") continue;  // what y itself is read from
        auto const known = known_gradient(model, request, place, all.size());
        std::optional<monte_carlo::Estimate> estimate;
        if (!seen.empty() && seen[place - 1].samples >= 2) estimate = seen[place - 1];
        std::optional<Check> check;
        if (estimate && known)
            check = compare_log_mean(known->to_double(), estimate->mean, estimate->std_error, estimate->samples);
        if (known)
            answer.add("gradient_log_ratio", {part.label}, *known, check, "too few networks hand a gradient down");
        else
            answer.add("gradient_log_ratio", {part.label},
                       estimate ? CurveNumber::sampled(*estimate).value() : Value::absent(no_gradient_form), {},
                       estimate ? is_sampled_itself : "no exact value to check");
    }
}
void add_rows(SymbolicModel const& model, NormalisedRequest const& request,
              std::vector<Section<RationalFunction, Exponent>> const& parts, Answer& answer) {
    bool const has_form = model.network.is_chain() && request.by == Normalisation::rms;
    for (auto const& part : parts) {
        if (part.head || part.label == "out") continue;
        answer.add(
            "gradient_log_ratio", {part.label},
            Value::absent(has_form ? "transcendental: give all symbols values by `set`"
                                   : "no exact form; with values for the symbols by `set`, `check` N samples it"),
            {}, not_sampled);
    }
}

/// Errors  DomainError where what N is taken of has so few entries that N is constant.
template <class R, class Count>
void require_moving_norms(Model<R, Count> const& model, NormalisedRequest const& request) {
    bool const rms = request.by == Normalisation::rms;
    bool const chain = model.network.is_chain();
    int const constant_up_to = rms ? 1 : 2;
    auto const& stages = model.graph().stages;
    for (std::size_t b = 0; b < stages.size(); ++b) {
        bool const is_output = b + 1 == stages.size() && stages[b].count == Count(1);
        if (chain ? is_output : !has_skip(stages[b]) || request.placement == Placement::before) continue;
        for (int entries = 1; entries <= constant_up_to; ++entries) {
            if (!(stages[b].nodes.back().width == R(entries))) continue;
            throw DomainError("`gradients`: " + std::string(rms ? "RMSNorm" : "LayerNorm") + " of " +
                                  std::to_string(entries) + (entries == 1 ? " entry" : " entries") +
                                  " hands no gradient down; normalised layers of " +
                                  std::to_string(constant_up_to + 1) + " or more do",
                              "widths");
        }
    }
}

/// Errors  DomainError where no row is asked for, where N has no derivative, and where E log is -infinity.
template <class R, class Count>
void require_gradients(Model<R, Count> const& model, NormalisedRequest const& request,
                       std::vector<Section<R, Count>> const& parts) {
    if (std::all_of(parts.begin(), parts.end(), [](auto const& part) { return part.head || part.label == "out"; }))
        throw DomainError(
            "`gradients`: the output's matrix has no row, for y is what it makes; hidden layers and blocks have one",
            "gradients");
    require_moving_norms(model, request);
    if (!starts_at_input(model)) return;
    bool const before = request.placement == Placement::before;
    bool const dies = !relu_widths(model).empty();
    if (normalises_zero(model, request) && (before || dies))
        throw DomainError(
            "`gradients`: `input` is a multiple of (1,..,1), of which LayerNorm makes 0 and where it has no "
            "derivative; give "
            "another input",
            "input");
    if (before || !dies || model.input.empty()) return;
    // With all branches dead y is an entry of N(x), and N hands none of e_1 down where e_1 lies along what it reads.
    bool const along = request.by == Normalisation::layer
                           ? are_equal(model.input, 1)
                           : are_equal(model.input, 1) && (model.input.size() == 1 || model.input.back() == R(0));
    if (along)
        throw DomainError(
            std::string("`gradients`: with all branches dead the first entry of N does not move with an input of ") +
                (request.by == Normalisation::layer ? "equal entries behind the first one" : "its first entry alone") +
                ", and E log is -infinity; give another input",
            "input");
}

template <class R, class Count>
void state_gradients(Model<R, Count> const& model, NormalisedRequest const& request, Session const& session,
                     Answer& answer) {
    bool const stream = starts_at_input(model);
    answer.assume(std::string("gradient_log_ratio: E log of |dy/dh|^2 over |dy/dh'|^2, h what the layer or block reads "
                              "and h' what it makes, y ") +
                  (stream ? "the first entry of y^L" : "one output"));
    if (stream && model.input.empty()) {
        std::string const ones = request.by == Normalisation::layer ? "(1,-1,1,..)" : "(1,..,1)";
        answer.assume("gradient_log_ratio depends on the direction of x" +
                      (session.samples ? ": sampled at x = |x| " + ones + "/sqrt(n), as no coordinates are given"
                                       : std::string()));
    }
    if (model.network.is_chain() && model.net().activation.gate().negative == R(0))
        answer.assume(
            "gradients: given two or more active units in each hidden ReLU layer but the last, one or more in that; "
            "with "
            "fewer nothing is handed down to x");
}

}  // namespace

void add_normalised_gradients(NumericModel const& model, NormalisedRequest const& request,
                              std::vector<Section<Surd, std::uint64_t>> const& parts,
                              std::vector<Section<Surd, std::uint64_t>> const& all, Session const& session,
                              Answer& answer) {
    require_gradients(model, request, parts);
    state_gradients(model, request, session, answer);
    add_rows(model, request, parts, all, session, answer);
}

void add_normalised_gradients(SymbolicModel const& model, NormalisedRequest const& request,
                              std::vector<Section<RationalFunction, Exponent>> const& parts,
                              std::vector<Section<RationalFunction, Exponent>> const&, Session const& session,
                              Answer& answer) {
    require_gradients(model, request, parts);
    state_gradients(model, request, session, answer);
    add_rows(model, request, parts, answer);
}

}  // namespace isserlis::quantity
