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
#include "quantity/mup/mup_text.hpp"
#include "quantity/mup/sampled_steps.hpp"
#include "quantity/mup/unmoved.hpp"
#include "quantity/wired/wired.hpp"
#include "quantity/wired/wired_first_step.hpp"
#include "question/readers.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

using monte_carlo::Estimate;

constexpr std::uint64_t most_exact_alive_digits = 20;  ///< 2^-n of wider layers is known through enclosures

/// The first step in layers.
class OptimiserRows {
public:
    explicit OptimiserRows(OptimisedModel const& model) : rule_(model.rule()) {
        std::uint64_t const layers = checked_depth(model.drawn.net(), "the first step of an optimiser");
        if (layers > most_listed_layers)
            throw UnsupportedError("`optimiser`: up to " + std::to_string(most_listed_layers) +
                                       " layers are served for other first steps than those of sgd",
                                   "optimiser");
        bool const whole = rule_ == StepRule::normalised;
        drawn_ = layered(model.drawn, layers);
        rated_ = layered(model.rated, layers);
        moved_ = whole ? drawn_ : layered(model.moved, layers);
        unit_ = layered(model.unit, layers);
    }

    [[nodiscard]] std::uint64_t layers() const { return drawn_.net.layers.size(); }
    [[nodiscard]] Integer width(std::uint64_t l) const {
        return numerator_of(drawn_.net.layers[l - 1].fan_out.to_rational());
    }
    /// E (z_i^l)^2
    [[nodiscard]] Surd square(std::uint64_t l) const {
        Surd const slope = drawn_.net.activation.gate().negative;
        Surd const gated = (Surd(1) + slope * slope) * Surd(ratio(1, 2));
        Surd out = drawn_.square * drawn_.net.layers[0].variance;
        for (std::uint64_t m = 1; m < l; ++m)
            out = out * drawn_.net.layers[m].fan_in * gated * drawn_.net.layers[m].variance;
        return out;
    }
    [[nodiscard]] bool has_own() const { return rule_ != StepRule::normalised; }
    [[nodiscard]] bool rests(std::uint64_t l) const { return moved_.net.layers[l - 1].label_factor.is_zero(); }
    /// The root of the mean square of the layer's own part.
    [[nodiscard]] Value own(std::uint64_t l) const { return rests(l) ? Value(Surd(0)) : own_of(moved_, l, false); }
    /// 1 over it at a rate of 1.
    [[nodiscard]] Value unit_rate(std::uint64_t l) const { return own_of(unit_, l, true); }

    /// What is known of the change of a layer, or 1 over it, of which there is none where it is 0.
    [[nodiscard]] std::optional<Value> change_rms(std::uint64_t l, bool inverse = false) const {
        if (has_own()) {
            if (l > 1) return std::nullopt;
            return inverse ? rests(1) ? unmoved() : own_of(moved_, 1, true) : own(1);
        }
        auto const& rates = rated_.net.layers;
        bool const one_rate = std::all_of(rates.begin(), rates.end(), [&](auto const& run) {
            return run.label_factor == rates.front().label_factor;
        });
        if (l < layers() || !one_rate || drawn_.net.output_width() != Surd(1)) return std::nullopt;
        Surd const square = normalised_output_square(drawn_, rates.front().label_factor);
        if (!inverse) return root(square, "a root of the second moment");
        return square.is_zero() ? unmoved() : over_root(1, square, "1 over a root of the second moment");
    }
    [[nodiscard]] std::optional<Value> change_mean_size(std::uint64_t l, bool inverse = false) const {
        // Of layer 1 signs make Delta z_i 0 or one size.
        if (l == 1 && rule_ == StepRule::sign) {
            if (rests(1)) return inverse ? unmoved() : Value(Surd(0));
            Surd const size =
                own_change_square(moved_, rule_, 1).plain / (moved_.net.layers.front().label_factor * *moved_.absolute);
            Surd const out = inverse ? Surd(1) / size : size;
            if (alive_digits(moved_, 1) <= most_exact_alive_digits) return Value(out);
            return Value::certified([out](unsigned bits) { return enclose(out, bits + guard_bits); },
                                    "the step's size times the probability of a gradient");
        }
        if (l < layers() || !has_mean_sizes()) return std::nullopt;
        bool const all_rest = std::all_of(moved_.net.layers.begin(), moved_.net.layers.end(),
                                          [](auto const& run) { return run.label_factor.is_zero(); });
        if (all_rest) return inverse ? unmoved() : Value(Surd(0));
        return Value::certified(
            [of = moved_, rule = rule_, inverse](unsigned bits) {
                unsigned const work = bits + guard_bits;
                Interval const mean = output_change_mean(of, rule, work);
                return inverse ? Interval(1L, work) / mean : mean;
            },
            std::string(inverse ? "1 over the " : "") + "sum of rates times mean norms of the layers' gradients");
    }

    /// E (Delta W h)_i^2 at rate 1.
    [[nodiscard]] PiSum unit_square(std::uint64_t l) const { return own_change_square(unit_, rule_, l); }
    /// The rates at which the own parts have mean square 1, as numbers to draw with.
    [[nodiscard]] std::vector<double> unit_rates() const {
        std::vector<double> out;
        for (std::uint64_t l = 1; l <= layers(); ++l) out.push_back(unit_rate(l).to_double());
        return out;
    }
    /// The factor of these rates at which E |Delta z| = 1 at the output.
    [[nodiscard]] std::optional<Value> joint_rate() const {
        if (!has_mean_sizes()) return std::nullopt;
        return Value::certified(
            [of = unit_, rule = rule_](unsigned bits) { return joint_unit_rate(of, rule, bits + guard_bits); },
            "1 over the mean change at unit rates");
    }

private:
    static FirstStepNetwork layered(NumericModel const& model, std::uint64_t layers) {
        FirstStepNetwork out{.net = *layer_by_layer(model.net(), layers), .square = model.squared_norm, .absolute = {}};
        Surd sum(0);
        for (auto const& x : model.input) sum = sign(x) < 0 ? sum - x : sum + x;
        if (!model.input.empty()) out.absolute = sum;
        return out;
    }
    /// The root of the mean square of the own part at the label factors, or 1 over it.
    [[nodiscard]] Value own_of(FirstStepNetwork const& of, std::uint64_t l, bool inverse) const {
        PiSum const x = own_change_square(of, rule_, l);
        if (x.over_pi.is_zero() && alive_digits(of, l) <= most_exact_alive_digits)
            return root(inverse ? Surd(Surd(1) / x.plain) : x.plain, "a root of the mean square");
        return Value::certified(
            [x, inverse](unsigned bits) {
                Interval const mean = enclose(x, bits + 64);
                return sqrt(inverse ? Interval(1L, bits + 64) / mean : mean);
            },
            inverse ? "1 over the root of the mean square" : "a root of the mean square");
    }
    /// Is there a form for the mean size of the output's change?
    [[nodiscard]] bool has_mean_sizes() const {
        auto const kind = drawn_.net.activation.kind;
        bool const known = kind == ActivationKind::relu || kind == ActivationKind::linear;
        return has_own() && known && drawn_.net.output_width() == Surd(1);
    }

    StepRule rule_;
    FirstStepNetwork drawn_, rated_, moved_, unit_;  ///< as in OptimisedModel
};

/// Of the rates given, beside sampled networks.
std::optional<Estimate> inverse_root(Estimate const& square) { return inverse_of(root_of(square)); }

StepRates add_chain_first_step(OptimisedModel const& model, std::string const& rated,
                               std::optional<Integer> const& width, Session const& session, Answer& answer) {
    OptimiserRows const rows(model);
    if (sign(model.drawn.squared_norm) <= 0)
        throw DomainError("`input`: |x|^2 is 0; a step of this size needs an input that is not 0", "input");
    auto const draw = [&](std::vector<double> const& rates) {
        return monte_carlo::sample_first_steps(sampling_model(model.drawn), model.rule(), rates, target_of(model.drawn),
                                               *session.samples, session.seed, session.run_control());
    };
    std::vector<monte_carlo::FirstStepEstimates> sampled;
    if (session.samples) {
        require_sampled_steps(model.drawn, 4, session);
        sampled = draw(sampling_factors(model.drawn));
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
        add_known("own_change_rms", index, rows.has_own() ? std::optional(rows.own(l)) : std::nullopt,
                  rms(&monte_carlo::FirstStepEstimates::own_square), answer);
        if (rows.has_own())
            answer.add("unit_rate", index, rows.unit_rate(l), {}, "the rate over own_change_rms, which is checked");
        add_known("change_rms", index, rows.change_rms(l), rms(&monte_carlo::FirstStepEstimates::change_square),
                  answer);
        add_known("change_absolute_mean", index, rows.change_mean_size(l),
                  seen == nullptr ? std::nullopt : std::optional(seen->change_absolute), answer);
    }
    if (auto const joint = rows.joint_rate()) {
        std::optional<Estimate> drawn;
        if (session.samples) {
            auto rates = rows.unit_rates();
            auto const of_widths = sampling_factors(model.unit);  // n^-C
            for (std::size_t l = 0; l < rates.size(); ++l) rates[l] *= of_widths[l];
            drawn = inverse_of(draw(rates).back().change_absolute);
        }
        add_known("joint_unit_rate",
                  {to_string(width.value_or(rows.width(std::max<std::uint64_t>(rows.layers(), 2) - 1)))}, joint, drawn,
                  answer);
    }
    StepRates out;
    bool const by_size = rows.has_own();
    out.output.exact = by_size ? rows.change_mean_size(rows.layers(), true) : rows.change_rms(rows.layers(), true);
    if (!sampled.empty())
        out.output.sampled =
            by_size ? inverse_of(sampled.back().change_absolute) : inverse_root(sampled.back().change_square);
    if (rated.empty()) return out;
    auto const l = static_cast<std::uint64_t>(parse_integer(rated, "layer"));
    out.rated.exact = rows.change_rms(l, true);
    if (!sampled.empty()) out.rated.sampled = inverse_root(sampled[l - 1].change_square);
    return out;
}

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
    if (steps && typed.count("beside") != 0)
        throw UnsupportedError("`beside`: one table is served with `steps`", "beside");
    if (!other) return;
    if (optimiser.name == "adam" && steps.value_or(1) > 1)
        throw UnsupportedError(
            "`steps`: the first step of Adam is served, later ones go by its moving averages; give `steps` 1, or "
            "`optimiser` sign for steps by signs alone",
            "steps");
    if (text.has_unit_parameters())
        refuse("scheme",
               "steps are those of the weights themselves, not of theta; `parametrisation` ntk has those of w,");
    if (optimiser.rule == StepRule::sign && typed.count("input") == 0)
        throw ParseError("`input` is missing: a step by signs goes with the sum of |x_i|; such as `input` 1,-2",
                         "input");
}

void state_optimiser(Optimiser const& optimiser, std::optional<Parametrisation> const& parametrisation,
                     Answer& answer) {
    std::string const w = parametrisation ? "w" : "W";
    std::string text;
    if (optimiser.rule == StepRule::sign)
        text = optimiser.name == "adam"
                   ? "adam: the first step, bias corrected, is by g/(|g| + epsilon), the sign of each entry as epsilon "
                     "goes to 0, and 0 for 0"
                   : "sign: every weight moves by minus its rate times the sign of its gradient, 0 for 0";
    if (optimiser.rule == StepRule::normalised)
        text = "normalised: weights move by minus their rates times the gradient over the norm of that of all layers";
    if (optimiser.rule == StepRule::orthogonal)
        text = "muon: " + w +
               " moves by minus its rate times the polar factor of its gradient, for one sample delta h^T/(|delta| "
               "|h|); exact orthogonalisation, no momentum, no factor of the shape";
    if (text.empty()) return;
    answer.assume(text + "; no step where the gradient is 0");
    if (!parametrisation) return;
    answer.assume("weights, rates and gradients of the step are those of w");
    if (optimiser.rule == StepRule::sign && parametrisation->name == "mup")
        answer.warn(
            "the rates of mup are those for sgd; those for signs and Adam are `parametrisation` 0,0:1/2:1,0:1:1 [Yang "
            "2022, Table 3]");
}

void state_sampled_changes(Session const& session, Answer& answer) {
    if (session.samples) answer.assume("sampled sizes of changes: targets of random signs and equal sizes");
}

void state_optimised_matrices(ModelText const& text, Answer& answer) {
    if (text.wiring == Wiring::dense)
        answer.assume("the matrix of a dense layer is one, that of all it reads together");
    if (text.wiring == Wiring::file)
        answer.assume(
            "each edge has a matrix of its own; own_change_rms is of what all matrices into a node do together, "
            "unit_rate one rate for them all");
}

StepRates add_first_step(OptimisedModel const& model, ModelText const& text, std::string const& rated,
                         std::optional<Integer> const& width, Session const& session, Answer& answer) {
    require_rates(model.drawn);
    if (text.wiring == Wiring::vanilla) return add_chain_first_step(model, rated, width, session, answer);
    begin_wired(model.drawn, text, session, answer);
    return add_wired_first_step(model, rated, width, session, answer);
}

void add_unit_rate_exponents(std::vector<std::pair<Integer, OptimisedModel>> const& swept, Session const& session,
                             Answer& answer) {
    for (std::size_t k = 0; k + 1 < swept.size(); ++k) {
        OptimiserRows const here(swept[k].second);
        OptimiserRows const next(swept[k + 1].second);
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
