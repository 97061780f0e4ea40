// SPDX-License-Identifier: MIT
#include "comments.hpp"

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

std::string heading(Answer const& answer, std::string const& mark) {
    std::string out = commented(answer.title(), mark);
    for (auto const& text : answer.assumptions()) out += commented("assumes: " + text, mark);
    for (auto const& text : answer.warnings()) out += commented("note: " + text, mark);
    for (auto const& text : answer.explanations()) out += commented(text, mark);
    return out;
}

}  // namespace isserlis
