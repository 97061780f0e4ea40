// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/formula/quadratic_forms.hpp>
#include <isserlis/network/zoo.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/verify/observable.hpp>

#include "quantity/chain_models.hpp"
#include "quantity/commands.hpp"
#include "quantity/unchecked.hpp"
#include "question/form_file.hpp"
#include "question/model_statement.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::uint64_t most_layers_of_a_form = 100'000;

/// One lemma: what it reads, and the observable that it is the mean of, in the letters of docs/observables.md (u and t
/// stand for its y and z; B_i x is what layer i reads, C_i'w the derivative of w.z by its pre-activations).
struct Form {
    char const* name;
    char const* needs;  ///< keys, one letter each; D stands for C or D
    bool scaled;        ///< variances are read
    char const* query;  ///< empty: not sampled
};
constexpr Form forms[] = {
    // NOLINT(modernize-avoid-c-arrays): its length is that of the list
    {"A.9", "ixywv", false, "w[p] z[p;m]@x z[q;m]@u v[q] where m in I"},
    {"A.10", "ixywv", true, "w[p] z[p;m]@x z[q;m]@u v[q] where m in I"},
    {"A.11", "xyzD", false, "z[p]@x z[p]@u z[r]@x C[r,s] z[s]@t"},
    {"A.12", "ij", false, ""},
    {"A.13", "wvPD", false, ""},
    {"A.14", "ijxyzwvP", false, "w[r] z[r;n]@x z[s;n]@t P[s,p] z[p;m]@x z[q;m]@u v[q] where m in I, n in J"},
    {"A.15", "ijxyzwvP", true, "w[r] z[r;n]@x z[s;n]@t P[s,p] z[p;m]@x z[q;m]@u v[q] where m in I, n in J"},
};

/// What `form` is asked.
struct FormRequest {
    Form const* form = nullptr;
    std::string path;  ///< of the file
    FormFile file;
    std::string unused;  ///< what the file has, and the form does not depend on
    ModelText model;
    std::optional<std::uint64_t> i;
    std::optional<std::uint64_t> j;
};

Form const& form_named(std::string const& name) {
    std::string known;
    for (auto const& form : forms) {
        if (name == form.name) return form;
        known += (known.empty() ? "" : ", ") + std::string(form.name);
    }
    throw ParseError("NAME: '" + printable(name) + "' is not a form; they are " + known, "NAME");
}

std::optional<std::uint64_t> index_of(FormFile const& file, std::string const& name) {
    auto const at = file.indices.find(name);
    if (at == file.indices.end()) return std::nullopt;
    return parse_count(at->second, "`with`: " + name, 0, max_layers);
}

/// The matrix given, called C in Lemma A.11 and D in Lemma A.13.
std::vector<std::vector<Expression>> const* given_matrix(FormFile const& file) {
    auto const c = file.matrices.find("C");
    auto const d = file.matrices.find("D");
    if (c != file.matrices.end() && d != file.matrices.end())
        throw ParseError("`with`: C and D are two names of the matrix given; give one of them", "with");
    if (c != file.matrices.end()) return &c->second;
    return d == file.matrices.end() ? nullptr : &d->second;
}

void check_keys(FormRequest& request) {
    auto const& file = request.file;
    std::string const needs = request.form->needs;
    std::string const all = "ijxyzwvPD";
    std::string missing;
    std::string unused;
    for (char const c : all) {
        std::string const key(1, c);
        bool const given = file.vectors.count(key) != 0 || file.indices.count(key) != 0 ||
                           (c == 'D' ? given_matrix(file) != nullptr : file.matrices.count(key) != 0);
        bool const optional = (c == 'i' && std::string(request.form->name) == "A.11") ||
                              (c == 'j' && std::string(request.form->name) == "A.13");
        bool const needed = needs.find(c) != std::string::npos;
        if (needed && !given) missing += (missing.empty() ? "" : ", ") + key;
        if (!needed && !optional && given) unused += (unused.empty() ? "" : ", ") + key;
    }
    if (!missing.empty())
        throw ParseError("`with`: " + std::string(request.form->name) + " needs " + missing + "; the file has none",
                         "with");
    request.unused = unused;
}

void complete_form(FormRequest& request, Session const& session) {
    auto const& positionals = session.question.words;
    if (positionals.empty())
        throw ParseError(
            "NAME is missing; give a form and a network, such as isserlis form A.14 2,3,2 `with` FILE.json", "NAME");
    request.form = &form_named(positionals[0]);
    if (positionals.size() < 2)
        throw ParseError("`widths` is missing; list the widths m_0,..,m_n, such as 2,3,2", "widths");
    if (request.path.empty()) throw ParseError("`with` FILE.json is missing: it gives the vectors and indices", "with");
    if (session.layer) throw ParseError("`layer`: a form has one value; give i and j in the file", "layer");
    auto& model = request.model;
    model = read_network(model, positionals[1], session);
    if (!request.form->scaled) {
        for (char const* parameter : {"scheme", "variance"}) {
            if (model.has(parameter))
                throw ParseError(named(parameter) + ": " + request.form->name +
                                     " is stated for unit variance; A.10 and A.15 are the scaled forms",
                                 parameter);
        }
        model.scheme.reset();
        model.variances = {Expression::parse("1", "variance")};
    } else if (!model.named_scheme && model.variances.empty()) {
        model.scheme = Scheme::proportional;
    }
    model.activation = ActivationKind::linear;
    check_keys(request);
    request.i = index_of(request.file, "i");
    request.j = index_of(request.file, "j");
    auto symbols = model.symbols();
    auto in_file = request.file.symbols();
    for (auto const& s : in_file) check_symbol(s, "with");
    symbols.merge(in_file);
    check_bindings(symbols, session);
}

/// Everything that a form is a function of.
template <class R>
struct Data {
    FormLayers<R> layers;
    FormInputs<R> in;
    FormOutputs<R> out;
    Rows<R> d;
    std::uint64_t i = 1;
    std::uint64_t j = 0;
};

template <class R, class Count>
Data<R> data_of(FormRequest const& request, Model<R, Count> const& model, Bindings const& bindings) {
    Data<R> data;
    auto const net = layer_by_layer(model.net(), most_layers_of_a_form);
    if (!net)
        throw UnsupportedError(
            "form: a depth in numbers is required, up to " + std::to_string(most_layers_of_a_form) + " layers",
            "widths");
    data.layers = net->layers;
    auto row = [&](std::vector<Expression> const& expressions) {
        std::vector<R> out;
        for (auto const& e : expressions) {
            try {
                out.push_back(value_at<R>(e, bindings, "with"));
            } catch (DomainError const& error) {
                if (!error.argument().empty()) throw;
                throw DomainError("`with`: " + reason(error), "with");
            }
        }
        return out;
    };
    auto vector = [&](char const* name) {
        auto const at = request.file.vectors.find(name);
        return at == request.file.vectors.end() ? std::vector<R>{} : row(at->second);
    };
    data.in = {.x = vector("x"), .y = vector("y"), .z = vector("z")};
    data.out = {.w = vector("w"), .v = vector("v"), .p = {}};
    if (auto const p = request.file.matrices.find("P"); p != request.file.matrices.end()) {
        for (auto const& r : p->second) data.out.p.push_back(row(r));
    }
    if (auto const* given = given_matrix(request.file)) {
        for (auto const& r : *given) data.d.push_back(row(r));
    }
    std::string const name = request.form->name;
    // Lemma A.11 ends below layer i, Lemma A.13 starts above layer j: WIDTHS may be those of B alone.
    data.i = request.i.value_or(name == "A.11" ? data.layers.size() + 1 : 1);
    data.j = request.j.value_or(0);
    return data;
}

template <class R>
R value_of(std::string const& name, Data<R> const& data) {
    if (name == "A.9") return quadratic_form_mean(data.layers, data.i, data.in, data.out);
    if (name == "A.10") return scaled_quadratic_form_mean(data.layers, data.i, data.in, data.out);
    if (name == "A.11") return inner_quartic_form_mean(data.layers, data.i, data.in, data.d);
    if (name == "A.12") return norm_product_mean(data.layers, data.i, data.j);
    if (name == "A.13") return outer_quartic_form_mean(data.layers, data.j, data.out, data.d);
    if (name == "A.14") return quartic_form_mean(data.layers, data.i, data.j, data.in, data.out);
    return scaled_quartic_form_mean(data.layers, data.i, data.j, data.in, data.out);
}

std::vector<double> rounded_values(std::vector<Surd> const& row) {
    std::vector<double> out;
    for (auto const& x : row) out.push_back(to_double(x));
    return out;
}

/// The mean over sampled networks of the observable that the form is the expectation of.
std::optional<Check> checked(FormRequest const& request, NumericModel const& model, Data<Surd> const& data,
                             Surd const& exact, Session const& session, Answer& answer) {
    std::string query = request.form->query;
    if (!session.samples || query.empty()) return std::nullopt;
    auto put = [&](std::string const& mark, std::uint64_t value) {
        for (auto at = query.find(mark); at != std::string::npos; at = query.find(mark))
            query.replace(at, mark.size(), std::to_string(value));
    };
    put("I", data.i);
    put("J", data.j);
    monte_carlo::ObservableSettings settings;
    settings.inputs = {
        {"", rounded_values(data.in.x)}, {"x", rounded_values(data.in.x)}, {"u", rounded_values(data.in.y)}};
    if (!data.in.z.empty()) settings.inputs["t"] = rounded_values(data.in.z);
    settings.vectors = {{"w", rounded_values(data.out.w)}, {"v", rounded_values(data.out.v)}};
    for (auto const& row : data.out.p) settings.matrices["P"].push_back(rounded_values(row));
    auto graph = sampling_graph(model);
    if (std::string(request.form->name) == "A.11") {
        // The quadratic form stands at the outputs of B, which is sampled alone. Only D's symmetric part counts.
        NumericModel below = model;
        auto layers = model.net();
        layers.layers.assign(data.layers.begin(), data.layers.begin() + static_cast<std::ptrdiff_t>(data.i - 1));
        below.network = std::move(layers);
        graph = sampling_graph(below);
        for (std::size_t a = 0; a < data.d.size(); ++a) {
            auto& row = settings.matrices["C"].emplace_back();
            for (std::size_t b = 0; b < data.d.size(); ++b)
                row.push_back(to_double((data.d[a][b] + data.d[b][a]) / Surd(2)));
        }
    }
    answer.warn("the standard error of the check is sampled");
    return check_observable(graph, parse_query(query), settings, to_double(exact), std::nullopt, *session.samples,
                            session.seed, session.run_control());
}

template <class R, class Count>
void add_form(FormRequest const& request, Model<R, Count> const& model, Session const& session,
              Bindings const& bindings, Answer& answer) {
    auto const data = data_of(request, model, bindings);
    R const value = value_of(request.form->name, data);
    if constexpr (std::is_same_v<R, Surd>) {
        answer.add("value", {}, value, checked(request, model, data, value, session, answer),
                   "A.12 and A.13 are no observables of one network; they are not sampled");
    } else {
        answer.add("value", {}, tidy(value), {}, not_numeric);
    }
}

void evaluate_form(FormRequest const& request, Session const& session, Bindings const& bindings, Answer& answer) {
    std::string const name = request.form->name;
    bool const quadratic = name == "A.9" || name == "A.10";
    if (quadratic && (request.model.has("law") || request.model.has("kurtosis")))
        answer.warn(name + " depends on second moments alone, which no law changes");
    if (!request.unused.empty()) answer.warn(name + " does not depend on " + request.unused);
    answer.assume("vectors and matrices, those of " + request.path);
    answer.assume("entries independent, identically distributed within a layer, mean 0");
    answer.assume(request.form->scaled ? "no gates: s = 1" : "unit variance");
    state_assumptions(request.model, {.variance = request.form->scaled, .law = true}, answer);
    auto symbols = request.model.symbols();
    symbols.merge(request.file.symbols());
    state_symbols(symbols, request.model, bindings, answer);
    with_model(symbols, request.model, bindings,
               [&](auto const& model) { add_form(request, model, session, bindings, answer); });
}

}  // namespace

Command form_command() {
    ParameterSet<ModelText> of_model = {
        scheme_parameter(false), variance_parameter(), law_parameter(),
        kurtosis_parameter("kurtosis", "R|LIST", "Fourth moment instead of a law: one for all layers or one for each")};
    of_model.at("scheme").text.help = "A.10, A.15: " + of_model.at("scheme").text.help;
    of_model.at("scheme").text.usual = "proportional";
    of_model.at("variance").text.help =
        "A.10, A.15: entry variances instead of a scheme: one for all layers or one for each";
    CommandOf<FormRequest> out;
    out.text = {
        .name = "form",
        .summary = "Expectations of quadratic and quartic forms in products of random matrices",
        .positional = "NAME `widths`",
        .positional_help =
            "A.9, A.10, A.11, A.12, A.13, A.14 or A.15 of Hettinger, and m_0,..,m_n; for A.11 without i "
            "and A.13 without j the widths of the product B alone",
        .most_positionals = 2,
    };
    out.parameters.add({"with", "FILE", "JSON: vectors x, y, z, w, v; matrices P, D (or C); indices i, j",
                        [](FormRequest& into, std::string const& file) {
                            into.path = file;
                            into.file = read_form_file(file);
                        }});
    out.parameters.add(&FormRequest::model, of_model);
    out.complete = complete_form;
    out.evaluate = evaluate_form;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
