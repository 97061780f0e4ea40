// SPDX-License-Identifier: MIT
#include "model_text.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>

#include "fan_words.hpp"
#include "names.hpp"

namespace isserlis::cli {
namespace {

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

void parse_activation(std::string const& text, ModelText& into) {
    auto const read = named_activation(text);
    into.activation = read.kind;
    if (!read.slope) return;
    into.slope_text = *read.slope;
    into.slope = parse_formula(*read.slope, "--activation leaky");
}

/// Entry variances: formulas, in which fan_in and fan_out are words.
std::vector<Expression> parse_variances(std::string const& text) {
    std::vector<Expression> out;
    for (auto const& entry : split(text)) {
        out.push_back(Expression::parse(entry, "--variance"));
        for (auto const& symbol : symbols_of_variance(out.back())) check_symbol(symbol, "--variance");
    }
    return out;
}

/// The text of --input: a list, or the content of a file with one number per line or comma.
std::string input_text(std::string const& value) {
    bool const list =
        value.find_first_not_of("0123456789.,/-+*^() abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") ==
            std::string::npos &&
        (value.find_first_of(",(") != std::string::npos || std::isdigit(static_cast<unsigned char>(value[0])) != 0 ||
         value[0] == '-');
    std::error_code error;
    bool const is_file = std::filesystem::is_regular_file(value, error);
    if (list && !is_file) return value;
    if (!is_file)
        throw ParseError(
            "--input: '" + printable(value) + "' is neither a list such as 3/5,4/5 nor a file that can be read",
            "--input");
    std::string out;
    for (char const c : file_content(value, "--input", memory_of_exact_numbers)) {
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

}  // namespace

Expression parse_formula(std::string_view text, std::string_view option) {
    auto out = Expression::parse(text, option);
    for (auto const& symbol : out.symbols()) check_symbol(symbol, option);
    return out;
}

std::vector<Expression> parse_list(std::string const& text, std::string const& option) {
    std::vector<Expression> out;
    for (auto const& entry : split(text)) out.push_back(parse_formula(entry, option));
    return out;
}

bool ModelText::has_fan_words() const {
    auto const in_file = [](auto const& e) { return e.variance && speaks_of_fans(*e.variance); };
    return std::any_of(variances.begin(), variances.end(), speaks_of_fans) ||
           std::any_of(file.edges.begin(), file.edges.end(), in_file);
}

bool ModelText::has_kurtosis_three() const {
    auto const is_three = [](auto const& e) { return is_number(e, 3); };
    if (wiring == Wiring::file) {
        return std::all_of(file.edges.begin(), file.edges.end(), [&](auto const& e) {
            return e.law.value_or(LawKind::gaussian) == LawKind::gaussian && (!e.kurtosis || is_three(*e.kurtosis));
        });
    }
    return law.value_or(LawKind::gaussian) == LawKind::gaussian &&
           std::all_of(kurtoses.begin(), kurtoses.end(), is_three);
}

std::set<std::string> ModelText::symbols() const {
    std::set<std::string> out;
    for (auto const& item : widths) {
        if (item.width.is_symbol) out.insert(item.width.text);
        if (item.count.is_symbol) out.insert(item.count.text);
    }
    gather(out, slope);
    for (auto const& e : variances) out.merge(symbols_of_variance(e));
    gather(out, kurtoses);
    gather(out, input);
    gather(out, squared_norm);
    gather(out, fourth);
    gather(out, data_scale);
    gather(out, alpha);
    gather(out, branch_widths);
    gather(out, label_factors);
    gather(out, bias_label_factors);
    gather(out, target_second);
    gather(out, target_fourth);
    file.gather_symbols(out);
    return out;
}

std::vector<OptionText> option_texts(ModelOptions const& which) {
    std::vector<OptionText> out;
    if (which.activation) {
        if (which.wiring) {
            out.push_back({"--network", "vanilla|resnet:M|densenet|FILE.json",
                           "Wiring: WIDTHS of resnet:M (branches of M matrices) and densenet are those of y^0..y^L; a "
                           "file has its own widths (default vanilla)"});
        } else {
            out.push_back(
                {"--network", "vanilla", "Wiring; other wirings than vanilla are not served by this command"});
        }
        out.push_back({"--activation", "NAME", "relu (default), linear, leaky:S, crelu, crelu-tied"});
        out.push_back({"--head", "linear|activation", "Is the output layer gated too? (default linear)"});
    }
    if (which.variance) {
        out.push_back(
            {"--scheme", "NAME",
             "proportional, he, xavier, xavier-average, lecun-uniform, mean-field, standard, ntk, pytorch (default: he "
             "for ReLU and leaky, xavier for linear, proportional for crelu)"});
        out.push_back({"--variance", "LIST",
                       "Entry variances instead of a scheme, such as 2/fan_in: one for all layers or one for each"});
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
    if (which.loss || which.target)
        out.push_back({"--target-second-moment", "R", "E|y|^2 over all outputs (default 1)"});
    if (which.loss) out.push_back({"--target-fourth-moment", "R", "sum_i E y_i^4, where a query needs it"});
    if (which.loss || which.label_factor) {
        out.push_back({"--label-factor", "LIST",
                       "What multiplies a summed pair of derivatives: one for all weight layers or one for each "
                       "(default 1)"});
    }
    return out;
}

namespace {

void read_effective(Arguments const& arguments, ModelText& into) {
    into.effective = arguments.has("--effective");
    if (into.effective && arguments.has("--label-factor")) {
        throw ParseError("--effective and --label-factor both fix the label factors; give one of them", "--effective");
    }
    auto const t = arguments.value("--eta-squared");
    if (!t) return;
    if (!into.effective) throw ParseError("--eta-squared means nothing without --effective", "--eta-squared");
    into.label_factors = parse_list(*t, "--eta-squared");
    into.label_factor_option = "--eta-squared";
}

void parse_wiring(std::string const& text, ModelText& into) {
    into.wiring_text = text;
    if (text == "vanilla") return;
    if (text == "densenet") {
        into.wiring = Wiring::dense;
    } else if (text.starts_with("resnet:")) {
        into.wiring = Wiring::residual;
        into.branch_matrices = parse_count(text.substr(7), "--network resnet", 1, 100);
    } else if (text.ends_with(".json")) {
        into.wiring = Wiring::file;
        into.file = read_graph_file(text);
        std::set<std::string> symbols;
        into.file.gather_symbols(symbols);
        for (auto const& symbol : symbols) check_symbol(symbol, "--network");
    } else {
        throw ParseError("--network: '" + printable(text) +
                             "' is not a wiring; choose vanilla, resnet:M (such as resnet:2), densenet or a FILE.json",
                         "--network");
    }
}

/// The scheme, and the law where its name fixes one. Errors  ParseError where --law or the kurtosis says another.
void read_scheme(Arguments const& arguments, std::string const& kurtosis_option, ModelText& into) {
    auto const typed = arguments.value("--scheme");
    if (!typed) {
        into.scheme = default_scheme(into.activation);
        return;
    }
    auto read = named_scheme(*typed);
    into.scheme = read.scheme;
    if (!read.law && law_of(read.scheme) != LawKind::gaussian) read.law = law_of(read.scheme);
    if (!read.law) return;
    if (arguments.has(kurtosis_option) || (into.law && *into.law != *read.law)) {
        throw ParseError("--scheme " + printable(*typed) + " fixes the law (" + name(*read.law) +
                             "); leave --law and " + kurtosis_option + " out",
                         "--scheme");
    }
    into.law = read.law;
}

}  // namespace

ModelText read_model(Arguments const& arguments, std::string const& widths, std::string const& kurtosis_option,
                     bool any_wiring) {
    ModelText out;
    for (auto const& [option, values] : arguments.options) out.typed[option] = values.back();
    if (auto const t = arguments.value("--network")) {
        if (!any_wiring && *t != "vanilla") {
            std::string const way =
                arguments.command == "loss-curve"
                    ? "; isserlis expect '(D[m] loss)^2' " + widths + " --network " + *t +
                          " is minus the slope of half the squared error of one input, and isserlis jacobian has "
                          "--solve for scales of the branches"
                    : "";
            throw UnsupportedError(
                "--network " + *t + ": " + arguments.command + " serves fully connected (vanilla) networks" + way,
                "--network");
        }
        parse_wiring(*t, out);
    }
    if (out.wiring == Wiring::file) {
        if (!widths.empty())
            throw ParseError("WIDTHS: the widths are in the file of --network already; leave them out", "WIDTHS");
        for (char const* option :
             {"--activation", "--head", "--scheme", "--variance", "--law", "--kurtosis", "--label-factor"}) {
            if (arguments.has(option))
                throw ParseError(std::string(option) + ": a network file says this for each node or edge", option);
        }
    } else {
        out.widths = parse_widths(widths);
    }
    if (auto const t = arguments.value("--activation")) parse_activation(*t, out);
    if (auto const t = arguments.value("--head")) {
        if (*t != "linear" && *t != "activation")
            throw ParseError("--head: '" + *t + "' is not linear or activation", "--head");
        out.gated_head = *t == "activation";
        if (out.gated_head && out.wiring == Wiring::residual)
            out.idle.emplace_back("--head has no effect with --network resnet: the output is a sum, without a gate");
    }
    if (auto const t = arguments.value("--variance")) {
        if (arguments.has("--scheme"))
            throw ParseError("--variance and --scheme both fix the variances; give one of them", "--variance");
        out.variances = parse_variances(*t);
    }
    if (auto const t = arguments.value("--law")) out.law = parse_law(*t);
    if (out.variances.empty()) read_scheme(arguments, kurtosis_option, out);
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
        out.squared_norm = parse_formula(*t, "--input-squared-norm");
    if (auto const t = arguments.value("--input-fourth")) {
        out.fourth = parse_formula(*t, "--input-fourth");
        bool const sampled = arguments.has("--check") || arguments.has("--emit-test");
        if (!sampled && out.has_kurtosis_three())
            out.idle.emplace_back("--input-fourth has no effect with a kurtosis of 3, that of Gaussian weights");
    }
    if (auto const t = arguments.value("--c")) out.data_scale = parse_formula(*t, "--c");
    if (auto const t = arguments.value("--alpha")) {
        if (!out.variances.empty())
            throw ParseError(
                "--alpha multiplies the variances of a scheme, and --variance fixes them; give one of them", "--alpha");
        out.alpha = parse_formula(*t, "--alpha");
    }
    if (auto const t = arguments.value("--branch-widths")) {
        if (out.wiring != Wiring::residual || out.branch_matrices < 2)
            throw ParseError("--branch-widths means something in branches of two matrices or more, --network resnet:2",
                             "--branch-widths");
        out.branch_widths = parse_list(*t, "--branch-widths");
        if (out.branch_widths.size() != 1 && out.branch_widths.size() + 1 != out.branch_matrices)
            throw ParseError("--branch-widths: " + std::to_string(out.branch_widths.size()) + " widths for the " +
                                 std::to_string(out.branch_matrices - 1) +
                                 " hidden layers of a branch; give one for all or one for each",
                             "--branch-widths");
    }
    if (auto const t = arguments.value("--first-source")) {
        if (out.wiring != Wiring::dense)
            throw ParseError("--first-source means something with --network densenet only", "--first-source");
        out.first_source = static_cast<unsigned>(parse_count(*t, "--first-source", 0, 1));
    }
    if (auto const t = arguments.value("--label-factor")) out.label_factors = parse_list(*t, "--label-factor");
    read_effective(arguments, out);
    if (auto const t = arguments.value("--bias-label-factor"))
        out.bias_label_factors = parse_list(*t, "--bias-label-factor");
    if (auto const t = arguments.value("--eta")) {
        out.label_factors = parse_list(*t, "--eta");
        out.label_factor_option = "--eta";
    }
    if (auto const t = arguments.value("--target-second-moment"))
        out.target_second = parse_formula(*t, "--target-second-moment");
    if (auto const t = arguments.value("--target-fourth-moment"))
        out.target_fourth = parse_formula(*t, "--target-fourth-moment");
    return out;
}

std::vector<OptionText> effective_options() {
    return {
        {"--effective", "", "Label factors (eta^(l))^2/n_(l-1): 1/fan-in, or the Hessian weighted by learning rates"},
        {"--eta-squared", "LIST", "(eta^(l))^2 of --effective: one for all layers or one for each (default 1)"}};
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
    for (auto const& s : session.sweeps) check(s.symbol, "--table");
}

}  // namespace isserlis::cli
