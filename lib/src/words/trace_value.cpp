// SPDX-License-Identifier: MIT
#include <isserlis/words/trace_value.hpp>

#include <isserlis/error.hpp>
#include <isserlis/ring/rational.hpp>

#include <algorithm>
#include <utility>

namespace isserlis::words {
namespace {

using ExpressionKind = TraceExpression::Kind;

template <class Key>
void add_term(std::map<Key, RationalFunction>& into, Key const& key, RationalFunction const& x) {
    auto const [at, fresh] = into.try_emplace(key, x);
    if (!fresh) at->second = (at->second + x).merged();
    if (at->second.is_zero()) into.erase(at);
}

void check_terms(std::size_t terms) {
    if (terms <= TraceValue::most_terms) return;
    throw UnsupportedError(
        "`query`: multiplied out it has more than " + std::to_string(TraceValue::most_terms) + " terms", "query");
}

/// The value of a polynomial without traces.
RationalFunction constant_of(TracePolynomial const& x) {
    auto const at = x.find({});
    return at == x.end() ? RationalFunction(0) : at->second;
}

TracePolynomial constant_trace(RationalFunction const& x) {
    TracePolynomial out;
    add_term(out, TraceProduct{}, x);
    return out;
}

RationalFunction inverse(RationalFunction const& x) {
    if (x.is_zero()) throw DomainError("`query`: division by 0", "query");
    return RationalFunction(1) / x;
}

}  // namespace

TraceValue::TraceValue(TraceMoments& moments, std::string_view text, Parameter parameter)
    : moments_(moments), text_(text), parameter_(std::move(parameter)) {
    for (std::size_t m = 0; m < moments.matrices().size(); ++m) number_[moments.matrices()[m].name] = m;
}

void TraceValue::fail(std::size_t position, std::string const& why) const { fail_in_expression(text_, position, why); }

RationalFunction TraceValue::operator()(TraceExpression const& e) {
    auto const operand = [&](std::size_t k) { return (*this)(e.operands[k]); };
    RationalFunction out(0);
    switch (e.kind) {
        case ExpressionKind::mean: return mean(expanded(e.operands[0]));
        case ExpressionKind::variance:
        case ExpressionKind::covariance: {
            auto const a = expanded(e.operands.front());
            auto const b = expanded(e.operands.back());
            return (mean(product(a, b)) - mean(a) * mean(b)).merged();
        }
        case ExpressionKind::power: return power(operand(0), std::uint64_t{e.exponent}).merged();
        case ExpressionKind::product:
            out = operand(0);
            for (std::size_t k = 1; k < e.operands.size(); ++k)
                out = (e.signs[k] < 0 ? out * inverse(operand(k)) : out * operand(k)).merged();
            return out;
        case ExpressionKind::sum:
            for (std::size_t k = 0; k < e.operands.size(); ++k)
                out = (e.signs[k] < 0 ? out - operand(k) : out + operand(k)).merged();
            return out;
        default: return constant_of(expanded(e));
    }
}

RationalFunction TraceValue::mean(TracePolynomial const& x) {
    RationalFunction out(0);
    for (auto const& [traces, coefficient] : x) out = (out + coefficient * moments_.mean(traces)).merged();
    return out;
}

TracePolynomial TraceValue::product(TracePolynomial const& a, TracePolynomial const& b) const {
    TracePolynomial out;
    for (auto const& [left, x] : a) {
        for (auto const& [right, y] : b) {
            TraceProduct both = left;
            both.insert(both.end(), right.begin(), right.end());
            sort_traces(both);
            add_term(out, both, (x * y).merged());
        }
        check_terms(out.size());
    }
    return out;
}

TracePolynomial TraceValue::expanded(TraceExpression const& e) {
    TracePolynomial out;
    switch (e.kind) {
        case ExpressionKind::number: return constant_trace(parse_rational(e.text, "query"));
        case ExpressionKind::parameter: return constant_trace(parameter_(e.text));
        case ExpressionKind::trace: return trace(matrix(e.operands[0]), e.position);
        case ExpressionKind::entry: return entry(e);
        case ExpressionKind::norm2: {
            auto const x = matrix(e.operands[0]);
            return trace(matrix_product(x, flipped(x, true), e.position), e.position);
        }
        case ExpressionKind::power:
            out = constant_trace(1);
            for (unsigned k = 0; k < e.exponent; ++k) out = product(out, expanded(e.operands[0]));
            return out;
        case ExpressionKind::product:
            out = expanded(e.operands[0]);
            for (std::size_t k = 1; k < e.operands.size(); ++k) {
                auto const factor = expanded(e.operands[k]);
                out = product(out, e.signs[k] < 0 ? constant_trace(inverse(constant_of(factor))) : factor);
            }
            return out;
        case ExpressionKind::sum:
            for (std::size_t k = 0; k < e.operands.size(); ++k) {
                for (auto const& [traces, x] : expanded(e.operands[k])) add_term(out, traces, e.signs[k] < 0 ? -x : x);
                check_terms(out.size());
            }
            return out;
        default: fail(e.position, "a number or a trace is expected here");
    }
}

std::string TraceValue::shape_text(MatrixPolynomial const& x) const {
    auto const size = [&](std::optional<std::size_t> place) {
        return place ? to_string(moments_.dimension(*place)) : std::string("?");
    };
    return size(x.rows) + " x " + size(x.columns);
}

TraceValue::MatrixPolynomial TraceValue::single(TraceExpression const& e) const {
    MatrixPolynomial out;
    out.scalar = false;
    if (e.kind == ExpressionKind::identity) {
        out.terms.emplace(Word{}, 1);
        return out;
    }
    auto const at = number_.find(e.text);
    if (at == number_.end())
        fail(e.position, "the matrix '" + printable(e.text) +
                             "' has no shape; give it by `shape`, or put spaces between the matrices of a product");
    auto const& shape = moments_.shapes()[at->second];
    auto const& m = moments_.matrices()[at->second];
    out.terms.emplace(
        Word(1, m.is_random() ? letter(at->second, false, false) : fixed_letter(at->second, m.is_symmetric())), 1);
    out.rows = shape.rows;
    out.columns = shape.columns;
    return out;
}

TraceValue::MatrixPolynomial TraceValue::flipped(MatrixPolynomial x, bool conjugate) const {
    MatrixPolynomial out;
    out.scalar = x.scalar;
    out.rows = x.columns;
    out.columns = x.rows;
    for (auto const& [word, coefficient] : x.terms) {
        Word turned = transposed(word);
        if (conjugate) {
            for (auto& letter : turned) {
                if (moments_.shapes()[matrix_of(letter)].complex) letter = conjugated(Word(1, letter)).front();
            }
        }
        add_term(out.terms, turned, coefficient);
    }
    return out;
}

TraceValue::MatrixPolynomial TraceValue::matrix_product(MatrixPolynomial const& a, MatrixPolynomial const& b,
                                                        std::size_t position) const {
    if (a.columns && b.rows && *a.columns != *b.rows)
        fail(position, "the matrices do not fit: " + shape_text(a) + " times " + shape_text(b));
    MatrixPolynomial out;
    out.scalar = a.scalar && b.scalar;
    // Numbers and multiples of the identity take the shape of the other factor.
    out.rows = a.rows ? a.rows : b.rows;
    out.columns = b.columns ? b.columns : a.columns;
    for (auto const& [left, x] : a.terms) {
        for (auto const& [right, y] : b.terms) add_term(out.terms, left + right, (x * y).merged());
        check_terms(out.terms.size());
    }
    return out;
}

TraceValue::MatrixPolynomial TraceValue::matrix_sum(TraceExpression const& e) {
    MatrixPolynomial out;
    for (std::size_t k = 0; k < e.operands.size(); ++k) {
        auto const x = matrix(e.operands[k]);
        std::size_t const position = e.operands[k].position;
        if (k > 0 && x.scalar != out.scalar)
            fail(position, "a number and a matrix are added; the number needs the identity, as in 2*I");
        out.scalar = x.scalar;
        if (x.rows && !out.rows) {
            // Identities stand before it.
            if (k > 0 && x.rows != x.columns)
                fail(position, "a matrix of shape " + shape_text(x) + " and the identity are added");
            out.rows = x.rows;
            out.columns = x.columns;
        } else if (!x.rows && !x.scalar && out.rows && out.rows != out.columns) {
            fail(position, "the identity and a matrix of shape " + shape_text(out) + " are added");
        } else if (x.rows && (x.rows != out.rows || x.columns != out.columns)) {
            fail(position, "the matrices do not fit: " + shape_text(out) + " plus " + shape_text(x));
        }
        for (auto const& [word, coefficient] : x.terms)
            add_term(out.terms, word, e.signs[k] < 0 ? -coefficient : coefficient);
        check_terms(out.terms.size());
    }
    return out;
}

TraceValue::MatrixPolynomial TraceValue::matrix(TraceExpression const& e) {
    MatrixPolynomial out;
    auto const number = [](RationalFunction const& x) {
        MatrixPolynomial made;
        add_term(made.terms, Word{}, x);
        return made;
    };
    switch (e.kind) {
        case ExpressionKind::number: return number(parse_rational(e.text, "query"));
        case ExpressionKind::parameter: return number(parameter_(e.text));
        case ExpressionKind::matrix:
        case ExpressionKind::identity: return single(e);
        case ExpressionKind::transpose:
        case ExpressionKind::adjoint: return flipped(matrix(e.operands[0]), e.kind == ExpressionKind::adjoint);
        case ExpressionKind::power: {
            auto const base = matrix(e.operands[0]);
            if (base.rows != base.columns)
                fail(e.position, "a power of a matrix of shape " + shape_text(base) + "; it has to be square");
            out = number(1);
            out.scalar = base.scalar;
            out.rows = base.rows;
            out.columns = base.columns;
            for (unsigned k = 0; k < e.exponent; ++k) out = matrix_product(out, base, e.position);
            return out;
        }
        case ExpressionKind::product:
            out = matrix(e.operands[0]);
            for (std::size_t k = 1; k < e.operands.size(); ++k) {
                auto const factor = matrix(e.operands[k]);
                if (e.signs[k] > 0) {
                    out = matrix_product(out, factor, e.operands[k].position);
                    continue;
                }
                auto const at = factor.terms.find({});
                auto const divisor = inverse(at == factor.terms.end() ? RationalFunction(0) : at->second);
                for (auto& [word, coefficient] : out.terms) coefficient = (coefficient * divisor).merged();
            }
            return out;
        case ExpressionKind::sum: return matrix_sum(e);
        default: fail(e.position, "a matrix is expected here");
    }
}

void TraceValue::require_place(TraceExpression const& e, MatrixPolynomial const& x, std::size_t dimension,
                               unsigned place) {
    auto const& size = moments_.dimension(dimension);
    if (auto const sign = known_sign(size - RationalFunction(Integer(place))); sign && *sign < 0)
        fail(e.position, "there is no entry [" + std::to_string(e.row) + "," + std::to_string(e.column) +
                             "] in a matrix of shape " + shape_text(x));
    if (size.is_numeric() || place < 2) return;
    auto const at = std::find_if(least_.begin(), least_.end(), [&](auto const& l) { return l.first == size; });
    if (at == least_.end()) {
        least_.emplace_back(size, place);
    } else {
        at->second = std::max(at->second, place);
    }
}

/// Entry (i, j) of A is tr(A e_j e_i^T).
TracePolynomial TraceValue::entry(TraceExpression const& e) {
    MatrixPolynomial const x = matrix(e.operands[0]);
    if (x.scalar || !x.rows) fail(e.position, "no matrix stands before these brackets, so that its size is unknown");
    require_place(e, x, *x.rows, e.row);
    require_place(e, x, *x.columns, e.column);
    TracePolynomial out;
    for (auto const& [word, coefficient] : x.terms) {
        if (!word.empty()) {
            add_term(out, TraceProduct{canonical(word + moments_.unit(e.column, e.row))}, coefficient);
        } else if (e.row == e.column) {
            add_term(out, TraceProduct{}, coefficient);
        }
    }
    return out;
}

TracePolynomial TraceValue::trace(MatrixPolynomial const& x, std::size_t position) const {
    if (x.scalar || !x.rows) fail(position, "no matrix stands in this trace, so that its size is unknown");
    if (x.rows != x.columns)
        fail(position, "the trace of a matrix of shape " + shape_text(x) + "; it has to be square");
    TracePolynomial out;
    for (auto const& [word, coefficient] : x.terms) {
        if (word.empty()) {
            add_term(out, TraceProduct{}, (coefficient * moments_.dimension(*x.rows)).merged());
        } else {
            add_term(out, TraceProduct{canonical(word)}, coefficient);
        }
    }
    return out;
}

}  // namespace isserlis::words
