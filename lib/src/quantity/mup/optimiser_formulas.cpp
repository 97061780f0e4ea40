// SPDX-License-Identifier: MIT
#include "quantity/mup/optimiser_formulas.hpp"

#include <isserlis/error.hpp>
#include <isserlis/report/tidy.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quantity/chain_models.hpp"
#include "quantity/mup/mup_text.hpp"
#include "quantity/mup/optimised_model.hpp"
#include "quantity/mup/unmoved.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/wired.hpp"
#include "quantity/wired/wired_mup.hpp"

namespace isserlis::quantity {
namespace {

using Layers = FullyConnected<RationalFunction, std::uint64_t>;

constexpr char const* of_pi = "a formula with pi in it; `set` gives it digits";
constexpr char const* of_digits = "certified digits of a network in numbers, which `set` gives";
constexpr char const* without_form = "no exact form; `check` N samples it of a network in numbers";

/// A sum in brackets.
std::string in_brackets(std::string const& x) { return x.find(' ') == std::string::npos ? x : "(" + x + ")"; }

/// A mean square: a formula times 1 - 2^-n for each width n, the probabilities of open gates.
struct GatedSquare {
    RationalFunction plain;
    std::vector<RationalFunction> widths;

    [[nodiscard]] Value rms() const {
        if (is_certainly_zero(plain)) return Surd(0);
        return widths.empty() ? root(plain, "a root of the mean square") : Value::expression("sqrt(" + text() + ")");
    }
    [[nodiscard]] Value inverse() const {
        if (is_certainly_zero(plain)) return unmoved();
        return widths.empty() ? over_root(1, plain, "1 over the root of the mean square")
                              : Value::expression("1/sqrt(" + text() + ")");
    }

private:
    [[nodiscard]] std::string text() const {
        std::string out = in_brackets(to_string(plain));
        for (std::size_t k = 0; k < widths.size();) {
            std::size_t same = 1;
            while (k + same < widths.size() && widths[k + same] == widths[k]) ++same;
            out +=
                "*(1 - 2^(-" + in_brackets(to_string(widths[k])) + "))" + (same > 1 ? "^" + std::to_string(same) : "");
            k += same;
        }
        return out;
    }
};

/// Layer by layer, of the squares of the rates by which W moves: of w, m times the rate.
class LayerFormulas {
public:
    LayerFormulas(StepRule rule, ModelText const& text, Bindings const& bindings)
        : rule_(rule),
          drawn_(layers_of(text, bindings)),
          rated_(layers_of(without_multipliers(text), bindings)),
          unit_(layers_of(without_rates(text), bindings)),
          bare_(layers_of(without_multipliers(without_rates(text)), bindings)) {
        squares_.push_back(symbolic_model(text, bindings).squared_norm);
        auto const g2 = drawn_.activation.gate().moment(2);
        for (auto const& run : drawn_.layers) squares_.push_back(squares_.back() * run.variance * run.fan_out * g2);
        if (rule != StepRule::sign) return;
        for (auto const& x : symbolic_model(text, bindings).input) {
            auto const is = sign_of(x);
            if (!is)
                throw UnsupportedError(
                    "`input`: signs go with the sum of |x_i|, and `set` has to say which sign " + to_string(x) + " has",
                    "input");
            size_ = *is < 0 ? size_ - x : size_ + x;
        }
    }

    [[nodiscard]] std::uint64_t layers() const { return drawn_.layers.size(); }
    [[nodiscard]] RationalFunction const& width(std::uint64_t l) const { return drawn_.layers[l - 1].fan_out; }
    [[nodiscard]] RationalFunction square(std::uint64_t l) const {
        return squares_[l - 1] * drawn_.layers[l - 1].variance;
    }
    /// At the rates given, and at rates of 1; none where there is pi in it.
    [[nodiscard]] std::optional<GatedSquare> own(std::uint64_t l, bool at_unit) const {
        bool const signs = rule_ == StepRule::sign;
        if (signs && l > 1) return std::nullopt;
        auto const moved = at_unit ? unit_.layers[l - 1].label_factor * bare_.layers[l - 1].label_factor
                                   : drawn_.layers[l - 1].label_factor * rated_.layers[l - 1].label_factor;
        GatedSquare out{.plain = moved * (signs ? size_ * size_ : squares_[l - 1] / width(l)), .widths = {}};
        if (!has_closed_gates()) return out;
        bool const own_gate = signs && l < layers();
        if (own_gate) out.plain = out.plain * half();
        for (std::uint64_t m = own_gate ? l + 1 : l; m < layers(); ++m) out.widths.push_back(width(m));
        return out;
    }
    /// The square of E |Delta z_i| of layer 1 under signs, which move each neuron that has a gradient by one size.
    [[nodiscard]] GatedSquare first_size() const {
        GatedSquare out = *own(1, false);
        if (has_closed_gates() && layers() > 1) out.plain = out.plain * half();
        auto const once = out.widths;
        for (auto at = once.rbegin(); at != once.rend(); ++at) out.widths.push_back(*at);
        return out;
    }
    /// The slope below 0 where it has symbols: gates of slope 0 close, which is not in the formulas then.
    [[nodiscard]] std::optional<RationalFunction> open_slope() const {
        auto const& slope = drawn_.activation.gate().negative;
        return slope.symbols().empty() ? std::nullopt : std::optional(slope);
    }
    /// Do numbers have digits of the output's mean change?
    [[nodiscard]] bool has_mean_sizes() const {
        auto const kind = drawn_.activation.kind;
        bool const known = kind == ActivationKind::relu || kind == ActivationKind::linear;
        return known && drawn_.output_width() == RationalFunction(1);
    }

private:
    static RationalFunction half() { return RationalFunction(1) / RationalFunction(2); }
    [[nodiscard]] bool has_closed_gates() const { return drawn_.activation.gate().negative == RationalFunction(0); }
    static Layers layers_of(ModelText const& text, Bindings const& bindings) {
        auto const model = symbolic_model(text, bindings);
        (void)checked_depth(model.net(), "the first step of an optimiser");
        return *layer_by_layer(model.net(), most_layers_in_symbols);
    }

    StepRule rule_;
    Layers drawn_, rated_, unit_, bare_;
    std::vector<RationalFunction> squares_;        ///< E |h^l|^2
    RationalFunction size_ = RationalFunction(0);  ///< sum |x_i|
};

StepRates add_layer_formulas(StepRule rule, ModelText const& text, Bindings const& bindings, Session const& session,
                             Answer& answer) {
    LayerFormulas const of(rule, text, bindings);
    if (auto const slope = of.open_slope()) answer.assume("the slope " + to_string(*slope) + " is not 0");
    char const* const of_output = of.has_mean_sizes() ? of_digits : without_form;
    auto const listed = listed_layers(session, of.layers(), 2, "layers only the last ones are", answer);
    answer.expect(5 * listed.size());
    for (std::uint64_t const l : listed) {
        std::vector<std::string> const index{std::to_string(l), to_string(of.width(l))};
        auto const add = [&](char const* name, Value const& value) { answer.add(name, index, value, {}, not_numeric); };
        auto const own = of.own(l, false);
        add("preactivation_std", root(of.square(l), "a root of the second moment"));
        add("own_change_rms", own ? own->rms() : Value::absent(of_pi));
        add("unit_rate", own ? of.own(l, true)->inverse() : Value::absent(of_pi));
        add("change_rms", l == 1 ? own->rms() : Value::absent(without_form));
        add("change_absolute_mean", l == 1 && rule == StepRule::sign ? of.first_size().rms()
                                    : l == of.layers()               ? Value::absent(of_output)
                                                                     : Value::absent(without_form));
    }
    StepRates out;
    out.output.exact = Value::absent(of_output);
    out.rated.exact = of.layers() == 2 ? of.own(1, false)->inverse() : Value::absent(without_form);
    return out;
}

/// Is there one rate for all matrices, and which?
std::optional<RationalFunction> one_rate_of(ModelText text, Bindings const& bindings) {
    text.multiplier.reset();  // it stands beside the matrices
    auto const model = symbolic_model(without_multipliers(std::move(text)), bindings);
    std::optional<RationalFunction> rate;
    for (auto const& stage : model.graph().stages) {
        for (auto const& edge : stage.edges) {
            if (edge.kind != GraphEdge<RationalFunction>::Kind::weight) continue;
            if (rate && !(*rate == edge.label_factor)) return std::nullopt;
            rate = edge.label_factor;
        }
    }
    return rate;
}

/// As rows in numbers call it, of wirings at a symbolic depth output.
std::string name_of_output(SymbolicModel const& model, ModelText const& text, Session const& session, Answer& answer) {
    if (text.wiring != Wiring::vanilla) return listed_nodes(model.graph(), session, answer).back().name;
    Exponent layers;
    for (auto const& run : model.net().layers) layers = layers + run.count;
    return to_string(layers);
}

StepRates add_whole_gradient(SymbolicModel const& model, ModelText const& text, Bindings const& bindings,
                             Session const& session, Answer& answer) {
    begin_wired(model, text, session, answer);
    auto const rate = one_rate_of(text, bindings);
    if (!rate)
        throw UnsupportedError(
            "`eta`: normalised steps in symbols are served where the rates of all matrices agree, those of "
            "`parametrisation` too; `set` and `check` N sample others",
            "eta");
    if (!(model.graph().output_width() == RationalFunction(1)))
        throw UnsupportedError(
            "`widths`: normalised steps in symbols are served of one output; `set` and `check` N "
            "sample others",
            "widths");
    if (session.layer)
        throw UnsupportedError("`layer`: normalised steps in symbols are served at the output; leave it out", "layer");
    auto const square = exact_mean_by_powers("z[1;m]^2", model) * *rate;
    StepRates out;
    out.rated.exact = Value::absent(without_form);
    bool const rests = square.terms().empty();
    bool const endless = has_endless_stage(model);
    auto const text_of = [&](char const* before) { return Value::expression(before + to_string(square) + ")"); };
    std::string const output = name_of_output(model, text, session, answer);
    answer.add("change_rms", {output, "1"},
               rests     ? Value(Surd(0))
               : endless ? text_of("sqrt(")
                         : root(square.formula(), "a root of the second moment"),
               {}, not_numeric);
    out.output.exact = rests     ? unmoved()
                       : endless ? text_of("1/sqrt(")
                                 : over_root(1, square, "1 over a root of the second moment");
    return out;
}

}  // namespace

StepRates add_first_step_formulas(Optimiser const& optimiser, SymbolicModel const& model, ModelText const& text,
                                  Bindings const& bindings, Session const& session, Answer& answer) {
    require_rates(model);
    if (optimiser.rule == StepRule::normalised) return add_whole_gradient(model, text, bindings, session, answer);
    if (has_endless_stage(model))
        throw UnsupportedError(
            "`widths`: a symbolic depth is served for `optimiser` normalised; `set` gives a number, and "
            "`depths` a list of them",
            "widths");
    if (text.wiring != Wiring::vanilla)
        throw UnsupportedError(
            "`optimiser` " + optimiser.name +
                ": residual and dense networks and files have widths and rates in numbers; `set` gives "
                "them",
            "optimiser");
    return add_layer_formulas(optimiser.rule, text, bindings, session, answer);
}

}  // namespace isserlis::quantity
