// SPDX-License-Identifier: MIT
#include <cctype>
#include <isserlis/report/answer.hpp>
#include <isserlis/ring/parse.hpp>

#include "cpp_code.hpp"

namespace isserlis {
namespace {

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
            out += "// " + identifier(r) + ": " + (r.decimal ? *r.decimal + ", " : std::string()) + r.form + "\n";
            continue;
        }
        auto const expression = Expression::parse(*r.exact, "value");
        std::string parameters;
        for (auto const& symbol : expression.symbols())
            parameters += (parameters.empty() ? "double " : ", double ") + symbol;
        out += "/// " + *r.exact + "\n";
        out +=
            "inline double " + identifier(r) + "(" + parameters + ") {\n    return " + cpp_code(expression) + ";\n}\n";
    }
    return out;
}

}  // namespace isserlis
