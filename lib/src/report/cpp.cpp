// SPDX-License-Identifier: MIT
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <isserlis/report/answer.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/parse.hpp>
#include <optional>
#include <set>

#include "comments.hpp"
#include "cpp_arithmetic.hpp"
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

std::string joined(std::set<std::string> const& symbols, std::string const& before) {
    std::string out;
    for (auto const& symbol : symbols) out += (out.empty() ? "" : ", ") + before + symbol;
    return out;
}

/// A name for a template parameter that no symbol has.
std::string type_name(std::set<std::string> const& symbols) {
    std::string out = "Real";
    while (symbols.count(out) != 0) out += "_";
    return out;
}

/// The function of a formula whose terms may cancel: written once for every type of numbers.
std::string careful_function(std::string const& name, Expression const& e) {
    auto const symbols = e.symbols();
    std::string const type = type_name(symbols);
    return "struct " + name + "_formula {\n    template <class " + type + ">\n    " + type + " operator()(" +
           joined(symbols, "const " + type + "& ") + ") const {\n        return " + cpp_code(e, type) +
           ";\n    }\n};\ninline double " + name + "(" + joined(symbols, "double ") +
           ") {\n    return isserlis_formula::value(\"" + name + "\", " + name + "_formula{}, " + joined(symbols, "") +
           ");\n}\n";
}

std::string plain_function(std::string const& name, std::set<std::string> const& symbols, std::string const& code) {
    return "inline double " + name + "(" + joined(symbols, "double ") + ") {\n    return " + code + ";\n}\n";
}

/// 17 digits of a number, which are certain; nothing beyond the range of double.
std::optional<std::string> constant(Expression const& e) {
    std::string const digits = decimal([&](unsigned bits) { return enclose(e, bits); }, 17);
    if (!std::isnormal(std::strtod(digits.c_str(), nullptr))) return std::nullopt;
    return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

}  // namespace

std::string to_cpp(Answer const& answer) {
    std::string functions;
    bool careful = false;
    for (auto const& r : answer.results()) {
        functions += "\n";
        std::string const name = identifier(r);
        if (!r.exact) {
            functions += "// " + name + ": " + (r.decimal ? *r.decimal + ", " : std::string()) + r.form + "\n";
            continue;
        }
        auto const expression = Expression::parse(*r.exact, "value");
        functions += "/// " + *r.exact + "\n";
        if (plain_doubles_do(expression)) {
            functions += plain_function(name, expression.symbols(), cpp_code(expression));
        } else if (expression.symbols().empty()) {
            auto const digits = constant(expression);
            functions += digits ? plain_function(name, {}, *digits) : "// " + name + ": beyond the range of double\n";
        } else {
            functions += careful_function(name, expression);
            careful = true;
        }
    }
    std::string out = heading(answer, "// ");
    if (!careful) return out + "#include <cmath>\n" + functions;
    for (char const* header :
         {"algorithm", "cmath", "cstddef", "cstdint", "cstdlib", "iterator", "stdexcept", "string"})
        out += std::string("#include <") + header + ">\n";
    return out + "\n" + cpp_arithmetic + functions;
}

}  // namespace isserlis
