// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/formula/unit_moments.hpp>
#include <isserlis/mlp/unit.hpp>
#include <isserlis/monte_carlo/unit_sampler.hpp>
#include <isserlis/network/gate.hpp>
#include <isserlis/ring/enclosed.hpp>
#include <isserlis/verify/check.hpp>

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <variant>

#include "quantity/commands.hpp"
#include "quantity/engine_unit.hpp"
#include "question/names.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

/// A unit as formulas know it, and as the engine does.
struct GainUnit {
    std::string typed;
    std::variant<Gate<Rational>, SmoothUnit> exact;
    mlp::Unit sampled;
};

struct GainRequest {
    std::vector<GainUnit> units;
    Expression variance = Expression::parse("1", "variance");
};

GainUnit unit_of(std::string const& word) {
    if (auto const smooth = smooth_unit(word)) return {.typed = word, .exact = *smooth, .sampled = engine_unit(word)};
    auto const gate = gate_of_unit(word);
    return {.typed = word, .exact = gate, .sampled = engine_unit(gate)};
}

void complete_gain(GainRequest& request, Session const& session) {
    if (session.question.words.empty())
        throw ParseError("a unit is missing; choose " + std::string(unit_choices), "units");
    for (auto const& word : session.question.words) request.units.push_back(unit_of(word));
    check_bindings(request.variance.symbols(), session);
}

/// What a unit makes of a normal pre-activation, exact where that is a rational number or a root of one.
class Gains {
public:
    Gains(GainUnit const& unit, Rational variance) : variance_(std::move(variance)) {
        if (auto const* gate = std::get_if<Gate<Rational>>(&unit.exact)) {
            set_gate(*gate);
        } else {
            set_smooth(std::get<SmoothUnit>(unit.exact));
        }
    }

    [[nodiscard]] Value mean() const { return exact_mean_ ? Value(*exact_mean_) : value(mean_, "E sigma(z)"); }
    [[nodiscard]] Value second() const { return known(exact_second_, second_, "E sigma(z)^2"); }
    [[nodiscard]] Value derivative_second() const { return known(exact_derivative_, derivative_, "E sigma'(z)^2"); }
    [[nodiscard]] Value variance() const {
        if (exact_mean_ == Surd(0)) return second();
        return value(spread(), "E sigma(z)^2 - (E sigma(z))^2");
    }
    [[nodiscard]] Value gain() const {
        if (exact_second_) return Value(sqrt(Rational(variance_ / *exact_second_)));
        return value(root_of(Enclosed(variance_), second_), "sqrt(q/E sigma(z)^2)");
    }
    [[nodiscard]] Value centred_gain() const {
        if (exact_mean_ == Surd(0)) return gain();
        return value(root_of(Enclosed(variance_), spread()), "sqrt(q/Var sigma(z))");
    }
    [[nodiscard]] Value derivative_gain() const {
        if (exact_derivative_) return Value(sqrt(Rational(1 / *exact_derivative_)));
        return value(root_of(Enclosed(1), derivative_), "1/sqrt(E sigma'(z)^2)");
    }

private:
    using Enclosure = Value::Enclosure;

    static Value value(Enclosure const& enclosure, char const* form) { return Value::certified(enclosure, form); }
    static Value known(std::optional<Rational> const& exact, Enclosure const& enclosure, char const* form) {
        return exact ? Value(Surd(*exact)) : value(enclosure, form);
    }
    static Enclosure root_of(Enclosed const& above, Enclosure const& below) {
        return [above, below](unsigned bits) {
            Interval const divisor = below(bits);
            return sqrt(above.enclose(divisor.bits()) / divisor);
        };
    }
    [[nodiscard]] Enclosure spread() const {
        return [mean = mean_, second = second_](unsigned bits) {
            Interval const m = mean(bits);
            return second(bits) - m * m;
        };
    }

    /// E |z| = sqrt(2 q/pi), half of it on either side.
    void set_gate(Gate<Rational> const& gate) {
        Rational const moment = gate.moment(2);
        exact_second_ = variance_ * moment;
        exact_derivative_ = moment;
        Rational const difference = gate.positive - gate.negative;
        if (difference == 0) exact_mean_ = Surd(0);
        mean_ = [difference, q = variance_](unsigned bits) {
            unsigned const work = bits + guard_bits;
            return Interval(difference, work) * sqrt(Interval(q, work) / (Interval(2L, work) * pi(work)));
        };
        second_ = [x = *exact_second_](unsigned bits) { return Interval(x, bits + guard_bits); };
        derivative_ = [moment](unsigned bits) { return Interval(moment, bits + guard_bits); };
    }

    void set_smooth(SmoothUnit unit) {
        if (is_odd(unit)) exact_mean_ = Surd(0);
        if (unit == SmoothUnit::sigmoid) exact_mean_ = Surd(ratio(Integer(1), Integer(2)));
        if (unit == SmoothUnit::selu && variance_ == 1) {  // what its constants are chosen for
            exact_mean_ = Surd(0);
            exact_second_ = Rational(1);
        }
        // One quadrature serves all rows.
        auto const known = std::make_shared<std::map<unsigned, UnitMoments>>();
        auto const part = [unit, known, q = variance_](Interval UnitMoments::*member) {
            return [=](unsigned bits) {
                auto at = known->find(bits);
                if (at == known->end()) at = known->emplace(bits, unit_moments(unit, q, bits)).first;
                return at->second.*member;
            };
        };
        mean_ = part(&UnitMoments::mean);
        second_ = part(&UnitMoments::second);
        derivative_ = part(&UnitMoments::derivative_second);
    }

    Rational variance_;
    std::optional<Surd> exact_mean_;
    std::optional<Rational> exact_second_;
    std::optional<Rational> exact_derivative_;
    Enclosure mean_;
    Enclosure second_;
    Enclosure derivative_;
};

constexpr char const* made_of_others = "made of rows that are sampled";

void add_unit(GainUnit const& unit, Rational const& variance, Session const& session, Answer& answer) {
    Gains const gains(unit, variance);
    std::optional<monte_carlo::SampledUnit> seen;
    if (session.samples) {
        seen = monte_carlo::sample_unit(unit.sampled, std::sqrt(variance.convert_to<double>()), *session.samples,
                                        session.seed, session.run_control());
    }
    auto const add = [&](char const* name, Value const& value, monte_carlo::Estimate const* sampled) {
        std::optional<Check> check;
        if (sampled != nullptr)
            check = compare_sampled(value.to_double(), sampled->mean, sampled->std_error, sampled->samples);
        answer.add(name, {unit.typed}, value, check);
    };
    add("unit_mean", gains.mean(), seen ? &seen->mean : nullptr);
    add("unit_second_moment", gains.second(), seen ? &seen->second : nullptr);
    add("derivative_second_moment", gains.derivative_second(), seen ? &seen->derivative_second : nullptr);
    answer.add("unit_variance", {unit.typed}, gains.variance(), {}, made_of_others);
    answer.add("gain", {unit.typed}, gains.gain(), {}, made_of_others);
    answer.add("centred_gain", {unit.typed}, gains.centred_gain(), {}, made_of_others);
    answer.add("derivative_gain", {unit.typed}, gains.derivative_gain(), {}, made_of_others);
}

void evaluate_gain(GainRequest const& request, Session const& session, Bindings const& bindings, Answer& answer) {
    Rational const variance = rational_at(request.variance, bindings, "variance");
    double const size = variance.convert_to<double>();
    if (!(size >= least_unit_variance && size <= most_unit_variance))
        throw DomainError("`variance`: " + to_string(variance) + "; from 1/1000000 to 10000 is required", "variance");
    answer.assume("pre-activations z normal of mean 0 and variance q = " + to_string(variance) +
                  ": exact of a first layer with Gaussian weights, of deeper ones in the limit of infinite width");
    answer.expect(7 * request.units.size());
    for (auto const& unit : request.units) add_unit(unit, variance, session, answer);
}

}  // namespace

Command gain_command() {
    CommandOf<GainRequest> out;
    out.text = {
        .name = "gain",
        .summary = "What a unit makes of a normal pre-activation, and the gain that makes up for it",
        .positional = "UNIT",
        .positional_help = std::string(unit_choices) + "; several are set side by side",
        .most_positionals = 100,
        .refusals = {{{"layer"}, "a unit has no layers; leave {} out"}},
        .charted = "gain",
    };
    out.parameters.add(
        {"variance", "R", "q, of the pre-activations", &GainRequest::variance, formula(), More{.usual = "1"}});
    out.complete = complete_gain;
    out.evaluate = evaluate_gain;
    out.has_ranges = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
