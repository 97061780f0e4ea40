// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <isserlis/error.hpp>
#include <isserlis/report/answer.hpp>
#include <isserlis/report/index_names.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/parse.hpp>
#include <optional>
#include <set>
#include <string_view>

#include "characters.hpp"
#include "check_text.hpp"
#include "comments.hpp"
#include "cpp_arithmetic.hpp"
#include "cpp_code.hpp"

namespace isserlis {
namespace {

/// "L + 1" makes L_plus_1, "-1" after another part minus_1.
void append_spelled(std::string const& part, std::string& out) {
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

/// "series_coefficient" and "-1" make series_coefficient_minus_1; an edge is told from the rest by _at_L_1.
std::string identifier(Result const& r) {
    std::string out = r.name;
    for (auto const& part : r.index) append_spelled(part, out);
    for (auto const& s : r.range.symbols) {
        if (!s.is_point()) continue;
        out += "_at_" + s.symbol;
        append_spelled(s.least, out);
    }
    return out;
}

/// "n >= 1", as C++ reads it; nothing where it names a symbol that the function does not have.
std::string condition(SymbolRange const& r, std::set<std::string> const& parameters) {
    std::string out;
    auto const add = [&](std::string const& end, char const* relation) {
        if (end.empty()) return;
        auto const e = Expression::parse(end, "range");
        auto const symbols = e.symbols();
        if (!std::includes(parameters.begin(), parameters.end(), symbols.begin(), symbols.end())) return;
        out += (out.empty() ? "" : " && ") + r.symbol + relation + cpp_code(e);
    };
    if (parameters.count(r.symbol) == 0) return "";
    add(r.least, r.open ? " > " : " >= ");
    add(r.most, " <= ");
    for (auto const& value : r.without) add(value, " != ");
    if (r.whole) out += (out.empty() ? "" : " && ") + r.symbol + " == std::floor(" + r.symbol + ")";
    return out;
}

/// The line that refuses arguments outside the range.
std::string refusal(std::string const& name, Range const& range, std::set<std::string> const& parameters) {
    std::string conditions;
    std::string words;
    for (auto const& s : range.symbols) {
        std::string const here = condition(s, parameters);
        if (here.empty()) continue;
        conditions += (conditions.empty() ? "" : " && ") + here;
        words += (words.empty() ? "" : ", ") + (s.whole ? "whole " : std::string()) + to_string(s);
    }
    auto const add = [&](std::vector<std::string> const& expressions, char const* relation) {
        for (auto const& text : expressions) {
            auto const e = Expression::parse(text, "range");
            auto const symbols = e.symbols();
            if (!std::includes(parameters.begin(), parameters.end(), symbols.begin(), symbols.end())) continue;
            // Of a divisor whose terms may cancel the value itself tells whether it is 0.
            if (&expressions == &range.nonzero && !is_linear(e) && !plain_doubles_do(e)) continue;
            conditions += (conditions.empty() ? "" : " && ") + cpp_code(e) + relation;
            words += (words.empty() ? "" : ", ") + text + relation;
        }
    };
    add(range.nonzero, " != 0");
    add(range.positive, " > 0");
    add(range.not_negative, " >= 0");
    if (conditions.empty()) return "";
    return "    if (!(" + conditions + "))\n        throw std::domain_error(\"" + name + ": " + words +
           " is required\");\n";
}

std::string joined(std::set<std::string> const& symbols, std::string const& before) {
    std::string out;
    for (auto const& symbol : symbols) out += (out.empty() ? "" : ", ") + before + symbol;
    return out;
}

/// The symbols that may be 0, as far as their range says.
std::set<std::string> zeros_of(Range const& range) {
    std::set<std::string> out;
    for (auto const& s : range.symbols) {
        bool const positive =
            (s.open && s.least == "0") || (!s.least.empty() && is_digit(s.least[0]) && s.least != "0");
        if (!positive) out.insert(s.symbol);
    }
    return out;
}

/// A name for a template parameter that no symbol has.
std::string type_name(std::set<std::string> const& symbols) {
    std::string out = "Real";
    while (symbols.count(out) != 0) out += "_";
    return out;
}

/// The function of a formula whose terms may cancel: written once for every type of numbers.
std::string careful_function(std::string const& name, Expression const& e, Range const& range,
                             std::string const& refusal) {
    auto const symbols = e.symbols();
    std::string const type = type_name(symbols);
    return "struct " + name + "_formula {\n    template <class " + type + ">\n    " + type + " operator()(" +
           joined(symbols, "const " + type + "& ") + ") const {\n        return " + cpp_code(e, type, zeros_of(range)) +
           ";\n    }\n};\ninline double " + name + "(" + joined(symbols, "double ") + ") {\n" + refusal +
           "    return isserlis_formula::value(\"" + name + "\", " + name + "_formula{}, " + joined(symbols, "") +
           ");\n}\n";
}

std::string plain_function(std::string const& name, std::set<std::string> const& symbols, std::string const& code,
                           std::string const& refusal) {
    return "inline double " + name + "(" + joined(symbols, "double ") + ") {\n" + refusal + "    return " + code +
           ";\n}\n";
}

/// 17 digits of a number, which are certain; nothing beyond the range of double.
std::optional<std::string> constant(Expression const& e, std::string const& text) {
    constexpr int certain = 17;
    // A fraction may be a rounding tie, on a side of which no enclosure is.
    bool const is_fraction = text.find_first_not_of("-0123456789/") == std::string::npos;
    std::string const digits = is_fraction ? decimal(parse_rational(text, "value"), certain)
                                           : decimal([&](unsigned bits) { return enclose(e, bits); }, certain);
    if (!std::isnormal(std::strtod(digits.c_str(), nullptr))) return std::nullopt;
    return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

/// ISSERLIS_NTK_N_N_L_1_FORMAT_CPP_ and a number of the command line and the text that is guarded: no two answers share one.
std::string guard(std::string const& title, std::string const& text) {
    std::string out;
    for (char const c : title) {
        if (is_letter(c) && c != '_')
            out += static_cast<char>(c >= 'a' ? c - 'a' + 'A' : c);
        else if (is_digit(c))
            out += c;
        else if (!out.ends_with('_'))  // two in a row are the compiler's own
            out += '_';
    }
    std::uint64_t number = 0xcbf29ce484222325U;  // FNV-1a; reports know nothing of training and its fingerprints
    for (char const c : title + "\n" + text) number = (number ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return out + (out.ends_with('_') ? "" : "_") + std::to_string(number);
}

// Keywords of C++ up to C++23, and macros of the headers that functions include, sorted.
// clang-format off
constexpr std::string_view cpp_words[] = {
    "EDOM", "EOF", "ERANGE", "EXIT_FAILURE", "EXIT_SUCCESS", "FP_NAN", "FP_NORMAL", "FP_ZERO", "HUGE_VAL", "HUGE_VALF",
    "INFINITY", "M_1_PI", "M_2_PI", "M_E", "M_LN10", "M_LN2", "M_PI", "M_PI_2", "M_PI_4", "M_SQRT1_2", "M_SQRT2", "NAN",
    "NULL", "RAND_MAX", "SIZE_MAX", "alignas", "alignof", "and", "and_eq", "asm", "assert", "auto", "bitand", "bitor",
    "bool", "break", "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return",
    "co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype",
    "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "errno", "explicit", "export", "extern", "false",
    "float", "for", "friend", "goto", "if", "inline", "int", "isserlis_formula", "linux", "long", "mutable", "namespace",
    "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public",
    "register", "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static", "static_assert",
    "static_cast", "std", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef",
    "typeid", "typename", "union", "unix", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor",
    "xor_eq",
};
// clang-format on

/// Errors  UnsupportedError for a symbol that no argument of a function can be called.
void require_cpp_names(std::set<std::string> const& symbols) {
    for (auto const& symbol : symbols) {
        if (!std::binary_search(std::begin(cpp_words), std::end(cpp_words), symbol)) continue;
        throw UnsupportedError("the symbol '" + symbol + "' is a word of C++; write '" + symbol + "0' or '" + symbol +
                                   "_' instead for `format` cpp",
                               "format");
    }
}

}  // namespace

std::string to_cpp(Answer const& answer) {
    std::string functions;
    bool careful = false;
    for (auto const& r : answer.results()) {
        functions += "\n";
        std::string const name = identifier(r);
        std::string const index = index_text(answer, r);
        if (!r.exact) {
            functions += "// " + name + (index.empty() ? "" : " (" + index + ")") + ": " +
                         (r.decimal ? *r.decimal + ", " : std::string()) + r.form + "\n";
            if (auto const text = verdict_text(r); !text.empty()) functions += "// " + text + "\n";
            continue;
        }
        auto const expression = Expression::parse(*r.exact, "value");
        require_cpp_names(expression.symbols());
        if (!index.empty()) functions += "/// " + index + "\n";
        functions += "/// " + *r.exact + "\n";
        if (!r.range.empty()) functions += "/// for " + stated(r.range) + "\n";
        if (auto const text = verdict_text(r); !text.empty()) functions += "/// " + text + "\n";
        std::string const refused = refusal(name, r.range, expression.symbols());
        if (plain_doubles_do(expression)) {
            functions += plain_function(name, expression.symbols(), cpp_code(expression), refused);
        } else if (expression.symbols().empty()) {
            auto const digits = constant(expression, *r.exact);
            functions +=
                digits ? plain_function(name, {}, *digits, {}) : "// " + name + ": beyond the range of double\n";
        } else {
            functions += careful_function(name, expression, r.range, refused);
            careful = true;
        }
    }
    std::string out = heading(answer, "// ");
    bool const refuses = functions.find("std::domain_error") != std::string::npos;
    std::string const once = guard(answer.title(), functions);
    out += "#ifndef " + once + "\n#define " + once + "\n";
    if (careful) {
        for (char const* header :
             {"algorithm", "cmath", "cstddef", "cstdint", "cstdlib", "iterator", "stdexcept", "string"})
            out += std::string("#include <") + header + ">\n";
        out += std::string("\n") + cpp_arithmetic;
    } else {
        out += std::string("#include <cmath>\n") + (refuses ? "#include <stdexcept>\n" : "");
    }
    return out + functions + "\n#endif\n";
}

}  // namespace isserlis
