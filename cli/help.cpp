// SPDX-License-Identifier: MIT
#include "help.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace isserlis::cli {
namespace {

constexpr std::size_t column_of_meanings = 26;

/// "  -c, --check N      what it is", on two lines where the first part is long.
std::string entry(std::string const& name, std::string const& meaning) {
    std::string out = "  " + name;
    if (meaning.empty()) return out + "\n";
    if (out.size() + 2 > column_of_meanings) {
        out += "\n" + std::string(column_of_meanings, ' ');
    } else {
        out.resize(column_of_meanings, ' ');
    }
    return out + wrapped(meaning, terminal_width() - column_of_meanings, column_of_meanings) + "\n";
}

std::string entries(std::vector<OptionText> const& options) {
    std::string out;
    for (auto const& o : options) {
        // Without a letter the names still stand below one another.
        out += entry((o.letter == 0 ? "    " : "") + spelling_of(o), meaning_of(o));
    }
    return out;
}

}  // namespace

std::size_t terminal_width() {
    constexpr std::size_t usual = 80;
    constexpr std::size_t least = 60;
    if (isatty(STDOUT_FILENO) == 0) return usual;
    std::size_t columns = 0;
    if (char const* const typed = std::getenv("COLUMNS"); typed != nullptr) columns = std::strtoul(typed, nullptr, 10);
    winsize size{};
    if (columns == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
    return columns == 0 ? usual : std::max(columns, least);
}

std::string wrapped(std::string const& text, std::size_t width, std::size_t indent) {
    std::istringstream words(text);
    std::string out;
    std::size_t column = 0;
    for (std::string word; words >> word;) {
        if (column != 0 && column + 1 + word.size() > width) {
            out += "\n" + std::string(indent, ' ');
            column = 0;
        }
        if (column != 0) out += ' ';
        out += word;
        column += word.size() + (column != 0 ? 1 : 0);
    }
    return out;
}

std::string usage_of(CommandText const& command) {
    std::string const& one = command.positional;
    bool const has_two = command.most_positionals == 2 && one.find(' ') == std::string::npos;
    return "isserlis " + command.name + " [OPTIONS]" + (one.empty() ? "" : " ") + one + (has_two ? " " + one : "") +
           (command.most_positionals > 2 ? "..." : "");
}

std::string spelling_of(OptionText const& option) {
    std::string out = option.letter == 0 ? "" : std::string("-") + option.letter + ", ";
    return out + option.name + (option.is_flag() ? "" : " " + option.value);
}

std::string meaning_of(OptionText const& option) {
    std::string const usual = option.usual.empty() ? "" : " (default " + option.usual + ")";
    if (!option.help.empty()) return option.help + usual;
    std::string out;
    for (auto const& word : option.choices)
        out += (out.empty() ? "" : ", ") + word + (word == option.usual ? " (default)" : "");
    return out;
}

OptionText help_option() { return {.name = "--help", .help = "Show this text and examples", .letter = 'h'}; }

std::string help_of_program(std::vector<CommandText> const& commands, std::vector<OptionText> const& global_options) {
    std::string out =
        "Exact expectation formulas for random neural networks at initialisation.\n\n"
        "Usage: isserlis [OPTIONS] COMMAND ...\n\nCommands:\n";
    for (auto const& c : commands) out += entry(c.name, c.summary);
    auto options = global_options;
    options.push_back(help_option());
    options.push_back({.name = "--version", .help = "Show the version"});
    out += "\nOptions of every command:\n" + entries(options);
    return out +
           "\nExamples:\n"
           "  isserlis report 2,10:3,1                what is known of one architecture\n"
           "  isserlis norm 2,10:3,1 --check 200000   exact beside 200,000 sampled values\n"
           "  isserlis norm n0,n:L,1                  formulas in the widths and the depth\n"
           "\nisserlis COMMAND --help shows the options of a command, with examples.\n";
}

std::string help_of_command(CommandText const& command, std::vector<OptionText> const& global_options) {
    std::string out = wrapped(command.summary, terminal_width(), 0) + "\n\nUsage: " + usage_of(command) + "\n";
    if (!command.positional.empty()) out += "\n" + entry(command.positional, command.positional_help);
    auto options = command.options;
    options.push_back(help_option());
    out += "\nOptions:\n" + entries(options) + "\nOptions of every command (isserlis --help explains them):\n";
    std::string names;
    for (auto const& o : global_options) {
        std::string word = o.name + (o.is_flag() ? "" : " " + o.value);
        std::replace(word.begin(), word.end(), ' ', '\1');  // so that an option and its value stay together
        names += word + " ";
    }
    names = wrapped(names, terminal_width() - 2, 2);
    std::replace(names.begin(), names.end(), '\1', ' ');
    return out + "  " + names + "\n\n" + command.examples;
}

}  // namespace isserlis::cli
