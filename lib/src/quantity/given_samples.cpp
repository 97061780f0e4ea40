// SPDX-License-Identifier: MIT
#include "quantity/given_samples.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>

#include "question/requirements.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* negative_eigenvalue = "is no Gram matrix: it has a negative eigenvalue";

[[noreturn]] void refuse_products(char const* what, std::string const& why) {
    throw DomainError(std::string("`with`: \"") + what + "\" " + why, "with");
}

}  // namespace

std::vector<std::string> SamplesText::names() const {
    if (with) return with->input_names;
    std::vector<std::string> out;
    for (std::size_t k = 1; k <= data->samples(); ++k) out.push_back(std::to_string(k));
    return out;
}

ParameterSet<SamplesText> samples_parameters(WithUse use) {
    ParameterSet<SamplesText> out;
    out.add(&SamplesText::set, data_set_parameters());
    for (char const* parameter : {"size", "standardize", "c"}) out.at(parameter).text.needs = {"data"};
    out.add({"with", "FILE",
             use == WithUse::inputs
                 ? "In place of data: JSON with inputs, or their Gram matrix, in symbols too"
                 : "In place of data: JSON with inputs, or their Gram matrix, and the Gram matrix of targets",
             [use](SamplesText& into, std::string const& file) {
                 into.with = read_with_file(file, use);
                 into.file = file;
             },
             More{.refusals = {{{"data"}, "`with` has the samples; drop {}"}}}});
    return out;
}

void complete_samples(SamplesText& samples, Session const& session, std::size_t most) {
    for (char const* parameter : {"input", "input_squared_norm", "input_fourth", "target_second_moment"}) {
        if (session.question.parameters.count(parameter) != 0)
            throw ParseError(named(parameter) + ": the samples are those of `" + (samples.with ? "with" : "data") +
                                 "`; give one of them",
                             parameter);
    }
    if (samples.with) {
        require_possible_products(*samples.with, session);
    } else {
        samples.data = read_data_set(samples.set);
    }
    std::size_t const limit = samples.with ? most_given_samples : most;
    if (samples.size() > limit)
        throw UnsupportedError("`" + std::string(samples.with ? "with" : "data") +
                                   "`: " + std::to_string(samples.size()) + " samples; up to " + std::to_string(limit) +
                                   " are served",
                               samples.with ? "with" : "data");
}

std::vector<ModelText> read_networks_of_samples(ModelText const& typed, Session const& session,
                                                std::set<std::string> const& of_samples) {
    auto widths = session.question.words;
    if (widths.empty() && typed.wiring == Wiring::file) widths.emplace_back();
    if (widths.empty())
        throw ParseError("`widths` is missing; such as isserlis " + session.question.command + " n0,n:L,1 `with` FILE",
                         "widths");
    std::vector<ModelText> out;
    for (auto const& w : widths) out.push_back(read_network(typed, w, session, true));
    auto symbols = symbols_of(out);
    symbols.insert(of_samples.begin(), of_samples.end());
    check_bindings(symbols, session);
    return out;
}

std::string gram_text(WithFile const& file) {
    if (file.gram.empty()) return "";
    bool const in_symbols = std::any_of(file.gram.begin(), file.gram.end(), [](auto const& row) {
        return std::any_of(row.begin(), row.end(), [](auto const& e) { return !e.symbols().empty(); });
    });
    return std::string("by their Gram matrix, whose rank is at most the input width") +
           (in_symbols ? "; what symbols stand for leaves it positive semidefinite" : "");
}

std::string samples_text(SamplesText const& samples) {
    if (!samples.with) return data_text(*samples.data, samples.set);
    std::size_t const size = samples.size();
    return std::to_string(size) + (size == 1 ? " sample" : " samples") + ", those of " + samples.file + ": inputs " +
           (samples.with->gram.empty() ? "as vectors" : gram_text(*samples.with));
}

void state_inputs(SamplesText const& samples, std::string const& why, Answer& answer) {
    answer.assume(samples_text(samples));
    if (samples.data && !samples.data->targets.empty() && !samples.data->lines.empty())
        answer.warn("columns y of the data are not used: " + why);
    if (samples.with && !samples.with->targets.empty()) answer.warn("\"targets\" of `with` are not used: " + why);
}

namespace {

void require_possible_products(std::vector<std::vector<Expression>> const& rows, char const* what,
                               Bindings const& bindings) {
    auto const is_number = [&](Expression const& e) {
        auto const symbols = e.symbols();
        return std::all_of(symbols.begin(), symbols.end(), [&](auto const& s) { return bindings.count(s) != 0; });
    };
    bool const in_numbers = std::all_of(
        rows.begin(), rows.end(), [&](auto const& row) { return std::all_of(row.begin(), row.end(), is_number); });
    if (in_numbers) {
        (void)vectors_of(values_of<Surd>(rows, bindings), Surd(Rational(Integer(rows.size()))), what);
        return;
    }
    auto const gram = values_of<RationalFunction>(rows, bindings);
    auto const is_negative = [](RationalFunction const& x) { return sign_of(x).value_or(0) < 0; };
    for (std::size_t k = 0; k < gram.size(); ++k) {
        for (std::size_t l = 0; l <= k; ++l) {
            // |x|^2, and Cauchy and Schwarz
            bool const refuted =
                l == k ? is_negative(gram[k][k]) : is_negative(gram[k][k] * gram[l][l] - gram[k][l] * gram[k][l]);
            if (refuted) refuse_products(what, negative_eigenvalue);
        }
    }
}

}  // namespace

void declare_gram(std::vector<std::vector<Expression>> const& rows, char const* what,
                  RationalFunction const& coordinates, Bindings const& bindings, Answer& answer) {
    if (rows.empty()) return;
    auto const gram = values_of<RationalFunction>(rows, bindings);
    std::vector<Requirement<RationalFunction>> out;
    auto const require = [&](RationalFunction const& value) {
        if (!value.is_numeric()) out.push_back({.value = value, .strict = false});
    };
    bool in_numbers = coordinates.is_numeric();
    for (std::size_t k = 0; k < gram.size(); ++k) {
        require(gram[k][k]);
        for (std::size_t l = 0; l < k; ++l) require((gram[k][k] * gram[l][l] - gram[k][l] * gram[k][l]).merged());
        in_numbers =
            in_numbers && std::all_of(gram[k].begin(), gram[k].end(), [](auto const& x) { return x.is_numeric(); });
    }
    if (in_numbers) (void)vectors_of(values_of<Surd>(rows, bindings), coordinates.evaluate({}), what);
    declare_requirements(out, answer);
}

void require_possible_products(WithFile const& file, Session const& session) {
    for_each_value(session.sweeps, session.bindings, [&](Bindings const& bindings, std::vector<std::string> const&) {
        require_possible_products(file.gram, "gram", bindings);
        require_possible_products(file.targets, "targets", bindings);
    });
}

std::vector<std::vector<double>> vectors_of(Rows<Surd> rest, Surd const& width, char const* what) {
    std::vector<std::vector<double>> out(rest.size());
    for (std::size_t j = 0; j < rest.size(); ++j) {
        Surd const pivot = rest[j][j];
        if (sign(pivot) < 0) refuse_products(what, negative_eigenvalue);
        if (pivot.is_zero()) {
            if (std::any_of(rest[j].begin(), rest[j].end(), [](Surd const& x) { return !x.is_zero(); }))
                refuse_products(what, negative_eigenvalue);
            continue;
        }
        double const root = std::sqrt(to_double(pivot));
        for (std::size_t k = 0; k < rest.size(); ++k) out[k].push_back(k < j ? 0 : to_double(rest[k][j]) / root);
        for (std::size_t k = j + 1; k < rest.size(); ++k) {
            Surd const factor = rest[k][j] / pivot;
            for (std::size_t l = j + 1; l < rest.size(); ++l) rest[k][l] = rest[k][l] - factor * rest[j][l];
        }
        for (auto& row : rest) row[j] = Surd(0);
    }
    std::uint64_t const size = checked_count(numerator_of(width.to_rational()));
    for (auto& x : out) {
        if (x.size() > size)
            refuse_products(what, "has a rank above " + std::to_string(size) + ", the number of coordinates");
        x.resize(size, 0.0);
    }
    return out;
}

}  // namespace isserlis::quantity
