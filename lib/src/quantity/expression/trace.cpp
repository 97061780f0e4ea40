// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/ring/depth_sum.hpp>
#include <isserlis/verify/traces.hpp>
#include <isserlis/words/trace_value.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "quantity/chain_models.hpp"
#include "quantity/commands.hpp"
#include "quantity/expression/trace_request.hpp"
#include "quantity/limit_scale.hpp"
#include "quantity/unchecked.hpp"
#include "question/requirements.hpp"

namespace isserlis::quantity {
namespace {

using words::MatrixLaw;

std::string law_text(MatrixText const& text, words::RandomMatrix const& matrix) {
    bool const square = matrix.rows == matrix.columns;
    std::string const variance = "variance " + to_string(matrix.variance);
    switch (matrix.law) {
        case MatrixLaw::gaussian: return "independent normal entries, " + variance;
        case MatrixLaw::complex:
            return "independent complex normal entries, E w^2 = 0, E|w|^2 = " + to_string(matrix.variance);
        case MatrixLaw::orthogonal:
            return square ? "orthogonal, Haar measure" : "a rectangular part of an orthogonal matrix, Haar measure";
        case MatrixLaw::diagonal: return "diagonal, as given";
        case MatrixLaw::fixed: return "fixed, of " + printable(text.file);
        case MatrixLaw::unit:
        case MatrixLaw::iid: break;
    }
    if (text.entries == LawKind::kurtosis)
        return "independent symmetric entries of kurtosis " + to_string(matrix.moments[0]) + ", " + variance;
    return "independent " + std::string(name(text.entries)) + " entries, " + variance;
}

/// Is the first row names that no other row has: what a header looks like?
bool has_row_of_names(MatrixText const& matrix) {
    if (matrix.values.size() < 2) return false;
    auto const is_name = [](Expression const& e) { return e.kind() == Expression::Kind::symbol; };
    auto const is_number = [](Expression const& e) { return e.symbols().empty(); };
    auto const& rows = matrix.values;
    return std::all_of(rows[0].begin(), rows[0].end(), is_name) &&
           std::all_of(rows.begin() + 1, rows.end(),
                       [&](auto const& row) { return std::all_of(row.begin(), row.end(), is_number); });
}

void state(TraceRequest const& request, std::vector<words::RandomMatrix> const& matrices, Answer& answer) {
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        auto const& m = matrices[i];
        answer.assume(m.name + ", " + to_string(m.rows) + " x " + to_string(m.columns) + ": " +
                      law_text(request.matrices[i], m));
    }
    auto const random = std::count_if(matrices.begin(), matrices.end(), [](auto const& m) { return m.is_random(); });
    if (random > 1) answer.assume("the matrices are independent");
    for (auto const& text : request.matrices) {
        if (has_row_of_names(text))
            answer.warn("`matrix`: the first row of " + printable(text.file) + ", the symbols " +
                        text.values[0][0].symbol() + (text.values[0].size() > 1 ? ", .." : "") + ", is a row of " +
                        text.name + ": these files have no header");
    }
    for (auto const& name : request.idle) answer.warn("`shape`: the matrix " + name + " does not occur in `query`");
}

monte_carlo::TraceModel trace_model(TraceRequest const& request, std::vector<words::RandomMatrix> const& matrices,
                                    Bindings const& bindings) {
    monte_carlo::TraceModel out;
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        auto const& m = matrices[i];
        auto const size = [](RationalFunction const& x) {
            return static_cast<std::size_t>(checked_count(numerator_of(x.evaluate({}).to_rational())));
        };
        monte_carlo::SampledMatrix sampled;
        sampled.name = m.name;
        sampled.rows = size(m.rows);
        sampled.columns = size(m.columns);
        sampled.variance = to_double(m.variance);
        using Law = monte_carlo::SampledMatrix::Law;
        sampled.law = m.law == MatrixLaw::complex      ? Law::complex_gaussian
                      : m.law == MatrixLaw::orthogonal ? Law::orthogonal
                      : m.law == MatrixLaw::diagonal   ? Law::diagonal
                      : m.law == MatrixLaw::fixed      ? Law::fixed
                                                       : Law::independent;
        if (m.law == MatrixLaw::iid)
            sampled.entries = {.kind = request.matrices[i].entries, .kurtosis_value = to_double(m.moments[0])};
        for (auto const& x : m.diagonal) sampled.diagonal.push_back(to_double(x));
        for (auto const& row : m.values)
            for (auto const& x : row) sampled.values.push_back(to_double(x));
        out.matrices.push_back(sampled);
    }
    for (auto const& name : parameters_of(request.expression))
        out.parameters[name] = to_double(RationalFunction(bindings.at(name)));
    return out;
}

/// E X^2 of the one X whose mean is asked, for the standard error; none, and a note, where it is out of reach.
std::optional<double> second_moment(TraceRequest const& request, words::TraceValue& value, Answer& answer) {
    auto const& e = request.expression;
    bool const real = std::none_of(request.matrices.begin(), request.matrices.end(),
                                   [](auto const& m) { return m.law == MatrixLaw::complex; });
    if (e.kind != TraceExpression::Kind::mean) {
        answer.warn("the standard error is sampled, by the delta method: of a function of sampled moments");
    } else if (!real) {
        answer.warn("the standard error is sampled, from the real parts of complex traces");
    } else {
        try {
            auto const x = value.expanded(e.operands[0]);
            return to_double(value.mean(value.product(x, x)));
        } catch (UnsupportedError const& error) {
            answer.warn("the standard error is sampled: for the exact one, " + reason_of_own_query(error));
        }
    }
    return std::nullopt;
}

void add_series(TraceRequest const& request, RationalFunction const& value, Answer& answer) {
    if (value.is_zero()) return answer.add("value", {}, Surd(0), {}, not_numeric);
    for (auto const& c : series_of(ExpQuotient(by_depth(value)), *request.series, request.order))
        answer.add("series_coefficient", {to_string(c.power)}, c.value, {}, not_numeric);
    answer.assume("expansion in powers of 1/" + *request.series + ", every other symbol fixed; the index is the power");
}

/// The term that is left as the one dimension goes to infinity.
void add_wide_term(TraceRequest const& request, RationalFunction const& value, Bindings const& bindings,
                   Answer& answer) {
    std::vector<std::string> open;
    for (auto const& symbol : request.shape_symbols()) {
        if (bindings.count(symbol) == 0) open.push_back(symbol);
    }
    if (open.size() != 1 || value.is_zero()) return;
    add_leading_of(ExpQuotient(by_depth(value)), open[0], "", "leading_term", answer);
}

/// Dimensions are whole numbers from 1, those of orthogonal matrices from where their formula holds on: of a symbol its range, of
/// n - 3 or n/2 a condition besides.
void declare_dimensions(TraceRequest const& request, std::vector<words::RandomMatrix> const& matrices,
                        words::TraceMoments const& moments, words::TraceValue const& value, Answer& answer) {
    auto const least_of = [&](RationalFunction const& dimension) {
        unsigned least = 1;
        for (auto const* known : {&moments.least_dimensions(), &value.least_dimensions()}) {
            for (auto const& [size, from] : *known) {
                if (size == dimension) least = std::max(least, from);
            }
        }
        return least;
    };
    std::set<std::string> conditions;
    auto const declare = [&](Expression const& e, RationalFunction const& size) {
        if (size.is_numeric()) return;
        unsigned const least = least_of(size);
        bool const is_symbol = e.kind() == Expression::Kind::symbol;
        for (auto const& symbol : size.symbols())
            answer.declare({.symbol = symbol, .least = std::to_string(is_symbol ? least : 1U)}, SymbolRole::width);
        if (is_symbol || !conditions.insert(to_string(size)).second) return;
        answer.assume(to_string(size) + " is a whole number");
        declare_requirements({{.value = size - RationalFunction(static_cast<int>(least)), .strict = false}}, answer);
    };
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        declare(request.matrices[i].rows, matrices[i].rows);
        declare(request.matrices[i].columns, matrices[i].columns);
    }
}

/// Variances are positive, and no law has a kurtosis below 1.
void declare_moments(TraceRequest const& request, std::vector<words::RandomMatrix> const& matrices, Answer& answer) {
    std::vector<Requirement<RationalFunction>> out;
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        if (!sign_of(matrices[i].variance)) out.push_back({.value = matrices[i].variance, .strict = true});
        if (!request.matrices[i].kurtosis || matrices[i].moments[0].is_numeric()) continue;
        out.push_back({.value = matrices[i].moments[0] - RationalFunction(1), .strict = false});
    }
    declare_requirements(out, answer);
}

/// Values of symbols that are dimensions.
/// Errors  DomainError for one that is no whole number from 1.
void require_dimensions(TraceRequest const& request, Bindings const& bindings) {
    auto const require = [&](Expression const& e) {
        if (e.kind() != Expression::Kind::symbol) return;
        auto const at = bindings.find(e.symbol());
        if (at == bindings.end() || (is_integer(at->second) && at->second >= 1)) return;
        throw DomainError(
            "`set` " + e.symbol() + " = " + to_string(at->second) + "; a dimension has to be a whole number from 1",
            "set");
    };
    for (auto const& m : request.matrices) {
        require(m.rows);
        require(m.columns);
    }
}

void evaluate_trace(TraceRequest const& request, Session const& session, Bindings const& bindings, Answer& answer) {
    require_dimensions(request, bindings);
    auto const matrices = random_matrices(request, bindings);
    state(request, matrices, answer);
    auto const symbols = request.symbols();
    bool const all_numbers =
        std::all_of(symbols.begin(), symbols.end(), [&](auto const& s) { return bindings.count(s) != 0; });
    if (!all_numbers) answer.assume("symbols stand for the numbers of their ranges");
    if (request.series && bindings.count(*request.series) != 0)
        throw DomainError("`series`: '" + *request.series + "' has a value; leave it symbolic", "series");
    words::TraceMoments moments(matrices, entries_of(request.expression));
    words::TraceValue value(moments, request.text, [&](std::string const& name) {
        auto const at = bindings.find(name);
        return at == bindings.end() ? RationalFunction::symbol(name) : RationalFunction(at->second);
    });
    RationalFunction const exact = value(request.expression);
    for (auto const& [size, least] : moments.least_dimensions()) {
        if (least > 1)  // also of a value without symbols
            answer.assume("the formula holds for " + to_string(size) + " >= " + std::to_string(least) +
                          "; smaller numbers are served as numbers, where the entries asked for are there");
    }
    for (auto const& [size, least] : value.least_dimensions())
        answer.assume(to_string(size) + " >= " + std::to_string(least) + ", so that all entries are there");
    declare_dimensions(request, matrices, moments, value, answer);
    declare_moments(request, matrices, answer);
    if (request.series) return add_series(request, exact, answer);
    if (!all_numbers) {
        answer.add("value", {}, tidy(exact), {}, not_numeric);
        return add_wide_term(request, exact, bindings, answer);
    }
    Surd const number = exact.evaluate({});
    std::optional<Check> check;
    if (session.samples) {
        auto const second = second_moment(request, value, answer);
        check = check_traces(trace_model(request, matrices, bindings), request.expression, to_double(number), second,
                             *session.samples, session.seed, session.run_control());
    }
    answer.add("value", {}, number, check);
}

}  // namespace

Command trace_command() {
    CommandOf<TraceRequest> out;
    out.text = {
        .name = "trace",
        .summary = "Expectations of traces of words in random matrices, also orthogonal and complex ones",
        .positional = "`query`",
        .positional_help =
            "A polynomial in traces, such as 'tr((W W^T)^3) tr(W W^T)'; matrices begin with a capital letter, I is the "
            "identity, norm2(..) the squared Frobenius norm; E[..], Var[..] and Cov[..] make quotients",
        .most_positionals = 1,
        .charted = "value",
    };
    out.parameters = trace_parameters();
    out.complete = complete_trace_request;
    out.evaluate = evaluate_trace;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
