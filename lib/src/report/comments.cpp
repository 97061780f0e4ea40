// SPDX-License-Identifier: MIT
#include "comments.hpp"

#include <cmath>
#include <cstdio>
#include <sstream>

namespace isserlis {

std::string commented(std::string const& text, std::string const& mark) {
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        // A backslash at the end would join the next line to a comment of C++.
        if (line.ends_with('\\')) line += '.';
        out += mark + line + "\n";
    }
    return out;
}

std::string short_number(double x, char const* format) {
    if (!std::isfinite(x)) return "-";
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, format, x);
    return buffer;
}

std::string verdict_text(Result const& result) {
    if (!result.check) return result.bound ? name(*result.bound) : "";
    Check const& c = *result.check;
    return "sampled " + short_number(c.mean, "%.6g") + ", standard error " + short_number(c.std_error, "%.2g") + " " +
           name(c.std_error_kind) + ", z = " + short_number(c.z, "%+.2f") + ": " + name(c.verdict);
}

std::string heading(Answer const& answer, std::string const& mark) {
    std::string out = commented(answer.title(), mark);
    for (auto const& text : answer.assumptions()) out += commented("assumes: " + text, mark);
    for (auto const& text : answer.warnings()) out += commented("note: " + text, mark);
    for (auto const& text : answer.explanations()) out += commented(text, mark);
    return out;
}

}  // namespace isserlis
