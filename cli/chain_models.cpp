// SPDX-License-Identifier: MIT
#include "chain_models.hpp"

#include <algorithm>
#include <isserlis/ring/asymptotics.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/joint_limit.hpp>
#include <isserlis/ring/parse.hpp>
#include <map>
#include <set>

#include "unchecked.hpp"

namespace isserlis::cli {
namespace {

template <class R>
std::vector<LayerRun<R, std::uint64_t>> one_by_one(LayerRun<R, std::uint64_t> run) {
    auto const count = run.count;
    run.count = 1;
    return std::vector<LayerRun<R, std::uint64_t>>(count, run);
}

template <class R, class Count>
void require_factors(FullyConnected<R, Count> const& net, ModelText const& text) {
    for (auto const& run : net.layers) {
        if (sign_of(run.label_factor).value_or(0) >= 0) continue;
        R typed = text.effective ? R(run.label_factor * run.fan_in) : run.label_factor;
        if (text.has_unit_parameters()) typed = typed / run.variance;
        throw DomainError(text.label_factor_option + " = " + printable(to_string(typed)) +
                              "; it multiplies a square: at least 0 is required",
                          text.label_factor_option);
    }
}

/// The symbols that occur in widths.
std::set<std::string> width_symbols(Symbolic const& net) {
    std::set<std::string> out;
    for (auto const& run : net.layers) {
        for (auto const& s : run.fan_in.symbols()) out.insert(s);
        for (auto const& s : run.fan_out.symbols()) out.insert(s);
    }
    return out;
}

RationalFunction as_formula(RationalFunction::Base const& base) {
    switch (base.kind) {
        case RationalFunction::Base::Kind::integer: return base.number;
        case RationalFunction::Base::Kind::symbol: return RationalFunction::symbol(base.symbol);
        case RationalFunction::Base::Kind::polynomial: break;
    }
    return RationalFunction(base.polynomial);
}

constexpr std::size_t most_digits_under_a_root = 60;

bool is_short(Surd const& x) { return x.is_rational() && to_string(x).size() <= most_digits_under_a_root; }

/// A summand: coefficient * prod base^symbol.
struct Piece {
    RationalFunction coefficient;
    std::map<std::string, RationalFunction> bases;

    void multiply(RationalFunction const& base, Exponent const& exponent) {
        coefficient = coefficient * power(base, Exponent(exponent.constant()));
        for (auto const& [symbol, count] : exponent.symbols()) {
            auto& of_symbol = bases.emplace(symbol, RationalFunction(1)).first->second;
            of_symbol = of_symbol * power(base, Exponent(count));
        }
    }
};

/// Polynomials may be in powers with symbolic exponents, such as (n + 5)^L: one piece for each combination of those.
std::vector<Piece> multiplied(std::vector<Piece> const& pieces, RationalFunction::Factor const& factor) {
    auto const& [base, exponent] = factor;
    auto is_power = [](std::string const& variable) { return !is_identifier(variable); };
    bool const mixed = base.kind == RationalFunction::Base::Kind::polynomial && exponent == Exponent(1) &&
                       std::any_of(base.polynomial.variables().begin(), base.polynomial.variables().end(), is_power);
    std::vector<Piece> out = pieces;
    if (!mixed) {
        for (auto& piece : out) piece.multiply(as_formula(base), exponent);
        return out;
    }
    out.clear();
    auto const& names = base.polynomial.variables();
    for (auto const& monomial : base.polynomial.monomials()) {
        for (Piece piece : pieces) {
            piece.coefficient = piece.coefficient * RationalFunction(monomial.coefficient);
            for (std::size_t i = 0; i < names.size(); ++i) {
                Exponent const times(static_cast<int>(monomial.exponents[i]));
                if (times.is_zero()) continue;
                if (!is_power(names[i])) {
                    piece.multiply(RationalFunction::symbol(names[i]), times);
                    continue;
                }
                RationalFunction const power_of = parse_rational_function(names[i], "value");
                for (auto const& term : power_of.terms()) {
                    for (auto const& [b, e] : term.factors) piece.multiply(as_formula(b), e * times);
                }
            }
            out.push_back(std::move(piece));
        }
    }
    return out;
}

}  // namespace

bool is_rational(NumericModel const& model) {
    auto const& net = model.net;
    return model.squared_norm.is_rational() && model.target_second.is_rational() &&
           net.activation.slope.is_rational() && std::all_of(net.layers.begin(), net.layers.end(), [](auto const& run) {
               return run.variance.is_rational() && run.label_factor.is_rational() &&
                      run.law.kurtosis_value.is_rational();
           });
}

Model<Rational, std::uint64_t> over_rationals(NumericModel const& model) {
    Model<Rational, std::uint64_t> out;
    out.net.activation = {.kind = model.net.activation.kind, .slope = model.net.activation.slope.to_rational()};
    out.net.gated_head = model.net.gated_head;
    for (auto const& run : model.net.layers) {
        out.net.layers.push_back({.fan_in = run.fan_in.to_rational(),
                                  .fan_out = run.fan_out.to_rational(),
                                  .count = run.count,
                                  .variance = run.variance.to_rational(),
                                  .law = {.kind = run.law.kind, .kurtosis_value = run.law.kurtosis_value.to_rational()},
                                  .label_factor = run.label_factor.to_rational()});
    }
    out.squared_norm = model.squared_norm.to_rational();
    out.target_second = model.target_second.to_rational();
    return out;
}

Model<Rational, std::uint64_t> over_rationals(NumericModel const& model, Numeric const& layers) {
    NumericModel other = model;
    other.net = layers;
    return over_rationals(other);
}

std::optional<Numeric> layer_by_layer(Numeric const& net, std::uint64_t most) {
    std::uint64_t layers = 0;
    for (auto const& run : net.layers) layers += run.count;
    if (layers > most) return std::nullopt;
    Numeric out = net;
    out.layers.clear();
    for (auto const& run : net.layers) {
        for (auto const& layer : one_by_one(run)) out.layers.push_back(layer);
    }
    return out;
}

std::optional<FullyConnected<RationalFunction, std::uint64_t>> layer_by_layer(Symbolic const& net, std::uint64_t most) {
    FullyConnected<RationalFunction, std::uint64_t> out;
    out.activation = net.activation;
    out.gated_head = net.gated_head;
    for (auto const& run : net.layers) {
        if (!run.count.is_constant()) return std::nullopt;
        LayerRun<RationalFunction, std::uint64_t> const same{.fan_in = run.fan_in,
                                                             .fan_out = run.fan_out,
                                                             .count = checked_count(numerator_of(run.count.constant())),
                                                             .variance = run.variance,
                                                             .law = run.law,
                                                             .label_factor = run.label_factor};
        if (out.layers.size() + same.count > most) return std::nullopt;
        for (auto const& layer : one_by_one(same)) out.layers.push_back(layer);
    }
    return out;
}

std::uint64_t checked_depth(Numeric const& net, std::string const& who) {
    std::uint64_t const layers = depth(net);
    if (layers > most_layers_of_a_chain) {
        throw UnsupportedError(who + ": " + std::to_string(layers) + " layers; up to " +
                                   std::to_string(most_layers_of_a_chain) + " are served",
                               "WIDTHS");
    }
    return layers;
}

std::uint64_t checked_depth(Symbolic const& net, std::string const& who) {
    Integer layers = 0;
    for (auto const& run : net.layers) {
        if (!run.count.is_constant()) {
            throw UnsupportedError(who + ": symbolic depth, here " + to_string(run.count) +
                                       " layers, is not served; give the depth a number",
                                   "WIDTHS");
        }
        layers += numerator_of(run.count.constant());
    }
    if (layers > most_layers_in_symbols) {
        throw UnsupportedError(who + ": " + to_string(layers) + " layers; up to " +
                                   std::to_string(most_layers_in_symbols) + " are served in symbols, up to " +
                                   std::to_string(most_layers_of_a_chain) + " in numbers, which --set gives",
                               "WIDTHS");
    }
    return checked_count(layers);
}

void require_sampled_depth(Session const& session, std::uint64_t layers) {
    if (session.samples && layers > most_listed_layers + 1) {
        throw UnsupportedError("--check: " + std::to_string(layers) + " layers; networks of up to " +
                                   std::to_string(most_listed_layers + 1) + " are sampled here",
                               "--check");
    }
}

std::vector<std::uint64_t> listed_layers(Session const& session, std::uint64_t layers, std::uint64_t tail,
                                         std::string const& which, Answer& answer) {
    if (session.layer) return {parse_count(*session.layer, "--layer", 1, layers)};
    bool const all = layers <= most_listed_layers;
    if (!all) {
        answer.warn("of " + std::to_string(layers) + " " + which + " printed; --layer K prints layer K");
    }
    std::vector<std::uint64_t> out;
    for (std::uint64_t l = all ? 1 : layers - tail + 1; l <= layers; ++l) out.push_back(l);
    return out;
}

void require_label_factors(NumericModel const& model, ModelText const& text) { require_factors(model.net, text); }
void require_label_factors(SymbolicModel const& model, ModelText const& text) { require_factors(model.net, text); }

std::optional<DepthSymbols> depth_symbols(Symbolic const& net) {
    std::optional<DepthSymbols> out;
    for (auto const& run : net.layers) {
        if (run.count.is_constant()) continue;
        auto const widths = run.fan_out.symbols();
        auto const counts = run.count.symbols();
        if (out || widths.size() != 1 || counts.size() != 1) return std::nullopt;
        out = {.width = widths.front(), .depth = counts.front().first};
    }
    return out;
}

ExpPolynomial by_depth(RationalFunction const& x) {
    ExpPolynomial out;
    for (auto const& term : x.terms()) {
        std::vector<Piece> pieces{{.coefficient = term.coefficient, .bases = {}}};
        for (auto const& factor : term.factors) pieces = multiplied(pieces, factor);
        for (auto const& piece : pieces) {
            ExpPolynomial::Term t{.powers = {}, .coefficient = piece.coefficient};
            for (auto const& [symbol, base] : piece.bases) t.powers.emplace_back(base, Exponent::symbol(symbol));
            out.add(std::move(t));
        }
    }
    return out;
}

Value tidy(RationalFunction const& x) {
    ExpPolynomial const sum = by_depth(x);
    if (sum.terms().empty() || (sum.terms().size() == 1 && sum.terms().front().powers.empty())) {
        return x.try_merged().value_or(x);
    }
    return sum.terms().size() < 2 ? Value(sum.formula()) : Value::expression(to_string(sum));
}

bool is_certainly_zero(RationalFunction const& x) {
    auto const merged = x.try_merged();
    return merged && merged->is_zero();
}

Value root(Surd const& square, std::string const& form) {
    if (is_short(square)) return sqrt(square);
    return Value::certified([square](unsigned bits) { return sqrt(enclose(square, bits + guard_bits)); }, form,
                            max_digits);
}

Value over_root(int factor, Surd const& square, std::string const& form) {
    if (is_short(square)) return Surd(factor) * sqrt(square) / square;
    return Value::certified(
        [square, factor](unsigned bits) {
            return Interval(long{factor}, bits + guard_bits) / sqrt(enclose(square, bits + guard_bits));
        },
        form, max_digits);
}

Value root(RationalFunction const& square, std::string const& form) {
    try {
        return sqrt(square.merged());
    } catch (UnsupportedError const&) {
        return Value::absent(form);
    }
}

Value over_root(int factor, RationalFunction const& square, std::string const& form) {
    try {
        return RationalFunction(factor) / sqrt(square.merged());
    } catch (UnsupportedError const&) {
        return Value::absent(form);
    }
}

void add_leading_term(char const* name, RationalFunction const& x, Symbolic const& net, Answer& answer) {
    auto const deep = depth_symbols(net);
    auto const widths = width_symbols(net);
    bool const endless =
        std::any_of(net.layers.begin(), net.layers.end(), [](auto const& run) { return !run.count.is_constant(); });
    if (!deep && (endless || widths.size() != 1)) return;
    std::string const width = deep ? deep->width : *widths.begin();
    std::string const depth = deep ? deep->depth : "";
    try {
        auto const leading = leading_term(by_depth(x), width, depth);
        answer.add_limit(name, {}, leading.value, {width, leading.in_depth ? depth : std::string()}, not_numeric);
        answer.assume(std::string(name) + " as " + width + (leading.in_depth ? " and then " + depth + " go" : " goes") +
                      " to infinity");
    } catch (UnsupportedError const& e) {
        answer.add(name, {}, Value::absent(e.what()), {}, not_numeric);
    }
}

void add_wide_limit(char const* name, RationalFunction const& x, Symbolic const& net, Answer& answer) {
    auto const widths = width_symbols(net);
    if (widths.size() != 1 || !depth_symbols(net)) return;  // at a depth in numbers it is the leading term
    try {
        auto const series = series_at_infinity(by_depth(x), *widths.begin(), 0);
        if (series.coefficients.empty()) {
            answer.add_limit(name, {}, RationalFunction(0), {*widths.begin()}, not_numeric);
            answer.assume(std::string(name) + " as " + *widths.begin() + " goes to infinity at fixed depth");
            return;
        }
        RationalFunction const width = RationalFunction::symbol(*widths.begin());
        RationalFunction const power = series.leading >= 0 ? width : RationalFunction(RationalFunction(1) / width);
        auto const times = static_cast<int>(series.leading >= 0 ? series.leading : -series.leading);
        answer.add_limit(
            name, {}, RationalFunction(series.coefficients.front() * isserlis::power(power, Exponent(times))).merged(),
            {*widths.begin()}, not_numeric);
        answer.assume(std::string(name) + " as " + *widths.begin() + " goes to infinity at fixed depth");
    } catch (UnsupportedError const& e) {
        answer.add(name, {}, Value::absent(e.what()));
    }
}

void add_double_limit(char const* name, RationalFunction const& x, Symbolic const& net, Answer& answer) {
    auto const deep = depth_symbols(net);
    auto const symbols = x.symbols();
    if (!deep || std::find(symbols.begin(), symbols.end(), "b") != symbols.end()) return;
    try {
        auto const path = wide_and_deep(deep->width, deep->depth, RationalFunction::symbol("b"));
        auto const limit = joint_limit(by_depth(x), path, 0);
        answer.add_limit(name, {}, Value::expression(to_string(limit, deep->width)), {deep->width, deep->depth},
                         not_numeric);
        answer.assume(std::string(name) + " as " + deep->width + " and " + deep->depth + " go to infinity with " +
                      deep->depth + "/" + deep->width + " = b, leading order");
    } catch (UnsupportedError const& e) {
        answer.add(name, {}, Value::absent(e.what()));
    }
}

}  // namespace isserlis::cli
