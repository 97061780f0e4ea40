// SPDX-License-Identifier: MIT
#include <isserlis/observable/latex.hpp>

#include <algorithm>

namespace isserlis {
namespace {

std::string in_brackets(std::string const& inside) { return "\\left(" + inside + "\\right)"; }

/// A symbol: its trailing digits are a subscript, several letters are upright.
std::string symbol(std::string const& name) {
    std::size_t end = name.size();
    while (end > 1 && name[end - 1] >= '0' && name[end - 1] <= '9') --end;
    std::string letters;
    for (char const c : name.substr(0, end)) letters += c == '_' ? std::string("\\_") : std::string(1, c);
    if (letters.size() > 1) letters = "\\mathrm{" + letters + "}";
    return end == name.size() ? letters : letters + "_{" + name.substr(end) + "}";
}

/// The name of a node or place, which may be anything.
std::string place(std::string const& name) {
    std::string out;
    for (char const c : name) {
        bool const special = std::string("#$%&_{}").find(c) != std::string::npos;
        out += c == '\\'              ? std::string("\\backslash ")
               : c == '^' || c == '~' ? std::string("\\") + c + "{}"
               : special              ? std::string("\\") + c
                                      : std::string(1, c);
    }
    return out;
}

std::string index(NeuronIndex const& i) { return i.letter.empty() ? std::to_string(i.fixed) : symbol(i.letter); }

std::string indices(std::vector<NeuronIndex> const& all) {
    std::string out;
    for (auto const& i : all) out += (out.empty() ? "" : " ") + index(i);
    return out.empty() ? out : "_{" + out + "}";
}

std::string derivatives(std::vector<std::string> const& labels) {
    std::string out;
    for (auto const& label : labels) out += "\\partial_{" + symbol(label) + "} ";
    return out;
}

std::string fraction(std::string const& number) {
    auto const slash = number.find('/');
    if (slash == std::string::npos) return number;
    return "\\frac{" + number.substr(0, slash) + "}{" + number.substr(slash + 1) + "}";
}

std::string output(Observable const& o) {
    std::string const node = o.node.empty() ? "" : "^{(" + place(o.node) + ")}";
    std::string const at = o.input.empty() ? "" : in_brackets(symbol(o.input));
    return derivatives(o.labels) + (o.activated ? "h" : "z") + node + indices(o.indices) + at;
}

std::string matrix(Observable const& o) {
    std::string const at = o.input.empty() ? "" : in_brackets(symbol(o.input));
    if (o.name == "W") return "W_{" + place(o.node) + "}";
    std::string const name = o.name == "Jh" ? "J_{h}" : "J";
    return name + (o.node.empty() ? "" : "^{(" + place(o.node) + ")}") + at;
}

/// The letters of a trace's ring, transposed where their second index is the one before.
std::string word(Observable const& ring) {
    using Kind = Observable::Kind;
    if (ring.kind == Kind::entry) return matrix(ring);
    std::string out;
    for (std::size_t k = 0; k < ring.operands.size(); ++k) {
        auto const& entry = ring.operands[k];
        bool const transposed = entry.indices[0].letter != "t" + std::to_string(k);
        std::string const name = matrix(entry);
        bool const raised = transposed && name.find('^') != std::string::npos;
        out += (out.empty() ? "" : " ") + (raised ? "{" + name + "}" : name) + (transposed ? "^{\\mathsf{T}}" : "");
    }
    return out;
}

/// Takes an exponent without brackets around it.
bool is_plain(Observable const& o) {
    using Kind = Observable::Kind;
    if (o.kind == Kind::output) return o.node.empty() && o.labels.empty() && o.input.empty();
    return o.kind != Kind::derivative && o.kind != Kind::trace && o.kind != Kind::entry &&
           o.number.find('/') == std::string::npos;
}

std::string signed_sum(auto const& operands, std::vector<int> const& signs, auto const& text) {
    std::string out;
    for (std::size_t k = 0; k < operands.size(); ++k)
        out += (signs[k] < 0 ? (k == 0 ? "-" : " - ") : (k == 0 ? "" : " + ")) + text(operands[k]);
    return out;
}

std::string latex(Observable const& o) {
    using Kind = Observable::Kind;
    std::string out;
    switch (o.kind) {
        case Kind::number: return fraction(o.number);
        case Kind::parameter: return symbol(o.name);
        case Kind::output: return output(o);
        case Kind::target: return "y" + indices(o.indices);
        case Kind::entry: {
            std::string const name = matrix(o);
            bool const has_index = o.name != "J" || !o.node.empty() || !o.input.empty();
            return (has_index ? in_brackets(name) : name) + indices(o.indices);
        }
        case Kind::trace: return "\\operatorname{tr}" + in_brackets(word(o.operands.front()));
        case Kind::constant: return symbol(o.name) + indices(o.indices);
        case Kind::loss: return "\\ell";
        case Kind::derivative: return derivatives(o.labels) + latex(o.operands.front());
        case Kind::group: return in_brackets(latex(o.operands.front()));
        case Kind::power: {
            std::string const base = latex(o.operands.front());
            return (is_plain(o.operands.front()) ? base : in_brackets(base)) + "^{" + std::to_string(o.exponent) + "}";
        }
        case Kind::product:
            // Two numbers side by side would read as one.
            for (auto const& factor : o.operands)
                out += (out.empty() ? "" : factor.kind == Kind::number ? " \\cdot " : " ") + latex(factor);
            return out;
        case Kind::sum: break;
    }
    return signed_sum(o.operands, o.signs, [](Observable const& x) { return latex(x); });
}

std::string latex(Statistic const& s) {
    using Kind = Statistic::Kind;
    auto const around = [&](std::string const& name) {
        std::string inside;
        for (auto const& argument : s.arguments) inside += (inside.empty() ? "" : ", ") + latex(argument);
        return name + "\\left[" + inside + "\\right]";
    };
    std::string out;
    switch (s.kind) {
        case Kind::number: return s.text;
        case Kind::parameter: return symbol(s.text);
        case Kind::mean:
        case Kind::whole_query: return around("\\mathbb{E}");
        case Kind::variance: return around("\\operatorname{Var}");
        case Kind::covariance: return around("\\operatorname{Cov}");
        case Kind::group: return in_brackets(latex(s.operands.front()));
        case Kind::power: {
            auto const& base = s.operands.front();
            return latex(base) + "^{" + std::to_string(s.exponent) + "}";
        }
        case Kind::product:
            out = latex(s.operands.front());
            for (std::size_t k = 1; k < s.operands.size(); ++k) {
                std::string const factor = latex(s.operands[k]);
                bool const number = s.operands[k].kind == Kind::number;
                out =
                    s.signs[k] < 0 ? "\\frac{" + out + "}{" + factor + "}" : out + (number ? " \\cdot " : " ") + factor;
            }
            return out;
        case Kind::sum: break;
    }
    return signed_sum(s.operands, s.signs, [](Statistic const& x) { return latex(x); });
}

/// Takes an exponent without brackets around it.
bool is_plain(TraceExpression const& e) {
    using Kind = TraceExpression::Kind;
    switch (e.kind) {
        case Kind::number: return e.text.find('/') == std::string::npos;
        case Kind::parameter:
        case Kind::matrix:
        case Kind::identity:
        case Kind::mean:
        case Kind::variance:
        case Kind::covariance: return true;
        default: return false;
    }
}

}  // namespace

std::string latex(TraceExpression const& e) {
    using Kind = TraceExpression::Kind;
    auto const base = [&] {
        auto const text = latex(e.operands.front());
        return is_plain(e.operands.front()) ? text : in_brackets(text);
    };
    auto const around = [&](std::string const& name) {
        std::string inside;
        for (auto const& operand : e.operands) inside += (inside.empty() ? "" : ", ") + latex(operand);
        return name + "\\left[" + inside + "\\right]";
    };
    // A sum is a factor in brackets.
    auto const factor = [](TraceExpression const& x) { return x.kind == Kind::sum ? in_brackets(latex(x)) : latex(x); };
    std::string out;
    switch (e.kind) {
        case Kind::number: return fraction(e.text);
        case Kind::parameter:
        case Kind::matrix: return symbol(e.text);
        case Kind::identity: return "I";
        case Kind::transpose: return base() + "^{\\mathsf{T}}";
        case Kind::adjoint: return base() + "^{\\mathsf{H}}";
        case Kind::trace: return "\\operatorname{tr}" + in_brackets(latex(e.operands.front()));
        case Kind::norm2: return "\\left\\|" + latex(e.operands.front()) + "\\right\\|_F^2";
        case Kind::entry:
            return "\\left[" + latex(e.operands.front()) + "\\right]_{" + std::to_string(e.row) + "," +
                   std::to_string(e.column) + "}";
        case Kind::mean: return around("\\mathbb{E}");
        case Kind::variance: return around("\\operatorname{Var}");
        case Kind::covariance: return around("\\operatorname{Cov}");
        case Kind::power: return base() + "^{" + std::to_string(e.exponent) + "}";
        case Kind::product:
            out = factor(e.operands.front());
            for (std::size_t k = 1; k < e.operands.size(); ++k) {
                auto const& x = e.operands[k];
                out = e.signs[k] < 0 ? "\\frac{" + out + "}{" + latex(x) + "}"
                                     : out + (x.kind == Kind::number ? " \\cdot " : " ") + factor(x);
            }
            return out;
        case Kind::sum: break;
    }
    return signed_sum(e.operands, e.signs, factor);
}

std::string latex(StatisticQuery const& query) {
    std::string out = latex(query.statistic);
    for (auto const& r : query.restrictions) {
        out += (&r == &query.restrictions.front() ? " \\quad (" : ", ") + symbol(r.label) + " \\in " + place(r.first);
        if (r.last != r.first) out += " .. " + place(r.last);
    }
    return query.restrictions.empty() ? out : out + ")";
}

}  // namespace isserlis
