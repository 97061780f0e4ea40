// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/observable/latex.hpp>
#include <isserlis/report/answer.hpp>
#include <isserlis/report/index_names.hpp>
#include <isserlis/report/product_text.hpp>
#include <isserlis/ring/latex.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check_text.hpp"
#include "comments.hpp"
#include "latex_names.hpp"

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

/// A layer number, a formula such as L + 1, or a name such as resnet:2. Matrix 1.10 of a block is no decimal number.
std::string index_part(std::string const& part) {
    if (part.find_first_not_of("0123456789.") == std::string::npos) return part;
    try {
        bool const number = part.find_first_not_of("0123456789.eE") == std::string::npos;
        if (number) return "\\text{" + escaped(part) + "}";
        return latex(Expression::parse(part, "index"));
    } catch (Error const&) {
        return "\\text{" + escaped(part) + "}";
    }
}

/// A form with products, such as "(n^2)*Product(1 + 1/l, (l, 1, L))", in mathematics; none for other forms.
std::optional<std::string> with_products(std::string const& text) {
    try {
        auto const form = read_products(text);
        if (!form) return std::nullopt;
        auto const part = [](std::string const& formula) { return latex(Expression::parse(formula, "form")); };
        std::vector<std::string> products;
        for (auto const& p : form->products)
            products.push_back("\\prod_{l=" + part(p.from) + "}^{" + part(p.to) + "} \\left(" + part(p.term) +
                               "\\right)");
        if (form->outside == "Product1") return products.front();
        std::string out = part(form->outside);
        for (std::size_t i = products.size(); i > 0; --i) {
            std::string const mark = part("Product" + std::to_string(i));
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

/// Subscripts. A value of a symbol says of which: beside a layer it is a bare number like another.
std::string index_of(Answer const& answer, Result const& r) {
    auto const names = index_names(answer, r);
    std::size_t const before = answer.sweeps().size() + answer.prefix_names().size();
    std::string out;
    for (std::size_t i = 0; i < r.index.size(); ++i) {
        out += out.empty() ? "" : ",";
        if (i < before) out += index_part(names[i]) + "=";
        out += index_part(r.index[i]);
    }
    return out;
}

/// The value of an observable is the observable itself.
std::string left_side(Answer const& answer, Result const& r) {
    auto const& inputs = answer.inputs();
    auto const query = std::find_if(inputs.begin(), inputs.end(), [](auto const& i) { return i.first == "query"; });
    std::string const index = index_of(answer, r);
    if (r.name == "value" && query != inputs.end())
        return (answer.command() == "trace" ? latex(parse_trace_expression(query->second))
                                            : latex(parse_statistic(query->second))) +
               (index.empty() ? "" : "_{" + index + "}");
    if (auto const symbol = latex_name(answer.command(), r.name, index)) return *symbol;
    return "\\text{" + escaped(r.name) + "}" + (index.empty() ? "" : "_{" + index + "}");
}

/// A root that runs over the page, of a quantity that the answer has as well; none for other results.
std::optional<std::string> as_root(Answer const& answer, Result const& r) {
    constexpr std::size_t widest = 120;
    if (answer.command() != "hessian" || r.latex.size() <= widest) return std::nullopt;
    std::string const square = "\\mathbb{E}\\|H\\|_F^2";
    auto const has = [&](std::string const& name) {
        return std::any_of(answer.results().begin(), answer.results().end(),
                           [&](auto const& other) { return other.name == name && other.index == r.index; });
    };
    if (!r.index.empty() || !has("hessian_frobenius_squared") || has("hessian_mean_loss_upper")) return std::nullopt;
    if (r.name == "top_eigenvalue_upper") return "\\sqrt{" + square + "}";
    if (r.name == "reciprocal_sharpness_lower") return "2/\\sqrt{" + square + "}";
    return std::nullopt;
}

/// "&= exact", or "&\approx digits" with what they are; none for a result without a value.
std::optional<std::string> right_side(Answer const& answer, Result const& r) {
    if (r.exact) return " &= " + as_root(answer, r).value_or(r.latex);
    if (r.decimal) return " &\\approx " + r.latex + (r.certified ? "" : " \\quad \\text{" + escaped(r.form) + "}");
    auto const products = with_products(r.form);
    return products ? std::optional(" &= " + *products) : std::nullopt;
}

/// What the symbols on the left mean, each name once.
std::string legend(Answer const& answer) {
    std::string out;
    std::set<std::string> seen;
    for (auto const& r : answer.results()) {
        if (!seen.insert(r.name).second) continue;
        auto const* q = find_quantity(answer.command(), r.name);
        auto const symbol = q == nullptr ? std::nullopt : latex_name(answer.command(), r.name, q->index);
        if (symbol) out += commented(*symbol + ": " + r.name + ", " + q->formula, "% ");
    }
    return out;
}

std::string name_with_index(Answer const& answer, Result const& r) {
    std::string const index = index_text(answer, r);
    return r.name + (index.empty() ? "" : "[" + index + "]");
}

}  // namespace

std::string to_latex(Answer const& answer) {
    std::string out = heading(answer, "% ");
    if (!answer.entries().empty()) {
        out += "\\begin{itemize}\n";
        for (auto const& q : answer.entries()) {
            out += "\\item[" + escaped(q.name) + "] " + escaped(q.formula) + " " + escaped(q.source) + " " +
                   escaped(q.assumptions) + "\n";
        }
        return out + "\\end{itemize}\n";
    }
    out += legend(answer);
    std::string rows;
    std::string verdicts;
    Range const common = common_range(answer);
    for (auto const& r : answer.results()) {
        if (auto const text = verdict_text(r); !text.empty())
            verdicts += commented(name_with_index(answer, r) + ": " + text, "% ");
        if (auto const value = right_side(answer, r)) {
            Range const own = beyond(r.range, common);
            rows += (rows.empty() ? "" : " \\\\\n") + left_side(answer, r) + *value;
            if (!own.empty()) rows += ", \\quad " + latex(own);
        } else {
            out += commented(name_with_index(answer, r) + ": " + r.form, "% ");
        }
    }
    out += verdicts;
    if (rows.empty()) return out;
    // \allowdisplaybreaks lets long tables run over pages; needs \usepackage{amsmath,amssymb}.
    out += "\\begin{align*}\n" + rows + "\n\\end{align*}\n";
    if (!common.empty()) out += "for " + stated_in_latex(common) + ".\n";
    return out;
}

}  // namespace isserlis
