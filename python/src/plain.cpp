// SPDX-License-Identifier: MIT
#include "plain.hpp"

#include <pybind11/stl.h>

#include <isserlis/quantity/ask.hpp>
#include <isserlis/question/question.hpp>
#include <isserlis/report/curves.hpp>
#include <isserlis/report/index_names.hpp>
#include <map>
#include <string>
#include <vector>

#include "words.hpp"

namespace isserlis::python {
namespace {

namespace py = pybind11;
using namespace py::literals;

py::dict plain(SymbolRange const& s) {
    return py::dict("symbol"_a = s.symbol, "whole"_a = s.whole, "least"_a = s.least, "most"_a = s.most,
                    "open"_a = s.open, "without"_a = s.without, "text"_a = to_string(s));
}

py::dict plain(Range const& range) {
    py::list symbols;
    for (auto const& s : range.symbols) symbols.append(plain(s));
    return py::dict("symbols"_a = symbols, "nonzero"_a = range.nonzero, "positive"_a = range.positive,
                    "not_negative"_a = range.not_negative, "text"_a = to_string(range));
}

py::object plain(std::optional<Check> const& check) {
    if (!check) return py::none();
    return py::make_tuple(check->mean, check->std_error, name(check->std_error_kind), check->z, check->samples,
                          name(check->verdict), check->power, check->sampled_error);
}

py::dict plain(Result const& r) {
    return py::dict("name"_a = r.name, "index"_a = r.index, "exact"_a = r.exact, "decimal"_a = r.decimal,
                    "latex"_a = r.latex, "form"_a = r.form, "certified"_a = r.certified, "check"_a = plain(r.check),
                    "unchecked"_a = r.unchecked,
                    "bound"_a = r.bound ? py::object(py::str(name(*r.bound))) : py::object(py::none()),
                    "range"_a = plain(r.range), "endless"_a = r.endless);
}

py::dict plain(Quantity const& q) {
    return py::dict("name"_a = q.name, "index"_a = q.index, "index_names"_a = index_names(q), "command"_a = q.command,
                    "formula"_a = q.formula, "source"_a = q.source, "assumptions"_a = q.assumptions,
                    "summary"_a = q.summary);
}

py::list plain(std::vector<quantity::Parameter> const& parameters) {
    py::list out;
    for (auto const& p : parameters) {
        out.append(py::dict("name"_a = p.name, "keyword"_a = keyword_of(p.name), "value"_a = in_keywords(p.value),
                            "help"_a = in_keywords(p.help), "usual"_a = in_keywords(p.usual), "choices"_a = p.choices));
    }
    return out;
}

char const* name(Format format) {
    switch (format) {
        case Format::text: return "text";
        case Format::json: return "json";
        case Format::latex: return "latex";
        case Format::cpp: return "cpp";
        case Format::csv: break;
    }
    return "csv";
}

}  // namespace

py::dict plain(Answer const& answer) {
    std::map<std::string, std::vector<Result const*>> by_name;
    for (auto const& r : answer.results()) by_name[r.name].push_back(&r);
    std::map<Result const*, py::tuple> places;
    for (auto const& [name, of_name] : by_name) {
        Curves const curves = curves_of(answer, of_name);
        for (auto const& p : curves.points) places[p.result] = py::make_tuple(p.x, curves.axis, p.curve);
    }
    py::list results;
    for (auto const& r : answer.results()) {
        py::dict one = plain(r);
        one["place"] = places.at(&r);
        results.append(one);
    }
    py::list entries;
    for (auto const& q : answer.entries()) entries.append(plain(q));
    return py::dict("command"_a = answer.command(), "title"_a = answer.title(), "inputs"_a = answer.inputs(),
                    "assumptions"_a = answer.assumptions(), "warnings"_a = answer.warnings(),
                    "explanations"_a = answer.explanations(), "results"_a = results, "entries"_a = entries,
                    "document"_a = answer.document(), "sweeps"_a = answer.sweeps(),
                    "format"_a = name(answer.options().format), "disagrees"_a = answer.any_disagreement());
}

py::list commands() {
    py::list out;
    for (auto const& name : quantity::command_names()) {
        auto const& c = *quantity::find_command(name);
        out.append(py::dict("name"_a = c.name, "summary"_a = in_keywords(c.summary), "positional"_a = c.positional,
                            "positional_help"_a = in_keywords(c.positional_help),
                            "most_positionals"_a = c.most_positionals, "parameters"_a = plain(c.parameters)));
    }
    return out;
}

py::list common_parameters() { return plain(quantity::common_parameters()); }

py::list all_quantities() {
    py::list out;
    for (auto const& q : quantities()) out.append(plain(q));
    return out;
}

}  // namespace isserlis::python
