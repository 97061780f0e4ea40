// SPDX-License-Identifier: MIT
#include <cctype>
#include <isserlis/report/answer.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/parse.hpp>

namespace isserlis {
namespace {

using Kind = Expression::Kind;

int precedence(Expression const& e) {
    switch (e.kind()) {
        case Kind::add: return 1;
        case Kind::negate: return 2;
        case Kind::multiply:
        case Kind::divide: return 3;
        case Kind::number: return is_integer(e.number()) && e.number() >= 0 ? 4 : 2;
        case Kind::symbol:
        case Kind::power:
        case Kind::sqrt:
        case Kind::exp: break;
    }
    return 4;
}

std::string code(Expression const& e);

std::string grouped(Expression const& e, int at_least) {
    return precedence(e) >= at_least ? code(e) : "(" + code(e) + ")";
}

/// A literal of type double: the nearest one, whatever the size of the number.
std::string literal(Integer const& n) {
    std::string const digits = abs(n) < Integer(1) << 53 ? to_string(n) + ".0" : decimal(Rational(n), 17);
    return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

/// An expression of doubles in C++.
std::string code(Expression const& e) {
    auto const& o = e.operands();
    switch (e.kind()) {
        case Kind::number:
            if (is_integer(e.number())) return literal(numerator_of(e.number()));
            return literal(numerator_of(e.number())) + " / " + literal(denominator_of(e.number()));
        case Kind::symbol: return e.symbol();
        case Kind::negate: return "-" + grouped(o[0], 4);
        case Kind::add: {
            std::string out = grouped(o[0], 1);
            for (std::size_t i = 1; i < o.size(); ++i) {
                bool const minus = o[i].kind() == Kind::negate;
                out += minus ? " - " + grouped(o[i].operands()[0], 3) : " + " + grouped(o[i], 2);
            }
            return out;
        }
        case Kind::multiply: {
            std::string out = grouped(o[0], 3);
            for (std::size_t i = 1; i < o.size(); ++i) out += " * " + grouped(o[i], 4);
            return out;
        }
        case Kind::divide: return grouped(o[0], 3) + " / " + grouped(o[1], 4);
        case Kind::power: return "std::pow(" + code(o[0]) + ", " + code(o[1]) + ")";
        case Kind::sqrt: return "std::sqrt(" + code(o[0]) + ")";
        case Kind::exp: return "std::exp(" + code(o[0]) + ")";
    }
    return {};
}

/// "series_coefficient" and "-1" make series_coefficient_minus_1; "L + 1" makes L_plus_1.
std::string identifier(Result const& r) {
    std::string out = r.name;
    for (auto const& part : r.index) {
        out += "_";
        for (char const c : part) {
            if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
                out += c;
            } else if (c == '-') {
                out += out.back() == '_' ? "minus_" : "_minus_";
            } else if (c == '+') {
                out += out.back() == '_' ? "plus_" : "_plus_";
            } else if (out.back() != '_') {
                out += "_";
            }
        }
    }
    return out;
}

}  // namespace

std::string to_cpp(Answer const& answer) {
    std::string out = "// " + answer.title() + "\n";
    for (auto const& text : answer.assumptions()) out += "// assumes: " + text + "\n";
    out += "#include <cmath>\n";
    for (auto const& r : answer.results()) {
        out += "\n";
        if (!r.exact) {
            out += "// " + identifier(r) + ": " + (r.decimal ? *r.decimal : r.form) + "\n";
            continue;
        }
        auto const expression = Expression::parse(*r.exact, "value");
        std::string parameters;
        for (auto const& symbol : expression.symbols())
            parameters += (parameters.empty() ? "double " : ", double ") + symbol;
        out += "/// " + *r.exact + "\n";
        out += "inline double " + identifier(r) + "(" + parameters + ") {\n    return " + code(expression) + ";\n}\n";
    }
    return out;
}

}  // namespace isserlis
