// SPDX-License-Identifier: MIT
#include "quantity/mup/optimiser_steps.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/formula/first_step.hpp>
#include <isserlis/loss_curve/curve_number.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/optimiser_sampler.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/verify/feasible.hpp>
#include <utility>
#include <vector>

#include "quantity/chain_models.hpp"
#include "quantity/log_slope.hpp"
#include "quantity/mup/sampled_steps.hpp"
#include "question/readers.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

using monte_carlo::Estimate;

constexpr std::uint64_t most_exact_alive_digits = 20;  ///< 2^-n of wider layers is known through enclosures

/// The first step in layers, with rates of 1 in place of those of the model.
class OptimiserRows {
public:
    OptimiserRows(StepRule rule, NumericModel const& model) : rule_(rule) {
        std::uint64_t const layers = checked_depth(model.net(), "coord-check");
        if (layers > most_listed_layers)
            throw UnsupportedError("`optimiser`: up to " + std::to_string(most_listed_layers) +
                                       " layers are served for other first steps than those of sgd",
                                   "optimiser");
        typed_ = {.net = *layer_by_layer(model.net(), layers), .square = model.squared_norm, .absolute = {}};
        if (rule == StepRule::sign) {
            Surd sum(0);
            for (auto const& x : model.input) sum = sign(x) < 0 ? sum - x : sum + x;
            typed_.absolute = sum;
        }
        unit_ = typed_;
        for (auto& run : unit_.net.layers) run.label_factor = Surd(1);
    }

    [[nodiscard]] std::uint64_t layers() const { return typed_.net.layers.size(); }
    [[nodiscard]] Surd const& rate(std::uint64_t l) const { return typed_.net.layers[l - 1].label_factor; }
    [[nodiscard]] Integer width(std::uint64_t l) const {
        return numerator_of(typed_.net.layers[l - 1].fan_out.to_rational());
    }
    /// E (z_i^l)^2
    [[nodiscard]] Surd square(std::uint64_t l) const {
        Surd const slope = typed_.net.activation.gate().negative;
        Surd const gated = (Surd(1) + slope * slope) * Surd(ratio(1, 2));
        Surd out = typed_.square * typed_.net.layers[0].variance;
        for (std::uint64_t m = 1; m < l; ++m)
            out = out * typed_.net.layers[m].fan_in * gated * typed_.net.layers[m].variance;
        return out;
    }
    [[nodiscard]] bool has_own() const { return rule_ != StepRule::normalised; }
    /// factor times the root of the mean square of the own part at rate 1, or of its inverse.
    [[nodiscard]] Value own(std::uint64_t l, Surd const& factor, bool inverse) const {
        if (factor.is_zero()) return Surd(0);
        PiSum const x = own_change_square(unit_, rule_, l);
        Surd const square = factor * factor;
        if (x.over_pi.is_zero() && alive_digits(unit_, l) <= most_exact_alive_digits)
            return root(inverse ? Surd(square / x.plain) : Surd(square * x.plain), "a root of the mean square");
        return Value::certified(
            [x, square, inverse](unsigned bits) {
                Interval const by = enclose(square, bits + 64);
                Interval const mean = enclose(x, bits + 64);
                return sqrt(inverse ? by / mean : by * mean);
            },
            inverse ? "1 over the root of the mean square" : "a root of the mean square");
    }
    [[nodiscard]] std::optional<Value> change_rms(std::uint64_t l) const {
        if (has_own()) return l == 1 ? std::optional(own(1, rate(1), false)) : std::nullopt;
        bool const one_rate = std::all_of(typed_.net.layers.begin(), typed_.net.layers.end(),
                                          [&](auto const& run) { return run.label_factor == rate(1); });
        if (l < layers() || !one_rate || typed_.net.output_width() != Surd(1)) return std::nullopt;
        return root(normalised_output_square(typed_), "a root of the second moment");
    }
    [[nodiscard]] std::optional<Value> change_mean_size(std::uint64_t l) const {
        // Of layer 1 signs make Delta z_i 0 or one size.
        if (l == 1 && rule_ == StepRule::sign && alive_digits(unit_, 1) <= most_exact_alive_digits)
            return Value(Surd(rate(1) * own_change_square(unit_, rule_, 1).plain / *unit_.absolute));
        auto const kind = typed_.net.activation.kind;
        bool const known = kind == ActivationKind::relu || kind == ActivationKind::linear;
        if (!has_own() || l < layers() || !known || typed_.net.output_width() != Surd(1)) return std::nullopt;
        bool const rests = std::all_of(typed_.net.layers.begin(), typed_.net.layers.end(),
                                       [](auto const& run) { return run.label_factor.is_zero(); });
        if (rests) return Value(Surd(0));
        return Value::certified(
            [of = typed_, rule = rule_](unsigned bits) { return output_change_mean(of, rule, bits + guard_bits); },
            "sum of rates times mean norms of the layers' gradients");
    }

    /// E (Delta W h)_i^2 at rate 1.
    [[nodiscard]] PiSum unit_square(std::uint64_t l) const { return own_change_square(unit_, rule_, l); }
    /// The rates at which the own parts have mean square 1, as numbers to draw with.
    [[nodiscard]] std::vector<double> unit_rates() const {
        std::vector<double> out;
        for (std::uint64_t l = 1; l <= layers(); ++l) out.push_back(own(l, Surd(1), true).to_double());
        return out;
    }
    /// The factor of these rates at which E |Delta z| = 1 at the output.
    [[nodiscard]] std::optional<Value> joint_rate() const {
        auto const kind = typed_.net.activation.kind;
        bool const known = kind == ActivationKind::relu || kind == ActivationKind::linear;
        if (!has_own() || !known || typed_.net.output_width() != Surd(1)) return std::nullopt;
        return Value::certified(
            [of = unit_, rule = rule_](unsigned bits) { return joint_unit_rate(of, rule, bits + guard_bits); },
            "1 over the mean change at unit rates");
    }

private:
    StepRule rule_;
    FirstStepNetwork typed_;
    FirstStepNetwork unit_;
};

}  // namespace

Reader<Optimiser> optimiser_name() {
    std::vector<std::pair<std::string, StepRule>> const known{{"sgd", StepRule::descent},
                                                              {"sign", StepRule::sign},
                                                              {"adam", StepRule::sign},
                                                              {"normalised", StepRule::normalised},
                                                              {"muon", StepRule::orthogonal}};
    std::vector<std::string> words;
    for (auto const& [word, rule] : known) words.push_back(word);
    auto read = [known, words](std::string const& text, std::string const& parameter) -> Optimiser {
        for (auto const& [word, rule] : known) {
            if (text == word) return {.name = word, .rule = rule};
        }
        throw UnsupportedError(named(parameter) + ": the first step of '" + printable(text) +
                                   "' is not served; choose " + alternatives(words),
                               parameter);
    };
    return {std::move(read), std::move(words)};
}

void check_optimiser(Optimiser const& optimiser, std::optional<std::uint64_t> steps, ModelText const& text,
                     Session const& session) {
    bool const other = optimiser.rule != StepRule::descent;
    if (!other && !steps) return;
    std::string const what = other ? "optimiser" : "steps";
    auto const refuse = [&](std::string const& parameter, std::string const& why) {
        throw UnsupportedError(named(parameter) + ": " + why + " with " + named(what), parameter);
    };
    if (text.wiring == Wiring::file && (text.file.nodes.back().gated || text.file.nodes.back().concatenation))
        refuse("network", "networks whose last node is weighted and linear are served");
    if (text.activation == ActivationKind::crelu || text.activation == ActivationKind::crelu_tied)
        refuse("activation", "relu, leaky and linear units are served");
    if (text.has_biases()) refuse("bias_variance", "networks without biases are served");
    if (session.test) refuse("emit_test", "there is no test");
    auto const& typed = session.question.parameters;
    if (typed.count("measured") != 0) refuse("measured", "changes by the first step of sgd are compared, none");
    if (typed.count("beside") != 0) refuse("beside", "one table is served");
    if (!other) return;
    if (optimiser.name == "adam" && steps.value_or(1) > 1)
        throw UnsupportedError(
            "`steps`: the first step of Adam is served, later ones go by its moving averages; give `steps` 1, or "
            "`optimiser` sign for steps by signs alone",
            "steps");
    if (text.parametrisation)
        refuse("parametrisation", "steps are those of the weights themselves, without multipliers,");
    if (text.has_unit_parameters()) refuse("scheme", "steps are those of the weights themselves, not of theta,");
    if (optimiser.rule == StepRule::sign && typed.count("input") == 0)
        throw ParseError("`input` is missing: a step by signs goes with the sum of |x_i|; such as `input` 1,-2",
                         "input");
}

void state_optimiser(Optimiser const& optimiser, Answer& answer) {
    std::string text;
    if (optimiser.rule == StepRule::sign)
        text = optimiser.name == "adam"
                   ? "adam: the first step, bias corrected, is by g/(|g| + epsilon), the sign of each entry as epsilon "
                     "goes to 0, and 0 for 0"
                   : "sign: every weight moves by minus its rate times the sign of its gradient, 0 for 0";
    if (optimiser.rule == StepRule::normalised)
        text = "normalised: weights move by minus their rates times the gradient over the norm of that of all layers";
    if (optimiser.rule == StepRule::orthogonal)
        text =
            "muon: W moves by minus its rate times the polar factor of its gradient, for one sample delta h^T/(|delta| "
            "|h|); exact orthogonalisation, no momentum, no factor of the shape";
    if (!text.empty()) answer.assume(text + "; no step where the gradient is 0");
}

void state_optimised_matrices(ModelText const& text, Answer& answer) {
    if (text.wiring == Wiring::dense)
        answer.assume("the matrix of a dense layer is one, that of all it reads together");
    if (text.wiring == Wiring::file)
        answer.assume(
            "each edge has a matrix of its own; own_change_rms is of what all matrices into a node do together, "
            "unit_rate one rate for them all");
}

void add_optimiser_step(Optimiser const& optimiser, NumericModel const& model, std::optional<Integer> const& width,
                        Session const& session, Answer& answer) {
    OptimiserRows const rows(optimiser.rule, model);
    if (sign(model.squared_norm) <= 0)
        throw DomainError("`input`: |x|^2 is 0; a step of this size needs an input that is not 0", "input");
    std::vector<monte_carlo::FirstStepEstimates> sampled;
    if (session.samples) {
        require_sampled_steps(model, 4, session);
        sampled =
            monte_carlo::sample_first_steps(sampling_model(model), optimiser.rule, sampling_factors(model),
                                            target_of(model), *session.samples, session.seed, session.run_control());
    }
    auto const listed = listed_layers(session, rows.layers(), 2, "layers only the last ones are", answer);
    answer.expect(5 * listed.size());
    for (std::uint64_t const l : listed) {
        std::vector<std::string> const index{std::to_string(l), to_string(width.value_or(rows.width(l)))};
        auto const* seen = sampled.empty() ? nullptr : &sampled[l - 1];
        auto const rms = [&](Estimate monte_carlo::FirstStepEstimates::*square) {
            return seen == nullptr ? std::nullopt : std::optional(root_of(seen->*square));
        };
        add_known("preactivation_std", index, root(rows.square(l), "a root of the second moment"),
                  rms(&monte_carlo::FirstStepEstimates::square), answer);
        std::optional<Value> own;
        if (rows.has_own()) own = rows.own(l, rows.rate(l), false);
        add_known("own_change_rms", index, own, rms(&monte_carlo::FirstStepEstimates::own_square), answer);
        if (rows.has_own())
            answer.add("unit_rate", index, rows.own(l, Surd(1), true), {},
                       "the rate over own_change_rms, which is checked");
        add_known("change_rms", index, rows.change_rms(l), rms(&monte_carlo::FirstStepEstimates::change_square),
                  answer);
        add_known("change_absolute_mean", index, rows.change_mean_size(l),
                  seen == nullptr ? std::nullopt : std::optional(seen->change_absolute), answer);
    }
    auto const joint = rows.joint_rate();
    if (!joint) return;
    std::optional<Estimate> drawn;
    if (session.samples) {
        auto const at_unit_rates =
            monte_carlo::sample_first_steps(sampling_model(model), optimiser.rule, rows.unit_rates(), target_of(model),
                                            *session.samples, session.seed, session.run_control());
        Estimate const& change = at_unit_rates.back().change_absolute;
        if (change.mean > 0)
            drawn = Estimate{.mean = 1 / change.mean,
                             .std_error = change.std_error / (change.mean * change.mean),
                             .samples = change.samples};
    }
    add_known("joint_unit_rate", {to_string(width.value_or(rows.width(std::max<std::uint64_t>(rows.layers(), 2) - 1)))},
              joint, drawn, answer);
}

void add_unit_rate_exponents(Optimiser const& optimiser, std::vector<std::pair<Integer, NumericModel>> const& swept,
                             Session const& session, Answer& answer) {
    for (std::size_t k = 0; k + 1 < swept.size(); ++k) {
        OptimiserRows const here(optimiser.rule, swept[k].second);
        OptimiserRows const next(optimiser.rule, swept[k + 1].second);
        if (!here.has_own() || here.layers() != next.layers()) return;
        Rational const by = Rational(swept[k + 1].first) / Rational(swept[k].first);
        for (std::uint64_t const l :
             listed_layers(session, here.layers(), 2, "layers only the last ones are", answer)) {
            PiSum const a = here.unit_square(l);
            PiSum const b = next.unit_square(l);
            auto const enclosing = [](PiSum const& x) { return [x](unsigned bits) { return enclose(x, bits); }; };
            Value const slope = a == b ? Value(Surd(0))  // no enclosure would end
                                       : local_exponent(enclosing(a), enclosing(b), by, ratio(-1, 2),
                                                        "log(unit_rate(n')/unit_rate(n))/log(n'/n), n' the next width");
            answer.add("unit_rate_exponent", {std::to_string(l), to_string(swept[k].first)}, slope, {},
                       "a function of unit_rate");
        }
    }
}

}  // namespace isserlis::quantity
