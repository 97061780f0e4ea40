// SPDX-License-Identifier: MIT
#include "arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <isserlis/error.hpp>
#include <isserlis/question/nearest_name.hpp>
#include <isserlis/version.hpp>
#include <string_view>

#include <isserlis/utf8.hpp>
#include "help.hpp"
#include "parameters.hpp"

namespace isserlis::cli {
namespace {

/// "did you mean 'norm'?", or where to look when nothing is near.
std::string suggestion(std::string const& word, std::vector<std::string> const& known, std::string const& help) {
    auto const near = quantity::nearest_name(word, known);
    return near ? "did you mean '" + *near + "'?" : "`" + help + "` lists them";
}

OptionText const* find_option(std::vector<OptionText> const& options, std::string const& name) {
    auto const at = std::find_if(options.begin(), options.end(), [&](auto const& o) { return o.name == name; });
    return at == options.end() ? nullptr : &*at;
}

/// Some command has an option of this name whose value may be a file.
bool names_file(std::string const& option, std::vector<CommandText> const& commands,
                std::vector<OptionText> const& global_options) {
    auto const in = [&](std::vector<OptionText> const& options) {
        auto const* o = find_option(options, option);
        return o != nullptr && o->value.find("FILE") != std::string::npos;
    };
    return in(global_options) ||
           std::any_of(commands.begin(), commands.end(), [&](auto const& c) { return in(c.options); });
}

/// Refuses bytes that no option or name can contain, before anything echoes them to a terminal. File names may have
/// letters beyond ASCII.
void check_bytes(std::vector<std::string> const& words, std::vector<CommandText> const& commands,
                 std::vector<OptionText> const& global_options) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        auto const& w = words[i];
        std::string const which = "argument " + std::to_string(i + 1);
        bool const file = (i > 0 && names_file(words[i - 1], commands, global_options)) ||
                          names_file(w.substr(0, w.find('=')), commands, global_options);
        for (std::size_t k = 0; k < w.size();) {
            std::string const where = which + ", byte " + std::to_string(k + 1);
            if (is_control(std::string_view(w).substr(k)))
                throw ParseError(where + ": a control character; remove it", which);
            std::size_t const length = utf8_character(std::string_view(w).substr(k)).length;
            if (length == 0) throw ParseError(where + ": invalid UTF-8; names are plain ASCII", which);
            if (length > 1 && !file)
                throw ParseError(where + ": a character beyond ASCII; names are plain ASCII", which);
            k += length;
        }
    }
}

constexpr char const* always_known[] = {"--help", "-h", "--version"};

bool is_always_known(std::string const& stem) {
    return std::find(std::begin(always_known), std::end(always_known), stem) != std::end(always_known);
}

/// "--order" of "--order=3".
std::string stem_of(std::string const& word) { return word.substr(0, word.find('=')); }

/// Begins like an option; negative numbers do not.
bool looks_like_option(std::string const& word) {
    return word.size() > 1 && word[0] == '-' && word.find_first_not_of("-0123456789./") != std::string::npos;
}

/// Options whose repeats add to one another.
bool may_repeat(std::string const& stem) { return stem == "--set" || stem == "--table"; }

[[noreturn]] void refuse_unknown_option(std::string const& stem, std::string const& command,
                                        std::vector<OptionText> const& options,
                                        std::vector<CommandText> const& commands) {
    std::string const what =
        "'" + printable(stem) + "' is not an option" + (command.empty() ? std::string() : " of " + command) + "; ";
    std::string others;
    for (auto const& c : commands) {
        if (find_option(c.options, stem) != nullptr) others += (others.empty() ? "" : ", ") + c.name;
    }
    if (!others.empty())
        throw ParseError(what + (command.empty() ? "give it after its command: " : "it is one of ") + others, stem);
    std::vector<std::string> known(std::begin(always_known), std::end(always_known));
    for (auto const& o : options) known.push_back(o.name);
    throw ParseError(what + suggestion(stem, known, "isserlis " + command + (command.empty() ? "" : " ") + "--help"),
                     stem);
}

/// Puts the long name in the place of a letter: --check for -c. Values are left alone, those of any command's options.
void write_out_letters(std::vector<std::string>& words, std::vector<OptionText> const& options,
                       std::vector<CommandText> const& commands) {
    auto const takes_value = [&](std::string const& word) {
        auto const in = [&](std::vector<OptionText> const& some) {
            auto const* o = find_option(some, word);
            return o != nullptr && !o->is_flag();
        };
        return in(options) ||
               std::any_of(commands.begin(), commands.end(), [&](auto const& c) { return in(c.options); });
    };
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
        auto const at = std::find_if(options.begin(), options.end(), [&](auto const& o) {
            return words[i].size() == 2 && words[i][0] == '-' && words[i][1] == o.letter;
        });
        if (at != options.end()) words[i] = at->name;
        if (takes_value(words[i])) ++i;
    }
}

/// Refuses unknown options, options given twice or without their value, values given to flags, and words too many.
/// CLI11 would say the same of its own slots, and of too many words before an unknown option that is their cause.
void check_words(std::vector<std::string> const& words, CommandText const* command,
                 std::vector<OptionText> const& options, std::vector<CommandText> const& commands) {
    std::string const name = command == nullptr ? std::string() : command->name;
    std::vector<std::string> seen;
    std::vector<std::string> plain;
    for (std::size_t i = 0; i < words.size(); ++i) {
        auto const& w = words[i];
        if (w == "--") {
            plain.insert(plain.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
            break;
        }
        if (!looks_like_option(w)) {
            plain.push_back(w);
            continue;
        }
        std::string const stem = stem_of(w);
        auto const* option = find_option(options, stem);
        if (option == nullptr && !is_always_known(stem)) refuse_unknown_option(stem, name, options, commands);
        bool const flag = option == nullptr || option->value.empty();
        if (flag && stem != w) throw ParseError(stem + " takes no value", stem);
        if (option == nullptr) continue;
        if (!flag && w == stem + "=") throw ParseError(stem + ": " + option->value + " is missing", stem);
        if (!flag && stem == w) {
            bool const last = ++i == words.size();
            if (last || words[i].starts_with("--"))
                throw ParseError(stem + ": " + option->value + " is missing" +
                                     (last ? "" : "; '" + printable(words[i]) + "' is no value"),
                                 stem);
        }
        if (!may_repeat(stem) && std::find(seen.begin(), seen.end(), stem) != seen.end())
            throw ParseError(stem + " is given twice", stem);
        seen.push_back(stem);
    }
    if (command == nullptr) return;
    auto const is_command = [&](auto const& c) { return plain.size() > 1 && c.name == plain[1]; };
    bool const takes_names = name == "list" || name == "errata";  // of commands; of papers, one of which is muP's
    if (!takes_names && std::any_of(commands.begin(), commands.end(), is_command)) {
        throw ParseError("'" + plain[1] + "' is a command too; one command at a time, such as isserlis " + name + " " +
                             command->positional,
                         plain[1]);
    }
    std::size_t const most = 1 + (command->positional.empty() ? 0 : command->most_positionals);
    if (plain.size() > most)
        throw ParseError("too many arguments: '" + printable(plain[most]) + "'; isserlis " + name + " takes " +
                             (command->positional.empty()     ? "none"
                              : command->most_positionals > 2 ? "up to " + std::to_string(most - 1) + " of "
                                                              : "") +
                             command->positional,
                         name);
}

/// CLI11 takes the brackets off a positional such as '[z]' and cuts it at commas, unless a space stands before them.
void protect_brackets(std::vector<std::string>& words, std::vector<OptionText> const& options) {
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
        auto const* before = i == 0 ? nullptr : find_option(options, words[i - 1]);
        bool const is_value = before != nullptr && !before->value.empty();
        if (words[i].starts_with("[") && !is_value) words[i].insert(0, 1, ' ');
    }
}

void declare(CLI::App& app, OptionText const& o) {
    if (o.is_flag()) {
        app.add_flag(o.name);
    } else {
        app.add_option(o.name)->type_name(o.value)->expected(1)->allow_extra_args(false)->multi_option_policy(
            CLI::MultiOptionPolicy::TakeAll);
    }
}

/// The first word that is neither an option nor the value of a global one.
std::string find_command(std::vector<std::string> const& words, std::vector<OptionText> const& global_options,
                         std::vector<CommandText> const& commands) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].empty())
            throw ParseError("argument " + std::to_string(i + 1) + " is empty; a command is expected there", "");
        if (words[i][0] != '-') return words[i];
        if (words[i] == "--") throw ParseError("'--' ends the options of a command; give the command before it", "--");
        std::string const stem = stem_of(words[i]);
        auto const* option = find_option(global_options, stem);
        if (looks_like_option(stem) && option == nullptr && !is_always_known(stem))
            refuse_unknown_option(stem, "", global_options, commands);
        if (option != nullptr && !option->value.empty() && stem == words[i]) ++i;
    }
    return {};
}

/// Options with their values, other words alone.
std::vector<quantity::TypedWord> typed_words(std::vector<std::string> const& words,
                                             std::vector<OptionText> const& options, OptionNames const& names) {
    std::vector<quantity::TypedWord> out;
    bool ended = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        bool const is_option = !ended && looks_like_option(words[i]);
        ended = ended || words[i] == "--";
        out.push_back({.parameter = is_option ? names.parameter_of(stem_of(words[i])) : "",
                       .text = quantity::shell_quoted(words[i])});
        auto const* option = is_option ? find_option(options, stem_of(words[i])) : nullptr;
        bool const takes_next = option != nullptr && !option->value.empty() && stem_of(words[i]) == words[i];
        if (takes_next && i + 1 < words.size()) out.back().text += " " + quantity::shell_quoted(words[++i]);
    }
    return out;
}

}  // namespace

bool asks_for_json(std::vector<std::string> const& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        bool const format = words[i] == "--format" || words[i] == "-f";
        if (words[i] == "--format=json" || (format && i + 1 < words.size() && words[i + 1] == "json")) return true;
    }
    return false;
}

CommandLine read_command_line(std::vector<std::string> const& given, std::vector<CommandText> const& commands,
                              std::vector<OptionText> const& global_options) {
    std::vector<std::string> typed = given;
    if (!typed.empty() && typed.front() == "help") {  // help norm: norm --help
        typed.erase(typed.begin());
        typed.emplace_back("--help");
    }
    write_out_letters(typed, global_options, commands);
    check_bytes(typed, commands, global_options);
    std::string const command = find_command(typed, global_options, commands);
    auto const text = std::find_if(commands.begin(), commands.end(), [&](auto const& c) { return c.name == command; });
    if (!command.empty() && text == commands.end()) {
        std::vector<std::string> names;
        for (auto const& c : commands) names.push_back(c.name);
        throw ParseError(
            "'" + printable(command) + "' is not a command; " + suggestion(command, names, "isserlis --help"), command);
    }

    // An observable may begin with a minus sign; no option has brackets in it.
    std::vector<std::string> words = typed;
    for (auto& w : words) {
        bool const formula = w.size() > 1 && w[0] == '-' && w[1] != '-' && w.find_first_of("[(") != std::string::npos;
        if (formula && text != commands.end() && text->positional.starts_with("EXPR")) w.insert(0, 1, ' ');
        if (!w.empty() && w[0] == '[') w.insert(0, 1, ' ');  // CLI11 would take the brackets off
    }

    std::vector<OptionText> known_options = global_options;
    if (text != commands.end()) known_options.insert(known_options.end(), text->options.begin(), text->options.end());
    protect_brackets(words, known_options);
    check_words(words, text == commands.end() ? nullptr : &*text, known_options, commands);

    CLI::App app;
    app.set_version_flag("--version", std::string("isserlis ") + version);
    app.set_help_flag("--help,-h");
    for (auto const& o : global_options) declare(app, o);
    app.fallthrough();
    std::vector<std::string> positionals;
    // Only the command asked for gets its options: declaring all of them would cost start-up time.
    CLI::App* chosen = nullptr;
    if (text != commands.end()) {
        chosen = app.add_subcommand(command);
        chosen->set_help_flag("--help,-h");
        chosen->fallthrough();
        for (auto const& o : text->options) declare(*chosen, o);
        if (!text->positional.empty())
            chosen->add_option(text->positional, positionals)->expected(0, static_cast<int>(text->most_positionals));
    }

    // What follows -- is no option, whatever it looks like.
    auto const end_of_options = std::find(words.begin(), words.end(), "--");
    std::vector<std::string> reversed(std::make_reverse_iterator(end_of_options), words.rend());
    try {
        app.parse(reversed);
    } catch (CLI::CallForHelp const&) {
        return {.arguments = std::nullopt,
                .text = chosen == nullptr ? help_of_program(commands, global_options)
                                          : help_of_command(*text, global_options)};
    } catch (CLI::CallForVersion const&) {
        return {.arguments = std::nullopt, .text = std::string("isserlis ") + version + "\n"};
    } catch (CLI::ParseError const& e) {
        throw ParseError(e.what(), command);
    }
    if (command.empty()) throw ParseError("no command given; isserlis --help lists them", "");
    for (auto& p : positionals) {
        if (p.starts_with(" -") || p.starts_with(" [")) p.erase(0, 1);  // the space put before it above
    }

    Arguments out{.command = command, .positionals = positionals, .options = {}};
    if (end_of_options != words.end()) out.positionals.insert(out.positionals.end(), end_of_options + 1, words.end());
    auto gather = [&](CLI::App const& from, std::vector<OptionText> const& options) {
        for (auto const& o : options) {
            auto const* option = from.get_option(o.name);
            if (option->count() == 0) continue;
            out.options[o.name] =
                o.value.empty() ? std::vector<std::string>{""} : option->as<std::vector<std::string>>();
            for (auto& value : out.options[o.name]) {
                if (value.starts_with(" [")) value.erase(0, 1);
            }
        }
    };
    gather(app, global_options);
    gather(*chosen, text->options);
    for (auto const& o : known_options) {
        auto const at = out.options.find(o.name);
        if (o.is_flag() || at == out.options.end()) continue;
        if (at->second.back().empty())
            throw ParseError(o.name + ": the value is empty; " + o.value + " is expected", o.name);
    }
    return {.arguments = std::move(out), .text = {}, .typed = typed_words(typed, known_options, OptionNames(command))};
}

}  // namespace isserlis::cli
