// SPDX-License-Identifier: MIT
#include <isserlis/ring/latex.hpp>

namespace isserlis {
namespace {

int precedence(Expression const& e) {
    switch (e.kind()) {
        case Expression::Kind::add: return 1;
        case Expression::Kind::negate: return 2;
        case Expression::Kind::multiply: return 3;
        case Expression::Kind::divide: return 4;  // drawn as a fraction, which groups by itself
        case Expression::Kind::power: return 5;
        case Expression::Kind::number: return is_integer(e.number()) && e.number() >= 0 ? 6 : 2;
        case Expression::Kind::exp: return 5;
        case Expression::Kind::symbol:
        case Expression::Kind::sqrt: break;
    }
    return 6;
}

std::string grouped(Expression const& e, int at_least) {
    std::string const inside = latex(e);
    return precedence(e) >= at_least ? inside : "\\left(" + inside + "\\right)";
}

std::string symbol(std::string const& name) {
    auto const digits = name.find_last_not_of("0123456789") + 1;
    // n_1 as n1: what is below needs no underscore.
    bool const underscored = digits < name.size() && digits > 1 && name[digits - 1] == '_';
    std::string stem;
    for (char const c : name.substr(0, underscored ? digits - 1 : digits))
        stem += c == '_' ? std::string("\\_") : std::string(1, c);
    if (stem.size() > 1) stem = "\\mathit{" + stem + "}";
    return digits == name.size() ? stem : stem + "_{" + name.substr(digits) + "}";
}

}  // namespace

std::string latex(Expression const& e) {
    auto const& o = e.operands();
    switch (e.kind()) {
        case Expression::Kind::number: {
            Rational const& x = e.number();
            if (is_integer(x)) return to_string(x);
            return (x < 0 ? "-" : "") + std::string("\\frac{") + to_string(abs(numerator_of(x))) + "}{" +
                   to_string(denominator_of(x)) + "}";
        }
        case Expression::Kind::symbol: return symbol(e.symbol());
        case Expression::Kind::add: {
            std::string out = latex(o[0]);
            for (std::size_t i = 1; i < o.size(); ++i) {
                bool const negative = o[i].kind() == Expression::Kind::negate;
                out += negative ? " - " + grouped(o[i].operands()[0], 3) : " + " + grouped(o[i], 2);
            }
            return out;
        }
        case Expression::Kind::negate: return "-" + grouped(o[0], 3);
        case Expression::Kind::multiply: {
            std::string out = grouped(o[0], 3);
            for (std::size_t i = 1; i < o.size(); ++i) {
                // Two numbers side by side would read as one.
                bool const digits =
                    o[i].kind() == Expression::Kind::number ||
                    (o[i].kind() == Expression::Kind::power && o[i].operands()[0].kind() == Expression::Kind::number);
                out += (digits ? " \\cdot " : " ") + grouped(o[i], 4);
            }
            return out;
        }
        case Expression::Kind::divide: return "\\frac{" + latex(o[0]) + "}{" + latex(o[1]) + "}";
        case Expression::Kind::power: return grouped(o[0], 6) + "^{" + latex(o[1]) + "}";
        case Expression::Kind::sqrt: return "\\sqrt{" + latex(o[0]) + "}";
        case Expression::Kind::exp: return "e^{" + latex(o[0]) + "}";
    }
    return {};
}

}  // namespace isserlis
