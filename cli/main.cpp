// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>
#include <isserlis/error.hpp>
#include <new>
#include <string>
#include <vector>

#include "commands.hpp"
#include "interrupt.hpp"
#include "parameters.hpp"
#include "utf8.hpp"

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

int run_words(std::vector<std::string> const& words) {
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
    auto line = cli::read_command_line(words, texts, cli::global_options());
    if (!line.arguments) {
        cli::print(line.text);
        return ok;
    }
    cli::Session const session = cli::read_session(std::move(*line.arguments), std::move(line.typed));
    for (auto const& c : commands) {
        if (c.text.name == session.arguments.command) return cli::run(c, session);
    }
    return bad_input;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> const words(argv + 1, argv + argc);
    bool const json = cli::asks_for_json(words);
    cli::end_on_interrupt(json);
    try {
        return run_words(words);
    } catch (UnsupportedError const& e) {
        return report_error(json, e, unsupported);
    } catch (Error const& e) {
        return report_error(json, e, bad_input);
    } catch (std::bad_alloc const&) {
        return report_error(json, "unsupported", "out of memory; ask for fewer layers or a smaller order", "",
                            unsupported);
    } catch (std::exception const& e) {
        return report_error(json, "unsupported", std::string("unexpected failure: ") + e.what(), "", unsupported);
    }
}
