// SPDX-License-Identifier: MIT
#include "question/model_parameters.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <isserlis/error.hpp>
#include <isserlis/question/reason.hpp>

#include "question/fan_words.hpp"
#include "question/model.hpp"
#include "question/readers.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* orthogonal_word = "orthogonal";

void read_activation(ModelText& into, std::string const& text) {
    auto const read = named_activation(text);
    into.activation = read.kind;
    if (!read.slope) return;
    into.slope_text = *read.slope;
    into.slope = parse_formula(*read.slope, "`activation` leaky");
}

/// Entry variances: formulas, in which fan_in and fan_out are words.
std::vector<Expression> read_variances(std::string const& text, std::string const& parameter) {
    std::vector<Expression> out;
    for (auto const& entry : split(text)) {
        out.push_back(Expression::parse(entry, parameter));
        for (auto const& symbol : symbols_of_variance(out.back())) check_symbol(symbol, parameter);
    }
    return out;
}

void read_wiring(ModelText& into, std::string const& text, bool biases) {
    into.wiring_text = text;
    if (text == "vanilla") return;
    if (text == "densenet") {
        into.wiring = Wiring::dense;
    } else if (text.starts_with("resnet:")) {
        into.wiring = Wiring::residual;
        into.branch_matrices = parse_count(text.substr(7), "`network` resnet", 1, 100);
    } else if (text.ends_with(".json") || is_given_text(text)) {
        into.wiring = Wiring::file;
        into.file = read_graph_file(text);
        std::set<std::string> symbols;
        into.file.gather_symbols(symbols);
        for (auto const& symbol : symbols) check_symbol(symbol, "network");
        if (into.file.has_biases() && !biases)
            throw UnsupportedError(
                "`network`: '" + printable(text) +
                    "' has nodes with a bias, which are not served here; isserlis expect serves them",
                "network");
    } else {
        throw ParseError("`network`: '" + printable(text) +
                             "' is not a wiring; choose vanilla, resnet:M (such as resnet:2), densenet or a FILE.json",
                         "network");
    }
}

/// The text of `input`: a list, or the content of a file with one number per line or comma.
std::string input_text(std::string const& value, std::string& file) {
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
            "`input`: '" + printable(value) + "' is neither a list such as 3/5,4/5 nor a file that can be read",
            "input");
    file = value;
    std::string out;
    for (char const c : file_content(value, "input", memory_of_exact_numbers)) {
        bool const separator = c == '\n' || c == '\r' || c == ' ' || c == '\t' || c == ',' || c == ';';
        if (!separator) {
            out += c;
        } else if (!out.empty() && out.back() != ',') {
            out += ',';
        }
    }
    while (!out.empty() && out.back() == ',') out.pop_back();
    if (out.empty()) throw ParseError("`input`: '" + printable(value) + "' has no numbers in it", "input");
    return out;
}

std::shared_ptr<InputText const> read_input(std::string const& list) {
    InputText out;
    out.entries = parse_list(list, "input");
    for (auto const& e : out.entries) out.symbols.merge(e.symbols());
    if (!out.symbols.empty()) return std::make_shared<InputText const>(std::move(out));
    for (auto const& e : out.entries) {
        try {
            out.numbers.push_back(value_at<Surd>(e, {}, "input"));
        } catch (DomainError const& error) {
            throw DomainError("`input`: " + reason(error), "input");
        }
        Surd const square = out.numbers.back() * out.numbers.back();
        out.square = out.square + square;
        out.fourth = out.fourth + square * square;
    }
    return std::make_shared<InputText const>(std::move(out));
}

/// Laws of independent entries, by name.
template <class Law>
std::vector<std::pair<std::string, Law>> laws_of_entries() {
    std::vector<std::pair<std::string, Law>> out;
    for (LawKind const kind : {LawKind::gaussian, LawKind::uniform, LawKind::rademacher, LawKind::laplace})
        out.emplace_back(name(kind), kind);
    return out;
}

}  // namespace

Row<ModelText> scheme_parameter(bool biases) {
    std::vector<std::string> names;
    for (auto const& s : schemes) names.emplace_back(s.name);
    return {"scheme", "NAME",
            "proportional, he, xavier, xavier-average, lecun-uniform, mean-field, standard, ntk, pytorch",
            [biases](ModelText& into, std::string const& text) {
                into.named_scheme = named_scheme(text);
                if (biases || !draws_biases(into.named_scheme->scheme)) return;
                throw UnsupportedError("`scheme` " + printable(text) +
                                           ": it draws biases, which are not served here; the entries of its matrices "
                                           "have `variance` 1/(3*fan_in) and a uniform law",
                                       "scheme");
            },
            More{.usual = "he for ReLU and leaky, xavier for linear, proportional for crelu",
                 .choices = names,
                 .refusals = {{{"variance"}, "`variance` and `scheme` both fix the variances; give one of them"}}}};
}

Row<ModelText> variance_parameter() {
    return {"variance", "LIST",
            "Entry variances instead of a scheme, such as 2/fan_in: one for all layers or one for each",
            [](ModelText& into, std::string const& text) { into.variances = read_variances(text, "variance"); },
            More{.refusals = {{{"alpha"},
                               "`alpha` multiplies the variances of a scheme, and `variance` fixes them; give one of "
                               "them"}}}};
}

Row<ModelText> parametrisation_parameter() {
    std::vector<std::string> names;
    for (auto const& p : parametrisations) names.emplace_back(p.name);
    return {
        "parametrisation", "standard|ntk|mean-field|mup|A,B,C",
        "Instead of a scheme: W = n^-A w, w of variance constant*n^(-2B), rate eta*n^-C, derivatives by w; A, B, C "
        "each one number or input:hidden:output; n is the fan-in, in the input layer the fan-out; matrices of residual "
        "branches are hidden",
        [](ModelText& into, std::string const& text) { into.parametrisation = parse_parametrisation(text); },
        More{.choices = names,
             .refusals = {{{"scheme", "variance"}, "{}: `parametrisation` fixes the variances; give one of them"},
                          {{"effective", "eta_squared"},
                           "{}: `parametrisation` fixes how rates go with the width; give one of them"}}}};
}

Row<ModelText> law_parameter(bool matrix_laws) {
    auto laws = laws_of_entries<std::optional<LawKind>>();  // none for orthogonal matrices
    if (matrix_laws) laws.emplace_back(orthogonal_word, std::nullopt);
    auto const reader = choice("a law", laws);
    auto const set = [reader, matrix_laws](ModelText& into, std::string const& text) {
        auto const entries = split(text);
        if (!matrix_laws && std::find(entries.begin(), entries.end(), orthogonal_word) != entries.end())
            throw UnsupportedError(
                "`law` orthogonal: the entries of a matrix depend on one another, and independent ones are needed "
                "here; isserlis norm, expect, ntk, hessian and jacobian serve such networks, and isserlis trace words "
                "in "
                "such matrices",
                "law");
        if (entries.size() < 2) {
            into.law = reader.read(text, "law");
            into.orthogonal = !into.law;
            return;
        }
        for (auto const& entry : entries) into.layer_laws.push_back(reader.read(entry, "law"));
        if (!matrix_laws)
            throw UnsupportedError("`law` " + printable(text) +
                                       ": one law for all layers is served here; isserlis norm, expect and jacobian "
                                       "serve one for each, and "
                                       "`kurtosis` takes one fourth moment for each",
                                   "law");
    };
    More more{.usual = "gaussian", .choices = reader.choices};
    if (!matrix_laws) return {"law", "NAME", "", set, std::move(more)};
    return {"law", "NAME|LIST",
            "gaussian, uniform, rademacher, laplace, orthogonal: one for all layers or one for each", set,
            std::move(more)};
}

Row<ModelText> kurtosis_parameter(std::string const& name, std::string value, std::string help, More more) {
    auto const set = [name](ModelText& into, std::string const& list) {
        into.kurtoses = parse_list(list, name);
        into.kurtosis_parameter = name;
    };
    return {name, std::move(value), std::move(help), set, std::move(more)};
}

Row<ModelText> label_factor_parameter(std::string const& name, std::string value, std::string help, More more) {
    auto const set = [name](ModelText& into, std::string const& list) {
        into.label_factors = parse_list(list, name);
        into.label_factor_parameter = name;
    };
    return {name, std::move(value), std::move(help), set, std::move(more)};
}

ParameterSet<ModelText> with_linear_head(ParameterSet<ModelText> const& parameters) {
    ParameterSet<ModelText> out;
    for (auto const& row : parameters.rows()) {
        if (row.text.name != "head") out.add(row);
    }
    return out;
}

Row<ModelText> multiplier_parameter() {
    return {
        "multiplier", "M",
        "Residual blocks y + M F(y), such as 1/sqrt(blocks), where blocks is their number; derivatives and rates are "
        "those of the matrices, beside which M stands",
        [](ModelText& into, std::string const& text) { into.multiplier = parse_formula(text, "multiplier"); },
        More{.usual = "1", .needs = {"network"}}};
}

ParameterSet<ModelText> branch_parameters() {
    ParameterSet<ModelText> out;
    out.add(
        {"alpha", "A",
         "Multiplies every variance of the scheme, of residual networks those in branches, where the word blocks is "
         "their number",
         &ModelText::alpha, formula(), More{.usual = "1"}});
    out.add(multiplier_parameter());
    out.add({"branch_widths", "LIST", "Hidden widths of a residual branch: one for all or one for each",
             &ModelText::branch_widths, formulas()});
    out.add({"projections", "Residual networks: `widths` are d_0, y^0..y^L and the output, which plain matrices join",
             &ModelText::projections, More{.needs = {"network"}}});
    return out;
}

ParameterSet<ModelText> effective_parameters() {
    return {
        {"effective", "Label factors (eta^(l))^2/n_(l-1): 1/fan-in, or the Hessian weighted by learning rates",
         &ModelText::effective},
        label_factor_parameter("eta_squared", "LIST", "(eta^(l))^2 of `effective`: one for all layers or one for each",
                               More{.usual = "1", .needs = {"effective"}})};
}

ParameterSet<ModelText> model_parameters(ModelParameters const& which) {
    ParameterSet<ModelText> out;
    if (which.activation) {
        if (which.wiring) {
            out.add(
                {"network", "vanilla|resnet:M|densenet|FILE.json",
                 "Wiring: `widths` of resnet:M (branches of M matrices) and densenet are those of y^0..y^L; a file has "
                 "its own widths",
                 [biases = which.bias](ModelText& into, std::string const& text) { read_wiring(into, text, biases); },
                 More{.usual = "vanilla", .choices = {"vanilla", "resnet:2", "densenet"}}});
        } else {
            out.add({"network", "vanilla", "Wiring; other wirings than vanilla are not served by this command",
                     &ModelText::wiring_text, as_text(), More{.choices = {"vanilla"}}});
        }
        out.add({"activation", "NAME", "relu, linear, leaky:S, crelu, crelu-tied", read_activation,
                 More{.usual = "relu", .choices = {"relu", "linear", "leaky:1/100", "crelu", "crelu-tied"}}});
        out.add({"head", "Is the output layer gated too?", &ModelText::gated_head,
                 choice<bool>("", {{"linear", false}, {"activation", true}}), More{.usual = "linear"}});
    }
    if (which.variance) {
        out.add(scheme_parameter(which.bias));
        out.add(variance_parameter());
    }
    if (which.parametrisation) out.add(parametrisation_parameter());
    if (which.law) {
        out.add(law_parameter(which.matrix_laws));
        out.add(kurtosis_parameter("kurtosis", "R|LIST",
                                   "Kurtosis instead of a law: one for all layers or one for each, at least 1"));
        out.add({"ties", "How sampling decides a gate at exactly 0, which discrete laws can produce", &ModelText::ties,
                 choice<monte_carlo::TieRule>("a rule", {{"fair-coin", monte_carlo::TieRule::fair_coin}}),
                 More{.needs = {"check"}}});
    }
    if (which.precision)
        out.add(
            {"precision", "double|float",
             "What networks are drawn and passed in; means and errors are doubles. Wide networks are faster in float",
             &ModelText::precision,
             choice<monte_carlo::Precision>("a precision", {{"double", monte_carlo::Precision::float64},
                                                            {"float", monte_carlo::Precision::float32}}),
             More{.usual = "double", .needs = {"check"}}});
    if (which.bias) {
        out.add({"bias_variance", "LIST",
                 "Variances of random biases, such as 1/fan_in: one for all layers or one for each",
                 [](ModelText& into, std::string const& text) {
                     into.bias_variances = read_variances(text, "bias_variance");
                 },
                 More{.usual = "0"}});
        out.add({"bias_law", "NAME", "Law of the biases", &ModelText::bias_law,
                 choice<LawKind>("a law", laws_of_entries<LawKind>()),
                 More{.usual = "gaussian", .needs = {"bias_variance"}}});
    }
    if (which.input) {
        out.add({"input", "LIST|FILE", "The input vector x",
                 [](ModelText& into, std::string const& text) {
                     into.input = read_input(input_text(text, into.input_file));
                 },
                 More{.refusals = {
                          {{"input_squared_norm", "input_fourth"}, "`input` fixes {} already; give one of them"}}}});
        out.add({"input_squared_norm", "R", "|x|^2 instead", &ModelText::squared_norm, formula(), More{.usual = "1"}});
        out.add({"input_fourth", "R", "sum x_i^4, needed when a kurtosis is not 3", &ModelText::fourth, formula()});
    }
    if (which.loss || which.target) {
        out.add({"target_second_moment", "R", "E|y|^2 over all outputs", &ModelText::target_second, formula(),
                 More{.usual = "1"}});
    }
    if (which.loss || which.third) {
        out.add({"target_third_moment", "R", "sum_i E y_i^3, where it enters", &ModelText::target_third, formula()});
    }
    if (which.loss) {
        out.add({"target_fourth_moment", "R", "sum_i E y_i^4, where a query needs it", &ModelText::target_fourth,
                 formula()});
    }
    if (which.loss || which.label_factor) {
        out.add(label_factor_parameter(
            "label_factor", "LIST",
            "What multiplies a summed pair of derivatives: one for all weight layers or one for each",
            More{.usual = "1",
                 .refusals = {
                     {{"effective"}, "`effective` and `label_factor` both fix the label factors; give one of them"}}}));
    }
    return out;
}

}  // namespace isserlis::quantity
