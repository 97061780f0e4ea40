// SPDX-License-Identifier: MIT
#include <pthread.h>
#include <sys/resource.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <isserlis/error.hpp>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "commands.hpp"
#include "interrupt.hpp"
#include "memory.hpp"
#include "parameters.hpp"
#include "self_description.hpp"
#include "utf8.hpp"
#include "watch.hpp"

namespace {

using namespace isserlis;

enum ExitCode { ok = 0, failed_check = 1, bad_input = 2, unsupported = 3 };

int report_error(bool json, char const* kind, std::string const& message, std::string const& argument, int code) {
    // A value in a message may have a hundred thousand digits.
    constexpr std::size_t longest = 600;
    // What files have in them may be echoed; a terminal must not obey it.
    std::string const shown = cli::legible(message.size() > longest ? message.substr(0, longest) + "..." : message);
    std::string const text = json ? error_to_json(kind, shown, argument) : "isserlis: " + shown + "\n";
    std::fwrite(text.data(), 1, text.size(), stderr);
    return code;
}

int report_error(bool json, Error const& e, int code) {
    return report_error(json, e.kind(), cli::in_options(e.what(), e.argument()), cli::option_of(e.argument()), code);
}

int run_words(std::vector<std::string> const& words, bool json) {
    std::vector<cli::Command> const commands = {
        cli::report_command(),     cli::list_command(),     cli::moments_command(),
        cli::products_command(),   cli::init_command(),     cli::scaling_factor_command(),
        cli::norm_command(),       cli::expect_command(),   cli::hessian_command(),
        cli::ntk_command(),        cli::mup_command(),      cli::jacobian_command(),
        cli::loss_curve_command(), cli::form_command(),     cli::coord_check_command(),
        cli::train_command(),      cli::max_rate_command(), cli::sharpness_command(),
        cli::trace_command()};
    std::vector<cli::CommandText> texts;
    for (auto const& c : commands) texts.push_back(c.text);
    texts.push_back(cli::completion_text());
    texts.push_back(cli::manual_text());
    auto line = cli::read_command_line(words, texts, cli::global_options());
    if (!line.arguments) {
        cli::print(line.text);
        return ok;
    }
    auto const& typed = *line.arguments;
    if (typed.command == "completion" || typed.command == "manual") {
        if (!typed.options.empty()) {
            std::string const& option = typed.options.begin()->first;
            throw ParseError(option + " means nothing to " + typed.command + ", which evaluates nothing", option);
        }
        auto const& print = typed.command == "manual" ? cli::manual_page : cli::completion_script;
        cli::print(print(typed.positionals, texts, cli::global_options()));
        return ok;
    }
    if (auto const t = typed.options.find("--timeout"); t != typed.options.end())
        cli::end_after(t->second.back(), json);
    cli::Session const session = cli::read_session(std::move(*line.arguments), std::move(line.typed));
    cli::leave_memory_to_others(session.threads);
    for (auto const& c : commands) {
        if (c.text.name == session.arguments.command) return cli::run(c, session);
    }
    return bad_input;
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
