// SPDX-License-Identifier: MIT
#include "terminal_text.hpp"

#include <sstream>

#include "help.hpp"

namespace isserlis::cli {
namespace {

/// The verdict of a row that is bad news, in red.
std::string coloured(std::string line) {
    for (std::string const verdict : {"  disagrees  ", "  fails  "}) {
        auto const at = line.find(verdict);
        if (at == std::string::npos) continue;
        std::string const word = verdict.substr(2, verdict.size() - 4);
        line.replace(at + 2, word.size(), "\033[1;31m" + word + "\033[0m");
    }
    return line;
}

}  // namespace

std::string for_terminal(std::string const& text, std::size_t width, bool in_colour) {
    std::istringstream lines(text);
    std::string out;
    std::string assumptions;
    bool first = true;
    for (std::string line; std::getline(lines, line); first = false) {
        bool const prose = line.starts_with("note: ") || line.starts_with("unchecked: ") || line.starts_with("power: ");
        if (assumptions.empty() && !first && line.starts_with("assumes: ")) {
            assumptions = "\n" + wrapped(line, width - 2, 2) + "\n";
        } else {
            out += (prose ? wrapped(line, width - 2, 2) : in_colour ? coloured(line) : line) + "\n";
        }
    }
    return out + assumptions;
}

}  // namespace isserlis::cli
