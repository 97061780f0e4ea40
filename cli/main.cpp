// SPDX-License-Identifier: MIT
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/report/write_file.hpp>
#include <isserlis/utf8.hpp>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "help.hpp"
#include "interrupt.hpp"
#include "memory.hpp"
#include "parameters.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "self_description.hpp"
#include "terminal_text.hpp"
#include "watch.hpp"

namespace {

using namespace isserlis;

enum ExitCode { ok = 0, failed_check = 1, bad_input = 2, unsupported = 3 };

int report_error(bool json, char const* kind, std::string const& message, std::string const& argument, int code) {
    // A value in a message may have a hundred thousand digits.
    constexpr std::size_t longest = 600;
    // What files have in them may be echoed; a terminal must not obey it.
    std::string const shown =
        cli::who_complains() + legible(message.size() > longest ? message.substr(0, longest) + "..." : message);
    std::string const text = json ? error_to_json(kind, shown, argument) : "isserlis: " + shown + "\n";
    std::fwrite(text.data(), 1, text.size(), stderr);
    cli::end_ranks(code);
    return code;
}

int report_error(bool json, Error const& e, int code) {
    return report_error(json, e.kind(), cli::in_options(e.what(), e.argument()), cli::option_of(e.argument()), code);
}

/// Writes to standard output. Errors  UnsupportedError when it is full or closed.
void print(std::string const& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw UnsupportedError("standard output cannot be written", "");
}

std::optional<std::string> value_of(cli::Arguments const& typed, std::string const& option) {
    auto const at = typed.options.find(option);
    return at == typed.options.end() ? std::nullopt : std::optional(at->second.back());
}

/// What the library hears of this program.
quantity::Surroundings surroundings_of(cli::CommandLine const& line) {
    quantity::Surroundings out;
    out.spoken = cli::in_options;
    out.progress = cli::progress_on_terminal;
    out.typed = line.typed;
    // The same answer on the terminal and in a file, however long one would have waited.
    std::erase_if(out.typed, [](auto const& w) { return w.parameter == "--output" || w.parameter == "--timeout"; });
    out.unlimited = line.arguments->options.count("--output") != 0;
    cli::introduce_ranks(out);
    return out;
}

/// Prints or writes the answer; the exit code.
int answer(cli::CommandLine const& line) {
    auto const& typed = *line.arguments;
    auto const file = value_of(typed, "--output");
    cli::join_ranks(typed);
    if (file && cli::speaks()) check_writable(*file, "--output");
    auto const threads = value_of(typed, "--threads");
    cli::leave_memory_to_others(threads ? static_cast<unsigned>(std::strtoul(threads->c_str(), nullptr, 10))
                                        : std::thread::hardware_concurrency());
    Answer result = quantity::ask(cli::question_of(typed), surroundings_of(line));
    bool const prints = cli::speaks();
    cli::leave_ranks();
    if (!prints) return ok;
    if (file) result.add_input("output", *file);
    std::string const text = render(result);
    cli::stop_watching();
    if (file) {
        write_file(*file, text, "--output");
    } else {
        bool const shown = isatty(STDOUT_FILENO) != 0 && !cli::is_launched() &&
                           result.options().format == Format::text && !result.document();
        print(shown ? cli::for_terminal(text, cli::terminal_width(), std::getenv("NO_COLOR") == nullptr) : text);
    }
    return result.any_disagreement() ? failed_check : ok;
}

int run_words(std::vector<std::string> const& words, bool json) {
    auto texts = cli::library_commands();
    texts.push_back(cli::completion_text());
    texts.push_back(cli::manual_text());
    auto const global_options = cli::global_options();
    auto const line = cli::read_command_line(words, texts, global_options);
    if (!line.arguments) {
        print(line.text);
        return ok;
    }
    auto const& typed = *line.arguments;
    if (typed.command == "completion" || typed.command == "manual") {
        if (!typed.options.empty()) {
            std::string const& option = typed.options.begin()->first;
            throw ParseError(option + " means nothing to " + typed.command + ", which evaluates nothing", option);
        }
        auto const& described = typed.command == "manual" ? cli::manual_page : cli::completion_script;
        print(described(typed.positionals, texts, global_options));
        return ok;
    }
    if (auto const seconds = value_of(typed, "--timeout")) cli::end_after(*seconds, json);
    return answer(line);
}

int guarded(std::vector<std::string> const& words, bool json) {
    try {
        return run_words(words, json);
    } catch (UnsupportedError const& e) {
        return report_error(json, e, unsupported);
    } catch (Error const& e) {
        return report_error(json, e, bad_input);
    } catch (std::bad_alloc const&) {
        return report_error(json, "unsupported", cli::out_of_memory, "", unsupported);
    } catch (std::length_error const&) {
        return report_error(json, "unsupported", cli::out_of_memory, "", unsupported);
    } catch (std::system_error const& e) {
        return report_error(json, "unsupported", std::string("the system refuses: ") + e.what(), "", unsupported);
    } catch (std::exception const& e) {
        return report_error(json, "unsupported", std::string("unexpected failure: ") + e.what(), "", unsupported);
    }
}

/// Runs the work where it has the usual 8 MB of stack, in which all that may be nested fits, whatever `ulimit -s` says.
int with_usual_stack(std::function<int()> const& work) {
    constexpr rlim_t usual = 8U << 20U;
    rlimit here{};
    if (getrlimit(RLIMIT_STACK, &here) != 0 || here.rlim_cur >= usual) return work();
    struct Task {
        std::function<int()> const& work;
        int code;
    } task{.work = work, .code = unsupported};
    pthread_attr_t attributes{};
    pthread_attr_init(&attributes);
    pthread_t thread{};
    auto const run = [](void* of) -> void* {
        auto& it = *static_cast<Task*>(of);
        it.code = it.work();
        return nullptr;
    };
    bool const started =
        pthread_attr_setstacksize(&attributes, usual) == 0 && pthread_create(&thread, &attributes, run, &task) == 0;
    pthread_attr_destroy(&attributes);
    if (!started) return work();
    pthread_join(thread, nullptr);
    return task.code;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> const words(argv + 1, argv + argc);
    bool const json = cli::asks_for_json(words);
    cli::end_on_interrupt(json);
    cli::end_without_memory(json);
    cli::announce_long_work(json);
    return with_usual_stack([&] { return guarded(words, json); });
}
