// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>

#include "help.hpp"
#include "self_description.hpp"

namespace isserlis::cli {
namespace {

/// The words that a value may be; those with a colon or comma are examples of longer ones, which shells take apart.
std::vector<std::string> plain_choices(OptionText const& o) {
    std::vector<std::string> out;
    for (auto const& word : o.choices) {
        if (word.find_first_of(":,") == std::string::npos) out.push_back(word);
    }
    return out;
}

bool may_be_file(OptionText const& o) { return o.value.find("FILE") != std::string::npos; }

std::string between(std::vector<std::string> const& words, std::string const& separator) {
    std::string out;
    for (auto const& word : words) out += (out.empty() ? "" : separator) + word;
    return out;
}

std::vector<std::string> spellings(OptionText const& o) {
    std::vector<std::string> out{o.name};
    if (o.letter != 0) out.push_back(std::string("-") + o.letter);
    return out;
}

std::vector<OptionText> with_help(std::vector<OptionText> options) {
    options.push_back(help_option());
    return options;
}

/// Text between single quotes.
std::string in_quotes(std::string const& text) {
    std::string out = "'";
    for (char const c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

/// With a backslash before the characters of `special`.
std::string escaped(std::string const& text, std::string const& special) {
    std::string out;
    for (char const c : text) out += special.find(c) == std::string::npos ? std::string(1, c) : std::string{'\\', c};
    return out;
}

/// What may stand behind the command, in place of an option.
std::vector<std::string> positional_words(CommandText const& c) {
    if (c.name == "completion") return {"bash", "zsh", "fish"};
    if (c.name == "manual") return {"man", "markdown"};
    return {};
}
bool takes_files(CommandText const& c) { return c.name == "merge" || c.name == "claim"; }

/// All spellings of the options that a value follows.
std::vector<std::string> valued(std::vector<OptionText> const& options) {
    std::vector<std::string> out;
    for (auto const& o : options) {
        if (o.is_flag()) continue;
        for (auto const& spelling : spellings(o)) out.push_back(spelling);
    }
    return out;
}

// ---- bash

/// A branch of what follows an option: its words, files, or nothing.
std::string bash_values(std::string const& command, std::vector<OptionText> const& options) {
    std::string out;
    for (auto const& o : options) {
        if (o.is_flag()) continue;
        std::vector<std::string> patterns;
        for (auto const& spelling : spellings(o)) patterns.push_back(command + spelling);
        auto const words = plain_choices(o);
        out += "        " + between(patterns, "|") + ") ";
        if (!words.empty()) out += "COMPREPLY=($(compgen -W " + in_quotes(between(words, " ")) + " -- \"$word\")); ";
        if (may_be_file(o)) out += "_isserlis_files \"$word\"; ";
        out += "return ;;\n";
    }
    return out;
}

std::string bash_script(std::vector<CommandText> const& commands, std::vector<OptionText> const& everywhere) {
    std::vector<std::string> names;
    for (auto const& c : commands) names.push_back(c.name);
    auto const list = [](std::vector<OptionText> const& options) {
        std::vector<std::string> out;
        for (auto const& o : options) out.push_back(o.name);
        return between(out, " ");
    };
    std::string out =
        "# Completion of isserlis for bash; made by: isserlis completion bash\n"
        "_isserlis_files() {  # names may have blanks; folders go on\n"
        "    local IFS=$'\\n'\n"
        "    COMPREPLY+=($(compgen -f -- \"$1\"))\n"
        "    compopt -o filenames 2>/dev/null\n"
        "}\n"
        "_isserlis() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= i\n"
        "    COMPREPLY=()\n"
        "    if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
        "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
        "        case ${COMP_WORDS[i]} in\n"
        "        " +
        between(valued(everywhere), "|") +
        ") [[ ${COMP_WORDS[i+1]} == = ]] && ((++i)); ((++i)) ;;\n"
        "        " +
        between(names, "|") +
        ") command=${COMP_WORDS[i]}; break ;;\n"
        "        esac\n"
        "    done\n"
        "    case $command$before in\n";
    for (auto const& c : commands) out += bash_values(c.name, c.options);
    out += bash_values("*", everywhere);
    out += "    esac\n    local words=" + in_quotes(list(everywhere)) + "\n    case $command in\n";
    for (auto const& c : commands) {
        std::string more;
        for (auto const& word : positional_words(c)) more += " " + word;
        out += "        " + c.name + ") words+=" + in_quotes(" " + list(c.options) + more);
        if (takes_files(c)) out += "; [[ $word == -* ]] || _isserlis_files \"$word\"";
        out += " ;;\n";
    }
    return out + "        '') words+=" + in_quotes(" --version " + between(names, " ")) +
           " ;;\n"
           "    esac\n"
           "    COMPREPLY+=($(compgen -W \"$words\" -- \"$word\"))\n"
           "}\n"
           "complete -F _isserlis isserlis\n";
}

// ---- zsh

/// '(--format -f)'{--format,-f}'[help]:text|json:(text json)'
std::string zsh_row(OptionText const& o) {
    constexpr char const* special = "[]:\\";
    std::string what = "[" + escaped(meaning_of(o), special) + "]";
    if (!o.is_flag()) {
        auto const words = plain_choices(o);
        what += ":" + escaped(o.value, special) + ":";
        if (!words.empty() && may_be_file(o)) {
            what += "{compadd -- " + between(words, " ") + "; _files}";
        } else {
            what += !words.empty() ? "(" + between(words, " ") + ")" : may_be_file(o) ? "_files" : " ";
        }
    }
    if (o.letter == 0) return "        " + in_quotes(o.name + what) + "\n";
    auto const names = spellings(o);
    return "        " + in_quotes("(" + between(names, " ") + ")") + "{" + between(names, ",") + "}" + in_quotes(what) +
           "\n";
}

std::string zsh_script(std::vector<CommandText> const& commands, std::vector<OptionText> const& everywhere) {
    std::string out =
        "#compdef isserlis\n"
        "# Completion of isserlis for zsh; made by: isserlis completion zsh\n"
        "_isserlis() {\n"
        "    local state line\n"
        "    local -a commands everywhere\n"
        "    everywhere=(\n";
    for (auto const& o : everywhere) out += zsh_row(o);
    out += "    )\n    commands=(\n";
    for (auto const& c : commands) out += "        " + in_quotes(c.name + ":" + c.summary) + "\n";
    out +=
        "    )\n"
        "    _arguments -C \"${everywhere[@]}\" '1: :->command' '*:: :->argument'\n"
        "    case $state in\n"
        "    command) _describe command commands ;;\n"
        "    argument)\n"
        "        case $line[1] in\n";
    for (auto const& c : commands) {
        out += "        " + c.name + ")\n        _arguments \"${everywhere[@]}\" \\\n";
        for (auto const& o : c.options) {
            out += zsh_row(o);
            out.insert(out.size() - 1, " \\");
        }
        auto const words = positional_words(c);
        out += "        " +
               in_quotes(!words.empty() ? "1:word:(" + between(words, " ") + ")"
                                        : (takes_files(c) ? "*:file:_files" : "*: : ")) +
               " ;;\n";
    }
    return out + "        esac ;;\n    esac\n}\n_isserlis \"$@\"\n";
}

// ---- fish

std::string fish_row(std::string const& command, OptionText const& o) {
    std::string out = "complete -c isserlis";
    if (!command.empty()) out += " -n '__fish_seen_subcommand_from " + command + "'";
    out += " -l " + o.name.substr(2);
    if (o.letter != 0) out += std::string(" -s ") + o.letter;
    auto const words = plain_choices(o);
    if (!o.is_flag()) out += may_be_file(o) ? " -r -F" : " -x";
    if (!words.empty()) out += " -a " + in_quotes(escaped(between(words, " "), "\\"));
    return out + " -d " + in_quotes(escaped(meaning_of(o), "\\")) + "\n";
}

std::string fish_script(std::vector<CommandText> const& commands, std::vector<OptionText> const& everywhere) {
    std::string out =
        "# Completion of isserlis for fish; made by: isserlis completion fish\n"
        "function __isserlis_has_no_command  # but for values of options in front of it\n"
        "    set -l words (commandline -opc)\n"
        "    set -l value 0\n"
        "    for word in $words[2..-1]\n"
        "        if test $value = 1\n"
        "            set value 0\n"
        "        else if contains -- $word " +
        between(valued(everywhere), " ") +
        "\n"
        "            set value 1\n"
        "        else if not string match -q -- '-*' $word\n"
        "            return 1\n"
        "        end\n"
        "    end\n"
        "end\n"
        "complete -c isserlis -f\n";
    for (auto const& c : commands) {
        out += "complete -c isserlis -n __isserlis_has_no_command -a " + c.name + " -d " +
               in_quotes(escaped(c.summary, "\\")) + "\n";
    }
    for (auto const& o : everywhere) out += fish_row("", o);
    for (auto const& c : commands) {
        for (auto const& o : c.options) out += fish_row(c.name, o);
        auto const words = positional_words(c);
        if (words.empty() && !takes_files(c)) continue;
        out += "complete -c isserlis -n '__fish_seen_subcommand_from " + c.name + "' " +
               (words.empty() ? "-F" : "-a " + in_quotes(between(words, " "))) + "\n";
    }
    return out;
}

}  // namespace

CommandText completion_text() {
    return {.name = "completion",
            .summary = "A script by which bash, zsh or fish complete commands, options and their words",
            .positional = "SHELL",
            .positional_help = "bash, zsh or fish",
            .examples =
                "Examples:\n"
                "  isserlis completion bash\n"
                "  isserlis completion zsh\n"};
}

std::string completion_script(std::vector<std::string> const& words, std::vector<CommandText> const& commands,
                              std::vector<OptionText> const& global_options) {
    auto const everywhere = with_help(global_options);
    std::string const shell = words.empty() ? "" : words[0];
    if (shell == "bash") return bash_script(commands, everywhere);
    if (shell == "zsh") return zsh_script(commands, everywhere);
    if (shell == "fish") return fish_script(commands, everywhere);
    throw ParseError((words.empty() ? "SHELL is missing" : "SHELL: '" + printable(shell) + "' is not served") +
                         "; choose bash, zsh or fish, such as isserlis completion bash",
                     "SHELL");
}

}  // namespace isserlis::cli
