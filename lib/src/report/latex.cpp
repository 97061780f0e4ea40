// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/report/answer.hpp>
#include <isserlis/ring/latex.hpp>

namespace isserlis {
namespace {

std::string escaped(std::string const& text) {
    std::string out;
    for (char const c : text) {
        if (std::string("#$%&_{}").find(c) != std::string::npos) out += '\\';
        out += c == '\\'  ? std::string("\\textbackslash{}")
               : c == '^' ? std::string("\\^{}")
               : c == '~' ? std::string("\\~{}")
                          : std::string(1, c);
    }
    return out;
}

/// A layer number, a formula such as L + 1, or a name such as resnet:2.
std::string index_part(std::string const& part) {
    try {
        return latex(Expression::parse(part, "index"));
    } catch (Error const&) {
        return "\\text{" + escaped(part) + "}";
    }
}

/// "&= exact", or "&\approx digits" with what they are.
std::string value_of(Result const& r) {
    std::string const form = "\\text{" + escaped(r.form) + "}";
    if (r.exact) return " &= " + r.latex;
    if (!r.decimal) return " &= " + form;
    return " &\\approx " + r.latex + (r.certified ? "" : " \\quad " + form);
}

}  // namespace

std::string to_latex(Answer const& answer) {
    std::string out = "% " + answer.title() + "\n";
    for (auto const& text : answer.assumptions()) out += "% assumes: " + text + "\n";
    if (!answer.entries().empty()) {
        out += "\\begin{itemize}\n";
        for (auto const& q : answer.entries()) {
            out += "\\item[" + escaped(q.name) + "] " + escaped(q.formula) + " " + escaped(q.source) + " " +
                   escaped(q.assumptions) + "\n";
        }
        return out + "\\end{itemize}\n";
    }
    // \allowdisplaybreaks lets long tables run over pages; needs \usepackage{amsmath}.
    out += "\\begin{align*}\n";
    for (std::size_t i = 0; i < answer.results().size(); ++i) {
        auto const& r = answer.results()[i];
        std::string index;
        for (auto const& part : r.index) index += (index.empty() ? "" : ",") + index_part(part);
        out += "\\text{" + escaped(r.name) + "}" + (index.empty() ? "" : "_{" + index + "}") + value_of(r);
        out += i + 1 < answer.results().size() ? " \\\\\n" : "\n";
    }
    return out + "\\end{align*}\n";
}

}  // namespace isserlis
