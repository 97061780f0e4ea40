// SPDX-License-Identifier: MIT
#include "run.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/write_file.hpp>
#include <isserlis/utf8.hpp>
#include <map>
#include <new>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "help.hpp"
#include "memory.hpp"
#include "parameters.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "self_description.hpp"
#include "terminal_text.hpp"
#include "watch.hpp"

namespace isserlis::cli {
namespace {

enum ExitCode { ok = 0, failed_check = 1, bad_input = 2, unsupported = 3 };

/// Where a command line says what.
struct Streams {
    std::FILE* out;
    std::FILE* err;
    bool json;  ///< in errors
};

int report_error(Streams const& to, char const* kind, std::string const& message, std::string const& argument,
                 int code) {
    // A value in a message may have a hundred thousand digits.
    constexpr std::size_t longest = 600;
    // What files have in them may be echoed; a terminal must not obey it.
    std::string const shown =
        who_complains() + legible(message.size() > longest ? message.substr(0, longest) + "..." : message);
    std::string const text = to.json ? error_to_json(kind, shown, argument) : "isserlis: " + shown + "\n";
    std::fwrite(text.data(), 1, text.size(), to.err);
    end_ranks(code);
    return code;
}

int report_error(Streams const& to, Error const& e, int code) {
    OptionNames const names;
    return report_error(to, e.kind(), names.in_options(quantity::reason(e), e.argument()),
                        names.option_of(e.argument()), code);
}

/// Errors  UnsupportedError when the stream is full or closed.
void print(std::string const& text, std::FILE* out) {
    if (std::fwrite(text.data(), 1, text.size(), out) != text.size() || std::fflush(out) != 0)
        throw UnsupportedError("standard output cannot be written", "");
}

std::optional<std::string> value_of(Arguments const& typed, std::string const& option) {
    auto const at = typed.options.find(option);
    return at == typed.options.end() ? std::nullopt : std::optional(at->second.back());
}

/// Errors  ParseError where two options would write one file, of which one result would be left.
void require_files_apart(Arguments const& typed) {
    namespace fs = std::filesystem;
    std::map<fs::path, std::string> known;
    for (char const* option : {"--output", "--plot", "--keep", "--save", "--checkpoint"}) {
        auto const file = value_of(typed, option);
        std::error_code error;
        if (!file || (fs::exists(*file, error) && !fs::is_regular_file(*file, error))) continue;
        auto const [at, is_new] = known.emplace(fs::weakly_canonical(fs::absolute(*file, error), error), option);
        if (!is_new)
            throw ParseError(
                at->second + " and " + option + " name one file, '" + printable(*file) + "'; each needs its own",
                option);
    }
}

/// What the library hears of this program.
quantity::Surroundings surroundings_of(CommandLine const& line) {
    quantity::Surroundings out;
    out.spoken = [names = OptionNames(line.arguments->command)](std::string message) {
        return names.in_options(std::move(message));
    };
    out.progress = progress_on_stderr;
    out.typed = line.typed;
    // The same answer on the terminal and in a file, however long one would have waited.
    std::erase_if(out.typed, [](auto const& w) { return w.parameter == "--output" || w.parameter == "--timeout"; });
    out.unlimited = line.arguments->options.count("--output") != 0;
    introduce_ranks(out);
    return out;
}

/// Prints or writes the answer; the exit code.
int answer(CommandLine const& line, std::FILE* out) {
    auto const& typed = *line.arguments;
    auto const file = value_of(typed, "--output");
    require_files_apart(typed);
    join_ranks(typed);
    if (file && speaks()) check_writable(*file, "--output");
    auto const threads = value_of(typed, "--threads");
    leave_memory_to_others(threads ? static_cast<unsigned>(std::strtoul(threads->c_str(), nullptr, 10))
                                   : std::thread::hardware_concurrency());
    Answer result = quantity::ask(question_of(typed), surroundings_of(line));
    bool const prints = speaks();
    leave_ranks();
    if (!prints) return ok;
    if (file) result.add_input("output", *file);
    std::string const text = render(result);
    stop_watching();
    if (file) {
        write_file(*file, text, "--output");
    } else {
        bool const shown =
            isatty(fileno(out)) != 0 && !is_launched() && result.options().format == Format::text && !result.document();
        print(shown ? for_terminal(text, terminal_width(), std::getenv("NO_COLOR") == nullptr) : text, out);
    }
    return result.any_disagreement() ? failed_check : ok;
}

std::vector<CommandText> all_commands() {
    auto out = library_commands();
    out.push_back(completion_text());
    out.push_back(manual_text());
    return out;
}

/// Most lines begin with a command of the library's and name no other: its own description will do. What is wrong with a
/// line is said with all of them at hand.
CommandLine read(std::vector<std::string> const& words, std::vector<OptionText> const& global) {
    auto names = quantity::command_names();
    names.push_back(completion_text().name);
    names.push_back(manual_text().name);
    auto const commands = std::count_if(words.begin(), words.end(), [&](std::string const& word) {
        return std::find(names.begin(), names.end(), word) != names.end();
    });
    if (auto const first = commands == 1 ? library_command(words[0]) : std::nullopt) {
        try {
            return read_command_line(words, {*first}, global);
        } catch (ParseError const&) {
        }
    }
    return read_command_line(words, all_commands(), global);
}

int run_words(std::vector<std::string> const& words, Streams const& to) {
    auto const global = global_options();
    auto const line = read(words, global);
    if (!line.arguments) {
        print(line.text, to.out);
        return ok;
    }
    auto const& typed = *line.arguments;
    if (typed.command == "completion" || typed.command == "manual") {
        if (!typed.options.empty()) {
            std::string const& option = typed.options.begin()->first;
            throw ParseError(option + " means nothing to " + typed.command + ", which evaluates nothing", option);
        }
        auto const& described = typed.command == "manual" ? manual_page : completion_script;
        print(described(typed.positionals, all_commands(), global), to.out);
        return ok;
    }
    if (auto const seconds = value_of(typed, "--timeout")) end_after(*seconds, to.json);
    return answer(line, to.out);
}

}  // namespace

int run(std::vector<std::string> const& words, std::FILE* out, std::FILE* err) {
    Streams const to{.out = out, .err = err, .json = asks_for_json(words)};
    try {
        return run_words(words, to);
    } catch (UnsupportedError const& e) {
        return report_error(to, e, unsupported);
    } catch (Error const& e) {
        return report_error(to, e, bad_input);
    } catch (std::bad_alloc const&) {
        return report_error(to, "unsupported", out_of_memory, "", unsupported);
    } catch (std::length_error const&) {
        return report_error(to, "unsupported", out_of_memory, "", unsupported);
    } catch (std::system_error const& e) {
        return report_error(to, "unsupported", std::string("the system refuses: ") + e.what(), "", unsupported);
    } catch (std::exception const& e) {
        return report_error(to, "unsupported", std::string("unexpected failure: ") + e.what(), "", unsupported);
    }
}

}  // namespace isserlis::cli
