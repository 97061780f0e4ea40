// SPDX-License-Identifier: MIT
#include "arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <isserlis/error.hpp>
#include <isserlis/version.hpp>
#include <numeric>
#include <string_view>

namespace isserlis::cli {
namespace {

/// Levenshtein distance.
std::size_t distance(std::string const& a, std::string const& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0U);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t const substitute = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
            diagonal = row[j];
            row[j] = std::min({substitute, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

std::string nearest(std::string const& word, std::vector<std::string> const& known) {
    auto const at = std::min_element(known.begin(), known.end(), [&](auto const& a, auto const& b) {
        return distance(word, a) < distance(word, b);
    });
    return at == known.end() ? std::string() : *at;
}

/// Length of the well-formed UTF-8 sequence at the start, or 0 (overlong forms and surrogates are not well formed).
std::size_t utf8_length(std::string_view text) {
    auto const byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    unsigned const lead = byte(0);
    std::size_t const length = lead < 0x80 ? 1 : lead >> 5U == 6 ? 2 : lead >> 4U == 14 ? 3 : lead >> 3U == 30 ? 4 : 0;
    if (length < 2) return length;
    std::uint32_t point = lead & (0xffU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if (byte(i) >> 6U != 2) return 0;
        point = point << 6U | (byte(i) & 63U);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    bool const surrogate = point >= 0xd800 && point < 0xe000;
    return point >= least[length] && point <= 0x10ffff && !surrogate ? length : 0;
}

/// Refuses bytes that no option or name can contain, before anything echoes them to a terminal. File names may have
/// letters beyond ASCII.
void check_bytes(std::vector<std::string> const& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        auto const& w = words[i];
        std::string const which = "argument " + std::to_string(i + 1);
        auto const names_file = [](std::string const& option) { return option == "--output" || option == "--input"; };
        bool const file = (i > 0 && names_file(words[i - 1])) || names_file(w.substr(0, w.find('=')));
        for (std::size_t k = 0; k < w.size();) {
            auto const byte = static_cast<unsigned char>(w[k]);
            std::string const where = which + ", byte " + std::to_string(k + 1);
            if (byte < 0x20 || byte == 0x7f) throw ParseError(where + ": a control character; remove it", which);
            std::size_t const length = utf8_length(std::string_view(w).substr(k));
            if (length == 0) throw ParseError(where + ": invalid UTF-8; names are plain ASCII", which);
            if (length > 1 && !file)
                throw ParseError(where + ": a character beyond ASCII; names are plain ASCII", which);
            k += length;
        }
    }
}

/// Refuses options given twice and values given to flags, naming them.
void check_options(std::vector<std::string> const& words, std::vector<OptionText> const& options) {
    std::vector<std::string> seen;
    for (auto const& w : words) {
        if (w == "--") return;
        std::string const stem = w.substr(0, w.find('='));
        auto const at = std::find_if(options.begin(), options.end(), [&](auto const& o) { return o.name == stem; });
        if (at == options.end()) continue;
        if (at->value.empty() && stem != w) throw ParseError(stem + " takes no value", stem);
        if (stem != "--set" && std::find(seen.begin(), seen.end(), stem) != seen.end()) {
            throw ParseError(stem + " is given twice", stem);
        }
        seen.push_back(stem);
    }
}

/// "Usage: isserlis norm [OPTIONS] WIDTHS".
class HelpFormat : public CLI::Formatter {
public:
    explicit HelpFormat(std::string usage) : usage_(std::move(usage)) { column_width(34); }
    std::string make_usage(CLI::App const*, std::string) const override { return "Usage: " + usage_ + "\n"; }

private:
    std::string usage_;
};

void declare(CLI::App& app, OptionText const& o, char const* group) {
    CLI::Option* option = o.value.empty() ? app.add_flag(o.name, o.help)
                                          : app.add_option(o.name, o.help)->type_name(o.value)->expected(1);
    if (o.name == "--set")
        option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
    option->group(group);
}

bool takes_value(std::string const& word, std::vector<OptionText> const& options) {
    return std::any_of(options.begin(), options.end(),
                       [&](auto const& o) { return o.name == word && !o.value.empty(); });
}

/// The first word that is neither an option nor the value of a global one.
std::string find_command(std::vector<std::string> const& words, std::vector<OptionText> const& global_options) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].empty())
            throw ParseError("argument " + std::to_string(i + 1) + " is empty; a command is expected there", "");
        if (words[i][0] != '-') return words[i];
        if (takes_value(words[i], global_options)) ++i;
    }
    return {};
}

}  // namespace

bool asks_for_json(std::vector<std::string> const& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--format=json" || (words[i] == "--format" && i + 1 < words.size() && words[i + 1] == "json"))
            return true;
    }
    return false;
}

CommandLine read_command_line(std::vector<std::string> const& typed, std::vector<CommandText> const& commands,
                              std::vector<OptionText> const& global_options) {
    check_bytes(typed);
    std::string const command = find_command(typed, global_options);
    auto const text = std::find_if(commands.begin(), commands.end(), [&](auto const& c) { return c.name == command; });
    if (!command.empty() && text == commands.end()) {
        std::vector<std::string> names;
        for (auto const& c : commands) names.push_back(c.name);
        throw ParseError("'" + printable(command) + "' is not a command; the nearest is '" + nearest(command, names) +
                             "' (isserlis --help lists them all)",
                         command);
    }

    // An observable may begin with a minus sign; no option has brackets in it.
    std::vector<std::string> words = typed;
    for (auto& w : words) {
        bool const formula = w.size() > 1 && w[0] == '-' && w[1] != '-' && w.find_first_of("[(") != std::string::npos;
        if (formula && text != commands.end() && text->positional.starts_with("EXPR")) w.insert(0, 1, ' ');
    }

    std::vector<OptionText> known_options = global_options;
    if (text != commands.end()) known_options.insert(known_options.end(), text->options.begin(), text->options.end());
    check_options(words, known_options);

    CLI::App app("Exact expectation formulas for random neural networks at initialisation.", "isserlis");
    app.set_version_flag("--version", std::string("isserlis ") + version)->group("Global options");
    app.set_help_flag("--help,-h", "Show this text and examples")->group("Global options");
    app.formatter(std::make_shared<HelpFormat>("isserlis [OPTIONS] COMMAND ..."));
    for (auto const& o : global_options) declare(app, o, "Global options");
    app.fallthrough();
    CLI::App* chosen = nullptr;
    std::vector<std::string> positionals;
    // Only the command asked for gets its options: declaring all of them would cost start-up time.
    for (auto const& c : commands) {
        auto* sub = app.add_subcommand(c.name, c.summary);
        sub->group("Commands");
        if (c.name != command) continue;
        chosen = sub;
        sub->set_help_flag("--help,-h", "Show this text and examples");
        sub->fallthrough();
        sub->footer(c.examples);
        sub->formatter(std::make_shared<HelpFormat>("isserlis " + c.name + " [OPTIONS] " + c.positional +
                                                    (c.most_positionals > 1 ? "..." : "")));
        for (auto const& o : c.options) declare(*sub, o, "Options");
        if (!c.positional.empty()) {
            sub->add_option(c.positional, positionals, c.positional_help)
                ->type_name("")
                ->expected(0, static_cast<int>(c.most_positionals));
        }
    }
    if (command.empty()) {
        app.footer(
            "Examples:\n"
            "  isserlis report 2,10:3,1                      everything known about one architecture\n"
            "  isserlis norm 2,10:3,1 --check 200000         exact values beside 200,000 sampled networks\n"
            "  isserlis norm n0,n:L,1                        formulas in the widths and the depth\n"
            "\nisserlis COMMAND --help shows the options of a command, with examples.\n");
    }

    // What follows -- is no option, whatever it looks like.
    auto const end_of_options = std::find(words.begin(), words.end(), "--");
    std::vector<std::string> reversed(std::make_reverse_iterator(end_of_options), words.rend());
    try {
        app.parse(reversed);
    } catch (CLI::CallForHelp const&) {
        std::string help = chosen == nullptr ? app.help() : chosen->help();
        if (chosen != nullptr) help += "\nGlobal options (isserlis --help explains them):\n ";
        if (chosen != nullptr) {
            std::size_t column = 1;
            for (auto const& o : global_options) {
                std::string const item = " " + o.name + (o.value.empty() ? "" : " " + o.value);
                if (column + item.size() > 100) {
                    help += "\n ";
                    column = 1;
                }
                help += item;
                column += item.size();
            }
            help += "\n";
        }
        return {.arguments = std::nullopt, .text = help};
    } catch (CLI::CallForAllHelp const&) {
        return {.arguments = std::nullopt, .text = app.help()};
    } catch (CLI::CallForVersion const&) {
        return {.arguments = std::nullopt, .text = std::string("isserlis ") + version + "\n"};
    } catch (CLI::ExtrasError const&) {
        std::vector<std::string> known{"--help", "--version"};
        for (auto const& o : global_options) known.push_back(o.name);
        if (chosen != nullptr) {
            for (auto const& o : text->options) known.push_back(o.name);
        }
        for (auto const& w : words) {
            std::string const stem = w.substr(0, w.find('='));
            if (w.size() < 2 || w[0] != '-' || std::find(known.begin(), known.end(), stem) != known.end()) continue;
            if (w.find_first_not_of("-0123456789./") == std::string::npos) continue;  // a negative number
            throw ParseError("'" + printable(stem) + "' is not an option" + (command.empty() ? "" : " of " + command) +
                                 "; the nearest is '" + nearest(stem, known) + "'",
                             stem);
        }
        throw ParseError("too many arguments" + (command.empty() ? std::string() : " for " + command) +
                             "; see isserlis " + command + " --help",
                         command);
    } catch (CLI::ParseError const& e) {
        throw ParseError(e.what(), command);
    }
    if (command.empty()) throw ParseError("no command given; isserlis --help lists them", "");

    Arguments out{.command = command, .positionals = positionals, .options = {}};
    if (end_of_options != words.end()) out.positionals.insert(out.positionals.end(), end_of_options + 1, words.end());
    auto gather = [&](CLI::App const& from, std::vector<OptionText> const& options) {
        for (auto const& o : options) {
            auto const* option = from.get_option(o.name);
            if (option->count() == 0) continue;
            out.options[o.name] =
                o.value.empty() ? std::vector<std::string>{""} : option->as<std::vector<std::string>>();
        }
    };
    gather(app, global_options);
    gather(*chosen, text->options);
    for (auto const& o : known_options) {
        if (o.value.empty() || !out.has(o.name)) continue;
        if (out.value(o.name)->empty())
            throw ParseError(o.name + ": the value is empty; " + o.value + " is expected", o.name);
    }
    return {.arguments = std::move(out), .text = {}};
}

}  // namespace isserlis::cli
