// SPDX-License-Identifier: MIT
#include <isserlis/ring/exp_text.hpp>

namespace isserlis {
namespace {

/// A plus or minus outside all brackets, but for a leading minus.
bool is_sum(std::string const& text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')') --depth;
        if (depth == 0 && i > 0 && (text[i] == '+' || text[i] == '-')) return true;
    }
    return false;
}

}  // namespace

std::string factor_text(std::string const& text) { return is_sum(text) ? "(" + text + ")" : text; }

std::string exponential_text(RationalFunction const& coefficient, RationalFunction const& rate) {
    if (rate.is_zero() || coefficient.is_zero()) return to_string(coefficient);
    std::string const exponential = "exp(" + to_string(rate) + ")";
    if (coefficient == RationalFunction(1)) return exponential;
    if (coefficient == RationalFunction(-1)) return "-" + exponential;
    return factor_text(to_string(coefficient)) + "*" + exponential;
}

std::string sum_text(std::vector<std::string> const& terms) {
    std::string out;
    for (auto const& term : terms) {
        if (out.empty()) {
            out = term;
        } else if (term.front() == '-' && !is_sum(term)) {
            out += " - " + term.substr(1);
        } else {
            out += term.front() == '-' ? " + (" + term + ")" : " + " + term;
        }
    }
    return out.empty() ? "0" : out;
}

}  // namespace isserlis
