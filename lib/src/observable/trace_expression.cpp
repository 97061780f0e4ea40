// SPDX-License-Identifier: MIT
#include <isserlis/observable/trace_expression.hpp>

#include <isserlis/error.hpp>

#include <algorithm>
#include <cctype>
#include <set>

#include "scanner.hpp"

namespace isserlis {
namespace {

using TraceKind = TraceExpression::Kind;

bool is_expectation(TraceKind kind) {
    return kind == TraceKind::mean || kind == TraceKind::variance || kind == TraceKind::covariance;
}

bool is_trace(TraceKind kind) {
    return kind == TraceKind::trace || kind == TraceKind::norm2 || kind == TraceKind::entry;
}

bool any_part(TraceExpression const& e, auto const& good) {
    return good(e.kind) || std::any_of(e.operands.begin(), e.operands.end(),
                                       [&](TraceExpression const& part) { return any_part(part, good); });
}

bool is_capital(std::string_view name) { return std::isupper(static_cast<unsigned char>(name.front())) != 0; }

TraceExpression trace_node(TraceKind kind, std::size_t position, std::vector<TraceExpression> operands) {
    TraceExpression out;
    out.kind = kind;
    out.position = position;
    out.operands = std::move(operands);
    return out;
}

class TraceParser : Scanner {
public:
    using Scanner::Scanner;

    TraceExpression all() {
        check_length();
        TraceExpression out = sum();
        if (peek() != '\0') fail("an operator or the end is expected here");
        if (!out.has_expectation()) return trace_node(TraceKind::mean, 0, {std::move(out)});
        check_outside(out);
        return out;
    }

    [[noreturn]] void fail_there(std::size_t position, std::string const& why) const { fail_at(position, why); }

private:
    /// Where a part stands.
    enum class Place { outside, expectation, trace };

    TraceExpression sum() {
        auto all = signed_terms<TraceExpression>([&] { return term(); });
        if (all.is_plain()) return std::move(all.terms.front());
        TraceExpression out = trace_node(TraceKind::sum, all.start, std::move(all.terms));
        out.signs = std::move(all.signs);
        return out;
    }

    TraceExpression term() {
        skip_space();
        std::size_t const start = at_;
        std::vector<int> signs{1};
        std::vector<TraceExpression> factors{factor()};
        for (;;) {
            if (accept('*')) {
                signs.push_back(1);
            } else if (accept('/')) {
                signs.push_back(-1);
            } else if (at_factor()) {
                signs.push_back(1);
            } else {
                break;
            }
            factors.push_back(factor());
            if (signs.back() < 0) check_divisor(factors.back());
        }
        if (factors.size() == 1) return std::move(factors.front());
        TraceExpression out = trace_node(TraceKind::product, start, std::move(factors));
        out.signs = std::move(signs);
        return out;
    }

    void check_divisor(TraceExpression const& divisor) const {
        if (any_part(divisor, [](TraceKind k) { return k == TraceKind::matrix || k == TraceKind::identity; }) &&
            !divisor.has_expectation())
            fail_at(divisor.position, place_ == Place::trace
                                          ? "matrices are not divided by; there are no inverses"
                                          : "traces are not divided by; expectations are, as in E[..]/E[..]");
    }

    TraceExpression factor() {
        skip_space();
        std::size_t const start = at_;
        TraceExpression out = atom();
        while (accept('^')) {
            if (peek() == 'T' || peek() == 'H') {
                bool const adjoint = peek() == 'H';
                if (place_ != Place::trace) fail("only matrices are transposed, inside of tr( )");
                if (word().size() > 1) fail("a transpose is ^T or ^H, with a space before what follows");
                ++at_;
                out = trace_node(adjoint ? TraceKind::adjoint : TraceKind::transpose, start, {std::move(out)});
                continue;
            }
            if (peek() == '-') fail("there are no inverses; exponents are whole numbers from 0, T or H");
            skip_space();
            std::size_t const at = at_;
            std::string const text = digits();
            if (text.size() > 2) fail_at(at, "the exponent is too large; up to 99 is read");
            out = trace_node(TraceKind::power, start, {std::move(out)});
            out.exponent = static_cast<unsigned>(std::stoul(text));
        }
        return out;
    }

    TraceExpression within(Place place, auto const& read) {
        Place const before = place_;
        place_ = place;
        TraceExpression out = read();
        place_ = before;
        return out;
    }

    TraceExpression bracket(TraceKind kind, Place place, char close, bool two) {
        std::size_t const start = at_;
        std::vector<TraceExpression> operands{within(place, [&] { return sum(); })};
        if (two) {
            expect(',', "',' is expected here: a covariance is of two, Cov[.., ..]");
            operands.push_back(within(place, [&] { return sum(); }));
        }
        expect(close, std::string("'") + close + "' is expected here");
        return trace_node(kind, start, std::move(operands));
    }

    TraceExpression expectation(std::string_view name, std::size_t start) {
        if (place_ != Place::outside) fail_at(start, "expectations stand outside of one another and of traces");
        ++at_;
        TraceKind const kind = name == "E"     ? TraceKind::mean
                               : name == "Var" ? TraceKind::variance
                                               : TraceKind::covariance;
        TraceExpression out = bracket(kind, Place::expectation, ']', name == "Cov");
        out.position = start;
        return out;
    }

    TraceExpression trace(std::string_view name, std::size_t start) {
        if (place_ == Place::trace)
            fail_at(start, "a trace stands inside of a trace; it is a number: write it in front");
        expect('(', "'(' is expected here");
        TraceExpression out = bracket(name == "tr" ? TraceKind::trace : TraceKind::norm2, Place::trace, ')', false);
        out.position = start;
        if (!any_part(out, [](TraceKind k) { return k == TraceKind::matrix; }))
            fail_at(start, "no matrix stands in this trace, so that its size is unknown");
        return out;
    }

    TraceExpression atom() {
        skip_space();
        std::size_t const start = at_;
        TraceExpression out;
        out.position = start;
        if (accept('(')) {
            bool const matrix = place_ != Place::trace && bracket_has_indices();
            out = matrix ? within(Place::trace, [&] { return sum(); }) : sum();
            expect(')', "')' is expected here");
            if (peek() == '[') return entry(std::move(out), start);
            return out;
        }
        if (std::isdigit(static_cast<unsigned char>(peek())) != 0) {
            auto const number = number_text();
            out.text = number.over + (number.under == "1" ? "" : "/" + number.under);
            return out;
        }
        std::string_view const name = word();
        if (name.empty())
            fail(place_ == Place::trace ? "a matrix, a number or '(' is expected here"
                                        : "tr(..), a number, a parameter or '(' is expected here");
        at_ += name.size();
        if ((name == "E" || name == "Var" || name == "Cov") && peek() == '[') return expectation(name, start);
        if ((name == "tr" || name == "norm2") && peek() == '(') return trace(name, start);
        if (is_capital(name) && peek() == '[' && has_indices(at_)) {
            out.kind = name == "I" ? TraceKind::identity : TraceKind::matrix;
            out.text = std::string(name);
            return entry(std::move(out), start);
        }
        check_name(name, start);
        out.text = std::string(name);
        out.kind = !is_capital(name) ? TraceKind::parameter : name == "I" ? TraceKind::identity : TraceKind::matrix;
        return out;
    }

    /// Is what stands here, but for spaces, a '[' and a digit?
    [[nodiscard]] bool has_indices(std::size_t at) const {
        at = text_.find_first_not_of(' ', at);
        if (at == std::string_view::npos || text_[at] != '[') return false;
        at = text_.find_first_not_of(' ', at + 1);
        return at != std::string_view::npos && is_digit(text_[at]);
    }

    /// Do indices follow the bracket that has been opened just now?
    [[nodiscard]] bool bracket_has_indices() const {
        int open = 1;
        for (std::size_t at = at_; at < text_.size(); ++at) {
            open += text_[at] == '(' ? 1 : text_[at] == ')' ? -1 : 0;
            if (open == 0) return has_indices(at + 1);
        }
        return false;
    }

    TraceExpression entry(TraceExpression matrix, std::size_t start) {
        if (place_ == Place::trace)
            fail_at(start, "an entry stands inside of a trace; it is a number: write it in front");
        expect('[', "'[' is expected here");
        auto const index = [&] {
            skip_space();
            std::size_t const at = at_;
            std::string const text = digits();
            unsigned const out = text.size() > 6 ? 0 : static_cast<unsigned>(std::stoul(text));
            if (out == 0) fail_at(at, "rows and columns are whole numbers from 1 to 999999");
            return out;
        };
        TraceExpression out = trace_node(TraceKind::entry, start, {std::move(matrix)});
        out.row = index();
        expect(',', "',' is expected here: an entry has a row and a column, such as W[1,2]");
        out.column = index();
        expect(']', "']' is expected here");
        if (!any_part(out, [](TraceKind k) { return k == TraceKind::matrix; }))
            fail_at(start, "no matrix stands before these brackets, so that its size is unknown");
        return out;
    }

    void check_name(std::string_view name, std::size_t start) {
        std::string lower(name);
        std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
        bool const bracket = peek() == '(' || peek() == '[';
        if (bracket && (lower == "tr" || lower == "trace")) fail_at(start, "a trace is written tr(..)");
        if (bracket && (lower == "norm" || lower == "norm2")) fail_at(start, "a squared norm is written norm2(..)");
        if (peek() == '[')
            fail_at(start, "'" + printable(name) + "' is no expectation: they are E[..], Var[..] and Cov[.., ..]");
        if (!is_capital(name)) {
            if (name == "tr" || name == "norm2") fail_at(start, "'(' is expected after " + std::string(name));
            if (peek() == '(')
                fail_at(start,
                        "'" + printable(name) + "' is no function; a product of a parameter with a bracket needs a *");
        } else if (place_ != Place::trace) {
            fail_at(start, "the matrix '" + printable(name) + "' stands outside of a trace; write tr(..)");
        }
    }

    /// Everything random has to stand between square brackets.
    void check_outside(TraceExpression const& e) const {
        if (is_expectation(e.kind)) return;
        if (is_trace(e.kind))
            fail_at(e.position, std::string("this ") + (e.kind == TraceKind::entry ? "entry" : "trace") +
                                    " stands outside of E[..], Var[..] and Cov[..]");
        for (auto const& operand : e.operands) check_outside(operand);
    }

    Place place_ = Place::outside;
};

int precedence(TraceExpression const& e) {
    switch (e.kind) {
        case TraceKind::sum: return 0;
        case TraceKind::product: return 1;
        case TraceKind::number: return e.text.find('/') == std::string::npos ? 3 : 1;
        default: return e.kind == TraceKind::power ? 2 : 3;
    }
}

std::string in_brackets(TraceExpression const& e, int least) {
    return precedence(e) < least ? "(" + to_string(e) + ")" : to_string(e);
}

void collect_names(TraceExpression const& e, TraceKind kind, std::set<std::string>& into) {
    if (e.kind == kind) into.insert(e.text);
    for (auto const& operand : e.operands) collect_names(operand, kind, into);
}

void collect_entries(TraceExpression const& e, std::set<std::pair<unsigned, unsigned>>& into) {
    if (e.kind == TraceKind::entry) into.emplace(e.row, e.column);
    for (auto const& operand : e.operands) collect_entries(operand, into);
}

std::vector<std::string> names_of(TraceExpression const& e, TraceKind kind) {
    std::set<std::string> out;
    collect_names(e, kind, out);
    return {out.begin(), out.end()};
}

}  // namespace

bool TraceExpression::has_trace() const { return any_part(*this, is_trace); }
bool TraceExpression::has_expectation() const { return any_part(*this, is_expectation); }

TraceExpression parse_trace_expression(std::string_view text) { return TraceParser(text).all(); }

void fail_in_expression(std::string_view text, std::size_t position, std::string const& why) {
    TraceParser(text).fail_there(position, why);
}

std::string to_string(TraceExpression const& e) {
    auto const first = [&] { return to_string(e.operands[0]); };
    std::string out;
    switch (e.kind) {
        case TraceKind::number:
        case TraceKind::parameter:
        case TraceKind::matrix: return e.text;
        case TraceKind::identity: return "I";
        case TraceKind::transpose: return in_brackets(e.operands[0], 2) + "^T";
        case TraceKind::adjoint: return in_brackets(e.operands[0], 2) + "^H";
        case TraceKind::trace: return "tr(" + first() + ")";
        case TraceKind::norm2: return "norm2(" + first() + ")";
        case TraceKind::entry:
            return (e.operands[0].kind == TraceKind::matrix ? first() : "(" + first() + ")") + "[" +
                   std::to_string(e.row) + "," + std::to_string(e.column) + "]";
        case TraceKind::mean: return "E[" + first() + "]";
        case TraceKind::variance: return "Var[" + first() + "]";
        case TraceKind::covariance: return "Cov[" + first() + ", " + to_string(e.operands[1]) + "]";
        case TraceKind::power: return in_brackets(e.operands[0], 2) + "^" + std::to_string(e.exponent);
        case TraceKind::product:
            for (std::size_t k = 0; k < e.operands.size(); ++k)
                out += (k == 0 ? "" : e.signs[k] < 0 ? "/" : "*") + in_brackets(e.operands[k], 2);
            return out;
        case TraceKind::sum: break;
    }
    for (std::size_t k = 0; k < e.operands.size(); ++k) {
        bool const minus = e.signs[k] < 0;
        out += k == 0 ? (minus ? "-" : "") : (minus ? " - " : " + ");
        out += in_brackets(e.operands[k], 1);
    }
    return out;
}

std::vector<std::pair<unsigned, unsigned>> entries_of(TraceExpression const& e) {
    std::set<std::pair<unsigned, unsigned>> out;
    collect_entries(e, out);
    return {out.begin(), out.end()};
}

std::vector<std::string> matrices_of(TraceExpression const& e) { return names_of(e, TraceKind::matrix); }
std::vector<std::string> parameters_of(TraceExpression const& e) { return names_of(e, TraceKind::parameter); }

}  // namespace isserlis
