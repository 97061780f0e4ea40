// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/report/answer.hpp>
#include <isserlis/ring/latex.hpp>
#include <optional>
#include <string>
#include <vector>

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

/// A form with products, such as "(n^2)*Product(1 + 1/l, (l, 1, L))", in mathematics; none for other forms.
std::optional<std::string> with_products(std::string text) {
    std::string const start = "Product(";
    std::vector<std::string> products;
    try {
        for (auto at = text.find(start); at != std::string::npos; at = text.find(start, at)) {
            auto const range = text.find(", (l, ", at);
            auto const comma = range == std::string::npos ? range : text.find(", ", range + 6);
            auto const end = comma == std::string::npos ? comma : text.find("))", comma);
            if (end == std::string::npos) return std::nullopt;
            auto const part = [&](std::size_t from, std::size_t to) {
                return latex(Expression::parse(text.substr(from, to - from), "form"));
            };
            products.push_back("\\prod_{l=" + part(range + 6, comma) + "}^{" + part(comma + 2, end) + "} \\left(" +
                               part(at + start.size(), range) + "\\right)");
            text.replace(at, end + 2 - at, "Product" + std::to_string(products.size()));
        }
        if (products.empty()) return std::nullopt;
        std::string out = latex(Expression::parse(text, "form"));
        if (text == "Product1") return products.front();
        for (std::size_t i = products.size(); i > 0; --i) {
            std::string const mark = latex(Expression::parse("Product" + std::to_string(i), "form"));
            auto const at = out.find(mark);
            if (at == std::string::npos) return std::nullopt;
            // In brackets, where the product ends is no question.
            out.replace(at, mark.size(), "\\left[" + products[i - 1] + "\\right]");
        }
        return out;
    } catch (Error const&) {
        return std::nullopt;
    }
}

/// "&= exact", or "&\approx digits" with what they are.
std::string value_of(Result const& r) {
    std::string const form = "\\text{" + escaped(r.form) + "}";
    if (r.exact) return " &= " + r.latex;
    if (!r.decimal) return " &= " + with_products(r.form).value_or(form);
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
