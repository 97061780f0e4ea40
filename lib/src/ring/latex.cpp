// SPDX-License-Identifier: MIT
#include <isserlis/ring/latex.hpp>

namespace isserlis {
namespace {

using Kind = Expression::Kind;

int precedence(Expression const& e) {
    switch (e.kind()) {
        case Kind::add: return 1;
        case Kind::negate: return 2;
        case Kind::multiply: return 3;
        case Kind::divide: return 4;  // drawn as a fraction, which groups by itself
        case Kind::power: return 5;
        case Kind::number: return is_integer(e.number()) && e.number() >= 0 ? 6 : 2;
        case Kind::exp: return 5;
        case Kind::symbol:
        case Kind::sqrt: break;
    }
    return 6;
}

std::string grouped(Expression const& e, int at_least) {
    std::string const inside = latex(e);
    return precedence(e) >= at_least ? inside : "\\left(" + inside + "\\right)";
}

std::string symbol(std::string const& name) {
    auto const stem_end = name.find_last_not_of("0123456789");
    std::string stem;
    for (char const c : name.substr(0, stem_end + 1)) stem += c == '_' ? std::string("\\_") : std::string(1, c);
    if (stem.size() > 1) stem = "\\mathit{" + stem + "}";
    return stem_end + 1 == name.size() ? stem : stem + "_{" + name.substr(stem_end + 1) + "}";
}

}  // namespace

std::string latex(Expression const& e) {
    auto const& o = e.operands();
    switch (e.kind()) {
        case Kind::number: {
            Rational const& x = e.number();
            if (is_integer(x)) return to_string(x);
            return (x < 0 ? "-" : "") + std::string("\\frac{") + to_string(abs(numerator_of(x))) + "}{" +
                   to_string(denominator_of(x)) + "}";
        }
        case Kind::symbol: return symbol(e.symbol());
        case Kind::add: {
            std::string out = latex(o[0]);
            for (std::size_t i = 1; i < o.size(); ++i) {
                bool const negative = o[i].kind() == Kind::negate;
                out += negative ? " - " + grouped(o[i].operands()[0], 3) : " + " + grouped(o[i], 2);
            }
            return out;
        }
        case Kind::negate: return "-" + grouped(o[0], 3);
        case Kind::multiply: {
            std::string out = grouped(o[0], 3);
            for (std::size_t i = 1; i < o.size(); ++i) {
                // Two numbers side by side would read as one.
                bool const digits = o[i].kind() == Kind::number ||
                                    (o[i].kind() == Kind::power && o[i].operands()[0].kind() == Kind::number);
                out += (digits ? " \\cdot " : " ") + grouped(o[i], 4);
            }
            return out;
        }
        case Kind::divide: return "\\frac{" + latex(o[0]) + "}{" + latex(o[1]) + "}";
        case Kind::power: return grouped(o[0], 6) + "^{" + latex(o[1]) + "}";
        case Kind::sqrt: return "\\sqrt{" + latex(o[0]) + "}";
        case Kind::exp: return "e^{" + latex(o[0]) + "}";
    }
    return {};
}

}  // namespace isserlis
