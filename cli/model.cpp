// SPDX-License-Identifier: MIT
#include "model.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <isserlis/report/value.hpp>
#include <iterator>

namespace isserlis::cli {
namespace {

constexpr std::size_t largest_sampled_width = 100'000;

void gather(std::set<std::string>& into, std::vector<Expression> const& list) {
    for (auto const& e : list) into.merge(e.symbols());
}
void gather(std::set<std::string>& into, std::optional<Expression> const& e) {
    if (e) into.merge(e->symbols());
}

LawKind parse_law(std::string const& text) {
    for (LawKind const kind : {LawKind::gaussian, LawKind::uniform, LawKind::rademacher, LawKind::laplace}) {
        if (text == name(kind)) return kind;
    }
    throw ParseError("--law: '" + printable(text) + "' is not a law; choose gaussian, uniform, rademacher or laplace",
                     "--law");
}

Scheme parse_scheme(std::string const& text) {
    std::string known;
    for (auto const& s : schemes) {
        if (text == s.name) return s.scheme;
        known += (known.empty() ? "" : ", ") + std::string(s.name);
    }
    throw ParseError("--scheme: '" + printable(text) + "' is not a scheme; choose one of " + known, "--scheme");
}

void parse_activation(std::string const& text, ModelText& into) {
    if (text.rfind("leaky:", 0) == 0) {
        into.activation = ActivationKind::leaky;
        into.slope_text = text.substr(6);
        into.slope = Expression::parse(text.substr(6), "--activation leaky");
        return;
    }
    for (ActivationKind const kind :
         {ActivationKind::relu, ActivationKind::linear, ActivationKind::crelu, ActivationKind::crelu_tied}) {
        if (text == name(kind)) {
            into.activation = kind;
            return;
        }
    }
    throw ParseError(
        "--activation: '" + printable(text) +
            "' is not an activation; choose relu, linear, leaky:S (such as leaky:1/100), crelu or crelu-tied",
        "--activation");
}

/// The text of --input: a list, or the content of a file with one number per line or comma.
std::string input_text(std::string const& value) {
    bool const list =
        value.find_first_not_of("0123456789.,/-+*^() abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") ==
            std::string::npos &&
        (value.find(',') != std::string::npos || std::isdigit(static_cast<unsigned char>(value[0])) != 0 ||
         value[0] == '-');
    std::error_code error;
    bool const is_file = std::filesystem::is_regular_file(value, error);
    if (list && !is_file) return value;
    std::ifstream file(value);
    if (!is_file || !file)
        throw ParseError(
            "--input: '" + printable(value) + "' is neither a list such as 3/5,4/5 nor a file that can be read",
            "--input");
    std::string content((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (content.size() > 100'000'000)
        throw UnsupportedError("--input: '" + printable(value) + "' is larger than 100 MB", "--input");
    std::string out;
    for (char const c : content) {
        bool const separator = c == '\n' || c == '\r' || c == ' ' || c == '\t' || c == ',' || c == ';';
        if (!separator) {
            out += c;
        } else if (!out.empty() && out.back() != ',') {
            out += ',';
        }
    }
    while (!out.empty() && out.back() == ',') out.pop_back();
    if (out.empty()) throw ParseError("--input: '" + printable(value) + "' has no numbers in it", "--input");
    return out;
}

/// What numeric and symbolic models do differently.
struct NumericKind {
    using R = Surd;
    using Count = std::uint64_t;
    static R symbol(std::string const& name, Bindings const& bindings) { return bindings.at(name); }
    static Count count_symbol(std::string const& name, Bindings const&) {
        throw DomainError("WIDTHS: the repeat count " + name + " has no value", "WIDTHS");
    }
};
struct SymbolicKind {
    using R = RationalFunction;
    using Count = Exponent;
    static R symbol(std::string const& name, Bindings const& bindings) {
        auto const at = bindings.find(name);
        return at == bindings.end() ? RationalFunction::symbol(name) : RationalFunction(at->second);
    }
    static Count count_symbol(std::string const& name, Bindings const&) { return Exponent::symbol(name); }
};

/// The sign of a number; none for a formula with symbols.
std::optional<int> sign_of(Surd const& x) { return sign(x); }
std::optional<int> sign_of(RationalFunction const& x) {
    return x.is_numeric() ? std::optional<int>(sign(x.evaluate({}))) : std::nullopt;
}

template <class R>
void require_positive(R const& x, std::string const& option) {
    auto const s = sign_of(x);
    if (s && *s <= 0) throw DomainError(option + " = " + printable(to_string(x)) + "; it has to be positive", option);
}

template <class R>
void require_at_least(R const& x, R const& bound, std::string const& option, std::string const& why) {
    auto const s = sign_of(R(x - bound));
    if (s && *s < 0) throw DomainError(option + " = " + printable(to_string(x)) + "; " + why, option);
}

std::uint64_t layer_count(std::vector<LayerRun<Surd, std::uint64_t>> const& runs) {
    std::uint64_t layers = 0;
    for (auto const& run : runs) layers += run.count;
    return layers;
}
std::uint64_t layer_count(std::vector<LayerRun<RationalFunction, Exponent>> const& runs) {
    Exponent layers;
    for (auto const& run : runs) layers = layers + run.count;
    if (!layers.is_constant()) {
        throw UnsupportedError(
            "a list with one entry per layer needs a depth in numbers, not " + to_string(layers) + " layers", "WIDTHS");
    }
    return checked_count(numerator_of(layers.constant()));
}
std::uint64_t whole(std::uint64_t count) { return count; }
std::uint64_t whole(Exponent const& count) { return checked_count(numerator_of(count.constant())); }

/// One run per layer, for lists.
template <class R, class Count>
std::vector<LayerRun<R, Count>> single_layers(std::vector<LayerRun<R, Count>> const& runs) {
    std::vector<LayerRun<R, Count>> out;
    for (auto const& run : runs) {
        for (std::uint64_t i = 0; i < whole(run.count); ++i) {
            out.push_back(run);
            out.back().count = Count(1);
        }
    }
    return out;
}

template <class Kind>
Model<typename Kind::R, typename Kind::Count> build(ModelText const& text, Bindings const& bindings) {
    using R = typename Kind::R;
    using Count = typename Kind::Count;
    auto value_of = [&](std::string const& name) { return Kind::symbol(name, bindings); };
    auto value = [&](Expression const& e, std::string const& option) {
        try {
            return evaluate<R>(e, value_of);
        } catch (DomainError const& error) {
            throw DomainError(option + ": " + error.what(), option);
        } catch (UnsupportedError const& error) {
            throw UnsupportedError(option + ": " + error.what(), option);
        }
    };

    std::vector<WidthRun<R, Count>> widths;
    bool previous_is_counted = false;
    for (auto const& item : text.widths) {
        auto bound = [&](WidthToken const& token, char const* what) -> std::optional<Integer> {
            if (!token.is_symbol) return parse_integer(token.text, "WIDTHS");
            auto const at = bindings.find(token.text);
            if (at == bindings.end()) return std::nullopt;
            if (!is_integer(at->second) || at->second < 1) {
                throw DomainError("--set " + token.text + " = " + printable(to_string(at->second)) + "; a " + what +
                                      " has to be a whole number from 1",
                                  "--set");
            }
            return numerator_of(at->second);
        };
        auto const width = bound(item.width, "width");
        auto const count = bound(item.count, "repeat count");
        if (count && *count > max_layers) {
            throw UnsupportedError(
                "WIDTHS: " + to_string(*count) + " layers; the limit is " + std::to_string(max_layers), "WIDTHS");
        }
        R const w = width ? R(*width) : value_of(item.width.text);
        Count const c = count ? Count(static_cast<int>(*count)) : Kind::count_symbol(item.count.text, bindings);
        // Equal neighbours are one run, however they were typed.
        if (!widths.empty() && count && previous_is_counted && widths.back().width == w) {
            widths.back().count = widths.back().count + c;
        } else {
            widths.push_back({.width = w, .count = c});
        }
        previous_is_counted = count.has_value();
    }
    Model<R, Count> out;
    out.ties = text.ties;
    auto& net = out.net;
    net.layers = layers_between(widths);
    if (net.layers.empty())
        throw ParseError("WIDTHS: one width only; a network needs an input and an output, such as 2,1", "WIDTHS");
    net.activation = {.kind = text.activation, .slope = text.slope ? value(*text.slope, "--activation leaky") : R(0)};
    net.gated_head = text.gated_head;

    auto check_list = [&](std::size_t entries, std::string const& option) {
        if (entries <= 1) return;
        auto const layers = layer_count(net.layers);
        if (layers != entries) {
            throw DomainError(option + ": " + std::to_string(entries) + " values for " + std::to_string(layers) +
                                  " weight layers; give one for all or one for each",
                              option);
        }
        net.layers = single_layers(net.layers);
    };
    check_list(text.variances.size(), "--variance");
    check_list(text.kurtoses.size(), text.kurtosis_option);

    if (text.scheme == Scheme::mean_field && !(net.layers.back().count == Count(1))) {
        // The output layer has a variance of its own: a run by itself.
        auto head = net.layers.back();
        net.layers.back().count = head.count - Count(1);
        head.count = Count(1);
        net.layers.push_back(head);
    }
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto& run = net.layers[i];
        bool const last_run = i + 1 == net.layers.size();
        if (!text.variances.empty()) {
            run.variance = value(text.variances[text.variances.size() == 1 ? 0 : i], "--variance");
            require_positive(run.variance, "--variance");
        } else {
            run.variance =
                weight_variance(text.scheme.value_or(Scheme::he), net.activation, run.fan_in, run.fan_out, last_run);
        }
        if (text.kurtoses.empty()) {
            run.law.kind = text.law.value_or(LawKind::gaussian);
        } else {
            run.law = {.kind = LawKind::kurtosis,
                       .kurtosis_value = value(text.kurtoses[text.kurtoses.size() == 1 ? 0 : i], text.kurtosis_option)};
            require_at_least(run.law.kurtosis_value, R(1), text.kurtosis_option,
                             "E w^4 >= (E w^2)^2, so a kurtosis or fourth moment is at least 1");
        }
    }

    if (text.data_scale) out.data_scale = value(*text.data_scale, "--c");
    require_positive(out.data_scale, "--c");
    if (!text.input.empty()) {
        R square(0);
        R fourth(0);
        for (auto const& e : text.input) {
            R const x = value(e, "--input");
            out.input.push_back(x);
            square = square + x * x;
            fourth = fourth + x * x * x * x;
        }
        auto const gap = sign_of(R(net.input_width() - R(static_cast<int>(out.input.size()))));
        if (gap && *gap != 0) {
            throw DomainError("--input: " + std::to_string(out.input.size()) + " coordinates for an input width of " +
                                  to_string(net.input_width()),
                              "--input");
        }
        out.squared_norm = square;
        out.fourth = fourth;
        require_positive(out.squared_norm, "--input: |x|^2");
    } else {
        if (text.squared_norm) out.squared_norm = value(*text.squared_norm, "--input-squared-norm");
        require_positive(out.squared_norm, "--input-squared-norm");
        if (text.fourth) {
            out.fourth = value(*text.fourth, "--input-fourth");
            R const most = out.squared_norm * out.squared_norm;
            require_at_least(*out.fourth, R(most / net.input_width()), "--input-fourth",
                             "sum x_i^4 is at least |x|^4/d_0 = " + to_string(R(most / net.input_width())));
            require_at_least(most, *out.fourth, "|x|^4",
                             "it is at least sum x_i^4 = --input-fourth = " + to_string(*out.fourth));
        }
    }
    return out;
}

}  // namespace

std::vector<Expression> parse_list(std::string const& text, std::string const& option) {
    std::vector<Expression> out;
    std::size_t start = 0;
    while (start <= text.size()) {
        std::size_t const comma = std::min(text.find(',', start), text.size());
        out.push_back(Expression::parse(text.substr(start, comma - start), option));
        start = comma + 1;
    }
    return out;
}

std::set<std::string> ModelText::symbols() const {
    std::set<std::string> out;
    for (auto const& item : widths) {
        if (item.width.is_symbol) out.insert(item.width.text);
        if (item.count.is_symbol) out.insert(item.count.text);
    }
    gather(out, slope);
    gather(out, variances);
    gather(out, kurtoses);
    gather(out, input);
    gather(out, squared_norm);
    gather(out, fourth);
    gather(out, data_scale);
    return out;
}

std::vector<OptionText> option_texts(ModelOptions const& which) {
    std::vector<OptionText> out;
    if (which.activation) {
        out.push_back({"--network", "vanilla", "Wiring; other wirings than vanilla are not served by this command"});
        out.push_back({"--activation", "NAME", "relu (default), linear, leaky:S, crelu, crelu-tied"});
        out.push_back({"--head", "linear|activation", "Is the output layer gated too? (default linear)"});
    }
    if (which.variance) {
        out.push_back(
            {"--scheme", "NAME",
             "proportional, he, xavier, xavier-average, lecun-uniform, mean-field, standard, ntk (default: he for "
             "ReLU and leaky, xavier for linear, proportional for crelu)"});
        out.push_back(
            {"--variance", "LIST", "Entry variances instead of a scheme: one for all layers or one for each"});
    }
    if (which.law) {
        out.push_back({"--law", "NAME", "gaussian (default), uniform, rademacher, laplace"});
        out.push_back(
            {"--kurtosis", "R|LIST", "Kurtosis instead of a law: one for all layers or one for each, at least 1"});
        out.push_back(
            {"--ties", "fair-coin", "How sampling decides a gate at exactly 0, which discrete laws can produce"});
    }
    if (which.input) {
        out.push_back({"--input", "LIST|FILE", "The input vector x"});
        out.push_back({"--input-squared-norm", "R", "|x|^2 instead (default 1)"});
        out.push_back({"--input-fourth", "R", "sum x_i^4, needed when a kurtosis is not 3"});
    }
    return out;
}

ModelText read_model(Arguments const& arguments, std::string const& widths, std::string const& kurtosis_option) {
    ModelText out;
    out.widths = parse_widths(widths);
    if (auto const t = arguments.value("--network"); t && *t != "vanilla") {
        throw UnsupportedError(
            "--network " + *t + ": " + arguments.command + " serves fully connected (vanilla) networks", "--network");
    }
    if (auto const t = arguments.value("--activation")) parse_activation(*t, out);
    if (auto const t = arguments.value("--head")) {
        if (*t != "linear" && *t != "activation")
            throw ParseError("--head: '" + *t + "' is not linear or activation", "--head");
        out.gated_head = *t == "activation";
    }
    if (auto const t = arguments.value("--variance")) {
        if (arguments.has("--scheme"))
            throw ParseError("--variance and --scheme both fix the variances; give one of them", "--variance");
        out.variances = parse_list(*t, "--variance");
    } else {
        auto const s = arguments.value("--scheme");
        out.scheme = s ? parse_scheme(*s) : default_scheme(out.activation);
    }
    if (auto const t = arguments.value("--law")) out.law = parse_law(*t);
    if (out.scheme && law_of(*out.scheme) != LawKind::gaussian) {
        LawKind const fixed = law_of(*out.scheme);
        if (arguments.has(kurtosis_option) || (out.law && *out.law != fixed)) {
            throw ParseError("--scheme " + std::string(info(*out.scheme).name) + " fixes the law (" + name(fixed) +
                                 "); leave --law and " + kurtosis_option + " out",
                             "--scheme");
        }
        out.law = fixed;
    }
    if (auto const t = arguments.value(kurtosis_option)) {
        if (out.law) {
            throw ParseError(kurtosis_option + " and --law both fix the fourth moment (" + name(*out.law) +
                                 " has kurtosis " +
                                 to_string(WeightLaw<Rational>{.kind = *out.law, .kurtosis_value = 0}.kurtosis()) +
                                 "); give one of them",
                             kurtosis_option);
        }
        out.kurtoses = parse_list(*t, kurtosis_option);
        out.kurtosis_option = kurtosis_option;
    }
    if (auto const t = arguments.value("--ties")) {
        if (*t != "fair-coin")
            throw ParseError("--ties: '" + *t + "' is not a rule; the one served is fair-coin", "--ties");
        out.ties = monte_carlo::TieRule::fair_coin;
        if (!arguments.has("--check")) throw ParseError("--ties means nothing without --check", "--ties");
    }
    if (auto const t = arguments.value("--input")) {
        for (char const* other : {"--input-squared-norm", "--input-fourth"}) {
            if (arguments.has(other))
                throw ParseError(std::string("--input fixes ") + other + " already; give one of them", other);
        }
        out.input = parse_list(input_text(*t), "--input");
    }
    if (auto const t = arguments.value("--input-squared-norm"))
        out.squared_norm = Expression::parse(*t, "--input-squared-norm");
    if (auto const t = arguments.value("--input-fourth")) out.fourth = Expression::parse(*t, "--input-fourth");
    if (auto const t = arguments.value("--c")) out.data_scale = Expression::parse(*t, "--c");
    auto check_names = [](std::set<std::string> const& names, char const* option) {
        for (auto const& n : names) check_symbol(n, option);
    };
    check_names(out.symbols(), "symbol");
    return out;
}

NumericModel numeric_model(ModelText const& text, Bindings const& bindings) {
    return build<NumericKind>(text, bindings);
}
SymbolicModel symbolic_model(ModelText const& text, Bindings const& bindings) {
    return build<SymbolicKind>(text, bindings);
}

void check_bindings(std::set<std::string> const& symbols, Session const& session) {
    auto check = [&](std::string const& symbol, char const* option) {
        if (symbols.count(symbol) != 0) return;
        std::string known;
        for (auto const& s : symbols) known += (known.empty() ? "" : ", ") + s;
        throw DomainError(std::string(option) + ": the query has no symbol '" + symbol + "'" +
                              (known.empty() ? "; it has numbers only" : "; its symbols are " + known),
                          option);
    };
    for (auto const& [symbol, value] : session.bindings) check(symbol, "--set");
    if (session.sweep) check(session.sweep->symbol, "--table");
}

namespace {

/// A kurtosis of 1 leaves the two signs of one size only.
bool is_sign_law(ModelText const& text) {
    return std::any_of(text.kurtoses.begin(), text.kurtoses.end(),
                       [](Expression const& e) { return e.kind() == Expression::Kind::number && e.number() == 1; });
}

}  // namespace

void state_assumptions(ModelText const& text, ModelOptions const& which, Answer& answer) {
    if (which.activation) {
        std::string activation = name(text.activation);
        if (text.activation == ActivationKind::leaky) activation += " (slope " + text.slope_text + ")";
        answer.assume("fully connected, " + activation + " activation, " + (text.gated_head ? "gated" : "linear") +
                      " head, zero biases");
    }
    if (which.variance) {
        answer.assume(text.scheme ? "scheme " + std::string(info(*text.scheme).name) + " (variance " +
                                        info(*text.scheme).variance + ")"
                                  : std::string("weight variances as given"));
    }
    if (which.law) {
        LawKind const law = text.law.value_or(LawKind::gaussian);
        answer.assume(text.kurtoses.empty() ? "independent " + std::string(name(law)) + " weights"
                                            : std::string("independent symmetric weights of the kurtosis given"));
        bool const gated = text.activation == ActivationKind::relu || text.activation == ActivationKind::leaky;
        if (which.activation && gated && (law == LawKind::rademacher || is_sign_law(text)))
            answer.assume("a pre-activation of exactly 0 opens its gate with probability 1/2");
    }
    if (which.input) {
        answer.assume(text.input.empty() && !text.squared_norm ? "one fixed input with |x|^2 = 1" : "one fixed input");
    }
}

double to_double(Surd const& x) { return Value(x).to_double(); }
double to_double(RationalFunction const& x) { return Value(x).to_double(); }

monte_carlo::NetworkModel sampling_model(NumericModel const& model) {
    monte_carlo::NetworkModel out;
    auto width = [](Surd const& w) {
        Integer const n = numerator_of(w.to_rational());
        if (n > largest_sampled_width) {
            throw UnsupportedError("--check: a width of " + to_string(n) +
                                       " is too large to be sampled; the limit is " +
                                       std::to_string(largest_sampled_width),
                                   "--check");
        }
        return static_cast<std::size_t>(n);
    };
    auto const& net = model.net;
    if (layer_count(net.layers) > 100'000)
        throw UnsupportedError("--check: more than 100000 layers are not sampled", "--check");
    out.widths.push_back(width(net.input_width()));
    for (auto const& run : net.layers) {
        for (std::uint64_t i = 0; i < run.count; ++i) {
            out.widths.push_back(width(run.fan_out));
            out.variances.push_back(to_double(run.variance));
            out.laws.push_back({.kind = run.law.kind, .kurtosis_value = to_double(run.law.kurtosis_value)});
        }
    }
    out.activation = {.kind = net.activation.kind, .slope = to_double(net.activation.slope)};
    out.gated_head = net.gated_head;
    out.ties = model.ties;
    std::size_t const d = out.widths.front();
    if (!model.input.empty()) {
        for (auto const& x : model.input) out.input.push_back(to_double(x));
        return out;
    }
    double const square = to_double(model.squared_norm);
    out.input.assign(d, std::sqrt(square / static_cast<double>(d)));
    if (!model.fourth || d == 1) return out;
    // One coordinate a, the others b: t = a^2 solves t^2 + (square - t)^2/(d - 1) = fourth, with the larger root.
    double const fourth = to_double(*model.fourth);
    double const n = static_cast<double>(d);
    double const spread = std::sqrt(std::max(0.0, (n - 1) * (n * fourth - square * square)));
    double const t = (square + spread) / n;
    out.input.assign(d, std::sqrt(std::max(0.0, (square - t) / (n - 1))));
    out.input[0] = std::sqrt(t);
    return out;
}

}  // namespace isserlis::cli
