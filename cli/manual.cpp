// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/version.hpp>
#include <sstream>

#include "help.hpp"
#include "self_description.hpp"

namespace isserlis::cli {
namespace {

// ---- troff

std::string roff(std::string const& text) {
    std::string out;
    for (char const c : text) {
        if (c == '\\') out += "\\e";
        if (c == '-') out += "\\-";
        if (c == '\'' || c == '.') out += std::string("\\&") + c;
        if (c != '\\' && c != '-' && c != '\'' && c != '.') out += c;
    }
    return out;
}

std::string roff_rows(std::vector<OptionText> const& options) {
    std::string out;
    for (auto const& o : options) out += ".TP\n.B " + roff(spelling_of(o)) + "\n" + roff(meaning_of(o)) + "\n";
    return out;
}

/// Lines as they stand, without the heading.
std::string roff_examples(std::string const& examples) {
    std::istringstream lines(examples);
    std::string out = ".nf\n";
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) out += roff(line) + "\n";
    return out + ".fi\n";
}

std::string troff(std::vector<CommandText> const& commands, std::vector<OptionText> const& everywhere) {
    std::string out = ".TH ISSERLIS 1 \"\" \"isserlis " + std::string(version) +
                      "\"\n"
                      ".SH NAME\n"
                      "isserlis \\- exact expectation formulas for random neural networks at initialisation\n"
                      ".SH SYNOPSIS\n";
    for (auto const& c : commands) out += ".B " + roff(usage_of(c)) + "\n.br\n";
    out += ".SH COMMANDS\n";
    for (auto const& c : commands) {
        out += ".SS " + c.name + "\n" + roff(c.summary) + "\n";
        if (!c.positional.empty()) out += ".TP\n.B " + c.positional + "\n" + roff(c.positional_help) + "\n";
        out += roff_rows(c.options) + ".PP\nExamples:\n" + roff_examples(c.examples);
    }
    out += ".SH OPTIONS OF EVERY COMMAND\n" + roff_rows(everywhere);
    return out +
           ".SH EXIT STATUS\n"
           ".TP\n.B 0\nthe answer was printed\n"
           ".TP\n.B 1\na check disagrees\n"
           ".TP\n.B 2\nan option, an argument or a file is wrong\n"
           ".TP\n.B 3\nnot served, or over a limit\n"
           ".TP\n.B 130\ninterrupted\n";
}

// ---- Markdown

std::string cell(std::string const& text) {
    std::string out;
    for (char const c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out;
}

std::string table(std::vector<OptionText> const& options) {
    std::string out = "| option | meaning |\n|---|---|\n";
    for (auto const& o : options) out += "| `" + cell(spelling_of(o)) + "` | " + cell(meaning_of(o)) + " |\n";
    return out;
}

std::string markdown(std::vector<CommandText> const& commands, std::vector<OptionText> const& everywhere) {
    std::string out =
        "# Options\n\n"
        "Every option of every command, as `isserlis manual markdown` prints them. What the options of every command "
        "mean in\n"
        "detail is on the page [command line](cli.md).\n\n"
        "## Every command\n\n" +
        table(everywhere);
    for (auto const& c : commands) {
        out += "\n## " + c.name + "\n\n" + c.summary + ".\n\n    " + usage_of(c) + "\n";
        if (!c.options.empty()) out += "\n" + table(c.options);
    }
    return out;
}

}  // namespace

CommandText manual_text() {
    return {.name = "manual",
            .summary = "The manual page, or all options as a page in Markdown",
            .positional = "FORM",
            .positional_help = "man (default), as troff, or markdown",
            .examples =
                "Examples:\n"
                "  isserlis manual            what man reads\n"
                "  isserlis manual markdown\n"};
}

std::string manual_page(std::vector<std::string> const& words, std::vector<CommandText> const& commands,
                        std::vector<OptionText> const& global_options) {
    auto everywhere = global_options;
    everywhere.push_back(help_option());
    if (words.empty() || words[0] == "man") return troff(commands, everywhere);
    if (words[0] == "markdown") return markdown(commands, everywhere);
    throw ParseError("FORM: '" + printable(words[0]) + "' is not served; choose man or markdown", "FORM");
}

}  // namespace isserlis::cli
