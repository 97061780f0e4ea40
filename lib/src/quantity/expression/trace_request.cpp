// SPDX-License-Identifier: MIT
#include "quantity/expression/trace_request.hpp"

#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>
#include <isserlis/question/reason.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <utility>

#include "question/graph_file.hpp"
#include "question/model.hpp"
#include "question/readers.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

/// Entries of a list by name: "A=1,2,B=3"; those before the first name are under "".
using Named = std::vector<std::pair<std::string, std::vector<std::string>>>;

Named named_entries(std::string const& text) {
    Named out;
    for (auto const& entry : split(text)) {
        auto const equal = entry.find('=');
        if (equal != std::string::npos) {
            std::string name = entry.substr(0, equal);
            name.erase(0, name.find_first_not_of(' '));
            name.erase(name.find_last_not_of(' ') + 1);
            out.emplace_back(name, std::vector<std::string>{entry.substr(equal + 1)});
        } else if (out.empty()) {
            out.push_back({"", {entry}});
        } else {
            out.back().second.push_back(entry);
        }
    }
    return out;
}

bool is_matrix_name(std::string const& name) {
    return !name.empty() && std::isupper(static_cast<unsigned char>(name[0])) != 0 && name != "I" &&
           std::all_of(name.begin(), name.end(),
                       [](unsigned char c) { return c < 0x80 && (std::isalnum(c) != 0 || c == '_'); });
}

using Matrices = std::map<std::string, MatrixText>;
using Typed = std::map<std::string, std::string>;

Matrices read_shapes(Typed const& typed) {
    auto const text = typed.find("shape");
    if (text == typed.end())
        throw ParseError("`shape` is missing: it gives rows and columns, such as `shape` W=a,b", "shape");
    Matrices out;
    for (auto const& [name, sizes] : named_entries(text->second)) {
        if (!is_matrix_name(name))
            throw ParseError(
                "`shape`: '" + printable(name.empty() ? text->second : name) +
                    (name.empty() ? "' names no matrix; write NAME=ROWS,COLUMNS, such as W=a,b"
                                  : "' is no name of a matrix; a capital letter other than I, then letters "
                                    "and digits"),
                "shape");
        if (sizes.size() > 2)
            throw ParseError("`shape`: " + name + " has " + std::to_string(sizes.size()) +
                                 " dimensions; rows and columns are two, one number is a square",
                             "shape");
        MatrixText matrix;
        matrix.name = name;
        matrix.rows = parse_formula(sizes.front(), "shape");
        matrix.columns = parse_formula(sizes.back(), "shape");
        if (!out.emplace(name, matrix).second) throw ParseError("`shape`: " + name + " is given twice", "shape");
    }
    return out;
}

/// Calls f with each matrix that a parameter speaks of, and what it says: of all, or by name.
void for_each_named(Typed const& typed, char const* parameter, Matrices& matrices, auto const& f) {
    auto const text = typed.find(parameter);
    if (text == typed.end()) return;
    std::set<std::string> seen;
    for (auto const& [name, values] : named_entries(text->second)) {
        if (values.size() > 1)
            throw ParseError(named(parameter) + ": one value is for all matrices; for several write " +
                                 (name.empty() ? "A" : name) + "=..,B=..",
                             parameter);
        if (!seen.insert(name).second) throw ParseError(named(parameter) + ": " + name + " is given twice", parameter);
        if (name.empty()) {
            for (auto& [key, matrix] : matrices) f(matrix, values[0]);
            continue;
        }
        auto const at = matrices.find(name);
        if (at == matrices.end())
            throw ParseError(named(parameter) + ": the matrix '" + printable(name) + "' has no shape by `shape`",
                             parameter);
        f(at->second, values[0]);
    }
}

void set_law(MatrixText& matrix, std::string const& law) {
    using words::MatrixLaw;
    if (law == "gaussian" || law == "complex" || law == "orthogonal") {
        matrix.law = law == "gaussian"  ? MatrixLaw::gaussian
                     : law == "complex" ? MatrixLaw::complex
                                        : MatrixLaw::orthogonal;
        return;
    }
    for (auto const kind : {LawKind::uniform, LawKind::rademacher, LawKind::laplace}) {
        if (law != name(kind)) continue;
        matrix.law = MatrixLaw::iid;
        matrix.entries = kind;
        return;
    }
    throw ParseError("`law`: '" + printable(law) +
                         "' is not known; they are gaussian, complex, orthogonal, uniform, rademacher, laplace",
                     "law");
}

void read_laws(Typed const& typed, Matrices& matrices) {
    std::set<std::string> lawful;
    for_each_named(typed, "law", matrices, [&](MatrixText& matrix, std::string const& law) {
        set_law(matrix, law);
        lawful.insert(matrix.name);
    });
    for_each_named(typed, "kurtosis", matrices, [&](MatrixText& matrix, std::string const& value) {
        if (lawful.count(matrix.name) != 0)
            throw ParseError("`kurtosis`: " + matrix.name + " has its kurtosis by `law`; give one of the two",
                             "kurtosis");
        matrix.law = words::MatrixLaw::iid;
        matrix.entries = LawKind::kurtosis;
        matrix.kurtosis = parse_formula(value, "kurtosis");
    });
    for_each_named(typed, "variance", matrices, [&](MatrixText& matrix, std::string const& value) {
        if (matrix.law == words::MatrixLaw::orthogonal)
            throw ParseError("`variance`: " + matrix.name + " is orthogonal, which fixes its size", "variance");
        matrix.variance = parse_formula(value, "variance");
    });
}

void read_diagonals(Typed const& typed, Matrices& matrices) {
    auto const text = typed.find("diagonal");
    if (text == typed.end()) return;
    for (auto const& [name, entries] : named_entries(text->second)) {
        if (!is_matrix_name(name))
            throw ParseError("`diagonal`: '" + printable(name.empty() ? text->second : name) +
                                 "' names no matrix; write NAME=ENTRIES, such as D=1,2,t",
                             "diagonal");
        MatrixText matrix;
        matrix.name = name;
        matrix.law = words::MatrixLaw::diagonal;
        for (auto const& entry : entries) matrix.diagonal.push_back(parse_formula(entry, "diagonal"));
        matrix.rows = matrix.columns = Expression::parse(std::to_string(entries.size()), "diagonal");
        if (!matrices.emplace(name, matrix).second)
            throw ParseError("`diagonal`: " + name + " is given already", "diagonal");
    }
}

/// A line for each row, entries between commas.
std::vector<std::vector<Expression>> read_matrix(std::string const& name, std::string const& path) {
    constexpr std::size_t most = words::TraceMoments::largest_fixed;
    std::string const where = "`matrix`: " + printable(path) + " (" + name + "): ";
    std::istringstream text(file_content(path, "matrix", memory_of_exact_numbers));
    std::vector<std::vector<Expression>> out;
    std::string line;
    for (std::size_t number = 1; std::getline(text, line); ++number) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.find_first_not_of(" \t") == std::string::npos || line.front() == '#') continue;
        std::vector<Expression> row;
        for (auto const& entry : split(line)) {
            try {
                row.push_back(parse_formula(entry, "matrix"));
            } catch (Error const& e) {
                throw ParseError(where + "line " + std::to_string(number) + ": " + reason(e), "matrix");
            }
        }
        if (!out.empty() && row.size() != out.front().size())
            throw ParseError(where + "line " + std::to_string(number) + " has " + std::to_string(row.size()) +
                                 " entries, the first row has " + std::to_string(out.front().size()),
                             "matrix");
        out.push_back(std::move(row));
        if (out.size() > most || out.front().size() > most)
            throw UnsupportedError(where + "up to " + std::to_string(most) + " rows and columns are served", "matrix");
    }
    if (out.empty()) throw ParseError(where + "it has no rows", "matrix");
    return out;
}

void read_fixed(Typed const& typed, Matrices& matrices) {
    auto const text = typed.find("matrix");
    if (text == typed.end()) return;
    for (auto const& [name, paths] : named_entries(text->second)) {
        if (!is_matrix_name(name) || paths.size() != 1)
            throw ParseError("`matrix`: '" + printable(name.empty() || paths.size() != 1 ? text->second : name) +
                                 "' names no matrix and its file; write NAME=FILE, such as S=covariance.csv",
                             "matrix");
        MatrixText matrix;
        matrix.name = name;
        matrix.law = words::MatrixLaw::fixed;
        matrix.file = paths[0];
        matrix.values = read_matrix(name, paths[0]);
        matrix.rows = Expression::parse(std::to_string(matrix.values.size()), "matrix");
        matrix.columns = Expression::parse(std::to_string(matrix.values.front().size()), "matrix");
        if (!matrices.emplace(name, matrix).second)
            throw ParseError("`matrix`: " + name + " is given already", "matrix");
    }
}

/// The fourth moment and on, of variance 1.
std::vector<RationalFunction> entry_moments(MatrixText const& matrix, RationalFunction const& kurtosis) {
    constexpr int most = 10;
    if (matrix.entries == LawKind::kurtosis) return {kurtosis};
    std::vector<RationalFunction> out;
    Rational factorial = 2;
    for (int j = 2; j <= most; ++j) {
        factorial *= 2 * j * (2 * j - 1);
        auto const power_of = [&](int base) { return power(Rational(base), static_cast<std::uint64_t>(j)); };
        if (matrix.entries == LawKind::uniform) out.emplace_back(Rational(power_of(3) / (2 * j + 1)));
        if (matrix.entries == LawKind::rademacher) out.emplace_back(1);
        if (matrix.entries == LawKind::laplace) out.emplace_back(Rational(factorial / power_of(2)));
    }
    return out;
}

RationalFunction dimension(Expression const& e, std::string const& name, Bindings const& bindings) {
    auto const out = value_at<RationalFunction>(e, bindings, "shape").merged();
    if (out.is_numeric()) {
        Surd const number = out.evaluate({});
        if (!number.is_rational() || !is_integer(number.to_rational()) || number.to_rational() < 1)
            throw DomainError("`shape`: " + name + " has the dimension " + printable(to_string(out)) +
                                  "; a whole number from 1 is required",
                              "shape");
    } else if (known_sign(out).value_or(1) <= 0) {
        throw DomainError("`shape`: " + name + " has the dimension " + printable(to_string(out)) +
                              ", which is below 1 for all values of its symbols",
                          "shape");
    }
    return out;
}

void require_positive(RationalFunction const& x, std::string const& name, char const* parameter) {
    if (auto const sign = known_sign(x); sign && *sign <= 0)
        throw DomainError(
            named(parameter) + ": " + name + " = " + printable(to_string(x)) + "; a positive number is required",
            parameter);
}

}  // namespace

std::set<std::string> TraceRequest::shape_symbols() const {
    std::set<std::string> out;
    for (auto const& m : matrices) {
        out.merge(m.rows.symbols());
        out.merge(m.columns.symbols());
    }
    return out;
}

std::set<std::string> TraceRequest::symbols() const {
    std::set<std::string> out = shape_symbols();
    for (auto const& m : matrices) {
        if (m.variance) out.merge(m.variance->symbols());
        if (m.kurtosis) out.merge(m.kurtosis->symbols());
        for (auto const& entry : m.diagonal) out.merge(entry.symbols());
        for (auto const& row : m.values)
            for (auto const& entry : row) out.merge(entry.symbols());
    }
    for (auto const& name : parameters_of(expression)) out.insert(name);
    return out;
}

ParameterSet<TraceRequest> trace_parameters() {
    ParameterSet<TraceRequest> out;
    auto const add = [&](std::string const& name, std::string const& value, std::string const& help, More more = {}) {
        auto const keep = [name](TraceRequest& into, std::string const& text) { into.typed[name] = text; };
        out.add({name, value, help, keep, std::move(more)});
    };
    add("shape", "LIST", "Rows and columns of each matrix, A=a,b,B=b,c; one dimension is a square");
    add("law", "NAME",
        "gaussian, complex, orthogonal, uniform, rademacher, laplace; of all matrices, or A=complex,B=uniform",
        {.usual = "gaussian", .choices = {"gaussian", "complex", "orthogonal", "uniform", "rademacher", "laplace"}});
    add("kurtosis", "R", "Fourth moment of symmetric entries instead of a law; or A=R,B=R");
    add("variance", "R", "Of an entry; or A=1/a,B=1/b", {.usual = "1"});
    add("diagonal", "LIST", "Matrices that are fixed and diagonal, D=1,2,t,F=s,s,s");
    add("matrix", "LIST", "Fixed matrices of CSV files, a line a row, S=cov.csv,T=t.csv");
    out.add(
        {"series", "1/SYMBOL", "Expand in 1/SYMBOL, the other symbols fixed", &TraceRequest::series, inverse_symbol()});
    out.add({"order", "K", "Orders beyond the leading one", &TraceRequest::order, count(0, 50),
             More{.usual = "2", .needs = {"series"}}});
    return out;
}

void complete_trace_request(TraceRequest& request, Session const& session) {
    TraceRequest& out = request;
    auto const& positionals = session.question.words;
    if (positionals.empty())
        throw ParseError("`query` is missing; such as isserlis trace 'tr((W W^T)^2)' `shape` W=a,b", "query");
    if (session.layer) throw ParseError("`layer`: a trace belongs to no layer; leave it out", "layer");
    out.text = positionals[0];
    out.expression = parse_trace_expression(out.text);
    for (auto const& name : parameters_of(out.expression)) check_symbol(name, "query");
    auto matrices = read_shapes(out.typed);
    read_laws(out.typed, matrices);
    read_diagonals(out.typed, matrices);
    read_fixed(out.typed, matrices);
    auto const used = matrices_of(out.expression);
    for (auto const& [name, matrix] : matrices) {
        if (std::find(used.begin(), used.end(), name) == used.end()) {
            out.idle.insert(name);
        } else {
            out.matrices.push_back(matrix);
        }
    }
    auto const symbols = out.symbols();
    check_bindings(symbols, session);
    if (out.series && symbols.count(*out.series) == 0)
        throw DomainError("`series`: no shape, variance or parameter has the symbol '" + printable(*out.series) + "'",
                          "series");
}

std::vector<words::RandomMatrix> random_matrices(TraceRequest const& request, Bindings const& bindings) {
    std::vector<words::RandomMatrix> out;
    for (auto const& m : request.matrices) {
        words::RandomMatrix matrix;
        matrix.name = m.name;
        matrix.rows = dimension(m.rows, m.name, bindings);
        matrix.columns = dimension(m.columns, m.name, bindings);
        matrix.law = m.law;
        if (m.variance) matrix.variance = value_at<RationalFunction>(*m.variance, bindings, "variance").merged();
        require_positive(matrix.variance, m.name, "variance");
        RationalFunction kurtosis(3);
        if (m.kurtosis) {
            kurtosis = value_at<RationalFunction>(*m.kurtosis, bindings, "kurtosis").merged();
            if (auto const sign = known_sign(kurtosis - RationalFunction(1)); sign && *sign < 0)
                throw DomainError("`kurtosis`: " + m.name + " = " + printable(to_string(kurtosis)) +
                                      "; no law has a kurtosis below 1",
                                  "kurtosis");
        }
        for (auto const& entry : m.diagonal)
            matrix.diagonal.push_back(value_at<RationalFunction>(entry, bindings, "diagonal").merged());
        for (auto const& row : m.values) {
            matrix.values.emplace_back();
            for (auto const& entry : row)
                matrix.values.back().push_back(value_at<RationalFunction>(entry, bindings, "matrix").merged());
        }
        if (m.law == words::MatrixLaw::iid) matrix.moments = entry_moments(m, kurtosis);
        out.push_back(std::move(matrix));
    }
    return out;
}

}  // namespace isserlis::quantity
